// The limits and features of every plan.
import { ApiError, errorKinds, type ErrorKind, type LimitName } from './errors.ts'
import type { Plan } from './identity.ts'
import { bulkRowsPerJob as jobRows, bulkRowsPerRequest, forEveryPlan } from './limits.ts'
import type { Answers } from './questions/register.ts'
import type { WorkspaceRecord } from './workspaces.ts'

type LimitByPlan = Readonly<Record<Plan, number | null>>

const rowsPerRequest = forEveryPlan(bulkRowsPerRequest)
const perPlan = (free: number, pro: number, business: number, scale: number) => ({
  free,
  pro,
  business,
  scale,
})
const limits: Readonly<Record<LimitName, (answers: Answers) => LimitByPlan>> = {
  bulkRowsPerRequest: () => rowsPerRequest,
  bulkRowsPerJob: ({ scalePlan }) => perPlan(0, jobRows, jobRows, scalePlan.bulkRowsPerJob),
  concurrentBulkJobs: ({ scalePlan }) => perPlan(0, 1, 5, scalePlan.concurrentBulkJobs),
  bulkInsertPerMinute: ({ bulkInsertPerMinute }) => bulkInsertPerMinute,
  requestsPerMonth: ({ requestsPerMonth }) => requestsPerMonth,
  spaces: ({ spacesLimit }) => spacesLimit,
  lists: ({ listsLimit }) => listsLimit,
  maxFileBytes: ({ maxFileBytes }) => maxFileBytes,
}

/**
 * A limit by plan; null is unlimited. Source: contract, Limits.
 * Assumption: scalePlan, bulkInsertPerMinute, requestsPerMonth, maxFileBytes, spacesLimit, listsLimit
 */
export const planLimits = (answers: Answers, name: LimitName): LimitByPlan => limits[name](answers)

/** The current limit of a workspace; null is unlimited. */
export function limitOf(answers: Answers, workspace: WorkspaceRecord, name: LimitName): number | null {
  const override = workspace.limits[name]
  return override === undefined ? planLimits(answers, name)[workspace.plan] : override
}

type LimitedKind = {
  [Kind in ErrorKind]: (typeof errorKinds)[Kind] extends { readonly limit: LimitName } ? Kind : never
}[ErrorKind]

/**
 * Rejects a request that exceeds one of the workspace's limits.
 * @param current the number requested, including this request, or the number in use; see {@link errorKinds}
 * @param retryAfter in seconds
 * @throws {ApiError} of the given kind
 */
export function assertWithin(
  answers: Answers,
  workspace: WorkspaceRecord,
  kind: LimitedKind,
  current: number,
  message: (limit: string, retryAfter: string) => string,
  retryAfter?: () => number,
): void {
  const spec = errorKinds[kind]
  const limit = limitOf(answers, workspace, spec.limit)
  if (limit === null || current < limit || (current === limit && !('inUse' in spec))) return
  const seconds = retryAfter?.()
  throw new ApiError(kind, message(String(limit), String(seconds)), {
    limit: { limit, current },
    ...(seconds !== undefined && { retryAfter: seconds }),
  })
}

/** Whether the workspace's plan has a feature. Assumption: planFeatures */
export function hasFeature(
  answers: Answers,
  workspace: WorkspaceRecord,
  feature: Answers['planFeatures'][Plan][number],
): boolean {
  return answers.planFeatures[workspace.plan].includes(feature)
}
