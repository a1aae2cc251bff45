// Validates options and control arguments. Errors name the field, the value received and what is allowed.
import * as z from 'zod/mini'
import { explainIssue, listFieldNames, describeUnknownFields } from '../contract/schema/field-names.ts'
import { checkInput, formatPath, findMostSpecificIssue } from '../contract/schema/issues.ts'
import { quote } from '../contract/text/quote.ts'
import { ControlError } from './control-error.ts'

/** @throws {ControlError} naming the unknown fields and the nearest known one */
export function assertFields(what: string, given: object, known: readonly string[]): void {
  const message = describeUnknownFields(what, Object.keys(given), known)
  if (message !== undefined) throw new ControlError(message)
}

export function parseOrThrow<Value>(schema: z.ZodMiniType<Value>, value: unknown, what: string): Value {
  const result = checkInput(schema, value)
  if (result.success) return result.data
  const [first] = result.error.issues
  if (!first) throw new ControlError(`${what} is not allowed; received ${quote(value)}`)
  const issue = findMostSpecificIssue(first)
  const place = formatPath(issue.path) || what
  if (issue.code !== 'unrecognized_keys')
    throw new ControlError(`${place} ${explainIssue(schema, issue, value)}`)
  throw new ControlError(
    describeUnknownFields(place, issue.keys, listFieldNames(schema, issue.path)) ?? place,
  )
}

/** A count, or the id of a journal entry. */
export const CountArgument = z.custom<number>(
  (value) => typeof value === 'number' && Number.isSafeInteger(value) && value >= 0,
  'must be an integer, 0 or more',
)
export const CountOption = z.optional(CountArgument)
