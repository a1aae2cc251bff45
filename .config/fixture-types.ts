// Writes the types of a fixture from its JSON schema: interfaces with the sentences of their fields, as an editor shows them.
import { format, resolveConfig } from 'prettier'
import { fixtureJsonSchema } from '../src/service/fixture/schema.ts'

interface JsonSchema {
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
  readonly additionalProperties?: JsonSchema
  readonly $defs?: Readonly<Record<string, JsonSchema>>
}

function typeOf(schema: JsonSchema): string {
  if (schema.$ref !== undefined) return schema.$ref.replace('#/$defs/', '')
  if (schema.anyOf) return [...new Set(schema.anyOf.map(typeOf))].join(' | ')
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  const { type } = schema
  if (typeof type === 'object') return type.map((one) => typeOf({ ...schema, type: one })).join(' | ')
  switch (type) {
    case 'integer':
      return 'number'
    case 'array':
      return `readonly (${typeOf(schema.items ?? {})})[]`
    case 'object':
      return schema.properties ? `{ ${fieldsOf(schema)} }` : mapOf(schema)
    default:
      return type ?? 'unknown'
  }
}

function mapOf({ propertyNames, additionalProperties, required }: JsonSchema): string {
  const keys = propertyNames?.enum ? typeOf(propertyNames) : 'string'
  const map = `Record<${keys}, ${typeOf(additionalProperties ?? {})}>`
  return `Readonly<${keys === 'string' || required ? map : `Partial<${map}>`}>`
}

function fieldsOf({ properties = {}, required = [] }: JsonSchema): string {
  const fields = Object.entries(properties).map(([name, schema]) => {
    const sentence = schema.description === undefined ? '' : `/** ${schema.description} */\n`
    return `${sentence}readonly ${name}${required.includes(name) ? '' : '?'}: ${typeOf(schema)}\n`
  })
  return fields.join('')
}

const intro = `// Made from the declarations of the resources by \`npm run generate\`: change those.

/**
 * The state a mock starts from. Only what matters need be written: an id that is left out is the next of its kind
 * (\`task_000001\`), a moment that is left out is \`clock\`. Moments are whole Unix seconds.
 */
`

/** The source of the types. */
export async function fixtureTypes(path: string): Promise<string> {
  const { $defs = {}, ...fixture } = fixtureJsonSchema() as JsonSchema
  const parts = Object.entries({ Fixture: fixture, ...$defs })
  const interfaces = parts.map(([name, schema]) => `export interface ${name} { ${fieldsOf(schema)} }\n`)
  const style = await resolveConfig(path)
  return format(intro + interfaces.join('\n'), { ...style, filepath: path })
}
