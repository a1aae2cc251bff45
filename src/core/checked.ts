// Checks of options and controls: the field, the value received, what is allowed.
import * as z from 'zod/mini'
import { checkInput, describeIssues, pathText } from '../contract/schema/issues.ts'
import { nearest } from '../contract/values/nearest.ts'
import { listed, shortened } from '../contract/values/quote.ts'
import { ControlError } from './control-error.ts'

/** The objects in a schema: of a union the first. */
function innerOf(schema: unknown): unknown {
  if (schema instanceof z.ZodMiniUnion)
    return schema.def.options.map(innerOf).find((option) => option instanceof z.ZodMiniObject)
  if (schema instanceof z.ZodMiniOptional) return innerOf(schema.def.innerType)
  return schema instanceof z.ZodMiniLazy ? innerOf(schema.def.getter()) : schema
}

/** Names of the fields that a schema knows at a path. */
function fieldsAt(schema: unknown, path: readonly PropertyKey[]): string[] {
  const inner = innerOf(schema)
  const [first, ...rest] = path
  if (inner instanceof z.ZodMiniObject)
    return first === undefined ? Object.keys(inner.shape) : fieldsAt(inner.shape[String(first)], rest)
  const keys = inner instanceof z.ZodMiniRecord ? inner.def.keyType : undefined
  return keys instanceof z.ZodMiniEnum ? keys.options.map(String) : []
}

/** The message for fields that `what` does not have. */
export function unknownFields(what: string, unknown: readonly string[], known: readonly string[]): string {
  const [first = ''] = unknown
  const hint =
    known.length === 0
      ? 'no field is allowed'
      : `allowed are ${known.join(', ')}; the nearest to ${shortened(first)} is ${nearest(first, known, String) ?? ''}`
  return `${what} has unknown fields: ${listed(unknown)}; ${hint}`
}

/**
 * The parsed value; `what` names it in messages.
 * @throws {ControlError}
 */
export function checked<Value>(schema: z.ZodMiniType<Value>, value: unknown, what: string): Value {
  const result = checkInput(schema, value)
  if (result.success) return result.data
  const [issue] = result.error.issues
  if (issue?.code !== 'unrecognized_keys') throw new ControlError(describeIssues(result.error, value, what))
  const place = pathText(issue.path) || what
  throw new ControlError(unknownFields(place, issue.keys, fieldsAt(schema, issue.path)))
}
