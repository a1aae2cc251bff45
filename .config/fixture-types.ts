// Generates the types of a fixture from its JSON schema.
import { fixtureJsonSchema } from '../src/service/fixture/schema.ts'
import { declare, formatSource, type JsonSchema } from './schema-types.ts'

const intro = `// Generated from the declarations of the resources by \`npm run generate\`; change those instead.

/**
 * The state a mock starts from. Write only what matters: an id that is left out is the next of its kind
 * (\`task_000001\`), a moment that is left out is \`clock\`. Moments are whole Unix seconds.
 */
`

/** Generates the source code of the types. */
export async function fixtureTypes(path: string): Promise<string> {
  const { $defs = {}, ...fixture } = fixtureJsonSchema() as JsonSchema
  const style = { isReadonly: true, takesUndefined: false }
  const parts = Object.entries({ Fixture: fixture, ...$defs })
  return formatSource(path, intro + parts.map(([name, schema]) => declare(name, schema, style)).join('\n'))
}
