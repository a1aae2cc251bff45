// One long session with the whole API that touches everything a mock can change.
import type { Api, Control } from './harness.ts'
import { multipart, times } from './harness.ts'
import { goodRequests, send } from './requests.ts'

/** Every response: status, the API's own headers, and body. */
export async function runScript(api: Api, control: Control): Promise<string[]> {
  const answers: string[] = []
  const note = ({ status, headers, text }: Awaited<ReturnType<Api['call']>>) => {
    const shown = ['content-type', 'retry-after', 'x-ratelimit-limit', 'x-mock-hint'].map((name) =>
      headers.get(name),
    )
    answers.push(JSON.stringify([status, shown, text]))
  }
  for (const request of goodRequests) note(await send(api, request))
  await control.advance('1h')
  await control.setAnswers({ bulkErrors: 'numbered' })
  const rows = [{ col_text: 'Alpha', col_number: 1 }, { col_text: 'x' }, { nope: 1 }]
  note(await api.post('/datatables/tbl_all/rows/bulk', { rows, mode: 'upsert', key_column: 'Title' }))
  const job = await api.post('/datatables/tbl_empty/jobs/insert', {
    rows: times(1500, (index) => ({ col_count: index })),
  })
  note(job)
  note(await api.post('/datatables/tbl_empty/jobs/insert', { rows: [{}] }))
  note(await api.get(`/jobs/${job.string('job_id')}`))
  const repeat_config = { trigger: 'on_schedule', frequency: 'daily' }
  note(await api.patch('/tasks/tsk_plain', { repeat_config, custom_data: { fld_number: 5 } }))
  await control.submitForm('frm_row', { col_name: 'From a form' })
  await control.publishForm('frm_draft')
  await control.lockTable('tbl_linked')
  await control.setPlan('business')
  await control.setLimits({ bulkInsertPerMinute: 3 })
  await control.suspendKey('scoped')
  await control.advance('3d')
  note(await api.get(`/jobs/${job.string('job_id')}`))
  const files = times(3, (index) => ({ filename: `f${String(index)}`, content: `c${String(index)}` }))
  note(
    await api.call('POST', '/lists/lst_main/tasks', {
      body: multipart(files, { data: '{"title":"Files"}' }),
    }),
  )
  for (let count = 0; count < 4; count++)
    note(await api.post('/datatables/tbl_all/rows/bulk', { rows: [{}] }))
  note(await api.get('/lists/lst_main/tasks', { query: { limit: 200 } }))
  note(await api.get('/datatables/tbl_all/rows', { query: { sort: 'Title:desc' } }))
  note(await api.get('/datatables/tbl_empty/rows', { query: { page: 3, limit: 500 } }))
  note(await api.get('/nothing'))
  return answers
}
