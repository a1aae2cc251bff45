// How much a workspace has used of the limits that count over several requests.
import type { LimitName } from '../../contract/errors.ts'
import type { WorkspaceRecord } from '../../contract/workspaces.ts'
import type { Store } from '../store/store.ts'
import { findRunningJobs } from './jobs.ts'
import { getBulkWindow, getMonthWindow, type LimitUsage } from './rate-limits.ts'

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
