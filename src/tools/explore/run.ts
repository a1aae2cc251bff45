// One run of a scenario in this process: its time, its end, and the detection of a hang.
import {
  NetworkFault,
  Sleepers,
  findFakeClock,
  readRealMs,
  waitForTurn,
  waitRealTime,
  type ApiResponse,
  type Call,
  type PlannedFault,
  type Sandbox,
} from '../../mock/explorable.ts'
import { tryReading } from './texts.ts'
import { Life, toLateRequest } from './life.ts'
import { ProcessActivity } from './process-activity.ts'
import type { Ended, Observed } from './runner.ts'
import { FakeTimers, RunTimers } from './timers.ts'

export const watchMs = 25
/**
 * A scenario hangs after this real time in which nothing is seen of it. Where sockets cannot be observed, as in browsers,
 * it is longer than the longest wait of a backoff schedule.
 */
const hangMs = ProcessActivity.isObserved ? 1000 : 10_000
/** Real time after which a run counts as hanging, whatever it waits for. */
const longestMs = 60_000
/** Real time without a request after which a scenario whose timers go on firing hangs: longer than the waits of a backoff. */
const timersMs = 10_000
const mostTimers = 1000
/** Wakes without a request after which a scenario waits for ever: so many within a time, or in all. */
const mostWakes = { count: 1000, elapsedMs: 1_200_000, inAll: 50_000 }
/** The clock's step when a client sets one 0 ms timer after another while it waits for a late response. */
const coarseStepMs = 1000
/** Calls without a response after which a loop that does not wait for them is ended by an error. */
const mostUnanswered = 1000
const mostSleepers = 100_000
/** Longest wait that timers support. */
const longestSleepMs = 2_147_483_647
/** How long to watch for late requests after the end. */
const afterEnd = { turns: 20, wakes: 200, elapsedMs: 600_000, realMs: 100 }
/** After this time, a rejected run's other work no longer retries: twice the length of a whole retry schedule. */
const leftBehindMs = 30_000
/** Late requests that get a response: a rejected run lets its other work finish, as queues need. */
const mostLate = { resolved: 20, rejected: 500 }
const realTurnMs = 2
const quietTurns = { intercepted: 10, direct: 2 }
/** Turns of the event loop after which a request in flight is assumed to wait for a timer. */
const stuckTurns = 100

const never = new Promise<never>(() => undefined)

interface RunLimits {
  readonly mostRequests: number
  /** Divides the usual patience once a client has hung before. */
  readonly haste: number
}

export class Run extends Life {
  readonly timers = new RunTimers()
  readonly sleepers: Sleepers
  readonly #fakeTimers = new FakeTimers(() => this.#pass(0))
  readonly #limits: RunLimits
  readonly #processActivity = new ProcessActivity()
  readonly #noteLate: (call: Call) => NetworkFault
  readonly #beganMs = readRealMs()
  #what = ''
  #settle: (ended: Ended) => void = () => undefined
  /** Whether requests arrive other than through the `fetch` of the context. */
  isIntercepted = false
  hasResolved = false
  readonly observed: Observed = {
    unhandled: [],
    strays: [],
    hasPrintedKey: false,
    waits: 0,
    waitedMs: 0,
    late: 0,
    hasTimeLimit: false,
  }
  /** Whether requests that arrive now come too late. */
  #isSettled = false
  #isHanging = false
  /** Whether nothing is left in it that could send a request, so a request from its code belongs to another run. */
  isQuiet = false
  /** Changes with each request, response and wake-up. */
  #activity = 0
  #lastMs = this.#beganMs
  #lastRequestMs = this.#beganMs
  /** How long it has been idle, as far as that can be judged, and since when. */
  #idleMs = 0
  #idleSinceMs = this.#beganMs
  requests = 0
  readonly #lateFaults = new WeakSet<NetworkFault>()
  /** How many responses wait on the clock of the run. */
  #delayed = 0
  #unanswered = 0
  #wakes = 0
  #elapsedMs = 0
  #firedBefore = 0

  constructor(
    sandbox: Sandbox,
    fault: PlannedFault | null,
    limits: RunLimits,
    noteLate: (call: Call) => NetworkFault,
  ) {
    super(sandbox, fault)
    this.#limits = limits
    this.#noteLate = noteLate
    this.sleepers = new Sleepers({
      activity: () => this.#activity,
      inFlight: () => this.inFlight,
      quietTurns: () => (this.isIntercepted ? quietTurns.intercepted : quietTurns.direct),
      stuckTurns,
      leastStepMs: () => (this.#delayed > 0 && this.#wakes > mostWakes.count ? coarseStepMs : 0),
      pass: (ms) => this.#pass(ms),
      // The body of a request in flight is still being read, from a file perhaps.
      isWorking: () => this.inFlight > 0 || this.#processActivity.isReading,
      timers: () => this.#fakeTimers.take(),
    })
  }

  /** Real time since the last request, response or wake-up. */
  get idleMs(): number {
    return readRealMs() - this.#lastMs
  }

  sleep(ms: number): Promise<void> {
    if (this.#isHanging || this.isStopped) {
      this.#endLoop()
      return never
    }
    if (this.sleepers.count > mostSleepers) {
      this.#hang(`it waits ${String(mostSleepers)} times at once`)
      this.#unanswered = mostUnanswered
      this.#endLoop()
    }
    // An invalid duration counts as 0, as with timers.
    return this.sleepers.sleep(ms > 0 && ms <= longestSleepMs ? ms : 0)
  }

  readonly limit = (ms: number): Promise<void> => {
    this.observed.hasTimeLimit = true
    return this.sleepers.sleep(ms, true)
  }

  /** Ends a loop that does not wait for its requests. @throws {Error} */
  #endLoop(): void {
    if ((this.#unanswered += 1) > mostUnanswered)
      throw new Error('the scenario did not settle; its run has ended')
  }

  #pass(ms: number): void {
    this.#elapsedMs += ms
    this.#wakes += 1
    this.#noteActivity()
    if (this.#isSettled) {
      if (this.#wakes > afterEnd.wakes || this.#elapsedMs > afterEnd.elapsedMs) this.sleepers.end()
      return
    }
    if (ms > 0) this.sandbox.store.clock.advance(ms)
    const { count, elapsedMs, inAll } = mostWakes
    if ((this.#wakes > count && this.#elapsedMs > elapsedMs) || this.#wakes > inAll / this.#limits.haste)
      this.#hang(`it waited ${String(this.#wakes)} times without a request`)
  }

  override async respond(call: Call): Promise<ApiResponse> {
    if (this.isStopped || this.#isHanging) {
      this.#endLoop()
      return never
    }
    if (this.#isSettled) return this.#refuseLate(call)
    this.requests += 1
    this.#wakes = this.#elapsedMs = 0
    this.#firedBefore = this.timers.fired
    this.#noteActivity()
    this.#lastRequestMs = this.#lastMs
    if (this.requests > this.#limits.mostRequests) {
      this.#hang(`it made ${String(this.#limits.mostRequests)} requests without ending`)
      return never
    }
    try {
      return await super.respond(call)
    } catch (error) {
      // It can have been stopped meanwhile.
      if (this.isStopped) return await never
      throw error
    } finally {
      this.#noteActivity()
    }
  }

  get #mostLate(): number {
    return this.hasResolved ? mostLate.resolved : mostLate.rejected
  }

  /** Breaks the connection of a request that arrives after the end, in a turn of its own; of many, the rest stays open. */
  async #refuseLate(call: Call): Promise<never> {
    this.observed.late += 1
    this.#noteActivity()
    const fault = this.#noteLate(call)
    if (!this.hasResolved && this.#elapsedMs >= leftBehindMs) this.observed.leftBehind ??= toLateRequest(call)
    this.#lateFaults.add(fault)
    if (this.observed.late > this.#mostLate) return never
    await waitForTurn()
    throw fault
  }

  /** Whether an error comes from a request that arrived too late, which is a finding of its own. */
  isOfLateRequest(error: unknown): boolean {
    const cause = tryReading(() => (error as { readonly cause?: unknown }).cause) ?? error
    if (cause instanceof NetworkFault) return this.#lateFaults.has(cause)
    // An interceptor rejects with an error of its own.
    return (
      this.observed.late > 0 && this.isIntercepted && tryReading(() => error instanceof TypeError) === true
    )
  }

  /** Waits on the clock of the run with a response that is ready: its request is no longer in flight. */
  async waitForClock(ms: number): Promise<void> {
    this.inFlight -= 1
    this.#delayed += 1
    await this.sleepers.sleep(ms)
    this.#delayed -= 1
    this.inFlight += 1
  }

  #noteActivity(): void {
    this.#activity += 1
    this.#lastMs = readRealMs()
  }

  /** Calls a function of the user, until it settles, hangs or is stopped. */
  supervise(what: string, fn: () => unknown): Promise<Ended> {
    this.#what = what
    this.#isHanging = false
    this.requests = this.#wakes = this.#elapsedMs = this.#idleMs = 0
    this.#lastRequestMs = readRealMs()
    return new Promise((resolve) => {
      this.#settle = resolve
      void this.stopped.then(() =>
        resolve({ outcome: 'stopped', error: new Error('the client was stopped') }),
      )
      const call = async () => {
        try {
          const given = fn()
          // What has no readable `then` is a value, whatever its proxy does.
          const isAwaited = tryReading(() => typeof (given as PromiseLike<unknown>).then === 'function')
          resolve({ outcome: 'resolved', error: undefined, value: isAwaited === true ? await given : given })
        } catch (error) {
          resolve({ outcome: 'rejected', error })
        }
      }
      void call()
    })
  }

  #hang(why: string): void {
    this.#isHanging = true
    this.#settle({ outcome: 'hang', error: new Error(`the ${this.#what} did not settle: ${why}`) })
  }

  /** Ends it with an error that would end the process of the client. */
  crash(error: unknown): void {
    this.#settle({ outcome: 'rejected', error })
  }

  /** Called every `watchMs`: ends the run if it makes no progress. */
  watch(): void {
    if (findFakeClock()) this.sleepers.start()
    const nowMs = readRealMs()
    if (nowMs - this.#beganMs > longestMs) this.#hang(`${String(longestMs / 1000)} s have passed`)
    const fired = this.timers.fired - this.#firedBefore
    if (fired > mostTimers && nowMs - this.#lastRequestMs > timersMs / this.#limits.haste)
      this.#hang(`${String(fired)} timers fired without a request`)
    const isWaiting =
      this.idleMs < watchMs ||
      this.sleepers.areSleeping ||
      this.timers.pending.size > 0 ||
      this.#fakeTimers.take()?.untilFirst() !== undefined ||
      this.#processActivity.hasResources
    // A look that comes late says that the machine is busy, not that the client is idle.
    const idleMs = isWaiting ? 0 : Math.min(this.#processActivity.measureIdleMs(), watchMs * 2)
    this.#idleMs = idleMs === 0 ? 0 : this.#idleMs + idleMs
    if (idleMs === 0) this.#idleSinceMs = nowMs
    if (this.#idleMs < hangMs) return
    const seconds = String(Math.floor((nowMs - this.#idleSinceMs) / 1000))
    this.#hang(`nothing seen for ${seconds} s: no request, no sleep, no timer, no work of its process`)
  }

  /** Waits for the responses to requests that the scenario sent before it settled. */
  async drain(): Promise<void> {
    while (this.inFlight > 0 && this.idleMs < hangMs) await waitForTurn()
    Object.assign(this.observed, { waits: this.#wakes, waitedMs: this.#elapsedMs })
  }

  /**
   * Lets time go on for a while after the end, in which what the scenario left behind can send requests.
   * @param isLong also waits for real timers and sockets
   */
  async windDown(isLong: boolean): Promise<void> {
    this.#isSettled = true
    this.#wakes = this.#elapsedMs = 0
    const isDead = this.isStopped || this.#isHanging
    if (isDead) this.timers.areDropped = true
    let realMs = isLong ? hangMs : afterEnd.realMs
    const turns = isLong ? afterEnd.turns : this.isIntercepted ? quietTurns.intercepted : quietTurns.direct
    const isOnClock = () => this.sleepers.areSleeping || this.#fakeTimers.take()?.untilFirst() !== undefined
    const isOnTimers = () =>
      isLong ? this.timers.pending.size > 0 || this.#processActivity.hasResources : this.timers.hasShort
    let quiet = isDead ? turns - 1 : 0
    let seen = this.#activity
    while (quiet < turns && this.observed.late <= this.#mostLate && realMs > 0) {
      const [onClock, real] = isDead ? [false, false] : [isOnClock(), isOnTimers()]
      if (this.#wakes > afterEnd.wakes || this.#elapsedMs > afterEnd.elapsedMs) break
      quiet = onClock || real || seen !== this.#activity ? 0 : quiet + 1
      seen = this.#activity
      const isReal = real && !onClock
      if (isReal) realMs -= realTurnMs
      await (isReal ? waitRealTime(realTurnMs) : waitForTurn())
    }
    this.isQuiet = !isDead && this.observed.late === 0 && !isOnClock() && this.timers.pending.size === 0
    this.sleepers.end()
    // What it has just sent arrives in this run, not in the next one.
    if (this.observed.late > 0) for (let turn = 0; turn < turns; turn++) await waitForTurn()
    this.isOver = true
    this.#fakeTimers.release()
  }
}
