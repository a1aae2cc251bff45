// Finds the fields of a body that its schema does not have.
import type * as z from 'zod/mini'
import { formatPath } from '../../contract/schema/issues.ts'

type Issue = z.core.$ZodIssue

/** Paths of the unknown fields; undefined if the issue is about anything else. */
function extraFieldsOf(issue: Issue, above: readonly PropertyKey[] = []): string[] | undefined {
  const path = [...above, ...issue.path]
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => formatPath([...path, key]))
  if (issue.code !== 'invalid_union') return undefined
  for (const branch of issue.errors) {
    const extras = branch.map((inner) => extraFieldsOf(inner, path))
    if (extras.every((extra) => extra !== undefined)) return extras.flat()
  }
  return undefined
}

function findDroppedFields(body: unknown, parsed: unknown, path: readonly PropertyKey[] = []): string[] {
  if (typeof body !== 'object' || body === null || typeof parsed !== 'object' || parsed === null) return []
  if (Array.isArray(body) && Array.isArray(parsed)) {
    const all = body.flatMap((item, index) => findDroppedFields(item, parsed[index], [...path, '*']))
    return [...new Set(all)]
  }
  return Object.entries(body).flatMap(([name, value]) =>
    Object.hasOwn(parsed, name)
      ? findDroppedFields(value, Reflect.get(parsed, name), [...path, name])
      : [formatPath([...path, name])],
  )
}

/** Paths of fields that the schema does not have; undefined if the body is invalid for another reason. */
export function findExtraFields(schema: z.core.$ZodType, body: unknown): string[] | undefined {
  const checked = (schema as z.ZodMiniType).safeParse(body)
  if (checked.success) return findDroppedFields(body, checked.data)
  const extras = checked.error.issues.map((issue) => extraFieldsOf(issue))
  return extras.every((paths) => paths !== undefined) ? extras.flat() : undefined
}
