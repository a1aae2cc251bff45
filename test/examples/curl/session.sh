#!/usr/bin/env bash
# Follows an import from 202 to done, using only curl.
set -euo pipefail

log=$(mktemp)
workspace-api-mock serve --port 0 --clock manual --quiet > "$log" &
server=$!
trap 'kill "$server"; rm -f "$log"' EXIT
until grep -q '  API' "$log"; do sleep 0.1; done
api=$(awk '/^  API/ { print $2 }' "$log")

call() { curl --silent --show-error --fail-with-body -H 'Authorization: Bearer wm_demo_master' "$@"; }

table=$(call "$api/datatables" | node -p 'JSON.parse(require("fs").readFileSync(0)).datatables.find((table) => table.row_count === 0).id')
node -p 'JSON.stringify({ rows: Array.from({ length: 3000 }, () => ({})) })' > "$log.rows"
job=$(call -H 'Content-Type: application/json' --data "@$log.rows" "$api/datatables/$table/jobs/insert" |
  node -p 'JSON.parse(require("fs").readFileSync(0)).job_id')
rm "$log.rows"

# Each poll advances the manual clock by 500 ms.
for _ in $(seq 100); do
  answer=$(call "$api/jobs/$job")
  echo "$answer"
  if [[ $answer == *'"status":"done"'* ]]; then break; fi
done
[[ $(call "$api/datatables/$table/rows?limit=1") == *'"total":3000'* ]]
echo 'done: 3000 rows'
