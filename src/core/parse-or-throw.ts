// Checks of options and controls: the field, the value received, what is allowed.
import * as z from 'zod/mini'
import { explainIssue, fieldNames, unknownFields } from '../contract/schema/field-names.ts'
import { checkInput, pathText, mostSpecificIssue } from '../contract/schema/issues.ts'
import { quote } from '../contract/text/quote.ts'
import { ControlError } from './control-error.ts'

/** @throws {ControlError} naming the unknown fields and the nearest known one */
export function assertFields(what: string, given: object, known: readonly string[]): void {
  const message = unknownFields(what, Object.keys(given), known)
  if (message !== undefined) throw new ControlError(message)
}

export function parseOrThrow<Value>(schema: z.ZodMiniType<Value>, value: unknown, what: string): Value {
  const result = checkInput(schema, value)
  if (result.success) return result.data
  const [first] = result.error.issues
  if (!first) throw new ControlError(`${what} is not allowed; received ${quote(value)}`)
  const issue = mostSpecificIssue(first)
  const place = pathText(issue.path) || what
  if (issue.code !== 'unrecognized_keys')
    throw new ControlError(`${place} ${explainIssue(schema, issue, value)}`)
  throw new ControlError(unknownFields(place, issue.keys, fieldNames(schema, issue.path)) ?? place)
}

/** A number of things, or an id of the journal. */
export const CountArgument = z.custom<number>(
  (value) => typeof value === 'number' && Number.isSafeInteger(value) && value >= 0,
  'must be an integer, 0 or more',
)
export const CountOption = z.optional(CountArgument)
