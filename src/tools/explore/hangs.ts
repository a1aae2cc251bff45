// Decides whether a run hangs, from what was observed of it. Reads no clock and sets no timer.

/** A run that takes longer than this in real time hangs, whatever it waits for. */
const longestMs = 60_000
/** So many timers fired without a request, for longer than any backoff waits, are a hang. */
const firing = { count: 1000, ms: 10_000 }
/** A scenario that wakes this often without a request waits forever: so often for this long, or so often in all. */
const mostWakes = { count: 1000, elapsedMs: 1_200_000, inAll: 50_000 }
const mostSleepers = 100_000

export interface HangLimits {
  readonly mostRequests: number
  /** Divides the usual limits once a client has hung before. */
  readonly haste: number
  /** Real time without a sign of life. */
  readonly mostIdleMs: number
}

/** What was observed of a run. */
export class Sightings {
  requests = 0
  sleepers = 0
  /** Wakes since the last request, and the time that passed with them on the clock of the run. */
  wakes = 0
  elapsedMs = 0
  /** Real timers fired since the last request. */
  fired = 0
  /** Real time since the run began, and since the last request. */
  ageMs = 0
  sinceRequestMs = 0
  /** Real time without a sign of life: what counts of it, and all of it. */
  idleMs = 0
  idleRealMs = 0

  /** Whether it wakes so often that it must be repeating a wait of no time until something else happens. */
  get isRepeating(): boolean {
    return this.wakes > mostWakes.count
  }

  /** Why the run hangs; undefined if it does not. */
  explainHang({ mostRequests, haste, mostIdleMs }: HangLimits): string | undefined {
    const { requests, sleepers, wakes, elapsedMs, fired } = this
    if (requests > mostRequests) return `it made ${String(mostRequests)} requests without ending`
    if (sleepers > mostSleepers) return `it waits ${String(mostSleepers)} times at once`
    if ((this.isRepeating && elapsedMs > mostWakes.elapsedMs) || wakes > mostWakes.inAll / haste)
      return `it waited ${String(wakes)} times without a request`
    if (this.ageMs > longestMs) return `${String(longestMs / 1000)} s have passed`
    if (fired > firing.count && this.sinceRequestMs > firing.ms / haste)
      return `${String(fired)} timers fired without a request`
    if (this.idleMs < mostIdleMs) return undefined
    const seconds = String(Math.floor(this.idleRealMs / 1000))
    return `nothing seen for ${seconds} s: no request, no sleep, no timer, no work of its process`
  }
}
