// The product's events: which are emitted, when, and with what payload.
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { createWorkspaceMock, type EventName, type Fixture } from '../../src/index.ts'
import { NOW, testFixture } from '../behaviour/support/fixture.ts'

const names: EventName[] = [
  'row.inserted',
  'task.created',
  'task.completed',
  'job.finished',
  'form.submitted',
]

describe('events', () => {
  const mock = createWorkspaceMock({ fixture: testFixture as unknown as Fixture, selfCheck: true })
  let told: [string, Record<string, unknown>][] = []
  for (const name of names) mock.events.on(name, (event) => void told.push([name, { ...event }]))
  beforeEach(() => {
    mock.reset()
    told = []
  })
  const call = async (method: string, path: string, json?: unknown) => {
    const response = await mock.fetch(
      new Request(`${mock.baseUrl}${path}`, {
        method,
        headers: { authorization: 'Bearer wm_test_master' },
        body: json === undefined ? null : JSON.stringify(json),
      }),
    )
    return (await response.json()) as Record<string, unknown>
  }

  it('row.inserted fires with the row as the API returns it', async () => {
    const row = await call('POST', '/datatables/tbl_empty/rows', { data: { col_name: 'x' } })
    expect(told).toEqual([['row.inserted', { at: NOW, workspace_id: 'ws_main', table_id: 'tbl_empty', row }]])
  })

  it('row.inserted fires for rows that an upsert inserts, not for those it updates', async () => {
    const rows = [{ col_name: 'One' }, { col_name: 'New' }]
    await call('POST', '/datatables/tbl_linked/rows/bulk', { rows, mode: 'upsert', key_column: 'col_name' })
    expect(told.map(([name, { row }]) => [name, (row as { data: unknown }).data])).toEqual([
      ['row.inserted', { col_name: 'New', col_count: null }],
    ])
    await call('PATCH', '/datatables/tbl_linked/rows/lin_1', { data: {} })
    expect(told).toHaveLength(1)
  })

  it('row.inserted fires for the rows of a job, then job.finished', async () => {
    await call('POST', '/datatables/tbl_empty/jobs/insert', { rows: [{}, { col_count: 'x' }, {}] })
    expect(told).toEqual([])
    mock.clock.advance('1m')
    await call('GET', '/me')
    expect(told.map(([name]) => name)).toEqual(['row.inserted', 'row.inserted', 'job.finished'])
    expect(told[2]?.[1]).toMatchObject({
      at: NOW + 1,
      job: { status: 'done', metadata: { row_count: 2, errors: 1 } },
    })
  })

  it('task.created and task.completed fire, for clones too', async () => {
    const { id } = await call('POST', '/lists/lst_main/tasks', { title: 'Repeat' })
    await call('PATCH', `/tasks/${String(id)}`, { repeat_config: { trigger: 'on_complete' } })
    await call('PATCH', `/tasks/${String(id)}`, { status_id: 'st_done' })
    expect(told.map(([name]) => name).sort()).toEqual(['task.completed', 'task.created', 'task.created'])
    expect(told[0]).toMatchObject(['task.created', { list_id: 'lst_main', task: { id, title: 'Repeat' } }])
  })

  it('task.created and task.completed carry tasks as getTask returns them at that time', async () => {
    mock.setAnswers({ taskReadExtras: true })
    const { id } = await call('POST', '/lists/lst_main/tasks', {
      title: 'Repeat',
      parent_task_id: 'tsk_plain',
    })
    await call('PATCH', `/tasks/${String(id)}`, { repeat_config: { trigger: 'on_complete' } })
    told = []
    await call('PATCH', `/tasks/${String(id)}`, { status_id: 'st_done' })
    expect(told.map(([name]) => name).sort()).toEqual(['task.completed', 'task.created'])
    for (const [, event] of told) {
      const task = event.task as { id: string }
      expect(task).toEqual(await call('GET', `/tasks/${task.id}`))
    }
  })

  it('task.completed fires once when a task is set to done several times', async () => {
    await call('PATCH', '/tasks/tsk_plain', { status_id: 'st_done' })
    await call('PATCH', '/tasks/tsk_plain', { status_id: 'st_done' })
    await call('PATCH', '/tasks/tsk_plain', { title: 'Still done' })
    expect(told.map(([name]) => name)).toEqual(['task.completed'])
    await call('PATCH', '/tasks/tsk_plain', { status_id: 'st_todo' })
    await call('PATCH', '/tasks/tsk_plain', { status_id: 'st_done' })
    expect(told.map(([name]) => name)).toEqual(['task.completed', 'task.completed'])
  })

  it('form.submitted fires with the submission, after the event of the created record', () => {
    const submission = mock.submitForm('frm_row', { col_name: 'x' })
    expect(told.map(([name]) => name)).toEqual(['row.inserted', 'form.submitted'])
    expect(told[1]?.[1]).toEqual({ at: NOW, workspace_id: 'ws_main', form_id: 'frm_row', submission })
  })

  it('no event fires for a refused request or for seeded data', async () => {
    await call('POST', '/datatables/tbl_empty/rows', { data: { col_count: 'x' } })
    await call('POST', '/datatables/tbl_empty/rows/bulk', { rows: [{ nope: 1 }] })
    const seeded = { id: 'tbl_empty', rows: [{ data: { col_name: 'Seeded' } }] }
    mock.seed({ workspaces: [{ id: 'ws_main', tables: [seeded] }] })
    expect(told).toEqual([])
  })

  it('a listener that throws does not keep the event from others', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    const other = createWorkspaceMock({ fixture: testFixture as unknown as Fixture })
    let heard = 0
    other.events.on('form.submitted', () => {
      throw new Error('broken')
    })
    other.events.on('form.submitted', () => {
      heard += 1
    })
    other.submitForm('frm_row', { col_name: 'x' })
    expect([heard, log.mock.calls.length]).toEqual([1, 1])
    log.mockRestore()
  })

  it('a listener that rejects is logged as one that throws is, of mock.watch too', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    const other = createWorkspaceMock({ fixture: testFixture as unknown as Fixture })
    other.events.on('form.submitted', () => Promise.reject(new Error('broken')))
    other.watch(() => Promise.reject(new Error('broken')) as never)
    other.submitForm('frm_row', { col_name: 'x' })
    await new Promise((resolve) => setTimeout(resolve))
    expect(log.mock.calls.map(([text]) => text as string).sort()).toEqual([
      '[workspace-api-mock] a listener for form.submitted rejected',
      '[workspace-api-mock] a listener for mock.watch rejected',
    ])
    log.mockRestore()
  })

  it('a listener that has unsubscribed is not called', async () => {
    let heard = 0
    const end = mock.events.on('row.inserted', () => {
      heard += 1
    })
    await call('POST', '/datatables/tbl_empty/rows', { data: {} })
    end()
    await call('POST', '/datatables/tbl_empty/rows', { data: {} })
    expect(heard).toBe(1)
  })
})
