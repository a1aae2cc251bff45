// Disturbances as data: everything that can happen to a client.
import * as z from 'zod/mini'
import { operationIds } from '../../contract/scopes.ts'
import type { FaultSpec } from './fault-spec.ts'
import { parseOrThrow } from '../parse-or-throw.ts'

/** Kinds of disturbances; each expects something else of a correct client. */
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

const Position = z.lazy(() =>
  z.strictObject({ operation: z.enum(operationIds), index: z.int().check(z.gte(0)) }),
)
/** A request, by its position among the requests of its operation, from 0. */
export type RequestPoint = z.infer<typeof Position>

const Path = z.string().check(z.startsWith('/'))

const Act = z.lazy(() =>
  z.union([
    z.strictObject({
      method: z.enum(['POST', 'PATCH', 'DELETE']),
      path: Path,
      body: z.optional(z.unknown()),
    }),
    z.strictObject({ control: z.enum(['setPlan', 'lockTable', 'suspendKey']), argument: z.string() }),
  ]),
)
/** What another user or the product does: a request to the API, or a control of the mock. */
export type OutsideAct = z.infer<typeof Act>

const RewriteName = z.enum(['gateway before', 'gateway after', 'cut', 'unknown field', 'new items first'])
/** A response that another server, or a gateway in front of it, would send. */
export type Rewrite = z.infer<typeof RewriteName>

/** A fault as plain data. */
export type PlannedFault = Omit<FaultSpec, 'match'>

const AnyEffect = z.lazy(() =>
  z.discriminatedUnion('do', [
    z.strictObject({
      do: z.literal('fail'),
      // Each is checked where it is set.
      faults: z.readonly(z.array(z.custom<PlannedFault>()).check(z.minLength(1))),
      stops: z.optional(z.literal(true)),
    }),
    z.strictObject({ do: z.literal('spoil row') }),
    z.strictObject({ do: z.literal('act'), act: Act }),
    z.strictObject({ do: z.literal('rewrite'), how: RewriteName }),
    z.strictObject({ do: z.literal('answer'), answers: z.record(z.string(), z.unknown()) }),
    z.strictObject({ do: z.literal('extend'), path: Path, count: z.int().check(z.gte(1), z.lte(1000)) }),
  ]),
)
/**
 * What a disturbance does. Where it `stops` the client, an exploration runs it again; a plain test breaks its connections.
 * `spoil row` makes the last row of a bulk request invalid, `act` happens right after the response; `answer` (other answers
 * to open questions) and `extend` (more items in the listing at a path) before the first request.
 */
export type Effect = z.infer<typeof AnyEffect>

/** A function of its own, from which the published types get the sentences. */
const createDisturbanceShape = () => ({
  family: z.enum(families),
  /** In a few words, such as `503 for good`. */
  name: z.string(),
  /** Null: the whole run. */
  at: z.nullable(Position),
  effect: AnyEffect,
})
const Spec = z.lazy(() => z.strictObject(createDisturbanceShape()))
/** What can happen to a client, as plain JSON. */
export type Disturbance = z.infer<z.ZodMiniObject<ReturnType<typeof createDisturbanceShape>>>

export const parseDisturbance = (given: unknown): Disturbance =>
  structuredClone(parseOrThrow(Spec, given, 'disturbance'))
