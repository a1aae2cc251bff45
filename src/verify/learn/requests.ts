// Owns how the answers to questions about the reading of requests are observed.
import type { OperationId } from '../../contract/index.ts'
import type { QuestionId } from '../../contract/questions/register.ts'
import type { Ask } from '../engine/client.ts'
import type { Context } from '../engine/context.ts'
import { reading, writing, type Observer } from './observer.ts'
import { cellsOf } from '../rules/row.ts'
import { isEmpty, textColumn } from '../rules/row-cells.ts'
import { needed, Unreachable } from '../engine/rule.ts'

/** What was asked, and the one answer to the question that a refusal with 400 means, and that a success means. */
interface Trial {
  readonly operation: OperationId
  readonly ask: (context: Context) => Promise<Ask>
  readonly refused: string
  readonly accepted: string
  /** What is special about the request. */
  readonly what: string
}

const trial =
  ({ operation, ask, refused, accepted, what }: Trial): Observer['observe'] =>
  async (context) => {
    const reply = await context.api.call(operation, await ask(context))
    if (!reply.isSuccess && reply.status !== 400)
      throw new Unreachable(`${operation} ${what}: ${reply.summary}`)
    return {
      answer: reply.isSuccess ? accepted : refused,
      how: `${operation} ${what}: status ${String(reply.status)}`,
    }
  }

const tried = (question: QuestionId, needs: Observer['needs'], given: Trial): Observer => ({
  question,
  needs,
  observe: trial(given),
})

const someTable = async ({ seen }: Context) => ({
  tableId: needed((await seen.tables())[0], 'there is no table').id,
})
const ownTable = async ({ own }: Context) => ({ tableId: (await own.table()).table.id })
const ownList = async ({ own }: Context) => ({ listId: await own.listId() })

export const requestObservers: readonly Observer[] = [
  tried('unknownBodyFields', 'read', {
    operation: 'queryRows',
    ask: async (context) => ({ params: await someTable(context), json: { verify_no_such_field: 1 } }),
    refused: 'reject',
    accepted: 'ignore',
    what: 'with a field that there is not',
  }),
  tried('contentType', 'read', {
    operation: 'queryRows',
    ask: async (context) => ({
      params: await someTable(context),
      body: '{}',
      headers: { 'content-type': 'text/plain' },
    }),
    refused: 'strict',
    accepted: 'lenient',
    what: 'with JSON sent as text/plain',
  }),
  tried('limitAboveMax', 'read', {
    operation: 'listRows',
    ask: async (context) => ({ params: await someTable(context), query: { limit: 501 } }),
    refused: 'reject',
    accepted: 'clamp',
    what: 'with limit=501',
  }),
  reading('columnNames', async ({ api, seen }) => {
    const table = await seen.richTable()
    const { id } = textColumn(table, 1)
    if (table.columns.length < 2 || table.columns.some(({ name }) => name === id))
      throw new Unreachable('the table looked at has one column only, or a column called like an id')
    const reply = await api.call('listRows', {
      params: { tableId: table.table.id },
      query: { select: id, limit: 500 },
    })
    const how = `listRows with select=${id}: status ${String(reply.status)}`
    if (reply.status === 400) return { answer: 'names', how }
    const rows = needed(reply.field('rows') as Parameters<typeof cellsOf>[0][] | undefined, reply.summary)
    const shown = [...new Set(rows.flatMap((row) => Object.keys(cellsOf(row))))]
    const isTaken = shown.length === 1 && shown[0] === id
    return {
      answer: isTaken ? 'namesAndIds' : 'names',
      how: `${how}, ${isTaken ? 'that column alone' : 'all columns'}`,
    }
  }),
  tried('unknownSortColumn', 'read', {
    operation: 'listRows',
    ask: async (context) => ({ params: await someTable(context), query: { sort: 'verify no such column' } }),
    refused: 'reject',
    accepted: 'ignore',
    what: 'with sort by a column that there is not',
  }),
  tried('unknownFilter', 'read', {
    operation: 'listRows',
    ask: async (context) => ({ params: await someTable(context), query: { 'verify no such column': '1' } }),
    refused: 'reject',
    accepted: 'ignore',
    what: 'with a parameter named after nothing',
  }),
  tried('emptyNames', 'write', {
    operation: 'createTask',
    ask: async (context) => ({ params: await ownList(context), json: { title: '  ' } }),
    refused: 'reject',
    accepted: 'accept',
    what: 'with a blank title',
  }),
  tried('unknownRowKeys', 'write', {
    operation: 'createRow',
    ask: async (context) => {
      const { text } = await context.own.table()
      const data = { [text.id]: context.own.text(), verify_no_such_column: 1 }
      return { params: await ownTable(context), json: { data } }
    },
    refused: 'reject',
    accepted: 'ignore',
    what: 'with a key that is no column',
  }),
  tried('unknownCustomFields', 'write', {
    operation: 'createTask',
    ask: async (context) => ({
      params: await ownList(context),
      json: { title: context.own.text(), custom_data: { verify_no_such_field: 1 } },
    }),
    refused: 'reject',
    accepted: 'ignore',
    what: 'with a custom field that there is not',
  }),
  writing('typeChecks', async ({ api, own }) => {
    const { table, text } = await own.table()
    const { id, options = [] } = await own.column('dropdown')
    const option = needed(
      options.find(({ label }) => !options.some((other) => other.id === label)),
      'the dropdown has no option whose label is no id',
    )
    const json = { data: { [text.id]: own.text(), [id]: option.label } }
    const reply = await api.call('createRow', { params: { tableId: table.id }, json })
    const how = `createRow with the label ${option.label} in a dropdown: status ${String(reply.status)}`
    if (reply.status === 400) return { answer: 'strict', how }
    const stored = reply.isSuccess ? cellsOf(reply.json as Parameters<typeof cellsOf>[0])[id] : undefined
    if (stored !== option.id)
      throw new Unreachable(`${how}, stored ${JSON.stringify(stored)}, which no answer covers`)
    return { answer: 'dropdownLabels', how: `${how}, stored as ${option.id}` }
  }),
  writing('attachmentWrites', async ({ api, own }) => {
    const { table, text } = await own.table()
    const { id } = await own.column('attachment')
    const json = { data: { [text.id]: own.text(), [id]: 'verify' } }
    const reply = await api.call('createRow', { params: { tableId: table.id }, json })
    const how = `createRow with a value for an attachment column: status ${String(reply.status)}`
    if (reply.status === 400) return { answer: 'reject', how }
    const stored = reply.isSuccess ? cellsOf(reply.json as Parameters<typeof cellsOf>[0])[id] : 'nothing'
    if (!isEmpty(stored))
      throw new Unreachable(`${how}, stored ${JSON.stringify(stored)}, which no answer covers`)
    return { answer: 'ignore', how: `${how}, nothing stored` }
  }),
]
