// The limits of every plan, and the features it includes.
import { ApiError, errorKinds, type ErrorKind, type LimitName } from './errors.ts'
import type { Plan } from './identity.ts'
import { bulkRowsPerJob as jobRows, bulkRowsPerRequest, everyPlan } from './limits.ts'
import type { Answers } from './questions/register.ts'
import { getOrInsert } from './data/maps.ts'
import type { WorkspaceRecord } from './workspaces.ts'

export type PlanLimits = Readonly<Record<LimitName, Readonly<Record<Plan, number | null>>>>

/** Null is unlimited. Source: contract, Limits. Assumption: scalePlan, bulkInsertPerMinute, requestsPerMonth, maxFileBytes, spacesLimit, listsLimit */
export const planLimits = (answers: Answers): PlanLimits => ({
  bulkRowsPerRequest: everyPlan(bulkRowsPerRequest),
  bulkRowsPerJob: { free: 0, pro: jobRows, business: jobRows, scale: answers.scalePlan.bulkRowsPerJob },
  concurrentBulkJobs: { free: 0, pro: 1, business: 5, scale: answers.scalePlan.concurrentBulkJobs },
  bulkInsertPerMinute: answers.bulkInsertPerMinute,
  requestsPerMonth: answers.requestsPerMonth,
  spaces: answers.spacesLimit,
  lists: answers.listsLimit,
  maxFileBytes: answers.maxFileBytes,
})

const tables = new WeakMap<Answers, PlanLimits>()

/** The current limit of a workspace; null is unlimited. */
export function limitOf(answers: Answers, workspace: WorkspaceRecord, name: LimitName): number | null {
  const override = workspace.limits[name]
  if (override !== undefined) return override
  return getOrInsert(tables, answers, () => planLimits(answers))[name][workspace.plan]
}

type LimitedKind = {
  [Kind in ErrorKind]: (typeof errorKinds)[Kind] extends { readonly limit: LimitName } ? Kind : never
}[ErrorKind]

/**
 * Refuses a request that exceeds a limit of the workspace.
 * @param current what is requested, this request included, or already in use; see {@link errorKinds}
 * @param retryAfter in seconds
 * @throws {ApiError} of this kind
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

/** Whether the workspace's plan includes a feature. Assumption: planFeatures */
export function hasFeature(
  answers: Answers,
  workspace: WorkspaceRecord,
  feature: Answers['planFeatures'][Plan][number],
): boolean {
  return answers.planFeatures[workspace.plan].includes(feature)
}
