// Scenarios of files: of tasks, sent with the creation of a task, and in rows.
import { filesPerTask } from '../../../contract/limits.ts'
import { Unreachable, requireValue } from '../engine/drift.ts'
import { writing, type Play, type Scenario } from '../twin/play.ts'
import { listOwnRows, listOwnTasks, getOwnList, getOwnTable } from './own.ts'
import { fillBody, makeRow, makeTask } from './records.ts'
import { file, formOf, hardBytes, hardFile, hardName, type Part } from './values.ts'

/** Files above this are not sent, however large a deployment takes them. */
const largestSent = 32 * 1024 * 1024

/** Two files: as large as the limit, and by one byte larger. @throws {Unreachable} if they are too large to be tried */
function createLargeFiles({ twin }: Play): readonly [fitting: Part, tooLarge: Part] {
  const most = twin.getLimit('maxFileBytes')
  if (most === null || most > largestSent)
    throw new Unreachable('files have no limit, or one above 32 MiB', 'plan')
  const make = (sizeBytes: number) => file('large.bin', new Uint8Array(sizeBytes))
  return [make(most), make(most + 1)]
}

const createWrongForms = (): FormData[] => [
  formOf(['file', 'a text']),
  formOf(['other', ['x.txt', 'x']]),
  formOf(['note', 'no file']),
]

async function makeTaskWithFiles(play: Play) {
  const params = await makeTask(play)
  const upload = async (...parts: readonly Part[]) => {
    const made = await play.call('uploadTaskAttachment', { params, body: formOf(...parts) })
    return { ...params, attachmentId: made?.attachment.id ?? '' }
  }
  return { params, upload, list: () => play.get('listTaskAttachments', params) }
}

const isLoopback = ({ hostname }: URL) => /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)

/**
 * An address on another origin never gets the key, and is drift. On this machine, where the deployment can be behind a
 * proxy, it is drift only if it serves the file without a key. @returns what is wrong
 */
async function checkForeignUrl({ twin }: Play, url: URL): Promise<string> {
  const { transport } = twin.context.api
  if (!isLoopback(url) || !isLoopback(new URL(transport.baseUrl))) return url.href
  const { status } = await transport.send('GET', url.href, { key: null })
  if (status === 401)
    throw new Unreachable(`the url of an attachment leads to ${url.origin}, to which the key is not sent`)
  return `${url.href}, which responds with status ${String(status)} without a key`
}

async function downloadByUrl(play: Play): Promise<void> {
  const { params, upload } = await makeTaskWithFiles(play)
  const { transport } = play.twin.context.api
  const differ = (expected: unknown, got: unknown) =>
    play.differ('listTaskAttachments', 'attachments[].url', expected, got)
  await upload(file('a.txt', 'by url'))
  const { attachments = [] } = await play.readTheirs('listTaskAttachments', params)
  const url = URL.parse(attachments[0]?.url ?? '', transport.baseUrl)
  if (!url) return
  if (transport.isForeign(url.href)) {
    const { origin } = new URL(transport.baseUrl)
    differ(`an address of ${origin}, where the key may be sent`, await checkForeignUrl(play, url))
    return
  }
  const { status, text } = await transport.send('GET', url.href)
  const got = [status, text, (await transport.send('GET', url.href, { key: null })).status]
  const expected = [200, 'by url', 401]
  if (got.join() !== expected.join()) differ(expected, got)
}

async function createWith(play: Play, ...parts: readonly Part[]) {
  const made = await play.call('createTask', { params: { listId: getOwnList(play) }, body: formOf(...parts) })
  if (!made) return
  const params = { taskId: made.id }
  await play.get('getTask', params)
  await play.get('listTaskAttachments', params)
  for (const { id: attachmentId } of made.attachments.slice(0, 2))
    await play.call('downloadTaskAttachment', { params: { ...params, attachmentId } })
}

const data = (fields: unknown): Part => ['data', JSON.stringify(fields)]

async function makeRowWithFiles(play: Play) {
  const columns = getOwnTable(play).columns.filter(({ type }) => type === 'attachment')
  const [column] = columns
  const columnId = requireValue(column, 'the table has no column of type attachment').id
  const params = await makeRow(play)
  const upload = async (body: FormData, col?: string) => {
    const query = col !== undefined && { query: { col } }
    const made = await play.call('uploadRowAttachment', { params, body, ...query })
    await play.get('getRow', params)
    return made?.attachment.key ?? ''
  }
  return { params, columnId, last: columns.at(-1)?.id, upload }
}

export const fileScenarios: readonly Scenario[] = [
  ...writing('contract, RowAttachment', {
    'uploadRowAttachment getRow listRows/files: a file is in its column, under a key of table, row, column and name':
      async (play) => {
        const { last, upload } = await makeRowWithFiles(play)
        await upload(formOf(hardFile))
        await upload(formOf(file('b.png', 'PNG', 'image/png')), last)
        for (const content of ['another of this name', 'a third'])
          await upload(formOf(file('b.png', content, 'image/png')))
        await upload(formOf(file('empty', '')))
        await upload(formOf(file('no type', 'x', '')))
        await upload(formOf(file('one.txt'), file('two.txt')))
        await listOwnRows(play)
      },
    'deleteRowAttachment getRow/file-gone: a deleted file is gone, the others stay': async (play) => {
      const { params, columnId, last, upload } = await makeRowWithFiles(play)
      const { tableId = '', rowId = '' } = params
      const [key, other] = [await upload(formOf(hardFile)), await upload(formOf(file('b.txt')))]
      for (const col of [undefined, last]) await upload(formOf(hardFile), col)
      const remove = (one: string, of = params) =>
        play.call('deleteRowAttachment', { params: { ...of, key: one } })
      play.says('keys of other rows, and unknown ones, are refused', 'contract, RowAttachment')
      for (const row of ['none', rowId]) await remove(`dt/${tableId}/row/${row}/${columnId}/none.txt`)
      for (const unknown of ['verify', 'dt/other/row/x/y']) await remove(unknown)
      await remove(key, await makeRow(play))
      play.says('a deleted file is gone, the others stay', 'contract, RowAttachment')
      for (let time = 0; time < 2; time += 1) {
        await remove(key)
        await play.get('getRow', params)
      }
      await remove(other)
    },
  }),
  ...writing('assumption multipart', {
    'uploadRowAttachment getRow/odd-files: an upload needs a file and a column for it': async (play) => {
      const { params, upload } = await makeRowWithFiles(play)
      for (const form of createWrongForms()) await upload(form)
      for (const col of ['verify_none_such', getOwnTable(play).text.id]) await upload(formOf(file()), col)
      await play.sendEach('uploadRowAttachment', params, {})
      await upload(formOf(file('../x/y.pdf', '%PDF', 'application/pdf')))
    },
    'uploadRowAttachment/no-column: a table without a column for files takes none': async (play) => {
      const without = play.known.tables.find(
        ({ columns, rows }) => rows.length > 0 && !columns.some(({ type }) => type === 'attachment'),
      )
      const { id: tableId, rows } = requireValue(
        without,
        'every table with rows has a column of type attachment',
      )
      const params = { tableId, rowId: rows[0]?.id ?? '' }
      await play.call('uploadRowAttachment', { params, body: formOf(file()) })
    },
    'uploadTaskAttachment listTaskAttachments/odd-files: an upload needs a file': async (play) => {
      const { params, list } = await makeTaskWithFiles(play)
      for (const body of createWrongForms()) await play.call('uploadTaskAttachment', { params, body })
      await play.sendEach('uploadTaskAttachment', params, {})
      await list()
    },
    'createTask listTasks/odd-files: a creation with files is whole or nothing': async (play) => {
      const title = play.text()
      await createWith(play, file())
      await createWith(play, ['data', 'no json'])
      await createWith(play, data({}), file())
      await createWith(play, data({ title, priority: 'verify' }), file())
      await createWith(play, data({ title }), ['file', 'a text'])
      await listOwnTasks(play)
    },
  }),
  ...writing('contract, Limits', {
    'uploadRowAttachment getRow/limit: a file as large as the limit is taken, a larger one refused with 413':
      async (play) => {
        const { upload } = await makeRowWithFiles(play)
        for (const part of createLargeFiles(play)) await upload(formOf(part))
      },
    'uploadTaskAttachment/limit: a file as large as the limit is taken, a larger one refused with 413':
      async (play) => {
        const { upload, list } = await makeTaskWithFiles(play)
        for (const part of createLargeFiles(play)) await upload(part)
        await list()
      },
    [`createTask listTasks/most-files: a task can be created with ${String(filesPerTask)} files, not with one more`]:
      async (play) => {
        const files = Array.from({ length: filesPerTask }, (_, index) => file(`${String(index)}.txt`))
        await createWith(play, data({ title: play.text() }), ...files)
        await createWith(play, data({ title: play.text() }), ...files, file())
        await listOwnTasks(play)
      },
    'createTask listTasks/file-limit: a creation with too large a file is refused with 413': async (play) => {
      const [, tooLarge] = createLargeFiles(play)
      await createWith(play, data({ title: play.text() }), tooLarge, file())
      await listOwnTasks(play)
    },
  }),
  ...writing('contract, Attachment', {
    'listTaskAttachments uploadTaskAttachment/url: url is a download with the same key': downloadByUrl,
    'uploadTaskAttachment listTaskAttachments downloadTaskAttachment deleteTaskAttachment/files: a file is downloaded as it was sent':
      async (play) => {
        const { upload, list } = await makeTaskWithFiles(play)
        const made = [
          await upload(hardFile),
          await upload(file('a.txt', 'one\r\ntwo\n')),
          await upload(file('a.txt', 'again')),
          await upload(file('a.txt', 'a third')),
          await upload(file('empty', '')),
          await upload(file('no type', hardBytes, '')),
          await upload(file('one.txt'), file('two.txt')),
        ]
        await list()
        for (const params of made) await play.call('downloadTaskAttachment', { params })
        play.says('of files of one name each is removed alone', 'contract, Attachment')
        const [, first, ...others] = made
        if (!first) return
        await play.call('deleteTaskAttachment', { params: first })
        await list()
        for (const params of others.slice(0, 2)) await play.call('downloadTaskAttachment', { params })
      },
  }),
  ...writing('contract, Endpoints', {
    'deleteTaskAttachment listTaskAttachments downloadTaskAttachment/task-file-gone: a deleted file is gone':
      async (play) => {
        const { upload, list } = await makeTaskWithFiles(play)
        const params = await upload(file('a.txt'))
        await upload(file('b.txt', 'b'))
        play.says('a file belongs to its task', 'contract, Endpoints')
        const elsewhere = { ...params, ...(await makeTask(play)) }
        await play.call('downloadTaskAttachment', { params: elsewhere })
        await play.call('deleteTaskAttachment', { params: elsewhere })
        play.says('a deleted file is gone, the others stay', 'contract, Endpoints')
        for (let time = 0; time < 2; time += 1) {
          await play.call('deleteTaskAttachment', { params })
          await list()
          await play.call('downloadTaskAttachment', { params })
        }
      },
    'createTask getTask listTaskAttachments downloadTaskAttachment/with-files: a task can be created with files':
      async (play) => {
        const full = data(fillBody(play, 'createTask'))
        await createWith(play, full, hardFile, file(`2 ${hardName}`, 'PNG', 'image/png'))
        await createWith(play, data({ title: play.text() }))
      },
  }),
]
