// The field names a schema knows, for messages about unknown ones.
import * as z from 'zod/mini'
import { findNear, suggestNearest } from '../text/nearest.ts'
import { isObject } from '../data/objects.ts'
import { listItems, shorten } from '../text/quote.ts'
import { issueText, describeNearestValue, valueAt } from './issues.ts'

/** A union's alternatives, a wrapper's inner schema, or the schema itself. */
function alternativesOf(schema: unknown): readonly unknown[] {
  if (schema instanceof z.ZodMiniLazy) return alternativesOf(schema.def.getter())
  if (schema instanceof z.ZodMiniOptional || schema instanceof z.ZodMiniNullable)
    return alternativesOf(schema.def.innerType)
  return schema instanceof z.ZodMiniUnion ? schema.def.options.flatMap(alternativesOf) : [schema]
}

function findSchemasAt(schema: unknown, part: PropertyKey): readonly unknown[] {
  if (schema instanceof z.ZodMiniArray) return alternativesOf(schema.def.element)
  if (schema instanceof z.ZodMiniRecord) return alternativesOf(schema.def.valueType)
  if (!(schema instanceof z.ZodMiniObject)) return []
  const shape = schema.shape as Readonly<Record<PropertyKey, unknown>>
  return Object.hasOwn(shape, part) ? alternativesOf(shape[part]) : []
}

function listNames(schema: unknown): string[] {
  if (schema instanceof z.ZodMiniObject) return Object.keys(schema.shape)
  const keys = schema instanceof z.ZodMiniRecord ? schema.def.keyType : undefined
  return keys instanceof z.ZodMiniEnum ? keys.options.map(String) : []
}

/** The field names a schema knows at a path; empty if any name is allowed. */
export function listFieldNames(schema: unknown, path: readonly PropertyKey[] = []): string[] {
  const found = path.reduce(
    (schemas, part) => schemas.flatMap((each) => findSchemasAt(each, part)),
    alternativesOf(schema),
  )
  return [...new Set(found.flatMap(listNames))]
}

/** Says what is wrong, worded to follow the field's name, and what was probably meant. */
export const explainIssue = (schema: unknown, issue: z.core.$ZodIssue, received: unknown): string =>
  issueText(issue, received) +
  describeNearestValue(issue, received) +
  describeMisspelling(schema, issue, received)

/** `; titel is unknown, did you mean title?` if the missing field is present under a misspelled name. */
function describeMisspelling(schema: unknown, issue: z.core.$ZodIssue, received: unknown): string {
  const [path, missing] = [issue.path.slice(0, -1), String(issue.path.at(-1))]
  const owner = valueAt(received, path)
  if (issue.path.length === 0 || !isObject(owner) || owner[missing] !== undefined) return ''
  const known = listFieldNames(schema, path)
  const unknown = Object.keys(owner).filter((name) => !known.includes(name))
  const found = suggestNearest(missing, unknown)
  return found === undefined ? '' : `; ${shorten(found)} is unknown, did you mean ${missing}?`
}

/** The message about unknown fields of `what`, with the nearest name for the first; undefined if all are known. */
export function describeUnknownFields(
  what: string,
  given: readonly string[],
  known: readonly string[],
): string | undefined {
  const unknown = given.filter((name) => !known.includes(name))
  const [first] = unknown
  if (first === undefined) return undefined
  const near = findNear(first, known)
  const note = near === undefined ? '' : `; the nearest to ${shorten(first)} is ${near}`
  const hint = known.length === 0 ? 'no field is allowed' : `allowed: ${known.join(', ')}${note}`
  return `${what} has unknown fields: ${listItems(unknown, shorten)}; ${hint}`
}
