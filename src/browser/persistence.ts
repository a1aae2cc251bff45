// Saves a mock's state over reloads of the page, in IndexedDB.
import { createStore, del, get, promisifyRequest, type UseStore } from 'idb-keyval'
import type { WorkspaceMock } from '../mock.ts'
import type { Snapshot } from '../store/snapshot.ts'

/** How long after an answer the state is kept: requests come in groups. */
const pauseMs = 150

let opened: UseStore | undefined
const store = () => (opened ??= createStore('workspace-api-mock', 'snapshots'))

/** The name under which the state is kept where none is given. */
const defaultName = 'default'

/** Forgets the state that was kept. A mock that runs is not changed, and keeps its state anew when it next answers. */
export function clearPersisted(name: string = defaultName): Promise<void> {
  return del(name, store())
}

/** Commits at once: of a page that is left, what waits for its own success is lost. */
function write(name: string, snapshot: Snapshot): Promise<void> {
  return store()('readwrite', (snapshots) => {
    snapshots.put(snapshot, name)
    snapshots.transaction.commit()
    return promisifyRequest(snapshots.transaction)
  })
}

/** The kept state of one mock. */
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

  /** Brings the kept state back, and from then on keeps what the page leaves behind. */
  async start(): Promise<void> {
    const kept = await get<Snapshot>(this.#name, store())
    if (kept !== undefined) this.#restore(kept)
    addEventListener('pagehide', this.#keepNow)
    this.#isRunning = true
  }

  /** Keeps the state soon. */
  readonly keep = (): void => {
    clearTimeout(this.#timer)
    if (this.#isRunning) this.#timer = setTimeout(this.#keepNow, pauseMs)
  }

  /** Keeps the state for the last time. */
  async stop(): Promise<void> {
    this.#isRunning = false
    removeEventListener('pagehide', this.#keepNow)
    this.#keepNow()
    await this.#writing
  }

  async clear(): Promise<void> {
    clearTimeout(this.#timer)
    await this.#writing
    await clearPersisted(this.#name)
  }

  /** What was kept of another fixture, or by another version, is of no use. */
  #restore(kept: Snapshot): void {
    try {
      this.#mock.restore(kept)
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      console.warn(`[workspace-api-mock] discarded the saved state (${reason}); starting from the fixture`)
    }
  }

  /** Begins to write at once: a page that is left runs nothing later. */
  readonly #keepNow = (): void => {
    clearTimeout(this.#timer)
    this.#writing = write(this.#name, this.#mock.snapshot()).catch((error: unknown) => {
      console.warn('[workspace-api-mock] the state could not be kept', error)
    })
  }
}
