#!/usr/bin/env node
// The command line: commands, options and help.
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander'
import { Plan } from '../contract/identity.ts'
import type { ExploreFlags } from './explore.ts'
import type { OpenApiFlags } from './openapi.ts'
import type { ServeFlags } from './serve/serve.ts'
import type { PullFlags } from './pull.ts'
import type { VerifyFlags } from './verify/verify.ts'
import { packageVersion } from './package-version.ts'
import type { WaitFlags } from './wait.ts'

function portOf(text: string): number {
  const port = Number(text)
  if (!/^\d+$/.test(text) || port > 65_535)
    throw new InvalidArgumentError('It must be an integer from 0 to 65535.')
  return port
}

function urlOf(text: string): URL {
  const url = URL.parse(text.includes('://') ? text : `http://${text}`)
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new InvalidArgumentError('It must be an address such as http://127.0.0.1:4010.')
  return url
}

function countOf(text: string): number {
  const count = Number(text)
  if (!/^\d{1,9}$/.test(text) || count === 0) throw new InvalidArgumentError('It must be an integer from 1.')
  return count
}

function millisecondsOf(text: string): number {
  const [, amount = '', unit = 's'] = /^(\d+(?:\.\d+)?)(ms|s|m)?$/.exec(text) ?? []
  if (amount === '') throw new InvalidArgumentError('It must be a length of time such as 30s, 500ms or 2m.')
  return Number(amount) * { ms: 1, s: 1000, m: 60_000 }[unit as 'ms' | 's' | 'm']
}

const listed = (text: string, names: readonly string[] = []) => [
  ...names,
  ...text.split(',').map((name) => name.trim()),
]

function shareOf(text: string): number {
  const share = text.endsWith('%') ? Number(text.slice(0, -1)) / 100 : Number(text)
  if (text.trim() === '' || !(share >= 0 && share <= 1))
    throw new InvalidArgumentError('It must be a number from 0 to 1, or a percentage.')
  return share
}

const appended = (name: string, names: readonly string[] = []) => [...names, name]

const serveExamples = `
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

const waitExamples = `
Exit code: 0 once it answers, 1 where it does not in time, 2 where the command line is wrong.

Examples:
  $ workspace-api-mock serve --quiet & workspace-api-mock wait && npm test
`

const exploreExamples = `
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

const programExamples = `
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

const openApiExamples = `
Examples:
  $ workspace-api-mock openapi --out openapi.json
  $ workspace-api-mock openapi --base-url http://127.0.0.1:4010/v1 --answers ./answers.json
      For a server of your own, with the schemas that other answers to open questions make.
`

const verifyExamples = `
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

const pullExamples = `
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

function addPull(program: Command): void {
  program
    .command('pull')
    .description('read a live workspace as a fixture')
    .option('--base-url <url>', 'address of the deployment, ending with /v1')
    .option('--api-key <key>', 'a key that may read; also from WORKSPACE_API_KEY')
    .option('--out <file>', 'where to write the fixture; by default to stdout')
    .option('--anonymize', 'replace ids and every free text by invented ones, the same by the same')
    .option('--files', 'download the files of tasks, which otherwise hold zero bytes of their size')
    .option('--rows <count>', 'most rows of each table, the first ones; by default all', countOf)
    .option('--answers <file>', 'JSON file with answers to open questions, as verify --learn writes it')
    .option('--insecure', 'accept any certificate, as NODE_TLS_REJECT_UNAUTHORIZED=0 does')
    .addHelpText('after', pullExamples)
    .action(async (flags: PullFlags) => {
      const { pullCommand } = await import('./pull.ts')
      await pullCommand(flags)
    })
}

function addServe(program: Command): void {
  program
    .command('serve')
    .description('serve the API over HTTP, with its control API under /__mock')
    .option('--port <port>', 'port to listen on; 0 takes any free one', portOf, 4010)
    .option('--host <host>', 'address to listen on', '127.0.0.1')
    .option('--fixture <name>', 'what to start with: demo, empty, large or a JSON file', 'demo')
    .addOption(new Option('--plan <plan>', "plan of the fixture's first workspace").choices(Plan.options))
    .addOption(
      new Option(
        '--clock <mode>',
        "system runs from the fixture's moment on, manual advances only through the control API and job polls",
      )
        .choices(['system', 'manual'])
        .default('system'),
    )
    .option('--answers <file>', 'JSON file with answers to open questions')
    .option(
      '--allow-host <name>',
      'host name (or address of a peer) that may use /__mock too; can be repeated',
      appended,
    )
    .option(
      '--control-token <token>',
      'what /__mock asks for in the header X-Mock-Token; also from WORKSPACE_MOCK_TOKEN; made where --host is not loopback',
    )
    .option('--open', 'open the console in a browser')
    .option('--exit-with-parent', 'end with the process that started it; always so under npm and npx')
    .option(
      '--watch',
      'start over when the file of --fixture or --answers changes; port and connections stay',
    )
    .option(
      '--coverage <file>',
      'at the end, write which documented outcomes were met: a page where FILE ends with .html, else JSON',
    )
    .option('--quiet', 'log no requests')
    .option('--json', 'log in JSON, one event a line')
    .addHelpText('after', serveExamples)
    .action(async (flags: ServeFlags) => {
      const { serveCommand } = await import('./serve/serve.ts')
      await serveCommand(flags)
    })
}

function addWait(program: Command): void {
  program
    .command('wait')
    .description('wait until a server answers')
    .option('--url <url>', 'any address of the server', urlOf, new URL('http://127.0.0.1:4010'))
    .option('--timeout <time>', 'how long to wait, such as 30s or 500ms', millisecondsOf, 30_000)
    .addHelpText('after', waitExamples)
    .action(async (flags: WaitFlags) => {
      const { waitCommand } = await import('./wait.ts')
      await waitCommand(flags)
    })
}

function addExplore(program: Command): void {
  program
    .command('explore')
    .description('run a client once for each of its requests and each way in which that can fail')
    .argument('<command...>', 'what to run, after --')
    .option('--fixture <name>', 'what each run starts with: demo, empty, large or a JSON file', 'demo')
    .addOption(new Option('--depth <n>', 'faults in one run').choices(['1', '2']).default('1'))
    .addOption(
      new Option('--faults <which>', 'all adds failures after a write was done, and refusals')
        .choices(['transient', 'all'])
        .default('transient'),
    )
    .option('--jobs <n>', 'commands at once', countOf, 1)
    .option('--max-runs <n>', 'most runs', countOf, 2000)
    .option('--timeout <time>', 'longest time of a run, such as 60s or 2m', millisecondsOf, 60_000)
    .option('--json', 'print the result as JSON')
    .addHelpText('after', exploreExamples)
    .action(async (command: string[], flags: ExploreFlags) => {
      const { exploreCommand } = await import('./explore.ts')
      await exploreCommand(command, flags)
    })
}

function addInit(program: Command): void {
  program
    .command('init')
    .description('write a first fixture and a first test into a project; nothing is overwritten')
    .argument('[folder]', 'where to', '.')
    .action(async (folder: string) => {
      const { initCommand } = await import('./init.ts')
      initCommand(folder)
    })
}

function addQuestions(program: Command): void {
  program
    .command('questions')
    .description("list the contract's open questions, the default answers and the others there are")
    .option('--json', 'as JSON')
    .action(async ({ json = false }: { json?: boolean }) => {
      const { questionsCommand } = await import('./questions.ts')
      questionsCommand(json)
    })
}

function addOpenApi(program: Command): void {
  program
    .command('openapi')
    .description('print the API as an OpenAPI 3.1 document')
    .option('--base-url <url>', 'address of the API, which ends with /v1')
    .option('--answers <file>', 'JSON file with answers to open questions, for which the schemas are made')
    .option('--out <file>', 'file to write to instead of printing')
    .addHelpText('after', openApiExamples)
    .action(async (flags: OpenApiFlags) => {
      const { openApiCommand } = await import('./openapi.ts')
      openApiCommand(flags)
    })
}

function addVerify(program: Command): void {
  program
    .command('verify')
    .description('judge a deployment by the contract, or learn what it does where the contract is silent')
    .option('--base-url <url>', 'address of the deployment, which ends with /v1')
    .option('--api-key <key>', 'key of a workspace; by default what WORKSPACE_API_KEY holds')
    .option('--write', 'write too, in a space and in rows of its own, which are removed')
    .option('--table <table>', 'id or name of the table to write rows to, instead of one that is chosen')
    .option('--answers <file>', 'JSON file with the answers to open questions that are expected')
    .option('--learn <file>', 'do not judge; write the observed answers to open questions to this file')
    .addOption(
      new Option('--format <format>', 'how to report')
        .choices(['text', 'json', 'junit', 'github'])
        .default('text'),
    )
    .option('--json', 'the same as --format json')
    .option('--only <names>', 'rules, operations or operation/rule to judge, separated by commas', listed)
    .option('--skip <names>', 'the same, to leave out', listed)
    .option('--contract-only', 'leave out what is assumed where the contract is silent')
    .option('--baseline <file>', 'JSON report of an earlier run: only drift that is not in it counts')
    .option('--har <file>', 'write the exchanges of the drifts to this file, as HAR')
    .option('--max-inconclusive <share>', 'share of rules from 0 to 1 that may be inconclusive', shareOf)
    .option('--insecure', 'accept any certificate, as NODE_TLS_REJECT_UNAUTHORIZED=0 does')
    .addHelpText('after', verifyExamples)
    .action(async (flags: VerifyFlags) => {
      const { verifyCommand } = await import('./verify/verify.ts')
      await verifyCommand(flags)
    })
}

const program = new Command('workspace-api-mock')
  .description('In-memory mock of the workspace work-management API.')
  .version(packageVersion())
  .addHelpText('after', programExamples)
  .showHelpAfterError('(--help shows what there is)')
  .exitOverride()
addServe(program)
addWait(program)
addExplore(program)
addInit(program)
addQuestions(program)
addOpenApi(program)
addVerify(program)
addPull(program)

/** Says what went wrong, unless it has been said. */
function exitCodeOf(error: unknown): number {
  const isSaid = error instanceof CommanderError && !(error instanceof InvalidArgumentError)
  if (!isSaid) process.stderr.write(`error: ${error instanceof Error ? error.message : String(error)}\n`)
  // Help and version come this way too.
  return error instanceof CommanderError ? (error.exitCode === 0 ? 0 : 2) : 1
}

// Whoever reads the output may go away first, as in `serve | head`; that is no failure.
process.stdout.on('error', () => undefined)

try {
  await program.parseAsync()
} catch (error) {
  process.exitCode = exitCodeOf(error)
}
