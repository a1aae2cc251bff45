// A field of a resource, declared once: the record, what clients send and see, and what a fixture holds follow from it.
import * as z from 'zod/mini'
import type { Schema } from '../operation.ts'
import { FixtureId, Id, UnixSeconds, objectOf } from './common.ts'

export interface FieldOptions {
  /** In bodies: `required` and `optional` on creation (both optional in patches), `patched` in patches alone. Left out: never sent by clients. */
  readonly sent?: 'required' | 'optional' | 'patched'
  /** In bodies, where it differs. */
  readonly body?: Schema
  /** In responses, where it differs; `extras`: only if question `taskReadExtras` says so, false: never. */
  readonly shown?: Schema | 'extras' | false
  /** False: computed when it is read, not part of the record. */
  readonly kept?: false
  /** In fixtures, where it differs; `required`: as if creations required it, false: never. */
  readonly fixture?: Schema | 'required' | false
  /** Its value where it is neither sent nor part of a fixture. */
  readonly initial?: unknown
  /** Units and meaning, for the OpenAPI document and the schema of fixtures: a sentence. */
  readonly note?: string
  /** The same for fixtures, where it differs. */
  readonly fixtureNote?: string
  /** Its value where a creation leaves it out, in words that follow `By default`. */
  readonly byDefault?: string
}
export interface Field<S extends Schema = Schema, O extends FieldOptions = FieldOptions> {
  readonly schema: S
  readonly options: O
}
export type Fields = Readonly<Record<string, Field>>

/** Declares a field: its schema in the record, and what differs elsewhere. */
export function field<S extends Schema, const O extends FieldOptions = object>(
  schema: S,
  options?: O,
): Field<S, O> {
  return { schema, options: options ?? ({} as O) }
}

export const createdAt = field(UnixSeconds, { byDefault: '`clock`' })
export const updatedAt = field(UnixSeconds, { byDefault: '`created_at`' })

export type Flat<T> = { [Key in keyof T]: T[Key] }
/** Names of the fields whose options include `O`. */
export type Having<F extends Fields, O> = {
  [Name in keyof F]: F[Name]['options'] extends O ? Name : never
}[keyof F]
export type KeptName<F extends Fields> = Exclude<keyof F, Having<F, { readonly kept: false }>>
type SentName<F extends Fields> = Having<F, { readonly sent: string }>
export type RequiredName<F extends Fields> = Having<F, { readonly sent: 'required' }>
type ShownName<F extends Fields> = Exclude<keyof F, Having<F, { readonly shown: 'extras' | false }>>
type FixtureRequired<F extends Fields> = Exclude<
  RequiredName<F> | Having<F, { readonly fixture: 'required' }>,
  Having<F, { readonly fixture: false }>
>
type FixtureName<F extends Fields> = Exclude<keyof F, Having<F, { readonly fixture: false }>>

type BodySchema<D extends Field> = D['options'] extends { readonly body: infer S extends Schema }
  ? S
  : D['schema']
type ShownSchema<D extends Field> = D['options'] extends { readonly shown: infer S extends Schema }
  ? S
  : D['schema']
type FixtureSchema<D extends Field> = D['options'] extends { readonly fixture: infer S extends Schema }
  ? S
  : D['schema']
type Optional<S extends Schema> = z.ZodMiniOptional<S>

export type KeptShape<F extends Fields> = { [Name in KeptName<F>]: F[Name]['schema'] }
type CreateShape<F extends Fields> = Flat<
  { [Name in RequiredName<F>]: BodySchema<F[Name]> } & {
    [Name in Having<F, { readonly sent: 'optional' }>]: Optional<BodySchema<F[Name]>>
  }
>
type PatchShape<F extends Fields> = { [Name in SentName<F>]: Optional<BodySchema<F[Name]>> }
export type ShownShape<F extends Fields> = { [Name in ShownName<F>]: ShownSchema<F[Name]> }
export type ExtrasShape<F extends Fields> = {
  [Name in Having<F, { readonly shown: 'extras' }>]: ShownSchema<F[Name]>
}
type FixtureShape<F extends Fields> = Flat<
  { [Name in FixtureRequired<F>]: FixtureSchema<F[Name]> } & {
    [Name in Exclude<FixtureName<F>, FixtureRequired<F>>]: Optional<FixtureSchema<F[Name]>>
  }
>

function shapeOf(
  fields: Fields,
  schemaOf: (options: FieldOptions, schema: Schema, name: string) => Schema | undefined,
) {
  const entries = Object.entries(fields).flatMap(([name, { schema, options }]) => {
    const chosen = schemaOf(options, schema, name)
    return chosen ? [[name, chosen] as const] : []
  })
  return Object.fromEntries(entries)
}

/** The fields of the body of a creation. */
export const createShape = <F extends Fields>(fields: F) =>
  shapeOf(fields, ({ sent, body }, schema) => {
    if (sent === 'required') return body ?? schema
    return sent === 'optional' ? z.optional(body ?? schema) : undefined
  }) as CreateShape<F>

/** The further fields of responses with extras. Assumption: taskReadExtras */
export const extrasShape = <F extends Fields>(fields: F) =>
  shapeOf(fields, ({ shown }, schema) => (shown === 'extras' ? schema : undefined)) as ExtrasShape<F>

/** A record of the declared fields. */
export type RecordOf<F extends Fields> = z.output<z.ZodMiniObject<KeptShape<F>>>

/** The schema of the record. */
export const recordOf = <F extends Fields>(fields: F) =>
  objectOf(() => shapeOf(fields, ({ kept }, schema) => (kept === false ? undefined : schema)) as KeptShape<F>)

/** The schema of the body of a creation. */
export const createOf = <F extends Fields>(fields: F) => objectOf(() => createShape(fields))

/** The schema of the body of a PATCH. */
export const patchOf = <F extends Fields>(fields: F) =>
  objectOf(
    () => shapeOf(fields, ({ sent, body }, schema) => sent && z.optional(body ?? schema)) as PatchShape<F>,
  )

/** The schema of the resource in responses. */
export const shownOf = <F extends Fields>(fields: F) =>
  objectOf(
    () =>
      shapeOf(fields, ({ shown }, schema) =>
        shown === false || shown === 'extras' ? undefined : (shown ?? schema),
      ) as ShownShape<F>,
  )

/** The sentences on a field of a fixture. */
function fixtureNote({ note, fixtureNote, byDefault, initial }: FieldOptions): string | undefined {
  const isShown = typeof initial === 'string' || initial === true
  const otherwise = byDefault ?? (isShown ? String(initial) : undefined)
  const parts = [fixtureNote ?? note, otherwise === undefined ? undefined : `By default ${otherwise}.`]
  return parts.filter((part) => part !== undefined).join(' ') || undefined
}

/** Notes on fields of fixtures, by their schema. */
export const fixtureNotes = z.registry<{ readonly description?: string; readonly id?: string }>()

const fixtureId = (schema: Schema) => (schema === Id ? FixtureId : schema)

type Shape = Readonly<Record<string, Schema>>

/**
 * The fields of the resource in a fixture.
 * @param parts schemas of fields that contain other resources, in place of those declared
 */
export function fixtureShape<F extends Fields>(fields: F): FixtureShape<F>
export function fixtureShape<F extends Fields, P extends Shape>(
  fields: F,
  parts: P,
): Flat<Omit<FixtureShape<F>, keyof P> & P>
export function fixtureShape(fields: Fields, parts: Shape = {}): Shape {
  const shape = shapeOf(fields, (options, schema, name) => {
    const { fixture, sent } = options
    if (fixture === false) return undefined
    const isSame = fixture === undefined || fixture === 'required'
    const chosen = parts[name] ?? (isSame ? fixtureId(schema) : fixture)
    const isWhole = fixture === 'required' || sent === 'required' || chosen._zod.optin === 'optional'
    const noted = isWhole ? z.clone(chosen) : z.optional(chosen)
    const description = fixtureNote(options)
    if (description !== undefined) fixtureNotes.add(noted, { description })
    return noted
  })
  return { ...shape, ...parts, ...shape }
}

export type FieldSide = 'create' | 'patch' | 'shown'

/** Notes by field for the OpenAPI document, except on fields that responses show in another form. */
export function notesOf(
  fields: Fields,
  side: FieldSide,
): Readonly<Record<string, { readonly description: string }>> {
  const notes = Object.entries(fields).flatMap(([name, { options }]) => {
    const { note, byDefault, sent, shown } = options
    const isThere = side === 'shown' ? shown !== false && typeof shown !== 'object' : sent !== undefined
    if (!isThere || (side === 'create' && sent === 'patched')) return []
    const otherwise = side === 'create' && byDefault !== undefined ? `By default ${byDefault}.` : undefined
    const description = [note, otherwise].filter((part) => part !== undefined).join(' ')
    return description === '' ? [] : [[name, { description }] as const]
  })
  return Object.fromEntries(notes)
}
