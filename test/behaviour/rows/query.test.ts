// The structured query: 17 operators over the column types, order, projection, pages.
import { describe, expect, it } from 'vitest'
import { useMock } from '../support/harness.ts'

const path = '/datatables/tbl_all/query'
const ids = (numbers: readonly number[]) => numbers.map((number) => `row_${String(number)}`)

/** Column, operator, value, numbers of the rows that match. Rows 4 and 5 are empty unless noted otherwise. */
const cases: [string, string, unknown, number[]][] = [
  ['Title', 'eq', 'Alpha', [1]],
  ['Title', 'eq', 'alpha', []],
  ['Title', 'neq', 'Alpha', [2, 3, 4, 5]],
  ['Title', 'contains', 'ALPHA', [1, 4]],
  ['Title', 'not_contains', 'alpha', [2, 3, 5]],
  ['Title', 'starts_with', 'al', [1, 4]],
  ['Title', 'ends_with', 'A', [1, 2, 3]],
  ['Title', 'in', ['beta', 'Gamma', 'ALPHA'], [2, 3]],
  ['Title', 'not_in', ['beta', 'Gamma'], [1, 4, 5]],
  ['Title', 'in', [], []],
  ['Title', 'is_empty', undefined, [5]],
  ['Title', 'is_not_empty', undefined, [1, 2, 3, 4]],
  ['Notes', 'contains', 'note', [1, 2, 3]],
  ['Notes', 'not_contains', 'third', [1, 2, 4, 5]],
  ['Email', 'ends_with', '@EXAMPLE.test', [1, 2, 3]],
  ['Phone', 'starts_with', '+44', [1, 2]],
  ['Website', 'contains', 'https', [1, 2]],
  ['Quantity', 'eq', 10, [2, 4]],
  ['Quantity', 'neq', 10, [1, 3, 5]],
  ['Quantity', 'gt', 5, [2, 4]],
  ['Quantity', 'gte', 5, [1, 2, 4]],
  ['Quantity', 'lt', 5, [3]],
  ['Quantity', 'lte', 5, [1, 3]],
  ['Quantity', 'between', [-1, 5], [1, 3]],
  ['Quantity', 'between', [5, -1], []],
  ['Quantity', 'in', [5, -1], [1, 3]],
  ['Quantity', 'not_in', [5, -1], [2, 4, 5]],
  ['Quantity', 'is_empty', undefined, [5]],
  ['Quantity', 'is_not_empty', undefined, [1, 2, 3, 4]],
  ['Unit price', 'gt', 1, [1, 3]],
  ['Unit price', 'lte', 2.5, [1, 2]],
  ['Unit price', 'between', [1, 2.5], [1, 2]],
  ['Progress', 'gte', 50, [2, 3]],
  ['Progress', 'lt', 50, [1]],
  ['Active', 'eq', true, [1, 3]],
  ['Active', 'neq', true, [2, 4, 5]],
  ['Active', 'eq', false, [2]],
  ['Active', 'eq', 'false', [2]],
  ['Active', 'in', [false, true], [1, 2, 3]],
  ['Active', 'is_true', undefined, [1, 3]],
  ['Active', 'is_false', undefined, [2, 4, 5]],
  ['Active', 'is_empty', undefined, [4, 5]],
  ['Due', 'gt', 1000, [2, 3, 4]],
  ['Due', 'between', [1000, 2000], [1, 2, 4]],
  ['Due', 'eq', 3000, [3]],
  ['Stage', 'eq', 'opt_lead', [1, 4]],
  ['Stage', 'eq', 'Lead', [1, 4]],
  ['Stage', 'neq', 'opt_lead', [2, 3, 5]],
  ['Stage', 'in', ['opt_won', 'opt_lost'], [2, 3]],
  ['Stage', 'not_in', ['opt_won', 'opt_lost'], [1, 4, 5]],
  ['Stage', 'gt', 'Lead', [2, 3]],
  ['Stage', 'lte', 'Lead', [1, 4]],
  ['Stage', 'is_empty', undefined, [5]],
  ['Tags', 'eq', 'tag_blue', [1, 2]],
  ['Tags', 'neq', 'tag_blue', [3, 4, 5]],
  ['Tags', 'contains', 'tag_red', [1]],
  ['Tags', 'not_contains', 'tag_red', [2, 3, 4, 5]],
  ['Tags', 'in', ['tag_red', 'tag_green'], [1, 3]],
  ['Tags', 'not_in', ['tag_red', 'tag_green'], [2, 4, 5]],
  ['Tags', 'is_empty', undefined, [4, 5]],
  ['Tags', 'is_not_empty', undefined, [1, 2, 3]],
  ['Owners', 'eq', 'mem_ada', [1, 2]],
  ['Owners', 'eq', 'Cy Marlow', [4]],
  ['Owners', 'contains', 'mem_bo', [2]],
  ['Owners', 'in', ['mem_bo', 'mem_cy'], [2, 4]],
  ['Owners', 'is_empty', undefined, [3, 5]],
  ['Related', 'eq', 'lin_1', [1, 4]],
  ['Related', 'in', ['lin_2'], [2, 4]],
  ['Related', 'is_empty', undefined, [3, 5]],
  ['Total', 'gt', 10, [1]],
  ['Total', 'eq', 10, [2]],
  ['Total', 'eq', '10', [2]],
  ['Total', 'neq', 10, [1, 3, 4, 5]],
  ['Total', 'in', [12.5, -100], [1, 3]],
  ['Total', 'lt', 10, [3]],
  ['Total', 'is_empty', undefined, [4, 5]],
  ['Number', 'eq', 'INV-0002', [2]],
  ['Number', 'ends_with', '5', [5]],
  ['Files', 'is_empty', undefined, [1, 2, 3, 4, 5]],
  ['Files', 'is_not_empty', undefined, []],
  ['Created', 'gt', 1_767_606_203, [4, 5]],
  ['Updated', 'lte', 1_767_606_701, [1]],
]

describe('row query', () => {
  const { api, control } = useMock()
  const query = (body: unknown) => api.post(path, body)

  it.each(cases)('queryRows answers 200 when %s %s %j', async (column, operator, value, expected) => {
    const reply = await query({ filters: [{ column, operator, ...(value === undefined ? {} : { value }) }] })
    expect(reply.status).toBe(200)
    expect(reply.pluck('rows', 'id')).toEqual(ids(expected))
    expect(reply.at('total')).toBe(expected.length)
  })

  it('queryRows answers 200 as the listing does when the body is empty', async () => {
    const listing = await api.get('/datatables/tbl_all/rows')
    expect((await query({})).json).toEqual(listing.json)
  })

  it('queryRows answers 200 when columns are named by id', async () => {
    const reply = await query({
      filters: [{ column: 'col_number', operator: 'eq', value: 10 }],
      sort: [{ column: 'col_text', direction: 'asc' }],
      select: ['col_text'],
    })
    expect(reply.json).toEqual({
      rows: [
        { id: 'row_4', version: 1, data: { col_text: 'alphabet' } },
        { id: 'row_2', version: 1, data: { col_text: 'beta' } },
      ],
      total: 2,
      page: 1,
      pageSize: 50,
    })
  })

  const two = [
    { column: 'Quantity', operator: 'eq', value: 10 },
    { column: 'Stage', operator: 'eq', value: 'Lead' },
  ]
  it.each([
    [undefined, [4]],
    ['all', [4]],
    ['any', [1, 2, 4]],
  ])('queryRows answers 200 when two filters match %s', async (match, expected) => {
    const reply = await query({ filters: two, ...(match === undefined ? {} : { match }) })
    expect(reply.pluck('rows', 'id')).toEqual(ids(expected))
  })

  it('queryRows answers 200 afresh when the same filters are combined or sorted in another way', async () => {
    const found = async (more: object) => (await query({ filters: two, ...more })).pluck('rows', 'id')
    expect(await found({ match: 'all' })).toEqual(ids([4]))
    expect(await found({ match: 'any' })).toEqual(ids([1, 2, 4]))
    expect(await found({ match: 'any', sort: [{ column: 'Title', direction: 'asc' }] })).toEqual(
      ids([1, 4, 2]),
    )
    expect(await found({ match: 'any', sort: [{ column: 'Title', direction: 'desc' }] })).toEqual(
      ids([2, 4, 1]),
    )
  })

  it('queryRows answers 200 by the first direction when a column is sorted by twice', async () => {
    const sort = ['asc', 'desc'].map((direction) => ({ column: 'Title', direction }))
    expect((await query({ filters: two, match: 'any', sort })).pluck('rows', 'id')).toEqual(ids([1, 4, 2]))
    const sorted = async (text: string) =>
      (await api.get('/datatables/tbl_all/rows', { query: { sort: text } })).pluck('rows', 'id')
    expect(await sorted('Title:desc,Title:asc')).toEqual(await sorted('Title:desc'))
  })

  it('queryRows answers 200 by the current answers when the same query was sent before', async () => {
    const found = async () =>
      (await query({ filters: [{ column: 'Title', operator: 'contains', value: 'ALPHA' }] })).pluck(
        'rows',
        'id',
      )
    expect(await found()).toEqual(ids([1, 4]))
    await control.setAnswers({ queryText: 'sensitive' })
    expect(await found()).toEqual([])
  })

  it('queryRows answers 200 with the rows of a member when they were added after the same query', async () => {
    const found = async () =>
      (await query({ filters: [{ column: 'Owners', operator: 'contains', value: 'Zoe' }] })).pluck(
        'rows',
        'id',
      )
    expect(await found()).toEqual([])
    await control.seed({ members: [{ id: 'mem_zoe', name: 'Zoe' }] })
    expect(await found()).toEqual([])
    const created = await api.post('/datatables/tbl_all/rows', { data: { col_people: ['mem_zoe'] } })
    expect(created.status).toBe(200)
    expect(await found()).toEqual([created.string('id')])
  })

  it('queryRows answers 200 with every row when there are no filters and match is any', async () => {
    expect((await query({ filters: [], match: 'any' })).at('total')).toBe(5)
  })

  it('queryRows answers 200 in order, asc by default, when sorted by several columns', async () => {
    const reply = await query({ sort: [{ column: 'Quantity', direction: 'desc' }, { column: 'Title' }] })
    expect(reply.pluck('rows', 'id')).toEqual(ids([4, 2, 1, 3, 5]))
  })

  it.each([
    [{ limit: 500 }, 500, 1, 500],
    [{ limit: 501 }, 500, 1, 500],
    [{ limit: 500, page: 2 }, 500, 2, 1],
    [{ limit: 0 }, 50, 1, 50],
    [{ page: 0 }, 50, 1, 50],
    [{ limit: 'x', page: 'y' }, 50, 1, 50],
    [{ limit: 2.5 }, 50, 1, 50],
  ])('queryRows answers 200 when the page is %j', async (body, pageSize, page, count) => {
    const reply = await api.post('/datatables/tbl_many/query', body)
    expect(reply.list('rows')).toHaveLength(count)
    expect(reply.at('pageSize')).toBe(pageSize)
    expect(reply.at('page')).toBe(page)
    expect(reply.at('total')).toBe(501)
  })

  it.each([
    ['an unknown column', { filters: [{ column: 'Nothing', operator: 'eq', value: 1 }] }, 'Nothing'],
    ['an unknown operator', { filters: [{ column: 'Title', operator: 'like', value: 1 }] }, 'like'],
    ['an unknown sort column', { sort: [{ column: 'Nothing' }] }, 'Nothing'],
    ['an unknown direction', { sort: [{ column: 'Title', direction: 'up' }] }, 'up'],
    ['an unknown selected column', { select: ['Nothing'] }, 'Nothing'],
    ['between without a pair', { filters: [{ column: 'Due', operator: 'between', value: 5 }] }, 'between'],
    [
      'between with three',
      { filters: [{ column: 'Due', operator: 'between', value: [1, 2, 3] }] },
      'between',
    ],
    ['in without an array', { filters: [{ column: 'Title', operator: 'in', value: 'x' }] }, 'in'],
    ['filters that are no array', { filters: {} }, 'filters'],
    ['a filter that is no object', { filters: ['Title'] }, 'filters'],
    ['an unknown match', { match: 'some' }, 'match'],
    ['select that is no array', { select: 'Title' }, 'select'],
    ['sort that is no array', { sort: 'Title' }, 'sort'],
    ['a body that is no object', [], 'body'],
  ])('queryRows answers 400 naming the cause when there is %s', async (_, body, cause) => {
    const reply = await query(body)
    expect(reply.status).toBe(400)
    expect(reply.error).toContain(cause)
  })

  it('queryRows answers 404 when the table is absent or foreign', async () => {
    expect((await api.post('/datatables/tbl_none/query', {})).status).toBe(404)
    expect((await api.post('/datatables/tbl_free/query', {})).status).toBe(404)
  })

  it('queryRows answers 200 and changes nothing when it filters and sorts', async () => {
    const before = await api.get('/datatables/tbl_all/rows')
    await query({ filters: two, match: 'any', sort: [{ column: 'Title' }] })
    expect((await api.get('/datatables/tbl_all/rows')).text).toBe(before.text)
  })
})
