// Contract of the workspace's identity: GET /me.
import * as z from 'zod/mini'
import { Id, Member, objectOf } from './schema/common.ts'
import { operationsOf } from './operation.ts'
import { plans } from './limits.ts'

export const Plan = z.enum(plans)
export type Plan = z.infer<typeof Plan>

export const Identity = objectOf(() => ({
  workspace: z.object({ id: Id, name: z.string(), plan: Plan }),
  members: z.array(Member),
}))
export type Identity = z.infer<typeof Identity>

export const identityOperations = operationsOf('Workspace', {
  getIdentity: {
    route: 'GET /me',
    summary: 'Read the workspace of the key and its members',
    success: { schema: Identity, description: 'The workspace and its members.' },
    documentedErrors: [401, 403],
  },
})
