// The synchronous bulk insert.
import { describe, expect, it } from 'vitest'
import { times, useMock } from '../support/harness.ts'

const path = '/datatables/tbl_empty/rows/bulk'
const rows = (count: number) => times(count, (index) => ({ col_name: `n${String(index)}`, col_count: index }))

describe('bulk insert', () => {
  const { api, control } = useMock()
  const total = async () => (await api.get('/datatables/tbl_empty/rows')).number('total')

  it.each([1, 249, 250])('bulkInsertRows answers 200 when there are %i rows', async (count) => {
    const reply = await api.post(path, { rows: rows(count) })
    expect(reply.status).toBe(200)
    expect(reply.json).toEqual({ success: true, count, total: count })
    const listing = await api.get('/datatables/tbl_empty/rows', { query: { limit: 500 } })
    expect(listing.pluck('rows', 'data.col_count')).toEqual(times(count, (index) => index))
    expect(listing.at('rows.0.version')).toBe(1)
  })

  it('bulkInsertRows answers 413 with the facts when there are 251 rows', async () => {
    const reply = await api.post(path, { rows: rows(251) })
    expect(reply.status).toBe(413)
    expect(reply.json).toEqual({
      error: reply.error,
      limitReached: true,
      resource: 'bulkRowsPerRequest',
      limit: 250,
      current: 251,
    })
    expect(reply.error).toMatch(/250/)
    expect(await total()).toBe(0)
  })

  it('bulkInsertRows answers 200 with the failed rows when some are invalid', async () => {
    const reply = await api.post(path, {
      rows: [
        { col_name: 'a' },
        { col_count: 'x' },
        { col_name: 'b' },
        { nope: 1 },
        'row',
        null,
        { col_count: 4 },
      ],
    })
    expect(reply.status).toBe(200)
    expect(reply.json).toEqual({
      success: true,
      count: 3,
      total: 7,
      errors: [1, 3, 4, 5].map((index, at) => ({ index, error: reply.string(`errors.${String(at)}.error`) })),
    })
    expect(reply.string('errors.0.error')).toContain('col_count')
    expect(reply.string('errors.1.error')).toContain('nope')
    const listing = await api.get('/datatables/tbl_empty/rows')
    expect(listing.pluck('rows', 'data.col_name')).toEqual(['a', 'b', null])
  })

  it('bulkInsertRows answers 200 with the failed row when a dropdown value is invalid', async () => {
    const reply = await api.post('/datatables/tbl_all/rows/bulk', {
      rows: [{ col_dropdown: 'opt_won' }, { col_dropdown: 'opt_none' }],
    })
    expect(reply.status).toBe(200)
    expect(reply.pluck('errors', 'index')).toEqual([1])
    expect(reply.string('errors.0.error')).toContain('col_dropdown')
  })

  it('bulkInsertRows answers 400 with the failed rows when none goes in', async () => {
    const reply = await api.post(path, { rows: [{ col_count: 'x' }, { nope: 1 }] })
    expect(reply.status).toBe(400)
    expect(reply.string('error')).not.toBe('')
    expect(reply.pluck('errors', 'index')).toEqual([0, 1])
    expect(await total()).toBe(0)
  })

  it('bulkInsertRows answers 400 when rows is empty', async () => {
    expect((await api.post(path, { rows: [] })).status).toBe(400)
  })

  it.each([
    ['no body', undefined],
    ['no rows', {}],
    ['rows that is an object', { rows: { 0: {} } }],
    ['an unknown mode', { rows: rows(1), mode: 'replace' }],
    ['a mode that is no string', { rows: rows(1), mode: 1 }],
  ])('bulkInsertRows answers 400 when there is %s', async (_, json) => {
    expect((await api.post(path, json)).status).toBe(400)
    expect(await total()).toBe(0)
  })

  it('bulkInsertRows answers 200 as an insert when mode is insert', async () => {
    expect((await api.post(path, { rows: rows(2), mode: 'insert' })).json).toEqual({
      success: true,
      count: 2,
      total: 2,
    })
  })

  it('bulkInsertRows answers 200 counting autonumbers on when read-only columns are sent, which are ignored', async () => {
    const reply = await api.post('/datatables/tbl_all/rows/bulk', {
      rows: [{ col_autonumber: 'INV-0900', col_formula: 3 }, { col_number: 'bad' }, {}],
    })
    expect(reply.at('count')).toBe(2)
    const numbers = (await api.get('/datatables/tbl_all/rows')).pluck('rows', 'data.col_autonumber')
    expect(numbers.slice(5)).toEqual(['INV-0006', 'INV-0007'])
  })

  it('bulkInsertRows answers 404 when the table is absent or foreign', async () => {
    expect((await api.post('/datatables/tbl_none/rows/bulk', { rows: rows(1) })).status).toBe(404)
    expect((await api.post('/datatables/tbl_free/rows/bulk', { rows: rows(1) })).status).toBe(404)
  })

  it('bulkInsertRows answers 403 without limit facts when the table is locked', async () => {
    const reply = await api.post('/datatables/tbl_locked/rows/bulk', { rows: rows(1) })
    expect(reply.status).toBe(403)
    expect(reply.json).toEqual({ error: reply.error })
    await control.lockTable('tbl_locked', false)
    expect((await api.post('/datatables/tbl_locked/rows/bulk', { rows: rows(1) })).status).toBe(200)
  })

  it('bulkInsertRows answers 403 when the table was locked in the meantime', async () => {
    await control.lockTable('tbl_empty')
    expect((await api.post(path, { rows: rows(1) })).status).toBe(403)
  })
})
