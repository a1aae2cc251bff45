// Schemas for objects with arbitrary keys, kept unchanged. Zod's own records silently drop a key `__proto__`.
import * as z from 'zod/mini'
import { isObject } from '../data/objects.ts'
import type * as types from '../types.d.ts'

function describeValues<S extends z.ZodMiniType>(schema: S, values: z.ZodMiniType): S {
  schema._zod.toJSONSchema = () => {
    const json: Record<string, unknown> = { ...z.toJSONSchema(values, { io: 'input' }) }
    delete json.$schema
    return { type: 'object', additionalProperties: json }
  }
  return schema
}

const anyObject = z.custom<Record<string, unknown>>(isObject, 'must be an object')
export const JsonObject = describeValues(anyObject, z.unknown())
export type JsonObject = types.JsonObject

/**
 * Creates a schema for objects with arbitrary keys whose values match a schema. It returns the input itself, not a copy.
 * @param what what each value must be
 */
export function toMapSchema<S extends z.ZodMiniType>(schema: S, what: string) {
  const checked = z
    .custom<Record<string, z.output<S>>>(isObject, 'must be an object')
    .check(({ value, issues }) => {
      const wrong = Object.entries(value).find(([, inner]) => !schema.safeParse(inner).success)
      if (wrong)
        issues.push({ code: 'custom', path: [wrong[0]], input: wrong[1], message: `must be ${what}` })
    })
  // A clone without a parent, because JSON Schema would otherwise come from the parent.
  return describeValues(checked.clone(checked.def), schema)
}

export const TextMap = toMapSchema(z.string(), 'a string')
