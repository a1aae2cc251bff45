// A deployment with its mock, and where a run writes in both.
import { isWrite } from '../../../contract/scopes.ts'
import type { OperationId } from '../../../contract/index.ts'
import { planLimits } from '../../../contract/plan-limits.ts'
import type { AnswersInput } from '../../../contract/questions/register.ts'
import type { Difference } from '../compare/difference.ts'
import type { IdPairs } from '../compare/ids.ts'
import { Comparer, type Replies } from '../compare/replies.ts'
import type { CallOptions } from '../../deployment/client.ts'
import type { Reply } from '../../deployment/reply.ts'
import { removeMade } from '../../deployment/run.ts'
import type { Context } from '../../deployment/start.ts'
import { Stop } from '../../deployment/stop.ts'
import { DeploymentClock } from './clock.ts'
import { findMarkableTables, sendToMock, type Mirror } from './mirror.ts'
import { PullHistory } from './pulls.ts'
import { Rereads } from './rereads.ts'
import type { Transcript } from './transcript.ts'

/** Where a run writes, with the mock's ids. */
interface Own {
  /** Where it writes tasks. */
  space?: { readonly spaceId: string; readonly listId: string }
  /** The id of the space if an earlier run made it. */
  adoptedSpace?: string
  /** Where it writes rows. */
  tableId?: string
  readonly lockedTables: string[]
  /** Whether polling once gave up on a job that did not end. */
  hasEndlessJob: boolean
}

/** The request with the deployment's ids. */
function toTheirs({ body, ...rest }: CallOptions, ids: IdPairs): CallOptions {
  if (!(body instanceof FormData)) return ids.toTheirs({ ...rest, ...(body !== undefined && { body }) })
  const form = new FormData()
  for (const [name, value] of body) form.append(name, typeof value === 'string' ? ids.toTheirs(value) : value)
  return { ...ids.toTheirs(rest), body: form }
}

/** Statuses that mean the rows were examined; a refusal with any other status comes from a lock. */
const tookIn: ReadonlySet<number> = new Set([200, 201, 202, 204, 400, 413, 415, 422, 429])

export class Twin {
  readonly context: Context
  readonly clock: DeploymentClock
  readonly own: Own = { lockedTables: [], hasEndlessJob: false }
  readonly #pull: () => Promise<Mirror>
  readonly #comparer = new Comparer()
  #mirror: Mirror
  #areOthersWriting = false
  readonly #pulls = new PullHistory()
  readonly rereads = new Rereads()

  /** @param pull repeats the pull that gave `mirror` */
  constructor(context: Context, mirror: Mirror, pull: () => Promise<Mirror>) {
    this.context = context
    this.#pull = pull
    this.#mirror = mirror
    this.clock = new DeploymentClock(context, mirror.mock.clock.now())
    this.#pulls.note(mirror.content)
  }

  get mirror(): Mirror {
    return this.#mirror
  }

  get areOthersWriting(): boolean {
    return this.#areOthersWriting
  }

  /** Whether any record changed between the run's pulls. */
  get hasChanged(): boolean {
    return this.#pulls.hasChanged
  }

  /** Keeps id pairs of records that outlive their scenario. */
  keepIds(ids: IdPairs): void {
    this.#mirror = { ...this.#mirror, ids }
  }

  /** @throws {Stop} if a write may have been carried out twice */
  async sendToDeployment(operation: OperationId, options: CallOptions, ids: IdPairs) {
    const { transport } = this.context.api
    const { repeats } = transport
    const result = await this.clock.call(operation, toTheirs(options, ids))
    if (isWrite(operation) && transport.repeats > repeats && result.theirs.status < 500)
      throw new Stop('a write was sent twice', 'repeated')
    return result
  }

  sendToMock(operation: OperationId, options: CallOptions, atMs: number): Promise<Reply> {
    return sendToMock(this.mirror, operation, options, atMs)
  }

  /** @param ids receives the pairs of ids that the responses reveal */
  compare(replies: Replies, ids: IdPairs, isStrict = false): Difference[] {
    const { columns, hasPartialTables, mock } = this.mirror
    const { marker } = this.context
    const loose = hasPartialTables ? ['row_count'] : []
    const { areOthersWriting } = this
    const now = mock.clock.now()
    return this.#comparer.compare(replies, { ids, columns, marker, now, loose, isStrict, areOthersWriting })
  }

  /** Replays the requests on the mock with these answers. @returns how each response of the deployment then differs */
  async replay(
    { exchanges, start, ids }: Transcript,
    answers: AnswersInput,
    isStrict = false,
  ): Promise<Difference[][]> {
    const { mock } = this.mirror
    // By name, because a snapshot as a value costs two hashes of the state.
    mock.snapshots.save('end')
    const paired = ids.copy()
    const shown: Difference[][] = []
    try {
      mock.restore(start)
      mock.setAnswers(answers)
      for (const exchange of exchanges) {
        const { about, options, atMs } = exchange
        const ours = await this.sendToMock(about.operation, options, atMs)
        shown.push(this.compare({ ...exchange, ours }, paired, isStrict))
      }
    } finally {
      mock.snapshots.restore('end')
    }
    return shown
  }

  /** A limit of the workspace's plan; null is unlimited. */
  getLimit(name: 'bulkRowsPerJob' | 'concurrentBulkJobs' | 'maxFileBytes'): number | null {
    const [{ plan } = { plan: 'pro' as const }] = this.mirror.mock.db.workspaces.findMany()
    return planLimits(this.context.answers, name)[plan]
  }

  /** Chooses the table for the run's rows with a request that inserts none; a pull does not show locks. */
  async chooseTable(name?: string): Promise<void> {
    const { own } = this
    const { api, marker } = this.context
    for (const { id: tableId, text } of findMarkableTables(this.mirror.known.tables, name)) {
      const json = { rows: [{ [text.id]: [marker] }] }
      // Without a readable response the table is used anyway; the scenarios will say what is wrong.
      const reply = await api
        .call('bulkInsertRows', { params: { tableId }, json })
        .catch((error: unknown) => {
          if (!(error instanceof Stop)) throw error
        })
      if (reply !== undefined && !tookIn.has(reply.status) && reply.status < 500)
        own.lockedTables.push(tableId)
      else own.tableId ??= tableId
      if (own.tableId !== undefined && own.lockedTables.length > 0) break
    }
    this.#lockTables()
  }

  #lockTables(): void {
    for (const tableId of this.own.lockedTables) this.mirror.mock.lockTable(tableId)
  }

  /** Pulls the deployment again. */
  async refresh(): Promise<void> {
    const { ids } = this.mirror
    if (this.own.space) this.own.space = ids.toTheirs(this.own.space)
    this.#mirror = await this.#pull()
    this.#pulls.note(this.#mirror.content)
    this.#areOthersWriting = this.#pulls.areOthersWriting
    this.#lockTables()
    await this.calibrate()
    await removeMade(this.context, false)
  }

  /** Measures the deployment's clock, if the run can write, and sets the mock's. */
  async calibrate(): Promise<void> {
    const { ids, mock } = this.mirror
    if (this.own.space) await this.clock.calibrate(ids.toTheirs(this.own.space.listId))
    mock.clock.set(Math.max(0, Math.floor(this.clock.nowMs() / 1000)))
  }
}
