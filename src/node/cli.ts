#!/usr/bin/env node
// Owns the command line: the commands, their options and their help.
import { Command, InvalidArgumentError, Option } from 'commander'
import { Plan } from '../contract/identity.ts'
import type { OpenApiFlags } from './cli-openapi.ts'
import type { ServeFlags } from './cli-serve.ts'
import { packageVersion } from './package-version.ts'

function portOf(text: string): number {
  const port = Number(text)
  if (!/^\d+$/.test(text) || port > 65_535)
    throw new InvalidArgumentError('It must be an integer from 0 to 65535.')
  return port
}

const appended = (name: string, names: readonly string[] = []) => [...names, name]

const serveExamples = `
Examples:
  $ workspace-api-mock serve
      The demo company on http://127.0.0.1:4010/v1, its clock running.
  $ workspace-api-mock serve --port 0 --clock manual --quiet
      Any free port; time stands still until POST /__mock/clock/advance moves it.
  $ workspace-api-mock serve --fixture ./company.json --plan free
      Your own data (GET /__mock/state shows the shape), its first workspace on plan free.
  $ workspace-api-mock serve --answers ./answers.json
      Other answers to open questions, such as {"rowShape": "flat"}; see "workspace-api-mock questions".
  $ workspace-api-mock serve --host 0.0.0.0 --allow-host mock
      In a container: others reach /v1 by any name, /__mock by the host name "mock".
`

const programExamples = `
Examples:
  $ workspace-api-mock serve                  serve the demo company
  $ workspace-api-mock serve --help           what can be served, and how
  $ workspace-api-mock questions              what the contract leaves open, and what is assumed
  $ workspace-api-mock questions --json       the same as data
  $ workspace-api-mock openapi                the API as an OpenAPI 3.1 document
`

const openApiExamples = `
Examples:
  $ workspace-api-mock openapi --out openapi.json
  $ workspace-api-mock openapi --base-url http://127.0.0.1:4010/v1 --answers ./answers.json
      For a server of your own, with the schemas that other answers to open questions make.
`

function addServe(program: Command): void {
  program
    .command('serve')
    .description('serve the API over HTTP, with its control API beside it under /__mock')
    .option('--port <port>', 'port to listen on; 0 takes any free one', portOf, 4010)
    .option('--host <host>', 'address to listen on', '127.0.0.1')
    .option('--fixture <name>', 'what to start with: demo, empty, large or a JSON file', 'demo')
    .addOption(new Option('--plan <plan>', "plan of the fixture's first workspace").choices(Plan.options))
    .addOption(
      new Option('--clock <mode>', "system runs from the fixture's moment on, manual moves only when told")
        .choices(['system', 'manual'])
        .default('system'),
    )
    .option('--answers <file>', 'JSON file with answers to open questions')
    .option(
      '--allow-host <name>',
      'host name (or address of a peer) that may use /__mock too; can be repeated',
      appended,
    )
    .option('--quiet', 'log no requests')
    .addHelpText('after', serveExamples)
    .action(async (flags: ServeFlags) => {
      const { serveCommand } = await import('./cli-serve.ts')
      await serveCommand(flags)
    })
}

function addQuestions(program: Command): void {
  program
    .command('questions')
    .description("list the contract's open questions, the default answers and the others there are")
    .option('--json', 'as JSON')
    .action(async ({ json = false }: { json?: boolean }) => {
      const { questionsCommand } = await import('./cli-questions.ts')
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
      const { openApiCommand } = await import('./cli-openapi.ts')
      openApiCommand(flags)
    })
}

const program = new Command('workspace-api-mock')
  .description('In-memory mock of the workspace work-management API.')
  .version(packageVersion())
  .addHelpText('after', programExamples)
  .showHelpAfterError('(--help shows what there is)')
addServe(program)
addQuestions(program)
addOpenApi(program)

// Whoever reads the output may go away first, as in `serve | head`; that is no failure.
process.stdout.on('error', () => undefined)

try {
  await program.parseAsync()
} catch (error) {
  process.stderr.write(`error: ${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
