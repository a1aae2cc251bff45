// What the console reads of all sandboxes at once, outside the surface of a mock for tests.
import { assertExists } from '../control-error.ts'
import type { FaultState } from '../faults/faults.ts'
import { toJournalSummary, type JournalSummary } from '../journal/entry.ts'
import { isHeld } from '../journal/weight.ts'
import type { Exchange } from '../requests/exchange.ts'
import type { Finding } from '../sandboxes/client-report.ts'
import type { Sandbox } from '../sandboxes/sandbox.ts'
import type { Sandboxes } from '../sandboxes/sandboxes.ts'
import type { SandboxSummary } from './mock-controls.ts'
import { matchesTerm, parseSearch, toSearchText } from './search.ts'

/** Names of sandboxes, separated by commas; the main one is empty. By default all. */
type Names = string

/** Requests of a sandbox that a search found. */
export interface JournalMatches {
  /** Null is the main sandbox. */
  readonly sandbox: string | null
  /** The latest request that was searched. */
  readonly upTo: number
  readonly ids: readonly number[]
}

export interface JournalPage {
  readonly of?: Names | undefined
  /** Only requests before this one. */
  readonly before?: number | undefined
  /** Only the latest so many of each sandbox. */
  readonly limit?: number | undefined
}

/** A sandbox at a glance; null is the main one. */
export type SandboxAtAGlance = Omit<SandboxSummary, 'name'> & { readonly name: string | null }

export interface ConsoleControls {
  /** Requests that match a text: words, `"several words"`, `-word`, `#5`, `status:4xx`; over all sandboxes by default. */
  search(text: string, query?: { readonly of?: Names | undefined }): readonly JournalMatches[]
  /** Journals without bodies, oldest first. */
  journals(page: JournalPage): readonly (JournalSummary & { readonly sandbox: string | null })[]
  /** All sandboxes, the main one first; faults and findings of those in `of`, by default of all. */
  contents(query: { readonly of?: Names | undefined }): {
    readonly runs: readonly SandboxAtAGlance[]
    readonly contents: readonly {
      readonly sandbox: string | null
      readonly faults: readonly FaultState[]
      readonly findings: readonly Finding[]
    }[]
  }
}

const byMock = new WeakMap<object, ConsoleControls>()

export const consoleControlsOf = (mock: object): ConsoleControls =>
  assertExists(byMock.get(mock), 'console of the mock', '')

const decoder = new TextDecoder()

/** In any letter case, as in the texts of the console. */
function hasText(body: Exchange['responseBody'], text: string): boolean {
  if (!isHeld(body)) return false
  return (typeof body === 'string' ? body : decoder.decode(body)).toLowerCase().includes(text)
}

type Named = readonly [name: string | null, sandbox: Sandbox]

export function createConsoleControls(mock: object, sandboxes: Sandboxes): void {
  const all = (): Named[] => [[null, sandboxes.main], ...sandboxes.entries()]
  const listNamed = (of: Names | undefined) => {
    // From a query, a name or a text of digits alone is a number.
    const names = of === undefined ? undefined : new Set(of.split(','))
    return names ? all().filter(([name]) => names.has(name ?? '')) : all()
  }
  byMock.set(mock, {
    search(text, { of } = {}) {
      const terms = parseSearch(text)
      return listNamed(of).map(([name, { journal }]) => {
        const found = journal.exchanges().filter((exchange) => {
          const request = { ...toJournalSummary(exchange), sandbox: name }
          const searchText = toSearchText(request)
          const has = (word: string) =>
            searchText.includes(word) ||
            hasText(exchange.requestBody, word) ||
            hasText(exchange.responseBody, word)
          return terms.every((term) => matchesTerm(request, term, has))
        })
        return { sandbox: name, upTo: journal.lastId, ids: found.map(({ id }) => id) }
      })
    },
    journals: ({ of, before, limit }) =>
      listNamed(of).flatMap(([name, { journal }]) =>
        journal.exchanges({ before, limit }).map((exchange) => ({
          ...toJournalSummary(exchange),
          sandbox: name,
        })),
      ),
    contents: ({ of }) => ({
      runs: all().map(([name, { journal, report }]) => ({
        name,
        ...journal.counts,
        findings: report.findings({ assumptions: false }).length,
      })),
      contents: listNamed(of).map(([name, { faults, report }]) => ({
        sandbox: name,
        faults: faults.listStates(),
        findings: report.findings({ assumptions: false }),
      })),
    }),
  })
}
