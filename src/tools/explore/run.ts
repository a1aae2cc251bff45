// One run of a scenario in this process: its requests, its end, and what it leaves behind.
import {
  NetworkFault,
  readRealMs,
  waitForTurn,
  waitRealTime,
  type ApiResponse,
  type Call,
  type PlannedFault,
  type Sandbox,
} from '../../mock/explorable.ts'
import { Sightings, type HangLimits } from './hangs.ts'
import { LateFault, Life } from './life.ts'
import { ProcessActivity } from './process-activity.ts'
import { RunTime } from './run-time.ts'
import type { Ended, LateRequest, Observed } from './runner.ts'
import { tryReading } from './texts.ts'

export const watchMs = 25
/**
 * A scenario that shows no sign of life for this much real time hangs. In browsers, where sockets cannot be observed,
 * the limit exceeds the longest wait of a backoff schedule.
 */
const hangMs = ProcessActivity.isObserved ? 1000 : 10_000
/** After this many unanswered calls, an error ends a loop that never awaits them. */
const mostUnanswered = 1000
/** How long late requests are watched for. */
const afterEnd = { turns: 20, wakes: 200, elapsedMs: 600_000, realMs: 100 }
/** This long after a rejection (twice the retry schedule), the run's other work has no retries left. */
const leftBehindMs = 30_000
/**
 * How many late requests fail; further ones are left open. After a rejection the limit is higher, so that queues can
 * finish their other work.
 */
const mostLate = { resolved: 20, rejected: 500 }
const realTurnMs = 2

const never = new Promise<never>(() => undefined)

export class Run extends Life {
  readonly time: RunTime
  readonly observed: Observed = {
    unhandled: [],
    strays: [],
    hasPrintedKey: false,
    waits: 0,
    waitedMs: 0,
    late: 0,
    hasTimeLimit: false,
  }
  hasResolved = false
  /** Whether nothing in this run can send requests any more. A later request from its code belongs to another run. */
  isQuiet = false
  readonly #limits: HangLimits
  readonly #late: LateRequest[]
  readonly #seen = new Sightings()
  readonly #beganMs = readRealMs()
  #lastRequestMs = this.#beganMs
  #idleSinceMs = this.#beganMs
  #firedBefore = 0
  #what = ''
  #settle: (ended: Ended) => void = () => undefined
  /** Whether the scenario has settled, so that requests arriving now are late. */
  #isSettled = false
  #isHanging = false
  #unanswered = 0

  constructor(
    sandbox: Sandbox,
    fault: PlannedFault | null,
    limits: Omit<HangLimits, 'mostIdleMs'>,
    late: LateRequest[],
  ) {
    super(sandbox, fault)
    this.#limits = { ...limits, mostIdleMs: hangMs }
    this.#late = late
    this.time = new RunTime(this)
  }

  get requests(): number {
    return this.#seen.requests
  }

  get isRepeating(): boolean {
    return this.#seen.isRepeating
  }

  sleep(ms: number): Promise<void> {
    if (this.#isHanging || this.isStopped) return this.#leaveOpen()
    this.#seen.sleepers = this.time.sleepers.count
    if (this.#endIfHanging()) {
      this.#unanswered = mostUnanswered
      return this.#leaveOpen()
    }
    return this.time.sleep(ms)
  }

  readonly limit = (ms: number): Promise<void> => {
    this.observed.hasTimeLimit = true
    return this.time.sleepers.sleep(ms, true)
  }

  /** Never settles. @throws {Error} after many calls, to end a loop that never awaits them */
  #leaveOpen(): Promise<never> {
    if ((this.#unanswered += 1) > mostUnanswered)
      throw new Error('the scenario did not settle, so its run was ended')
    return never
  }

  pass(ms: number): void {
    const { time } = this
    this.#seen.elapsedMs += ms
    this.#seen.wakes += 1
    time.noteActivity()
    if (this.#isSettled) {
      if (this.#isWatchedLongEnough) time.sleepers.end()
      return
    }
    if (ms > 0) this.sandbox.store.clock.advance(ms)
    this.#endIfHanging()
  }

  get #isWatchedLongEnough(): boolean {
    return this.#seen.wakes > afterEnd.wakes || this.#seen.elapsedMs > afterEnd.elapsedMs
  }

  override async respond(call: Call): Promise<ApiResponse> {
    if (this.isStopped || this.#isHanging) return this.#leaveOpen()
    if (this.#isSettled) return this.#refuseLate(call)
    this.time.noteActivity()
    this.#lastRequestMs = readRealMs()
    this.#firedBefore = this.time.timers.fired
    Object.assign(this.#seen, { requests: this.requests + 1, wakes: 0, elapsedMs: 0, fired: 0 })
    if (this.#endIfHanging()) return never
    try {
      return await super.respond(call)
    } catch (error) {
      // A fault may have stopped the client meanwhile.
      if (this.isStopped) return await never
      throw error
    } finally {
      this.time.noteActivity()
    }
  }

  get #mostLate(): number {
    return this.hasResolved ? mostLate.resolved : mostLate.rejected
  }

  /** Breaks the connection of a late request, in a later turn. Beyond the limit, leaves the request open. */
  async #refuseLate(call: Call): Promise<never> {
    this.observed.late += 1
    this.time.noteActivity()
    const fault = new LateFault(call)
    if (this.hasResolved) this.#late.push(fault.request)
    else if (this.#seen.elapsedMs >= leftBehindMs) this.observed.leftBehind ??= fault.request
    if (this.observed.late > this.#mostLate) return never
    await waitForTurn()
    throw fault
  }

  /** Whether an error was caused by a late request. Late requests have a finding of their own. */
  isOfLateRequest(error: unknown): boolean {
    const cause = tryReading(() => (error as { readonly cause?: unknown }).cause) ?? error
    if (cause instanceof NetworkFault) return cause instanceof LateFault
    // An interceptor rejects with a TypeError of its own.
    const isOfInterceptor = this.observed.late > 0 && this.time.isIntercepted
    return isOfInterceptor && tryReading(() => error instanceof TypeError) === true
  }

  /** Delays a response on the run's clock; meanwhile its request is not counted as in flight. */
  async waitForClock(ms: number): Promise<void> {
    this.inFlight -= 1
    await this.time.delay(ms)
    this.inFlight += 1
  }

  /** Calls a user's function and waits until it settles, hangs or is stopped. */
  supervise(what: string, fn: () => unknown): Promise<Ended> {
    this.#what = what
    this.#isHanging = false
    this.#lastRequestMs = readRealMs()
    Object.assign(this.#seen, { requests: 0, sleepers: 0, wakes: 0, elapsedMs: 0, idleMs: 0 })
    return new Promise((resolve) => {
      this.#settle = resolve
      void this.stopped.then(() =>
        resolve({ outcome: 'stopped', error: new Error('the client was stopped') }),
      )
      const call = async () => {
        try {
          const given = fn()
          // Anything without a readable `then`, even a proxy, is a plain value.
          const isAwaited = tryReading(() => typeof (given as PromiseLike<unknown>).then === 'function')
          resolve({ outcome: 'resolved', error: undefined, value: isAwaited === true ? await given : given })
        } catch (error) {
          resolve({ outcome: 'rejected', error })
        }
      }
      void call()
    })
  }

  /** Ends the run if it hangs. @returns whether it does */
  #endIfHanging(): boolean {
    const why = this.#seen.explainHang(this.#limits)
    if (why === undefined) return false
    this.#isHanging = true
    this.#settle({ outcome: 'hang', error: new Error(`the ${this.#what} did not settle: ${why}`) })
    return true
  }

  /** Ends the run with an error that would end the client's process. */
  crash(error: unknown): void {
    this.#settle({ outcome: 'rejected', error })
  }

  /** Called every `watchMs`: ends the run if it makes no progress. */
  watch(): void {
    const { timers, process } = this.time
    this.time.takeFakeTimers()
    const nowMs = readRealMs()
    const isWaiting =
      this.time.idleMs < watchMs || this.time.isAwaited || timers.pending.size > 0 || process.hasResources
    // If this call comes late, the machine is busy; that does not make the client idle.
    const idleMs = isWaiting ? 0 : Math.min(process.measureIdleMs(), watchMs * 2)
    if (idleMs === 0) this.#idleSinceMs = nowMs
    Object.assign(this.#seen, {
      ageMs: nowMs - this.#beganMs,
      sinceRequestMs: nowMs - this.#lastRequestMs,
      fired: timers.fired - this.#firedBefore,
      idleMs: idleMs === 0 ? 0 : this.#seen.idleMs + idleMs,
      idleRealMs: nowMs - this.#idleSinceMs,
    })
    this.#endIfHanging()
  }

  /** Waits for the responses to requests sent before the scenario settled. */
  async drain(): Promise<void> {
    while (this.inFlight > 0 && this.time.idleMs < hangMs) await waitForTurn()
    Object.assign(this.observed, { waits: this.#seen.wakes, waitedMs: this.#seen.elapsedMs })
  }

  /**
   * Lets time pass after the end, so that anything the scenario left running can send its requests.
   * @param isLong whether to wait for real timers and sockets too
   */
  async windDown(isLong: boolean): Promise<void> {
    const { time, observed } = this
    const { timers, process } = time
    this.#isSettled = true
    this.#seen.wakes = this.#seen.elapsedMs = 0
    const isDead = this.isStopped || this.#isHanging
    if (isDead) timers.areDropped = true
    let realMs = isLong ? hangMs : afterEnd.realMs
    const turns = isLong ? afterEnd.turns : time.quietTurns
    const isOnTimers = () => (isLong ? timers.pending.size > 0 || process.hasResources : timers.hasShort)
    let quiet = isDead ? turns - 1 : 0
    let seen = time.activity
    while (quiet < turns && observed.late <= this.#mostLate && realMs > 0 && !this.#isWatchedLongEnough) {
      const isOnClock = !isDead && time.isAwaited
      const isReal = !isDead && !isOnClock && isOnTimers()
      quiet = isOnClock || isReal || seen !== time.activity ? 0 : quiet + 1
      seen = time.activity
      if (isReal) realMs -= realTurnMs
      await (isReal ? waitRealTime(realTurnMs) : waitForTurn())
    }
    this.isQuiet = !isDead && observed.late === 0 && !time.isAwaited && timers.pending.size === 0
    time.sleepers.end()
    // Lets requests just sent arrive in this run, not in the next.
    if (observed.late > 0) for (let turn = 0; turn < turns; turn++) await waitForTurn()
    this.isOver = true
    time.end()
  }
}
