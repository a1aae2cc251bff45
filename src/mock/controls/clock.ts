// Reads, sets and advances a sandbox's clock.
import type { Wrapper } from './caller-stack.ts'
import { asControl } from '../control-error.ts'
import { delay } from '../requests/delay.ts'
import type { Sandbox } from '../sandboxes/sandbox.ts'
import { parseDuration, type Clock, type ClockMode } from '../../service/store/clock.ts'

/** A number of milliseconds, seconds, minutes, hours or days. */
export type Duration = `${number}${'ms' | 's' | 'm' | 'h' | 'd'}`

/** Reads, sets and advances a sandbox's clock. */
export interface ClockControls {
  /**
   * `manual` advances only through `advance`, `set`, `sleep` and job polls; `system` follows Date. Both can be set and
   * advanced.
   * @throws {ControlError} when set to anything else
   */
  mode: ClockMode
  /** Whole Unix seconds. */
  now(): number
  nowMs(): number
  /** Sets the clock in whole Unix seconds; it can go back. @throws {ControlError} for any other value */
  set(seconds: number): void
  /**
   * Advances the clock by milliseconds, or by a duration such as `'500ms'`, `'30s'`, `'5m'`, `'2h'`, `'2d'`.
   * @throws {ControlError} for any other value
   */
  advance(by: number | Duration): void
  /**
   * A `sleep` to pass to a client; takes milliseconds. A manual clock moves once no request is in flight: sleepers wake in
   * order of their wake times, without real waiting. A system clock really waits.
   * @throws {ControlError} for any other value
   */
  sleep(ms: number): Promise<void>
}

export function createClockControls(sandboxOf: () => Sandbox, wrap: Wrapper): ClockControls {
  const clock = () => sandboxOf().store.clock
  const move = (by: (moved: Clock) => void) => asControl(() => sandboxOf().moveClock(by))
  return {
    get mode() {
      return clock().mode
    },
    set mode(mode) {
      move((moved) => moved.setMode(mode))
    },
    ...wrap({
      now: () => clock().now(),
      nowMs: () => clock().nowMs(),
      set: (seconds: number) => move((moved) => moved.set(seconds)),
      advance: (by: number | string) => move((moved) => moved.advance(by)),
    }),
    // Async, so that an invalid length rejects. Returns the promise itself, because clients race against it.
    sleep: async (ms: number) => {
      const lengthMs = asControl(() => parseDuration(ms))
      return clock().mode === 'system' ? delay(lengthMs) : sandboxOf().sleep(lengthMs)
    },
  }
}
