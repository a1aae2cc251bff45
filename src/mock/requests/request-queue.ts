// The order in which the calls to a state are handled.
import type { CallBody } from './call.ts'

/**
 * For how many microtasks a call keeps its place while its body is read. A body in memory is there within some 40;
 * one that is still being sent must not delay the calls behind it.
 */
const patience = 100

type Body = CallBody | Promise<CallBody>
type HandleBody<T> = (body: CallBody) => T | Promise<T>

export class RequestQueue {
  #tail: Promise<unknown> = Promise.resolve()
  /** How many jobs hold the queue. */
  #holds = 0

  /**
   * Runs the jobs of calls one at a time, in the order of their arrival: a job whose body is not there yet runs in its turn
   * if possible, else after the calls that came meanwhile. Even with nothing ahead of it, a job waits for a microtask, so
   * that calls made together arrive together.
   * @param abandon is called if the body cannot be read
   */
  run<T>(body: Body, job: HandleBody<T>, abandon?: () => void): Promise<T> {
    return body instanceof Promise ? this.#runAfterRead(body, job, abandon) : this.#enqueue(() => job(body))
  }

  /**
   * Runs the job of a call over a connection, which keeps its calls in order by itself: as soon as the body is there. It
   * waits only while another job holds the queue.
   */
  runRemote<T>(body: Body, job: HandleBody<T>, abandon?: () => void): Promise<T> {
    const start = (read: CallBody) => (this.#holds > 0 ? this.#enqueue(() => job(read)) : job(read))
    // A job that throws rejects.
    if (!(body instanceof Promise)) return new Promise((resolve) => resolve(start(body)))
    return body.then(start, (error: unknown) => {
      abandon?.()
      throw error
    })
  }

  /** All later calls wait for what the job of a call does. */
  hold<T>(work: Promise<T>): Promise<T> {
    const former = this.#tail
    const end = () => {
      this.#holds -= 1
      return former
    }
    this.#holds += 1
    this.#tail = work.then(end, end)
    return work
  }

  #enqueue<T>(job: () => T | Promise<T>): Promise<T> {
    const result = this.#tail.then(job, job)
    this.#tail = result
    return result
  }

  async #runAfterRead<T>(reading: Promise<CallBody>, job: HandleBody<T>, abandon?: () => void): Promise<T> {
    let isSettled = false
    const settle = () => (isSettled = true)
    reading.then(settle, () => {
      settle()
      abandon?.()
    })
    const inPlace = await this.#enqueue(async () => {
      for (let turn = 0; turn < patience && !isSettled; turn++) await Promise.resolve()
      return isSettled ? { result: await job(await reading) } : undefined
    })
    if (inPlace) return inPlace.result
    const read = await reading
    return this.#enqueue(() => job(read))
  }
}
