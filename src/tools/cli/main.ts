// The command line: commands, options and help.
import nodeModule from 'node:module'
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander'
import manifest from '../../../package.json' with { type: 'json' }
import { Plan } from '../../contract/identity.ts'
import { families } from '../explore/families.ts'
import { messageOf } from '../../contract/text/format.ts'
import type { ExploreFlags } from './explore.ts'
import type { OpenApiFlags } from './openapi.ts'
import type { ServeFlags } from './serve/serve.ts'
import type { PullFlags } from './pull.ts'
import type { VerifyFlags } from './verify/verify.ts'
import {
  parseCount,
  parseEncoding,
  parseFamilies,
  parseHostNames,
  parseNames,
  parseMilliseconds,
  parsePath,
  parsePercent,
  parsePort,
  parseRowsFile,
  parseShare,
  parseUrl,
  parseStart,
} from './arguments.ts'
import { addDeploymentOptions } from './deployment.ts'
import { help } from './help.ts'
import { exitCodes } from './progress.ts'
import { print, printError } from './terminal.ts'
import type { McpFlags } from './mcp.ts'
import type { StopFlags } from './stop.ts'
import type { WaitFlags } from './wait.ts'

// Node 22 and later can cache compiled code for the next start; the types are Node 20's.
if ('enableCompileCache' in nodeModule) (nodeModule.enableCompileCache as () => void)()

/** An option whose default is its first value. */
const makeChoice = (flags: string, description: string, values: readonly string[]) =>
  new Option(flags, description).choices(values).default(values[0])
const makeTime = (flags: string, description: string, byDefault: string) =>
  new Option(flags, description).argParser(parseMilliseconds).default(parseMilliseconds(byDefault), byDefault)

const program = new Command('workspace-api-mock')
  .description('In-memory mock of the workspace work-management API.')
  .version(manifest.version)
  .addHelpText('after', help.program)
  .showHelpAfterError('(run with --help for usage)')
  .exitOverride()
  .configureOutput({ writeOut: print, writeErr: printError })

program
  .command('serve')
  .description('serve the API over HTTP, with its control API under /__mock')
  .option('--port <port>', 'port to listen on; 0 for any free port', parsePort, 4010)
  .option('--host <host>', 'address to listen on', '127.0.0.1')
  .option('--fixture <name>', 'initial state: demo, empty, large or a JSON file', 'demo')
  .option(
    '--start-at <time>',
    'start time of the fixture, now or in Unix seconds; all its other times shift with it',
    parseStart,
  )
  .addOption(new Option('--plan <plan>', "plan of the fixture's first workspace").choices(Plan.options))
  .addOption(
    makeChoice('--clock <mode>', 'manual stands still until the control API or a poll of a job advances it', [
      'system',
      'manual',
    ]),
  )
  .option('--rows <table=file>', 'CSV file with rows to add to a table; can be repeated', parseRowsFile)
  .option(
    '--encoding <name>',
    'encoding of the --rows files, such as windows-1252; by default UTF-8',
    parseEncoding,
  )
  .option('--snapshots <folder>', 'folder that keeps named snapshots across restarts', parsePath)
  .option('--answers <file>', 'JSON file with answers to open questions', parsePath)
  .option('--journal-size <n>', 'number of requests that each journal keeps', parseCount, 1000)
  .option(
    '--allow-host <name>',
    'host name, or address of a client, that can also use /__mock; can be repeated',
    parseHostNames,
  )
  .option(
    '--control-token <token>',
    'token that /__mock requires in X-Mock-Token; by default WORKSPACE_MOCK_TOKEN, or generated unless --host is loopback',
  )
  .option('--open', 'open the console in a browser')
  .option('--exit-with-parent', 'end when the parent process ends; always on under npm and npx')
  .option('--watch', 'restart the mock when the file of --fixture, --rows or --answers changes')
  .option('--coverage <file>', 'on exit, write which outcomes were hit, as .html or JSON', parsePath)
  .option(
    '--coverage-min <percent>',
    'exit with 1 unless this percentage of the documented outcomes was hit',
    parsePercent,
  )
  .option('--quiet', 'do not log requests')
  .option('--json', 'log as JSON, one event per line')
  .addHelpText('after', help.serve)
  .action(async (flags: ServeFlags) => (await import('./serve/serve.ts')).serveCommand(flags))

program
  .command('wait')
  .description('wait until a server responds')
  .option('--url <url>', 'any address of the server', parseUrl, new URL('http://127.0.0.1:4010'))
  .addOption(makeTime('--timeout <time>', 'how long to wait, such as 30s or 500ms', '30s'))
  .addHelpText('after', help.wait)
  .action(async (flags: WaitFlags) => (await import('./wait.ts')).waitCommand(flags))

program
  .command('stop')
  .description('stop a server, and wait until it has written its files and is gone')
  .option('--url <url>', 'any address of the server', parseUrl, new URL('http://127.0.0.1:4010'))
  .option('--control-token <token>', 'its token, if it needs one; by default WORKSPACE_MOCK_TOKEN')
  .addOption(makeTime('--timeout <time>', 'how long to wait, such as 30s or 500ms', '30s'))
  .addHelpText('after', help.stop)
  .action(async (flags: StopFlags) => (await import('./stop.ts')).stopCommand(flags))

program
  .command('mcp')
  .description("offer a mock's controls to an agent as tools, over stdin and stdout")
  .option('--url <url>', 'any address of a server; by default one is started', parseUrl)
  .option(
    '--fixture <name>',
    'initial state for a server that is started: demo, empty, large or a JSON file',
    'demo',
  )
  .option('--control-token <token>', 'token of the server, if it needs one; by default WORKSPACE_MOCK_TOKEN')
  .addHelpText('after', help.mcp)
  .action(async (flags: McpFlags) => (await import('./mcp.ts')).mcpCommand(flags))

program
  .command('explore')
  .description('run a client once per request and failure')
  .argument('<command...>', 'command to run, after --')
  .option('--fixture <name>', 'initial state for each run: demo, empty, large or a JSON file', 'demo')
  .addOption(
    new Option('--families <names>', `what happens to the client: all, or some of ${families.join(', ')}`)
      .argParser(parseFamilies)
      .default(['errors', 'outcomes', 'crash'], 'errors,outcomes,crash'),
  )
  .option('--copy <folder>', 'folder to copy afresh for each run', parsePath)
  .option('--restartable', 'report clients that end differently when stopped and run again')
  .addOption(
    makeChoice(
      '--faults <which>',
      'errors to try; all adds 401, 402, 403, 404 and 413, and 500 and 503 after a completed write',
      ['transient', 'all'],
    ),
  )
  .option('--jobs <n>', 'number of commands that run at the same time', parseCount, 1)
  .option('--max-runs <n>', 'maximum number of runs', parseCount, 2000)
  .addOption(makeTime('--timeout <time>', 'maximum duration of a run, such as 60s or 2m', '60s'))
  .option('--json', 'print the result as JSON')
  .addHelpText('after', help.explore)
  .action(async (command: string[], flags: ExploreFlags) =>
    (await import('./explore.ts')).exploreCommand(command, flags),
  )

program
  .command('init')
  .description('write a first fixture and a first test for a project; existing files are not overwritten')
  .argument('[folder]', 'folder to write to', parsePath, '.')
  .action(async (folder: string) => (await import('./init.ts')).initCommand(folder))

program
  .command('questions')
  .description("list the contract's open questions with their default and other answers")
  .option('--json', 'print them as JSON')
  .action(async ({ json = false }: { json?: boolean }) =>
    (await import('./questions.ts')).printQuestions(json),
  )

program
  .command('openapi')
  .description('print the API as an OpenAPI document')
  .option('--base-url <url>', 'address of the API, which ends with /v1')
  .option('--answers <file>', 'JSON file with answers to open questions; the schemas follow them', parsePath)
  .addOption(makeChoice('--openapi <version>', 'version of OpenAPI', ['3.1', '3.0']))
  .option('--out <file>', 'file to write to; by default stdout', parsePath)
  .addHelpText('after', help.openApi)
  .action(async (flags: OpenApiFlags) => (await import('./openapi.ts')).openApiCommand(flags))

addDeploymentOptions(program.command('verify'))
  .description(
    'verify a live deployment against the contract, and learn what it does where the contract is silent',
  )
  .option('--write', 'also test writes, in a new space and with new rows that are removed afterwards')
  .option('--table <table>', 'id or name of the table to write rows to; by default one is chosen')
  .option('--answers <file>', 'JSON file with the expected answers to open questions', parsePath)
  .option(
    '--learn [file]',
    'first learn the answers to open questions, and write them to the file',
    parsePath,
  )
  .addOption(makeChoice('--format <format>', 'format of the report', ['text', 'json', 'junit', 'github']))
  .option('--json', 'the same as --format json')
  .option(
    '--only <names>',
    'rules, operations or operation/rule pairs to judge, separated by commas',
    parseNames,
  )
  .option(
    '--skip <names>',
    'rules, operations or operation/rule pairs to leave out, separated by commas',
    parseNames,
  )
  .option('--contract-only', 'skip assumptions about what the contract does not state')
  .option(
    '--baseline <file>',
    'JSON report of an earlier run; only drift that is not in it counts',
    parsePath,
  )
  .option('--har <file>', 'write the exchanges that show drift to this file, as HAR', parsePath)
  .option(
    '--max-inconclusive <share>',
    'maximum share of inconclusive rules, from 0 to 1 or in percent; default 25%',
    parseShare,
  )
  .addHelpText('after', help.verify)
  .action(async (flags: VerifyFlags) => (await import('./verify/verify.ts')).verifyCommand(flags))

addDeploymentOptions(program.command('pull'))
  .description('write the content of a live workspace to a fixture')
  .option('--out <file>', 'file for the fixture; by default stdout', parsePath)
  .option('--anonymize', 'replace ids and free text with invented ones, consistently')
  .option('--files', 'download task files, which are otherwise filled with zero bytes')
  .option('--follow-redirects', 'follow downloads that redirect to another origin')
  .option('--har <file>', 'read a recording of requests (HAR) instead of a deployment', parsePath)
  .option('--rows <count>', 'maximum number of rows per table; by default all', parseCount)
  .option(
    '--answers <file>',
    'JSON file with answers to open questions, as verify --learn writes it',
    parsePath,
  )
  .addHelpText('after', help.pull)
  .action(async (flags: PullFlags) => (await import('./pull.ts')).pullCommand(flags))

/** Commands whose exit code 1 means findings; their failures end with 2. */
const judging: readonly (string | undefined)[] = ['explore', 'verify', 'pull']

function exitCodeOf(error: unknown): number {
  const isPrinted = error instanceof CommanderError && !(error instanceof InvalidArgumentError)
  if (!isPrinted) printError(`error: ${messageOf(error)}\n`)
  // Help and version also throw, with exit code 0.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
  return judging.includes(program.args[0]) ? exitCodes.failed : 1
}

// A reader that exits first, as in `serve | head`, is not a failure; a full disk is.
process.stderr.on('error', () => undefined)
let isOutputLost = false
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE' || isOutputLost) return
  isOutputLost = true
  process.exitCode = exitCodeOf(new Error(`the output cannot be written: ${error.message}`, { cause: error }))
})

export async function runProgram(): Promise<void> {
  try {
    await program.parseAsync()
  } catch (error) {
    process.exitCode = exitCodeOf(error)
  }
}
