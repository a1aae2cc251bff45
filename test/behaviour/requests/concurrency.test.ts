// Checks that concurrent requests are applied one at a time, each completely or not at all.
import { describe, expect, it } from 'vitest'
import { multipart, times, useMock } from '../support/harness.ts'

describe('concurrency', () => {
  const { api, control } = useMock()
  const row = '/datatables/tbl_all/rows/row_1'

  it('createRow answers 200 with ids and numbers of their own when 50 rows are created at once', async () => {
    const created = await Promise.all(times(50, () => api.post('/datatables/tbl_all/rows', { data: {} })))
    expect(new Set(created.map((reply) => reply.string('id'))).size).toBe(50)
    const numbers = created.map((reply) => reply.string('data.col_autonumber')).sort()
    expect(numbers).toEqual(times(50, (index) => `INV-${String(index + 6).padStart(4, '0')}`))
  })

  it('updateRow answers 200 counting every change when 40 are made at once', async () => {
    const updated = await Promise.all(times(40, (index) => api.patch(row, { data: { col_number: index } })))
    const versions = updated.map((reply) => reply.number('version')).sort((a, b) => a - b)
    expect(versions).toEqual(times(40, (index) => index + 2))
    expect((await api.get(row)).at('version')).toBe(41)
  })

  it('bulkInsertRows answers 200 inserting once when a row is upserted 20 times at once', async () => {
    const rows = [{ col_name: 'only one' }]
    const replies = await Promise.all(
      times(20, () =>
        api.post('/datatables/tbl_empty/rows/bulk', { rows, mode: 'upsert', key_column: 'col_name' }),
      ),
    )
    expect(replies.reduce((sum, reply) => sum + reply.number('inserted'), 0)).toBe(1)
    expect(replies.reduce((sum, reply) => sum + reply.number('updated'), 0)).toBe(19)
  })

  it('createTimeEntry answers 200 leaving one timer of a user running when 10 are started at once', async () => {
    await Promise.all(times(10, () => api.post('/tasks/tsk_plain/time-entries', { action: 'start' })))
    const running = (await api.get('/tasks/tsk_plain/time-entries')).pluck('entries', 'is_running')
    expect(running.filter((flag) => flag === 1)).toHaveLength(1)
    expect(running).toHaveLength(10)
  })

  it('submitInsertJob answers 202 once when 10 are submitted at once on plan pro', async () => {
    const replies = await Promise.all(
      times(10, () => api.post('/datatables/tbl_empty/jobs/insert', { rows: [{}] })),
    )
    expect(replies.map(({ status }) => status).sort()).toEqual([202, ...times(9, () => 429)])
  })

  it('deleteRow answers 200 once when a row is deleted 10 times at once', async () => {
    const replies = await Promise.all(times(10, () => api.delete(row)))
    expect(replies.map(({ status }) => status).sort()).toEqual([200, ...times(9, () => 404)])
  })

  it('createTask answers 201 or 413 with all files or none when good and bad ones are mixed', async () => {
    await control.setLimits({ maxFileBytes: 10 })
    const replies = await Promise.all(
      times(20, (index) => {
        const large = { filename: 'large', content: 'x'.repeat(index % 2 === 0 ? 5 : 11) }
        const body = multipart([{ filename: 'small', content: 's' }, large], {
          data: `{"title":"Mixed ${String(index)}"}`,
        })
        return api.call('POST', '/lists/lst_main/tasks', { body })
      }),
    )
    expect(replies.map(({ status }) => status)).toEqual(times(20, (index) => (index % 2 === 0 ? 201 : 413)))
    const tasks = await api.get('/lists/lst_main/tasks', { query: { q: 'Mixed' } })
    expect(tasks.list('tasks')).toHaveLength(10)
    const { files } = (await control.state()) as { files: Record<string, string> }
    expect(Object.keys(files)).toHaveLength(5 + 20)
  })

  it('listRows answers 200 with the state between two writes when many read and write at once', async () => {
    const writes = times(10, (index) =>
      api.post('/datatables/tbl_empty/rows/bulk', { rows: times(10, () => ({ col_count: index })) }),
    )
    const reads = times(30, () => api.get('/datatables/tbl_empty/rows'))
    const [, totals] = await Promise.all([
      Promise.all(writes),
      Promise.all(reads.map(async (read) => (await read).number('total'))),
    ])
    expect(totals.filter((total) => total % 10 !== 0)).toEqual([])
    expect((await api.get('/datatables/tbl_empty/rows')).at('total')).toBe(100)
  })
})
