// Disturbances: everything that can happen to a client, as data.
import * as z from 'zod/mini'
import { type OperationId } from '../contract/index.ts'
import { operationIds } from '../contract/scopes.ts'
import type { FaultSpec } from './fault-spec.ts'
import { parseOrThrow } from './parse-or-throw.ts'

/** Kinds of disturbances, each with its own idea of what a correct client does. */
export const families = [
  'errors',
  'outage',
  'latency',
  'outcomes',
  'crash',
  'concurrency',
  'compatibility',
] as const
export type Family = (typeof families)[number]

/** A request, by its position among the requests of its operation, from 0. */
export interface RequestPoint {
  readonly operation: OperationId
  readonly index: number
}

/** What another user or the product does: a request to the API, or a control of the mock. */
export type OutsideAct =
  | { readonly method: string; readonly path: string; readonly body?: unknown }
  | { readonly control: 'setPlan' | 'lockTable' | 'suspendKey'; readonly argument: string }

const rewrites = ['gateway before', 'gateway after', 'cut', 'unknown field', 'new items first'] as const
/** A response that another server, or a gateway in front of it, would send. */
export type Rewrite = (typeof rewrites)[number]

/** What a disturbance does. Where it `stops` the client, an exploration runs it again; a plain test breaks its connections. */
export type Effect =
  | { readonly do: 'fail'; readonly faults: readonly PlannedFault[]; readonly stops?: true }
  /** Makes the last row of a bulk request invalid. */
  | { readonly do: 'spoil row' }
  /** Right after the response. */
  | { readonly do: 'act'; readonly act: OutsideAct }
  | { readonly do: 'rewrite'; readonly how: Rewrite }
  /** Before the first request: other answers to open questions. */
  | { readonly do: 'answer'; readonly answers: Readonly<Record<string, unknown>> }
  /** Before the first request: more items in the listing at this path. */
  | { readonly do: 'extend'; readonly path: string; readonly count: number }

/** A fault as plain data. */
export type PlannedFault = Omit<FaultSpec, 'match'>

/** Plain JSON. */
export interface Disturbance {
  readonly family: Family
  /** In a few words, such as `503 for good`. */
  readonly name: string
  /** Null: the whole run. */
  readonly at: RequestPoint | null
  readonly effect: Effect
}

const Spec = z.lazy(() =>
  z.strictObject({
    family: z.enum(families),
    name: z.string(),
    at: z.nullable(z.strictObject({ operation: z.enum(operationIds), index: z.int().check(z.gte(0)) })),
    effect: z.discriminatedUnion('do', [
      // Each fault is checked where it is set.
      z.strictObject({
        do: z.literal('fail'),
        faults: z.array(z.unknown()).check(z.minLength(1)),
        stops: z.optional(z.literal(true)),
      }),
      z.strictObject({ do: z.literal('spoil row') }),
      z.strictObject({
        do: z.literal('act'),
        act: z.union([
          z.strictObject({
            method: z.enum(['POST', 'PATCH', 'DELETE']),
            path: z.string().check(z.startsWith('/')),
            body: z.optional(z.unknown()),
          }),
          z.strictObject({ control: z.enum(['setPlan', 'lockTable', 'suspendKey']), argument: z.string() }),
        ]),
      }),
      z.strictObject({ do: z.literal('rewrite'), how: z.enum(rewrites) }),
      z.strictObject({ do: z.literal('answer'), answers: z.record(z.string(), z.unknown()) }),
      z.strictObject({
        do: z.literal('extend'),
        path: z.string().check(z.startsWith('/')),
        count: z.int().check(z.gte(1), z.lte(1000)),
      }),
    ]),
  }),
)

/** @throws {ControlError} */
export function parseDisturbance(given: unknown): Disturbance {
  return structuredClone(parseOrThrow(Spec, given, 'disturbance')) as Disturbance
}
