// Decides from observations whether a run hangs. Reads no clock and sets no timer.

/** A run that takes longer than this in real time hangs, whatever it waits for. */
const longestMs = 60_000
/** A run hangs if this many timers fire without a request, over a time longer than any backoff. */
const firing = { count: 1000, ms: 10_000 }
/** A scenario waits forever if it wakes without a request `count` times over `elapsedMs`, or `inAll` times in total. */
const mostWakes = { count: 1000, elapsedMs: 1_200_000, inAll: 50_000 }
const mostSleepers = 100_000

export interface HangLimits {
  readonly mostRequests: number
  /** Divisor of the usual limits: 1 until the client has hung. */
  readonly haste: number
  /** Maximum real time without a sign of life. */
  readonly mostIdleMs: number
}

/** What was observed about a run. */
export class Sightings {
  requests = 0
  sleepers = 0
  /** Wakes since the last request, and the time they took on the run's clock. */
  wakes = 0
  elapsedMs = 0
  /** Real timers fired since the last request. */
  fired = 0
  /** Real time since the run began, and since the last request. */
  ageMs = 0
  sinceRequestMs = 0
  /** Real time without a sign of life: the part counted as idle, and the total. */
  idleMs = 0
  idleRealMs = 0

  /** Whether the run wakes so often that it must be polling with zero-length waits. */
  get isRepeating(): boolean {
    return this.wakes > mostWakes.count
  }

  /** Why the run hangs; undefined if it does not. */
  explainHang({ mostRequests, haste, mostIdleMs }: HangLimits): string | undefined {
    const { requests, sleepers, wakes, elapsedMs, fired } = this
    if (requests > mostRequests) return `it made ${String(mostRequests)} requests without ending`
    if (sleepers > mostSleepers) return `it has more than ${String(mostSleepers)} waits pending at once`
    if ((this.isRepeating && elapsedMs > mostWakes.elapsedMs) || wakes > mostWakes.inAll / haste)
      return `it waited ${String(wakes)} times without a request`
    if (this.ageMs > longestMs) return `it has run for more than ${String(longestMs / 1000)} s`
    if (fired > firing.count && this.sinceRequestMs > firing.ms / haste)
      return `${String(fired)} timers fired without a request`
    if (this.idleMs < mostIdleMs) return undefined
    const seconds = String(Math.floor(this.idleRealMs / 1000))
    return `no sign of life for ${seconds} s: no request, sleep, timer or other work in its process`
  }
}
