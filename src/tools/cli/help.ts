// Help printed after the options of each command: details, exit codes, examples.

export const help = {
  serve: `
--watch discards state, clock, sandboxes, snapshots, faults and journal, as a new process would. While a file is missing
or invalid, the error goes to stderr and the former mock stays in use.

--snapshots keeps each named snapshot, except those of sandboxes, as a file with its whole state. A snapshot can be
restored after a restart, even with another fixture.

--json prints one JSON object per line to stdout and nothing else; "event" is one of:
  listening      url, baseUrl, fixture, clock, controlToken (if required); always the first line
  request        method, path, query, sandbox, operation, status (null: connection broken), refusal, error, hint
  reloaded       fixture, clock
  reload-failed  error
  closed         always the last line
--quiet does not log requests. Successful GET requests to /__mock are never logged.

Exit code: 0 after SIGINT, SIGTERM, "workspace-api-mock stop" or the end of its parent process, 1 if it cannot serve (a
port in use, a missing or invalid file), cannot write its output or the file of --coverage, or did not reach
--coverage-min, 2 if the command line is wrong.

Examples:
  $ workspace-api-mock serve
      The demo workspace on http://127.0.0.1:4010/v1, with a running clock.
  $ workspace-api-mock serve --port 0 --clock manual --quiet
      Any free port; the clock stands still until POST /__mock/clock/advance or a poll of a job.
  $ workspace-api-mock serve --fixture ./company.json --plan free
      Your own data (GET /__mock/state shows the format), with the first workspace on plan free.
  $ workspace-api-mock serve --fixture ./company.json --watch --snapshots ./snapshots
      Restarts the mock whenever the file is saved, and keeps named snapshots.
  $ workspace-api-mock serve --rows "Sample requests=samples.csv"
      The first line of the CSV file names columns. If anything is wrong, every mistake is listed and nothing is added.
  $ workspace-api-mock serve --rows "Sample requests=excel.csv" --encoding windows-1252
      For files that are not UTF-8. Excel can also save "CSV UTF-8", which needs no --encoding.
  $ workspace-api-mock serve --port 0 --json
      For scripts: {"event":"listening","url":"http://127.0.0.1:41719", ...}
  $ workspace-api-mock serve --answers ./answers.json
      Other answers to open questions, such as {"rowShape": "flat"}; "workspace-api-mock questions" lists all.
  $ workspace-api-mock serve --coverage coverage.html
      On exit, writes which documented outcomes no client has hit, and how to cause each.
  $ workspace-api-mock serve --host 0.0.0.0 --allow-host mock
      In a container: /v1 is available under any host name, /__mock under the host name "mock" and with the token.
`,

  wait: `
Exit code: 0 once the server responds, 1 if it does not respond in time, 2 if the command line is wrong.

Examples:
  $ workspace-api-mock serve --quiet & workspace-api-mock wait && npm test
`,

  mcp: `
A running server also offers the tools over HTTP, at http://127.0.0.1:4010/__mock/mcp.

Examples:
  $ claude mcp add workspace-api-mock -- npx workspace-api-mock mcp --url http://127.0.0.1:4010
`,

  stop: `
Exit code: 0 once the server is gone, 1 if no server responds, or if it refuses or cannot write its files, 2 if the command
line is wrong.

Examples:
  $ workspace-api-mock serve --quiet --coverage coverage.json & workspace-api-mock wait
  $ go test ./... && workspace-api-mock stop
`,

  explore: `
The command runs undisturbed, then once per request and failure. Families tried by default: errors (the request fails),
outcomes (a row or a job fails), crash (the command is killed with its children and runs again in the same folder).
Other families are tried on request: concurrency and compatibility, which find most other problems; outage, repeated and
latency, which wait in real time and are tried once per operation; answers (to open
questions), which only reports findings of severity info.
mock.explore does not wait in real time, and by default tries all families but answers.

The command finds the address of the API in WORKSPACE_API_URL (a new one in each run) and a key in WORKSPACE_API_KEY. It
must exit with 0 once its work is done. With --jobs, several commands run at the same time and must not share files. A
single argument is run as a shell command line.

Exit code: 0 without errors or warnings, 1 with some, 2 if the undisturbed run failed, the exploration was interrupted
before it found anything, or the command line is wrong.

Examples:
  $ workspace-api-mock explore -- python3 import.py
  $ workspace-api-mock explore --families errors,crash --jobs 4 -- pytest -x tests/test_import.py
  $ workspace-api-mock explore --copy ./job -- ./sync.sh
  $ workspace-api-mock explore --json -- './prepare.sh && ./sync.sh'
`,

  program: `
Exit code: 0 for success, 1 for failure (including a failure to write output), 2 if the command line is wrong;
"explore", "verify" and "pull" have their own.

Examples:
  $ workspace-api-mock serve
      The demo workspace on http://127.0.0.1:4010/v1, with a console at http://127.0.0.1:4010/__mock/.
  $ workspace-api-mock serve --help
      The options and exit codes of a command, with more examples.
`,

  openApi: `
Examples:
  $ workspace-api-mock openapi --out openapi.json
  $ workspace-api-mock openapi --openapi 3.0
  $ workspace-api-mock openapi --base-url http://127.0.0.1:4010/v1 --answers ./answers.json
      For your own server, with the schemas for other answers to open questions.
`,

  verify: `
Drift is a difference between the deployment and the contract. A rule is inconclusive if the run could not check it.

Exit code: 0 without drift, 1 for drift that is not in the baseline, 2 if the run failed, was interrupted or is not
conclusive (too many inconclusive rules, no rule checked, an empty workspace, a read-only key with --write), or the
command line is wrong.

Examples:
  $ workspace-api-mock verify --base-url https://api.example.com/v1 --api-key KEY
      Only reads. Prefer WORKSPACE_API_KEY for the key: other users of this machine can see the command line.
  $ workspace-api-mock verify --base-url https://api.example.com/v1 --write --table "Scratch"
      Also writes: in a new space, and rows into that table. Everything is removed afterwards except the space and its
      lists, for which the API has no operation. Starting a timer can stop one that is running.
  $ workspace-api-mock verify --base-url https://api.example.com/v1 --format junit --baseline known.json > report.xml
      In CI. --format json > known.json creates the baseline; --format github is for GitHub Actions.
  $ workspace-api-mock verify --base-url https://api.example.com/v1 --only listRows,getRow/rows --har drift.har
      Only the rules of one operation and one rule of another, with the exchanges that show drift.
  $ workspace-api-mock verify --base-url https://api.example.com/v1 --write --learn answers.json
      Records what the deployment does where the contract is silent.
  $ workspace-api-mock serve --answers answers.json
      A mock that behaves the same.
`,

  pull: `
Only reads, one request at a time, and honours Retry-After. With --out, responses are kept next to the file, in a file
whose name ends with .partial.json, until the pull is complete: after Ctrl-C or a failure, the same command resumes. The
file is replaced only after a mock has loaded the new one. The output ends with a list of what the API does not show.

Exit code: 0 if everything requested is in the fixture, 1 if something is missing, which the output names (if a whole
response is missing, the fixture goes to a file that ends with .incomplete.json, and an earlier fixture is kept), 2 if
the pull failed or was interrupted, or the command line is wrong.

Examples:
  $ workspace-api-mock pull --base-url https://api.example.com/v1 --api-key KEY --out company.json
      Prefer WORKSPACE_API_KEY for the key: other users of this machine can see the command line.
  $ workspace-api-mock pull --base-url https://api.example.com/v1 --out company.json --rows 500 --anonymize
      At most 500 rows per table, with invented names, texts, files and ids.
  $ workspace-api-mock pull --har incident.har --out incident.json
      Reads a recording from devtools, Playwright (with its files beside it) or a proxy instead of a deployment. Exit
      code 1 if some responses could not be read, 2 if none could.
  $ workspace-api-mock serve --fixture company.json
      Serves the fixture, with the key wm_pulled_master.
`,
}
