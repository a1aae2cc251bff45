// What a workspace has used of the limits that count over several requests.
import type { LimitName } from '../contract/errors.ts'
import type { WorkspaceRecord } from '../contract/workspaces.ts'
import type { Store } from '../store/store.ts'
import { endMs, runningJobs } from './jobs.ts'
import { bulkWindow, monthWindow } from './rate-limits.ts'

export interface LimitUsage {
  readonly used: number
  /** When counting starts over, or the first of what counts ends; absent if time alone frees nothing. */
  readonly resetsAtMs?: number
}

export function usageOf(store: Store, workspace: WorkspaceRecord): Partial<Record<LimitName, LimitUsage>> {
  const spaces = store.spaces.ownedBy(workspace.id)
  const jobs = runningJobs(store, workspace)
  const firstEndMs = Math.min(...jobs.map((job) => endMs(store.answers, job)))
  const { used, resetsAtMs } = monthWindow(store, workspace)
  return {
    concurrentBulkJobs: { used: jobs.length, ...(jobs.length > 0 && { resetsAtMs: firstEndMs }) },
    bulkInsertPerMinute: bulkWindow(store, workspace),
    requestsPerMonth: { used, resetsAtMs },
    spaces: { used: spaces.length },
    lists: { used: Math.max(0, ...spaces.map((space) => store.lists.ownedBy(space.id).length)) },
  }
}
