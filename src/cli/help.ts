// What the help of each command says after its options: details, exit codes, examples.

export const serveExamples = `
--watch starts over as a new process would: state, clock, sandboxes, snapshots, faults and journal are new. While a
file is missing or wrong, stderr says how, and the mock goes on as it was.

--json prints one JSON object a line, distinguished by "event", and nothing else on stdout:
  listening      url, baseUrl, fixture, clock, controlToken (where there is one); the first line
  request        method, path, query, sandbox, operation, status (null: connection broken), refusal, error, hint
  reloaded       fixture, clock
  reload-failed  error
  closed         the last line
With --quiet it leaves out the requests. GET requests to /__mock that succeed are never logged.

Exit code: 0 after SIGINT, SIGTERM or the end of its parent, 1 where it cannot serve (a port in use, a file that is missing or wrong), 2 where
the command line is wrong.

Examples:
  $ workspace-api-mock serve
      The demo company on http://127.0.0.1:4010/v1, its clock running.
  $ workspace-api-mock serve --port 0 --clock manual --quiet
      Any free port; time stands still until POST /__mock/clock/advance moves it.
  $ workspace-api-mock serve --fixture ./company.json --plan free
      Your own data (GET /__mock/state shows the shape), its first workspace on plan free.
  $ workspace-api-mock serve --fixture ./company.json --watch
      Starts over whenever the file is saved.
  $ workspace-api-mock serve --port 0 --json
      For scripts: {"event":"listening","url":"http://127.0.0.1:41719", ...}
  $ workspace-api-mock serve --answers ./answers.json
      Other answers to open questions, such as {"rowShape": "flat"}; see "workspace-api-mock questions".
  $ workspace-api-mock serve --coverage coverage.html
      Once ended, says which documented outcomes no client has met, and what brings each about.
  $ workspace-api-mock serve --host 0.0.0.0 --allow-host mock
      In a container: others reach /v1 by any name, /__mock by the host name "mock" and with the token.
`

export const waitExamples = `
Exit code: 0 once it answers, 1 where it does not in time, 2 where the command line is wrong.

Examples:
  $ workspace-api-mock serve --quiet & workspace-api-mock wait && npm test
`

export const exploreExamples = `
The command runs once undisturbed, then once for each of its requests and each way in which that request can fail. It
finds the address of the API in WORKSPACE_API_URL, which is another one in each run, and a key in WORKSPACE_API_KEY;
exit code 0 means that it did its work. With --jobs above 1 several commands run at once: they must share no file.
A single word is a line for the shell.

Exit code: 0 no findings, 1 findings, 2 the undisturbed run failed, nothing was found before an interruption, or the
command line is wrong.

Examples:
  $ workspace-api-mock explore -- python3 import.py
  $ workspace-api-mock explore --depth 2 --jobs 4 -- pytest -x tests/test_import.py
  $ workspace-api-mock explore --json -- './prepare.sh && ./sync.sh'
`

export const programExamples = `
Exit code: 0 where it was done, 1 where it could not be done, 2 where the command line is wrong; "verify" and "pull" have their own.

Examples:
  $ workspace-api-mock serve                  serve the demo company
  $ workspace-api-mock serve --help           what can be served, and how
  $ workspace-api-mock wait                   return when a server answers
  $ workspace-api-mock init                   a first fixture and a first test for a project
  $ workspace-api-mock questions              what the contract leaves open, and what is assumed
  $ workspace-api-mock questions --json       the same as data
  $ workspace-api-mock openapi                the API as an OpenAPI 3.1 document
  $ workspace-api-mock explore --help         what does a client do when its requests fail?
  $ workspace-api-mock verify --help          judge a deployment by the contract, learn its answers
  $ workspace-api-mock pull --help            a live workspace as a fixture
`

export const openApiExamples = `
Examples:
  $ workspace-api-mock openapi --out openapi.json
  $ workspace-api-mock openapi --base-url http://127.0.0.1:4010/v1 --answers ./answers.json
      For a server of your own, with the schemas that other answers to open questions make.
`

export const verifyExamples = `
Exit code: 0 where nothing drifted (or the answers were learned), 1 where something did that is not in the baseline,
2 where the run could not be made or does not count (too much is inconclusive, by default a quarter of the rules; an
empty workspace; a key that may only read with --write), was interrupted, or the command line is wrong.

Examples:
  $ workspace-api-mock verify --base-url https://api.example.com/v1 --api-key KEY
      Reads alone. The key may also stand in WORKSPACE_API_KEY, out of sight of others on this machine.
  $ workspace-api-mock verify --base-url https://api.example.com/v1 --write --table "Scratch"
      Writes too: in a space of its own, and rows into that table. What it made is removed, save the space
      and its lists, for which the API has no operation. A timer that is started may stop one that is running.
  $ workspace-api-mock verify --base-url https://api.example.com/v1 --format junit --baseline known.json > report.xml
      In a CI. --format json > known.json makes the baseline; --format github annotates in GitHub Actions.
  $ workspace-api-mock verify --base-url https://api.example.com/v1 --only listRows,getRow/as-listed --har drift.har
      Two operations' worth of rules, with the exchanges that show a drift.
  $ workspace-api-mock verify --base-url https://api.example.com/v1 --write --learn answers.json
      Writes down what the deployment does where the contract is silent.
  $ workspace-api-mock serve --answers answers.json
      A mock that does the same.
`

export const pullExamples = `
Only reads, one request at a time; 429 is waited out as Retry-After says. What was read is kept in FILE.partial.json
until the pull is done: after Ctrl-C or a failure the same command goes on. What the API does not show is said at the end.

Exit code: 0 where the fixture was written, 2 where it could not be, or was interrupted, or the command line is wrong.

Examples:
  $ workspace-api-mock pull --base-url https://api.example.com/v1 --api-key KEY --out company.json
      The key may also stand in WORKSPACE_API_KEY, out of sight of others on this machine.
  $ workspace-api-mock pull --base-url https://api.example.com/v1 --out company.json --rows 500 --anonymize
      At most 500 rows of each table; names, texts, files and ids replaced by invented ones.
  $ workspace-api-mock serve --fixture company.json
      A mock of it, with the key wm_pulled_master.
`
