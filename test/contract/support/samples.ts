// Values that fit a schema, so that tests reach every field without naming it.
import * as z from 'zod/mini'

type Json = Readonly<Record<string, unknown>>

function samplesOf(json: Json): unknown[] {
  if (Array.isArray(json.anyOf)) return (json.anyOf as Json[]).flatMap(samplesOf)
  if (Array.isArray(json.enum)) return json.enum
  if ('const' in json) return [json.const]
  if (Array.isArray(json.type)) return json.type.flatMap((type) => samplesOf({ ...json, type }))
  switch (json.type) {
    case 'boolean':
      return [true, false]
    case 'integer':
    case 'number':
      return [3, 1_900_000_000, 1]
    case 'string':
      return ['#123456', 'another text']
    case 'array':
      return [['a'], []]
    case 'object':
      return [sampleObject(json), { key: 'another value' }, { bulkRowsPerJob: 3 }]
    case 'null':
      return [null]
    default:
      return [{ key: 'value' }, ['value']]
  }
}

function sampleObject({ properties = {}, required = [] }: Json): Json {
  const names = required as readonly string[]
  return Object.fromEntries(
    names.map((name) => [name, samplesOf((properties as Record<string, Json>)[name] ?? {}).at(-1)]),
  )
}

/** A few values of each kind that the schema allows. */
export function samples(schema: z.ZodMiniType): unknown[] {
  return samplesOf(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }))
}
