// The rules of files in attachment columns of rows.
import type { Row } from '../../../contract/rows.ts'
import type { Context } from '../../engine/context.ts'
import { fileForm } from '../every-operation.ts'
import { cellsOf } from './shapes.ts'
import { isObject } from '../../../contract/values/objects.ts'
import {
  assumed,
  contract,
  expectSame,
  expectThat,
  type Rule,
  rulesOn,
  Unreachable,
} from '../../engine/rule.ts'

const part = contract('Row attachments')

interface Place {
  readonly context: Context
  readonly row: Row
  readonly params: { readonly tableId: string; readonly rowId: string }
  /** Id of the first attachment column. */
  readonly columnId: string
}

const fileRule = rulesOn('write', async (context): Promise<Place> => {
  const { table } = await context.own.table()
  const { id: columnId } = await context.own.column('attachment')
  const row = await context.own.row()
  return { context, row, params: { tableId: table.id, rowId: row.id }, columnId }
})

const upload = ({ context, params }: Place, body = fileForm(), col?: string) =>
  context.api.succeed('uploadRowAttachment', { params, body, ...(col !== undefined && { query: { col } }) })

const keysIn = ({ columnId }: Place, row: Row): unknown[] => {
  const files = cellsOf(row)[columnId]
  return Array.isArray(files) ? files.map((file: unknown) => (isObject(file) ? file.key : undefined)) : []
}

const read = ({ context, params }: Place) => context.own.readRow(params.tableId, params.rowId)

export const rowAttachmentRules: readonly Rule[] = [
  fileRule(
    'uploadRowAttachment',
    'stores',
    contract('RowAttachment'),
    'answers what was stored, under a key made of table, row, column and name',
    async (place) => {
      const { attachment } = await upload(place, fileForm('four', 'four.txt', 'text/plain'))
      const { tableId, rowId } = place.params
      const { key, filename, size, contentType } = attachment
      expectSame(
        'attachment',
        { key, filename, size },
        {
          key: `dt/${tableId}/row/${rowId}/${place.columnId}/four.txt`,
          filename: 'four.txt',
          size: 4,
        },
      )
      expectThat(contentType.startsWith('text/plain'), 'contentType text/plain', contentType)
    },
  ),
  fileRule(
    'uploadRowAttachment',
    'in-row',
    contract('Row'),
    'the row holds it under the id of the column',
    async (place) => {
      const { attachment, row } = await upload(place)
      expectSame('keys in the answered row', keysIn(place, row), [attachment.key])
      expectSame('the row as read', await read(place), row)
    },
  ),
  fileRule(
    'uploadRowAttachment',
    'version',
    assumed('rowVersion'),
    'adds 1 to the version of the row',
    async (place) => {
      const { row } = await upload(place)
      expectSame('version', row.version, place.row.version + 1)
    },
  ),
  fileRule('uploadRowAttachment', 'by-column', part, 'col names the column', async (place) => {
    const { attachment } = await upload(place, fileForm(), place.columnId)
    expectThat(
      attachment.key.includes(`/${place.columnId}/`),
      `a key in column ${place.columnId}`,
      attachment.key,
    )
  }),
  fileRule(
    'uploadRowAttachment',
    'same-name',
    assumed('rowAttachmentName'),
    'a file of the same name replaces the first',
    async (place) => {
      await upload(place)
      const { row, attachment } = await upload(place)
      expectSame('keys', keysIn(place, row), [attachment.key])
    },
  ),
  fileRule(
    'uploadRowAttachment',
    'unknown-column',
    assumed('generalStatuses'),
    'refuses a col that is not an attachment column',
    async ({ context, params }) =>
      context.api.expect('uploadRowAttachment', 400, {
        params,
        query: { col: 'verify_no_such_column' },
        body: fileForm(),
      }),
  ),
  fileRule(
    'uploadRowAttachment',
    'without-file',
    assumed('multipart'),
    'refuses an upload without a file',
    async ({ context, params }) => {
      const form = new FormData()
      form.append('note', 'no file')
      await context.api.expect('uploadRowAttachment', 400, { params, body: form })
    },
  ),
  fileRule(
    'uploadRowAttachment',
    'too-large',
    assumed('maxFileBytes'),
    'refuses a file above the limit with 413',
    async ({ context, params }) => {
      const limit = context.answers.maxFileBytes[(await context.seen.identity()).workspace.plan]
      if (limit === null || limit === undefined || limit > 32 * 1024 * 1024)
        throw new Unreachable('no file of a decent size is too large')
      await context.api.expect('uploadRowAttachment', 413, { params, body: fileForm('x'.repeat(limit + 1)) })
    },
  ),
  fileRule('deleteRowAttachment', 'gone', part, 'the row no longer holds the file', async (place) => {
    const { attachment, row } = await upload(place)
    const params = { ...place.params, key: attachment.key }
    await place.context.api.succeed('deleteRowAttachment', { params })
    const after = await read(place)
    expectSame('keys', keysIn(place, after), [])
    expectSame('version', after.version, row.version + 1, assumed('rowVersion'))
    await place.context.api.expect('deleteRowAttachment', 404, { params })
  }),
  fileRule(
    'deleteRowAttachment',
    'foreign-key',
    part,
    'refuses with 400 a key that is not of the row',
    async ({ context, params }) =>
      context.api.expect('deleteRowAttachment', 400, {
        params: { ...params, key: 'dt/other/row/other/col/file.txt' },
      }),
  ),
  fileRule(
    'deleteRowAttachment',
    'unknown-key',
    part,
    'answers 404 to a key of the row that names nothing',
    async ({ context, params, columnId }) => {
      const key = `dt/${params.tableId}/row/${params.rowId}/${columnId}/verify-no-such-file.txt`
      await context.api.expect('deleteRowAttachment', 404, { params: { ...params, key } })
    },
  ),
]
