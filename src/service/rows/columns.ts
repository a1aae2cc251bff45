// Compiles datatables with their columns.
import type { Answers } from '../../contract/questions/register.ts'
import { isReadOnly, type ColumnRecord, type TableRecord } from '../../contract/datatables.ts'
import { isUnset } from '../../contract/data/objects.ts'
import { kindOf, type ColumnKind } from './column-kinds.ts'
import { getFormulaReaders } from './formula-sets.ts'
import type { RowTable, StoredRow } from '../store/table.ts'
import { createSentTest, createValueCheck, type ValueCheck } from './values.ts'
import type { WorkspaceRecord } from '../../contract/workspaces.ts'
import type { Store } from '../store/store.ts'

export interface TableColumn {
  readonly id: string
  readonly name: string
  readonly record: ColumnRecord
  /** Whether values sent by clients are dropped. */
  readonly isReadOnly: boolean
  /** Whether a row's data can set its values: the column is neither read-only nor for files. */
  readonly isWritable: boolean
  readonly kind: ColumnKind
  readonly check: ValueCheck
  /** Whether clients may send this value and it is stored unchanged. */
  readonly takes: (value: unknown) => boolean
  /** Its value in a row, computed if it is not stored; null or undefined if there is none. */
  readonly read: (row: StoredRow) => unknown
}

/** A datatable of a store, with its current columns. */
export interface CompiledTable {
  readonly store: Store
  readonly record: TableRecord
  readonly workspace: WorkspaceRecord
  readonly answers: Answers
  readonly rows: RowTable
  /** The columns in schema order. */
  readonly columns: readonly TableColumn[]
  readonly byId: ReadonlyMap<string, TableColumn>
  /** Positions in the schema by column id; null if a column is computed. */
  readonly places: ReadonlyMap<string, number> | null
  readonly byName: ReadonlyMap<string, TableColumn>
  readonly autonumbers: readonly ColumnRecord[]
  readonly attachments: readonly TableColumn[]
}

export const isComputed = ({ record: { type } }: Pick<TableColumn, 'record'>): boolean =>
  type === 'formula' || type === 'created_at' || type === 'updated_at'

function createStoredReader({ id, type }: ColumnRecord): (row: StoredRow) => unknown {
  if (type === 'created_at' || type === 'updated_at') return (row) => row[type]
  // A column id can be the name of an inherited property; checking each value for that would take time.
  if (id in Object.prototype) return ({ data }) => (Object.hasOwn(data, id) ? data[id] : null)
  return ({ data }) => data[id] ?? null
}

const compiledTables = new WeakMap<RowTable, CompiledTable>()

/** Compiles the columns of a table; cached until the table, its workspace or the answers change. */
export function compileTable(store: Store, table: TableRecord): CompiledTable {
  const rows = store.rows(table.id)
  const workspace = store.workspaces.getOrThrow(table.workspace_id)
  const { answers } = store
  const latest = compiledTables.get(rows)
  if (latest?.record === table && latest.workspace === workspace && latest.answers === answers) return latest
  const formulas = getFormulaReaders(table.columns, createStoredReader)
  const columns = table.columns.map((record): TableColumn => {
    const check = createValueCheck(record, store, workspace)
    const isWritable = !isReadOnly(record) && record.type !== 'attachment'
    return {
      id: record.id,
      name: record.name,
      record,
      isReadOnly: isReadOnly(record),
      isWritable,
      kind: kindOf(record, workspace.members, answers),
      check,
      takes: isWritable ? createSentTest(record.type, check) : () => false,
      read: formulas.get(record) ?? createStoredReader(record),
    }
  })
  const isAllStored = !columns.some(isComputed)
  const compiled: CompiledTable = {
    store,
    record: table,
    workspace,
    answers,
    rows,
    columns,
    byId: new Map(columns.map((column) => [column.id, column])),
    places: isAllStored ? new Map(columns.map(({ id }, place) => [id, place])) : null,
    // Reversed, so that the first of several columns with the same name is set last and wins.
    byName: new Map(columns.toReversed().map((column) => [column.name, column])),
    autonumbers: table.columns.filter(({ type }) => type === 'autonumber'),
    attachments: columns.filter(({ record }) => record.type === 'attachment'),
  }
  compiledTables.set(rows, compiled)
  return compiled
}

/** The values that are set. Returns the object itself if all of them are. */
export function removeUnset(data: StoredRow['data']): StoredRow['data'] {
  for (const key in data)
    if (isUnset(data[key]))
      return Object.fromEntries(Object.entries(data).filter(([, value]) => !isUnset(value)))
  return data
}
