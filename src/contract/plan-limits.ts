// The limits of every plan.
import type { LimitName } from './errors.ts'
import type { Plan } from './identity.ts'
import { bulkRowsPerJob as jobRows, bulkRowsPerRequest } from './limits.ts'
import type { Answers } from './questions/register.ts'

export type PlanLimits = Readonly<Record<LimitName, Readonly<Record<Plan, number | null>>>>

const everyPlan = (value: number) => ({ free: value, pro: value, business: value, scale: value })

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
