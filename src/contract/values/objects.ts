// Objects by any keys, kept as they are: zod's own records drop a key `__proto__` without a word.
import * as z from 'zod/mini'

/** A JSON object: no array, not null. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * A schema of objects by any keys. What it gives is the input itself, not a copy.
 * @param json of the values, as JSON Schema
 */
function keyed<T>(fits: (value: unknown) => boolean, what: string, json: object) {
  const schema = z.custom<Record<string, T>>(
    (value) => isObject(value) && Object.values(value).every(fits),
    `must be ${what}`,
  )
  schema._zod.toJSONSchema = () => ({ type: 'object', additionalProperties: json })
  return schema
}

export const JsonObject = keyed<unknown>(() => true, 'an object', {})
export type JsonObject = z.infer<typeof JsonObject>
export const TextMap = keyed<string>((value) => typeof value === 'string', 'an object of strings', {
  type: 'string',
})

/** An object of what a schema fits. */
export const mapOf = <S extends z.ZodMiniType>(value: S, what: string, json: object) =>
  keyed<z.output<S>>((inner) => value.safeParse(inner).success, `an object of ${what}`, json)
