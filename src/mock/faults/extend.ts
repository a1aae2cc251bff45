// Adds items to a listing of tasks, rows or submissions, regardless of limits and locks.
import { byForm, submitForm } from '../../service/resources/forms.ts'
import { addTask } from '../../service/resources/tasks.ts'
import { compileTable } from '../../service/rows/columns.ts'
import { writeRow } from '../../service/rows/rows.ts'
import { ignoreBreach, type Store } from '../../service/store/store.ts'
import { ControlError } from '../control-error.ts'
import type { Extension } from './effect-spec.ts'
import { decodeSegment } from '../requests/locate.ts'
import { findOperation } from '../requests/route.ts'

interface ExtendedListing {
  has(id: string): boolean
  /** @returns the id of the new item */
  add(number: number, values: Readonly<Record<string, unknown>> | undefined): string
}

/** Submits a form with its last submission's values. @returns the new submission's id */
export function submitAgain(store: Store, formId: string): string {
  const last = store.submissions.of(byForm, formId).at(-1)
  return submitForm(store, formId, structuredClone(last?.data ?? {})).id
}

function openListing(store: Store, path: string): ExtendedListing {
  const { params = {} } = findOperation('GET', path) ?? {}
  const idOf = (name: string) => decodeSegment(params[name] ?? '')
  const { formId, listId } = params
  if (formId !== undefined) {
    return { has: (id) => store.submissions.has(id), add: () => submitAgain(store, idOf('formId')) }
  }
  if (listId !== undefined) {
    const list = store.lists.get(idOf('listId'))
    const workspace = list && store.workspaces.get(list.workspace_id)
    if (!list || !workspace) throw new ControlError(`the list in effect.extend.path, ${path}, does not exist`)
    const place = { store, workspace, list, reportBreach: ignoreBreach }
    return {
      has: (id) => store.tasks.has(id),
      add: (number, values) => addTask(place, { title: `Further task ${String(number)}`, ...values }).id,
    }
  }
  const record = store.tables.get(idOf('tableId'))
  if (!record) throw new ControlError(`the table in effect.extend.path, ${path}, does not exist`)
  const table = compileTable(store, record)
  return {
    has: (id) => table.rows.has(id),
    add: (_, values = {}) => writeRow(table, values, ignoreBreach).id,
  }
}

export const hasItem = (store: Store, path: string, id: string): boolean => openListing(store, path).has(id)

/** @returns the ids of the new items */
export function extendListing(store: Store, { path, count, values }: Extension): readonly string[] {
  const listing = openListing(store, path)
  return Array.from({ length: count }, (_, index) => listing.add(index + 1, values))
}
