// Workspaces and their API keys as they are kept.
import * as z from 'zod/mini'
import { Id, Member } from './common.ts'
import { limitNames } from './errors.ts'
import { Plan } from './identity.ts'

/** Overrides of the plan's limits; null is unlimited. */
export const Limits = z.partialRecord(z.enum(limitNames), z.nullable(z.int().check(z.gte(0))))
export type Limits = z.infer<typeof Limits>

export const WorkspaceRecord = z.object({
  id: Id,
  name: z.string(),
  plan: Plan,
  /** IANA name. Assumption: recurrence */
  timezone: z.string(),
  billing: z.enum(['ok', 'lapsed']),
  limits: Limits,
  members: z.array(Member),
})
export type WorkspaceRecord = z.infer<typeof WorkspaceRecord>

/** A key of a workspace; its id is the secret that a client sends. */
export const KeyRecord = z.object({
  id: z.string(),
  workspace_id: Id,
  /** What `mock.keys` and the journal call it. */
  name: z.string(),
  kind: z.enum(['master', 'scoped']),
  scopes: z.array(z.string()),
  member_id: Id,
  suspended: z.boolean(),
})
export type KeyRecord = z.infer<typeof KeyRecord>
