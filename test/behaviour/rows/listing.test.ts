// The row listing: pages, order, projection, equality filters.
import { describe, expect, it } from 'vitest'
import { useMock } from '../support/harness.ts'

const path = '/datatables/tbl_all/rows'
const ids = (numbers: readonly number[]) => numbers.map((number) => `row_${String(number)}`)

describe('row listing', () => {
  const { api } = useMock()
  const listed = async (query: Record<string, string>) => {
    const reply = await api.get(path, { query })
    expect(reply.status).toBe(200)
    return reply.pluck('rows', 'id')
  }

  it('listRows answers 200 with the first 50 rows in order of creation when no page is named', async () => {
    const reply = await api.get('/datatables/tbl_many/rows')
    expect(reply.status).toBe(200)
    expect(reply.at('total')).toBe(501)
    expect(reply.at('page')).toBe(1)
    expect(reply.at('pageSize')).toBe(50)
    expect(reply.pluck('rows', 'data.col_count')).toEqual(Array.from({ length: 50 }, (_, index) => index + 1))
  })

  it('listRows answers 200 with whole rows when no column is selected', async () => {
    const listing = await api.get(path)
    const single = await api.get(`${path}/row_2`)
    expect(listing.at('rows.1')).toEqual(single.json)
  })

  it.each([
    [{ limit: '500' }, 500, 1, 500],
    [{ limit: '501' }, 500, 1, 500],
    [{ limit: '500', page: '2' }, 500, 2, 1],
    [{ limit: '500', page: '3' }, 500, 3, 0],
    [{ limit: '499', page: '2' }, 499, 2, 2],
    [{ pageSize: '100', page: '6' }, 100, 6, 1],
    [{ pageSize: '100', limit: '200' }, 200, 1, 200],
    [{ limit: '1', page: '501' }, 1, 501, 1],
    [{ limit: '0' }, 50, 1, 50],
    [{ limit: '-5' }, 50, 1, 50],
    [{ limit: 'ten' }, 50, 1, 50],
    [{ limit: '10.5' }, 50, 1, 50],
    [{ limit: '' }, 50, 1, 50],
    [{ page: '0' }, 50, 1, 50],
    [{ page: 'x' }, 50, 1, 50],
    [{ page: '-1' }, 50, 1, 50],
    [{ limit: '99999999999999999999' }, 500, 1, 500],
  ])(
    'listRows answers 200 when the query is %j: pageSize %i, page %i, %i rows',
    async (query, pageSize, page, count) => {
      const reply = await api.get('/datatables/tbl_many/rows', { query: query as Record<string, string> })
      expect(reply.status).toBe(200)
      expect(reply.list('rows')).toHaveLength(count)
      expect(reply.at('pageSize')).toBe(pageSize)
      expect(reply.at('page')).toBe(page)
      expect(reply.at('total')).toBe(501)
    },
  )

  it('listRows answers 200 with every row once when all pages are read', async () => {
    const seen: unknown[] = []
    for (let page = 1; page <= 6; page++)
      seen.push(
        ...(await api.get('/datatables/tbl_many/rows', { query: { page, limit: 100 } })).pluck('rows', 'id'),
      )
    expect(new Set(seen).size).toBe(501)
    expect(seen).toHaveLength(501)
  })

  it('listRows answers 200 with the first value when a parameter is repeated', async () => {
    const reply = await api.get(path, { query: 'limit=2&limit=3&Quantity=10&Quantity=5' })
    expect(reply.at('pageSize')).toBe(2)
    expect(reply.pluck('rows', 'id')).toEqual(ids([2, 4]))
  })

  it.each([
    ['Title', [1, 4, 2, 3, 5]],
    ['Title:asc', [1, 4, 2, 3, 5]],
    ['Title:desc', [3, 2, 4, 1, 5]],
    ['Notes:asc', [1, 2, 3, 4, 5]],
    ['Quantity:asc', [3, 1, 2, 4, 5]],
    ['Quantity:desc', [2, 4, 1, 3, 5]],
    ['Unit price:desc', [3, 1, 2, 4, 5]],
    ['Progress:asc', [1, 2, 3, 4, 5]],
    ['Active:asc', [2, 1, 3, 4, 5]],
    ['Due:desc', [3, 2, 4, 1, 5]],
    ['Stage:asc', [1, 4, 3, 2, 5]],
    ['Stage:desc', [2, 3, 1, 4, 5]],
    ['Tags:asc', [2, 3, 1, 4, 5]],
    ['Owners:asc', [1, 2, 4, 3, 5]],
    ['Total:asc', [3, 2, 1, 4, 5]],
    ['Number:desc', [5, 4, 3, 2, 1]],
    ['Created:desc', [5, 4, 3, 2, 1]],
    ['Updated:desc', [5, 4, 3, 2, 1]],
    ['Quantity:desc,Title:asc', [4, 2, 1, 3, 5]],
    ['Quantity:desc,Title:desc', [2, 4, 1, 3, 5]],
    ['Stage,Quantity:desc', [4, 1, 3, 2, 5]],
  ])('listRows answers 200 in order when sort is %s', async (sort, expected) => {
    expect(await listed({ sort })).toEqual(ids(expected))
  })

  it('listRows answers 200 with the sorted page when sort and page are combined', async () => {
    const reply = await api.get('/datatables/tbl_many/rows', {
      query: { sort: 'Count:desc', limit: 3, page: 2 },
    })
    expect(reply.pluck('rows', 'data.col_count')).toEqual([498, 497, 496])
  })

  it.each([
    ['Nothing:asc', 'Nothing'],
    ['Title:up', 'up'],
    ['Title:asc,Nothing', 'Nothing'],
    ['col_text:asc', 'col_text'],
    ['title', 'title'],
  ])('listRows answers 400 naming the cause when sort is %s', async (sort, cause) => {
    const reply = await api.get(path, { query: { sort } })
    expect(reply.status).toBe(400)
    expect(reply.error).toContain(cause)
  })

  it('listRows answers 200 with the selected columns alone when select is given', async () => {
    const reply = await api.get(path, { query: { select: 'Title,Unit price,Total', limit: 1 } })
    expect(reply.at('rows.0')).toEqual({
      id: 'row_1',
      version: 1,
      data: { col_text: 'Alpha', col_currency: 2.5, col_formula: 12.5 },
    })
  })

  it('listRows answers 400 naming the column when select names none', async () => {
    const reply = await api.get(path, { query: { select: 'Title,Nothing' } })
    expect(reply.status).toBe(400)
    expect(reply.error).toContain('Nothing')
    expect((await api.get(path, { query: { select: 'col_text' } })).status).toBe(400)
  })

  it.each([
    [{ Title: 'Alpha' }, [1]],
    [{ Title: 'alpha' }, []],
    [{ Notes: 'second note' }, [2]],
    [{ Email: 'cy@example.test' }, [3]],
    [{ Phone: '+44 2' }, [2]],
    [{ Website: 'https://alpha.test' }, [1]],
    [{ Quantity: '10' }, [2, 4]],
    [{ Quantity: '10.0' }, [2, 4]],
    [{ Quantity: 'ten' }, []],
    [{ 'Unit price': '2.50' }, [1]],
    [{ Progress: '100' }, [3]],
    [{ Active: 'true' }, [1, 3]],
    [{ Active: 'false' }, [2]],
    [{ Due: '2000' }, [2, 4]],
    [{ Stage: 'opt_lead' }, [1, 4]],
    [{ Stage: 'Lead' }, [1, 4]],
    [{ Stage: 'lead' }, []],
    [{ Tags: 'tag_blue' }, [1, 2]],
    [{ Tags: 'Blue' }, [1, 2]],
    [{ Owners: 'mem_ada' }, [1, 2]],
    [{ Owners: 'Cy Marlow' }, [4]],
    [{ Related: 'lin_1' }, [1, 4]],
    [{ Total: '-100' }, [3]],
    [{ Number: 'INV-0005' }, [5]],
    [{ Created: '1767606201' }, [1]],
    [{ Quantity: '10', Stage: 'Lead' }, [4]],
    [{ Quantity: '10', Stage: 'Lost' }, []],
    [{ Nothing: 'x' }, [1, 2, 3, 4, 5]],
    [{ col_text: 'Alpha' }, [1, 2, 3, 4, 5]],
  ])('listRows answers 200 with the rows that match when the filter is %j', async (query, expected) => {
    const reply = await api.get(path, { query: query as Record<string, string> })
    expect(reply.status).toBe(200)
    expect(reply.pluck('rows', 'id')).toEqual(ids(expected))
    expect(reply.at('total')).toBe(expected.length)
  })

  it('listRows answers 200 with the filtered, sorted page when all is combined', async () => {
    const query = { Stage: 'Lead', sort: 'Quantity:desc', select: 'Quantity', limit: 1, page: 2 }
    expect((await api.get(path, { query })).json).toEqual({
      rows: [{ id: 'row_1', version: 1, data: { col_number: 5 } }],
      total: 2,
      page: 2,
      pageSize: 1,
    })
  })

  it('listRows answers 200 with what was written since when rows change', async () => {
    expect(await listed({ sort: 'Title' })).toEqual(ids([1, 4, 2, 3, 5]))
    await api.patch(`${path}/row_3`, { data: { col_text: 'aaa' } })
    expect(await listed({ sort: 'Title' })).toEqual(ids([3, 1, 4, 2, 5]))
    await api.delete(`${path}/row_1`)
    expect(await listed({ sort: 'Title' })).toEqual(ids([3, 4, 2, 5]))
  })

  it('listRows answers 404 when the table is absent or foreign', async () => {
    expect((await api.get('/datatables/tbl_none/rows')).status).toBe(404)
    expect((await api.get('/datatables/tbl_free/rows')).status).toBe(404)
  })
})

const reservedFixture = {
  name: 'reserved',
  clock: 0,
  workspaces: [
    {
      id: 'ws_r',
      name: 'Reserved',
      plan: 'pro',
      members: [{ id: 'mem_r', name: 'Ria' }],
      keys: [{ key: 'wm_r', name: 'master', kind: 'master', member_id: 'mem_r' }],
      tables: [
        {
          id: 'tbl_r',
          name: 'Reserved',
          columns: [
            { id: 'col_sort', name: 'sort', type: 'text', readonly: false },
            { id: 'col_limit', name: 'limit', type: 'number', readonly: false },
            { id: 'col_colon', name: 'Ratio: a, b', type: 'number', readonly: false },
          ],
          rows: [
            { id: 'r1', data: { col_sort: 'sort', col_limit: 1, col_colon: 7 } },
            { id: 'r2', data: {} },
          ],
        },
      ],
      spaces: [],
      forms: [],
      jobs: [],
    },
  ],
  files: {},
}

describe('row listing of a table with awkward column names', () => {
  const { api } = useMock({ fixture: reservedFixture, key: 'wm_r' })

  it('listRows answers 200 without filtering when a column is called like a parameter', async () => {
    const reply = await api.get('/datatables/tbl_r/rows', { query: { sort: 'sort', limit: '1', page: '2' } })
    expect(reply.status).toBe(200)
    expect(reply.at('total')).toBe(2)
    expect(reply.pluck('rows', 'id')).toEqual(['r2'])
  })

  it('listRows answers 200 filtered when the name of the column has to be encoded', async () => {
    const reply = await api.get('/datatables/tbl_r/rows', { query: { 'Ratio: a, b': '7' } })
    expect(reply.pluck('rows', 'id')).toEqual(['r1'])
  })
})
