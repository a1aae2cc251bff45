// The queue of calls to a state. A call stays with the state in which it arrived, even if another replaces that.
import type { Store } from '../../service/store/store.ts'
import type { Faults } from '../faults/faults.ts'

interface QueueState {
  readonly store: Store
  readonly faults: Faults
  /** Numbers requests as they arrive. */
  readonly journal: { readonly lastId: number; nextArrival(): number }
}

/**
 * For how many microtasks a call keeps its place while its body is read. A body in memory is there within some 40;
 * one that is still being sent must not delay the calls behind it.
 */
const patience = 100

export class RequestQueue<State extends QueueState = QueueState> {
  readonly state: State
  #tail: Promise<unknown> = Promise.resolve()

  constructor(state: State) {
    this.state = state
  }

  /**
   * Runs jobs one at a time, in the order of their arrival. Even with nothing ahead of it, a job waits for a
   * microtask, so that calls made together arrive together.
   */
  enqueue<T>(job: () => T | Promise<T>): Promise<T> {
    const result = this.#tail.then(job, job)
    this.#tail = result
    return result
  }

  /** Runs a job when its body has arrived: in its turn if possible, else after the calls that came meanwhile. */
  async enqueueAfterRead<Read, T>(reading: Promise<Read>, job: (read: Read) => T): Promise<T> {
    let isSettled = false
    const settle = () => (isSettled = true)
    reading.then(settle, settle)
    const inPlace = await this.enqueue(async () => {
      for (let turn = 0; turn < patience && !isSettled; turn++) await Promise.resolve()
      return isSettled ? { result: job(await reading) } : undefined
    })
    if (inPlace) return inPlace.result
    const read = await reading
    return this.enqueue(() => job(read))
  }
}
