// The mock's clock. It stands still until moved, or follows the system clock.
import { toSecondsNote } from '../../contract/text/moments.ts'
import { describeNearestName } from '../../contract/text/nearest.ts'
import { quote } from '../../contract/text/quote.ts'

export const clockModes = ['manual', 'system'] as const
export type ClockMode = (typeof clockModes)[number]

export interface ClockState {
  readonly mode: ClockMode
  readonly nowMs: number
}

/** A moment from which waits can be measured. */
export interface Moment {
  readonly mode: ClockMode
  /** How often the test or the client has moved the clock. */
  readonly moves: number
  /** Milliseconds, excluding those that polls added to a manual clock. */
  readonly ms: number
}

const unitMs: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }
/** The end of the year 9999. */
export const latestSeconds = 253_402_300_799
/** Advice for a moment that is too late, often because it is in milliseconds. */
export const presentAdvice = 'for the current time, use Math.floor(Date.now() / 1000)'
const latestMs = latestSeconds * 1000 + 999

/** Parses a duration to milliseconds, given as a number or as `'500ms'`, `'30s'`, `'5m'`, `'2h'`, `'2d'`. */
export function parseDuration(by: number | string): number {
  const match = typeof by === 'string' ? /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/.exec(by) : null
  const ms = typeof by === 'number' ? by : match ? Number(match[1]) * (unitMs[match[2] ?? ''] ?? NaN) : NaN
  if (!Number.isFinite(ms) || ms < 0 || ms > latestMs)
    throw new RangeError(
      `by must be milliseconds (0 or more) or a duration such as "500ms", "30s", "5m", "2h", "2d"; received ${quote(by)}`,
    )
  return Math.round(ms)
}

// The only place in the core that reads the wall clock: mode 'system' follows Date, fake timers included.
// eslint-disable-next-line no-restricted-properties
export const readSystemMs = () => Date.now()

export const readSystemSeconds = (): number => Math.floor(readSystemMs() / 1000)

export const isSeconds = (value: unknown): value is number =>
  Number.isInteger(value) && Number(value) >= 0 && Number(value) <= latestSeconds

export class Clock {
  #mode: ClockMode
  /** The time itself in manual mode; in system mode, the offset added to the system time. */
  #baseMs = 0
  /** The time that `nowMs` last returned. */
  #shownMs = 0
  #moves = 0
  /** Milliseconds that polls added to a manual clock. */
  #tickedMs = 0
  #movesAtTick = 0
  #outsideMs: (() => number) | undefined

  constructor(state: ClockState) {
    this.#mode = state.mode
    this.#moveTo(state.nowMs)
  }

  get mode(): ClockMode {
    return this.#mode
  }

  /** Clamped to the range a state can hold, whatever the system clock shows. */
  nowMs(): number {
    if (this.#mode === 'manual') return this.#baseMs
    const ms = this.#baseMs + readSystemMs()
    if (!Number.isNaN(ms)) this.#shownMs = Math.min(Math.max(Math.floor(ms), 0), latestMs)
    return this.#shownMs
  }

  now(): number {
    return Math.floor(this.nowMs() / 1000)
  }

  /** Makes every wait count from now on, measured on this clock plus `outsideMs`, the time that passes outside it. */
  judgeAlways(outsideMs: () => number): void {
    this.#outsideMs = outsideMs
  }

  moment(): Moment {
    const mode = this.#outsideMs ? 'system' : this.#mode
    const outsideMs = Math.floor(this.#outsideMs?.() ?? 0)
    return { mode, moves: this.#moves, ms: this.nowMs() - this.#tickedMs + outsideMs }
  }

  /** Sets the clock to a moment in whole Unix seconds, later or earlier. */
  set(seconds: number): void {
    if (!isSeconds(seconds)) {
      const isBeyond = typeof seconds === 'number' && seconds > latestSeconds
      const advice = isBeyond ? `; ${presentAdvice}` : toSecondsNote(seconds)
      throw new RangeError(
        `now must be whole Unix seconds from 0 to ${String(latestSeconds)}; received ${quote(seconds)}${advice}`,
      )
    }
    this.#moveTo(seconds * 1000)
    this.#moves += 1
  }

  advance(by: number | string): void {
    this.#moveTo(this.nowMs() + parseDuration(by))
    this.#moves += 1
  }

  /**
   * Moves a manual clock the way polls do: not counted as a move by the test, and no further than the latest moment. If
   * every wait counts, it does nothing for a client that has itself waited since the previous poll.
   */
  tick(ms: number): void {
    const hasWaited = this.#outsideMs !== undefined && this.#moves !== this.#movesAtTick
    this.#movesAtTick = this.#moves
    if (hasWaited) return
    const laterMs = Math.min(this.nowMs() + ms, latestMs)
    this.#tickedMs += laterMs - this.nowMs()
    this.#moveTo(laterMs)
  }

  setMode(mode: ClockMode): void {
    if (!clockModes.includes(mode))
      throw new RangeError(
        `mode must be one of "${clockModes.join('", "')}"; received ${quote(mode)}${describeNearestName(mode, clockModes)}`,
      )
    this.restore({ mode, nowMs: this.nowMs() })
  }

  state(): ClockState {
    return { mode: this.#mode, nowMs: this.nowMs() }
  }

  restore({ mode, nowMs }: ClockState): void {
    this.#mode = mode
    this.#moveTo(nowMs)
  }

  #moveTo(nowMs: number): void {
    if (nowMs > latestMs)
      throw new RangeError(
        `the clock cannot pass ${String(latestSeconds)} Unix seconds, the end of the year 9999; received ${String(Math.floor(nowMs / 1000))}`,
      )
    this.#shownMs = nowMs
    this.#baseMs = this.#mode === 'manual' ? nowMs : nowMs - (readSystemMs() || 0)
  }
}
