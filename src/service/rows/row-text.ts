// The JSON of rows as clients see them, cached until a row changes: to make it costs more than to find the row.
import type { Row, RowPage } from '../../contract/rows.ts'
import { getOrInsert } from '../../contract/data/maps.ts'
import type { Answers } from '../../contract/questions/register.ts'
import { JsonText } from '../../contract/text/json-text.ts'
import type { TableRecord } from '../../contract/datatables.ts'
import type { StoredRow } from '../store/table.ts'
import type { Store } from '../store/store.ts'
import { compileTable, shapeOfListedRow, shapeOfSingleRow, toRow } from './columns.ts'
import type { CompiledTable, RowShape } from './columns.ts'

/** The text of a row, and what it was made for. */
interface CachedText {
  readonly table: TableRecord
  readonly answers: Answers
  readonly shape: RowShape
  readonly text: string
}

/** Most characters cached for a mock. */
const mostCharacters = 16 * 1024 * 1024

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
  if (texts.characters > mostCharacters) Object.assign(texts, newTexts(), { characters: text.length })
  texts.byRow.set(row, { table, answers, shape, text })
  return text
}

export const toRowText = (store: Store, table: TableRecord, row: StoredRow): JsonText<Row> =>
  new JsonText(() => getRowText(textsOf(store), store, table, row, shapeOfSingleRow(store.answers)))

/** A page of rows; `only` are the ids of the columns to show. */
export function toPageText(
  table: CompiledTable,
  { rows, ...others }: Omit<RowPage, 'rows'> & { readonly rows: readonly StoredRow[] },
  only: ReadonlySet<string> | undefined,
): JsonText<RowPage> {
  const { store, record, answers } = table
  const shape = shapeOfListedRow(answers)
  const texts = textsOf(store)
  const write = (row: StoredRow) =>
    only ? JSON.stringify(toRow(table, row, shape, only)) : getRowText(texts, store, record, row, shape)
  const writePage = () => `{"rows":[${rows.map(write).join(',')}],${JSON.stringify(others).slice(1)}`
  return new JsonText(writePage, rows)
}
