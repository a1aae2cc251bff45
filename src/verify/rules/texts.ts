// The rule that a text is read as it was written, for every operation that writes one.
import type { OperationId } from '../../contract/index.ts'
import { expectSame } from '../engine/expect.ts'
import { ownTask, writeRules, type Context } from '../engine/rule.ts'
import { madeList } from './lists.ts'
import { listedSpace } from './spaces.ts'
import { cellsOf } from './rows/shapes.ts'

/** Umlauts, other alphabets, characters beyond 16 bits, markup, quotes and a length above 80. */
const hardText =
  'Zoë & Søn <b>"bold"</b> it\'s 100 % \\n + 日本語 Ελλάδα 😀 é ' + 'and so on '.repeat(4) + 'end'

/** Writes a text. @returns it as read */
type Write = (context: Context, text: string) => Promise<unknown>

const rowText =
  (isNew: boolean): Write =>
  async (context, text) => {
    const { api, own } = context
    const { id } = (await own.table()).text
    const { id: rowId } = await own.row(isNew ? { [id]: text } : {})
    if (!isNew) await api.succeed('updateRow', { params: { rowId }, json: { data: { [id]: text } } })
    return cellsOf(await own.readRow(rowId))[id]
  }

const title =
  (isNew: boolean): Write =>
  async ({ api, own }, text) => {
    const taskId = await own.task(isNew ? { title: text } : {})
    if (!isNew) await api.succeed('updateTask', { params: { taskId }, json: { title: text } })
    return (await own.readTask(taskId)).title
  }

const comment =
  (isNew: boolean): Write =>
  async (context, text) => {
    const { api } = await ownTask(context)
    const { id } = await api.succeed('createComment', { json: { content: isNew ? text : 'verify' } })
    if (!isNew) await api.succeed('updateComment', { params: { commentId: id }, json: { content: text } })
    return (await api.succeed('listComments')).comments[0]?.content
  }

const note =
  (isNew: boolean): Write =>
  async (context, text) => {
    const { api } = await ownTask(context)
    const json = { action: 'manual', duration: 60, ...(isNew && { note: text }) }
    const { id } = await api.succeed('createTimeEntry', { json })
    if (!isNew) await api.succeed('updateTimeEntry', { params: { entryId: id }, json: { note: text } })
    return (await api.succeed('listTimeEntries')).entries[0]?.note
  }

const listName =
  (isNew: boolean): Write =>
  async (context, name) => {
    const { api } = context
    const params = isNew ? { listId: (await madeList(context, 'named', { name })).id } : {}
    if (!isNew) await api.succeed('updateList', { params, json: { name } })
    return (await api.succeed('getList', { params })).name
  }

async function spaceName(context: Context, name: string): Promise<unknown> {
  await context.api.succeed('updateSpace', { json: { name } })
  return (await listedSpace(context)).name
}

const writes: readonly (readonly [operation: OperationId, what: string, write: Write])[] = [
  ['createRow', 'the text of a row', rowText(true)],
  ['updateRow', 'the text of a row', rowText(false)],
  ['createTask', 'a title', title(true)],
  ['updateTask', 'a title', title(false)],
  ['createComment', 'a comment', comment(true)],
  ['updateComment', 'a comment', comment(false)],
  ['createTimeEntry', 'a note', note(true)],
  ['updateTimeEntry', 'a note', note(false)],
  ['createList', 'a name', listName(true)],
  ['updateList', 'a name', listName(false)],
  ['updateSpace', 'a name', spaceName],
]

export const textRules = writes.flatMap(([operation, what, write]) =>
  writeRules('contract, Resources and their fields', {
    [`${operation}/text: ${what} is read as it was written, whatever its characters`]: async (
      context: Context,
    ) => {
      const line = `${context.own.text()} ${hardText}`
      const isRow = operation.endsWith('Row')
      const text = operation.endsWith('Comment') ? `${line}\nnext line` : isRow ? `${line}  ` : line
      expectSame('text', await write(context, text), text)
    },
  }),
)
