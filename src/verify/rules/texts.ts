// The rule that a text is read as it was written, for every operation that writes one.
import type { OperationId } from '../../contract/index.ts'
import { ownTask, type Context } from '../engine/context.ts'
import { contract, expectSame, needed, type Rule } from '../engine/rule.ts'
import { listWithName } from './lists.ts'
import { cellsOf } from './rows/shapes.ts'

/** Umlauts, other alphabets, characters beyond 16 bits, markup, quotes and a length above 80. */
const hardText =
  'Zoë & Søn <b>"bold"</b> it\'s 100 % \\n + 日本語 Ελλάδα 😀 é ' + 'and so on '.repeat(4) + 'end'

type Write = (context: Context, text: string) => Promise<unknown>

const inTable = async ({ own }: Context) => {
  const { table, text } = await own.table()
  return { params: { tableId: table.id }, id: text.id, tableId: table.id }
}

async function commentText(context: Context, text: string, isNew: boolean): Promise<unknown> {
  const { taskId } = await ownTask(context)
  const { api } = context
  const content = isNew ? text : 'verify'
  const { id } = await api.succeed('createComment', { params: { taskId }, json: { content } })
  if (!isNew)
    await api.succeed('updateComment', { params: { taskId, commentId: id }, json: { content: text } })
  const { comments } = await api.succeed('listComments', { params: { taskId } })
  return comments[0]?.content
}

async function noteText(context: Context, text: string, isNew: boolean): Promise<unknown> {
  const { taskId } = await ownTask(context)
  const { api } = context
  const json = { action: 'manual', duration: 60, ...(isNew && { note: text }) }
  const { id } = await api.succeed('createTimeEntry', { params: { taskId }, json })
  if (!isNew) await api.succeed('updateTimeEntry', { params: { taskId, entryId: id }, json: { note: text } })
  return (await api.succeed('listTimeEntries', { params: { taskId } })).entries[0]?.note
}

const writes: readonly (readonly [operation: OperationId, what: string, write: Write])[] = [
  [
    'createRow',
    'the text of a row',
    async (context, text) => {
      const { id, tableId } = await inTable(context)
      const row = await context.own.row({ [id]: text })
      return cellsOf(await context.own.readRow(tableId, row.id))[id]
    },
  ],
  [
    'updateRow',
    'the text of a row',
    async (context, text) => {
      const { id, tableId } = await inTable(context)
      const { id: rowId } = await context.own.row()
      await context.api.succeed('updateRow', { params: { tableId, rowId }, json: { data: { [id]: text } } })
      return cellsOf(await context.own.readRow(tableId, rowId))[id]
    },
  ],
  [
    'createTask',
    'a title',
    async ({ own }, text) => (await own.readTask(await own.task({ title: text }))).title,
  ],
  [
    'updateTask',
    'a title',
    async ({ api, own }, text) => {
      const taskId = await own.task()
      await api.succeed('updateTask', { params: { taskId }, json: { title: text } })
      return (await own.readTask(taskId)).title
    },
  ],
  ['createComment', 'a comment', (context, text) => commentText(context, `${text}\nnext line`, true)],
  ['updateComment', 'a comment', (context, text) => commentText(context, `${text}\nnext line`, false)],
  ['createTimeEntry', 'a note', (context, text) => noteText(context, text, true)],
  ['updateTimeEntry', 'a note', (context, text) => noteText(context, text, false)],
  [
    'createList',
    'a name',
    async (context, text) => {
      const { id } = await listWithName(context, text)
      return (await context.api.succeed('getList', { params: { listId: id } })).name
    },
  ],
  [
    'updateList',
    'a name',
    async ({ api, own }, text) => {
      const params = { listId: await own.listId() }
      await api.succeed('updateList', { params, json: { name: text } })
      return (await api.succeed('getList', { params })).name
    },
  ],
  [
    'updateSpace',
    'a name',
    async ({ api, own }, text) => {
      const { id } = await own.space()
      await api.succeed('updateSpace', { params: { spaceId: id }, json: { name: text } })
      const { spaces } = await api.succeed('listSpaces')
      return needed(
        spaces.find((space) => space.id === id),
        'the space of the run is not listed',
      ).name
    },
  ],
]

export const textRules: readonly Rule[] = writes.map(([operation, what, write]) => ({
  id: 'text',
  operation,
  source: contract('Resources and their fields'),
  needs: 'write',
  says: `${what} is read as it was written, whatever its characters`,
  check: async (context) => {
    const text = `${context.own.text()} ${hardText}`
    const wanted = operation.endsWith('Comment') ? `${text}\nnext line` : text
    expectSame('text', await write(context, text), wanted)
  },
}))
