// Scenarios for files: on tasks, uploaded while creating a task, and in rows.
import { filesPerTask } from '../../../contract/limits.ts'
import { Stop, requireValue } from '../../deployment/stop.ts'
import { writing, type ScenarioContext, type Scenario } from '../twin/player.ts'
import { listOwnRows, getOwnList, getOwnTable } from './own.ts'
import { fillBody, makeRow, makeTask } from './records.ts'
import { file, formOf, type Part } from './values.ts'

/** A name with a space, an umlaut, a percent sign before two hex digits, a plus, an ampersand and a quote. */
const hardName = "grün 100 %25 + it's & more.bin"
/** Every byte value, and both kinds of line endings. */
const hardBytes = Uint8Array.from({ length: 260 }, (_, at) => [13, 10, 10, 13][at - 256] ?? at)
const hardFile = file(hardName, hardBytes, 'application/octet-stream')

/** Larger files are not sent, even if the deployment accepts them. */
const largestSent = 32 * 1024 * 1024

/** Two files: one at the limit, one a byte larger. @throws {Stop} if they are too large to try */
function createLargeFiles({ twin }: ScenarioContext): readonly [fitting: Part, tooLarge: Part] {
  const most = twin.getLimit('maxFileBytes')
  if (most === null || most > largestSent)
    throw new Stop('the size of files has no limit, or a limit above 32 MiB', 'plan')
  const make = (sizeBytes: number) => file('large.bin', new Uint8Array(sizeBytes))
  return [make(most), make(most + 1)]
}

const listOwnTasks = (ctx: ScenarioContext) => ctx.get('listTasks', { listId: getOwnList(ctx) }, '?limit=200')

const createWrongForms = (): FormData[] => [
  formOf(['file', 'a text']),
  formOf(['other', ['x.txt', 'x']]),
  formOf(['note', 'no file']),
]

async function makeTaskWithFiles(ctx: ScenarioContext) {
  const params = await makeTask(ctx)
  const upload = async (...parts: readonly Part[]) => {
    const made = await ctx.call('uploadTaskAttachment', { params, body: formOf(...parts) })
    return { ...params, attachmentId: made?.attachment.id ?? '' }
  }
  return { params, upload, list: () => ctx.get('listTaskAttachments', params) }
}

const isLoopback = ({ hostname }: URL) => /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)

/**
 * A file URL on another origin is never sent the key, and is drift. On localhost, where the deployment may be behind
 * a proxy, it is drift only if it serves the file without a key.
 * @returns what is wrong
 */
async function checkForeignUrl({ api: { transport } }: ScenarioContext, url: URL): Promise<string> {
  if (!isLoopback(url) || !isLoopback(new URL(transport.baseUrl))) return url.href
  const { status } = await transport.send('GET', url.href, { key: null })
  if (status === 401)
    throw new Stop(`the url of an attachment leads to ${url.origin}, which must not get the key`)
  return `${url.href}, which responds with status ${String(status)} without a key`
}

async function downloadByUrl(ctx: ScenarioContext): Promise<void> {
  const { params, upload } = await makeTaskWithFiles(ctx)
  const { transport } = ctx.api
  const differ = (expected: unknown, got: unknown) =>
    ctx.differ('listTaskAttachments', 'attachments[].url', expected, got)
  await upload(file('a.txt', 'by url'))
  const { attachments = [] } = await ctx.readTheirs('listTaskAttachments', params)
  const url = URL.parse(attachments[0]?.url ?? '', transport.baseUrl)
  if (!url) return
  if (transport.isForeign(url.href)) {
    const { origin } = new URL(transport.baseUrl)
    differ(`an address on ${origin}, the only origin that gets the key`, await checkForeignUrl(ctx, url))
    return
  }
  const { status, text } = await transport.send('GET', url.href)
  const got = [status, text, (await transport.send('GET', url.href, { key: null })).status]
  const expected = [200, 'by url', 401]
  if (got.join() !== expected.join()) differ(expected, got)
}

async function createWith(ctx: ScenarioContext, ...parts: readonly Part[]) {
  const made = await ctx.call('createTask', {
    params: { listId: getOwnList(ctx) },
    body: formOf(...parts),
  })
  if (!made) return
  const params = { taskId: made.id }
  await ctx.get('getTask', params)
  await ctx.get('listTaskAttachments', params)
  for (const { id: attachmentId } of made.attachments.slice(0, 2))
    await ctx.call('downloadTaskAttachment', { params: { ...params, attachmentId } })
}

const data = (fields: unknown): Part => ['data', JSON.stringify(fields)]

async function makeRowWithFiles(ctx: ScenarioContext) {
  const columns = getOwnTable(ctx).columns.filter(({ type }) => type === 'attachment')
  const [column] = columns
  const columnId = requireValue(column, 'the table has no column of type attachment').id
  const params = await makeRow(ctx)
  const upload = async (body: FormData, col?: string) => {
    const query = col !== undefined && { query: { col } }
    const made = await ctx.call('uploadRowAttachment', { params, body, ...query })
    await ctx.get('getRow', params)
    return made?.attachment.key ?? ''
  }
  return { params, columnId, last: columns.at(-1)?.id, upload }
}

export const fileScenarios: readonly Scenario[] = [
  ...writing('contract, RowAttachment', {
    'uploadRowAttachment getRow listRows/files: a file is in its column, and its key consists of table, row, column and name':
      async (ctx) => {
        const { last, upload } = await makeRowWithFiles(ctx)
        await upload(formOf(hardFile))
        await upload(formOf(file('b.png', 'PNG', 'image/png')), last)
        for (const content of ['another of this name', 'a third'])
          await upload(formOf(file('b.png', content, 'image/png')))
        await upload(formOf(file('empty', '')))
        await upload(formOf(file('no type', 'x', '')))
        await upload(formOf(file('one.txt'), file('two.txt')))
        await listOwnRows(ctx)
      },
    'deleteRowAttachment getRow/file-gone: a deleted file is gone; the others are kept': async (ctx) => {
      const { params, columnId, last, upload } = await makeRowWithFiles(ctx)
      const { tableId = '', rowId = '' } = params
      const [key, other] = [await upload(formOf(hardFile)), await upload(formOf(file('b.txt')))]
      for (const col of [undefined, last]) await upload(formOf(hardFile), col)
      const remove = (one: string, of = params) =>
        ctx.call('deleteRowAttachment', { params: { ...of, key: one } })
      ctx.says('keys of other rows and unknown keys are refused', 'contract, RowAttachment')
      for (const row of ['none', rowId]) await remove(`dt/${tableId}/row/${row}/${columnId}/none.txt`)
      for (const unknown of ['verify', 'dt/other/row/x/y']) await remove(unknown)
      await remove(key, await makeRow(ctx))
      ctx.says('a deleted file is gone; the others are kept', 'contract, RowAttachment')
      for (let time = 0; time < 2; time += 1) {
        await remove(key)
        await ctx.get('getRow', params)
      }
      await remove(other)
    },
  }),
  ...writing('assumption multipart', {
    'uploadRowAttachment getRow/odd-files!: an upload needs a file and a column for it': async (ctx) => {
      const { params, upload } = await makeRowWithFiles(ctx)
      for (const form of createWrongForms()) await upload(form)
      for (const col of ['verify_none_such', getOwnTable(ctx).text.id]) await upload(formOf(file()), col)
      await ctx.sendEach('uploadRowAttachment', params, {})
      await upload(formOf(file('../x/y.pdf', '%PDF', 'application/pdf')))
    },
    'uploadRowAttachment/no-column!: a table without an attachment column accepts no files': async (ctx) => {
      const without = ctx.known.tables.find(
        ({ columns, rows }) => rows.length > 0 && !columns.some(({ type }) => type === 'attachment'),
      )
      const { id: tableId, rows } = requireValue(
        without,
        'every table with rows has a column of type attachment',
      )
      const params = { tableId, rowId: rows[0]?.id ?? '' }
      await ctx.call('uploadRowAttachment', { params, body: formOf(file()) })
    },
    'uploadTaskAttachment listTaskAttachments/odd-files!: an upload needs a file': async (ctx) => {
      const { params, list } = await makeTaskWithFiles(ctx)
      for (const body of createWrongForms()) await ctx.call('uploadTaskAttachment', { params, body })
      await ctx.sendEach('uploadTaskAttachment', params, {})
      await list()
    },
    'createTask listTasks/odd-files!: creating a task with files is all or nothing': async (ctx) => {
      const title = ctx.text()
      await createWith(ctx, file())
      await createWith(ctx, ['data', 'no json'])
      await createWith(ctx, data({}), file())
      await createWith(ctx, data({ title, priority: 'verify' }), file())
      await createWith(ctx, data({ title }), ['file', 'a text'])
      await listOwnTasks(ctx)
    },
  }),
  ...writing('contract, Limits', {
    'uploadRowAttachment getRow/limit: a file as large as the limit is accepted, a larger one is refused with 413':
      async (ctx) => {
        const { upload } = await makeRowWithFiles(ctx)
        for (const part of createLargeFiles(ctx)) await upload(formOf(part))
      },
    'uploadTaskAttachment/limit: a file as large as the limit is accepted, a larger one is refused with 413':
      async (ctx) => {
        const { upload, list } = await makeTaskWithFiles(ctx)
        for (const part of createLargeFiles(ctx)) await upload(part)
        await list()
      },
    [`createTask listTasks/most-files: a task can be created with ${String(filesPerTask)} files, but not with one more`]:
      async (ctx) => {
        const files = Array.from({ length: filesPerTask }, (_, index) => file(`${String(index)}.txt`))
        await createWith(ctx, data({ title: ctx.text() }), ...files)
        await createWith(ctx, data({ title: ctx.text() }), ...files, file())
        await listOwnTasks(ctx)
      },
    'createTask listTasks/file-limit!: creating a task with a file that is too large is refused with 413':
      async (ctx) => {
        const [, tooLarge] = createLargeFiles(ctx)
        await createWith(ctx, data({ title: ctx.text() }), tooLarge, file())
        await listOwnTasks(ctx)
      },
  }),
  ...writing('contract, Attachment', {
    'listTaskAttachments uploadTaskAttachment/url: url downloads the file with the same key': downloadByUrl,
    'uploadTaskAttachment listTaskAttachments downloadTaskAttachment deleteTaskAttachment/files: a file is downloaded as it was sent':
      async (ctx) => {
        const { upload, list } = await makeTaskWithFiles(ctx)
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
        for (const params of made) await ctx.call('downloadTaskAttachment', { params })
        ctx.says('files with the same name are removed one at a time', 'contract, Attachment')
        const [, first, ...others] = made
        if (!first) return
        await ctx.call('deleteTaskAttachment', { params: first })
        await list()
        for (const params of others.slice(0, 2)) await ctx.call('downloadTaskAttachment', { params })
      },
  }),
  ...writing('contract, Endpoints', {
    'deleteTaskAttachment listTaskAttachments downloadTaskAttachment/task-file-gone: a deleted file is gone':
      async (ctx) => {
        const { upload, list } = await makeTaskWithFiles(ctx)
        const params = await upload(file('a.txt'))
        await upload(file('b.txt', 'b'))
        ctx.says('a file belongs to its task', 'contract, Endpoints')
        const elsewhere = { ...params, ...(await makeTask(ctx)) }
        await ctx.call('downloadTaskAttachment', { params: elsewhere })
        await ctx.call('deleteTaskAttachment', { params: elsewhere })
        ctx.says('a deleted file is gone; the others are kept', 'contract, Endpoints')
        for (let time = 0; time < 2; time += 1) {
          await ctx.call('deleteTaskAttachment', { params })
          await list()
          await ctx.call('downloadTaskAttachment', { params })
        }
      },
    'createTask getTask listTaskAttachments downloadTaskAttachment/with-files: a task can be created with files':
      async (ctx) => {
        const full = data(fillBody(ctx, 'createTask'))
        await createWith(ctx, full, hardFile, file(`2 ${hardName}`, 'PNG', 'image/png'))
        await createWith(ctx, data({ title: ctx.text() }))
      },
  }),
]
