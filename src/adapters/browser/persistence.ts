// Saves a mock's state in IndexedDB, so that it survives a reload of the page. One page at a time saves under a name.
import { createStore, del, get, promisifyRequest, type UseStore } from 'idb-keyval'
import type { WorkspaceMock } from '../../mock.ts'
import type { Snapshot } from '../../service/store/snapshot.ts'
import { messageOf } from '../../contract/text/format.ts'
import { noticesOf } from '../../mock/notices.ts'

/** A blocked or broken IndexedDB never responds. */
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
    // Reading it throws if it is forbidden, as in a sandboxed frame.
    if ((globalThis.indexedDB as IDBFactory | undefined) === undefined)
      throw new Error('this browser has no IndexedDB')
    opened ??= createStore('workspace-api-mock', 'snapshots')
    return await Promise.race([run(opened), late])
  } catch (error) {
    // It may open the next time.
    opened = undefined
    throw error
  } finally {
    clearTimeout(timer)
  }
}

/** The state is saved this long after a response, since requests arrive in groups. */
const pauseMs = 150
/** After a reload, the earlier page may still hold the lock. */
const lockMs = 500

const defaultName = 'default'

/**
 * Deletes the saved state. A running mock does not change, and saves its state again after its next response.
 * @throws {Error} if IndexedDB is missing, fails or does not respond
 */
export function clearPersisted(name: string = defaultName): Promise<void> {
  return runInTime((states) => del(name, states))
}

/** What this page saves, by name; a later one ends the earlier one. */
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
      this.#report('not saved: another tab saves the state under this name; its changes are not shown here')
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

  /** @returns whether this page has the lock now; false if another page holds it or saving has ended in the meantime */
  async #lock(signal: AbortSignal): Promise<boolean> {
    // There are no locks on insecure origins.
    const locks = navigator.locks as LockManager | undefined
    const isLocked = await new Promise<boolean>((resolve) => {
      const hold = () =>
        new Promise<void>((release) => {
          this.#release = release
          resolve(true)
        })
      if (!locks) resolve(true)
      // If locks are forbidden, so is IndexedDB, whose error says why.
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
    if (this.#isRunning) this.#timer = setTimeout(this.#saveNow, pauseMs)
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

  /** Saves the state of this page once the page that saved it before is closed. */
  async #takeOver(): Promise<void> {
    if (!(await this.#lock(this.#ending.signal))) return
    noticesOf(this.#mock).set('persistence', undefined)
    console.info('[workspace-api-mock] the other tab is closed: the state of this one is saved from now on')
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

  /** The state of another fixture, or of another version, cannot be restored. */
  #restore(saved: Snapshot): void {
    try {
      this.#mock.restore(saved)
    } catch (error) {
      const reason = messageOf(error)
      console.warn(`[workspace-api-mock] discarded the saved state (${reason}); starting from the fixture`)
    }
  }

  /** Starts writing at once: nothing runs after the page is left. */
  readonly #saveNow = (): void => {
    clearTimeout(this.#timer)
    const snapshot = this.#mock.snapshot()
    const written = runInTime((states) =>
      states('readwrite', (snapshots) => {
        snapshots.put(snapshot, this.#name)
        // When a page is left, a transaction that is still open is lost.
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
