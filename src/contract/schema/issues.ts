// Messages of failed schema checks: the field, the value received, the values allowed.
import { countText } from '../text/format.ts'
import type * as z from 'zod/mini'
import { toSecondsNote } from '../text/moments.ts'
import { describeNearestName } from '../text/nearest.ts'
import { listItems, quote, shorten } from '../text/quote.ts'

type Issue = z.core.$ZodIssue
export type Path = readonly PropertyKey[]

/** Validates input. Stops at the first issue, which is the only one reported: an invalid array can have millions of items. */
export function checkInput<S extends z.ZodMiniType>(
  schema: S,
  value: unknown,
): z.core.util.SafeParseResult<z.output<S>> {
  return schema.safeParse(value, { abortEarly: true } as z.core.ParseContext<z.core.$ZodIssue>)
}

/** Writes `['rows', 0, 'name']` as `rows[0].name`. */
export function formatPath(path: Path): string {
  let text = ''
  for (const part of path) {
    if (typeof part === 'number') text += `[${String(part)}]`
    else text += `${text === '' ? '' : '.'}${shorten(String(part))}`
  }
  return text
}

export function valueAt(value: unknown, path: Path): unknown {
  let at = value
  for (const part of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, part)) return undefined
    at = (at as Record<PropertyKey, unknown>)[part]
  }
  return at
}

const typesWithArticle: Record<string, string> = {
  int: 'an integer',
  array: 'an array',
  object: 'an object',
  record: 'an object',
}

/** The allowed values, worded to follow the field's name. */
function describeAllowed(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${typesWithArticle[issue.expected] ?? `a ${issue.expected}`}`
    case 'invalid_value':
      return issue.values.length === 1
        ? `must be ${quote(issue.values[0])}`
        : `must be one of ${issue.values.map((value) => String(value)).join(', ')}`
    case 'too_small':
      return sizeText(issue.origin, 'at least', Number(issue.minimum))
    case 'too_big':
      return sizeText(issue.origin, 'at most', Number(issue.maximum))
    case 'unrecognized_keys':
      return `has unknown fields: ${listItems(issue.keys, shorten)}`
    case 'invalid_union':
      return `must be ${[...new Set(issue.errors.flat().map((inner) => describeAllowed(inner).replace(/^must be /, '')))].join(' or ')}`
    default:
      return issue.message
  }
}

function sizeText(origin: string, bound: string, size: number): string {
  if (origin === 'string')
    return size === 1 && bound === 'at least'
      ? 'must not be empty'
      : `must have ${bound} ${countText(size, 'character')}`
  if (origin === 'array') return `must have ${bound} ${countText(size, 'item')}`
  return `must be ${bound} ${String(size)}`
}

/** The issue itself or, for a union, the issue within the alternative that was probably meant. */
export function findMostSpecificIssue(issue: Issue): Issue {
  if (issue.code !== 'invalid_union') return issue
  const inner = issue.errors.flat().find(({ path, code }) => path.length > 0 || code === 'unrecognized_keys')
  return inner ? findMostSpecificIssue({ ...inner, path: [...issue.path, ...inner.path] }) : issue
}

function valuesOf(issue: Issue): string[] {
  if (issue.code === 'invalid_union') return issue.errors.flat().flatMap(valuesOf)
  return issue.code === 'invalid_value' ? issue.values.filter((value) => typeof value === 'string') : []
}

/** Writes `, the nearest is high` for a string that is not allowed, or the Unix seconds for a date. */
export function describeNearestValue(issue: Issue, received: unknown): string {
  const value = valueAt(received, issue.path)
  const isNumber = issue.code === 'invalid_type' && ['number', 'int'].includes(issue.expected)
  return isNumber || issue.code === 'custom'
    ? toSecondsNote(value)
    : describeNearestName(value, valuesOf(issue))
}

/** What is wrong, worded to follow the field's name. */
export function issueText(issue: Issue, received: unknown): string {
  const value = valueAt(received, issue.path)
  if (value === undefined && issue.path.length > 0) return `is required and ${describeAllowed(issue)}`
  return `${describeAllowed(issue)}; received ${quote(value)}`
}

/** The first issue in words. */
export function describeIssues({ issues: [first] }: z.core.$ZodError, received: unknown): string {
  if (!first) return 'body is not allowed'
  const issue = findMostSpecificIssue(first)
  return `${formatPath(issue.path) || 'body'} ${issueText(issue, received)}`
}
