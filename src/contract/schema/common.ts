// Schemas and parameters shared by several resources.
import { perPage } from '../limits.ts'
import * as z from 'zod/mini'
import { JsonObject } from './maps.ts'
import type { Answers } from '../questions/register.ts'
import type * as types from '../types.d.ts'

/** Creates an object schema that builds its fields on first use. Most are never needed, and building them slows every import. */
export function objectOf<S extends Readonly<Record<string, z.ZodMiniType>>>(
  shape: () => S,
): z.ZodMiniObject<S> {
  let made: S | undefined
  const def = {
    type: 'object' as const,
    get shape() {
      return (made ??= shape())
    },
  }
  return new z.ZodMiniObject(def) as z.ZodMiniObject<S>
}

export const Text = z.string()
export const Id = z.string()
/** Not `__proto__`, which as a key would change the prototype of an object. */
export const FixtureId = Id.check(
  z.minLength(1),
  z.refine((id) => id !== '__proto__', 'must not be __proto__'),
)
/** Whole seconds since 1970. Source: contract, opening paragraph. */
export const UnixSeconds = z.int()
export const Whole = z.int()
export const Bool = z.boolean()
export const NullableText = z.nullable(Text)
export const NullableId = z.nullable(Id)
export const NullableSeconds = z.nullable(UnixSeconds)
export const OptionalText = z.optional(Text)
export const OptionalId = z.optional(Id)

/** Plain text or a rich-text document. */
export const TextOrDocument = z.union([Text, JsonObject])
export const Flag = z.union([z.literal(0), z.literal(1)])
export type Flag = types.Flag
/** A flag in a fixture: 0, 1, false or true. */
export const FlagOrBool = z.union([Flag, Bool])
export const Count = z.int().check(z.gte(0))

export const Member = z.object({ id: Id, name: Text })
export type Member = types.Member

export const Success = z.object({ success: z.literal(true) })
export const Empty = z.strictObject({})

/** The response to a PATCH whose body the contract does not show. Assumption: mutationBody */
export function patchResponse<S extends z.ZodMiniType>(resource: S) {
  return (answers: Answers): typeof Success | typeof Empty | S =>
    answers.mutationBody === 'resource' ? resource : answers.mutationBody === 'empty' ? Empty : Success
}

/** The response to a DELETE whose body the contract does not show. Assumption: mutationBody */
export function deleteResponse(answers: Answers): typeof Success | typeof Empty {
  return answers.mutationBody === 'empty' ? Empty : Success
}

/** Page size of a listing. Source: contract, Limits. */
export const pageLimit = <const Maximum extends number>(maximum: Maximum) => ({
  kind: 'integer' as const,
  description: `Page size, ${String(maximum)} at most.`,
  minimum: 1,
  maximum,
  default: perPage,
})

export const offset = {
  kind: 'integer',
  description: 'How many entries to skip.',
  minimum: 0,
  default: 0,
} as const
