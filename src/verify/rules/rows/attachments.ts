// The rules of files in attachment columns of rows.
import type { Row } from '../../../contract/rows.ts'
import { isObject } from '../../../contract/data/objects.ts'
import { expectFields, expectSame, expectThat } from '../../engine/expect.ts'
import { rulesOn, type Context } from '../../engine/rule.ts'
import { fileForm, formOf, formWithoutFile, hardFile, hardName } from '../../engine/bodies.ts'
import { fileLimit } from '../checks.ts'
import { cellsOf } from '../../engine/shapes.ts'

/** A row, and the id of the first attachment column. */
async function ofRow(context: Context) {
  const { table } = await context.own.table()
  const { id: columnId } = await context.own.column('attachment')
  const row = await context.own.row()
  return { ...context, api: context.api.at({ rowId: row.id }), tableId: table.id, row, columnId }
}
type OfRow = Awaited<ReturnType<typeof ofRow>>

const upload = ({ api }: OfRow, body = fileForm(), query: { col?: string } = {}) =>
  api.succeed('uploadRowAttachment', { body, query })

/** Storage keys of the files in a column. */
function keysIn(row: Row, columnId: string): unknown[] {
  const files = cellsOf(row)[columnId]
  return Array.isArray(files) ? files.map((file: unknown) => (isObject(file) ? file.key : undefined)) : []
}

const keyOf = ({ tableId, row, columnId }: OfRow, filename: string) =>
  `dt/${tableId}/row/${row.id}/${columnId}/${filename}`

const uploading = rulesOn('write', ofRow)('contract, Row attachments', {
  'uploadRowAttachment/stores: returns what was stored, under a key made of table, row, column and name (contract, RowAttachment)':
    async (c) => {
      const { attachment } = await upload(c, fileForm('four', 'four.txt'))
      const wanted = { key: keyOf(c, 'four.txt'), filename: 'four.txt', size: 4 }
      expectFields('attachment', attachment, wanted)
      const { contentType } = attachment
      expectThat(contentType.startsWith('text/plain'), 'contentType text/plain', contentType)
    },
  'uploadRowAttachment/in-row: the row holds it under the id of the column (contract, Row)': async (c) => {
    const { attachment, row } = await upload(c)
    expectSame('keys in the row of the response', keysIn(row, c.columnId), [attachment.key])
    expectSame('the row as read', await c.own.readRow(c.row.id), row)
  },
  'uploadRowAttachment/version: adds 1 to the version of the row (assumption rowVersion)': async (c) =>
    expectSame('version', (await upload(c)).row.version, c.row.version + 1),
  'uploadRowAttachment/by-column: col names the column': async (c) => {
    const { key } = (await upload(c, fileForm(), { col: c.columnId })).attachment
    expectThat(key.includes(`/${c.columnId}/`), `a key in column ${c.columnId}`, key)
  },
  'uploadRowAttachment/same-name: a file of the same name replaces the first (assumption rowAttachmentName)':
    async (c) => {
      await upload(c)
      const { row, attachment } = await upload(c)
      expectSame('keys', keysIn(row, c.columnId), [attachment.key])
    },
  'uploadRowAttachment/unknown-column: refuses a col that is not an attachment column (assumption generalStatuses)':
    async ({ api }) => {
      const ask = { query: { col: 'verify_no_such_column' }, body: fileForm() }
      await api.expect('uploadRowAttachment', 400, ask)
    },
  'uploadRowAttachment/without-file: refuses an upload without a file (assumption multipart)': async (c) =>
    c.api.expect('uploadRowAttachment', 400, { body: formWithoutFile() }),
  'uploadRowAttachment/too-large: refuses a file above the limit with 413 (assumption maxFileBytes)': async (
    c,
  ) => {
    const body = fileForm('x'.repeat((await fileLimit(c)) + 1))
    await c.api.expect('uploadRowAttachment', 413, { body })
  },
  'deleteRowAttachment/gone: the row no longer holds the file': async (c) => {
    const { attachment, row } = await upload(c)
    const params = { key: attachment.key }
    await c.api.succeed('deleteRowAttachment', { params })
    const after = await c.own.readRow(c.row.id)
    expectSame('keys', keysIn(after, c.columnId), [])
    expectSame('version', after.version, row.version + 1, 'assumption rowVersion')
    await c.api.expect('deleteRowAttachment', 404, { params })
  },
  'deleteRowAttachment/foreign-key: refuses with 400 a key that is not of the row': async ({ api }) => {
    const key = 'dt/other/row/other/col/file.txt'
    await api.expect('deleteRowAttachment', 400, { params: { key } })
  },
  'deleteRowAttachment/unknown-key: responds with 404 to an absent key of the row': async (c) => {
    const params = { key: keyOf(c, 'verify-no-such-file.txt') }
    await c.api.expect('deleteRowAttachment', 404, { params })
  },
})

/** A row with a file that is easily spoiled. */
const hardFiles = rulesOn('write', async (context) => {
  const row = await ofRow(context)
  return { ...row, attachment: (await upload(row, formOf([hardFile]))).attachment }
})('contract, Task attachments', {
  'uploadRowAttachment/hard-name: keeps a name with spaces, umlauts, %, + and quotes, in its key too': (
    file,
  ) => {
    const wanted = { key: keyOf(file, hardName), filename: hardName, size: 256 }
    expectFields('attachment', file.attachment, wanted)
  },
  'deleteRowAttachment/hard-name: takes the encoded key of such a file, and deletes that file alone': async (
    file,
  ) => {
    const { attachment: other } = await upload(file)
    await file.api.succeed('deleteRowAttachment', { params: { key: file.attachment.key } })
    expectSame('keys left', keysIn(await file.own.readRow(file.row.id), file.columnId), [other.key])
  },
  'deleteRowAttachment/other-row: refuses with 400 the key of another row of the table': async (file) => {
    const params = { rowId: (await file.own.row()).id, key: file.attachment.key }
    await file.api.expect('deleteRowAttachment', 400, { params })
  },
})

export const rowAttachmentRules = [...uploading, ...hardFiles]
