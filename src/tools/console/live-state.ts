// The types of the console's live state, and its initial value.
import type { Finding } from '../../mock/sandboxes/client-report.ts'
import type { Overview } from '../../adapters/control-api/inspect.ts'
import type { SandboxAtAGlance } from '../../adapters/control-api/console-controls.ts'
import type { FaultState } from '../../mock/faults/faults.ts'
import type { JournalSummary } from '../../mock/journal/entry.ts'
import type { Signal } from '../../mock/sandboxes/signals.ts'

/** Null is the main sandbox. */
export type SandboxName = string | null

/** Which sandboxes are shown; undefined means all. */
export type Scope = SandboxName | undefined

export type Located<T> = T & { readonly sandbox: SandboxName }

type Of<Event extends Signal['event']> = Extract<Signal, { readonly event: Event }>

export interface RequestRow extends Located<JournalSummary> {
  /** The headers as received, with API keys shown by name; known only for requests since the console was opened. */
  readonly headers?: Of<'pending'>['headers']
  /** When it arrived, on the mock's system clock. */
  readonly arrivedMs?: number
  /** Milliseconds until its response was sent, measured by the mock. */
  readonly tookMs?: number
  /** Equal for requests with equal bodies; absent without a body. */
  readonly sent?: string
  /** The number it had while it was pending. */
  readonly arrival?: number
}

export interface PendingRow extends Located<Omit<Of<'pending'>, 'event'>> {
  readonly arrivedMs: number
  /** Whether it has a response that is not listed yet. */
  readonly isAnswered?: true
}

export type Run = SandboxAtAGlance

export const isError = ({ status }: RequestRow) => status === 0 || status >= 400

/** Whether the client sent it, not the console itself. */
export const isOfClient = ({ console }: JournalSummary) => console !== true

export interface Contents {
  readonly findings: readonly Located<Finding>[]
  readonly faults: readonly Located<FaultState>[]
}

/** Groups the states of a fault that applies to all sandboxes. */
export const groupFaults = (faults: readonly Located<FaultState>[]) =>
  [...Map.groupBy(faults, ({ id, sandbox, sandboxes }) => (sandboxes ? id : `${id} ${sandbox ?? ''}`))].map(
    ([, own]) => own as [Located<FaultState>, ...Located<FaultState>[]],
  )

export interface LiveState extends Contents {
  /** `loading` until the journals are read, `lost` if the mock does not respond, `forbidden` if it refuses access. */
  readonly status: 'loading' | 'live' | 'lost' | 'forbidden'
  readonly failure: string | null
  /** When the mock stopped responding, on the page's clock; null while it responds. */
  readonly lostAtMs: number | null
  /**
   * Requests of all sandboxes, oldest first, in the order of their responses if known. A request is listed only once
   * its effects are known: overview, findings and faults are never older than this list.
   */
  readonly requests: readonly RequestRow[]
  readonly pending: readonly PendingRow[]
  /** How many times each journal was reset since the console was opened; absent if never. */
  readonly lives: ReadonlyMap<SandboxName, number>
  /** How many times the mock restarted since the console was opened. */
  readonly restarts: number
  /** The main sandbox comes first. */
  readonly runs: readonly Run[]
  /** Describes the shown sandbox, or the main one if all are shown; has no workspace until it is read. */
  readonly overview: Overview
  /** When the overview was read, on the system clock; 0 until then. */
  readonly readAtMs: number
}

export const unread = {
  overview: {
    clock: { now: 0, nowMs: 0, mode: 'manual' },
    due: [],
    past: [],
    changedAnswers: [],
    workspaces: [],
  },
  ...{ readAtMs: 0, findings: [], faults: [] },
} satisfies Partial<LiveState>

export const initialState: LiveState = {
  ...{
    status: 'loading',
    failure: null,
    lostAtMs: null,
    requests: [],
    pending: [],
    runs: [],
    lives: new Map(),
    restarts: 0,
  },
  ...unread,
}

/** Unique among the requests of all sandboxes. */
export const rowKeyOf = ({ id, sandbox }: Located<{ id: number }>) => `${String(id)} ${sandbox ?? ''}`
