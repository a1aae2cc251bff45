// Saves a mock's state in IndexedDB, so that it survives a reload of the page.
import { createStore, del, get, promisifyRequest, type UseStore } from 'idb-keyval'
import type { WorkspaceMock } from '../mock.ts'
import type { Snapshot } from '../store/snapshot.ts'
import { messageOf } from '../contract/text/format.ts'

/** How long after a response the state is saved: requests arrive in groups. */
const pauseMs = 150

let opened: UseStore | undefined
const store = () => (opened ??= createStore('workspace-api-mock', 'snapshots'))

/** The name of the saved state by default. */
const defaultName = 'default'

/** Deletes the saved state. A running mock does not change, and saves its state again after its next response. */
export function clearPersisted(name: string = defaultName): Promise<void> {
  return del(name, store())
}

/** Commits at once: when a page is left, a transaction that is still open is lost. */
function write(name: string, snapshot: Snapshot): Promise<void> {
  return store()('readwrite', (snapshots) => {
    snapshots.put(snapshot, name)
    snapshots.transaction.commit()
    return promisifyRequest(snapshots.transaction)
  })
}

/** The saved state of one mock. */
export class Persistence {
  readonly #mock: WorkspaceMock
  readonly #name: string
  #timer: ReturnType<typeof setTimeout> | undefined
  #writing: Promise<void> = Promise.resolve()
  #isRunning = false

  constructor(mock: WorkspaceMock, name: string | true) {
    this.#mock = mock
    this.#name = name === true ? defaultName : name
  }

  /** Restores the saved state, and from then on saves it when the page is left. */
  async start(): Promise<void> {
    const saved = await get<Snapshot>(this.#name, store())
    if (saved !== undefined) this.#restore(saved)
    addEventListener('pagehide', this.#saveNow)
    this.#isRunning = true
  }

  /** Saves the state soon. */
  readonly save = (): void => {
    clearTimeout(this.#timer)
    if (this.#isRunning) this.#timer = setTimeout(this.#saveNow, pauseMs)
  }

  /** Saves the state for the last time. */
  async stop(): Promise<void> {
    this.#isRunning = false
    removeEventListener('pagehide', this.#saveNow)
    this.#saveNow()
    await this.#writing
  }

  async clear(): Promise<void> {
    clearTimeout(this.#timer)
    await this.#writing
    await clearPersisted(this.#name)
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
    this.#writing = write(this.#name, this.#mock.snapshot()).catch((error: unknown) => {
      console.warn('[workspace-api-mock] the state could not be saved', error)
    })
  }
}
