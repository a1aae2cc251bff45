// Rows as clients see them, and their JSON. The JSON is cached until a row changes, because creating it takes longer than
// finding the row.
import type { Row, RowPage } from '../../contract/rows.ts'
import { getOrInsert } from '../../contract/data/maps.ts'
import type { Answers } from '../../contract/questions/register.ts'
import { JsonText } from '../../contract/text/json-text.ts'
import type { TableRecord } from '../../contract/datatables.ts'
import type { StoredRow } from '../store/table.ts'
import type { Store } from '../store/store.ts'
import { isUnset } from '../../contract/data/objects.ts'
import { compileTable, type CompiledTable } from './columns.ts'

type RowShape = 'data' | 'flat'

/** The shape of rows outside listings and query results. Assumption: rowShape */
const shapeOfSingleRow = ({ rowShape }: Answers): RowShape => (rowShape === 'flat' ? 'flat' : 'data')

/** Whether clients see the stored values as they are. */
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
 * A row as clients see it, with columns in schema order. It may share values with the stored row. Assumption: rowShape,
 * emptyColumns
 * @param only ids of the columns to show
 */
export function toRow(
  table: CompiledTable,
  row: StoredRow,
  shape: RowShape = shapeOfSingleRow(table.answers),
  only?: ReadonlySet<string>,
): Row {
  const isFlat = shape === 'flat'
  const showsEmpty = table.answers.emptyColumns === 'null'
  const { id, version, data } = row
  if (!isFlat && !only && isSeenAsStored(table, data, showsEmpty)) return { id, version, data }
  const values: Record<string, unknown> = isFlat ? { id, version } : {}
  for (const column of table.columns) {
    if (only && !only.has(column.id)) continue
    // The row's own id and version take precedence over columns with those ids.
    if (isFlat && (column.id === 'id' || column.id === 'version')) continue
    const value = column.read(row)
    if (!isUnset(value)) values[column.id] = value
    else if (showsEmpty) values[column.id] = column.kind.isList ? [] : null
  }
  return isFlat ? { ...values, id, version } : { id, version, data: values }
}

/** A row's JSON, and what it was created from. */
interface CachedText {
  readonly table: TableRecord
  readonly answers: Answers
  readonly shape: RowShape
  readonly text: string
}

/** Maximum number of characters cached per mock. */
const mostCachedCharacters = 16 * 1024 * 1024

const newTexts = () => ({ byRow: new WeakMap<StoredRow, CachedText>(), characters: 0 })
type Texts = ReturnType<typeof newTexts>
const textsOfMocks = new WeakMap<object, Texts>()
const textsOf = ({ cacheOwner }: Store): Texts => getOrInsert(textsOfMocks, cacheOwner, newTexts)

function getRowText(texts: Texts, store: Store, table: TableRecord, row: StoredRow, shape: RowShape): string {
  const { answers } = store
  const known = texts.byRow.get(row)
  if (known?.table === table && known.answers === answers && known.shape === shape) return known.text
  const text = JSON.stringify(toRow(compileTable(store, table), row, shape))
  texts.characters += text.length
  if (texts.characters > mostCachedCharacters) Object.assign(texts, newTexts(), { characters: text.length })
  texts.byRow.set(row, { table, answers, shape, text })
  return text
}

export const toRowText = (store: Store, table: TableRecord, row: StoredRow): JsonText<Row> =>
  new JsonText(() => getRowText(textsOf(store), store, table, row, shapeOfSingleRow(store.answers)))

/** A page of a listing or query; `only` holds the ids of the columns to show. Assumption: rowShape */
export function toPageText(
  table: CompiledTable,
  { rows, ...others }: Omit<RowPage, 'rows'> & { readonly rows: readonly StoredRow[] },
  only: ReadonlySet<string> | undefined,
): JsonText<RowPage> {
  const { store, record, answers } = table
  const shape = answers.rowShape === 'data' ? 'data' : 'flat'
  const texts = textsOf(store)
  const write = (row: StoredRow) =>
    only ? JSON.stringify(toRow(table, row, shape, only)) : getRowText(texts, store, record, row, shape)
  const writePage = () => `{"rows":[${rows.map(write).join(',')}],${JSON.stringify(others).slice(1)}`
  return new JsonText(writePage, rows)
}
