// Checks every run, with or without a fault, for unhandled errors, requests to other origins and leaked keys.
import type { OperationId } from '../../contract/index.ts'
import { describeValue } from './texts.ts'
import { leavesOf, showsKey } from './ends/leaves.ts'
import type { RunRecord } from './runner.ts'
import { statementOf, type Statement } from './statement.ts'

const keepKey = 'Leave the key out of what others read.'

/** Where a run exposes the key: its error, its result or its log. */
function findKey({ error, value, hasPrintedKey }: RunRecord, key: string): string | undefined {
  if (describeValue(error).includes(key)) return 'the message of its error'
  if (showsKey(leavesOf(error), key)) return 'its error'
  if (showsKey(value, key)) return 'its result'
  return hasPrintedKey === true ? 'what it prints to the console' : undefined
}

/** @param at the operation whose request met a fault */
export function* judgeConduct(record: RunRecord, key: string, at?: OperationId): Generator<Statement> {
  for (const error of record.unhandled ?? []) {
    const failed = record.journal().findLast(({ status }) => status === 0 || status >= 400)
    const advice = 'Await every promise, and catch what it rejects with: in Node it ends the process.'
    yield statementOf('unhandled', `nothing handled ${describeValue(error)}`, advice, {
      cause: failed?.operation ?? at ?? '',
    })
  }
  for (const { origin, hasKey } of record.strays ?? []) {
    const message = `it sent a request to ${origin}${hasKey ? ' with the key of the API in it' : ''}`
    yield hasKey
      ? statementOf('other origin', message, 'Send the key to the API alone.', { cause: origin })
      : statementOf('other origin', message, 'It is no request to the API: the mock answers 404.', {
          severity: 'info',
          cause: origin,
        })
  }
  const shown = findKey(record, key)
  if (shown !== undefined) yield statementOf('key shown', `${shown} contains the key`, keepKey)
}

/** Looks for the key in request bodies; checking the undisturbed run is enough. */
export function* judgeBodies({ journal }: RunRecord, key: string): Generator<Statement> {
  if (journal().some(({ requestBody }) => showsKey(leavesOf(requestBody), key)))
    yield statementOf('key shown', 'the body of a request contains the key', keepKey)
}
