// Checks every run, with or without a fault, for unhandled errors, requests to other origins and leaked keys.
import type { OperationId } from '../../contract/index.ts'
import { describeValue } from './texts.ts'
import { leavesOf, showsKey } from './ends/leaves.ts'
import type { RunRecord } from './runner.ts'
import { statementOf, type Statement } from './statement.ts'

const keepKey = 'Keep the key out of anything that others can read.'

/** Where a run exposes the key: its error, its result or its log. */
function findKey({ error, value, hasPrintedKey }: RunRecord, key: string): string | undefined {
  if (describeValue(error).includes(key)) return 'its error message'
  if (showsKey(leavesOf(error), key)) return 'its error'
  if (showsKey(value, key)) return 'its result'
  return hasPrintedKey === true ? 'its console output' : undefined
}

/** @param at the operation whose request the fault hit */
export function* judgeConduct(record: RunRecord, key: string, at?: OperationId): Generator<Statement> {
  for (const error of record.unhandled ?? []) {
    const failed = record.journal().findLast(({ status }) => status === 0 || status >= 400)
    const advice = 'Await every promise and catch its rejection: an unhandled one ends a Node process.'
    yield statementOf('unhandled', `nothing handled the error: ${describeValue(error)}`, advice, {
      cause: failed?.operation ?? at ?? '',
    })
  }
  for (const { origin, hasKey } of record.strays ?? []) {
    const message = `it sent a request to ${origin}${hasKey ? ' that contains the API key' : ''}`
    yield hasKey
      ? statementOf('other origin', message, 'Send the key only to the API.', { cause: origin })
      : statementOf(
          'other origin',
          message,
          "This is not a request to the API: the context's fetch responds with 404.",
          {
            severity: 'info',
            cause: origin,
          },
        )
  }
  const shown = findKey(record, key)
  if (shown !== undefined) yield statementOf('key shown', `${shown} contains the key`, keepKey)
}

/** Looks for the key in request bodies; checking the undisturbed run is enough. */
export function* judgeBodies({ journal }: RunRecord, key: string): Generator<Statement> {
  if (journal().some(({ requestBody }) => showsKey(leavesOf(requestBody), key)))
    yield statementOf('key shown', 'a request body contains the key', keepKey)
}
