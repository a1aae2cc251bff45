// Observes the answers to questions about the reading of requests.
import type { Column } from '../../contract/datatables.ts'
import { operations, type OperationId } from '../../contract/index.ts'
import type { Row } from '../../contract/rows.ts'
import type { QuestionId } from '../../contract/questions/register.ts'
import type { Ask } from '../engine/client.ts'
import { found, needed } from '../engine/expect.ts'
import { writesNothing } from '../engine/judge.ts'
import { Unreachable, type Context } from '../engine/rule.ts'
import { isEmpty, textColumn } from '../rules/rows/cells.ts'
import { cellsOf } from '../rules/rows/shapes.ts'
import { valueOf, type From } from '../rules/refusals.ts'
import { reading, writing, type Observer, type See } from './observer.ts'

/** Requests by their operation and what is special about them. */
type Trials = Readonly<Record<`${OperationId} ${string}`, From<Context, Ask>>>

/** Tries each request: 400 is one answer, a success the other. Reads are of what is there already. */
const tried = (question: QuestionId, refused: string, accepted: string, trials: Trials): Observer => ({
  question,
  looks: Object.entries(trials).map(([what, ask]) => {
    const [operation] = what.split(' ', 1) as [OperationId]
    const needs = writesNothing(operations[operation]) ? 'read' : 'write'
    const see: See = async (context) => {
      const { api, seen } = context
      const at = needs === 'read' ? api.at({}, (name) => seen.idOf(name)) : api
      const reply = await at.call(operation, await valueOf(ask, context))
      const how = `${what}: status ${String(reply.status)}`
      if (!reply.isSuccess && reply.status !== 400) throw new Unreachable(how)
      return { answer: reply.isSuccess ? accepted : refused, how }
    }
    return { needs, see }
  }),
})

const asText = { body: '{}', headers: { 'content-type': 'text/plain' } }
const unknownField = { verify_no_such_field: 1 }
const noColumn = 'verify no such column'
const blankTitle = { json: { title: '  ' } }
const unknownKey = { verify_no_such_column: 1 }

/** Sends a row with a value in a column, and reads what was stored. */
const rowTrials = (
  question: QuestionId,
  type: Column['type'],
  valueOf: (column: Column) => unknown,
  answerOf: (status: number, stored: unknown, column: Column) => string | undefined,
): Observer =>
  writing(
    question,
    ...(['createRow', 'updateRow'] as const).map((operation): See => async (context) => {
      const column = await context.own.column(type)
      const { text } = await context.own.table()
      const data = { [text.id]: context.own.text(), [column.id]: valueOf(column) }
      const { isSuccess, json, status } = await context.api.call(operation, { json: { data } })
      const stored = isSuccess ? cellsOf(json as Row)[column.id] : undefined
      const how = `${operation} with ${JSON.stringify(valueOf(column))} in a column of type ${type}: status ${String(status)}, stored ${JSON.stringify(stored) ?? 'nothing'}`
      return { answer: needed(answerOf(status, stored, column), `${how}, which no answer covers`), how }
    }),
  )

const labelled = ({ options = [] }: Column) =>
  found(
    options,
    ({ label }) => !options.some((other) => other.id === label),
    'the dropdown has no option whose label is not an id',
  )

export const requestObservers: readonly Observer[] = [
  tried('unknownBodyFields', 'reject', 'ignore', {
    'queryRows with an unknown field': { json: unknownField },
    'updateTask with an unknown field': { json: unknownField },
    'createTask with an unknown field': { json: { title: 'verify', ...unknownField } },
    'updateList with an unknown field': { json: unknownField },
    'updateSpace with an unknown field': { json: unknownField },
    'updateRow with an unknown field': { json: { data: {}, ...unknownField } },
    'createTimeEntry with an unknown field': { json: { action: 'manual', duration: 60, ...unknownField } },
    'createComment with an unknown field': { json: { content: 'verify', ...unknownField } },
  }),
  tried('contentType', 'strict', 'lenient', {
    'queryRows with JSON as text/plain': asText,
    'updateTask with JSON as text/plain': asText,
    'updateList with JSON as text/plain': asText,
    'createComment with JSON as text/plain': { ...asText, body: '{"content":"verify"}' },
    'updateRow with JSON as text/plain': { ...asText, body: '{"data":{}}' },
  }),
  tried('limitAboveMax', 'reject', 'clamp', {
    'listRows with limit=501': { query: { limit: 501 } },
    'queryRows with limit 501': { json: { limit: 501 } },
    'listTasks with limit=201': { query: { limit: 201 } },
    'listFormSubmissions with limit=201': { query: { limit: 201 } },
  }),
  reading('columnNames', async ({ api, seen }) => {
    const table = await seen.richTable()
    const { id } = textColumn(table, 1)
    if (table.columns.length < 2 || table.columns.some(({ name }) => name === id))
      throw new Unreachable('the table has only one column, or a column called like an id')
    const ask = { params: { tableId: table.table.id }, query: { select: id, limit: 500 } }
    const reply = await api.call('listRows', ask)
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
  tried('unknownSortColumn', 'reject', 'ignore', {
    'listRows with an unknown column in sort': { query: { sort: noColumn } },
    'listRows with an unknown column in select': { query: { select: noColumn } },
    'queryRows with an unknown column in sort': { json: { sort: [{ column: noColumn }] } },
  }),
  tried('unknownFilter', 'reject', 'ignore', {
    'listRows with an unknown parameter': { query: { [noColumn]: '1' } },
  }),
  tried('emptyNames', 'reject', 'accept', {
    'createTask with a blank title': blankTitle,
    'updateTask with a blank title': blankTitle,
    'createComment with a blank text': { json: { content: '  ' } },
    'updateList with a blank name': { json: { name: '  ' } },
  }),
  tried('unknownRowKeys', 'reject', 'ignore', {
    'createRow with a key that is not a column': async ({ own }) => ({
      json: { data: { [(await own.table()).text.id]: own.text(), ...unknownKey } },
    }),
    'updateRow with a key that is not a column': { json: { data: unknownKey } },
  }),
  tried('unknownCustomFields', 'reject', 'ignore', {
    'createTask with an unknown custom field': ({ own }) => ({
      json: { title: own.text(), custom_data: unknownField },
    }),
    'updateTask with an unknown custom field': { json: { custom_data: unknownField } },
  }),
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
