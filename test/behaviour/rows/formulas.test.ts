// Formula and time columns in sorting, filters and upserts: their values are computed, and one column can have several
// types.
import { describe, expect, it } from 'vitest'
import { times, useMock } from '../support/harness.ts'

const column = (id: string, name: string, type: string, more = {}) => ({
  id,
  name,
  type,
  readonly: false,
  ...more,
})

/** Results of the formula: text, numbers, booleans and null. */
const values = ['beta', 10, true, null, 'Alpha', 2, false, 'alpha', -1, '10']
const rowOf = (value: unknown, index: number) => ({
  id: `r${String(index)}`,
  created_at: 1000 + (index >> 1),
  updated_at: 5000 - index,
  data: {
    c_kind: value === null ? 'none' : typeof value,
    ...(typeof value === 'string' && { c_text: value }),
    ...(typeof value === 'number' && { c_number: value }),
    ...(typeof value === 'boolean' && { c_number: value ? 1 : 0 }),
  },
})

const fixture = {
  name: 'formulas',
  clock: 1_767_607_200,
  workspaces: [
    {
      id: 'ws',
      name: 'Formulas',
      plan: 'pro',
      members: [{ id: 'mem', name: 'Ada' }],
      keys: [{ key: 'wm', name: 'master', kind: 'master', member_id: 'mem' }],
      tables: [
        {
          id: 'tbl',
          name: 'Table',
          columns: [
            column('c_kind', 'Kind', 'text'),
            column('c_text', 'Text', 'text'),
            column('c_number', 'Number', 'number'),
            column('c_mixed', 'Mixed', 'formula', {
              readonly: true,
              formula:
                'Kind == "string" ? Text : Kind == "number" ? Number : Kind == "none" ? Text : Number == 1',
            }),
            column('c_double', 'Double', 'formula', { readonly: true, formula: 'Number * 2' }),
            column('c_created', 'Created', 'created_at', { readonly: true }),
            column('c_updated', 'Updated', 'updated_at', { readonly: true }),
          ],
          rows: values.map(rowOf),
        },
      ],
    },
  ],
}

describe('computed columns', () => {
  const { api } = useMock({ fixture, key: 'wm' })
  const rows = '/datatables/tbl/rows'
  const ids = async (query: Readonly<Record<string, string>>) =>
    (await api.get(rows, { query: { limit: 100, ...query } })).pluck('rows', 'id')
  const filtered = async (operator: string, value?: unknown) =>
    (await api.post('/datatables/tbl/query', { filters: [{ column: 'Mixed', operator, value }] })).pluck(
      'rows',
      'id',
    )
  const upsert = (key_column: string, row: object) =>
    api.post(`${rows}/bulk`, { rows: [row], mode: 'upsert', key_column })

  it('listRows answers 200 with what a formula gives when its rows give different types', async () => {
    expect((await api.get(rows)).pluck('rows', 'data.c_mixed')).toEqual(values)
  })

  it('listRows answers 200 with booleans, numbers, text whatever its case and empty ones last when sorted by a formula', async () => {
    const ascending = ['r6', 'r2', 'r8', 'r5', 'r1', 'r9', 'r4', 'r7', 'r0']
    expect(await ids({ sort: 'Mixed' })).toEqual([...ascending, 'r3'])
    const descending = ['r0', 'r4', 'r7', 'r9', 'r1', 'r5', 'r8', 'r2', 'r6']
    expect(await ids({ sort: 'Mixed:desc' })).toEqual([...descending, 'r3'])
  })

  it('listRows answers 200 in the new order when a row of a sorted formula changes', async () => {
    await ids({ sort: 'Mixed' })
    await api.patch(`${rows}/r0`, { data: { c_kind: 'number', c_number: 3 } })
    expect(await ids({ sort: 'Mixed' })).toEqual([
      ...['r6', 'r2', 'r8', 'r5', 'r0', 'r1', 'r9', 'r4', 'r7'],
      'r3',
    ])
    expect(await ids({ sort: 'Double,Created:desc' })).toEqual([
      ...['r8', 'r6', 'r2', 'r5', 'r0', 'r1', 'r9', 'r7', 'r4', 'r3'],
    ])
  })

  it("queryRows answers 200 comparing values of the operand's type when a formula gives several types", async () => {
    expect(await filtered('gt', 1)).toEqual(['r1', 'r5'])
    expect(await filtered('lt', 'b')).toEqual(['r4', 'r7', 'r9'])
    expect(await filtered('eq', 10)).toEqual(['r1', 'r9'])
    expect(await filtered('contains', 'LPH')).toEqual(['r4', 'r7'])
    expect(await filtered('is_true')).toEqual(['r2'])
    expect(await filtered('is_empty')).toEqual(['r3'])
  })

  it('bulkInsertRows answers 200 when it matches on a formula, also as it is after the same request', async () => {
    expect((await upsert('Double', { c_double: 20, c_text: 'ten' })).json).toMatchObject({ updated: 1 })
    expect((await api.get(`${rows}/r1`)).at('data.c_text')).toBe('ten')
    const again = await api.post(`${rows}/bulk`, {
      rows: [
        { c_double: 20, c_number: 11 },
        { c_double: 22, c_text: 'eleven' },
        { c_double: 20, c_text: 'new' },
      ],
      mode: 'upsert',
      key_column: 'c_double',
    })
    expect(again.json).toMatchObject({ updated: 2, inserted: 1 })
    expect((await api.get(`${rows}/r1`)).at('data')).toMatchObject({ c_number: 11, c_text: 'eleven' })
  })

  it.each([
    ['Created', { c_created: 1001 }, 'r2'],
    ['Updated', { c_updated: '4993' }, 'r7'],
  ])('bulkInsertRows answers 200 updating the first row when the key is %s %j', async (key, values, id) => {
    expect((await upsert(key, { ...values, c_text: 'found' })).json).toMatchObject({ updated: 1 })
    expect(await ids({ Text: 'found' })).toEqual([id])
    // The first upsert changed Updated, so the next one no longer finds that row.
    const next = await upsert('Updated', { c_updated: 4993, c_text: 'next' })
    expect(next.json).toMatchObject(id === 'r7' ? { inserted: 1 } : { updated: 1 })
  })

  it('listRows answers 200 alike when more columns were sorted than are kept at once', async () => {
    const names = ['Kind', 'Text', 'Number', 'Mixed', 'Double', 'Created', 'Updated']
    const first = await Promise.all(names.map((sort) => ids({ sort })))
    await Promise.all(times(3, () => ids({ sort: names.join(',') })))
    expect(await Promise.all(names.map((sort) => ids({ sort })))).toEqual(first)
  })
})
