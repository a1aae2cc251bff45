// The rule that a text is read as it was written, for every operation that writes one.
import { expectSame } from '../engine/expect.ts'
import { ownTask, writeRules, type Context } from '../engine/rule.ts'
import { listedSpace, madeList } from './spaces.ts'
import { cellsOf } from '../engine/shapes.ts'

/** Umlauts, other alphabets, characters beyond 16 bits, markup, quotes and a length above 80. */
const hardText =
  'Zoë & Søn <b>"bold"</b> it\'s 100 % \\n + 日本語 Ελλάδα 😀 é ' + 'and so on '.repeat(4) + 'end'

/** Writes a text to something new, or to something that is there. @returns it as read */
type Write = (context: Context, text: string, isNew: boolean) => Promise<unknown>

const rowText: Write = async ({ api, own }, text, isNew) => {
  const { id } = (await own.table()).text
  const { id: rowId } = await own.row(isNew ? { [id]: text } : {})
  if (!isNew) await api.succeed('updateRow', { params: { rowId }, json: { data: { [id]: text } } })
  return cellsOf(await own.readRow(rowId))[id]
}

const title: Write = async ({ api, own }, text, isNew) => {
  const taskId = await own.task(isNew ? { title: text } : {})
  if (!isNew) await api.succeed('updateTask', { params: { taskId }, json: { title: text } })
  return (await own.readTask(taskId)).title
}

const comment: Write = async (context, text, isNew) => {
  const { api } = await ownTask(context)
  const { id } = await api.succeed('createComment', { json: { content: isNew ? text : 'verify' } })
  if (!isNew) await api.succeed('updateComment', { params: { commentId: id }, json: { content: text } })
  return (await api.succeed('listComments')).comments[0]?.content
}

const note: Write = async (context, text, isNew) => {
  const { api } = await ownTask(context)
  const json = { action: 'manual', duration: 60, ...(isNew && { note: text }) }
  const { id } = await api.succeed('createTimeEntry', { json })
  if (!isNew) await api.succeed('updateTimeEntry', { params: { entryId: id }, json: { note: text } })
  return (await api.succeed('listTimeEntries')).entries[0]?.note
}

const listName: Write = async (context, name, isNew) => {
  const { api } = context
  const params = isNew ? { listId: (await madeList(context, 'named', { name })).id } : {}
  if (!isNew) await api.succeed('updateList', { params, json: { name } })
  return (await api.succeed('getList', { params })).name
}

const spaceName: Write = async (context, name) => {
  await context.api.succeed('updateSpace', { json: { name } })
  return (await listedSpace(context)).name
}

/** What a text is written to, what ends it, and the id of its rules: comments have another rule named `text`. */
const texts: readonly (readonly [to: string, what: string, write: Write, end: string, id: string])[] = [
  ['Row', 'the text of a row', rowText, '  ', 'text'],
  ['Task', 'a title', title, '', 'text'],
  ['Comment', 'a comment', comment, '\nnext line', 'characters'],
  ['TimeEntry', 'a note', note, '', 'text'],
  ['List', 'a name', listName, '', 'text'],
  ['Space', 'a name', spaceName, '', 'text'],
]

export const textRules = texts.flatMap(([to, what, write, end, id]) =>
  (to === 'Space' ? ['update'] : ['create', 'update']).flatMap((verb) =>
    writeRules('contract, Resources and their fields', {
      [`${verb}${to}/${id}: ${what} is read as it was written, whatever its characters`]: async (
        c: Context,
      ) => {
        const text = `${c.own.text()} ${hardText}${end}`
        expectSame('text', await write(c, text, verb === 'create'), text)
      },
    }),
  ),
)
