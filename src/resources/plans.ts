// Which limit applies to a workspace, and which features its plan includes.
import type { LimitName } from '../contract/errors.ts'
import { planLimits, type PlanLimits } from '../contract/plan-limits.ts'
import type { Answers } from '../contract/questions/register.ts'
import type { WorkspaceRecord } from '../contract/workspaces.ts'

const tables = new WeakMap<Answers, PlanLimits>()

/** The current limit of a workspace; null is unlimited. */
export function limitOf(answers: Answers, workspace: WorkspaceRecord, name: LimitName): number | null {
  const override = workspace.limits[name]
  if (override !== undefined) return override
  let table = tables.get(answers)
  if (!table) tables.set(answers, (table = planLimits(answers)))
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
