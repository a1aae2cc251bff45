// Authentication: turns the Authorization header into a key that may call the operation.
import { ApiError } from '../../contract/errors.ts'
import type { OperationId } from '../../contract/index.ts'
import { hasFeature } from '../../contract/plan-limits.ts'
import { suggestNearest } from '../../contract/text/nearest.ts'
import { listItems } from '../../contract/text/quote.ts'
import type { Store } from '../../service/store/store.ts'

/** The key in a header; empty if it has none. */
export const parseKey = (authorization: string): string =>
  // Slices the text, because a regular expression's match would allocate an array for every request.
  /^Bearer +\S+ *$/i.test(authorization) ? authorization.slice('Bearer '.length).trim() : ''

/** @param sentKey empty if none was sent */
export function principalOf(store: Store, sentKey: string) {
  const key = store.keys.get(sentKey)
  const workspace = key && store.workspaces.get(key.workspace_id)
  return key && workspace && { key, workspace }
}
export type Principal = NonNullable<ReturnType<typeof principalOf>>

/** Suggests keys of the mock by name only, because hints appear in the journal and the journal never shows a key. */
function suggestKeys(store: Store, sent: string): string {
  const names = store.keys.all().map(({ name }) => name)
  const near = suggestNearest(sent, names)
  return [
    ...(/^(?:undefined|null)$/.test(sent) ? [`the key is the text ${sent}`] : []),
    names.length === 0
      ? 'the fixture has no keys: give a workspace one, such as keys: [{ key: "wm_own", name: "master" }]'
      : `keys by name in mock.keys: ${listItems(names, String, 10)}`,
    ...(near === undefined ? [] : [`the nearest is ${near}`]),
  ].join('; ')
}

/** Source: contract, Authentication */
export function authenticate(store: Store, authorization: string | null, sentKey: string): Principal {
  if (authorization === null || authorization === '')
    throw new ApiError('unauthenticated', 'Authorization is missing; send Authorization: Bearer <API_KEY>')
  const principal = principalOf(store, sentKey)
  if (principal) return principal
  if (sentKey === '')
    throw new ApiError('unauthenticated', 'Authorization must have the form Bearer <API_KEY>')
  throw new ApiError('unauthenticated', 'the API key is not known', {
    hint: suggestKeys(store, sentKey),
  })
}

/** Source: contract, Authentication, 5. Assumption: billingLapse */
export function assertInGoodStanding({ key, workspace }: Principal): void {
  if (key.suspended)
    throw new ApiError('suspended', 'the API key is suspended because of a plan or billing change')
  if (workspace.billing === 'lapsed')
    throw new ApiError('billing', "the workspace's billing has lapsed past its grace period")
}

/** Assumption: scopes */
export function assertScope(store: Store, { key }: Principal, operation: OperationId): void {
  if (key.kind === 'master') return
  const needed = store.answers.scopes[operation]
  if (key.scopes.includes(needed)) return
  throw new ApiError('scope', `the API key lacks the scope ${needed}, which ${operation} needs`)
}

/** Assumption: planFeatures */
export function assertApiFeature(store: Store, { workspace }: Principal): void {
  if (hasFeature(store.answers, workspace, 'api')) return
  throw new ApiError('apiFeature', `plan ${workspace.plan} does not include the API`)
}
