// The ids, bodies and parameters of random requests, chosen by a seed from the declarations of operations.
import * as z from 'zod/mini'
import type { OperationSpec } from '../../../contract/operation.ts'
import type { JsonObject } from '../../../contract/schema/maps.ts'
import { Unreachable } from '../engine/drift.ts'
import type { Params } from '../engine/ledger.ts'
import type { Play } from '../twin/play.ts'
import { valuesOfField } from './field-values.ts'
import {
  valuesOfColumn,
  fillCells,
  makeMarkedRow,
  getOwnList,
  getOwnTable,
  findWritableColumns,
} from './own.ts'
import { makeFull, makeRecord, makeRow } from './records.ts'
import { farDay } from './values.ts'

export interface Chance {
  readonly play: Play
  readonly below: (bound: number) => number
  /** Parameters of the paths to records made so far, by the name of the last parameter. */
  readonly made: Map<string, Params[]>
}

const pick = <T>({ below }: Chance, items: readonly T[]): T | undefined => items[below(items.length)]

const makers: Readonly<Record<string, (chance: Chance) => Params | Promise<Params>>> = {
  rowId: async ({ play }) => makeRow(play, fillCells(play)),
  taskId: async ({ play }) => makeFull(play, 'Task'),
  commentId: async (chance) => makeOnTask(chance, 'Comment'),
  entryId: async (chance) => makeOnTask(chance, 'TimeEntry'),
  listId: ({ play }) => ({ listId: getOwnList(play) }),
  tableId: ({ play }) => ({ tableId: getOwnTable(play).id }),
}

async function makeOnTask(chance: Chance, kind: 'Comment' | 'TimeEntry') {
  return makeRecord(chance.play, kind, undefined, await chooseParams(chance, 'taskId', false))
}

/** Records that were pulled, which are only read. */
function findKnownParams({ play: { known } }: Chance, name: string): Params[] {
  const { tables, lists, forms } = known
  const byName: Readonly<Record<string, readonly Params[]>> = {
    tableId: tables.map(({ id }) => ({ tableId: id })),
    rowId: tables.flatMap(({ id, rows }) => rows.map((row) => ({ tableId: id, rowId: row.id }))),
    listId: lists.map(({ id }) => ({ listId: id })),
    taskId: lists.flatMap(({ tasks }) => tasks.slice(0, 8).map((task) => ({ taskId: task.id }))),
    formId: forms.map(({ id }) => ({ formId: id })),
  }
  return [...(byName[name] ?? [])]
}

/** Writes change only what the run has made. */
export async function chooseParams(chance: Chance, name: string, isRead: boolean): Promise<Params> {
  const { made, below, play } = chance
  const others = isRead ? findKnownParams(chance, name) : []
  const canMake = play.twin.space !== undefined && name in makers
  if (others.length > 0 && (!canMake || below(3) === 0)) return pick(chance, others) ?? {}
  const known = made.get(name) ?? []
  const chosen = pick(chance, known) ?? (canMake ? await makers[name]?.(chance) : undefined)
  if (!chosen) throw new Unreachable(`the workspace has nothing for ${name}`)
  if (known.length === 0) made.set(name, [chosen])
  return chosen
}

export function chooseValue(chance: Chance, schema: unknown, name: string): unknown {
  const { play, below } = chance
  if (schema instanceof z.ZodMiniNullable && below(4) === 0) return null
  if (schema instanceof z.ZodMiniOptional || schema instanceof z.ZodMiniNullable)
    return chooseValue(chance, schema.def.innerType, name)
  if (schema instanceof z.ZodMiniArray)
    return Array.from({ length: below(4) }, () => chooseValue(chance, schema.def.element, name))
  const named = values[name]?.(chance)
  if (named !== undefined) return named
  if (schema instanceof z.ZodMiniObject && name !== 'custom_data') {
    const fields = Object.entries(schema.shape as Readonly<Record<string, unknown>>).filter(
      // The clone of a repeating task would stay.
      ([key, inner]) => key !== 'repeat_config' && (!(inner instanceof z.ZodMiniOptional) || below(3) === 0),
    )
    return Object.fromEntries(fields.map(([key, inner]) => [key, chooseValue(chance, inner, key)]))
  }
  // One value that does not fit makes most requests fail, so such values are rare.
  const { good, odd } = valuesOfField(play, name, schema)
  return pick(chance, below(12) === 0 ? odd : good)
}

const tableOf = ({ known: { tables }, twin }: Play) =>
  tables.find(({ id }) => id === twin.tableId) ?? tables[0]

function chooseCells(chance: Chance): JsonObject {
  const { play, below } = chance
  const some = findWritableColumns(play).filter(() => below(4) === 0)
  const cells = some.map((column) => {
    const { good, odd } = valuesOfColumn(play, column)
    return [column.id, pick(chance, below(12) === 0 ? [null, ...odd] : good)]
  })
  return makeMarkedRow(play, Object.fromEntries(cells) as JsonObject)
}

const chooseColumnName = (chance: Chance) => pick(chance, tableOf(chance.play)?.columns ?? [])?.name

const values: Readonly<Record<string, (chance: Chance) => unknown>> = {
  data: chooseCells,
  rows: chooseCells,
  key_column: ({ play }) => getOwnTable(play).text.id,
  status: (chance) => pick(chance, chance.play.known.lists)?.statuses[0]?.name,
  parent_task_id: (chance) => pick(chance, chance.made.get('taskId') ?? [])?.taskId ?? null,
  assignees: (chance) => pick(chance, chance.play.known.members)?.id,
  column: chooseColumnName,
  select: chooseColumnName,
  direction: (chance) => pick(chance, ['asc', 'desc']),
  value: (chance) => {
    const { columns = [], rows = [] } = tableOf(chance.play) ?? {}
    return pick(chance, [pick(chance, rows)?.cells[pick(chance, columns)?.id ?? ''], 5, 'a'])
  },
  page: (chance) => pick(chance, [1, 2, 9]),
  limit: (chance) => pick(chance, [1, 7, 200]),
}

export function chooseQuery(chance: Chance, { query = {}, columnFilters }: OperationSpec) {
  const { below } = chance
  const chosen = Object.entries(query).filter(() => below(3) === 0)
  const given = chosen.map(([name, { kind }]) => {
    if (name === 'sort') return [name, `${String(chooseColumnName(chance))}:desc`]
    const value = values[name]?.(chance) ?? (kind === 'integer' ? pick(chance, [0, 2, farDay]) : 'e')
    return [name, typeof value === 'string' ? value : JSON.stringify(value)]
  })
  if (columnFilters === true && below(3) === 0)
    given.push([chooseColumnName(chance) ?? '', String(values.value?.(chance))])
  return Object.fromEntries(given) as Record<string, string>
}
