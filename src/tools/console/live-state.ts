// The live state of the console, and rows of it that the console makes itself.
import type { Finding } from '../../mock/sandboxes/client-report.ts'
import type { Overview } from '../../adapters/control-api/inspect.ts'
import type { SandboxSummary } from '../../adapters/control-api/console-controls.ts'
import type { FaultState } from '../../mock/faults/faults.ts'
import type { JournalSummary } from '../../mock/journal/entry.ts'
import type { Signal } from '../../mock/sandboxes/signals.ts'

/** Null is the main sandbox. */
export type SandboxName = string | null

/** Which sandboxes are shown; undefined is all. */
export type Scope = SandboxName | undefined

export type Located<T> = T & { readonly sandbox: SandboxName }

type Of<Event extends Signal['event']> = Extract<Signal, { readonly event: Event }>

export interface RequestRow extends Located<JournalSummary> {
  /** The headers as received, keys by name; known of requests since the console was opened. */
  readonly headers?: Of<'pending'>['headers']
  /** The moment of its arrival, by the system clock of the mock. */
  readonly arrivedMs?: number
  /** Milliseconds until its response was sent, measured by the mock. */
  readonly tookMs?: number
  /** Equal in requests with equal bodies; absent without a body. */
  readonly sent?: string
  /** Its number among the requests without a response. */
  readonly arrival?: number
}

export interface PendingRow extends Located<Omit<Of<'pending'>, 'event'>> {
  readonly arrivedMs: number
  /** Whether it has its response, which is not listed yet. */
  readonly isAnswered?: true
}

export interface Run extends Omit<SandboxSummary, 'name'> {
  readonly name: SandboxName
  readonly kept: number
  readonly dropped: number
}

export const isError = ({ status }: RequestRow) => status === 0 || status >= 400

/** Whether the client sent it, not the console itself. */
export const isOfClient = ({ console }: JournalSummary) => console !== true

export interface Contents {
  readonly findings: readonly Located<Finding>[]
  readonly faults: readonly Located<FaultState>[]
}

/** Groups the states of a fault for all sandboxes into one. */
export const groupFaults = (faults: readonly Located<FaultState>[]) =>
  [...Map.groupBy(faults, ({ id, sandbox, sandboxes }) => (sandboxes ? id : `${id} ${sandbox ?? ''}`))].map(
    ([, own]) => own as [Located<FaultState>, ...Located<FaultState>[]],
  )

export interface LiveState extends Contents {
  /** `loading` until the journals were read; `lost` while the mock does not respond, `forbidden` while it refuses access. */
  readonly status: 'loading' | 'live' | 'lost' | 'forbidden'
  readonly failure: string | null
  /** Since when the mock does not respond, by the clock of the page; null while it does. */
  readonly lostAtMs: number | null
  /**
   * Requests of all sandboxes, oldest first, in the order of their responses where known. A request is listed once
   * what it did is known: overview, findings and faults are never older.
   */
  readonly requests: readonly RequestRow[]
  readonly pending: readonly PendingRow[]
  /** How often each journal was reset since the console was opened; absent if never. */
  readonly lives: ReadonlyMap<SandboxName, number>
  /** How often the mock restarted since the console was opened. */
  readonly restarts: number
  /** The main one first. */
  readonly runs: readonly Run[]
  /** Describes the sandbox that is shown, or the main one when all are; has no workspace until it is read. */
  readonly overview: Overview
  /** When the overview was read, by the system clock; 0 until then. */
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
