// The command that serves a mock until it is ended, and starts it over when its files change.
import { InvalidArgumentError } from 'commander'
import type { Plan } from '../../contract/identity.ts'
import { FixtureError } from '../../fixture/fixture.ts'
import { createWorkspaceMock, type WorkspaceMock } from '../../mock.ts'
import { urlHost } from '../../server/addresses.ts'
import { fixtureOf, isFixtureName, messageOf, readAnswersFile } from '../input-files.ts'
import { onParentEnd } from './parent.ts'
import { jsonOutput } from './json.ts'
import { textOutput } from './text.ts'
import type { LoggedRequest } from '../../server/listener.ts'
import { consoleLink, isLook } from '../../server/request-log.ts'
import { serve, type RunningServer } from '../../server/serve.ts'
import { versionsOf, watchFiles } from './watch-files.ts'

export interface ServeFlags {
  readonly port: number
  readonly host: string
  readonly fixture: string
  readonly plan?: Plan
  readonly clock: 'system' | 'manual'
  readonly answers?: string
  readonly allowHost?: readonly string[]
  readonly controlToken?: string
  readonly watch?: true
  readonly open?: true
  readonly exitWithParent?: true
  readonly quiet?: true
  readonly json?: true
  readonly coverage?: string
}

/** Where addresses begin that are made outside requests, as in the HAR; not known yet of any free port. */
function baseUrlOf({ host, port }: ServeFlags): { baseUrl?: string } {
  const url = `http://${urlHost(host)}:${String(port)}/v1`
  return port !== 0 && URL.canParse(url) ? { baseUrl: new URL(url).href } : {}
}

/** @throws {Error} that says which flag or file is wrong */
function mockOf(flags: ServeFlags): WorkspaceMock {
  const { fixture, plan, clock } = flags
  const options = {
    clock,
    ...baseUrlOf(flags),
    ...(plan && { plan }),
    answers: readAnswersFile(flags.answers),
  }
  try {
    return createWorkspaceMock({ fixture: fixtureOf(fixture), ...options })
  } catch (error) {
    if (!(error instanceof FixtureError)) throw error
    throw new Error(`${fixture}: ${error.message}`, { cause: error })
  }
}

/**
 * The files to watch.
 * @throws {InvalidArgumentError} without files although some are to be watched
 */
function filesOf({ watch, fixture, answers }: ServeFlags): string[] {
  if (!watch) return []
  const files = [...(isFixtureName(fixture) ? [] : [fixture]), ...(answers === undefined ? [] : [answers])]
  if (files.length === 0)
    throw new InvalidArgumentError(
      `--watch needs a file to watch: --fixture FILE or --answers FILE; received --fixture ${fixture}`,
    )
  return files
}

const networkWarning = (host: string) =>
  `warning: --host ${host} lets everyone in the network reach /v1 and all that is in it; ` +
  '/__mock answers this machine alone and those whom --allow-host names, with the token of the console link in X-Mock-Token.\n'

/**
 * Serves until SIGINT or SIGTERM, or until the parent process ends where that is asked for or is npm or npx.
 * @throws {InvalidArgumentError} for flags that do not go together
 * @throws {Error} that says which flag or file is wrong, or why the port cannot be listened on
 */
export async function serveCommand(flags: ServeFlags): Promise<void> {
  const { port, host, allowHost: allowHosts = [], quiet = false, json = false } = flags
  const files = filesOf(flags)
  const output = json ? jsonOutput : textOutput
  const known = versionsOf(files)
  let mock = mockOf(flags)
  const coverage =
    flags.coverage === undefined
      ? undefined
      : new (await import('../coverage-file.ts')).CoverageFile(flags.coverage)
  const log = (request: LoggedRequest) => {
    if (!isLook(request)) output.request(request, () => consoleLink(mock, server.consoleUrl, request))
  }
  // Arguments show in the list of processes, the environment does not.
  const { WORKSPACE_MOCK_TOKEN: token = '' } = process.env
  const controlToken = flags.controlToken ?? (token === '' ? undefined : token)
  const server = await serve(mock, {
    port,
    host,
    allowHosts,
    controlToken,
    log: quiet ? undefined : log,
  })
  const startOver = () => {
    const former = mock
    try {
      mock = mockOf(flags)
    } catch (error) {
      process.stderr.write(`error: ${messageOf(error)}\nThe mock goes on as it was.\n`)
      output.notReloaded(messageOf(error))
      return
    }
    server.replaceMock(mock)
    coverage?.add(former.coverage())
    output.reloaded(mock)
  }
  const stopWatching = files.length === 0 ? undefined : watchFiles(files, known, startOver)
  const end = endingOf(server, () => {
    stopWatching?.()
    coverage?.add(mock.coverage())
    const summary = coverage?.write()
    if (summary !== undefined && !json) process.stdout.write(`\n${summary}`)
    output.closed()
  })
  process.once('SIGINT', end)
  process.once('SIGTERM', end)
  onParentEnd(flags.exitWithParent === true, end)
  if (!server.isLoopback) process.stderr.write(networkWarning(host))
  if (flags.open) (await import('./open.ts')).openInBrowser(server.consoleUrl)
  await output.listening(mock, server)
}

const endingOf = (server: RunningServer, onClosed: () => void) => () =>
  void server.close().then(() => {
    onClosed()
    // Once all output has been written.
    process.stdout.write('', () => process.exit(0))
  })
