// Single rows: create, read, change, delete.
import { describe, expect, it } from 'vitest'
import { NOW, allColumns, allRows } from '../support/fixture.ts'
import { useMock } from '../support/harness.ts'

describe('rows', () => {
  const { api, control } = useMock()

  it('createRow answers 200 with the new row when the data fits', async () => {
    const created = await api.post('/datatables/tbl_empty/rows', { data: { col_name: 'New', col_count: 3 } })
    expect(created.status).toBe(200)
    expect(created.json).toEqual({
      id: created.string('id'),
      version: 1,
      data: { col_name: 'New', col_count: 3 },
    })
    expect((await api.get(`/datatables/tbl_empty/rows/${created.string('id')}`)).json).toEqual(created.json)
  })

  it('createRow answers 200 with empty columns when the data is empty', async () => {
    const created = await api.post('/datatables/tbl_empty/rows', { data: {} })
    expect(created.at('data')).toEqual({ col_name: null, col_count: null })
  })

  it('createRow answers 200 with another id each time when rows are alike', async () => {
    const first = await api.post('/datatables/tbl_empty/rows', { data: {} })
    const second = await api.post('/datatables/tbl_empty/rows', { data: {} })
    expect(second.string('id')).not.toBe(first.string('id'))
  })

  it.each([
    ['no body', undefined],
    ['no data', {}],
    ['data null', { data: null }],
    ['data that is an array', { data: [] }],
    ['data that is a string', { data: 'x' }],
  ])('createRow answers 400 when there is %s', async (_, json) => {
    const reply = await api.post('/datatables/tbl_empty/rows', json)
    expect(reply.status).toBe(400)
    expect((await api.get('/datatables/tbl_empty/rows')).at('total')).toBe(0)
  })

  it('createRow answers 400 naming field and value when a value is of the wrong type', async () => {
    const reply = await api.post('/datatables/tbl_empty/rows', { data: { col_count: 'many' } })
    expect(reply.status).toBe(400)
    expect(reply.error).toMatch(/col_count|Count/)
    expect(reply.error).toContain('number')
    expect(reply.error).toContain('many')
  })

  it('createRow answers 400 naming the key when it is no column id', async () => {
    const reply = await api.post('/datatables/tbl_empty/rows', { data: { Name: 'by name' } })
    expect(reply.status).toBe(400)
    expect(reply.error).toContain('Name')
  })

  it('createRow answers 404 when the table is absent or foreign', async () => {
    expect((await api.post('/datatables/tbl_none/rows', { data: {} })).status).toBe(404)
    expect((await api.post('/datatables/tbl_free/rows', { data: {} })).status).toBe(404)
  })

  it('getRow answers 200 with all columns, the read-only ones too, when the row has values', async () => {
    const reply = await api.get('/datatables/tbl_all/rows/row_1')
    expect(reply.status).toBe(200)
    expect(reply.json).toEqual({
      id: 'row_1',
      version: 1,
      data: {
        ...allRows[0]?.data,
        col_formula: 12.5,
        col_autonumber: 'INV-0001',
        col_attachment: [],
        col_contracts: [],
        col_created: NOW - 999,
        col_updated: NOW - 499,
      },
    })
  })

  it('getRow answers 200 with null or [] when columns have no value', async () => {
    const reply = await api.get('/datatables/tbl_all/rows/row_5')
    const isList = (type: string) => ['tags', 'people', 'datatable', 'attachment'].includes(type)
    const empty = allColumns.map(({ id, type }) => [id, isList(type) ? [] : null] as const)
    expect(reply.at('data')).toEqual({
      ...Object.fromEntries(empty),
      col_autonumber: 'INV-0005',
      col_created: NOW - 995,
      col_updated: NOW - 495,
    })
  })

  it.each(['row_none', 'lin_1', 'row_free'])(
    'getRow answers 404 when the table has no row %s',
    async (id) => {
      expect((await api.get(`/datatables/tbl_all/rows/${id}`)).status).toBe(404)
    },
  )

  it('updateRow answers 200 with the changed row when some columns are sent', async () => {
    await control.advance('1h')
    const updated = await api.patch('/datatables/tbl_all/rows/row_1', {
      data: { col_text: 'Changed', col_number: null },
    })
    expect(updated.status).toBe(200)
    expect(updated.at('version')).toBe(2)
    expect(updated.at('data')).toMatchObject({
      col_text: 'Changed',
      col_number: null,
      col_formula: null,
      col_email: 'ada@example.test',
      col_created: NOW - 999,
      col_updated: NOW + 3600,
    })
    expect((await api.get('/datatables/tbl_all/rows/row_1')).json).toEqual(updated.json)
  })

  it('updateRow answers 200 with the next version when nothing is sent', async () => {
    expect((await api.patch('/datatables/tbl_all/rows/row_1', { data: {} })).at('version')).toBe(2)
    expect((await api.patch('/datatables/tbl_all/rows/row_1', { data: {} })).at('version')).toBe(3)
  })

  it('updateRow answers 200 without touching read-only columns when they are sent', async () => {
    const before = await api.get('/datatables/tbl_all/rows/row_1')
    const updated = await api.patch('/datatables/tbl_all/rows/row_1', {
      data: {
        col_datatable: ['lin_2'],
        col_formula: 1,
        col_autonumber: 'INV-9999',
        col_created: 1,
        col_updated: 'nonsense',
        col_attachment: [{ key: 'x' }],
      },
    })
    expect(updated.status).toBe(200)
    expect(updated.at('data')).toEqual({ ...(before.at('data') as object), col_updated: NOW })
  })

  it('updateRow answers 400 and changes nothing when one of the values is wrong', async () => {
    const before = await api.get('/datatables/tbl_all/rows/row_1')
    const reply = await api.patch('/datatables/tbl_all/rows/row_1', {
      data: { col_text: 'New', col_number: 'x' },
    })
    expect(reply.status).toBe(400)
    expect((await api.get('/datatables/tbl_all/rows/row_1')).json).toEqual(before.json)
  })

  it.each([[undefined], [{}], [{ data: 1 }]])('updateRow answers 400 when the body is %j', async (json) => {
    expect((await api.patch('/datatables/tbl_all/rows/row_1', json)).status).toBe(400)
  })

  it('updateRow answers 404 when row or table is absent', async () => {
    expect((await api.patch('/datatables/tbl_all/rows/row_none', { data: {} })).status).toBe(404)
    expect((await api.patch('/datatables/tbl_none/rows/row_1', { data: {} })).status).toBe(404)
    expect((await api.patch('/datatables/tbl_empty/rows/row_1', { data: {} })).status).toBe(404)
  })

  it('deleteRow answers 200 when the row exists, which is then gone for good', async () => {
    const reply = await api.delete('/datatables/tbl_all/rows/row_1')
    expect(reply.status).toBe(200)
    expect(reply.json).toEqual({ success: true })
    expect((await api.get('/datatables/tbl_all/rows/row_1')).status).toBe(404)
    expect((await api.get('/datatables/tbl_all/rows')).pluck('rows', 'id')).toEqual([
      'row_2',
      'row_3',
      'row_4',
      'row_5',
    ])
  })

  it('deleteRow answers 404 when the row is deleted already, absent or foreign', async () => {
    await api.delete('/datatables/tbl_all/rows/row_1')
    expect((await api.delete('/datatables/tbl_all/rows/row_1')).status).toBe(404)
    expect((await api.delete('/datatables/tbl_all/rows/row_none')).status).toBe(404)
    expect((await api.delete('/datatables/tbl_free/rows/row_free')).status).toBe(404)
  })

  it('createRow answers 200 with a fresh id when the last row was deleted', async () => {
    const first = (await api.post('/datatables/tbl_empty/rows', { data: {} })).string('id')
    await api.delete(`/datatables/tbl_empty/rows/${first}`)
    expect((await api.post('/datatables/tbl_empty/rows', { data: {} })).string('id')).not.toBe(first)
  })
})
