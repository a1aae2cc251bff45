// One request: filled in from its arrival on, checked by the report after its response, then kept by the journal.
import type { RuleId } from '../../contract/client-rules.ts'
import type { ErrorKind } from '../../contract/errors.ts'
import type { OperationId } from '../../contract/index.ts'
import type { Answers } from '../../contract/questions/register.ts'
import { copyStart, quote } from '../../contract/text/quote.ts'
import type { KeyRecord, WorkspaceRecord } from '../../contract/workspaces.ts'
import type { Moment } from '../../service/store/clock.ts'
import type { Effect } from '../../service/store/overlay.ts'
import type { ReportBreach, Store } from '../../service/store/store.ts'
import type { ApiResponse, Call, CallBody } from './call.ts'
import type { Listing } from '../../service/resources/listings.ts'
import type { AdmittedRequest, ParsedRequest } from '../../service/resources/request.ts'
import type { RequestQueue } from './request-queue.ts'
import type { Faults, InjectedFailure } from '../faults/faults.ts'
import { limitEffects } from '../journal/changes.ts'
import type { Reception } from '../journal/reception.ts'
import { principalOf, type Principal } from './authenticate.ts'
import type { BodyPart } from './multipart.ts'
import { routeOf, type Route } from './route.ts'

export interface Breach {
  readonly rule: RuleId
  /** The key, column, field, parameter or record. */
  readonly subject: string
  /** The value that was sent, as text. */
  readonly received?: string
}

/** A page of a listing, for the report. */
export interface ListedPage {
  readonly records: readonly { readonly id: string }[]
  /** The whole listing as it is when this is called. @throws {ApiError} if it would be refused now */
  readonly findAll: () => Listing
}

export interface OmittedBody {
  readonly sizeBytes: number
}

type AnyRequest = ParsedRequest<OperationId>

/** Shared, since most requests have no effects and the journal keeps all requests. */
const noEffects: readonly Effect[] = []
const noObservations: Breach[] = []
const noFiles: AnyRequest['files'] = []

const mostObservations = 1000
const subjectCharacters = 200
const labelCharacters = 200

function toStoredBody(body: CallBody): Exchange['requestBody'] {
  if (body === null || !('reason' in body)) return body
  return body.reason === 'too-large' ? null : { sizeBytes: body.sizeBytes }
}

/** A request with its response as the journal keeps it: bodies by reference, nothing parsed. */
export class Exchange {
  /** From 1; `clearRequests` does not start over, `reset` does. */
  id = 0
  /** The start of its handling, in milliseconds on the mock's clock. */
  atMs = 0
  readonly method: string
  readonly baseUrl: string
  path: string
  queryText: string
  readonly outside: string | undefined
  readonly operation: OperationId | null
  /** The path parameters if the path was cut; otherwise `paramsOf` reads them from the path. */
  params: Readonly<Record<string, string>> | undefined = undefined
  /** Undefined until the key is known to be valid. */
  principal: Principal | undefined = undefined
  /** The key that was sent, even if the request failed before its check; null for no key or an unknown one. */
  sender: Principal['key'] | null = null
  isKeySent = false
  label: string | null = null
  contentType: string | null = null
  requestBody: Uint8Array | OmittedBody | null = null
  /** 0 where the connection was broken. */
  status = 0
  /** The kind of error; null on success or where the connection was broken. */
  refusal: ErrorKind | null = null
  headers: Readonly<Record<string, string>> = {}
  responseBody: string | Uint8Array | OmittedBody | null = null
  effects = noEffects
  /** Bytes of the values before and after in all effects. */
  effectBytes = 0
  /** Bytes that it can drop in the journal. */
  heldBytes = 0
  /** How many effects were dropped. */
  moreEffects = 0
  /** The first 1,000, without repetitions. */
  observations = noObservations
  /** The fault that it met: it caused the response, broke the connection or delayed it. */
  fault: string | null = null
  /** Whether the response, or the broken connection, is the fault's instead of the service's. */
  isInjected = false
  delayMs = 0
  /** Whether the console sent it by itself, with `X-Mock-Console: 1`. */
  readonly isConsole: boolean
  parts: readonly BodyPart[] | undefined = undefined
  /** What its server or worker knows, for the console alone. */
  reception: Reception | undefined

  constructor(call: Call, operation: OperationId | null) {
    this.method = call.method
    this.baseUrl = call.baseUrl
    this.path = call.path
    this.outside = call.outside
    this.queryText = call.query
    this.operation = operation
    this.isConsole = call.header('x-mock-console') === '1'
    this.reception = call.reception
  }
}

/** What a call meets; a call stays with the state in which it arrived, even if another replaces that. */
export interface RequestState {
  readonly store: Store
  readonly faults: Faults
  /** Numbers requests as they arrive. */
  readonly journal: { readonly lastId: number; nextArrival(): number }
  readonly queue: RequestQueue
}

/**
 * A request while it is handled. One object through all stages, whose types say what has been filled in: a second object
 * for each stage costs a create some 10 % more processor time.
 */
export class OpenExchange extends Exchange {
  readonly call: Call
  readonly route: Route | undefined
  readonly state: RequestState
  /** Id of the last exchange in the journal when it arrived: its client could not know any later response. */
  readonly after: number
  /** The number that the journal gave it on arrival. */
  readonly arrival: number
  /** The body; null until it is read. */
  sent: CallBody = null
  /** The start of its handling, for the report's measure of waits; undefined until then. */
  moment: Moment | undefined = undefined
  /** The JSON body, or that of the part `data`, before it is checked; must not be changed. */
  json: unknown = undefined
  /** The records of its path; undefined until it is admitted. */
  at: AnyRequest['at'] | undefined = undefined
  /** Undefined until its shape has been checked. */
  query: AnyRequest['query'] | undefined = undefined
  otherQuery: AnyRequest['otherQuery'] | undefined = undefined
  body: AnyRequest['body'] = undefined
  files = noFiles
  jobFault: AnyRequest['jobFault'] = undefined
  /** Whether a fault made its last row invalid. */
  isSpoiled = false
  /** Whether a client rule other than client-error reports the cause of the error. */
  isReported = false
  /** The page that a listing gives; undefined for other responses. */
  page: ListedPage | undefined = undefined
  /** The observations as texts, to find repetitions. */
  known: Set<string> | undefined = undefined

  constructor(call: Call, state: RequestState) {
    const route = routeOf(call)
    super(call, route?.operation.id ?? null)
    this.call = call
    this.route = route
    this.state = state
    const { journal } = state
    this.after = journal.lastId
    this.arrival = journal.nextArrival()
  }

  get store(): Store {
    return this.state.store
  }

  get answers(): Answers {
    return this.store.answers
  }

  get workspace(): WorkspaceRecord | undefined {
    return this.principal?.workspace
  }

  get key(): KeyRecord | undefined {
    return this.principal?.key
  }

  readonly reportBreach: ReportBreach = (rule, subject, received) => {
    if (this.observations.length === mostObservations) return
    const isLong = subject.length > subjectCharacters
    const shown = isLong ? `${copyStart(subject, subjectCharacters)}…` : subject
    const text = `${rule} ${shown}`
    this.known ??= new Set()
    if (this.known.has(text)) return
    if (this.known.size === 0) this.observations = []
    this.known.add(text)
    this.observations.push({
      rule,
      subject: shown,
      ...(received !== undefined && { received: quote(received) }),
    })
  }

  /** Fills in the response, and the parts of the request that the journal keeps; `id` is its id there. */
  setResponse(id: number, response: ApiResponse, failure: InjectedFailure | undefined): void {
    const { call, principal } = this
    const authorization = call.header('authorization')
    this.id = id
    this.sender = (principal ?? principalOf(this.store, authorization))?.key ?? null
    this.isKeySent = authorization !== null
    this.label = call.header('x-mock-label')?.slice(0, labelCharacters) ?? null
    if (this.sent !== null) this.contentType = call.header('content-type')
    this.requestBody = toStoredBody(this.sent)
    this.status = response.status
    this.refusal = response.refusal ?? null
    this.isReported = response.reported ?? false
    this.headers = response.headers
    this.responseBody = response.body
    if (failure) {
      this.fault = failure.id
      this.isInjected = failure.network || failure.kind !== undefined
      this.delayMs = failure.delayMs
    }
    if (this.effects.length > 0) Object.assign(this, limitEffects(this.effects))
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

/** Drops the fields that only the handling and the report need: the journal keeps the rest. */
export function closeExchange(exchange: OpenExchange): Exchange {
  const open: { -readonly [Name in keyof OpenExchange]?: unknown } = exchange
  open.call = open.route = open.state = open.sent = open.moment = open.json = undefined
  open.at = open.query = open.otherQuery = open.body = open.files = open.jobFault = undefined
  open.known = open.reportBreach = open.page = undefined
  return exchange
}
