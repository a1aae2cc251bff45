// Command `serve`: serves a mock until the process is ended, and restarts it when its files change.
import { InvalidArgumentError } from 'commander'
import type { WorkspaceMock } from '../../../mock.ts'
import type { MockOptions } from '../../../mock-options.ts'
import { urlHostOf } from '../../../adapters/server/addresses.ts'
import { readAnswersFile } from '../files.ts'
import { isFixtureName, createMockWith } from '../fixture.ts'
import { onParentEnd } from './parent.ts'
import { jsonOutput, textOutput, type ServeOutput } from './output.ts'
import type { LoggedRequest } from '../../../adapters/server/respond.ts'
import { findConsoleLink, isControlRead } from './request-log.ts'
import { serve, type RunningServer } from '../../../adapters/server/serve.ts'
import { versionsOf, watchFiles } from './watch-files.ts'
import { messageOf } from '../../../contract/text/format.ts'

export interface ServeFlags
  extends Pick<MockOptions, 'startAt' | 'plan'>, Required<Pick<MockOptions, 'clock' | 'journalSize'>> {
  readonly port: number
  readonly host: string
  readonly fixture: string
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

function mockOf({
  fixture,
  answers,
  host,
  port,
  clock,
  journalSize,
  plan,
  startAt,
}: ServeFlags): WorkspaceMock {
  // In documents such as the HAR; unknown for port 0.
  const baseUrl = port === 0 ? null : URL.parse(`http://${urlHostOf(host)}:${String(port)}/v1`)
  return createMockWith(fixture, {
    clock,
    journalSize,
    answers: readAnswersFile(answers),
    ...(baseUrl && { baseUrl: baseUrl.href }),
    ...(plan && { plan }),
    ...(startAt !== undefined && { startAt }),
  })
}

function filesOf({ watch, fixture, answers }: ServeFlags): string[] {
  if (!watch) return []
  const files = [...(isFixtureName(fixture) ? [] : [fixture]), ...(answers === undefined ? [] : [answers])]
  if (files.length === 0)
    throw new InvalidArgumentError(
      `--watch needs a file to watch: --fixture FILE or --answers FILE; received --fixture ${fixture}`,
    )
  return files
}

const describeNetworkRisk = (host: string) =>
  `warning: with --host ${host}, everyone in the network can use /v1; ` +
  'only this machine and the hosts of --allow-host can use /__mock, with the token of the console link in X-Mock-Token.\n'

/** Serves until SIGINT or SIGTERM, or until its parent ends where that counts. */
export async function serveCommand(flags: ServeFlags): Promise<void> {
  const { port, host, allowHost: allowHosts = [], quiet = false, json = false } = flags
  const files = filesOf(flags)
  const output = json ? jsonOutput : textOutput
  const known = versionsOf(files)
  let mock = mockOf(flags)
  const coverage =
    flags.coverage === undefined
      ? undefined
      : (await import('../coverage-file.ts')).collectCoverage(flags.coverage)
  const log = (request: LoggedRequest) => {
    if (!isControlRead(request))
      output.request(request, () => findConsoleLink(mock, server.consoleUrl, request))
  }
  // Arguments are visible in the list of processes, the environment is not.
  const { WORKSPACE_MOCK_TOKEN: token = '' } = process.env
  const controlToken = flags.controlToken ?? (token === '' ? undefined : token)
  const server = await serve(mock, { port, host, allowHosts, controlToken, log: quiet ? undefined : log })
  const startOver = () => {
    const former = mock
    try {
      mock = mockOf(flags)
    } catch (error) {
      process.stderr.write(`error: ${messageOf(error)}\nThe former mock stays in use.\n`)
      output.notReloaded(messageOf(error))
      return
    }
    server.replaceMock(mock)
    coverage?.add(former.coverage())
    output.reloaded(mock)
  }
  const stopWatching = files.length === 0 ? undefined : watchFiles(files, known, startOver)
  const end = endingOf(server, output, () => {
    stopWatching?.()
    coverage?.add(mock.coverage())
    const summary = coverage?.write()
    if (summary !== undefined && !json) process.stdout.write(`\n${summary}`)
  })
  process.on('SIGINT', end).on('SIGTERM', end)
  onParentEnd(flags.exitWithParent === true, end)
  if (!server.isLoopback) process.stderr.write(describeNetworkRisk(host))
  if (flags.open) (await import('./open.ts')).openInBrowser(server.consoleUrl)
  await output.listening(mock, server)
}

/** Ends the process, once: Ctrl-C under npm sends two signals. */
function endingOf(server: RunningServer, output: ServeOutput, onClosed: () => void): () => void {
  let isEnding = false
  return () => {
    if (isEnding) return
    isEnding = true
    void server.close().then(() => {
      try {
        onClosed()
      } catch (error) {
        process.exitCode = 1
        process.stderr.write(`error: ${messageOf(error)}\n`)
      }
      output.closed()
      // Once all output has been written.
      process.stdout.write('', () => process.exit())
    })
  }
}
