// Requests and changes of every kind, for tests of what preserves a state.
import type { WorkspaceMock } from '../../../src/index.ts'

export async function call(
  mock: WorkspaceMock,
  method: string,
  path: string,
  json?: unknown,
): Promise<string> {
  const headers = { authorization: 'Bearer wm_test_master', 'content-type': 'application/json' }
  const body = json === undefined ? null : JSON.stringify(json)
  const response = await mock.fetch(new Request(`${mock.baseUrl}${path}`, { method, headers, body }))
  return `${String(response.status)} ${await response.text()}`
}

export const rows = '/datatables/tbl_empty/rows'

/** Changes of every kind: rows added, changed and deleted, a running job, a recurrence, a purge, rate windows. */
export async function change(mock: WorkspaceMock): Promise<void> {
  mock.setLimits({ bulkInsertPerMinute: 3 })
  for (const col_name of ['kept', 'changed', 'deleted'])
    await call(mock, 'POST', rows, { data: { col_name } })
  await call(mock, 'PATCH', `${rows}/row_000002`, { data: { col_name: 'changed again' } })
  await call(mock, 'DELETE', `${rows}/row_000003`)
  await call(mock, 'DELETE', '/datatables/tbl_all/rows/row_2')
  await call(mock, 'POST', `${rows}/bulk`, { rows: [{ col_count: 1 }] })
  await call(mock, 'POST', '/datatables/tbl_empty/jobs/insert', {
    rows: [{ col_count: 2 }, { col_count: 3 }],
  })
  await call(mock, 'PATCH', '/tasks/tsk_plain', {
    repeat_config: { trigger: 'on_schedule', frequency: 'daily' },
  })
  await call(mock, 'DELETE', '/tasks/tsk_done')
  mock.clock.advance(300)
}
