// Owns finding the rows that filters let through, in order, and keeping what was found for the next page.
import type { Answers } from '../contract/questions.ts'
import type { TableRecord } from './datatables.ts'
import type { LazyOrder } from './lazy-order.ts'
import type { ValueTest } from './row-filter.ts'
import { orderRows, type SortBy } from './row-sort.ts'
import type { RowTable, StoredRow } from './row-table.ts'
import type { WorkspaceRecord } from './workspaces.ts'

export interface RowFilter {
  readonly read: (row: StoredRow) => unknown
  readonly test: ValueTest
  /** What it asks for, as JSON: the same for filters that let the same rows through. */
  readonly asks: readonly unknown[]
}

/** Which rows, and in which order. */
export interface RowSelection {
  readonly filters: readonly RowFilter[]
  /** Whether one filter is enough. */
  readonly matchesAny: boolean
  readonly sort: readonly SortBy[]
  /** What filters and order depend on beside the rows: names of options and members, and how text compares. */
  readonly table: TableRecord
  readonly workspace: WorkspaceRecord
  readonly answers: Answers
}

/** Rows that match, in insertion order, and how they are sorted. */
interface Found {
  readonly rows: readonly StoredRow[]
  readonly order: LazyOrder | null
}

type Kept = Pick<RowSelection, 'table' | 'workspace' | 'answers'> & {
  readonly revision: number
  /** By what was asked for, least recently used first. */
  readonly results: Map<string, Found>
}

const keptResults = 4
/** What is asked for at greater length is not worth keeping. */
const keptCharacters = 10_000

const kept = new WeakMap<RowTable, Kept>()

/** Results of this table that still hold: nothing they depend on has changed. */
function validResults(table: RowTable, selection: RowSelection): Map<string, Found> {
  const known = kept.get(table)
  if (
    known?.revision === table.revision &&
    known.table === selection.table &&
    known.workspace === selection.workspace &&
    known.answers === selection.answers
  )
    return known.results
  const results = new Map<string, Found>()
  const { workspace, answers } = selection
  kept.set(table, { revision: table.revision, table: selection.table, workspace, answers, results })
  return results
}

function asked({ filters, matchesAny, sort }: RowSelection): string {
  const order = sort.map(({ column, isDescending }) => [column.id, isDescending])
  return JSON.stringify([filters.map(({ asks }) => asks), matchesAny, order])
}

function matching(table: RowTable, { filters, matchesAny }: RowSelection): readonly StoredRow[] {
  const [first, ...others] = filters
  if (!first) return table.all()
  const { read, test } = first
  const found: StoredRow[] = []
  for (const row of table.slots()) {
    if (row === null) continue
    let matches = test(read(row))
    for (let i = 0; matches !== matchesAny && i < others.length; i++) {
      const other = others[i] as RowFilter
      matches = other.test(other.read(row))
    }
    if (matches) found.push(row)
  }
  return found
}

function find(table: RowTable, selection: RowSelection): Found {
  const results = validResults(table, selection)
  const key = asked(selection)
  let found = results.get(key)
  if (found) results.delete(key)
  else {
    const rows = matching(table, selection)
    found = { rows, order: selection.sort.length > 0 ? orderRows(rows, selection.sort) : null }
  }
  if (key.length <= keptCharacters) results.set(key, found)
  for (const oldest of results.keys()) {
    if (results.size <= keptResults) break
    results.delete(oldest)
  }
  return found
}

export interface RowsFound {
  readonly rows: readonly StoredRow[]
  /** How many there are on all pages. */
  readonly total: number
}

/**
 * The rows of a page. Only as much is sorted as the pages asked for so far need, and the next page of what was asked
 * for lately goes on from there.
 */
export function findRows(table: RowTable, selection: RowSelection, offset: number, limit: number): RowsFound {
  if (selection.filters.length === 0 && selection.sort.length === 0)
    return { rows: table.slice(offset, limit), total: table.count }
  const { rows, order } = find(table, selection)
  if (!order) return { rows: rows.slice(offset, offset + limit), total: rows.length }
  const page = order.slice(Math.min(offset, rows.length), offset + limit)
  return { rows: Array.from(page, (index) => rows[index] as StoredRow), total: rows.length }
}
