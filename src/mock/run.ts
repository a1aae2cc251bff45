// A saved run: everything a mock holds, including journal and report, as plain JSON. A mock can resume from it.
import { fromBase64, toBase64 } from '../contract/data/base64.ts'
import { getOrInsert } from '../contract/data/maps.ts'
import { utf8Of } from '../contract/text/curl.ts'
import type { Fixture } from '../../fixtures/types.ts'
import { exportFixture } from '../service/fixture/export.ts'
import { noEvents } from '../service/store/events.ts'
import { Store } from '../service/store/store.ts'
import type { Snapshot } from '../service/store/snapshot.ts'
import { readSharedFault, saveSharedFault, type SavedFaults, type SavedSharedFault } from './faults/faults.ts'
import { assertExists } from './control-error.ts'
import { internalsOf } from './internals.ts'
import type { CoverageCounts } from './journal/coverage-counts.ts'
import type { SavedJournal } from './journal/journal.ts'
import { Reception } from './requests/reception.ts'
import type { Exchange } from './journal/exchange.ts'
import type { Principal } from './requests/authenticate.ts'
import type { Finding } from './sandboxes/client-report.ts'
import type { NumberedHappening, Sandbox } from './sandboxes/sandbox.ts'
import { showHeaders } from './sandboxes/signals.ts'
import type { FixtureName, MockOptions } from '../mock-options.ts'
import { createWorkspaceMock, type WorkspaceMock } from '../mock.ts'

/** Bytes as text if they are valid UTF-8, otherwise as base64. */
type SavedBytes = { readonly utf8: string } | { readonly base64: string }
/** A response's text is stored as an index into `texts`, because clients read the same text again and again. */
type SavedBody = { readonly text: number } | SavedBytes | { readonly sizeBytes: number } | null

interface SavedReception extends Pick<Reception, 'headers' | 'arrivedMs' | 'tookMs'> {
  /** The bodies, if they are too large for the journal. */
  readonly requestBody: SavedBody
  readonly responseBody: SavedBody
}

type Replaced = 'principal' | 'sender' | 'requestBody' | 'responseBody' | 'reception'
interface SavedExchange extends Omit<Exchange, Replaced> {
  /** Index into `principals`. */
  readonly principal: number | null
  readonly sender: Principal['key'] | null
  readonly requestBody: SavedBody
  readonly responseBody: SavedBody
  readonly reception: SavedReception | null
}

interface SavedSandbox extends SavedJournal {
  /** Null means the main state. */
  readonly name: string | null
  readonly state: Snapshot
  readonly snapshots: readonly (readonly [name: string, Snapshot])[]
  /** Names of snapshots that are not saved: without the state that `loadState` replaced, they are useless. */
  readonly replacedSnapshots: readonly string[]
  /** The whole state, if `loadState` replaced the one the mock started with. */
  readonly loaded?: Fixture
  readonly exchanges: readonly SavedExchange[]
  readonly findings: readonly Finding[]
  /** The report's findings, including assumptions. */
  readonly allFindings: readonly Finding[]
  readonly coverage: CoverageCounts
  readonly faults: SavedFaults
  readonly happenings: readonly NumberedHappening[]
}

export interface Run {
  /** The mock's options, with a user-defined fixture as it was loaded. */
  readonly options: MockOptions
  readonly principals: readonly Principal[]
  readonly texts: readonly string[]
  readonly sharedFaults: readonly SavedSharedFault[]
  readonly sandboxes: readonly SavedSandbox[]
}

function saveBytes(bytes: Uint8Array): SavedBytes {
  const utf8 = utf8Of(bytes)
  return utf8 === undefined ? { base64: toBase64(bytes) } : { utf8 }
}

class RunWriter {
  readonly #texts = new Map<string, number>()
  readonly principals: Principal[] = []

  get texts(): readonly string[] {
    return [...this.#texts.keys()]
  }

  #saveBody(body: Exchange['responseBody'] | undefined): SavedBody {
    if (typeof body === 'string') return { text: getOrInsert(this.#texts, body, () => this.#texts.size) }
    return body instanceof Uint8Array ? saveBytes(body) : (body ?? null)
  }

  #placeOf(principal: Principal | undefined): number | null {
    if (!principal) return null
    const { key, workspace } = principal
    const place = this.principals.findIndex((each) => each.key === key && each.workspace === workspace)
    return place === -1 ? this.principals.push({ key, workspace }) - 1 : place
  }

  #saveReception(reception: Reception | undefined, store: Store): SavedReception | null {
    if (!reception) return null
    const { headers, arrivedMs, tookMs, requestBody, responseBody } = reception
    const pairs = headers.flatMap((name, index) =>
      index % 2 === 0 ? [[name.toLowerCase(), headers[index + 1] ?? ''] as const] : [],
    )
    // Names replace keys, and other secrets are hidden: a key unknown to the mock could belong to a real workspace.
    const shown = reception.areShown ? pairs : Object.entries(showHeaders(pairs, store))
    return {
      ...{ headers: shown.flat(), arrivedMs, tookMs },
      requestBody: this.#saveBody(requestBody),
      responseBody: this.#saveBody(responseBody),
    }
  }

  saveExchange(exchange: Exchange, store: Store): SavedExchange {
    return {
      ...exchange,
      principal: this.#placeOf(exchange.principal),
      requestBody: this.#saveBody(exchange.requestBody),
      responseBody: this.#saveBody(exchange.responseBody),
      reception: this.#saveReception(exchange.reception, store),
    }
  }
}

function saveSandbox(
  mock: WorkspaceMock,
  name: string | null,
  sandbox: Sandbox,
  writer: RunWriter,
): SavedSandbox {
  const controls = name === null ? mock : mock.sandbox(name)
  const { journal, report, faults, store, coverage } = sandbox
  const snapshots = controls.snapshots.list()
  const namesOf = (isReplaced: boolean) =>
    snapshots.filter(({ changes }) => (changes === null) === isReplaced).map(({ name: each }) => each)
  const { base } = internalsOf(mock).sandboxes.main.createStart()
  return {
    name,
    state: controls.snapshot(),
    snapshots: namesOf(false).map((each) => [each, controls.snapshots.read(each)]),
    replacedSnapshots: namesOf(true),
    ...(store.base !== base && { loaded: controls.state() }),
    exchanges: journal.exchanges().map((exchange) => writer.saveExchange(exchange, store)),
    counts: journal.counts,
    total: journal.total,
    lastId: journal.lastId,
    findings: report.findings(),
    allFindings: report.findings({ assumptions: true }),
    coverage: coverage.save(),
    faults: faults.save(),
    happenings: sandbox.happenings,
  }
}

/** The fixture a mock was created with, at its original time. */
function exportStart({ base, answers }: Store): Fixture {
  const { original = base } = base
  const clock = { mode: 'manual', nowMs: original.nowMs } as const
  return exportFixture(new Store(original, { answers, clock, events: noEvents }))
}

/**
 * Saves everything a mock holds now. Within a boundary, the boundary's state replaces the main one.
 * @param only the one sandbox to save, null for the main state; by default all
 * @throws {NotFoundError} if there is no such sandbox
 */
export function saveRun(mock: WorkspaceMock, only?: string | null): Run {
  const { sandboxes, options, sandboxOf } = internalsOf(mock)
  const all = [[null, sandboxOf()] as const, ...sandboxes.entries()]
  const names = all.map(([name]) => name)
  if (only !== undefined)
    assertExists(names.includes(only) || undefined, 'sandbox', String(only), mock.sandboxes)
  const writer = new RunWriter()
  const saved = all
    .filter(([name]) => only === undefined || name === only)
    .map(([name, sandbox]) => saveSandbox(mock, name, sandbox, writer))
  return {
    options: { ...options, fixture: options.fixture ?? exportStart(sandboxes.main.createStart()) },
    sandboxes: saved,
    principals: writer.principals,
    texts: writer.texts,
    sharedFaults: [...sandboxes.sharedFaults.values()].map(saveSharedFault),
  }
}

const bodiesOf = ({ requestBody, responseBody, reception }: SavedExchange): readonly SavedBody[] => [
  requestBody,
  responseBody,
  ...(reception ? [reception.requestBody, reception.responseBody] : []),
]

/** The approximate size of a body in a run's JSON. */
function lengthOf(body: SavedBody, texts: readonly string[]): number {
  if (body === null || 'sizeBytes' in body) return 0
  return ('text' in body ? (texts[body.text] ?? '') : 'utf8' in body ? body.utf8 : body.base64).length
}

const omitted = (body: SavedBody, texts: readonly string[]): SavedBody =>
  body === null || 'sizeBytes' in body
    ? body
    : { sizeBytes: 'base64' in body ? fromBase64(body.base64).length : lengthOf(body, texts) }

/**
 * Drops bodies, oldest first, until the remaining ones total at most `characters` characters.
 * @returns the run, the number of characters its bodies take, and the number of requests that lost their bodies
 */
export function limitBodies(run: Run, characters: number): { run: Run; characters: number; omitted: number } {
  const { texts } = run
  const newestFirst = run.sandboxes
    .flatMap(({ exchanges }) => exchanges)
    .toSorted((a, b) => b.atMs - a.atMs || b.id - a.id)
  const kept = new Set<SavedExchange>()
  const used = new Set<number>()
  let total = 0
  for (const exchange of newestFirst) {
    let more = 0
    const bodies = bodiesOf(exchange)
    for (const body of bodies)
      if (!(body && 'text' in body && used.has(body.text))) more += lengthOf(body, texts)
    if (total + more > characters) break
    total += more
    kept.add(exchange)
    for (const body of bodies) if (body && 'text' in body) used.add(body.text)
  }
  const omit = (exchange: SavedExchange): SavedExchange => ({
    ...exchange,
    requestBody: omitted(exchange.requestBody, texts),
    responseBody: omitted(exchange.responseBody, texts),
    reception: exchange.reception && { ...exchange.reception, requestBody: null, responseBody: null },
  })
  const sandboxes = run.sandboxes.map((sandbox) => ({
    ...sandbox,
    exchanges: sandbox.exchanges.map((exchange) => (kept.has(exchange) ? exchange : omit(exchange))),
  }))
  const left = newestFirst.filter(
    (each) => !kept.has(each) && bodiesOf(each).some((body) => lengthOf(body, texts) > 0),
  )
  return {
    run: { ...run, sandboxes, texts: texts.map((text, place) => (used.has(place) ? text : '')) },
    characters: total,
    omitted: left.length,
  }
}

class RunReader {
  readonly #run: Run

  constructor(run: Run) {
    this.#run = run
  }

  #readBody(body: SavedBody): Exchange['responseBody'] {
    if (body === null || 'sizeBytes' in body) return body
    if ('text' in body) return this.#run.texts[body.text] ?? ''
    return 'utf8' in body ? new TextEncoder().encode(body.utf8) : fromBase64(body.base64)
  }

  #readReception(saved: SavedReception | null): Reception | undefined {
    if (!saved) return undefined
    const reception = Reception.of(saved)
    const [request, response] = [this.#readBody(saved.requestBody), this.#readBody(saved.responseBody)]
    if (request instanceof Uint8Array) reception.requestBody = request
    if (response instanceof Uint8Array || typeof response === 'string') reception.responseBody = response
    return reception
  }

  readonly readExchange = (saved: SavedExchange): Exchange => ({
    // JSON has no undefined.
    ...{ outside: undefined, params: undefined, parts: undefined },
    ...saved,
    principal: saved.principal === null ? undefined : this.#run.principals[saved.principal],
    requestBody: this.#readBody(saved.requestBody) as Exchange['requestBody'],
    responseBody: this.#readBody(saved.responseBody),
    reception: this.#readReception(saved.reception),
  })
}

/** Creates a mock that continues where a run ended. */
export function resumeRun(run: Run): WorkspaceMock {
  const reader = new RunReader(run)
  const mock = createWorkspaceMock<FixtureName | Fixture>(run.options)
  const { sandboxes } = internalsOf(mock)
  for (const fault of run.sharedFaults) sandboxes.putBackSharedFault(readSharedFault(fault))
  for (const saved of run.sandboxes) {
    const controls = saved.name === null ? mock : mock.sandbox(saved.name)
    if (saved.loaded) controls.loadState(saved.loaded)
    else controls.restore(saved.state)
    for (const [name, snapshot] of saved.snapshots) controls.snapshots.add(name, snapshot)
    const sandbox = internalsOf(controls).sandboxOf()
    sandbox.journal.putBack(saved.exchanges.map(reader.readExchange), saved)
    sandbox.faults.putBack(saved.faults, sandboxes.sharedFaults)
    sandbox.coverage.putBack(saved.coverage)
    const findings = ({ assumptions = false } = {}) => [...(assumptions ? saved.allFindings : saved.findings)]
    // Keeps the report as saved: requests sent while viewing the run are not judged.
    sandbox.putBack({ add: () => undefined, findings }, saved.happenings)
  }
  return mock
}
