// Saves a mock's state in IndexedDB so that it survives page reloads. Only one page at a time saves under a given name.
import { createStore, del, get, promisifyRequest, type UseStore } from 'idb-keyval'
import type { WorkspaceMock } from '../../mock.ts'
import type { Snapshot } from '../../service/store/snapshot.ts'
import { messageOf } from '../../contract/text/format.ts'
import { noticesOf } from '../../mock/notices.ts'

/** Time limit, because a blocked or broken IndexedDB never responds. */
const responseMs = 3000

let opened: UseStore | undefined

/** @throws {Error} if IndexedDB is missing, fails or does not respond in time */
async function runInTime<T>(run: (states: UseStore) => Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    const error = new Error(`IndexedDB did not respond within ${String(responseMs / 1000)} s`)
    timer = setTimeout(() => reject(error), responseMs)
  })
  try {
    // Reading `indexedDB` throws if access is forbidden, as in a sandboxed frame.
    if ((globalThis.indexedDB as IDBFactory | undefined) === undefined)
      throw new Error('this browser has no IndexedDB')
    opened ??= createStore('workspace-api-mock', 'snapshots')
    return await Promise.race([run(opened), late])
  } catch (error) {
    // The next call may be able to open the database.
    opened = undefined
    throw error
  } finally {
    clearTimeout(timer)
  }
}

/** Delay between a response and saving the state, because requests arrive in bursts. */
const savePauseMs = 150
/** Maximum wait for the lock: after a reload, the previous page may still hold it. */
const lockMs = 500

const defaultName = 'default'

/**
 * Deletes the saved state. A running mock keeps its state and saves it again after its next response.
 * @throws {Error} if IndexedDB is missing, fails or does not respond
 */
export function clearPersisted(name: string = defaultName): Promise<void> {
  return runInTime((states) => del(name, states))
}

/** Running instances by name. Starting another one under the same name ends the previous one. */
const running = new Map<string, Persistence>()

export class Persistence {
  readonly #mock: WorkspaceMock
  readonly #name: string
  readonly #ending = new AbortController()
  #release: (() => void) | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  #writing: Promise<void> = Promise.resolve()
  #isRunning = false
  #hasFailed = false

  constructor(mock: WorkspaceMock, name: string | true) {
    this.#mock = mock
    this.#name = name === true ? defaultName : name
  }

  /** Restores the saved state and saves it from then on; runs without persistence if that is impossible. */
  async start(): Promise<void> {
    running.get(this.#name)?.end()
    running.set(this.#name, this)
    const isLocked = await this.#lock(AbortSignal.timeout(lockMs))
    if (this.#ending.signal.aborted) return
    if (!isLocked) {
      this.#report(
        'not saved: another tab already saves the state under this name; its changes do not appear here',
      )
      void this.#takeOver()
      return
    }
    try {
      const saved = await runInTime((states) => get<Snapshot>(this.#name, states))
      if (this.#ending.signal.aborted) return
      if (saved !== undefined) this.#restore(saved)
      this.#run()
    } catch (error) {
      this.#reportFailure(error)
    }
  }

  /** @returns true if this page now has the lock; false if another page holds it or saving has ended in the meantime */
  async #lock(signal: AbortSignal): Promise<boolean> {
    // Insecure origins have no locks.
    const locks = navigator.locks as LockManager | undefined
    const isLocked = await new Promise<boolean>((resolve) => {
      const hold = () =>
        new Promise<void>((release) => {
          this.#release = release
          resolve(true)
        })
      if (!locks) resolve(true)
      // If locks are forbidden, IndexedDB is too, and its error explains why.
      else
        locks
          .request(`workspace-api-mock ${this.#name}`, { signal }, hold)
          .catch(() => resolve(!signal.aborted))
    })
    if (this.#ending.signal.aborted) this.#release?.()
    return isLocked && !this.#ending.signal.aborted
  }

  readonly save = (): void => {
    clearTimeout(this.#timer)
    if (this.#isRunning) this.#timer = setTimeout(this.#saveNow, savePauseMs)
  }

  async stop(): Promise<void> {
    if (this.#isRunning) this.#saveNow()
    this.#isRunning = false
    await this.#writing
    this.end()
  }

  async clear(): Promise<void> {
    clearTimeout(this.#timer)
    await this.#writing
    if (this.#isRunning)
      await clearPersisted(this.#name).catch((error: unknown) => this.#reportFailure(error))
  }

  #run(): void {
    addEventListener('pagehide', this.#saveNow)
    this.#isRunning = true
  }

  end(): void {
    this.#ending.abort()
    clearTimeout(this.#timer)
    removeEventListener('pagehide', this.#saveNow)
    this.#isRunning = false
    this.#release?.()
    noticesOf(this.#mock).set('persistence', undefined)
    if (running.get(this.#name) === this) running.delete(this.#name)
  }

  /** Waits until the page that holds the lock is closed, then saves this page's state from then on. */
  async #takeOver(): Promise<void> {
    if (!(await this.#lock(this.#ending.signal))) return
    noticesOf(this.#mock).set('persistence', undefined)
    console.info('[workspace-api-mock] the other tab is closed; this tab saves its state from now on')
    this.#run()
    this.save()
  }

  #report(text: string): void {
    noticesOf(this.#mock).set('persistence', text)
    console.warn(`[workspace-api-mock] ${text}`)
  }

  #reportFailure(error: unknown): void {
    if (!this.#hasFailed) this.#report(`the state is not saved: ${messageOf(error)}`)
    this.#hasFailed = true
  }

  /** Restores a saved state, or discards it if it is from another fixture or version. */
  #restore(saved: Snapshot): void {
    try {
      this.#mock.restore(saved)
    } catch (error) {
      const reason = messageOf(error)
      console.warn(`[workspace-api-mock] discarded the saved state (${reason}); starting from the fixture`)
    }
  }

  /** Starts writing at once, because no code runs after the page has been left. */
  readonly #saveNow = (): void => {
    clearTimeout(this.#timer)
    const snapshot = this.#mock.snapshot()
    const written = runInTime((states) =>
      states('readwrite', (snapshots) => {
        snapshots.put(snapshot, this.#name)
        // A transaction that is still open when the page is left is lost.
        snapshots.transaction.commit()
        return promisifyRequest(snapshots.transaction)
      }),
    )
    this.#writing = written.then(
      () => {
        if (this.#hasFailed) noticesOf(this.#mock).set('persistence', undefined)
        this.#hasFailed = false
      },
      (error: unknown) => this.#reportFailure(error),
    )
  }
}
