// Workspaces, their members, and their usage of limits.
import type { LimitName } from '../../contract/errors.ts'
import type { Member } from '../../contract/schema/common.ts'
import type { WorkspaceRecord } from '../../contract/workspaces.ts'
import type { Store } from '../store/store.ts'
import { findRunningJobs } from './jobs.ts'
import { getBulkWindow, getMonthWindow, type LimitUsage } from './rate-limits.ts'
import type { Handlers } from './request.ts'

export function memberOf(workspace: WorkspaceRecord, id: string): Member | undefined {
  return workspace.members.find((member) => member.id === id)
}

/** A former member's name is unknown, so the id stands in for it. */
export function nameOfMember(workspace: WorkspaceRecord, id: string): string {
  return memberOf(workspace, id)?.name ?? id
}

/** Usage of the limits that count across requests. */
export function usageOf(store: Store, workspace: WorkspaceRecord): Partial<Record<LimitName, LimitUsage>> {
  const spaces = store.spaces.ownedBy(workspace.id)
  const { used, resetsAtMs } = getMonthWindow(store, workspace)
  return {
    concurrentBulkJobs: findRunningJobs(store, workspace),
    bulkInsertPerMinute: getBulkWindow(store, workspace),
    requestsPerMonth: { used, resetsAtMs },
    spaces: { used: spaces.length },
    lists: { used: spaces.reduce((most, { id }) => Math.max(most, store.lists.ownedBy(id).length), 0) },
  }
}

export const workspaceHandlers = {
  getIdentity: ({ workspace: { id, name, plan, members } }) => ({ workspace: { id, name, plan }, members }),
} satisfies Partial<Handlers>
