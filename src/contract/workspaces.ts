// Workspaces and their API keys; the API does not show them as stored.
import * as z from 'zod/mini'
import { Bool, Count, FixtureId, Id, Member, Text } from './schema/common.ts'
import { limitNames, type LimitName } from './errors.ts'
import { field } from './schema/fields.ts'
import { Plan } from './identity.ts'
import type * as types from './types.d.ts'

function toLimitsSchema<S extends z.ZodMiniType>(schema: S) {
  const optional = z.optional(schema)
  const shape = Object.fromEntries(limitNames.map((name) => [name, optional]))
  return z.strictObject(shape as Record<LimitName, typeof optional>)
}

/** Overrides of the plan's limits; null means unlimited. */
export const Limits = toLimitsSchema(z.nullable(Count))
export type Limits = types.Limits

/** Changes to the overrides; `'plan'` removes one. */
export const LimitChanges = toLimitsSchema(z.union([z.nullable(Count), z.literal('plan')]))
export type LimitChanges = types.LimitChanges

export const memberFields = { id: field(Id), name: field(Text, { fixture: 'required' }) }

export const workspaceFields = {
  id: field(Id),
  name: field(Text, { byDefault: 'its id' }),
  plan: field(Plan, { initial: 'pro' }),
  /** Assumption: recurrence */
  timezone: field(Text, { initial: 'UTC', note: 'IANA time zone of recurrences.' }),
  billing: field(z.enum(['ok', 'lapsed']), { initial: 'ok' }),
  limits: field(Limits, { initial: {}, note: "Overrides of the plan's limits; null means unlimited." }),
  members: field(z.array(Member), { initial: [] }),
}
export type WorkspaceRecord = types.WorkspaceRecord

/** What a header may contain after `Bearer`. */
const Secret = FixtureId.check(
  z.regex(/^[!-~\x80-\xff]+$/, 'must consist of characters allowed in a header, without spaces'),
)

/** A key of a workspace; its id is the secret that a client sends. */
export const keyFields = {
  id: field(Id, { fixture: false }),
  key: field(Secret, {
    kept: false,
    fixture: 'required',
    note: 'What a client sends after `Bearer`; it must not contain spaces.',
  }),
  workspace_id: field(Id, { fixture: false }),
  name: field(Text, {
    fixture: FixtureId,
    note: 'Its name in `mock.keys` and in the journal, unique in the fixture.',
    byDefault: 'the key itself',
  }),
  kind: field(z.enum(['master', 'scoped']), { initial: 'master' }),
  scopes: field(z.array(Text), { initial: [], note: 'Scopes of a scoped key, such as `rows:read`.' }),
  member_id: field(Id, {
    note: 'The member who acts when a request does not name one.',
    byDefault: 'the first member',
  }),
  suspended: field(Bool, { initial: false }),
}
export type KeyRecord = types.KeyRecord
