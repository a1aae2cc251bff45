// Command `serve`: serves a mock until the process ends, and restarts it when its files change.
import { basename } from 'node:path'
import { InvalidArgumentError } from 'commander'
import { createWorkspaceMock, type WorkspaceMock } from '../../../mock.ts'
import type { MockOptions } from '../../../mock-options.ts'
import { urlHostOf } from '../../../adapters/server/addresses.ts'
import { readAnswersFile, readBytes } from '../files.ts'
import { isFixtureName, createMockWith } from '../fixture.ts'
import { onParentEnd } from './parent.ts'
import { jsonOutput, textOutput } from './output.ts'
import type { LoggedRequest } from '../../../adapters/server/respond.ts'
import type { RowsFile } from '../arguments.ts'
import { SnapshotFolder } from './snapshots.ts'
import { findConsoleLink, isControlRead } from './request-log.ts'
import { serve } from '../../../node.ts'
import { print, printError, toShortLine } from '../terminal.ts'
import { versionsOf, watchFiles } from './watch-files.ts'
import { messageOf } from '../../../contract/text/format.ts'
import {
  describeNearestName,
  describeNearestRecord,
  listNearestFirst,
} from '../../../contract/text/nearest.ts'
import { listItems, quote } from '../../../contract/text/quote.ts'
import { decodeFile } from '../../../adapters/control-api/decode.ts'

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
  readonly coverageMin?: number
  readonly rows?: readonly RowsFile[]
  readonly encoding?: string
  readonly snapshots?: string
}

type AddCsvRows = typeof import('../../../adapters/control-api/csv/add-rows.ts').addCsvRows

function addRows(mock: WorkspaceMock, { rows = [], encoding }: ServeFlags, addCsvRows: AddCsvRows): void {
  for (const { table: wanted, file } of rows) {
    const tables = mock.db.tables.findMany()
    const table = tables.find(({ id, name }) => id === wanted || name === wanted)
    if (!table)
      throw new Error(
        `--rows must name a table, one of ${listNearestFirst(wanted, tables)}; received ${quote(wanted)}${describeNearestRecord(wanted, tables)}`,
      )
    const name = basename(file)
    const advice = 'save it as "CSV UTF-8", or name its encoding, as in --encoding windows-1252'
    const text = decodeFile(name, readBytes(file, '--rows'), encoding, advice)
    const { ignored } = addCsvRows(mock, table, name, text)
    if (ignored.length === 0) continue
    const names = table.columns.map((column) => column.name)
    printError(
      `warning: ${toShortLine(`${name} has columns that are ignored: ${listItems(ignored, quote)}${describeNearestName(ignored[0], names)}`, 2000)}\n`,
    )
  }
}

/** @param addCsvRows required if `flags` has CSV files; otherwise undefined */
function mockOf(flags: ServeFlags, addCsvRows: AddCsvRows | undefined): WorkspaceMock {
  const { fixture, answers, host, port, clock, journalSize, plan, startAt } = flags
  // Documents such as the HAR contain the address, which is unknown for port 0.
  const baseUrl = port === 0 ? null : URL.parse(`http://${urlHostOf(host)}:${String(port)}/v1`)
  const options = {
    clock,
    journalSize,
    answers: readAnswersFile(answers),
    ...(baseUrl && { baseUrl: baseUrl.href }),
  }
  const start = { ...(plan && { plan }), ...(startAt !== undefined && { startAt }) }
  if (!addCsvRows) return createMockWith(fixture, { ...options, ...start })
  const mock = createMockWith(fixture, { ...options, ...start, clock: 'manual' })
  addRows(mock, flags, addCsvRows)
  return createWorkspaceMock({ ...options, fixture: mock.state() })
}

function filesOf({ watch, fixture, answers, rows = [] }: ServeFlags): string[] {
  if (!watch) return []
  const named = [isFixtureName(fixture) ? undefined : fixture, answers, ...rows.map(({ file }) => file)]
  const files = named.filter((file) => file !== undefined)
  if (files.length === 0)
    throw new InvalidArgumentError(
      `--watch needs a file to watch: --fixture FILE, --rows TABLE=FILE or --answers FILE; received --fixture ${fixture}`,
    )
  return files
}

/**
 * Serves until SIGINT or SIGTERM, a request to stop or, with --exit-with-parent or npm, the end of the parent process.
 */
export async function serveCommand(flags: ServeFlags): Promise<void> {
  const { port, host, allowHost: allowHosts = [], quiet = false, json = false } = flags
  const files = filesOf(flags)
  const output = json ? jsonOutput : textOutput
  const known = versionsOf(files)
  const snapshots = flags.snapshots === undefined ? undefined : new SnapshotFolder(flags.snapshots)
  const csv = flags.rows && (await import('../../../adapters/control-api/csv/add-rows.ts'))
  const createMock = () => {
    const created = mockOf(flags, csv?.addCsvRows)
    snapshots?.load(created)
    return snapshots?.attach(created) ?? created
  }
  let mock = createMock()
  const coverage =
    flags.coverage === undefined && flags.coverageMin === undefined
      ? undefined
      : (await import('../coverage-file.ts')).collectCoverage(flags)
  const log = (request: LoggedRequest) => {
    if (!isControlRead(request))
      output.request(request, () => findConsoleLink(mock, server.consoleUrl, request))
  }
  // Other users can see a process's arguments, but not its environment.
  const { WORKSPACE_MOCK_TOKEN: token = '' } = process.env
  const controlToken = flags.controlToken ?? (token === '' ? undefined : token)
  let isFinished = false
  /** Writes the coverage and ends the watch. Only the first call has an effect. */
  const finish = () => {
    if (isFinished) return
    isFinished = true
    stopWatching?.()
    coverage?.add(mock.coverage())
    try {
      const written = coverage?.write()
      if (written && !json) print(`\n${written.summary}`)
      if (written && written.shortfalls.length > 0) throw new Error(written.shortfalls.join('; '))
    } catch (error) {
      process.exitCode = 1
      printError(`error: ${messageOf(error)}\n`)
      throw error
    }
  }
  const server = await serve(mock, {
    ...{ port, host, allowHosts, controlToken },
    log: quiet ? undefined : log,
    onStop: finish,
  })
  const startOver = () => {
    const former = mock
    try {
      mock = createMock()
    } catch (error) {
      printError(`error: ${messageOf(error)}\nThe former mock stays in use.\n`)
      output.notReloaded(messageOf(error))
      return
    }
    server.replaceMock(mock)
    coverage?.add(former.coverage())
    output.reloaded(mock)
  }
  const stopWatching = files.length === 0 ? undefined : watchFiles(files, known, startOver)
  // Ctrl-C under npm sends two signals.
  const end = () => void server.close()
  process.on('SIGINT', end).on('SIGTERM', end)
  void server.closed
    .then(finish)
    .catch(() => undefined)
    .then(() => {
      output.closed()
      // Ends the process after all output has been written.
      process.stdout.write('', () => process.exit())
    })
  onParentEnd(flags.exitWithParent === true, end)
  if (!server.isLoopback)
    printError(
      `warning: with --host ${host}, anyone on the network can use /v1; ` +
        'only this machine and the hosts that --allow-host names can use /__mock, and only if X-Mock-Token has the token from the console link.\n',
    )
  if (flags.open) (await import('./open.ts')).openInBrowser(server.consoleUrl)
  await output.listening(mock, server)
}
