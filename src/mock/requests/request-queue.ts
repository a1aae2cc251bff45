// The order in which a state's calls are handled.

/**
 * Number of microtasks for which a call keeps its place while its body is read. A body in memory takes about 40; one that is
 * still being sent must not delay the calls behind it.
 */
const patience = 100

const nothing = () => undefined

type Job<T> = () => T | Promise<T>

export class RequestQueue {
  #tail: Promise<unknown> = Promise.resolve()
  /** Number of jobs that hold the queue. */
  #holds = 0

  /**
   * Runs jobs one at a time, in order of arrival. Even with nothing ahead of it, a job waits for one microtask, so that
   * calls made together arrive together.
   */
  run<T>(job: Job<T>): Promise<T> {
    const result = this.#tail.then(job, job)
    this.#tail = result
    return result
  }

  /**
   * Runs the job of a call that came over a connection. The connection keeps its calls in order, so the job runs at once
   * unless another holds the queue.
   */
  runAtOnce<T>(job: Job<T>): T | Promise<T> {
    return this.#holds > 0 ? this.run(job) : job()
  }

  /** Runs a job in its turn if the body has been read by then, otherwise after the jobs that came in the meantime. */
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

  /** Makes later calls wait until this call's work is done. */
  hold<T>(work: Promise<T>): Promise<T> {
    // Ignores errors: the work often belongs to the very job that waits for it, and that job's caller gets the error.
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
