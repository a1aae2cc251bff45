// Owns the routes of the control API for what the product does beside its API: plans, billing, keys, forms.
import * as z from 'zod/mini'
import { Flag, JsonObject } from '../../contract/common.ts'
import { Plan } from '../../contract/identity.ts'
import { Limits } from '../../resources/workspaces.ts'
import { route, routeWithFields } from './route.ts'

const workspaceRoute = routeWithFields(
  'PATCH',
  '/workspace',
  'plan, billing and limits of the workspace of the key in `Authorization`, or of the first',
  { plan: z.optional(Plan), billing: z.optional(z.enum(['ok', 'lapsed'])), limits: z.optional(Limits) },
  ({ world, key }, { plan, billing, limits }) => {
    let workspace = world.workspaceOfKey(key)
    const { id } = workspace
    if (plan !== undefined) workspace = world.setPlan(plan, id)
    if (billing !== undefined) workspace = world.lapseBilling(billing === 'lapsed', id)
    if (limits !== undefined) workspace = world.setLimits(limits, id)
    return workspace
  },
)

export const productRoutes = [
  workspaceRoute,
  routeWithFields(
    'PATCH',
    '/keys/{key}',
    'suspends a key, given by name or value, or lets it go on',
    { suspended: z.boolean() },
    ({ world, params }, { suspended }) => world.suspendKey(params.key ?? '', suspended),
  ),
  routeWithFields(
    'PATCH',
    '/tables/{id}',
    'locks a table or opens it',
    { locked: z.boolean() },
    ({ world, params }, { locked }) => world.lockTable(params.id ?? '', locked),
  ),
  route(
    'POST',
    '/tasks/{id}/restore',
    'recovers a task that was deleted within 30 days',
    ({ world, params }) => world.restoreTask(params.id ?? ''),
  ),
  routeWithFields(
    'PATCH',
    '/forms/{id}',
    'publishes a form or takes it back',
    { is_published: z.union([z.boolean(), Flag]) },
    ({ world, params }, { is_published }) => world.publishForm(params.id ?? '', Boolean(is_published)),
  ),
  routeWithFields(
    'POST',
    '/forms/{id}/submissions',
    'submits a form as the public would',
    { data: JsonObject },
    ({ world, params }, { data }) => world.submitForm(params.id ?? '', data),
  ),
]
