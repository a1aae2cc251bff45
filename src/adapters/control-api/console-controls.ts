// Read operations that the console and the control API need and the mock's own interface lacks.
import { clientRules, type ClientRule, type RuleId } from '../../contract/client-rules.ts'
import { toBase64 } from '../../contract/data/base64.ts'
import { utf8Of } from '../../contract/text/curl.ts'
import { assertExists, ControlError } from '../../mock/control-error.ts'
import { findExchanges } from '../../mock/controls/journal-controls.ts'
import { reasonOf, type Reason } from '../../mock/explain/reasons.ts'
import type { FaultState } from '../../mock/faults/faults.ts'
import { internalsOf } from '../../mock/internals.ts'
import {
  toJournalEntry,
  toJournalSummary,
  type JournalEntry,
  type JournalSummary,
} from '../../mock/journal/entry.ts'
import type { JournalFilter, RequestCounts } from '../../mock/journal/journal.ts'
import { createInspectControls, type InspectControls } from './inspect.ts'
import { hasText } from '../../mock/journal/weight.ts'
import type { Exchange } from '../../mock/journal/exchange.ts'
import { hashOfBody } from '../../mock/journal/body-hash.ts'
import type { Finding } from '../../mock/sandboxes/client-report.ts'
import type { Sandbox } from '../../mock/sandboxes/sandbox.ts'
import type { Sandboxes } from '../../mock/sandboxes/sandboxes.ts'
import { showHeaders } from '../../mock/sandboxes/signals.ts'
import { matchesTerm, parseSearch, toSearchText } from './search.ts'
import type { WorkspaceRecord } from '../../contract/types.d.ts'

/** Comma-separated names of sandboxes; an empty name is the main sandbox. Default: all. */
type Names = string

/** A sandbox's requests that match a search. */
interface JournalMatches {
  /** Null for the main sandbox. */
  readonly sandbox: string | null
  /** Id of the latest request that was searched. */
  readonly upTo: number
  readonly ids: readonly number[]
}

interface JournalPage {
  readonly of?: Names | undefined
  /** Only requests before the one with this id. */
  readonly before?: number | undefined
  /** Only requests after the ones with these ids: comma-separated, one for each name in `of`. */
  readonly after?: string | number | undefined
  /** Maximum number of requests per sandbox; the latest ones are returned. */
  readonly limit?: number | undefined
}

export interface SandboxSummary extends RequestCounts {
  readonly name: string
  /** Number of findings in its report. */
  readonly findings: number
}

/** When a request arrived and how long its response took, in milliseconds on the system clock; absent if unknown. */
interface Received {
  readonly arrivedMs?: number
  readonly tookMs?: number
}

/** A request without its bodies. */
interface JournalRow extends JournalSummary, Received {
  readonly sandbox: string | null
  /** Equal for requests with equal bodies; absent without a body. */
  readonly sent?: string
}

/** A body as text, or as base64 if it is not UTF-8. Only its size if it was too large to keep, or was dropped. */
export type WholeBody =
  { readonly text: string } | { readonly base64: string } | { readonly sizeBytes: number } | null

export interface WholeRequest extends Received {
  /** The headers as received, with keys replaced by their names and other credentials removed; absent if unknown. */
  readonly headers?: Readonly<Record<string, string>>
  readonly contentType: string | null
  readonly requestBody: WholeBody
  readonly responseBody: WholeBody
}

/** A client rule with its id. */
export type RuleInfo = ClientRule & { readonly id: RuleId }

/** The summary of a sandbox; its name is null for the main one. */
export type SandboxAtAGlance = Omit<SandboxSummary, 'name'> & {
  readonly name: string | null
  /** Number of requests that its journal holds, including the console's own. */
  readonly kept: number
  /** Number of requests that its journal dropped to make room for later ones. */
  readonly dropped: number
}

/** Read operations across sandboxes. */
interface SandboxesControls {
  /** Finds requests by words, `"several words"`, `-word`, `#5` or `status:4xx`; in all sandboxes by default. */
  search(text: string, query?: { readonly of?: Names | undefined }): readonly JournalMatches[]
  /** The rules that the report checks a client against. */
  rules(): readonly RuleInfo[]
  /** Journal entries without bodies, oldest first. */
  journals(page: JournalPage): readonly JournalRow[]
  /**
   * A sandbox's request with everything that the server or worker recorded about it.
   * @throws {NotFoundError} if the journal does not have the request, or no longer has it
   */
  whole(id: number, query?: { readonly of?: string | undefined }): WholeRequest
  /** All sandboxes, the main one first; and the faults and findings of the sandboxes in `of`, by default of all. */
  contents(query: { readonly of?: Names | undefined }): {
    readonly runs: readonly SandboxAtAGlance[]
    readonly contents: readonly {
      readonly sandbox: string | null
      readonly faults: readonly FaultState[]
      readonly findings: readonly Finding[]
    }[]
  }
}

/** Read operations on a sandbox and its mock. */
export interface ConsoleControls {
  readonly console: SandboxesControls
  /** The sandbox's contents: `overview()`, `rows(id)`, `tasks(id)`, `submissions(id)`. */
  readonly inspect: InspectControls
  /** Name of the fixture; `custom` for one without a name. */
  readonly fixtureName: string
  /** The journal without the bodies, oldest first. */
  requestSummaries(filter?: JournalFilter): JournalSummary[]
  /**
   * A request in the journal, by its id.
   * @throws {NotFoundError} if the journal does not have the request, or no longer has it
   */
  request(id: number): JournalEntry
  /**
   * Why a request was refused: the rule of the contract, the state that led to it, and remedies; null if it got its
   * usual response.
   * @throws {NotFoundError} if the journal does not have the request, or no longer has it
   */
  reason(id: number): Reason | null
  /** Faults that hit a request and have since been used up or removed: at most 50, the latest last. */
  usedFaults(): FaultState[]
  /** All sandboxes but the main one, each with its label and its counts of requests, errors and findings. */
  sandboxSummaries(): SandboxSummary[]
  /**
   * The workspace that a key belongs to; without a key, the fixture's first workspace.
   * @throws {ControlError} for an unknown key
   */
  workspaceOfKey(key: string | null): WorkspaceRecord
}

const receivedOf = ({ reception }: Exchange): Received =>
  reception
    ? { arrivedMs: reception.arrivedMs, ...(reception.tookMs !== undefined && { tookMs: reception.tookMs }) }
    : {}

function sentOf({ reception, requestBody, contentType }: Exchange): Pick<JournalRow, 'sent'> {
  const body = reception?.requestBody ?? requestBody
  if (body === null) return {}
  return { sent: body instanceof Uint8Array ? hashOfBody(body, contentType) : `${String(body.sizeBytes)} B` }
}

function toWholeBody(body: Exchange['responseBody']): WholeBody {
  if (body === null || typeof body === 'string') return body === null ? null : { text: body }
  if (!(body instanceof Uint8Array)) return { sizeBytes: body.sizeBytes }
  const text = utf8Of(body)
  return text === undefined ? { base64: toBase64(body) } : { text }
}

type Named = readonly [name: string | null, sandbox: Sandbox]

/** @param controls a mock, or the controls of one of its sandboxes */
export function consoleControlsOf(controls: object): ConsoleControls {
  const { sandboxOf, sandboxes, fixtureName } = internalsOf(controls)
  const store = () => sandboxOf().bringUpToDate()
  const request = (id: number) => toJournalEntry(assertExists(sandboxOf().journal.find(id), 'request', id))
  return {
    console: createSandboxesControls(sandboxes),
    inspect: createInspectControls(sandboxOf),
    fixtureName,
    requestSummaries: (filter) => findExchanges(sandboxOf(), filter).map(toJournalSummary),
    request,
    reason: (id) => {
      store()
      return reasonOf(request(id), sandboxOf(), sandboxes.nameOf(sandboxOf()))
    },
    usedFaults: () => sandboxOf().faults.listFormerStates(),
    sandboxSummaries: () =>
      sandboxes.entries().map(([name, { journal, report }]) => ({
        name,
        ...journal.counts,
        findings: report.findings().length,
      })),
    workspaceOfKey: (key) => {
      const { workspaces, keys } = store()
      const known = key === null ? undefined : keys.get(key)
      if (key !== null && !known) throw new ControlError('the API key in the Authorization header is unknown')
      const workspace = known ? workspaces.get(known.workspace_id) : workspaces.all()[0]
      return structuredClone(assertExists(workspace, 'workspace', 'first'))
    },
  }
}

function createSandboxesControls(sandboxes: Sandboxes): SandboxesControls {
  const all = (): Named[] => [[null, sandboxes.main], ...sandboxes.entries()]
  const listNamed = (of: Names | undefined) => {
    const names = of === undefined ? undefined : new Set(of.split(','))
    return names ? all().filter(([name]) => names.has(name ?? '')) : all()
  }
  return {
    search(text, { of } = {}) {
      const terms = parseSearch(text)
      return listNamed(of).map(([name, { journal }]) => {
        const found = journal.exchanges().filter((exchange) => {
          const request = { ...toJournalSummary(exchange), sandbox: name }
          const searchText = toSearchText(request)
          const has = (word: string) =>
            searchText.includes(word) ||
            hasText(exchange.requestBody, word) ||
            hasText(exchange.responseBody, word)
          return terms.every((term) => matchesTerm(request, term, has))
        })
        return { sandbox: name, upTo: journal.lastId, ids: found.map(({ id }) => id) }
      })
    },
    rules: () => Object.entries(clientRules).map(([id, rule]) => ({ id: id as RuleId, ...rule })),
    // Over HTTP, the id is a string.
    whole(id: number | string, { of = '' } = {}) {
      const [[, sandbox] = []] = listNamed(of)
      const exchange = assertExists(sandbox?.journal.find(Number(id)), 'request', id)
      const { reception, requestBody, responseBody, contentType } = exchange
      const { headers = [] } = reception ?? {}
      const pairs = headers.flatMap((name, index) =>
        index % 2 === 0 ? [[name.toLowerCase(), headers[index + 1] ?? ''] as const] : [],
      )
      return {
        ...receivedOf(exchange),
        ...(reception &&
          sandbox && {
            headers: reception.areShown ? Object.fromEntries(pairs) : showHeaders(pairs, sandbox.store),
          }),
        contentType,
        requestBody: toWholeBody(reception?.requestBody ?? requestBody),
        responseBody: toWholeBody(reception?.responseBody ?? responseBody),
      }
    },
    journals({ of, before, after, limit }) {
      const starts = after === undefined ? [] : String(after).split(',')
      const startOf = new Map(of?.split(',').map((name, index) => [name, starts[index]]))
      return listNamed(of).flatMap(([name, { journal }]) => {
        const start = startOf.get(name ?? '')
        const filter = { before, limit, ...(start !== undefined && { after: Number(start) }) }
        return journal.exchanges(filter).map((exchange) => ({
          ...toJournalSummary(exchange),
          ...receivedOf(exchange),
          ...sentOf(exchange),
          sandbox: name,
        }))
      })
    },
    contents: ({ of }) => ({
      runs: all().map(([name, { journal, report }]) => ({
        name,
        ...journal.counts,
        kept: journal.kept,
        dropped: journal.total - journal.kept,
        findings: report.findings({ assumptions: false }).length,
      })),
      contents: listNamed(of).map(([name, { faults, report }]) => ({
        sandbox: name,
        faults: faults.listStates(),
        findings: report.findings({ assumptions: false }),
      })),
    }),
  }
}
