// Rate windows per workspace: bulk requests per minute, and requests per month.
import { assertWithin } from '../../contract/plan-limits.ts'
import type { WorkspaceRecord } from '../../contract/workspaces.ts'
import type { Store } from '../store/store.ts'

const windowMs = 60_000

/** Seconds for Retry-After, at least 1. */
export const countSecondsUntil = (momentMs: number, nowMs: number) =>
  Math.max(1, Math.ceil((momentMs - nowMs) / 1000))

interface Month {
  /** Its name, such as `2026-01`. */
  readonly name: string
  readonly startMs: number
  readonly endMs: number
}
/** The current month of each store's clock, cached because every request needs it. */
const months = new WeakMap<Store, Month>()

const getOwn = <T>(windows: Readonly<Record<string, T>>, id: string): T | undefined =>
  Object.hasOwn(windows, id) ? windows[id] : undefined

/** How much of a limit a workspace has used, for limits that count over several requests. */
export interface LimitUsage {
  readonly used: number
  /** When counting starts over, or when the first running job ends; absent if waiting frees nothing. */
  readonly resetsAtMs?: number
}

/** The bulk requests in the current window. Without one, `resetsAtMs` is absent: the next request opens a window. */
export function getBulkWindow(store: Store, { id }: WorkspaceRecord): LimitUsage {
  const nowMs = store.clock.nowMs()
  const open = getOwn(store.counters.windows.minute, id)
  // A clock set back before the window's start opens a new window: the old one would last too long.
  return open && nowMs >= open.start_ms && nowMs < open.start_ms + windowMs
    ? { used: open.count, resetsAtMs: open.start_ms + windowMs }
    : { used: 0 }
}

/** The requests in the UTC calendar month. */
export function getMonthWindow(store: Store, { id }: WorkspaceRecord) {
  const ms = store.clock.nowMs()
  let present = months.get(store)
  if (!present || ms < present.startMs || ms >= present.endMs) {
    const date = new Date(ms)
    const startOf = (offset: number) => Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + offset, 1)
    present = { name: date.toISOString().slice(0, 7), startMs: startOf(0), endMs: startOf(1) }
    months.set(store, present)
  }
  const { name, endMs } = present
  const open = getOwn(store.counters.windows.month, id)
  return { month: name, used: open?.month === name ? open.count : 0, resetsAtMs: endMs }
}

/** The window starts with its first counted request. Assumption: bulkInsertPerMinute. @throws {ApiError} bulkRate */
export function countBulkRequest(store: Store, workspace: WorkspaceRecord): void {
  const nowMs = store.clock.nowMs()
  const { used, resetsAtMs = nowMs + windowMs } = getBulkWindow(store, workspace)
  const current = used + 1
  store.counters.windows.minute[workspace.id] = { start_ms: resetsAtMs - windowMs, count: current }
  const message = (limit: string, wait: string) =>
    `bulkInsertPerMinute allows ${limit} bulk requests a minute on plan ${workspace.plan}; this is number ${String(current)}, retry in ${wait} s`
  const retryAfter = () => countSecondsUntil(resetsAtMs, nowMs)
  assertWithin(store.answers, workspace, 'bulkRate', current, message, retryAfter)
}

/** Assumption: requestsPerMonth. @throws {ApiError} monthlyRequests */
export function countMonthlyRequest(store: Store, workspace: WorkspaceRecord): void {
  const { month, used, resetsAtMs } = getMonthWindow(store, workspace)
  const current = used + 1
  store.counters.windows.month[workspace.id] = { month, count: current }
  const message = (limit: string) =>
    `requestsPerMonth allows ${limit} requests a month on plan ${workspace.plan}; this is number ${String(current)}`
  const retryAfter = () => countSecondsUntil(resetsAtMs, store.clock.nowMs())
  assertWithin(store.answers, workspace, 'monthlyRequests', current, message, retryAfter)
}
