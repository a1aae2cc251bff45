#!/usr/bin/env node
// The command line: commands, options and help.
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander'
import { Plan } from '../contract/identity.ts'
import type { ExploreFlags } from './explore.ts'
import type { OpenApiFlags } from './openapi.ts'
import type { ServeFlags } from './serve/serve.ts'
import type { PullFlags } from './pull.ts'
import type { VerifyFlags } from './verify/verify.ts'
import { appended, countOf, listed, millisecondsOf, portOf, shareOf, urlOf } from './arguments.ts'
import {
  exploreExamples,
  openApiExamples,
  programExamples,
  pullExamples,
  serveExamples,
  verifyExamples,
  waitExamples,
} from './help.ts'
import { packageVersion } from './package-version.ts'
import type { WaitFlags } from './wait.ts'

const program = new Command('workspace-api-mock')
  .description('In-memory mock of the workspace work-management API.')
  .version(packageVersion())
  .addHelpText('after', programExamples)
  .showHelpAfterError('(run with --help for usage)')
  .exitOverride()

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
  .option('--watch', 'start over when the file of --fixture or --answers changes; port and connections stay')
  .option(
    '--coverage <file>',
    'at the end, write which documented outcomes were met: a page where FILE ends with .html, else JSON',
  )
  .option('--quiet', 'log no requests')
  .option('--json', 'log in JSON, one event a line')
  .addHelpText('after', serveExamples)
  .action(async (flags: ServeFlags) => (await import('./serve/serve.ts')).serveCommand(flags))

program
  .command('wait')
  .description('wait until a server answers')
  .option('--url <url>', 'any address of the server', urlOf, new URL('http://127.0.0.1:4010'))
  .option('--timeout <time>', 'how long to wait, such as 30s or 500ms', millisecondsOf, 30_000)
  .addHelpText('after', waitExamples)
  .action(async (flags: WaitFlags) => (await import('./wait.ts')).waitCommand(flags))

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
  .action(async (command: string[], flags: ExploreFlags) =>
    (await import('./explore.ts')).exploreCommand(command, flags),
  )

program
  .command('init')
  .description('write a first fixture and a first test into a project; nothing is overwritten')
  .argument('[folder]', 'where to', '.')
  .action(async (folder: string) => (await import('./init.ts')).initCommand(folder))

program
  .command('questions')
  .description("list the contract's open questions, the default answers and the others there are")
  .option('--json', 'as JSON')
  .action(async ({ json = false }: { json?: boolean }) =>
    (await import('./questions.ts')).questionsCommand(json),
  )

program
  .command('openapi')
  .description('print the API as an OpenAPI 3.1 document')
  .option('--base-url <url>', 'address of the API, which ends with /v1')
  .option('--answers <file>', 'JSON file with answers to open questions, for which the schemas are made')
  .option('--out <file>', 'file to write to instead of printing')
  .addHelpText('after', openApiExamples)
  .action(async (flags: OpenApiFlags) => (await import('./openapi.ts')).openApiCommand(flags))

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
  .action(async (flags: VerifyFlags) => (await import('./verify/verify.ts')).verifyCommand(flags))

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
  .action(async (flags: PullFlags) => (await import('./pull.ts')).pullCommand(flags))

/** Commands whose exit code 1 says what they found; where they fail, it is 2. */
const judging: readonly (string | undefined)[] = ['explore', 'verify', 'pull']

/** Prints what went wrong, unless commander has done so. */
function exitCodeOf(error: unknown): number {
  const isPrinted = error instanceof CommanderError && !(error instanceof InvalidArgumentError)
  if (!isPrinted) process.stderr.write(`error: ${error instanceof Error ? error.message : String(error)}\n`)
  // Help and version come this way too.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
  return judging.includes(program.args[0]) ? 2 : 1
}

// Whoever reads the output may go away first, as in `serve | head`; that is no failure.
process.stdout.on('error', () => undefined)

try {
  await program.parseAsync()
} catch (error) {
  process.exitCode = exitCodeOf(error)
}
