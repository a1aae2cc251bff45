#!/usr/bin/env bash
# Generates a client with each tool from dist/openapi.json into dist/clients; run in this folder.
set -euo pipefail
rm -rf dist/clients && mkdir -p dist/clients
openapi-typescript dist/openapi.json -o dist/clients/openapi-typescript.ts
openapi-ts -i ./dist/openapi.json -o dist/clients/hey-api -c @hey-api/client-fetch
openapi-zod-client dist/openapi.json -o dist/clients/openapi-zod-client.ts --export-schemas
swagger-typescript-api generate -p dist/openapi.json -o dist/clients/swagger-typescript-api -n api.ts
orval --config orval.config.cjs
kubb generate --config kubb.config.js
