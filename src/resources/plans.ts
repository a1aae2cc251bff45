// Owns the limits of every plan as a table, and which limit holds for a workspace.
import { bulkRowsPerJob as jobRows, bulkRowsPerRequest } from '../contract/limits.ts'
import type { LimitName } from '../contract/errors.ts'
import type { Plan } from '../contract/identity.ts'
import type { Answers } from '../contract/questions/register.ts'
import type { WorkspaceRecord } from '../contract/workspaces.ts'

type PlanTable = Record<LimitName, Record<Plan, number | null>>

const everyPlan = (value: number) => ({ free: value, pro: value, business: value, scale: value })

/** Source: contract, Limits. Assumption: scalePlan, bulkInsertPerMinute, requestsPerMonth, maxFileBytes, spacesLimit, listsLimit */
const planTable = (answers: Answers): PlanTable => ({
  bulkRowsPerRequest: everyPlan(bulkRowsPerRequest),
  bulkRowsPerJob: { free: 0, pro: jobRows, business: jobRows, scale: answers.scalePlan.bulkRowsPerJob },
  concurrentBulkJobs: { free: 0, pro: 1, business: 5, scale: answers.scalePlan.concurrentBulkJobs },
  bulkInsertPerMinute: answers.bulkInsertPerMinute,
  requestsPerMonth: answers.requestsPerMonth,
  spaces: answers.spacesLimit,
  lists: answers.listsLimit,
  maxFileBytes: answers.maxFileBytes,
})

const tables = new WeakMap<Answers, PlanTable>()

/** The limit in force for a workspace; null is unlimited. */
export function limitOf(answers: Answers, workspace: WorkspaceRecord, name: LimitName): number | null {
  const override = workspace.limits[name]
  if (override !== undefined) return override
  let table = tables.get(answers)
  if (!table) tables.set(answers, (table = planTable(answers)))
  return table[name][workspace.plan]
}

/** Whether the workspace's plan includes a feature. Assumption: planFeatures */
export function hasFeature(
  answers: Answers,
  workspace: WorkspaceRecord,
  feature: 'api' | 'asyncBulk',
): boolean {
  return answers.planFeatures[workspace.plan].includes(feature)
}
