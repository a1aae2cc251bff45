// The order in which the calls to a state are handled.

/**
 * For how many microtasks a call keeps its place while its body is read. A body in memory is there within some 40;
 * one that is still being sent must not delay the calls behind it.
 */
const patience = 100

const nothing = () => undefined

type Job<T> = () => T | Promise<T>

export class RequestQueue {
  #tail: Promise<unknown> = Promise.resolve()
  /** How many jobs hold the queue. */
  #holds = 0

  /**
   * Runs jobs one at a time, in the order of their arrival. Even with nothing ahead of it, a job waits for a microtask,
   * so that calls made together arrive together.
   */
  run<T>(job: Job<T>): Promise<T> {
    const result = this.#tail.then(job, job)
    this.#tail = result
    return result
  }

  /** Runs the job of a call over a connection, which keeps its calls in order by itself: at once, unless another holds the queue. */
  runAtOnce<T>(job: Job<T>): T | Promise<T> {
    return this.#holds > 0 ? this.run(job) : job()
  }

  /** Runs a job in its turn if the body is read by then, else after the jobs that came meanwhile. */
  async runAfter<T>(reading: Promise<unknown>, job: Job<T>): Promise<T> {
    let isSettled = false
    const settle = () => (isSettled = true)
    reading.then(settle, settle)
    const inPlace = await this.run(async () => {
      for (let turn = 0; turn < patience && !isSettled; turn++) await Promise.resolve()
      if (!isSettled) return undefined
      await reading
      return { result: await job() }
    })
    if (inPlace) return inPlace.result
    await reading
    return this.run(job)
  }

  /** All later calls wait for what the job of a call does. */
  hold<T>(work: Promise<T>): Promise<T> {
    // The work is often that of the very job that waits for it, whose caller is told of a failure.
    const former = this.#tail.then(nothing, nothing)
    const end = () => {
      this.#holds -= 1
      return former
    }
    this.#holds += 1
    this.#tail = work.then(end, end)
    return work
  }
}
