// The rules of the structured query.
import type { Column } from '../../../contract/datatables.ts'
import { operators, type Operator, type RowQuery } from '../../../contract/rows.ts'
import { expectFields, expectSame, expectThat, found } from '../../engine/expect.ts'
import { Unreachable } from '../../engine/drift.ts'
import { rulesOn, type Context } from '../../engine/rule.ts'
import { asAnswered, asObserved, letterCase, refused, type ObservedAnswer } from '../checks.ts'
import { isNumeric, numberColumn, someValue, sortKeys, textColumn, writtenCells } from './cells.ts'
import { tableRules } from './writes.ts'
import { expectSortedWithin, isSorted, operandsOf, rowsFor, valuesIn } from './operators.ts'
import { onTable, richTable, type RichTable } from './rows.ts'
import { cellsOf, type Cells } from '../../engine/shapes.ts'
import { idsOf } from '../../../contract/data/maps.ts'

const query = 'contract, Datatables, POST query'
const body = 'assumption queryBody'

const ask = async ({ api }: Context, json: RowQuery) =>
  (await api.succeed('queryRows', { json: { limit: 500, ...json } })).rows

const idsFound = async (on: Context, json: RowQuery) => idsOf(await ask(on, json))

const queryRules = rulesOn('read', richTable)

type Filters = NonNullable<RowQuery['filters']>

/** Tries an operator on rows that are known; `base` finds them among the others of the table. */
async function tryOperator(on: RichTable, operator: Operator, base: Filters): Promise<void> {
  for (const { column, value } of operandsOf(on, operator, on.answers)) {
    const filter = { column: column.id, operator, ...(value !== undefined && { value }) }
    const got = await idsFound(on, { filters: [...base, filter] })
    expectSame(`rows for ${column.name} ${operator} ${JSON.stringify(value)}`, got, rowsFor(on, [filter]))
  }
}

const operatorRules = operators.flatMap((operator) =>
  queryRules(query, {
    [`queryRows/operator-${operator}: ${operator} finds the rows that it means`]: async (on: RichTable) =>
      tryOperator(on, operator, []),
  }),
)

/** Five rows: all columns filled in the first, numbers that differ, nothing but the text in the last. */
async function sampleCells(context: Context, marker: string): Promise<Cells[]> {
  const { columns, text } = await context.own.table()
  const full = await writtenCells(context, 'sample')
  const numbers = columns.filter((column) => isNumeric(column) && column.id in full)
  const checkbox = columns.find(({ type, id }) => type === 'checkbox' && id in full)
  const numbered = (value: number) => Object.fromEntries(numbers.map(({ id }) => [id, value]))
  return [
    { ...full, ...numbered(2), [text.id]: `${marker} alpha` },
    { ...numbered(10), ...(checkbox && { [checkbox.id]: false }), [text.id]: `${marker} alpha beta` },
    { ...numbered(5), [text.id]: `beta ${marker} alpha` },
    { ...numbered(7), [text.id]: `${marker} ALPHA` },
    { [text.id]: `alpha ${marker}` },
  ]
}

/** Makes rows with values that expose wrong filters: texts within texts, missing values, ends of ranges. */
async function makeSample(context: Context) {
  const { own } = context
  const table = await own.table()
  const marker = `${own.text()}s`
  const rows = []
  for (const cells of await sampleCells(context, marker)) {
    const made = await own.row(cells)
    const row = await own.readRow(made.id)
    rows.push({ id: row.id, version: row.version, cells: cellsOf(row) })
  }
  return { ...table, rows, marker }
}

/** How often the sample is made anew where a request was sent twice on the way: a row may be there twice. */
const mostSamples = 5

/** Makes the sample, once. */
const ownSample = (c: Context) =>
  c.own.once('sample', async () => {
    for (let round = 1; ; round += 1) {
      const { retries } = c.api.transport
      const sample = await makeSample(c)
      if (c.api.transport.retries === retries || round === mostSamples) return sample
    }
  })

const ofSample = async (context: Context) => onTable(context, await ownSample(context))
const sampleRules = rulesOn('write', ofSample)

/** The same on rows of the run's own, which are made so that every wrong reading shows. */
const ownOperatorRules = operators.flatMap((operator) =>
  sampleRules(query, {
    [`queryRows/operator-${operator}-own: ${operator} finds the rows that it means, together with another filter`]:
      async (on: Awaited<ReturnType<typeof ofSample>>) =>
        tryOperator(on, operator, [{ column: on.text.id, operator: 'contains', value: on.marker }]),
  }),
)

/** An equality of texts and a comparison of numbers. */
function bothFilters(on: RichTable): Filters {
  const [text] = operandsOf(on, 'eq', on.answers)
  const [number] = operandsOf(on, 'gt', on.answers)
  return [
    { column: text?.column.id ?? '', operator: 'eq', value: text?.value },
    { column: number?.column.id ?? '', operator: 'gt', value: number?.value },
  ]
}

const matchRule = (match: 'all' | 'any') => async (on: RichTable) => {
  const filters = bothFilters(on)
  const got = await idsFound(on, match === 'any' ? { filters, match } : { filters })
  expectSame('rows', got, rowsFor(on, filters, match))
}

const sortRule = (sort: { readonly direction?: 'asc' | 'desc' }) => async (on: RichTable) => {
  const column = numberColumn(on)
  const values = valuesIn(await ask(on, { sort: [{ column: column.id, ...sort }] }), column)
  const { direction = 'asc' } = sort
  expectThat(isSorted(values, direction), `${column.name} ${direction}ending`, values)
}

/** Observes question queryText. */
export async function seeContains(on: RichTable): Promise<ObservedAnswer> {
  const column = textColumn(on, 1)
  const text = String(someValue(on, column))
  const value = text === text.toUpperCase() ? text.toLowerCase() : text.toUpperCase()
  if (value === text) throw new Unreachable(`"${text}" has no letters`)
  const found = await idsFound(on, { filters: [{ column: column.id, operator: 'contains', value }] })
  return letterCase(`queryRows with contains "${value}"`, text, found.length > 0)
}

const bodies = queryRules(body, {
  'queryRows/everything: an empty body finds every row, 50 to the page': async ({ api, rows }) => {
    const got = await api.succeed('queryRows', { json: {} })
    expectFields('page', got, { page: 1, pageSize: 50, total: rows.length })
    expectSame('ids', idsOf(got.rows), idsOf(rows.slice(0, 50)))
  },
  'queryRows/by-name: a column is named by id or name': async (on) => {
    const { id, name } = textColumn(on)
    const value = someValue(on, textColumn(on))
    const byColumn = (column: string) => idsFound(on, { filters: [{ column, operator: 'eq', value }] })
    expectSame('rows by name', await byColumn(name), await byColumn(id))
  },
  'queryRows/match-all: all filters must hold unless match is any': matchRule('all'),
  'queryRows/match-any: with match any one filter must hold': matchRule('any'),
  'queryRows/sort: sort orders what is found': sortRule({ direction: 'desc' }),
  'queryRows/sort-default: sort is ascending by default': sortRule({}),
  'queryRows/sort-twice: a second key sorts what the first leaves equal': async (on) => {
    const [first, second] = sortKeys(on, 'checkbox')
    for (const direction of ['asc', 'desc'] as const) {
      const sort = [{ column: first.id }, { column: second.id, direction }]
      expectSortedWithin(await ask(on, { sort }), first, second, direction)
    }
  },
  'queryRows/select: select returns the named columns alone': async (on) => {
    const { id } = textColumn(on, 1)
    const rows = await ask(on, { select: [id] })
    expectSame('columns', [...new Set(rows.flatMap((row) => Object.keys(cellsOf(row))))], [id])
  },
  'queryRows/paging: page and limit are those of the listing': async ({ api, rows }) => {
    const got = await api.succeed('queryRows', { json: { page: 2, limit: 1 } })
    expectFields('page', got, { page: 2, pageSize: 1, total: rows.length })
    expectSame('ids', idsOf(got.rows), idsOf(rows.slice(1, 2)))
  },
  'queryRows/largest-page: a page can have 500 rows': async ({ api, seen }) => {
    const { table } = await seen.largestTable()
    const ask = { params: { tableId: table.id }, json: { limit: 500 } }
    const { rows, pageSize, total } = await api.succeed('queryRows', ask)
    expectSame('pageSize and rows', [pageSize, rows.length], [500, Math.min(500, total)])
  },
  'queryRows/letter-case: contains treats letter case as question queryText says': asObserved(seeContains),
  'queryRows/unknown-column: an unknown column does what question unknownSortColumn says': asAnswered({
    json: { filters: [{ column: 'verify_no_such_column', operator: 'eq', value: 1 }] },
  }),
  'queryRows/unknown-field: an unknown field does what question unknownBodyFields says': asAnswered({
    json: { verify_no_such_field: 1 },
  }),
  'queryRows/other-content-type: JSON of another content type is taken as question contentType says':
    asAnswered({ body: '{}', headers: { 'content-type': 'text/plain' } }),
  // Such a body changes nothing, so that it can be sent to any deployment.
  'queryRows/unknown-operator: refuses an unknown operator': refused(({ columns }) => ({
    filters: [{ column: columns[0]?.id, operator: 'resembles', value: 'x' }],
  })),
  'queryRows/filters-no-array: refuses filters that are not an array': refused({ filters: {} }),
  'queryRows/in-without-array: refuses in without an array': refused((on) => ({
    filters: [{ column: textColumn(on).id, operator: 'in', value: 'x' }],
  })),
  'queryRows/between-without-pair: refuses between without two values': refused((on) => ({
    filters: [{ column: numberColumn(on).id, operator: 'between', value: 1 }],
  })),
})

const emptyText = tableRules(query, {
  'queryRows/operator-is_empty-text: is_empty finds rows without a text': async (c) => {
    const isMeant = ({ id, type, readonly }: Column) => id !== c.text.id && type === 'longtext' && !readonly
    const other = found(c.columns, isMeant, 'the table has no second text column')
    const marker = c.own.text()
    const { id } = await c.own.row({ [c.text.id]: null, [other.id]: marker })
    await c.own.row({ [other.id]: marker })
    const filters: Filters = [
      { column: c.text.id, operator: 'is_empty' },
      { column: other.id, operator: 'eq', value: marker },
    ]
    expectSame('rows', await idsFound(c, { filters }), [id])
  },
})

export const rowQueryRules = [...operatorRules, ...bodies, ...ownOperatorRules, ...emptyText]
