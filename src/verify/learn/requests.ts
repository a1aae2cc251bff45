// Observes the answers to questions about the reading of requests.
import type { Column } from '../../contract/datatables.ts'
import { operations, type OperationId } from '../../contract/index.ts'
import type { Row } from '../../contract/rows.ts'
import type { QuestionId } from '../../contract/questions/register.ts'
import type { Ask } from '../engine/client.ts'
import type { Context } from '../engine/context.ts'
import { writesNothing } from '../engine/judge.ts'
import { onEach, reading, type Observer } from './observer.ts'
import { cellsOf } from '../rules/rows/shapes.ts'
import { isEmpty, textColumn } from '../rules/rows/cells.ts'
import { needed } from '../engine/expect.ts'
import { Unreachable } from '../engine/rule.ts'

/** A request, which is answered with 400 or a success; `what` is special about it. */
interface Trial {
  readonly operation: OperationId
  readonly what: string
  readonly ask: (context: Context) => Promise<Ask>
}

/** Tries a request on each operation: 400 is one answer, a success the other. */
const tried = (question: QuestionId, refused: string, accepted: string, trials: readonly Trial[]): Observer =>
  onEach(
    question,
    trials.map(({ operation, what, ask }) => ({
      needs: writesNothing(operations[operation]) ? 'read' : 'write',
      see: async (context) => {
        const reply = await context.api.call(operation, await ask(context))
        const how = `${operation} ${what}: status ${String(reply.status)}`
        if (!reply.isSuccess && reply.status !== 400) throw new Unreachable(how)
        return { answer: reply.isSuccess ? accepted : refused, how }
      },
    })),
  )

const someTable = async ({ seen }: Context) => ({
  tableId: needed((await seen.tables())[0], 'there is no table').id,
})
const ownTable = async ({ own }: Context) => ({ tableId: (await own.table()).table.id })
const ownRow = async (context: Context) => ({
  ...(await ownTable(context)),
  rowId: (await context.own.row()).id,
})
const ownList = async ({ own }: Context) => ({ listId: await own.listId() })
const ownTask = async ({ own }: Context) => ({ taskId: await own.task() })
const someList = async ({ seen }: Context) => ({ listId: (await seen.someList()).id })
const someForm = async ({ seen }: Context) => ({ formId: (await seen.someForm()).id })
const asText = { body: '{}', headers: { 'content-type': 'text/plain' } }
const unknownField = { verify_no_such_field: 1 }
const noColumn = 'verify no such column'

/** Sends a row with a value in a column, and sees what became of it. */
const rowTrials = (
  question: QuestionId,
  type: Column['type'],
  valueOf: (column: Column) => unknown,
  answerOf: (status: number, stored: unknown, column: Column) => string | undefined,
): Observer =>
  onEach(
    question,
    (['createRow', 'updateRow'] as const).map((operation) => ({
      needs: 'write',
      see: async (context) => {
        const column = await context.own.column(type)
        const { text } = await context.own.table()
        const params = operation === 'createRow' ? await ownTable(context) : await ownRow(context)
        const data = { [text.id]: context.own.text(), [column.id]: valueOf(column) }
        const { isSuccess, json, status } = await context.api.call(operation, { params, json: { data } })
        const stored = isSuccess ? cellsOf(json as Row)[column.id] : undefined
        const how = `${operation} with ${JSON.stringify(valueOf(column))} in a column of type ${type}: status ${String(status)}, stored ${JSON.stringify(stored) ?? 'nothing'}`
        return { answer: needed(answerOf(status, stored, column), `${how}, which no answer covers`), how }
      },
    })),
  )

const labelled = ({ options = [] }: Column) =>
  needed(
    options.find(({ label }) => !options.some((other) => other.id === label)),
    'the dropdown has no option whose label is not an id',
  )

export const requestObservers: readonly Observer[] = [
  tried('unknownBodyFields', 'reject', 'ignore', [
    {
      operation: 'queryRows',
      what: 'with an unknown field',
      ask: async (c) => ({ params: await someTable(c), json: unknownField }),
    },
    {
      operation: 'updateTask',
      what: 'with an unknown field',
      ask: async (c) => ({ params: await ownTask(c), json: unknownField }),
    },
    {
      operation: 'updateList',
      what: 'with an unknown field',
      ask: async (c) => ({ params: await ownList(c), json: unknownField }),
    },
    {
      operation: 'createComment',
      what: 'with an unknown field',
      ask: async (c) => ({ params: await ownTask(c), json: { content: 'verify', ...unknownField } }),
    },
  ]),
  tried('contentType', 'strict', 'lenient', [
    {
      operation: 'queryRows',
      what: 'with JSON as text/plain',
      ask: async (c) => ({ params: await someTable(c), ...asText }),
    },
    {
      operation: 'updateTask',
      what: 'with JSON as text/plain',
      ask: async (c) => ({ params: await ownTask(c), ...asText }),
    },
  ]),
  tried('limitAboveMax', 'reject', 'clamp', [
    {
      operation: 'listRows',
      what: 'with limit=501',
      ask: async (c) => ({ params: await someTable(c), query: { limit: 501 } }),
    },
    {
      operation: 'queryRows',
      what: 'with limit 501',
      ask: async (c) => ({ params: await someTable(c), json: { limit: 501 } }),
    },
    {
      operation: 'listTasks',
      what: 'with limit=201',
      ask: async (c) => ({ params: await someList(c), query: { limit: 201 } }),
    },
    {
      operation: 'listFormSubmissions',
      what: 'with limit=201',
      ask: async (c) => ({ params: await someForm(c), query: { limit: 201 } }),
    },
  ]),
  reading('columnNames', async ({ api, seen }) => {
    const table = await seen.richTable()
    const { id } = textColumn(table, 1)
    if (table.columns.length < 2 || table.columns.some(({ name }) => name === id))
      throw new Unreachable('the table has only one column, or a column called like an id')
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
  tried('unknownSortColumn', 'reject', 'ignore', [
    {
      operation: 'listRows',
      what: 'with an unknown column in sort',
      ask: async (c) => ({ params: await someTable(c), query: { sort: noColumn } }),
    },
    {
      operation: 'listRows',
      what: 'with an unknown column in select',
      ask: async (c) => ({ params: await someTable(c), query: { select: noColumn } }),
    },
    {
      operation: 'queryRows',
      what: 'with an unknown column in sort',
      ask: async (c) => ({ params: await someTable(c), json: { sort: [{ column: noColumn }] } }),
    },
  ]),
  tried('unknownFilter', 'reject', 'ignore', [
    {
      operation: 'listRows',
      what: 'with a parameter named after nothing',
      ask: async (c) => ({ params: await someTable(c), query: { [noColumn]: '1' } }),
    },
  ]),
  tried('emptyNames', 'reject', 'accept', [
    {
      operation: 'createTask',
      what: 'with a blank title',
      ask: async (c) => ({ params: await ownList(c), json: { title: '  ' } }),
    },
    {
      operation: 'updateTask',
      what: 'with a blank title',
      ask: async (c) => ({ params: await ownTask(c), json: { title: '  ' } }),
    },
    {
      operation: 'createComment',
      what: 'with a blank text',
      ask: async (c) => ({ params: await ownTask(c), json: { content: '  ' } }),
    },
  ]),
  tried('unknownRowKeys', 'reject', 'ignore', [
    {
      operation: 'createRow',
      what: 'with a key that is not a column',
      ask: async (c) => {
        const { text } = await c.own.table()
        return {
          params: await ownTable(c),
          json: { data: { [text.id]: c.own.text(), verify_no_such_column: 1 } },
        }
      },
    },
    {
      operation: 'updateRow',
      what: 'with a key that is not a column',
      ask: async (c) => ({ params: await ownRow(c), json: { data: { verify_no_such_column: 1 } } }),
    },
  ]),
  tried('unknownCustomFields', 'reject', 'ignore', [
    {
      operation: 'createTask',
      what: 'with an unknown custom field',
      ask: async (c) => ({
        params: await ownList(c),
        json: { title: c.own.text(), custom_data: unknownField },
      }),
    },
    {
      operation: 'updateTask',
      what: 'with an unknown custom field',
      ask: async (c) => ({ params: await ownTask(c), json: { custom_data: unknownField } }),
    },
  ]),
  rowTrials(
    'typeChecks',
    'dropdown',
    (column) => labelled(column).label,
    (status, stored, column) =>
      status === 400 ? 'strict' : stored === labelled(column).id ? 'dropdownLabels' : undefined,
  ),
  rowTrials(
    'attachmentWrites',
    'attachment',
    () => 'verify',
    (status, stored) =>
      status === 400 ? 'reject' : status === 200 && isEmpty(stored) ? 'ignore' : undefined,
  ),
]
