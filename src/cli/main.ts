#!/usr/bin/env node
// The command line: commands, options and help.
import nodeModule from 'node:module'
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander'
import manifest from '../../package.json' with { type: 'json' }
import { Plan } from '../contract/identity.ts'
import { messageOf } from '../contract/values/text.ts'
import type { ExploreFlags } from './explore.ts'
import type { OpenApiFlags } from './openapi.ts'
import type { ServeFlags } from './serve/serve.ts'
import type { PullFlags } from './pull.ts'
import type { VerifyFlags } from './verify/verify.ts'
import { appended, countOf, listOption, millisecondsOf, portOf, shareOf, urlOf } from './arguments.ts'
import { exploreHelp, openApiHelp, programHelp, pullHelp, serveHelp, verifyHelp, waitHelp } from './help.ts'
import type { WaitFlags } from './wait.ts'

// Node 22 and later keep what they compiled for the next start; the types are those of Node 20.
if ('enableCompileCache' in nodeModule) (nodeModule.enableCompileCache as () => void)()

const program = new Command('workspace-api-mock')
  .description('In-memory mock of the workspace work-management API.')
  .version(manifest.version)
  .addHelpText('after', programHelp)
  .showHelpAfterError('(run with --help for usage)')
  .exitOverride()

program
  .command('serve')
  .description('serve the API over HTTP, with its control API under /__mock')
  .option('--port <port>', 'port to listen on; 0 takes any free one', portOf, 4010)
  .option('--host <host>', 'address to listen on', '127.0.0.1')
  .option('--fixture <name>', 'initial state: demo, empty, large or a JSON file', 'demo')
  .addOption(new Option('--plan <plan>', "plan of the fixture's first workspace").choices(Plan.options))
  .addOption(
    new Option(
      '--clock <mode>',
      "system runs from the fixture's time on, manual advances only through the control API and job polls",
    )
      .choices(['system', 'manual'])
      .default('system'),
  )
  .option('--answers <file>', 'JSON file with answers to open questions')
  .option(
    '--allow-host <name>',
    'host name (or address of a peer) that can also use /__mock; can be repeated',
    appended,
  )
  .option(
    '--control-token <token>',
    'value of the header X-Mock-Token that /__mock requires; also from WORKSPACE_MOCK_TOKEN; generated if --host is not loopback',
  )
  .option('--open', 'open the console in a browser')
  .option('--exit-with-parent', 'end with the parent process; always so under npm and npx')
  .option(
    '--watch',
    'restart the mock when the file of --fixture or --answers changes; port and connections stay',
  )
  .option(
    '--coverage <file>',
    'at the end, write which documented outcomes were met: as a page if FILE ends with .html, else as JSON',
  )
  .option('--quiet', 'do not log requests')
  .option('--json', 'log as JSON, one event per line')
  .addHelpText('after', serveHelp)
  .action(async (flags: ServeFlags) => (await import('./serve/serve.ts')).serveCommand(flags))

program
  .command('wait')
  .description('wait until a server responds')
  .option('--url <url>', 'any address of the server', urlOf, new URL('http://127.0.0.1:4010'))
  .option('--timeout <time>', 'how long to wait, such as 30s or 500ms', millisecondsOf, 30_000)
  .addHelpText('after', waitHelp)
  .action(async (flags: WaitFlags) => (await import('./wait.ts')).waitCommand(flags))

program
  .command('explore')
  .description('run a client once for each of its requests and each way in which that can fail')
  .argument('<command...>', 'command to run, after --')
  .option('--fixture <name>', 'initial state of each run: demo, empty, large or a JSON file', 'demo')
  .addOption(new Option('--depth <n>', 'number of faults in one run').choices(['1', '2']).default('1'))
  .addOption(
    new Option('--faults <which>', 'all adds failures after a completed write, and refusals')
      .choices(['transient', 'all'])
      .default('transient'),
  )
  .option('--jobs <n>', 'commands at once', countOf, 1)
  .option('--max-runs <n>', 'most runs', countOf, 2000)
  .option('--timeout <time>', 'longest time of a run, such as 60s or 2m', millisecondsOf, 60_000)
  .option('--json', 'print the result as JSON')
  .addHelpText('after', exploreHelp)
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
  .description("list the contract's open questions with their default and other answers")
  .option('--json', 'as JSON')
  .action(async ({ json = false }: { json?: boolean }) =>
    (await import('./questions.ts')).questionsCommand(json),
  )

program
  .command('openapi')
  .description('print the API as an OpenAPI 3.1 document')
  .option('--base-url <url>', 'address of the API, which ends with /v1')
  .option('--answers <file>', 'JSON file with answers to open questions, which the schemas follow')
  .option('--out <file>', 'file to write to instead of printing')
  .addHelpText('after', openApiHelp)
  .action(async (flags: OpenApiFlags) => (await import('./openapi.ts')).openApiCommand(flags))

program
  .command('verify')
  .description(
    'verify a live deployment against the contract, or learn what it does where the contract is silent',
  )
  .option('--base-url <url>', 'address of the deployment, which ends with /v1')
  .option('--api-key <key>', 'key of a workspace; by default the value of WORKSPACE_API_KEY')
  .option('--write', 'also write: a space and rows of its own, which are removed')
  .option('--table <table>', 'id or name of the table to write rows to; by default it is chosen')
  .option('--answers <file>', 'JSON file with the expected answers to open questions')
  .option('--learn <file>', 'write the observed answers to open questions to this file, without judging')
  .addOption(
    new Option('--format <format>', 'format of the report')
      .choices(['text', 'json', 'junit', 'github'])
      .default('text'),
  )
  .option('--json', 'the same as --format json')
  .option('--only <names>', 'rules, operations or operation/rule to judge, separated by commas', listOption)
  .option('--skip <names>', 'rules, operations or operation/rule to skip', listOption)
  .option('--contract-only', 'skip assumptions about what the contract does not state')
  .option('--baseline <file>', 'JSON report of an earlier run: only drift that is not in it counts')
  .option('--har <file>', 'write the exchanges of each drift to this file, as HAR')
  .option('--max-inconclusive <share>', 'share of rules from 0 to 1 that may be inconclusive', shareOf)
  .option('--insecure', 'accept any certificate, as NODE_TLS_REJECT_UNAUTHORIZED=0 does')
  .addHelpText('after', verifyHelp)
  .action(async (flags: VerifyFlags) => (await import('./verify/verify.ts')).verifyCommand(flags))

program
  .command('pull')
  .description('read a live workspace as a fixture')
  .option('--base-url <url>', 'address of the deployment, ending with /v1')
  .option('--api-key <key>', 'a key that can read; also from WORKSPACE_API_KEY')
  .option('--out <file>', 'file to write the fixture to; by default stdout')
  .option('--anonymize', 'replace ids and free texts by invented ones, consistently')
  .option('--files', 'download the files of tasks; otherwise they consist of zero bytes')
  .option('--rows <count>', 'most rows of each table; by default all', countOf)
  .option('--answers <file>', 'JSON file with answers to open questions, as verify --learn writes it')
  .option('--insecure', 'accept any certificate, as NODE_TLS_REJECT_UNAUTHORIZED=0 does')
  .addHelpText('after', pullHelp)
  .action(async (flags: PullFlags) => (await import('./pull.ts')).pullCommand(flags))

/** Commands whose exit code 1 says what they found; where they fail, it is 2. */
const judging: readonly (string | undefined)[] = ['explore', 'verify', 'pull']

/** Prints what went wrong, unless commander has done so. */
function exitCodeOf(error: unknown): number {
  const isPrinted = error instanceof CommanderError && !(error instanceof InvalidArgumentError)
  if (!isPrinted) process.stderr.write(`error: ${messageOf(error)}\n`)
  // Help and version throw too, with exit code 0.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
  return judging.includes(program.args[0]) ? 2 : 1
}

// The reader of the output can end first, as in `serve | head`, which is not a failure.
process.stdout.on('error', () => undefined)

try {
  await program.parseAsync()
} catch (error) {
  process.exitCode = exitCodeOf(error)
}
