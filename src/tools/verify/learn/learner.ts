// The state of a learning run: the deployment's mock, and records that several probes share.
import type { Identity } from '../../../contract/identity.ts'
import type { OperationId } from '../../../contract/index.ts'
import type { AnswersInput } from '../../../contract/questions/register.ts'
import { messageOf } from '../../../contract/text/format.ts'
import { removeMade } from '../../deployment/run.ts'
import type { CallOptions, Client } from '../../deployment/client.ts'
import { Interrupted, requireValue, Stop } from '../../deployment/stop.ts'
import type { Params } from '../../deployment/ledger.ts'
import type { Reply } from '../../deployment/reply.ts'
import type { Context } from '../../deployment/start.ts'
import { getOwnList, getOwnTable, makeOrAdoptSpace } from '../scenarios/own.ts'
import { makeRecord, makeRow, makeTask } from '../scenarios/records.ts'
import { pullMirror, type MarkableTable } from '../twin/mirror.ts'
import { ScenarioContext } from '../twin/player.ts'
import type { Tolerance } from '../compare/replies.ts'
import type { Judge } from '../findings/judge.ts'
import { Twin } from '../twin/twin.ts'

/** Maximum restarts of a probe because a write was sent twice. */
const mostRestarts = 5

const isRepeated = (error: unknown) => error instanceof Stop && error.reason === 'repeated'

type SharedName = 'task' | 'comment' | 'row'

/** Sends one probe's requests. Continues even if the two sides disagree; replays compare the responses later. */
export class Probe extends ScenarioContext {
  readonly #shared: Learner['shared']

  constructor(twin: Twin, shared: Learner['shared']) {
    super(twin, { id: 'probe', says: 'probe', source: { contract: 'probe' }, operations: [] })
    this.#shared = shared
  }

  /** @throws {Stop} if the rate limit was reached */
  override async send(
    operation: OperationId,
    options: CallOptions = {},
    tolerance: Tolerance = {},
  ): Promise<Reply> {
    const { ours, theirs } = await this.exchange(operation, options, tolerance)
    if (theirs.status === 429) throw new Stop(`the rate limit was reached: ${theirs.summary}`, 'limit')
    return ours
  }

  /** A shared record of the run. @throws {Stop} if it could not be made */
  shared(name: SharedName): Params {
    const params = this.#shared.get(name)
    if (typeof params === 'object') return params
    throw new Stop(params ?? `the run could not make a ${name}`)
  }
}

export type SendProbe = (probe: Probe) => Promise<unknown>

export class Learner {
  readonly context: Context
  readonly judge: Judge
  /** Ids of shared records in the mock, or why a record could not be made. */
  readonly shared = new Map<SharedName, Params | string>()
  /** What has been learned so far. */
  known: AnswersInput = {}
  readonly #tableName: string | undefined
  #identity: Identity | undefined
  #twin: Twin | string = 'the deployment was not read'

  /** @param tableName id or name of the table to write rows to */
  constructor(context: Context, judge: Judge, tableName?: string) {
    this.context = context
    this.judge = judge
    this.#tableName = tableName
  }

  get api(): Client {
    return this.context.api
  }

  /** @throws {Stop} if the deployment could not be read */
  get twin(): Twin {
    if (typeof this.#twin === 'string') throw new Stop(this.#twin)
    return this.#twin
  }

  /** @throws {Stop} if GET /me does not show the plan */
  get plan(): Identity['workspace']['plan'] {
    return requireValue(this.#identity?.workspace.plan, 'GET /me does not show the plan')
  }

  /** Reads the deployment and makes shared records. If one cannot be made, the probes that need it say why. */
  async begin(): Promise<void> {
    const { context, api } = this
    const { json } = await api.call('getIdentity').catch(() => ({ json: undefined }))
    this.#identity = json as Identity | undefined
    try {
      const wanted = new Set(['listRows', 'listTimeEntries', 'listForms'] as const)
      const pull = () => pullMirror(context, wanted, true)
      this.#twin = new Twin(context, await pull(), pull)
    } catch (error) {
      // A used-up monthly limit is an answer in itself.
      if (error instanceof Interrupted && !this.judge.limits.has('requestsPerMonth')) throw error
      this.#twin = messageOf(error)
      return
    }
    const { twin } = this
    twin.mirror.mock.setAnswers(twin.mirror.observed)
    if (!context.mayWrite) return
    await twin.chooseTable(this.#tableName)
    await this.#share('task', async (probe) => {
      const space = await makeOrAdoptSpace(probe)
      const { theirs, about } = probe.latest ?? {}
      if (theirs?.isSuccess !== true)
        throw new Stop(`${about?.operation ?? ''}: ${theirs?.summary ?? 'no response'}`)
      twin.own.space = space
      return makeTask(probe)
    })
    // Records made from here on have the deployment's times.
    await twin.calibrate()
    await this.#share('comment', (probe) => makeRecord(probe, 'Comment', undefined, probe.shared('task')))
    await this.#share('row', makeRow)
    api.ledger.keep()
  }

  /** @throws {Stop} if the deployment could not be read */
  makeProbe = () => new Probe(this.twin, this.shared)

  async #share(name: SharedName, make: (probe: Probe) => Promise<Params>): Promise<void> {
    for (let attempt = 0; attempt < mostRestarts; attempt += 1)
      try {
        const probe = this.makeProbe()
        this.shared.set(name, await make(probe))
        this.twin.keepIds(probe.ids)
        return
      } catch (error) {
        if (error instanceof Interrupted) throw error
        this.shared.set(name, messageOf(error))
        if (!isRepeated(error)) return
      }
  }

  /** Sends a probe, then undoes its changes in the mock. @returns the probe, and the stop if it ended early */
  async send(send: SendProbe): Promise<{ readonly probe: Probe; readonly stopped?: Stop }> {
    const { mock } = this.twin.mirror
    for (let restarts = 0; ; restarts += 1) {
      const probe = this.makeProbe()
      try {
        mock.setAnswers(this.known)
        await send(probe)
        return { probe }
      } catch (error) {
        if (isRepeated(error) && restarts < mostRestarts) continue
        if (!(error instanceof Stop) || probe.transcript.exchanges.length === 0) throw error
        return { probe, stopped: error }
      } finally {
        mock.restore(probe.transcript.start)
      }
    }
  }

  /** The deployment's id for the run's list. @throws {Stop} if the run has no list */
  get listId(): string {
    return this.twin.mirror.ids.toTheirs(getOwnList(this.makeProbe()))
  }

  /** The table for the run's rows. @throws {Stop} if no table accepts rows */
  get table(): MarkableTable {
    return getOwnTable(this.makeProbe())
  }

  /** Creates a task in the run's list. @returns its id in the deployment */
  async createTask(fields: Readonly<Record<string, unknown>> = {}): Promise<string> {
    const json = { title: this.context.newText(), ...fields }
    const { id } = await this.api.succeed('createTask', { params: { listId: this.listId }, json })
    return requireValue(typeof id === 'string' ? id : undefined, 'createTask returns no id')
  }

  /** Removes the records that probes made. Rows with unknown ids are searched for at the end of the run. */
  async removeMade(): Promise<void> {
    this.api.ledger.skipSearch()
    await removeMade(this.context, false)
  }
}
