// Observes the answers to questions about the reading of requests.
import { operations, type OperationId } from '../../../contract/index.ts'
import type { QuestionId } from '../../../contract/questions/register.ts'
import type { Ask } from '../engine/client.ts'
import { isReadingOperation } from '../engine/judge.ts'
import { Unreachable } from '../engine/drift.ts'
import type { LiveWorkspace } from './live-workspace.ts'
import type { Observer, Observe } from './observer.ts'
import { attachmentWrites, columnNames, typeChecks } from './tables.ts'

/** Requests by operation and what is special about them. */
type Trials = Readonly<Record<`${OperationId} ${string}`, Ask | ((live: LiveWorkspace) => Promise<Ask>)>>

/** Tries each request: 400 is one answer, a success the other. Reads are of existing records. */
const observeTrials = (
  question: QuestionId,
  refused: string,
  accepted: string,
  trials: Trials,
): Observer => ({
  question,
  probes: Object.entries(trials).map(([what, ask]) => {
    const [operation] = what.split(' ', 1) as [OperationId]
    const needs = isReadingOperation(operations[operation]) ? 'read' : 'write'
    const observe: Observe = async (live) => {
      const api = needs === 'read' ? live.reads : live.api
      const reply = await api.call(operation, typeof ask === 'function' ? await ask(live) : ask)
      const how = `${what}: status ${String(reply.status)}`
      if (!reply.isSuccess && reply.status !== 400) throw new Unreachable(how)
      return [reply.isSuccess ? accepted : refused, how]
    }
    return { needs, observe }
  }),
})

const asText = { body: '{}', headers: { 'content-type': 'text/plain' } }
const unknownField = { verify_no_such_field: 1 }
const noColumn = 'verify no such column'
const blankTitle = { json: { title: '  ' } }
const unknownKey = { verify_no_such_column: 1 }

export const requestObservers: readonly Observer[] = [
  observeTrials('unknownBodyFields', 'reject', 'ignore', {
    'queryRows with an unknown field': { json: unknownField },
    'updateTask with an unknown field': { json: unknownField },
    'createTask with an unknown field': { json: { title: 'verify', ...unknownField } },
    'updateList with an unknown field': { json: unknownField },
    'updateSpace with an unknown field': { json: unknownField },
    'updateRow with an unknown field': { json: { data: {}, ...unknownField } },
    'createTimeEntry with an unknown field': { json: { action: 'manual', duration: 60, ...unknownField } },
    'createComment with an unknown field': { json: { content: 'verify', ...unknownField } },
  }),
  observeTrials('contentType', 'strict', 'lenient', {
    'queryRows with JSON as text/plain': asText,
    'updateTask with JSON as text/plain': asText,
    'updateList with JSON as text/plain': asText,
    'createComment with JSON as text/plain': { ...asText, body: '{"content":"verify"}' },
    'updateRow with JSON as text/plain': { ...asText, body: '{"data":{}}' },
  }),
  observeTrials('limitAboveMax', 'reject', 'clamp', {
    'listRows with limit=501': { query: { limit: 501 } },
    'queryRows with limit 501': { json: { limit: 501 } },
    'listTasks with limit=201': { query: { limit: 201 } },
    'listFormSubmissions with limit=201': { query: { limit: 201 } },
  }),
  columnNames,
  observeTrials('unknownSortColumn', 'reject', 'ignore', {
    'listRows with an unknown column in sort': { query: { sort: noColumn } },
    'listRows with an unknown column in select': { query: { select: noColumn } },
    'queryRows with an unknown column in sort': { json: { sort: [{ column: noColumn }] } },
  }),
  observeTrials('unknownFilter', 'reject', 'ignore', {
    'listRows with an unknown parameter': { query: { [noColumn]: '1' } },
  }),
  observeTrials('emptyNames', 'reject', 'accept', {
    'createTask with a blank title': blankTitle,
    'updateTask with a blank title': blankTitle,
    'createComment with a blank text': { json: { content: '  ' } },
    'updateList with a blank name': { json: { name: '  ' } },
  }),
  observeTrials('unknownRowKeys', 'reject', 'ignore', {
    'createRow with a key that is not a column': async (live) => ({
      json: { data: { ...live.makeGoodRow(await live.chooseTable()), ...unknownKey } },
    }),
    'updateRow with a key that is not a column': { json: { data: unknownKey } },
  }),
  observeTrials('unknownCustomFields', 'reject', 'ignore', {
    'createTask with an unknown custom field': { json: { title: 'verify', custom_data: unknownField } },
    'updateTask with an unknown custom field': { json: { custom_data: unknownField } },
  }),
  typeChecks,
  attachmentWrites,
]
