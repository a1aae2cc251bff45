// Scenarios of files: in rows, of tasks, and at the creation of a task.
import { filesPerTask } from '../../contract/limits.ts'
import { needed } from '../engine/expect.ts'
import { Unreachable } from '../engine/drift.ts'
import { writing, type Scenario } from '../twin/scenario.ts'
import type { Play } from '../twin/play.ts'
import { fullTask, listOwnRows, makeRow, makeTask, ownList, ownTable } from './own.ts'
import { file, formOf, hardBytes, hardFile, hardName, type Part } from './values.ts'

/** Files above this are not sent, however large a deployment takes them. */
const largestSent = 32 * 1024 * 1024

/** A file one byte above the limit. @throws {Unreachable} if there is none, or it is too large to be tried */
function tooLarge({ twin }: Play): Part {
  const most = twin.fileBytes
  if (most === null || most > largestSent) throw new Unreachable('files have no limit, or one above 32 MiB', 'plan')
  return file('large.bin', new Uint8Array(most + 1))
}

const wrongForms = (): FormData[] => [formOf(['file', 'a text']), formOf(['other', ['x.txt', 'x']]), formOf(['note', 'no file'])]

async function rowWithFiles(play: Play) {
  const columns = ownTable(play).columns.filter(({ type }) => type === 'attachment')
  needed(columns[0], 'the table has no column of type attachment')
  const { table, params } = await makeRow(play)
  const upload = async (body: FormData, col?: string) => {
    const made = await play.call('uploadRowAttachment', { params, body, ...(col !== undefined && { query: { col } }) })
    await play.call('getRow', { params })
    return made?.attachment.key
  }
  return { table, columns, params, upload }
}

const rowFiles: readonly Scenario[] = [
  writing('uploadRowAttachment getRow listRows/files', 'contract, RowAttachment', 'a file is in its column, under a key of its table, row, column and name', async (play) => {
    const { columns, upload } = await rowWithFiles(play)
    await upload(formOf(hardFile))
    await upload(formOf(file('b.png', 'PNG', 'image/png')), columns.at(-1)?.id)
    await upload(formOf(file('b.png', 'another of this name', 'image/png')))
    await upload(formOf(file('empty', '')))
    await upload(formOf(file('no type', 'x', '')))
    await upload(formOf(file('one.txt'), file('two.txt')))
    await listOwnRows(play)
  }),
  writing('uploadRowAttachment getRow/odd-files', 'assumption multipart', 'an upload needs a file, and a column of type attachment', async (play) => {
    const { table, params, upload } = await rowWithFiles(play)
    for (const form of wrongForms()) await upload(form)
    for (const col of ['verify_none_such', table.text.id]) await upload(formOf(file()), col)
    await play.call('uploadRowAttachment', { params, json: {} })
    await upload(formOf(file('../x/y.pdf', '%PDF', 'application/pdf')))
  }),
  writing('uploadRowAttachment getRow/limit', 'contract, Limits', 'a file above the limit is refused with 413', async (play) => {
    const { upload } = await rowWithFiles(play)
    await upload(formOf(tooLarge(play)))
  }),
  writing('deleteRowAttachment getRow/gone', 'contract, RowAttachment', 'a deleted file is gone, the others stay; keys of other rows are refused', async (play) => {
    const { table, columns, params, upload } = await rowWithFiles(play)
    const keys = [await upload(formOf(hardFile)), await upload(formOf(file('b.txt')))]
    const [column = { id: '' }] = columns
    for (const key of ['verify', 'dt/other/row/x/y', `dt/${table.id}/row/none/${column.id}/a.txt`, `dt/${table.id}/row/${params.rowId}/${column.id}/none.txt`]) await play.call('deleteRowAttachment', { params: { ...params, key } })
    const other = await makeRow(play)
    const [key = '', last = ''] = keys
    await play.call('deleteRowAttachment', { params: { ...other.params, key } })
    for (let time = 0; time < 2; time += 1) {
      await play.call('deleteRowAttachment', { params: { ...params, key } })
      await play.call('getRow', { params })
    }
    await play.call('deleteRowAttachment', { params: { ...params, key: last } })
  }),
  writing('uploadRowAttachment/no-column', 'assumption multipart', 'a table without a column of type attachment takes no file', async (play) => {
    const without = play.known.tables.find(({ columns, rows }) => rows.length > 0 && !columns.some(({ type }) => type === 'attachment'))
    const [row] = needed(without, 'every table with rows has a column of type attachment').rows
    await play.call('uploadRowAttachment', { params: { tableId: without?.id ?? '', rowId: row?.id ?? '' }, body: formOf(file()) })
  }),
]

async function taskWithFiles(play: Play) {
  const taskId = await makeTask(play)
  const upload = async (...parts: readonly Part[]) => {
    const made = await play.call('uploadTaskAttachment', { params: { taskId }, body: formOf(...parts) })
    return made?.attachment.id ?? ''
  }
  const list = () => play.call('listTaskAttachments', { params: { taskId } })
  return { taskId, upload, list }
}

const taskFiles: readonly Scenario[] = [
  writing('uploadTaskAttachment listTaskAttachments downloadTaskAttachment/files', 'contract, Attachment', 'a file is listed and downloaded as it was sent', async (play) => {
    const { taskId, upload, list } = await taskWithFiles(play)
    const made = [await upload(hardFile), await upload(file('a.txt', 'one\r\ntwo\n')), await upload(file('a.txt', 'again')), await upload(file('empty', '')), await upload(file('no type', hardBytes, '')), await upload(file('one.txt'), file('two.txt'))]
    await list()
    for (const attachmentId of made) await play.call('downloadTaskAttachment', { params: { taskId, attachmentId } })
  }),
  writing('uploadTaskAttachment listTaskAttachments/odd-files', 'assumption multipart', 'an upload needs a file', async (play) => {
    const { taskId, list } = await taskWithFiles(play)
    for (const body of wrongForms()) await play.call('uploadTaskAttachment', { params: { taskId }, body })
    await play.call('uploadTaskAttachment', { params: { taskId }, json: {} })
    await list()
  }),
  writing('uploadTaskAttachment/limit', 'contract, Limits', 'a file above the limit is refused with 413', async (play) => {
    const { upload, list } = await taskWithFiles(play)
    await upload(tooLarge(play))
    await list()
  }),
  writing('deleteTaskAttachment listTaskAttachments downloadTaskAttachment/gone', 'contract, Endpoints', 'a deleted file is gone, the others stay; a file belongs to its task', async (play) => {
    const { taskId, upload, list } = await taskWithFiles(play)
    const [attachmentId] = [await upload(file('a.txt')), await upload(file('b.txt', 'b'))]
    const other = await makeTask(play)
    await play.call('downloadTaskAttachment', { params: { taskId: other, attachmentId } })
    await play.call('deleteTaskAttachment', { params: { taskId: other, attachmentId } })
    for (let time = 0; time < 2; time += 1) {
      await play.call('deleteTaskAttachment', { params: { taskId, attachmentId } })
      await list()
      await play.call('downloadTaskAttachment', { params: { taskId, attachmentId } })
    }
  }),
]

async function createWith(play: Play, ...parts: readonly Part[]) {
  const made = await play.call('createTask', { params: { listId: ownList(play) }, body: formOf(...parts) })
  if (!made) return
  const params = { taskId: made.id }
  await play.call('getTask', { params })
  await play.call('listTaskAttachments', { params })
  for (const { id: attachmentId } of made.attachments.slice(0, 2)) await play.call('downloadTaskAttachment', { params: { ...params, attachmentId } })
}

const data = (fields: unknown): Part => ['data', JSON.stringify(fields)]

const creations: readonly Scenario[] = [
  writing('createTask getTask listTaskAttachments downloadTaskAttachment/files', 'contract, Endpoints', 'a task can be created with files', async (play) => {
    await createWith(play, data({ title: play.text(), ...(await fullTask(play)) }), hardFile, file(`2 ${hardName}`, 'PNG', 'image/png'))
    await createWith(play, data({ title: play.text() }))
  }),
  writing('createTask listTasks/odd-files', 'assumption multipart', 'a creation with files is whole or nothing', async (play) => {
    const title = play.text()
    const wrong: readonly (readonly Part[])[] = [[file()], [['data', 'no json']], [data({}), file()], [data({ title, priority: 'verify' }), file()], [data({ title }), ['file', 'a text']]]
    for (const parts of wrong) await createWith(play, ...parts)
    await play.call('listTasks', { params: { listId: ownList(play) }, query: { limit: 200 } })
  }),
  writing('createTask listTasks/most-files', 'contract, Limits', `a task can be created with ${String(filesPerTask)} files, not with one more`, async (play) => {
    const files = (count: number) => Array.from({ length: count }, (_, index) => file(`${String(index)}.txt`))
    await createWith(play, data({ title: play.text() }), ...files(filesPerTask))
    await createWith(play, data({ title: play.text() }), ...files(filesPerTask + 1))
    await play.call('listTasks', { params: { listId: ownList(play) }, query: { limit: 200 } })
  }),
  writing('createTask listTasks/file-limit', 'contract, Limits', 'a creation with a file above the limit is refused with 413', async (play) => {
    await createWith(play, data({ title: play.text() }), tooLarge(play), file())
    await play.call('listTasks', { params: { listId: ownList(play) }, query: { limit: 200 } })
  }),
]

export const fileScenarios: readonly Scenario[] = [...rowFiles, ...taskFiles, ...creations]
