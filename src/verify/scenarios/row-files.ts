// Scenarios of files in rows; and files that are wrong for tasks too.
import { needed } from '../engine/expect.ts'
import { Unreachable } from '../engine/drift.ts'
import { writing, type Scenario } from '../twin/scenario.ts'
import type { Play } from '../twin/play.ts'
import { listOwnRows, makeRow, ownTable } from './own.ts'
import { file, formOf, hardFile, type Part } from './values.ts'

/** Files above this are not sent, however large a deployment takes them. */
const largestSent = 32 * 1024 * 1024

/** A file one byte above the limit. @throws {Unreachable} if there is none, or it is too large to be tried */
export function tooLarge({ twin }: Play): Part {
  const most = twin.fileBytes
  if (most === null || most > largestSent)
    throw new Unreachable('files have no limit, or one above 32 MiB', 'plan')
  return file('large.bin', new Uint8Array(most + 1))
}

export const wrongForms = (): FormData[] => [
  formOf(['file', 'a text']),
  formOf(['other', ['x.txt', 'x']]),
  formOf(['note', 'no file']),
]

async function rowWithFiles(play: Play) {
  const columns = ownTable(play).columns.filter(({ type }) => type === 'attachment')
  needed(columns[0], 'the table has no column of type attachment')
  const { table, params } = await makeRow(play)
  const upload = async (body: FormData, col?: string) => {
    const made = await play.call('uploadRowAttachment', {
      params,
      body,
      ...(col !== undefined && { query: { col } }),
    })
    await play.call('getRow', { params })
    return made?.attachment.key
  }
  return { table, columns, params, upload }
}

export const rowFileScenarios: readonly Scenario[] = [
  writing(
    'uploadRowAttachment getRow listRows/files',
    'contract, RowAttachment',
    'a file is in its column, under a key of its table, row, column and name',
    async (play) => {
      const { columns, upload } = await rowWithFiles(play)
      await upload(formOf(hardFile))
      await upload(formOf(file('b.png', 'PNG', 'image/png')), columns.at(-1)?.id)
      await upload(formOf(file('b.png', 'another of this name', 'image/png')))
      await upload(formOf(file('empty', '')))
      await upload(formOf(file('no type', 'x', '')))
      await upload(formOf(file('one.txt'), file('two.txt')))
      await listOwnRows(play)
    },
  ),
  writing(
    'uploadRowAttachment getRow/odd-files',
    'assumption multipart',
    'an upload needs a file, and a column of type attachment',
    async (play) => {
      const { table, params, upload } = await rowWithFiles(play)
      for (const form of wrongForms()) await upload(form)
      for (const col of ['verify_none_such', table.text.id]) await upload(formOf(file()), col)
      await play.call('uploadRowAttachment', { params, json: {} })
      await upload(formOf(file('../x/y.pdf', '%PDF', 'application/pdf')))
    },
  ),
  writing(
    'uploadRowAttachment getRow/limit',
    'contract, Limits',
    'a file above the limit is refused with 413',
    async (play) => {
      const { upload } = await rowWithFiles(play)
      await upload(formOf(tooLarge(play)))
    },
  ),
  writing(
    'deleteRowAttachment getRow/file-gone',
    'contract, RowAttachment',
    'a deleted file is gone, the others stay; keys of other rows are refused',
    async (play) => {
      const { table, columns, params, upload } = await rowWithFiles(play)
      const keys = [await upload(formOf(hardFile)), await upload(formOf(file('b.txt')))]
      const [column = { id: '' }] = columns
      for (const key of [
        'verify',
        'dt/other/row/x/y',
        `dt/${table.id}/row/none/${column.id}/a.txt`,
        `dt/${table.id}/row/${params.rowId}/${column.id}/none.txt`,
      ])
        await play.call('deleteRowAttachment', { params: { ...params, key } })
      const other = await makeRow(play)
      const [key = '', last = ''] = keys
      await play.call('deleteRowAttachment', { params: { ...other.params, key } })
      for (let time = 0; time < 2; time += 1) {
        await play.call('deleteRowAttachment', { params: { ...params, key } })
        await play.call('getRow', { params })
      }
      await play.call('deleteRowAttachment', { params: { ...params, key: last } })
    },
  ),
  writing(
    'uploadRowAttachment/no-column',
    'assumption multipart',
    'a table without a column of type attachment takes no file',
    async (play) => {
      const without = play.known.tables.find(
        ({ columns, rows }) => rows.length > 0 && !columns.some(({ type }) => type === 'attachment'),
      )
      const [row] = needed(without, 'every table with rows has a column of type attachment').rows
      await play.call('uploadRowAttachment', {
        params: { tableId: without?.id ?? '', rowId: row?.id ?? '' },
        body: formOf(file()),
      })
    },
  ),
]
