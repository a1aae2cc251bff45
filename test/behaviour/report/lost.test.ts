// The report's rule about writes whose connection broke after they were carried out.
import { describe, expect, it } from 'vitest'
import { multipart } from '../support/harness.ts'
import { useReport } from '../support/report-mock.ts'

describe('a write whose response was lost', () => {
  const { api, control, found } = useReport('manual')
  const tasks = '/lists/lst_main/tasks'
  const lose = async (send: () => Promise<unknown>) => {
    await control.fault({ network: true, phase: 'after' })
    await expect(send()).rejects.toThrow(TypeError)
  }
  const createTask = (title = 'Same') => api.post(tasks, { title })

  it('mock.report() finds made-twice when it is repeated without looking', async () => {
    await lose(createTask)
    expect((await createTask()).status).toBe(201)
    expect(await control.report()).toEqual([
      {
        rule: 'made-twice',
        severity: 'warning',
        message:
          `POST ${tasks} was repeated after its connection had broken, and created task_000002 in addition to ` +
          'task_000001. After a broken connection, first check whether the write was carried out, and repeat it only if it was not.',
        operation: 'createTask',
        count: 1,
        requests: [1, 2],
        offending: [2],
      },
    ])
  })

  it.each([
    ['a row', () => api.post('/datatables/tbl_empty/rows', { data: { col_name: 'a' } })],
    ['rows in one request', () => api.post('/datatables/tbl_empty/rows/bulk', { rows: [{ col_name: 'a' }] })],
    ['a comment', () => api.post('/tasks/tsk_plain/comments', { content: 'a' })],
    ['a space', () => api.post('/spaces', { name: 'a' })],
    [
      'an attachment, with another boundary',
      () =>
        api.call('POST', '/tasks/tsk_plain/attachments', {
          body: multipart([{ filename: 'a.txt', content: 'a' }]),
        }),
    ],
  ])('mock.report() finds made-twice when %s is made again', async (_, send) => {
    await lose(send)
    await send()
    expect(await found()).toContain('made-twice 1')
  })

  it('mock.report() finds made-twice when the response of the repetition is lost too, each time', async () => {
    await lose(createTask)
    await lose(createTask)
    await createTask()
    expect(await found()).toEqual(['made-twice 2'])
  })

  it('mock.report() stays empty when the client has seen the record before it makes an equal one', async () => {
    await lose(createTask)
    await api.get(tasks)
    await createTask()
    expect(await found()).toEqual([])
  })

  it('mock.report() stays empty when nothing was carried out before the connection broke', async () => {
    await control.fault({ network: true })
    await expect(createTask()).rejects.toThrow(TypeError)
    await createTask()
    expect(await found()).toEqual([])
  })

  it('mock.report() stays empty when another record is made, by another client, or in other places', async () => {
    await lose(createTask)
    await createTask('Another')
    await api.post('/lists/lst_board/tasks', { title: 'Same' })
    await api.post(tasks, { title: 'Same' }, { key: 'wm_test_scoped' })
    expect(await found()).toEqual([])
  })

  it('mock.report() stays empty when the repetition updates what the lost request created', async () => {
    const body = { rows: [{ col_name: 'a' }], mode: 'upsert', key_column: 'col_name' }
    const upsert = () => api.post('/datatables/tbl_empty/rows/bulk', body)
    await lose(upsert)
    await upsert()
    expect(await found()).toEqual([])
  })

  it('mock.report() stays empty when a failing service had carried the write out: it may be repeated', async () => {
    await control.fault({ status: 503, phase: 'after' })
    await createTask()
    await createTask()
    expect(await found()).toEqual([])
  })
})
