// The objects in the demo fixture that the examples use, found through the API itself.
import type { JsonValue } from '../../../src/contract/questions/register.ts'
import type { Recorder } from './recorder.ts'

export interface Scene {
  readonly tableId: string
  readonly columns: readonly Column[]
  readonly rows: readonly Row[]
  /** A row with a file, and the file's storage key. */
  readonly attached: { readonly rowId: string; readonly key: string }
  readonly spaceId: string
  readonly listId: string
  readonly taskId: string
  readonly textFileId: string
  /** What examples may delete, because nothing else refers to it. */
  readonly spare: Spare
  readonly formId: string
}

export interface Spare {
  readonly rowId: string
  readonly taskId: string
  readonly comment: OfTask
  readonly entry: OfTask
  readonly attachment: OfTask
}

interface OfTask {
  readonly taskId: string
  readonly id: string
}

export interface Column {
  readonly id: string
  readonly name: string
  readonly type: string
  readonly readonly: boolean
  readonly options?: readonly { readonly id: string; readonly label: string }[]
}

export interface Row {
  readonly id: string
  readonly data: Readonly<Record<string, JsonValue>>
}

interface Named {
  readonly id: string
}

function most<T>(things: readonly T[], count: (thing: T) => number, what: string): T {
  const [first, ...others] = things
  if (first === undefined) throw new Error(`the demo fixture has no ${what}`)
  return others.reduce((best, thing) => (count(thing) > count(best) ? thing : best), first)
}

/** The table with the most column types. */
async function findTable(
  recorder: Recorder,
): Promise<Pick<Scene, 'tableId' | 'columns' | 'rows' | 'attached'>> {
  const tables = (await recorder.send('listDatatables')).list('datatables') as Named[]
  const schemas = await Promise.all(
    tables.map(async ({ id: tableId }) => {
      const schema = await recorder.send('getDatatableSchema', { path: { tableId } })
      return { tableId, columns: schema.list('columns') as Column[] }
    }),
  )
  const table = most(schemas, ({ columns }) => new Set(columns.map(({ type }) => type)).size, 'table')
  const listing = await recorder.send('listRows', { path: { tableId: table.tableId }, query: { limit: 500 } })
  const rows = listing.list('rows') as Row[]
  return { ...table, rows, attached: findAttached(table.columns, rows) }
}

function findAttached(columns: readonly Column[], rows: readonly Row[]): Scene['attached'] {
  const files = columns.filter(({ type }) => type === 'attachment').map(({ id }) => id)
  for (const { id: rowId, data } of rows)
    for (const column of files) {
      const [file] = (data[column] ?? []) as unknown as { readonly key: string }[]
      if (file) return { rowId, key: file.key }
    }
  throw new Error('no row of the table has a file')
}

interface Places {
  readonly spaceId: string
  readonly listId: string
  readonly taskId: string
}

async function placesOf(recorder: Recorder): Promise<Places[]> {
  const lists = (await recorder.send('listLists')).list('lists') as (Named & { space_id: string })[]
  const places = lists.map(async ({ id: listId, space_id: spaceId }) => {
    const listing = await recorder.send('listTasks', { path: { listId }, query: { limit: 200 } })
    return (listing.list('tasks') as Named[]).map(({ id: taskId }) => ({ spaceId, listId, taskId }))
  })
  return (await Promise.all(places)).flat()
}

interface Attachment extends Named {
  readonly mime_type: string
}

interface Entry extends Named {
  readonly is_running: number
}

/** A task with its comments, time entries and files. */
interface Contents extends Places {
  readonly comments: readonly Named[]
  readonly entries: readonly Entry[]
  readonly files: readonly Attachment[]
}

async function contentsOf(recorder: Recorder, places: Places): Promise<Contents> {
  const path = { taskId: places.taskId }
  return {
    ...places,
    files: (await recorder.send('listTaskAttachments', { path })).list('attachments') as Attachment[],
    comments: (await recorder.send('listComments', { path })).list('comments') as Named[],
    entries: ((await recorder.send('listTimeEntries', { path })).list('entries') as Entry[]).filter(
      ({ is_running }) => is_running === 0,
    ),
  }
}

const textFileOf = ({ files }: Contents) => files.find(({ mime_type }) => mime_type.startsWith('text/'))

/** The last record of a kind on any task that is not in use. */
function lastOf(tasks: readonly Contents[], kind: 'comments' | 'entries' | 'files'): OfTask {
  const found = tasks.flatMap((task) => task[kind].map(({ id }) => ({ taskId: task.taskId, id }))).at(-1)
  if (!found) throw new Error(`the demo fixture has no spare ${kind}`)
  return found
}

/** The task that has the most, including a text file, and spare records from other tasks. */
async function findTask(
  recorder: Recorder,
): Promise<Places & Pick<Scene, 'textFileId'> & { readonly spare: Omit<Spare, 'rowId'> }> {
  const tasks = await Promise.all((await placesOf(recorder)).map((places) => contentsOf(recorder, places)))
  const weight = (task: Contents) => {
    const parts = [textFileOf(task) ? 1 : 0, task.comments.length, task.entries.length]
    return parts.filter((count) => count > 0).length * 1000 + parts.reduce((sum, count) => sum + count, 0)
  }
  const main = most(tasks, weight, 'task')
  const { spaceId, listId, taskId } = main
  const others = tasks.filter((task) => task !== main)
  const bare = others.filter((task) => task.comments.length + task.entries.length + task.files.length === 0)
  const spare = {
    taskId: bare.find((task) => task.listId === listId)?.taskId ?? bare.at(-1)?.taskId ?? '',
    comment: lastOf(others, 'comments'),
    entry: lastOf(others, 'entries'),
    attachment: lastOf(others, 'files'),
  }
  return { spaceId, listId, taskId, textFileId: textFileOf(main)?.id ?? '', spare }
}

async function findForm(recorder: Recorder): Promise<string> {
  const forms = (await recorder.send('listForms')).list('forms') as (Named & { submission_count: number })[]
  return most(forms, ({ submission_count }) => submission_count, 'form').id
}

export async function findScene(recorder: Recorder): Promise<Scene> {
  const table = await findTable(recorder)
  const { spare, ...task } = await findTask(recorder)
  const rowId = table.rows.findLast(({ id }) => id !== table.attached.rowId)?.id ?? ''
  return { ...table, ...task, spare: { ...spare, rowId }, formId: await findForm(recorder) }
}
