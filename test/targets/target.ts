// What the behaviour suite needs from a target: a place to send requests, and the mock's controls from outside.

/** Plain JSON, so that a target may be another process or a browser. */
export interface TargetOptions {
  /** Name of a fixture, or a fixture. */
  readonly fixture: unknown
  readonly plan?: 'free' | 'pro' | 'business' | 'scale'
  readonly limits?: Readonly<Record<string, number | null>>
  readonly answers?: Readonly<Record<string, unknown>>
  readonly clock?: 'manual' | 'system'
  readonly advanceOnPoll?: boolean
}

/** A finding of the report. */
export interface Finding {
  readonly rule: string
  readonly severity: string
  readonly message: string
  readonly operation: string | null
  readonly count: number
  readonly requests: readonly number[]
  readonly offending: readonly number[]
}

/** A request of the journal with what it changed. */
export interface JournalEntry {
  readonly changes: readonly {
    readonly resource: string
    readonly id: string
    readonly change: string
    readonly fields?: readonly { readonly field: string }[]
  }[]
}

/** The outcome of a request, in the contract's terms. */
export interface Outcome {
  readonly operation: string | null
  readonly status: number
  /** The kind of refusal; null if the request was not refused. */
  readonly refusal: string | null
  /** Whether a fault caused the response. */
  readonly isInjected: boolean
}

/** The mock's controls, all asynchronous, with plain JSON in and out. A refused call rejects. */
export interface Control {
  reset(): Promise<void>
  /** Whole Unix seconds. */
  now(): Promise<number>
  nowMs(): Promise<number>
  setClock(seconds: number): Promise<void>
  advance(by: number | string): Promise<void>
  answers(): Promise<Readonly<Record<string, unknown>>>
  setAnswers(answers: unknown): Promise<void>
  setPlan(plan: string, workspaceId?: string): Promise<void>
  setLimits(limits: Readonly<Record<string, number | null>>, workspaceId?: string): Promise<void>
  lapseBilling(lapsed?: boolean, workspaceId?: string): Promise<void>
  suspendKey(keyOrName: string, suspended?: boolean): Promise<void>
  lockTable(id: string, locked?: boolean): Promise<void>
  restoreTask(id: string): Promise<unknown>
  publishForm(id: string, published?: boolean): Promise<unknown>
  submitForm(id: string, data: Readonly<Record<string, unknown>>): Promise<unknown>
  seed(partialFixture: unknown): Promise<unknown>
  snapshot(): Promise<unknown>
  restore(snapshot: unknown): Promise<void>
  state(): Promise<unknown>
  loadState(fixture: unknown): Promise<void>
  /** @returns the fault's id */
  fault(spec: Readonly<Record<string, unknown>>): Promise<string>
  faults(): Promise<readonly unknown[]>
  resetFaults(): Promise<void>
  report(options?: { readonly assumptions?: boolean }): Promise<Finding[]>
  /** The journal, oldest first. */
  requests(filter?: { readonly record?: string }): Promise<readonly JournalEntry[]>
  /** Outcomes of the requests in the journal. */
  outcomes(): Promise<Outcome[]>
}

export interface Target {
  /** Ends with /v1. */
  readonly baseUrl: string
  /** Sends a request to an absolute address. */
  readonly fetch: typeof fetch
  readonly control: Control
  close(): Promise<void>
}

export type StartTarget = (options: TargetOptions) => Promise<Target>
