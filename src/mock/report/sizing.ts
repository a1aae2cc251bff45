// Rules about the size of bulk requests and jobs. Source: contract, Limits (sizing guidance).
import { countText } from '../../contract/text/format.ts'
import { bulkRowsPerRequest } from '../../contract/limits.ts'
import type { RuleId } from '../../contract/client-rules.ts'
import type { OperationId } from '../../contract/index.ts'
import { hasFeature, limitOf } from '../../contract/plan-limits.ts'
import type { TableRecord } from '../../contract/datatables.ts'
import type { WorkspaceRecord } from '../../contract/workspaces.ts'
import { isObject } from '../../contract/data/objects.ts'
import type { BegunExchange } from '../requests/exchange.ts'
import type { Findings } from './findings.ts'
import { clientOf, History } from './history.ts'
import { idOf, parseJsonObject } from './request.ts'

/** Bulk requests within this time belong to one import. */
const minuteMs = 60_000
const bulkRequestsOfImport = 3
/** A job submitted within this time after the previous job ended continues that job's import. */
const nextJobMs = 60_000
const bulkRequestsRemembered = 100

interface SentRows {
  readonly exchange: BegunExchange
  readonly table: TableRecord
  readonly workspace: WorkspaceRecord
  readonly rows: number
  /** Identifies one client's imports into one table. */
  readonly cause: string
}

interface BulkRequest {
  readonly id: number
  /** Milliseconds, excluding what polls added. */
  readonly ms: number
  readonly rows: number
}

/** Successive jobs into one table. */
interface Import {
  readonly requests: number[]
  readonly rows: number
  readonly jobId: string
  readonly atMs: number
  /** The request of the only job so far, if its rows would have fit into a bulk request. */
  readonly small: number | undefined
}

function sentRowsOf(exchange: BegunExchange): SentRows | undefined {
  const { store, json } = exchange
  const rows = isObject(json) ? json.rows : undefined
  const table = store.tables.get(idOf(exchange, 'tableId'))
  const workspace = table && store.workspaces.get(table.workspace_id)
  if (!Array.isArray(rows) || !workspace) return undefined
  return { exchange, table, workspace, rows: rows.length, cause: `${table.id} ${clientOf(exchange)}` }
}

/** Whether the key's scopes allow the operation, so that the client had a choice. */
function hasScopeFor({ exchange: { store, principal } }: SentRows, operation: OperationId): boolean {
  const key = principal?.key
  return key !== undefined && (key.kind === 'master' || key.scopes.includes(store.answers.scopes[operation]))
}

/** Maximum number of rows in one job; 0 on a plan without jobs. */
function jobCapacityOf({ exchange: { store }, workspace }: SentRows): number {
  const { answers } = store
  if (!hasFeature(answers, workspace, 'asyncBulk') || limitOf(answers, workspace, 'concurrentBulkJobs') === 0)
    return 0
  return limitOf(answers, workspace, 'bulkRowsPerJob') ?? Infinity
}

function bulkCapacityOf({ exchange: { store }, workspace }: SentRows): number {
  return Math.min(
    bulkRowsPerRequest,
    limitOf(store.answers, workspace, 'bulkRowsPerRequest') ?? bulkRowsPerRequest,
  )
}

/** Rules bulk-oversize, bulk-for-job, job-for-bulk and job-oversized-split. Only requests that were carried out count. */
export class SizingRules {
  readonly #findings: Findings
  readonly #bulkRequests = new History<readonly BulkRequest[]>()
  readonly #imports = new History<Import>()

  constructor(findings: Findings) {
    this.#findings = findings
  }

  add(exchange: BegunExchange): void {
    const { operation, status, isInjected } = exchange
    const isJob = operation === 'submitInsertJob'
    if (!isJob && operation !== 'bulkInsertRows') return
    if (status !== 413 && status !== (isJob ? 202 : 200)) return
    const sent = sentRowsOf(exchange)
    if (!sent) return
    if (status !== 413) {
      if (isJob) this.#addJob(sent)
      else this.#addBulkRequest(sent)
    } else if (!isInjected) this.#addOversize(sent)
  }

  /** Adds a breach only if the rows were too many, because a 413 can also mean too many bytes. */
  #addOversize({ exchange, table, rows }: SentRows): void {
    const { operation } = exchange
    const facts = parseJsonObject(exchange.response.body)
    const resource = facts?.resource
    if (resource !== 'bulkRowsPerRequest' && resource !== 'bulkRowsPerJob') return
    const text = `${String(operation)} sent ${countText(rows, 'row')} to ${table.id} at once; ${resource} is ${String(facts?.limit)}`
    this.#findings.add(exchange, 'bulk-oversize', String(operation), text)
  }

  #addBulkRequest(sent: SentRows): void {
    const { exchange, table, rows, cause } = sent
    // A job can only insert.
    if (isObject(exchange.json) && exchange.json.mode === 'upsert') return
    const { id } = exchange
    const { ms } = exchange.moment
    const recent = (this.#bulkRequests.get(exchange, table.id) ?? []).filter(
      (request) => request.ms <= ms && request.ms > ms - minuteMs,
    )
    const requests = [...recent.slice(1 - bulkRequestsRemembered), { id, ms, rows }]
    this.#bulkRequests.set(exchange, table.id, requests)
    const total = requests.reduce((sum, request) => sum + request.rows, 0)
    if (requests.length < bulkRequestsOfImport || total <= bulkCapacityOf(sent)) return
    if (jobCapacityOf(sent) === 0 || !hasScopeFor(sent, 'submitInsertJob')) return
    const text = `${table.id} got ${String(total)} rows in ${String(requests.length)} bulk requests within a minute`
    const before = requests.slice(0, -1).map((request) => request.id)
    this.#findings.add(exchange, 'bulk-for-job', cause, text, before)
  }

  #addJob(sent: SentRows): void {
    const { exchange, table, rows, cause } = sent
    const former = this.#importBefore(sent)
    const total = (former?.rows ?? 0) + rows
    const isSplit = total <= jobCapacityOf(sent)
    const add = (rule: RuleId, text: string, context: readonly number[] = []) =>
      this.#findings.add(exchange, rule, cause, text, context)
    if (isSplit && former) {
      const jobs = String(former.requests.length + 1)
      const what = `${table.id} got ${countText(total, 'row')} in ${jobs} successive jobs`
      add('job-oversized-split', what, former.requests)
    }
    // An import larger than one job starts or ends with a smaller job for the remainder.
    if (!isSplit && former?.small !== undefined) this.#findings.withdraw('job-for-bulk', cause, former.small)
    const isSmall = isSplit && rows <= bulkCapacityOf(sent) && hasScopeFor(sent, 'bulkInsertRows')
    if (isSmall) add('job-for-bulk', `A job of ${countText(rows, 'row')} was submitted to ${table.id}`)
    this.#imports.set(exchange, table.id, {
      requests: [...(former?.requests ?? []), exchange.id].slice(-bulkRequestsRemembered),
      rows: total,
      jobId: String(parseJsonObject(exchange.response.body)?.job_id),
      atMs: exchange.atMs,
      small: isSmall && !former ? exchange.id : undefined,
    })
  }

  /** The import that the job continues: its last job is still running, or ended within the last minute. */
  #importBefore({ exchange, table }: SentRows): Import | undefined {
    const former = this.#imports.get(exchange, table.id)
    if (!former || exchange.atMs < former.atMs) return undefined
    const job = exchange.store.jobs.get(former.jobId)
    const endedMs = job ? job.completed_ms : former.atMs
    return endedMs === null || exchange.atMs - endedMs <= nextJobMs ? former : undefined
  }
}
