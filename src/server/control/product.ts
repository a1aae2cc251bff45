// Owns the routes of the control API for what the product does beside its API: plans, billing, keys, forms.
import * as z from 'zod/mini'
import { Flag, JsonObject } from '../../contract/common.ts'
import { Plan } from '../../contract/identity.ts'
import { Limits } from '../../contract/workspaces.ts'
import { route, routeWithFields } from './route.ts'

const workspaceRoute = routeWithFields(
  'PATCH',
  '/workspace',
  'plan, billing and limits of the workspace of the key in `Authorization`, or of the first',
  { plan: z.optional(Plan), billing: z.optional(z.enum(['ok', 'lapsed'])), limits: z.optional(Limits) },
  ({ store, key }, { plan, billing, limits }) => {
    let workspace = store.workspaceOfKey(key)
    const { id } = workspace
    if (plan !== undefined) workspace = store.setPlan(plan, id)
    if (billing !== undefined) workspace = store.lapseBilling(billing === 'lapsed', id)
    if (limits !== undefined) workspace = store.setLimits(limits, id)
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
    ({ store, params }, { suspended }) => store.suspendKey(params.key ?? '', suspended),
  ),
  routeWithFields(
    'PATCH',
    '/tables/{id}',
    'locks a table or opens it',
    { locked: z.boolean() },
    ({ store, params }, { locked }) => store.lockTable(params.id ?? '', locked),
  ),
  route(
    'POST',
    '/tasks/{id}/restore',
    'recovers a task that was deleted within 30 days',
    ({ store, params }) => store.restoreTask(params.id ?? ''),
  ),
  routeWithFields(
    'PATCH',
    '/forms/{id}',
    'publishes a form or takes it back',
    { is_published: z.union([z.boolean(), Flag]) },
    ({ store, params }, { is_published }) => store.publishForm(params.id ?? '', Boolean(is_published)),
  ),
  routeWithFields(
    'POST',
    '/forms/{id}/submissions',
    'submits a form as the public would',
    { data: JsonObject },
    ({ store, params }, { data }) => store.submitForm(params.id ?? '', data),
  ),
]
