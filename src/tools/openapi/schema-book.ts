// Builds the document's schemas and components from the contract's.
import * as z from 'zod/mini'
import { resolveSchema, type ResponseSchema, type Schema } from '../../contract/operation.ts'
import type { Answers } from '../../contract/questions/register.ts'
import { nameSchemas, type ComponentName } from './components.ts'
import { listFieldNotes, type FieldNotes } from './field-notes.ts'
import { simplifySchema, omitField, type JsonSchema } from '../../contract/schema/json-schema.ts'
import type { SchemaOrReference, SchemaObject } from './types.ts'

/** `body` is what a client sends, `response` what it receives. */
type SchemaSide = 'body' | 'response'

type Components = Readonly<Record<string, JsonSchema>>

export const componentPrefix = '#/components/schemas/'
const localPrefix = '#/$defs/'

export const referTo = (name: string) => ({ $ref: `${componentPrefix}${name}` })

/** Collects every `$ref` in a schema as the name of a component. */
function collectReferences(schema: unknown, found = new Set<string>()): Set<string> {
  if (typeof schema !== 'object' || schema === null) return found
  for (const [key, inner] of Object.entries(schema)) {
    if (key === '$ref' && typeof inner === 'string') found.add(inner.slice(componentPrefix.length))
    else collectReferences(inner, found)
  }
  return found
}

/**
 * Builds schemas for the given answers. Objects are open, so that responses can gain fields. The exceptions are objects that
 * the contract closes and, if question `unknownBodyFields` refuses unknown fields, objects in bodies.
 */
export class SchemaBook {
  readonly #answers: Answers
  readonly #names = new Map<ResponseSchema, ComponentName>()
  readonly #registry = z.registry<{ readonly id: string }>()
  readonly #bare: Readonly<Record<SchemaSide, Components>>
  readonly #components: Readonly<Record<SchemaSide, Components>>
  readonly #used: Readonly<Record<SchemaSide, Set<string>>> = { body: new Set(), response: new Set() }

  constructor(answers: Answers) {
    this.#answers = answers
    for (const { name, declared, schema } of nameSchemas(answers)) {
      this.#names.set(declared, name).set(schema, name)
      this.#registry.add(schema, { id: name })
    }
    const notes = listFieldNotes(answers)
    this.#bare = {
      body: this.#createBareComponents('body'),
      response: this.#createBareComponents('response'),
    }
    this.#components = {
      body: addNotes(this.#bare.body, notes),
      response: addNotes(this.#bare.response, notes),
    }
  }

  /** Writes a schema of the contract, as a reference if it has a name. */
  write(declared: ResponseSchema, side: SchemaSide): SchemaOrReference {
    const name = this.#names.get(declared) ?? this.#names.get(resolveSchema(declared, this.#answers))
    const written = name ? referTo(name) : this.#convert(resolveSchema(declared, this.#answers), side)
    for (const inner of collectReferences(written)) this.#mark(inner, side)
    return written
  }

  /** The components referred to so far. One used in both bodies and responses has its body form. */
  components(): Record<string, SchemaObject> {
    const { body, response } = this.#used
    const names = Object.keys(this.#components.response).filter(
      (name) => body.has(name) || response.has(name),
    )
    const sideOf = (name: string): SchemaSide => (body.has(name) ? 'body' : 'response')
    return Object.fromEntries(
      names.map((name) => [name, this.#components[sideOf(name)][name] as SchemaObject]),
    )
  }

  #mark(name: string, side: SchemaSide): void {
    const component = this.#components[side][name]
    if (component === undefined) throw new Error(`the document has no component ${name}`)
    if (this.#used[side].has(name)) return
    this.#used[side].add(name)
    for (const inner of collectReferences(component)) this.#mark(inner, side)
  }

  /** Zod closes the output side of an object and leaves its input side open. */
  #io(side: SchemaSide): 'input' | 'output' {
    return side === 'body' && this.#answers.unknownBodyFields === 'reject' ? 'output' : 'input'
  }

  #createBareComponents(side: SchemaSide): Components {
    const uri = (id: string) => componentPrefix + id
    const { schemas } = z.toJSONSchema(this.#registry, { io: this.#io(side), uri })
    return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, simplifySchema(schema)]))
  }

  #convert(schema: Schema, side: SchemaSide): JsonSchema {
    const json = z.toJSONSchema(schema, { io: this.#io(side), metadata: this.#registry })
    const written = simplifySchema(omitField(json, '$defs'), (ref) =>
      ref.replace(localPrefix, componentPrefix),
    )
    if (!Array.isArray(written.anyOf)) return written
    return { ...written, anyOf: written.anyOf.map((alternative) => this.#nameAlternative(alternative, side)) }
  }

  /** Names an alternative. The contract creates some anew on each call, so they are matched by shape. */
  #nameAlternative(alternative: unknown, side: SchemaSide): unknown {
    const shape = JSON.stringify(alternative)
    const components = Object.entries(this.#bare[side])
    const match = components.find(([, component]) => JSON.stringify(component) === shape)
    return match ? referTo(match[0]) : alternative
  }
}

function addNotes(components: Components, notes: FieldNotes): Components {
  const entries = Object.entries(components).map(([name, schema]) => {
    const properties = schema.properties as Components | undefined
    if (!properties) return [name, schema]
    const fields = Object.entries(properties).map(([field, property]) => {
      const note = notes[name]?.[field]
      return [field, { ...property, ...(typeof note === 'string' ? { description: note } : note) }]
    })
    return [name, { ...schema, properties: Object.fromEntries(fields) as unknown }]
  })
  return Object.fromEntries(entries) as Components
}
