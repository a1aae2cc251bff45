// Notices about a page's mock that do not concern a request. The console shows them.
import { getOrInsert } from '../contract/data/maps.ts'
import type { WorkspaceMock } from '../mock.ts'

type NoticeKind = 'persistence' | 'network' | 'run'

class Notices {
  readonly #texts = new Map<NoticeKind, string>()
  readonly #listeners = new Set<() => void>()

  get all(): readonly string[] {
    return [...this.#texts.values()]
  }

  /** Passing undefined removes the notice. */
  set(kind: NoticeKind, text: string | undefined): void {
    if (text === undefined) this.#texts.delete(kind)
    else this.#texts.set(kind, text)
    for (const listener of this.#listeners) listener()
  }

  /** @returns a function that unsubscribes */
  watch(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }
}

const byMock = new WeakMap<WorkspaceMock, Notices>()

export const noticesOf = (mock: WorkspaceMock): Notices => getOrInsert(byMock, mock, () => new Notices())
