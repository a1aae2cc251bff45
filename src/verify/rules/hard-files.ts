// The rules of files that are easily spoiled: every byte value, and a name with what paths and forms encode.
import { ownTask, type Context } from '../engine/context.ts'
import { contract, expectSame, expectThat, needed, type Rule } from '../engine/rule.ts'
import { fileForm } from './every-operation.ts'
import { taskRule } from './tasks/creation.ts'
import { wholeForm } from './tasks/files.ts'
import { cellsOf } from './rows/shapes.ts'
import { isObject } from '../../contract/values/objects.ts'

const part = contract('Task attachments')

/** A space, an umlaut, a percent sign before two hex digits, a plus, an ampersand and a quote. */
const hardName = "grün 100 %25 + it's & more.bin"
const allBytes = Uint8Array.from({ length: 256 }, (_, index) => index)
const hardForm = (name = hardName) => {
  const form = new FormData()
  form.append('file', new Blob([allBytes], { type: 'application/octet-stream' }), name)
  return form
}

const shownBytes = (bytes: Uint8Array) =>
  [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join(' ')

async function expectDownload({ api }: Context, taskId: string, attachmentId: string): Promise<void> {
  const { bytes } = await api.expect('downloadTaskAttachment', 200, { params: { taskId, attachmentId } })
  expectSame('bytes', shownBytes(bytes), shownBytes(allBytes))
}

const filesOf = async ({ api }: Context, taskId: string) =>
  (await api.succeed('listTaskAttachments', { params: { taskId } })).attachments

async function uploaded(context: Context, body = hardForm()) {
  const { taskId } = await ownTask(context)
  const { attachment } = await context.api.succeed('uploadTaskAttachment', { params: { taskId }, body })
  return { taskId, attachment }
}

const fileRule = (
  operation: Rule['operation'],
  id: string,
  says: string,
  check: (context: Context) => Promise<unknown>,
): Rule => ({
  id,
  operation,
  source: part,
  needs: 'write',
  says,
  check,
})

async function rowFile(context: Context, body: FormData) {
  const { table } = await context.own.table()
  const { id: columnId } = await context.own.column('attachment')
  const { id: rowId } = await context.own.row()
  const params = { tableId: table.id, rowId }
  const { attachment } = await context.api.succeed('uploadRowAttachment', { params, body })
  const keys = async () => {
    const files = cellsOf(await context.own.readRow(table.id, rowId))[columnId]
    return Array.isArray(files) ? files.map((file: unknown) => (isObject(file) ? file.key : file)) : files
  }
  return { params, columnId, attachment, keys }
}

export const hardFileRules: readonly Rule[] = [
  fileRule(
    'uploadTaskAttachment',
    'hard-name',
    'keeps a name with spaces, umlauts, %, + and quotes',
    async (context) => {
      const { attachment } = await uploaded(context)
      const { filename, size_bytes } = attachment
      expectSame('attachment', { filename, size_bytes }, { filename: hardName, size_bytes: 256 })
    },
  ),
  fileRule('listTaskAttachments', 'hard-name', 'lists the name as it was sent', async (context) => {
    const { taskId } = await uploaded(context)
    expectSame(
      'names',
      (await filesOf(context, taskId)).map(({ filename }) => filename),
      [hardName],
    )
  }),
  fileRule(
    'downloadTaskAttachment',
    'every-byte',
    'answers every byte value as it was sent',
    async (context) => {
      const { taskId, attachment } = await uploaded(context)
      await expectDownload(context, taskId, attachment.id)
    },
  ),
  fileRule('deleteTaskAttachment', 'that-file-alone', 'deletes that file alone', async (context) => {
    const { taskId, attachment } = await uploaded(context)
    const params = { taskId }
    const { attachment: other } = await context.api.succeed('uploadTaskAttachment', {
      params,
      body: fileForm(),
    })
    await context.api.succeed('deleteTaskAttachment', { params: { taskId, attachmentId: attachment.id } })
    expectSame(
      'files left',
      (await filesOf(context, taskId)).map(({ id }) => id),
      [other.id],
    )
  }),
  taskRule(
    'createTask',
    'hard-files',
    contract('Tasks'),
    'keeps name, order and every byte of files that come with it',
    async (context) => {
      const { api, own } = context
      const body = wholeForm({ title: own.text() }, [])
      for (const [, file] of hardForm()) body.append('file', file)
      for (const [, file] of fileForm()) body.append('file', file)
      const { id, attachments } = await api.succeed('createTask', {
        params: { listId: await own.listId() },
        body,
      })
      expectSame(
        'names',
        attachments.map(({ filename }) => filename),
        [hardName, 'verify.txt'],
      )
      await expectDownload(context, id, needed(attachments[0], 'no attachment was answered').id)
    },
  ),
  fileRule(
    'uploadRowAttachment',
    'hard-name',
    'keeps a name with spaces, umlauts, %, + and quotes, in its key too',
    async (context) => {
      const { params, columnId, attachment } = await rowFile(context, hardForm())
      const { key, filename, size } = attachment
      const wanted = `dt/${params.tableId}/row/${params.rowId}/${columnId}/${hardName}`
      expectSame('attachment', { key, filename, size }, { key: wanted, filename: hardName, size: 256 })
    },
  ),
  fileRule(
    'deleteRowAttachment',
    'hard-name',
    'takes the encoded key of such a file, and deletes that file alone',
    async (context) => {
      const { params, attachment, keys } = await rowFile(context, hardForm())
      const { attachment: other } = await context.api.succeed('uploadRowAttachment', {
        params,
        body: fileForm(),
      })
      await context.api.succeed('deleteRowAttachment', { params: { ...params, key: attachment.key } })
      expectSame('keys left', await keys(), [other.key])
    },
  ),
  fileRule(
    'deleteRowAttachment',
    'other-row',
    'refuses with 400 the key of another row of the table',
    async (context) => {
      const { attachment, params } = await rowFile(context, fileForm())
      const { id: rowId } = await context.own.row()
      const reply = await context.api.call('deleteRowAttachment', {
        params: { ...params, rowId, key: attachment.key },
      })
      expectThat(reply.status === 400, 'status 400', reply.summary)
    },
  ),
]
