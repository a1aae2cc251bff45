// The table list and the column schema.
import { describe, expect, it } from 'vitest'
import { allColumns } from '../support/fixture.ts'
import { useMock } from '../support/harness.ts'

describe('datatables', () => {
  const { api } = useMock()

  it('listDatatables answers 200 with every table of the workspace and its number of rows when there are several', async () => {
    const reply = await api.get('/datatables')
    expect(reply.status).toBe(200)
    expect(reply.json).toEqual({
      datatables: [
        { id: 'tbl_all', name: 'Everything', row_count: 5 },
        { id: 'tbl_linked', name: 'Linked', row_count: 2 },
        { id: 'tbl_empty', name: 'Empty', row_count: 0 },
        { id: 'tbl_many', name: 'Many', row_count: 501 },
        { id: 'tbl_locked', name: 'Locked', row_count: 1 },
      ],
    })
  })

  it('listDatatables answers 200 with the count as it is when rows come and go', async () => {
    const counts = async () => (await api.get('/datatables')).pluck('datatables', 'row_count')
    await api.post('/datatables/tbl_empty/rows', { data: {} })
    expect(await counts()).toEqual([5, 2, 1, 501, 1])
    await api.delete('/datatables/tbl_all/rows/row_1')
    expect(await counts()).toEqual([4, 2, 1, 501, 1])
  })

  it('listDatatables answers 200 with nothing of other workspaces when the key is of one', async () => {
    const reply = await api.get('/datatables', { key: 'wm_test_free' })
    expect(reply.pluck('datatables', 'id')).toEqual(['tbl_free'])
  })

  it('getDatatableSchema answers 200 with the columns in their order when the table exists', async () => {
    const reply = await api.get('/datatables/tbl_all/schema')
    expect(reply.status).toBe(200)
    const shown = allColumns.map(({ table_id: _hidden, ...column }: Record<string, unknown>) => column)
    expect(reply.json).toEqual({ columns: shown })
  })

  it('getDatatableSchema answers 200 with readonly true when the API cannot write the type of the column', async () => {
    const reply = await api.get('/datatables/tbl_all/schema')
    const readonly = reply.list('columns').filter((column) => (column as { readonly: boolean }).readonly)
    expect(readonly.map((column) => (column as { type: string }).type)).toEqual([
      'datatable',
      'formula',
      'autonumber',
      'created_at',
      'updated_at',
    ])
  })

  it.each(['tbl_none', 'tbl_business', 'TBL_ALL'])(
    'getDatatableSchema answers 404 when the table is %s',
    async (id) => {
      const reply = await api.get(`/datatables/${id}/schema`)
      expect(reply.status).toBe(404)
      expect(reply.error).toContain(id)
    },
  )
})
