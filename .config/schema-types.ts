// Writes types from JSON schemas: interfaces with field descriptions that editors show.
import { format, resolveConfig } from 'prettier'

export interface JsonSchema {
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly $ref?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly JsonSchema[]
  readonly items?: JsonSchema
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly propertyNames?: JsonSchema
  readonly additionalProperties?: JsonSchema | boolean
  readonly $defs?: Readonly<Record<string, JsonSchema>>
}

export interface TypeStyle {
  /** Whether fields and arrays are readonly. */
  readonly isReadonly: boolean
  /** Whether an optional field can also be undefined, as in the output of a zod schema. */
  readonly takesUndefined: boolean
}

/** The type of values that match a schema. */
export function typeOf(schema: JsonSchema, style: TypeStyle): string {
  if (schema.$ref !== undefined) return schema.$ref.replace('#/$defs/', '')
  if (schema.anyOf) return [...new Set(schema.anyOf.map((one) => typeOf(one, style)))].join(' | ')
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  const { type } = schema
  if (typeof type === 'object') return type.map((one) => typeOf({ ...schema, type: one }, style)).join(' | ')
  switch (type) {
    case 'integer':
      return 'number'
    case 'array':
      return `${style.isReadonly ? 'readonly ' : ''}(${typeOf(schema.items ?? {}, style)})[]`
    case 'object':
      if (Object.keys(schema.properties ?? {}).length > 0) return `{ ${fieldsOf(schema, style)} }`
      return schema.properties ? 'Record<string, never>' : mapOf(schema, style)
    default:
      return type ?? 'unknown'
  }
}

function mapOf({ propertyNames, additionalProperties, required }: JsonSchema, style: TypeStyle): string {
  const keys = propertyNames?.enum ? typeOf(propertyNames, style) : 'string'
  const values = typeof additionalProperties === 'object' ? typeOf(additionalProperties, style) : 'unknown'
  const map = `Record<${keys}, ${values}>`
  const whole = keys === 'string' || required ? map : `Partial<${map}>`
  return style.isReadonly ? `Readonly<${whole}>` : whole
}

function fieldsOf(
  { properties = {}, required = [], additionalProperties }: JsonSchema,
  style: TypeStyle,
): string {
  const fields = Object.entries(properties).map(([name, schema]) => {
    const sentence = schema.description === undefined ? '' : `/** ${schema.description} */\n`
    const type = typeOf(schema, style)
    const isRequired = required.includes(name)
    const value = isRequired
      ? type
      : `?: ${type}${style.takesUndefined && type !== 'unknown' ? ' | undefined' : ''}`
    return `${sentence}${style.isReadonly ? 'readonly ' : ''}${name}${isRequired ? ': ' : ''}${value}\n`
  })
  // Declared fields, plus any others.
  const rest =
    typeof additionalProperties === 'object'
      ? [`[key: string]: ${typeOf(additionalProperties, style)}\n`]
      : []
  return [...fields, ...rest].join('')
}

/** Declares a type by name; an object with fields becomes an interface. */
export const declare = (name: string, schema: JsonSchema, style: TypeStyle): string =>
  Object.keys(schema.properties ?? {}).length > 0
    ? `export interface ${name} { ${fieldsOf(schema, style)} }\n`
    : `export type ${name} = ${typeOf(schema, style)}\n`

/** Formats generated source code like the rest of the repository. */
export async function formatSource(path: string, text: string): Promise<string> {
  return format(text, { ...(await resolveConfig(path)), filepath: path })
}
