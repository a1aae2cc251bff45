// The clock of the deployment, as far as its responses show it: the mock's clock is set to it before each request.
import type { Context } from '../engine/start.ts'

export class DeploymentClock {
  readonly #nowMs: () => number
  /** What is added to the run's own clock. */
  #offsetMs: number

  constructor({ nowMs }: Context, seconds: number) {
    this.#nowMs = nowMs
    this.#offsetMs = seconds * 1000 - nowMs()
  }

  /** Milliseconds of the run's own clock. */
  get localMs(): number {
    return this.#nowMs()
  }

  /** The deployment's time in milliseconds, at a moment of the run's own clock. */
  at(localMs: number): number {
    return localMs + this.#offsetMs
  }

  /** Sets the clock by times that the deployment gave, each to something made at a moment of the run's own clock. */
  setBy(samples: readonly { readonly seconds: number; readonly localMs: number }[]): void {
    const offsets = samples.map(({ seconds, localMs }) => seconds * 1000 + 500 - localMs)
    const median = offsets.sort((a, b) => a - b)[Math.floor(offsets.length / 2)]
    this.#offsetMs = median ?? this.#offsetMs
  }
}
