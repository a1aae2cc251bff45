// The script of the examples: the request that the document shows for each operation.
import { operationIds, type OperationId } from '../../../src/contract/scopes.ts'
import type { JsonValue } from '../../../src/contract/questions/register.ts'
import type { Example } from '../../../src/tools/openapi/examples.ts'
import { Recorder, type RecordedFile, type RecordedRequest } from './recorder.ts'
import { findScene, type Column, type Row, type Scene } from './scene.ts'

const minutes: RecordedFile = {
  filename: 'minutes.txt',
  type: 'text/plain',
  text: 'Agreed: samples go out on Thursday, invoices follow on Friday.\n',
}

const writable = ({ readonly, type }: Column) => !readonly && type !== 'attachment'

function columnOf({ columns }: Scene, ...types: readonly string[]): Column {
  const column = columns.find((candidate) => writable(candidate) && types.includes(candidate.type))
  if (!column) throw new Error(`the table has no column of type ${types.join(' or ')}`)
  return column
}

/** The writable values of a row. */
function written({ columns }: Scene, row: Row | undefined): Record<string, JsonValue> {
  const ids = columns.filter(writable).map(({ id }) => id)
  return Object.fromEntries(ids.map((id) => [id, row?.data[id] ?? null]))
}

/** A few columns of a row, as in a short body. */
function brief(scene: Scene, text: string, amount: number): Record<string, JsonValue> {
  return { [columnOf(scene, 'text').id]: text, [columnOf(scene, 'number', 'currency').id]: amount }
}

function queryOf(scene: Scene): JsonValue {
  const choice = columnOf(scene, 'dropdown')
  const amount = columnOf(scene, 'currency', 'number')
  return {
    filters: [
      { column: choice.name, operator: 'in', value: (choice.options ?? []).slice(0, 2).map(({ id }) => id) },
      { column: amount.id, operator: 'gt', value: 0 },
    ],
    match: 'all',
    sort: [{ column: amount.name, direction: 'desc' }],
    limit: 2,
  }
}

function tableRequests(scene: Scene): Partial<Record<OperationId, RecordedRequest>> {
  const { tableId, attached, rows, spare } = scene
  const path = { tableId }
  const row = { tableId, rowId: rows[0]?.id ?? '' }
  const text = columnOf(scene, 'text')
  const known = rows[0]?.data[text.id]
  if (typeof known !== 'string') throw new Error(`the first row of ${tableId} has no ${text.name}`)
  const bulk = [brief(scene, known, 12), brief(scene, 'Harbour Canteen', 7)]
  const job = ['Corner Café', 'Station Bakery', 'Mill Lane Deli'].map((name, index) =>
    brief(scene, name, 6 + index),
  )
  const upload = {
    path: { tableId, rowId: attached.rowId },
    query: { col: attached.key.split('/')[4] ?? '' },
  }
  return {
    getDatatableSchema: { path },
    listRows: { path, query: { limit: 2, sort: `${columnOf(scene, 'currency', 'number').name}:desc` } },
    queryRows: { path, json: queryOf(scene) },
    createRow: { path, json: { data: written(scene, rows[0]) } },
    bulkInsertRows: { path, json: { rows: bulk, mode: 'upsert', key_column: text.name } },
    getRow: { path: row },
    updateRow: { path: row, json: { data: brief(scene, known, 48) } },
    deleteRow: { path: { tableId, rowId: spare.rowId } },
    submitInsertJob: { path, json: { rows: job } },
    uploadRowAttachment: { ...upload, files: [minutes] },
    deleteRowAttachment: { path: { tableId, ...attached } },
  }
}

function spaceRequests({ spaceId, listId }: Scene): Partial<Record<OperationId, RecordedRequest>> {
  return {
    createSpace: { json: { name: 'Hiring', color: '#2563eb', icon: 'users' } },
    updateSpace: { path: { spaceId }, json: { name: 'Launches', icon: 'flag' } },
    createList: { path: { spaceId }, json: { name: 'Ideas', color: '#f59e0b' } },
    getList: { path: { listId } },
    updateList: { path: { listId }, json: { color: '#0f766e' } },
    getListSchema: { path: { listId } },
    listTasks: { path: { listId }, query: { limit: 2, offset: 0 } },
  }
}

async function taskRequests(
  recorder: Recorder,
  { listId, taskId, textFileId, spare }: Scene,
): Promise<Partial<Record<OperationId, RecordedRequest>>> {
  const path = { taskId }
  const first = async (id: OperationId, under: string) =>
    (await recorder.send(id, { path })).string(`${under}.0.id`)
  const comment = { taskId, commentId: await first('listComments', 'comments') }
  const entry = { taskId, entryId: await stoppedEntry(recorder, taskId) }
  const member = (await recorder.send('getIdentity')).string('members.0.id')
  const task = {
    title: 'Call the new supplier',
    priority: 'high',
    due_date: 1_767_866_400,
    assignees: [member],
  }
  const weekly = { trigger: 'on_schedule', frequency: 'weekly', day_of_week: 1, time: '08:30' }
  return {
    createTask: { path: { listId }, json: task, data: task, files: [minutes], several: true },
    getTask: { path },
    updateTask: { path, json: { priority: 'urgent', time_estimate: 90, repeat_config: weekly } },
    deleteTask: { path: { taskId: spare.taskId } },
    listComments: { path },
    createComment: {
      path,
      json: { content: 'Done for today, the rest follows tomorrow.', comment_as: member },
    },
    updateComment: { path: comment, json: { content: 'Done, nothing is left.' } },
    deleteComment: { path: { taskId: spare.comment.taskId, commentId: spare.comment.id } },
    listTimeEntries: { path },
    createTimeEntry: {
      path,
      json: { action: 'manual', duration: 1800, billable: true, note: 'Phone calls' },
    },
    updateTimeEntry: { path: entry, json: { duration: 2700, note: 'Phone calls and mail' } },
    deleteTimeEntry: { path: { taskId: spare.entry.taskId, entryId: spare.entry.id } },
    listTaskAttachments: { path },
    uploadTaskAttachment: { path, files: [minutes] },
    downloadTaskAttachment: { path: { taskId, attachmentId: textFileId } },
    deleteTaskAttachment: {
      path: { taskId: spare.attachment.taskId, attachmentId: spare.attachment.id },
    },
  }
}

async function stoppedEntry(recorder: Recorder, taskId: string): Promise<string> {
  const entries = (await recorder.send('listTimeEntries', { path: { taskId } })).list('entries')
  const stopped = (entries as { id: string; is_running: number }[]).find(({ is_running }) => is_running === 0)
  if (!stopped) throw new Error(`task ${taskId} has no stopped time entry`)
  return stopped.id
}

/** A finished job: submitted as in the example of submitInsertJob, then awaited. */
async function recordJob(recorder: Recorder, submission: RecordedRequest): Promise<Example> {
  const jobId = (await recorder.send('submitInsertJob', submission)).string('job_id')
  recorder.mock.clock.advance('1m')
  return recorder.record('getJob', { path: { jobId } })
}

/** The example of every operation, each from a fresh demo fixture: JSON, one line per operation. */
export async function examplesText(): Promise<string> {
  const recorder = new Recorder()
  const scene = await findScene(recorder)
  const { formId } = scene
  const requests: Partial<Record<OperationId, RecordedRequest>> = {
    ...tableRequests(scene),
    ...spaceRequests(scene),
    ...(await taskRequests(recorder, scene)),
    getForm: { path: { formId } },
    listFormSubmissions: { path: { formId }, query: { limit: 2, offset: 0 } },
  }
  const lines: string[] = []
  for (const id of operationIds) {
    recorder.mock.reset()
    const example =
      id === 'getJob'
        ? await recordJob(recorder, requests.submitInsertJob ?? {})
        : await recorder.record(id, requests[id])
    lines.push(`${JSON.stringify(id)}: ${JSON.stringify(example)}`)
  }
  return `{\n${lines.join(',\n')}\n}\n`
}
