// The rules of sorting, selecting and filtering the row listing.
import type { Column } from '../../../contract/datatables.ts'
import type { Row } from '../../../contract/rows.ts'
import type { SeenRow, WholeTable } from '../../engine/discovery.ts'
import { expectSame, expectThat, found, needed } from '../../engine/expect.ts'
import { Unreachable, type SourceText } from '../../engine/drift.ts'
import { rulesOn } from '../../engine/rule.ts'
import { asAnswered, asObserved, type ObservedAnswer } from '../checks.ts'
import {
  checkboxColumn,
  dropdownColumn,
  hasRepeats,
  isPlain,
  numberColumn,
  someValue,
  sortKeys,
  textColumn,
  valuesOf,
} from './cells.ts'
import { expectSortedWithin, isSorted, rowsFor, valuesIn } from './operators.ts'
import { richTable, type RichTable } from './rows.ts'
import { cellsOf } from '../../engine/shapes.ts'
import { isEmpty } from '../../../contract/data/objects.ts'
import { idsOf } from '../../../contract/data/maps.ts'

const listing = 'contract, Datatables, GET rows'
const noSuchName = 'verify no such column'

type Query = Readonly<Record<string, string>>
type Pick = (table: WholeTable) => Column

const listingRules = rulesOn('read', richTable)

const listed = async ({ api }: RichTable, query: Query) =>
  (await api.succeed('listRows', { query: { limit: '500', ...query } })).rows

const idsListed = async (on: RichTable, query: Query) => idsOf(await listed(on, query))

/** The first pages of one row each hold what a large page begins with. */
async function expectPages(on: RichTable, query: Query, count: number): Promise<void> {
  const whole = (await idsListed(on, query)).slice(0, count)
  const pages = whole.map((_, index) => idsListed(on, { ...query, limit: '1', page: String(index + 1) }))
  expectSame(`ids of ${String(count)} pages of 1`, (await Promise.all(pages)).flat(), whole)
}

const sorts: readonly (readonly [
  id: string,
  source: SourceText,
  pick: Pick,
  suffix: '' | ':asc' | ':desc',
])[] = [
  ['sort-default', listing, numberColumn, ''],
  ['sort-ascending', listing, numberColumn, ':asc'],
  ['sort-descending', listing, numberColumn, ':desc'],
  ['sort-text', 'assumption emptyValues', textColumn, ':asc'],
]

const sorted = sorts.flatMap(([id, source, pick, suffix]) => {
  const direction = suffix === ':desc' ? 'desc' : 'asc'
  return listingRules(source, {
    [`listRows/${id}: sort=Column${suffix} sorts by it, ${direction}ending`]: async (on: RichTable) => {
      const column = pick(on)
      const rows = await listed(on, { sort: `${column.name}${suffix}` })
      const values = valuesIn(rows, column)
      expectSame('number of rows', rows.length, on.rows.length)
      const expected = `values of ${column.name} ${direction}ending, empty ones last`
      expectThat(isSorted(values, direction), expected, values)
    },
  })
})

const filters: readonly (readonly [id: string, source: SourceText, pick: Pick])[] = [
  ['filter-text', listing, textColumn],
  ['filter-number', 'assumption filterValues', numberColumn],
  ['filter-checkbox', 'assumption filterValues', checkboxColumn],
  ['filter-option', 'assumption filterValues', dropdownColumn],
]

/** An equality filter finds exactly the rows with the value. */
const filtered = filters.flatMap(([id, source, pick]) =>
  listingRules(source, {
    [`listRows/${id}: a parameter named after a column keeps the rows with that value`]: async (
      on: RichTable,
    ) => {
      const column = pick(on)
      const value = someValue(on, column)
      const got = await idsListed(on, { [column.name]: String(value) })
      const wanted = rowsFor(on, [{ column: column.id, operator: 'eq', value }])
      expectSame(`rows with ${column.name} ${String(value)}`, got, wanted)
    },
  }),
)

const sorting = listingRules(listing, {
  'listRows/sort-twice: a second column sorts what the first leaves equal': async (on) => {
    const [first, second] = sortKeys(on, 'checkbox', 'dropdown', 'text')
    const rows = await listed(on, { sort: `${first.name}:asc,${second.name}:desc` })
    expectSortedWithin(rows, first, second, 'desc')
  },
  'listRows/sort-unknown: an unknown column in sort does what question unknownSortColumn says': asAnswered({
    query: { sort: noSuchName },
  }),
  'listRows/sort-direction: a direction other than asc and desc does what question unknownSortColumn says':
    asAnswered((on: RichTable) => ({ query: { sort: `${numberColumn(on, 1).name}:upwards` } })),
  'listRows/sort-pages: pages of a sorted listing follow one another': async (on) =>
    expectPages(on, { sort: `${numberColumn(on).name}:desc` }, 3),
})

/** Observes question columnNames. */
export async function seeColumnNames(on: RichTable): Promise<ObservedAnswer> {
  const { id } = textColumn(on, 1)
  if (on.columns.length < 2 || on.columns.some(({ name }) => name === id))
    throw new Unreachable('the table has only one column, or a column called like an id')
  const reply = await on.api.call('listRows', { query: { select: id, limit: 500 } })
  const how = `listRows with select=${id}: status ${String(reply.status)}`
  if (reply.status === 400) return { answer: 'names', how }
  const rows = needed(reply.field('rows') as Row[] | undefined, reply.summary)
  const shown = [...new Set(rows.flatMap((row) => Object.keys(cellsOf(row))))]
  const isTaken = shown.length === 1 && shown[0] === id
  return {
    answer: isTaken ? 'namesAndIds' : 'names',
    how: `${how}, ${isTaken ? 'that column alone' : 'all columns'}`,
  }
}

const selecting = listingRules(listing, {
  'listRows/select: select returns the named columns alone': async (on) => {
    const [first, second] = [textColumn(on, 1), numberColumn(on, 1)]
    const rows = await listed(on, { select: `${first.name},${second.name}` })
    for (const key of rows.flatMap((row) => Object.keys(cellsOf(row))))
      expectThat([first.id, second.id].includes(key), 'the selected columns alone', key)
    for (const column of [first, second]) {
      const [got, wanted] = [valuesIn(rows, column), valuesOf(on, column)]
      const orNull = (values: readonly unknown[]) => values.map((value) => value ?? null)
      expectSame('selected values', orNull(got), orNull(wanted))
    }
  },
  'listRows/select-unknown: an unknown column in select does what question unknownSortColumn says':
    asAnswered({ query: { select: noSuchName } }),
  'listRows/select-by-id: select takes ids as question columnNames says': asObserved(seeColumnNames),
})

const filtering = listingRules(listing, {
  'listRows/filter-label: a dropdown is filtered by label as by id (assumption filterValues)': async (on) => {
    const column = dropdownColumn(on)
    const value = someValue(on, column)
    const label = column.options?.find(({ id }) => id === value)?.label ?? ''
    const byId = await idsListed(on, { [column.name]: String(value) })
    expectSame('rows found by label', await idsListed(on, { [column.name]: label }), byId)
  },
  'listRows/filters-join: several filters must all hold': async (on) => {
    const [text, number] = [textColumn(on), numberColumn(on)]
    const why = `table ${on.table.name} has no two rows that differ in ${number.name}`
    const isFilled = ({ cells }: SeenRow) => !isEmpty(cells[text.id]) && !isEmpty(cells[number.id])
    const { [text.id]: title, [number.id]: size } = found(on.rows, isFilled, why).cells
    const differs = ({ cells }: SeenRow) => cells[number.id] !== size && !isEmpty(cells[number.id])
    const { [number.id]: other } = found(on.rows, differs, why).cells
    const wanted = rowsFor(on, [
      { column: text.id, operator: 'eq', value: title },
      { column: number.id, operator: 'eq', value: other },
    ])
    const query = { [text.name]: String(title), [number.name]: String(other) }
    expectSame('rows', await idsListed(on, query), wanted)
  },
  'listRows/filter-total: total counts the rows that match': async (on) => {
    const column = textColumn(on)
    const value = someValue(on, column)
    const query = { limit: 1, [column.name]: String(value) }
    const { total } = await on.api.succeed('listRows', { query })
    expectSame('total', total, rowsFor(on, [{ column: column.id, operator: 'eq', value }]).length)
  },
  'listRows/filter-pages: pages of a filtered listing follow one another': async (on) => {
    const isMeant = (one: Column) => isPlain(one, on) && one.type === 'checkbox' && hasRepeats(on, one)
    const column = found(on.columns, isMeant, 'no checkbox has repeated values')
    const isTrue = valuesOf(on, column).filter((value) => value === true).length > 1
    await expectPages(on, { [column.name]: String(isTrue) }, 2)
  },
  'listRows/filter-unknown: an unknown parameter does what question unknownFilter says': asAnswered({
    query: { [noSuchName]: '1' },
  }),
})

export const rowListingRules = [...sorted, ...sorting, ...selecting, ...filtered, ...filtering]
