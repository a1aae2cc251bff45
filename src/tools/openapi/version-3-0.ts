// Converts the document to OpenAPI 3.0.3, for tools that do not read 3.1. The schemas are equivalent, in the older
// dialect.
import type { OpenAPIV3 } from 'openapi-types'
import { isObject } from '../../contract/data/objects.ts'
import type { JsonSchema } from '../../contract/schema/json-schema.ts'
import { componentPrefix } from './schema-book.ts'
import type { DocumentExtensions, OpenApiDocument, OperationExtensions } from './types.ts'

export type OpenApiDocument30 = OpenAPIV3.Document<OperationExtensions> & DocumentExtensions

const isNull = (schema: unknown) => isObject(schema) && schema.type === 'null'

/** Keys whose values are examples or literals, not parts of the document. */
const isLiteral = (key: string) => /^(?:examples?|default|enum|x-.*)$/.test(key)

/** Keys whose values map names to schemas; the names are not keywords. */
const isMapOfSchemas = (key: string) => key === 'properties' || key === 'schemas'

/** OpenAPI 3.0 has no type `null`: `nullable` accompanies another type, and an enumeration must list null. */
function makeNullable(schema: JsonSchema): JsonSchema {
  const { anyOf, enum: values } = schema
  if (Array.isArray(anyOf)) return { ...schema, anyOf: (anyOf as JsonSchema[]).map(makeNullable) }
  return {
    ...schema,
    nullable: true,
    ...(Array.isArray(values) && { enum: [...(values as unknown[]), null] }),
  }
}

/** Creates a function that rewrites schemas; `components` are the 3.1 schemas that references name. */
function createConverter(components: Readonly<Record<string, unknown>>) {
  function convertSchema({ const: constant, contentMediaType: _, ...schema }: JsonSchema): JsonSchema {
    if (constant !== undefined) return { type: typeof constant, ...schema, enum: [constant] }
    const { $ref, type, anyOf, ...rest } = schema
    // OpenAPI 3.0 ignores siblings of a reference.
    if ($ref !== undefined && Object.keys(schema).length > 1) return { allOf: [{ $ref }], ...rest }
    if (Array.isArray(type))
      return makeNullable({ ...schema, type: type.find((name) => name !== 'null') as unknown })
    if (!Array.isArray(anyOf) || !anyOf.some(isNull)) return schema
    // A reference cannot be made nullable unless its target is, so the target's schema is repeated here.
    const others = (anyOf as JsonSchema[])
      .filter((alternative) => !isNull(alternative))
      .map((alternative) =>
        makeNullable(typeof alternative.$ref === 'string' ? resolve(alternative.$ref) : alternative),
      )
    return others.length === 1 ? { ...others[0], ...rest } : { anyOf: others, ...rest }
  }

  const resolve = (ref: string) => convert(components[ref.slice(componentPrefix.length)]) as JsonSchema

  function convert(part: unknown, isMap = false): unknown {
    if (Array.isArray(part)) return part.map((item) => convert(item))
    if (!isObject(part)) return part
    const entries = Object.entries(part).map(([key, value]): [string, unknown] => [
      key,
      !isMap && isLiteral(key) ? value : convert(value, !isMap && isMapOfSchemas(key)),
    ])
    const converted: JsonSchema = Object.fromEntries(entries)
    return isMap ? converted : convertSchema(converted)
  }
  return convert
}

export function toVersion30({ info, ...document }: OpenApiDocument): OpenApiDocument30 {
  const { license, ...others } = info
  const convert = createConverter(document.components?.schemas ?? {})
  const converted = convert(document) as Omit<OpenApiDocument30, 'openapi' | 'info'>
  // The licence identifier is new in 3.1.
  const named = license && { license: { name: license.name } }
  return { ...converted, openapi: '3.0.3', info: { ...others, ...named } }
}
