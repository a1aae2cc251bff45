// The bulk endpoint in mode upsert.
import { describe, expect, it } from 'vitest'
import { NOW } from '../support/fixture.ts'
import { multipart, times, useMock } from '../support/harness.ts'

const path = '/datatables/tbl_all/rows/bulk'

describe('upsert', () => {
  const { api, control } = useMock()
  const upsert = (key_column: unknown, rows: unknown[], table = path) =>
    api.post(table, { rows, mode: 'upsert', key_column })
  const row = (id: string) => api.get(`/datatables/tbl_all/rows/${id}`)
  const total = async () => (await api.get('/datatables/tbl_all/rows')).number('total')

  it('bulkInsertRows answers 200 updating in place and inserting the rest when mode is upsert', async () => {
    await control.advance('1m')
    const reply = await upsert('col_text', [
      { col_text: 'Alpha', col_number: 50 },
      { col_text: 'New', col_number: 1 },
    ])
    expect(reply.status).toBe(200)
    expect(reply.json).toEqual({ success: true, inserted: 1, updated: 1, total: 2, errorCount: 0 })
    const updated = await row('row_1')
    expect(updated.at('version')).toBe(2)
    expect(updated.at('data')).toMatchObject({
      col_number: 50,
      col_email: 'ada@example.test',
      col_updated: NOW + 60,
    })
    expect(await total()).toBe(6)
  })

  it('bulkInsertRows answers 200 matching by name when key_column is a name', async () => {
    const reply = await upsert('Title', [{ col_text: 'beta', col_number: 3 }])
    expect(reply.json).toEqual({ success: true, inserted: 0, updated: 1, total: 1, errorCount: 0 })
    expect((await row('row_2')).at('data.col_number')).toBe(3)
  })

  it('bulkInsertRows answers 200 without duplicates when the same rows are posted again', async () => {
    const rows = times(250, (index) => ({ col_name: `n${String(index)}` }))
    const table = '/datatables/tbl_empty/rows/bulk'
    expect((await upsert('col_name', rows, table)).json).toMatchObject({ inserted: 250, updated: 0 })
    expect((await upsert('col_name', rows, table)).json).toMatchObject({ inserted: 0, updated: 250 })
    expect((await api.get('/datatables/tbl_empty/rows')).at('total')).toBe(250)
  })

  it('bulkInsertRows answers 200 with the failed rows counted when some are invalid', async () => {
    const reply = await upsert('col_text', [
      { col_text: 'Alpha', col_number: 'x' },
      { col_text: 'beta', col_number: 1 },
      { col_text: 'New', nope: 1 },
    ])
    expect(reply.status).toBe(200)
    expect(reply.json).toMatchObject({ success: true, inserted: 0, updated: 1, total: 3, errorCount: 2 })
    expect(reply.pluck('errors', 'index')).toEqual([0, 2])
    expect((await row('row_1')).at('version')).toBe(1)
  })

  it('bulkInsertRows answers 400 when no row of an upsert goes in', async () => {
    const reply = await upsert('col_text', [{ col_text: 1 }])
    expect(reply.status).toBe(400)
    expect(reply.pluck('errors', 'index')).toEqual([0])
  })

  it.each([undefined, null, '', 'Nothing', 5])(
    'bulkInsertRows answers 400 when key_column is %j',
    async (key) => {
      const reply = await upsert(key, [{ col_text: 'Alpha' }])
      expect(reply.status).toBe(400)
      expect(reply.error).toContain('key_column')
      expect((await row('row_1')).at('version')).toBe(1)
    },
  )

  it('bulkInsertRows answers 200 inserting when the key value is missing or null', async () => {
    const reply = await upsert('col_text', [{ col_number: 1 }, { col_text: null }])
    expect(reply.json).toMatchObject({ inserted: 2, updated: 0 })
    expect((await row('row_5')).at('version')).toBe(1)
  })

  it('bulkInsertRows answers 200 updating the row with the same empty text when that is the key', async () => {
    expect((await upsert('col_text', [{ col_text: '' }])).json).toMatchObject({ inserted: 1, updated: 0 })
    expect((await upsert('col_text', [{ col_text: '' }])).json).toMatchObject({ inserted: 0, updated: 1 })
  })

  it('bulkInsertRows answers 200 updating the first inserted when several match', async () => {
    const reply = await upsert('col_number', [{ col_number: 10, col_text: 'hit' }])
    expect(reply.json).toMatchObject({ inserted: 0, updated: 1 })
    expect((await row('row_2')).at('data.col_text')).toBe('hit')
    expect((await row('row_4')).at('data.col_text')).toBe('alphabet')
  })

  it('bulkInsertRows answers 200 updating what the first left when two submitted rows have one key', async () => {
    const reply = await upsert('col_text', [
      { col_text: 'Twice', col_number: 1 },
      { col_text: 'Twice', col_slider: 2 },
    ])
    expect(reply.json).toMatchObject({ inserted: 1, updated: 1, total: 2 })
    const { json } = await api.get('/datatables/tbl_all/rows', { query: { Title: 'Twice' } })
    expect(json).toMatchObject({ total: 1, rows: [{ version: 2, data: { col_number: 1, col_slider: 2 } }] })
  })

  it('bulkInsertRows answers 200 matching on a read-only column when it is the key', async () => {
    const reply = await upsert('col_autonumber', [{ col_autonumber: 'INV-0003', col_text: 'by number' }])
    expect(reply.json).toMatchObject({ inserted: 0, updated: 1 })
    expect((await row('row_3')).at('data')).toMatchObject({
      col_text: 'by number',
      col_autonumber: 'INV-0003',
    })
  })

  it('bulkInsertRows answers 200 finding rows written a moment ago when upserting', async () => {
    await api.post('/datatables/tbl_all/rows', { data: { col_text: 'fresh' } })
    await api.patch('/datatables/tbl_all/rows/row_1', { data: { col_text: 'renamed' } })
    await api.delete('/datatables/tbl_all/rows/row_2')
    const reply = await upsert(
      'col_text',
      ['fresh', 'renamed', 'Alpha', 'beta'].map((col_text) => ({ col_text })),
    )
    expect(reply.json).toMatchObject({ inserted: 2, updated: 2 })
  })

  it('bulkInsertRows answers 413 when an upsert has 251 rows', async () => {
    const reply = await upsert(
      'col_text',
      times(251, () => ({})),
    )
    expect(reply.status).toBe(413)
    expect(reply.at('resource')).toBe('bulkRowsPerRequest')
  })

  it('bulkInsertRows answers 403 when the table of an upsert is locked', async () => {
    const reply = await upsert('col_name', [{ col_name: 'Fixed' }], '/datatables/tbl_locked/rows/bulk')
    expect(reply.status).toBe(403)
  })
})

describe('upsert after what was taken back', () => {
  const { api, control } = useMock()

  it('bulkInsertRows answers 200 matching neither its rows nor its values when a seed was refused', async () => {
    const table = '/datatables/tbl_empty/rows'
    const upsert = async (col_name: string) => {
      const rows = [{ col_name, col_count: 1 }]
      return (await api.post(`${table}/bulk`, { rows, mode: 'upsert', key_column: 'col_name' })).json
    }
    expect(await upsert('kept')).toMatchObject({ inserted: 1, updated: 0 })
    const { id = '' } = (await api.get(table)).list('rows')[0] as { id?: string }
    const rows = [{ data: { col_name: 'lost' } }, { data: { col_name: 7 } }]
    await expect(control.seed({ tables: [{ id: 'tbl_empty', rows }] })).rejects.toThrow('col_name')
    expect(await upsert('lost')).toMatchObject({ inserted: 1, updated: 0 })
    expect(await upsert('lost')).toMatchObject({ inserted: 0, updated: 1 })
    expect(await upsert('kept')).toMatchObject({ inserted: 0, updated: 1 })
    expect(
      (await api.get(table)).pluck('rows', 'data').map((data) => (data as { col_name: string }).col_name),
    ).toEqual(['kept', 'lost'])
    expect((await api.get(`${table}/${id}`)).at('data.col_name')).toBe('kept')
  })
})

describe('upsert on columns of all kinds', () => {
  const { api, control } = useMock()
  const upsert = (key_column: string, row: object) =>
    api.post('/datatables/tbl_all/rows/bulk', { rows: [row], mode: 'upsert', key_column })

  it('bulkInsertRows answers 200 matching an option by its label when labels are taken', async () => {
    await control.setAnswers({ typeChecks: 'dropdownLabels' })
    const reply = await upsert('Stage', { col_dropdown: 'Won', col_text: 'changed' })
    expect(reply.json).toMatchObject({ inserted: 0, updated: 1 })
    expect((await api.get('/datatables/tbl_all/rows/row_2')).at('data.col_text')).toBe('changed')
  })

  it('bulkInsertRows answers 200 matching on the files of a row when they are the key', async () => {
    const path = '/datatables/tbl_all/rows/row_3'
    await api.call('POST', `${path}/attachments`, { body: multipart([{ filename: 'a', content: 'a' }]) })
    const col_attachment = (await api.get(path)).at('data.col_attachment')
    expect((await upsert('Files', { col_attachment, col_text: 'changed' })).json).toMatchObject({
      updated: 1,
    })
    expect((await api.get(path)).at('data.col_text')).toBe('changed')
  })
})
