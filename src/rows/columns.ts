// The compiled columns of a datatable, and rows as clients see them.
import type { Row } from '../contract/rows.ts'
import type { Answers } from '../contract/questions/register.ts'
import { isReadOnly, type ColumnRecord, type TableRecord } from '../contract/datatables.ts'
import { entryOf } from '../contract/values/entries.ts'
import { formulasOf } from './formula-sets.ts'
import type { Formula, FormulaValue } from './formulas.ts'
import type { StoredRow } from '../store/table.ts'
import { fitsAsSent, valueCheck, type ValueCheck } from './values.ts'
import type { WorkspaceRecord } from '../contract/workspaces.ts'
import type { Store } from '../store/store.ts'

export interface TableColumn {
  readonly id: string
  readonly name: string
  readonly record: ColumnRecord
  /** Whether values that clients send for it are dropped. */
  readonly isReadOnly: boolean
  /** Whether its values are arrays; without a value it is `[]`. */
  readonly isList: boolean
  readonly check: ValueCheck
  /** Whether clients can send this value, to be stored as it is. */
  readonly takes: (value: unknown) => boolean
  /** Its value in a row, computed where it is not stored; null or undefined where there is none. */
  readonly read: (row: StoredRow) => unknown
}

export interface CompiledTable {
  /** In the order of the schema. */
  readonly columns: readonly TableColumn[]
  readonly byId: ReadonlyMap<string, TableColumn>
  /** Places in the schema by id; null if values of a column are not stored but computed. */
  readonly places: ReadonlyMap<string, number> | null
  /** Of several columns with one name the first. */
  readonly byName: ReadonlyMap<string, TableColumn>
  readonly autonumbers: readonly ColumnRecord[]
  readonly attachments: readonly TableColumn[]
}

const computedTypes: ReadonlySet<string> = new Set(['formula', 'created_at', 'updated_at'])

/** Whether a column's values depend on more than the row's data. */
export const isComputed = ({ record }: Pick<TableColumn, 'record'>): boolean => computedTypes.has(record.type)

const listTypes: ReadonlySet<string> = new Set(['tags', 'people', 'datatable', 'attachment'])

/** Computes formula columns of one row at a time, each once, since formulas can build on formulas. */
class FormulaColumns {
  readonly #operands: ReadonlyMap<string, (row: StoredRow) => unknown>
  readonly #results = new Map<string, FormulaValue>()
  #row: StoredRow | undefined

  /** `operands`: how to read each column by name; filled before the first row is read. */
  constructor(operands: ReadonlyMap<string, (row: StoredRow) => unknown>) {
    this.#operands = operands
  }

  reader(id: string, compute: Formula): (row: StoredRow) => FormulaValue {
    return (row) => {
      if (row !== this.#row) {
        this.#row = row
        this.#results.clear()
      }
      const known = this.#results.get(id)
      if (known !== undefined) return known
      // Null until computed: every formula of a cycle gives null.
      this.#results.set(id, null)
      const result = compute(this.#operand)
      this.#results.set(id, result)
      return result
    }
  }

  readonly #operand = (name: string): unknown => this.#row && this.#operands.get(name)?.(this.#row)
}

function storedReader(id: string): (row: StoredRow) => unknown {
  // Own properties alone: the id of a column can be the name of a property that every object inherits. Checking costs time.
  if (id in Object.prototype) return ({ data }) => (Object.hasOwn(data, id) ? data[id] : null)
  return ({ data }) => data[id] ?? null
}

/** A dropdown gives its label to formulas. Assumption: formulaLanguage */
function operandReader({ record, read }: TableColumn): (row: StoredRow) => unknown {
  if (record.type !== 'dropdown') return read
  const labels = new Map<unknown, string>((record.options ?? []).map(({ id, label }) => [id, label]))
  return (row) => labels.get(read(row))
}

function readerOf(
  record: ColumnRecord,
  formula: Formula | undefined,
  formulas: FormulaColumns,
): (row: StoredRow) => unknown {
  if (formula) return formulas.reader(record.id, formula)
  switch (record.type) {
    case 'created_at':
      return (row) => row.created_at
    case 'updated_at':
      return (row) => row.updated_at
    default:
      return storedReader(record.id)
  }
}

function compile(store: Store, table: TableRecord, workspace: WorkspaceRecord): CompiledTable {
  const operands = new Map<string, (row: StoredRow) => unknown>()
  const formulas = new FormulaColumns(operands)
  const compiledFormulas = formulasOf(table.columns)
  const columns = table.columns.map((record): TableColumn => {
    const check = valueCheck(record, store, workspace)
    const isWritable = !isReadOnly(record) && record.type !== 'attachment'
    return {
      id: record.id,
      name: record.name,
      record,
      isReadOnly: isReadOnly(record),
      isList: listTypes.has(record.type),
      check,
      takes: isWritable ? fitsAsSent(record.type, check) : () => false,
      read: readerOf(record, compiledFormulas.get(record), formulas),
    }
  })
  const isAllStored = !columns.some(isComputed)
  // Of several columns with one name the first is set last.
  const reversed = columns.toReversed()
  for (const column of reversed) operands.set(column.name, operandReader(column))
  return {
    columns,
    byId: new Map(columns.map((column) => [column.id, column])),
    places: isAllStored ? new Map(columns.map(({ id }, place) => [id, place])) : null,
    byName: new Map(reversed.map((column) => [column.name, column])),
    autonumbers: table.columns.filter(({ type }) => type === 'autonumber'),
    attachments: columns.filter(({ record }) => record.type === 'attachment'),
  }
}

interface Compiled {
  readonly workspace: WorkspaceRecord
  readonly answers: Answers
  readonly compiled: CompiledTable
}

const compiledTables = new WeakMap<Store, WeakMap<TableRecord, Compiled>>()

/** The compiled columns of a table, cached until the table, its workspace or the answers change. */
export function compileTable(store: Store, table: TableRecord): CompiledTable {
  const tables = entryOf(compiledTables, store, () => new WeakMap<TableRecord, Compiled>())
  const workspace = store.workspaces.referred(table.workspace_id)
  const known = tables.get(table)
  if (known?.workspace === workspace && known.answers === store.answers) return known.compiled
  const compiled = compile(store, table, workspace)
  tables.set(table, { workspace, answers: store.answers, compiled })
  return compiled
}

export type RowShape = 'data' | 'flat'

/** The shape of a row returned on its own; listings differ. Assumption: rowShape */
export const singleRowShape = (answers: Answers): RowShape => (answers.rowShape === 'flat' ? 'flat' : 'data')

/** Whether clients see the stored values as they are: none is computed, out of order or empty. */
function isSeenAsStored({ places }: CompiledTable, data: StoredRow['data'], showsEmpty: boolean): boolean {
  if (!places) return false
  let last = -1
  let count = 0
  for (const id in data) {
    const place = places.get(id)
    if (place === undefined || place <= last || isUnset(data[id])) return false
    last = place
    count += 1
  }
  return !showsEmpty || count === places.size
}

/**
 * A row as a client sees it, columns in the order of the schema; `only` are the ids of the columns to show.
 * Its values can be those of the stored row, not copies.
 * Assumption: rowShape, emptyColumns
 */
export function toRow(
  store: Store,
  table: TableRecord,
  row: StoredRow,
  shape: RowShape = singleRowShape(store.answers),
  only?: ReadonlySet<string>,
): Row {
  const compiled = compileTable(store, table)
  const isFlat = shape === 'flat'
  const showsEmpty = store.answers.emptyColumns === 'null'
  const { id, version, data } = row
  if (!isFlat && !only && isSeenAsStored(compiled, data, showsEmpty)) return { id, version, data }
  const values: Record<string, unknown> = isFlat ? { id, version } : {}
  for (const column of compiled.columns) {
    if (only && !only.has(column.id)) continue
    // The row's own id and version take precedence over columns of that id.
    if (isFlat && (column.id === 'id' || column.id === 'version')) continue
    const value = column.read(row)
    if (!isUnset(value)) values[column.id] = value
    else if (showsEmpty) values[column.id] = column.isList ? [] : null
  }
  return isFlat ? { ...values, id, version } : { id, version, data: values }
}

/** Whether a column has no value. An empty text is a value: it reads as it was written. */
function isUnset(value: unknown): boolean {
  return value === null || value === undefined || (Array.isArray(value) && value.length === 0)
}

/** The values that are set; the object itself if all are. */
export function withoutUnset(data: StoredRow['data']): StoredRow['data'] {
  for (const key in data)
    if (isUnset(data[key]))
      return Object.fromEntries(Object.entries(data).filter(([, value]) => !isUnset(value)))
  return data
}
