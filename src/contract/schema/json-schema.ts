// Simplifies zod's JSON Schema for readers and client generators.
import { isObject } from '../data/objects.ts'

export type JsonSchema = Readonly<Record<string, unknown>>

export const omitField = (schema: JsonSchema, field: string): JsonSchema =>
  Object.fromEntries(Object.entries(schema).filter(([key]) => key !== field))

/** Merges a union of constants, such as 0 or 1, into one enumeration. */
function mergeConstants(alternatives: readonly JsonSchema[]): JsonSchema | undefined {
  const values = alternatives.map((alternative) => alternative.const)
  if (values.length < 2 || values.includes(undefined)) return undefined
  const integers = values.every(Number.isInteger)
  return { type: integers ? 'integer' : alternatives[0]?.type, enum: values }
}

/**
 * Writes a nullable type as a list of two types. In enumerations null stays separate, because client generators would treat
 * it as a named value.
 */
function mergeNull(alternatives: readonly JsonSchema[]): JsonSchema | undefined {
  const others = alternatives.filter(({ type }) => type !== 'null')
  const [only] = others
  if (alternatives.length !== 2 || others.length !== 1 || typeof only?.type !== 'string') return undefined
  return only.enum === undefined ? { ...only, type: [only.type, 'null'] } : undefined
}

/** Simplifies a schema; `renamed` gives each reference its new address. */
export function simplifySchema(schema: unknown, renamed: (ref: string) => string = (ref) => ref): JsonSchema {
  const kept = Object.entries(isObject(schema) ? schema : {}).filter(([key, value]) => {
    // These add nothing: integers are always safe, and property names are strings.
    if (key === 'minimum') return value !== Number.MIN_SAFE_INTEGER
    if (key === 'maximum') return value !== Number.MAX_SAFE_INTEGER
    return !['$schema', '$id', 'propertyNames'].includes(key)
  })
  const result = Object.fromEntries(kept.map(([key, value]) => [key, simplifyPart(key, value, renamed)]))
  if (!Array.isArray(result.anyOf)) return result
  const alternatives = result.anyOf as readonly JsonSchema[]
  const merged = mergeConstants(alternatives) ?? mergeNull(alternatives)
  if (!merged) return result
  return { ...omitField(result, 'anyOf'), ...merged }
}

function simplifyPart(key: string, value: unknown, renamed: (ref: string) => string): unknown {
  if (key === '$ref') return renamed(String(value))
  if (key === 'properties' && isObject(value))
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [name, simplifySchema(inner, renamed)]),
    )
  if (key === 'additionalProperties' && isObject(value)) {
    const inner = simplifySchema(value, renamed)
    return Object.keys(inner).length === 0 ? true : inner
  }
  if (key === 'items') return simplifySchema(value, renamed)
  if (key === 'anyOf' && Array.isArray(value)) return value.map((inner) => simplifySchema(inner, renamed))
  return value
}
