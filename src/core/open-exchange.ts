// One request in progress, filled in from its arrival until the journal and the report have it.
import type { RuleId } from '../contract/client-rules.ts'
import type { OperationId } from '../contract/index.ts'
import type { Answers } from '../contract/questions/register.ts'
import type { KeyRecord, WorkspaceRecord } from '../contract/workspaces.ts'
import { runDue } from '../resources/run-due.ts'
import type { Moment } from '../store/clock.ts'
import type { Effect } from '../store/overlay.ts'
import type { Store } from '../store/store.ts'
import type { Principal } from './request/authenticate.ts'
import type { Call, CallBody } from './call.ts'
import type { ParsedRequest } from '../resources/request.ts'
import type { Faults } from './faults.ts'
import type { Generation } from './generation.ts'
import type { Observation } from './journal/exchange.ts'
import { Observations } from './observations.ts'
import type { Route } from './request/route.ts'

type AnyRequest = ParsedRequest<OperationId>

/** Shared, since most requests have no effects and the journal keeps all requests. */
const noEffects: readonly Effect[] = []
const noObservations: readonly Observation[] = []
const noFiles: AnyRequest['files'] = []

/** Handlers see the fields of `ParsedRequest`; the rules of the report see all of it once it was answered. */
export class OpenExchange implements AnyRequest {
  readonly call: Call
  /** Undefined if no operation matches. */
  readonly route: Route | undefined
  readonly generation: Generation
  /** Id of the last exchange in the journal when it arrived: its client could not know any later response. */
  readonly after: number
  /** The body as it came; null until it is read. */
  sent: CallBody = null
  /** When its turn came, in milliseconds on the mock's clock. */
  atMs = 0
  /** The same, as the report measures waits. */
  moment!: Moment
  /** Undefined until the key is known to be valid. */
  principal: Principal | undefined = undefined
  /** The JSON body, or that of the part `data`, before it is checked; must not be changed. */
  json: unknown = undefined
  effects = noEffects
  /** Whether a client rule other than client-error reports the cause of the error. */
  isReported = false
  at!: AnyRequest['at']
  query!: AnyRequest['query']
  otherQuery!: AnyRequest['otherQuery']
  body: AnyRequest['body'] = undefined
  files = noFiles
  #observations: Observations | undefined

  constructor(call: Call, route: Route | undefined, generation: Generation) {
    this.call = call
    this.route = route
    this.generation = generation
    this.after = generation.journal.lastId
  }

  /** Starts the request: what is due by now happens before it. */
  begin(): void {
    const { clock } = this.store
    this.atMs = clock.nowMs()
    this.moment = clock.moment()
    runDue(this.store)
  }

  get store(): Store {
    return this.generation.store
  }

  get faults(): Faults {
    return this.generation.faults
  }

  get answers(): Answers {
    return this.store.answers
  }

  get baseUrl(): string {
    return this.call.baseUrl
  }

  get workspace(): WorkspaceRecord {
    return this.#admitted().workspace
  }

  get key(): KeyRecord {
    return this.#admitted().key
  }

  /** Distinct ones, up to a maximum. */
  get observations(): readonly Observation[] {
    return this.#observations?.kept ?? noObservations
  }

  /** How many there were in all. */
  get observed(): number {
    return this.#observations?.count ?? 0
  }

  readonly reportBreach = (rule: RuleId, subject: string): void => {
    this.#observations ??= new Observations()
    this.#observations.add(rule, subject)
  }

  #admitted(): Principal {
    if (!this.principal) throw new Error('the key of the request has not been checked yet')
    return this.principal
  }
}
