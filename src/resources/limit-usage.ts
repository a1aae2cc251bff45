// What a workspace uses of those limits that are counted over several requests.
import type { LimitName } from '../contract/errors.ts'
import type { WorkspaceRecord } from '../contract/workspaces.ts'
import type { Store } from '../store/store.ts'
import { endMs, runningJobs } from './jobs.ts'
import { bulkWindow, monthWindow } from './rate-limits.ts'

export interface LimitUsage {
  readonly used: number
  /** When it is counted anew, or the first of what counts ends; absent where time alone does not help. */
  readonly resetsAtMs?: number
}

export function usageOf(store: Store, workspace: WorkspaceRecord): Partial<Record<LimitName, LimitUsage>> {
  const { id } = workspace
  const lists = new Map<string, number>()
  for (const { space_id, workspace_id } of store.lists.all())
    if (workspace_id === id) lists.set(space_id, (lists.get(space_id) ?? 0) + 1)
  const jobs = runningJobs(store, workspace)
  const firstEndMs = Math.min(...jobs.map((job) => endMs(store.answers, job)))
  return {
    concurrentBulkJobs: { used: jobs.length, ...(jobs.length > 0 && { resetsAtMs: firstEndMs }) },
    bulkInsertPerMinute: bulkWindow(store, workspace),
    requestsPerMonth: monthWindow(store, workspace),
    spaces: { used: store.spaces.all().filter(({ workspace_id }) => workspace_id === id).length },
    lists: { used: Math.max(0, ...lists.values()) },
  }
}
