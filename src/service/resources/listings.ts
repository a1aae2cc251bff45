// Re-reads a listing, to tell whether a record is still in it and how many there are.
import type { OperationId, QueryFor } from '../../contract/index.ts'
import type { RowQuery } from '../../contract/rows.ts'
import { compileTable } from '../rows/columns.ts'
import { parseListingFilters, prepareQuery } from '../rows/query.ts'
import { matchesFilters } from '../rows/selection.ts'
import type { StoredRow } from '../store/table.ts'
import { byForm } from './forms.ts'
import type { Located, ParsedRequest } from './request.ts'
import { byList, createTaskTest } from './tasks.ts'

/** A whole listing in its current state, whichever page was requested. */
export interface Listing {
  readonly has: (id: string) => boolean
  readonly count: () => number
}

export type ListingRequest = Pick<
  ParsedRequest<OperationId>,
  'store' | 'at' | 'query' | 'otherQuery' | 'body'
>

/** @throws {ApiError} if answers to open questions changed and the request is no longer valid */
export function findListed(operation: OperationId, request: ListingRequest): Listing {
  const { store, at, query } = request
  const { table: record, list, form } = at as Partial<Located>
  if (record) {
    const table = compileTable(store, record)
    const selection =
      operation === 'queryRows'
        ? prepareQuery(table, request.body as RowQuery)
        : { filters: parseListingFilters(table, request.otherQuery), matchesAny: false }
    const matches = (row: StoredRow | null | undefined) => Boolean(row && matchesFilters(selection, row))
    const { rows } = table
    return { has: (id) => matches(rows.get(id)), count: () => rows.slots().filter(matches).length }
  }
  if (list) {
    const matches = createTaskTest(store, list, query as QueryFor<'listTasks'>)
    const tasks = () => store.tasks.of(byList, list.id)
    const has = (id: string) => {
      const task = store.tasks.get(id)
      return task?.deleted_at === null && matches(task)
    }
    return { has, count: () => tasks().filter(matches).length }
  }
  const { since = -Infinity } = query as QueryFor<'listFormSubmissions'>
  const submissions = () => (form ? store.submissions.of(byForm, form.id) : [])
  const count = () => submissions().filter(({ created_at }) => created_at > since).length
  return { has: (id) => store.submissions.get(id) !== undefined, count }
}
