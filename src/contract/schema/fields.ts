// A resource's field, declared once. The record, what clients send and see, and what a fixture holds are derived from it.
import * as z from 'zod/mini'
import type { Schema } from '../operation.ts'
import { UnixSeconds, objectOf } from './common.ts'

export interface FieldOptions {
  /**
   * In bodies: `required` or `optional` on creation (always optional in patches), `patched` only in patches. Absent if
   * clients never send it.
   */
  readonly sent?: 'required' | 'optional' | 'patched'
  /** Its schema in bodies, if it differs from the stored one. */
  readonly body?: Schema
  /**
   * Its schema in responses, if it differs from the stored one. `extras`: shown if question `taskReadExtras` says so.
   * False: never shown.
   */
  readonly shown?: Schema | 'extras' | false
  /** False if it is computed on read, not stored. */
  readonly kept?: false
  /**
   * Its schema in fixtures, if it differs from the stored one. `required`: fixtures must have it. False: not in
   * fixtures.
   */
  readonly fixture?: Schema | 'required' | false
  /** Its value when neither a request nor a fixture gives one. */
  readonly initial?: unknown
  /** Units and meaning in one sentence, for the OpenAPI document and the fixture schema. */
  readonly note?: string
  /** Its description in fixtures, if it differs from `note`. */
  readonly fixtureNote?: string
  /** Its value when omitted on creation, worded to follow `By default`. */
  readonly byDefault?: string
}
export interface Field<S extends Schema = Schema, O extends FieldOptions = FieldOptions> {
  readonly schema: S
  readonly options: O
}
export type Fields = Readonly<Record<string, Field>>

/** Declares a field: its schema in the record, and how it differs elsewhere. */
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
export type RequiredName<F extends Fields> = Having<F, { readonly sent: 'required' }>
type ShownName<F extends Fields> = Exclude<keyof F, Having<F, { readonly shown: 'extras' | false }>>

export type SchemaIn<Where extends 'body' | 'shown' | 'fixture', D extends Field> =
  D['options'] extends Readonly<Record<Where, infer S extends Schema>> ? S : D['schema']
export type Optional<S extends Schema> = z.ZodMiniOptional<S>

type KeptShape<F extends Fields> = {
  [Name in Exclude<keyof F, Having<F, { readonly kept: false }>>]: F[Name]['schema']
}
type CreateShape<F extends Fields> = Flat<
  { [Name in RequiredName<F>]: SchemaIn<'body', F[Name]> } & {
    [Name in Having<F, { readonly sent: 'optional' }>]: Optional<SchemaIn<'body', F[Name]>>
  }
>
type PatchShape<F extends Fields> = {
  [Name in Having<F, { readonly sent: string }>]: Optional<SchemaIn<'body', F[Name]>>
}
export type ShownShape<F extends Fields> = { [Name in ShownName<F>]: SchemaIn<'shown', F[Name]> }
export type ExtrasShape<F extends Fields> = {
  [Name in Having<F, { readonly shown: 'extras' }>]: SchemaIn<'shown', F[Name]>
}

export function shapeOf(
  fields: Fields,
  schemaOf: (options: FieldOptions, schema: Schema, name: string) => Schema | undefined,
) {
  const entries = Object.entries(fields).flatMap(([name, { schema, options }]) => {
    const chosen = schemaOf(options, schema, name)
    return chosen ? [[name, chosen] as const] : []
  })
  return Object.fromEntries(entries)
}

export const createShape = <F extends Fields>(fields: F) =>
  shapeOf(fields, ({ sent, body }, schema) => {
    if (sent === 'required') return body ?? schema
    return sent === 'optional' ? z.optional(body ?? schema) : undefined
  }) as CreateShape<F>

/** The additional fields in responses with extras. Assumption: taskReadExtras */
export const extrasShapeOf = <F extends Fields>(fields: F) =>
  shapeOf(fields, ({ shown }, schema) => (shown === 'extras' ? schema : undefined)) as ExtrasShape<F>

export type RecordOf<F extends Fields> = z.output<z.ZodMiniObject<KeptShape<F>>>

export const recordOf = <F extends Fields>(fields: F) =>
  objectOf(() => shapeOf(fields, ({ kept }, schema) => (kept === false ? undefined : schema)) as KeptShape<F>)

/** The schema of a creation's body. */
export const createOf = <F extends Fields>(fields: F) => objectOf(() => createShape(fields))

/** The schema of a PATCH body. */
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
