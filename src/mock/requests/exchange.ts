// A request while it is being handled and judged.
import type * as z from 'zod/mini'
import type { RuleId } from '../../contract/client-rules.ts'
import type { ErrorKind } from '../../contract/errors.ts'
import type { OperationId } from '../../contract/index.ts'
import type { Answers } from '../../contract/questions/register.ts'
import { copyStart, quote } from '../../contract/text/quote.ts'
import type { Moment } from '../../service/store/clock.ts'
import type { Effect } from '../../service/store/overlay.ts'
import type { ReportBreach, Store } from '../../service/store/store.ts'
import type { ApiResponse, Call, CallBody } from './call.ts'
import type { Listing } from '../../service/resources/listings.ts'
import type { AdmittedRequest, JobFault, ParsedRequest } from '../../service/resources/request.ts'
import type { RequestQueue } from './request-queue.ts'
import { parseKey, type Principal } from './authenticate.ts'
import type { BodyPart } from './multipart.ts'
import { routeOf, type Route } from './route.ts'
import type { KeyRecord, WorkspaceRecord } from '../../contract/types.d.ts'

/** What a fault or the header `Prefer` does to a request. */
export interface InjectedFailure {
  readonly id: string
  readonly phase: 'before' | 'after'
  readonly delayMs: number
  /** Whether the delay passes on the mock's clock. */
  readonly isOnClock: boolean
  readonly network: boolean
  /** Undefined if the request goes through. */
  readonly kind: ErrorKind | undefined
  /** A response set by the test, in place of the service's. */
  readonly response?: ApiResponse | undefined
  readonly retryAfter: number
  readonly job?: JobFault | undefined
}

export interface Breach {
  readonly rule: RuleId
  /** The key, column, field, parameter or record concerned. */
  readonly subject: string
  /** The value that was sent, as text. */
  readonly received?: string
}

/** A page of a listing, for the report. */
export interface ListedPage {
  readonly count: number
  readonly readIds: () => readonly string[]
  /** Returns the whole listing as it is now. @throws {ApiError} if it would be refused now */
  readonly findAll: () => Listing
}

type AnyRequest = ParsedRequest<OperationId>

/** Shared, because most requests have no effects and the journal keeps all requests. */
export const noEffects: readonly Effect[] = []
const noBreaches: Breach[] = []
const noFiles: AnyRequest['files'] = []

const mostBreaches = 1000
const subjectCharacters = 200
/** What a call operates on. A call stays with the state in which it arrived, even if that state is replaced. */
export interface RequestState {
  readonly store: Store
  readonly faults: { readonly changes: { readonly added: number; readonly removed: number } }
  /** Numbers requests as they arrive. */
  readonly journal: { readonly lastId: number; nextArrival(): number }
  readonly queue: RequestQueue
}

/** Represents a broken connection. */
export const droppedResponse: ApiResponse = { status: 0, headers: {}, body: null }

/** A request from its arrival until the report has judged it. Each stage fills in its fields, and the stage's type names them. */
export class OpenExchange {
  readonly call: Call
  readonly route: Route | undefined
  readonly state: RequestState
  readonly operation: OperationId | null
  /** The Authorization header, read once, because reading a Request's header is slow. */
  readonly authorization: string | null
  /** The key in the header; empty if there is none. */
  readonly sentKey: string
  readonly isConsole: boolean
  /** Id of the last exchange in the journal on arrival; the client could not know any later response. */
  readonly after: number
  /** The number the journal assigned on arrival. */
  readonly arrival: number
  /** The body; null until it is read. */
  sent: CallBody = null
  /** When its handling began, for measuring waits in the report; undefined until then. */
  moment: Moment | undefined = undefined
  atMs = 0
  /** Undefined until the key is known to be valid. */
  principal: Principal | undefined = undefined
  /** The records named in its path; undefined until it is admitted. */
  at: AnyRequest['at'] | undefined = undefined
  /** The unvalidated JSON body, or that of the part `data`. Must not be changed. */
  json: unknown = undefined
  files = noFiles
  parts: readonly BodyPart[] | undefined = undefined
  /** Undefined until its shape has been validated. */
  query: AnyRequest['query'] | undefined = undefined
  otherQuery: AnyRequest['otherQuery'] | undefined = undefined
  body: AnyRequest['body'] = undefined
  /** What is wrong with the body; undefined if its shape is right, or not validated yet. */
  issue: z.core.$ZodIssue | undefined = undefined
  /** Whether a fault made its last row invalid. */
  isSpoiled = false
  /** What the operation's handler returned; undefined until then. */
  success: unknown = undefined
  /** The page a listing returned; undefined for other responses. */
  page: ListedPage | undefined = undefined
  effects: readonly Effect[] = noEffects
  breaches = noBreaches
  /** Breaches as text, used to detect repeats. */
  #known: Set<string> | undefined = undefined
  /** Its id in the journal; 0 until it has its response. */
  id = 0
  response = droppedResponse
  /** Set before the request is handled, if a fault or `Prefer` fails or delays it. */
  failure: InjectedFailure | undefined = undefined
  /** The fault whose effect changed the call, the response or what follows. */
  effectFault: string | null = null

  constructor(call: Call, state: RequestState) {
    const { journal } = state
    this.call = call
    this.route = routeOf(call)
    this.state = state
    this.operation = this.route?.operation.id ?? null
    this.authorization = call.header('authorization')
    this.sentKey = this.authorization === null ? '' : parseKey(this.authorization)
    this.isConsole = call.header('x-mock-console') === '1'
    this.after = journal.lastId
    this.arrival = journal.nextArrival()
  }

  get baseUrl(): string {
    return this.call.baseUrl
  }

  get key(): KeyRecord | undefined {
    return this.principal?.key
  }

  get workspace(): WorkspaceRecord | undefined {
    return this.principal?.workspace
  }

  get contentType(): string | null {
    return this.sent === null ? null : this.call.header('content-type')
  }

  get store(): Store {
    return this.state.store
  }

  get answers(): Answers {
    return this.store.answers
  }

  get status(): number {
    return this.response.status
  }

  get jobFault(): JobFault | undefined {
    return this.failure?.job
  }

  get fault(): string | null {
    return this.failure?.id ?? this.effectFault
  }

  get isInjected(): boolean {
    const { failure } = this
    return failure !== undefined && (failure.network || (failure.kind ?? failure.response) !== undefined)
  }

  /**
   * Returns a standalone function, because handlers destructure it from the request. It is not stored in a field,
   * because V8 would then keep each request, and everything it refers to, alive for a long time.
   */
  get reportBreach(): ReportBreach {
    return (rule, subject, received) => {
      if (this.breaches.length === mostBreaches) return
      const isLong = subject.length > subjectCharacters
      const shown = isLong ? `${copyStart(subject, subjectCharacters)}…` : subject
      const text = `${rule} ${shown}`
      this.#known ??= new Set()
      if (this.#known.has(text)) return
      if (this.#known.size === 0) this.breaches = []
      this.#known.add(text)
      const quoted = received !== undefined && { received: quote(received) }
      this.breaches.push({ rule, subject: shown, ...quoted })
    }
  }
}

export type BegunExchange = OpenExchange & { readonly moment: Moment }
export type AdmittedExchange = OpenExchange & AdmittedRequest<OperationId>
export type ParsedExchange = OpenExchange & AnyRequest

export function beginExchange(exchange: OpenExchange): asserts exchange is BegunExchange {
  const { clock } = exchange.store
  exchange.atMs = clock.nowMs()
  exchange.moment = clock.moment()
}
