// Contract of the workspace's identity: GET /me.
import * as z from 'zod/mini'
import { Id, Member, objectOf } from './schema/common.ts'
import { operationsOf } from './operation.ts'
import { plans } from './limits.ts'
import type * as types from './types.d.ts'

export const Plan = z.enum(plans)
export type Plan = types.Plan

export const Identity = objectOf(() => ({
  workspace: z.object({ id: Id, name: z.string(), plan: Plan }),
  members: z.array(Member),
}))
export type Identity = types.Identity

export const identityOperations = operationsOf('Workspace', {
  getIdentity: {
    route: 'GET /me',
    summary: "Read the key's workspace and its members",
    success: { schema: Identity, description: 'The workspace and its members.' },
    documentedErrors: [401, 403],
  },
})
