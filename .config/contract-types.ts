// Generates the types of the API's resources, operations and open questions from the contract's schemas.
import * as z from 'zod/mini'
import { ColumnRecord, columnFields } from '../src/contract/datatables.ts'
import { errorKinds } from '../src/contract/errors.ts'
import { operationList, type Operation } from '../src/contract/index.ts'
import { PlannedEnd } from '../src/contract/jobs.ts'
import { FieldRecord, fieldFields } from '../src/contract/lists.ts'
import type { Field } from '../src/contract/schema/fields.ts'
import { errorKindsOf, listPathParameters, resolveSchema, type Schema } from '../src/contract/operation.ts'
import { defaultAnswers, questions, type Answers } from '../src/contract/questions/register.ts'
import { resources } from '../src/contract/resources.ts'
import { Row } from '../src/contract/rows.ts'
import { Flag } from '../src/contract/schema/common.ts'
import { JsonObject } from '../src/contract/schema/maps.ts'
import { LimitChanges, Limits } from '../src/contract/workspaces.ts'
import { nameSchemas } from '../src/tools/openapi/components.ts'
import { listFieldNotes } from '../src/tools/openapi/field-notes.ts'
import { declare, formatSource, typeOf, type JsonSchema } from './schema-types.ts'

/** Answers that change the shapes of resources. */
const otherAnswers: Answers = {
  ...defaultAnswers,
  taskReadExtras: true,
  customFieldOptions: 'label',
  timeEntryUsers: 'names',
  formTargetType: 'datatable_row',
  bulkErrors: 'numbered',
}

/** The style of zod's output types. */
const parsed = { isReadonly: false, takesUndefined: true }

/** Types of records by resource: `TaskRecord` for `tasks`. */
const records = Object.entries(resources).map(([name, { singular, schema }]) => {
  const type = singular.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())
  return { name, type: `${type}Record`, schema, fields: resources[name as keyof typeof resources].fields }
})

/** Types in addition to the components of the OpenAPI document. */
const named: Readonly<Record<string, Schema>> = {
  Flag,
  JsonObject,
  Limits,
  LimitChanges,
  ColumnRecord,
  FieldRecord,
  PlannedEnd,
  FlatRow: Row({ ...defaultAnswers, rowShape: 'flat' }),
  ...Object.fromEntries(records.map(({ type, schema }) => [type, schema])),
}

/** Creates a writer of schemas under given answers; it refers to named types by reference. */
function createWriter(answers: Answers) {
  // A schema that the contract creates anew for each use cannot be referred to.
  const components = nameSchemas(answers).filter(
    ({ declared, schema }) => resolveSchema(declared, answers) === schema,
  )
  const registry = z.registry<{ readonly id: string }>()
  for (const { name, schema } of components) registry.add(schema, { id: name })
  for (const [id, schema] of Object.entries(named)) registry.add(schema, { id })
  const write = (schema: Schema) =>
    z.toJSONSchema(schema, { metadata: registry, unrepresentable: 'any' }) as JsonSchema
  const { $defs = {} } = write(
    z.array(z.union([...components.map(({ schema }) => schema), ...Object.values(named)])),
  )
  return { components, write, declared: $defs }
}
type Writer = ReturnType<typeof createWriter>

/** Field descriptions by type and name, from the OpenAPI document and from stored records. */
const notes: Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>> = {
  ...listFieldNotes(defaultAnswers),
  ...Object.fromEntries(
    [
      ...records,
      { type: 'ColumnRecord', fields: columnFields },
      { type: 'FieldRecord', fields: fieldFields },
    ].map(({ type, fields }) => [
      type,
      Object.fromEntries(Object.entries<Field>(fields).map(([name, { options }]) => [name, options.note])),
    ]),
  ),
}

function addNotes(type: string, schema: JsonSchema): JsonSchema {
  if (!schema.properties) return schema
  const described = Object.entries(schema.properties).map(([name, property]) => {
    const note = notes[type]?.[name]
    const description = typeof note === 'object' && note !== null ? (note as JsonSchema).description : note
    return [name, typeof description === 'string' ? { ...property, description } : property] as const
  })
  return { ...schema, properties: Object.fromEntries(described) }
}

/** Declares types by name. If answers change a type's shape, both shapes are declared. */
function declareSchemas(ours: Writer): string {
  const others = createWriter(otherAnswers)
  const declarations = new Map(ours.components.map(({ name, declared }) => [name as string, declared]))
  const texts = Object.entries(ours.declared).map(([name, schema]) => {
    const declaration = declarations.get(name)
    const {
      $ref,
      $defs = {},
      ...other
    } = declaration ? others.write(resolveSchema(declaration, otherAnswers)) : schema
    const shape = $ref === `#/$defs/${name}` ? ($defs[name] ?? schema) : $ref === undefined ? other : { $ref }
    const [first, second] = [schema, shape].map((one) => typeOf(addNotes(name, one), parsed))
    return first === second
      ? declare(name, addNotes(name, schema), parsed)
      : `export type ${name} = ${String(first)} | ${String(second)}\n`
  })
  const byResource = records.map(({ name, type }) => `${name}: ${type}\n`)
  return [...texts, `export interface Records { ${byResource.join('')} }\n`].join('\n')
}

function declareAnswers(): string {
  const answers = Object.values(questions).map(({ id, notShown, schema, default: standard }) => {
    const type = typeOf(z.toJSONSchema(schema()) as JsonSchema, { isReadonly: true, takesUndefined: true })
    return `/** ${notShown} Default: ${JSON.stringify(standard)} */\nreadonly ${id}: ${type}\n`
  })
  return `/** The current answer to every question. */\nexport interface Answers { ${answers.join('')} }\n`
}

const nothing = 'Readonly<Partial<Record<string, never>>>'

function queryOf({ query = {}, columnFilters }: Operation): string {
  const fields = Object.entries(query).map(
    ([name, { kind }]) => `readonly ${name}?: ${kind === 'integer' ? 'number' : 'string'} | undefined\n`,
  )
  if (columnFilters) fields.push('readonly [column: string]: string | number | undefined\n')
  return fields.length > 0 ? `{ ${fields.join('')} }` : nothing
}

function declareOperations({ write }: Writer): string {
  const bodyOf = (schema: Schema | undefined) => (schema ? typeOf(write(schema), parsed) : 'undefined')
  const texts = operationList.map((operation) => {
    const { id, path, body, success } = operation
    const refusals = errorKindsOf(operation).map((kind) => errorKinds[kind].status)
    const statuses = [...new Set([success.status, ...refusals])].sort((a, b) => a - b)
    const params = listPathParameters(path)
      .map((name) => JSON.stringify(name))
      .join(' | ')
    const response =
      'schema' in success ? bodyOf(resolveSchema(success.schema, defaultAnswers)) : 'Uint8Array'
    return `readonly ${id}: {
      readonly params: ${params === '' ? 'object' : `Readonly<Record<${params}, string>>`}
      readonly query: ${queryOf(operation)}
      readonly body: ${bodyOf(body?.json)}
      readonly response: ${response}
      readonly status: ${statuses.join(' | ')}
      readonly needsFile: ${String(body?.multipart?.fileRequired ?? false)}
    }\n`
  })
  const says =
    'What each operation takes and returns: `response` is the body of a successful response with the default answers to open questions, `status` any that it documents, `needsFile` whether a call requires a file.'
  return `/** ${says} */\nexport interface OperationTypes { ${texts.join('')} }\n`
}

/** Generates the source code of the types. */
export function contractTypes(path: string): Promise<string> {
  const writer = createWriter(defaultAnswers)
  const parts = [declareSchemas(writer), declareAnswers(), declareOperations(writer)]
  return formatSource(
    path,
    `// Generated from the contract by \`npm run generate\`; change the contract instead.\n\n${parts.join('\n')}`,
  )
}
