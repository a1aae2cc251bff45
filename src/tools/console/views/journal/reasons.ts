// Why a request was refused, in short and at length: the rule of the contract, the state behind it, and remedies.
import { isObject } from '../../../../contract/data/objects.ts'
import { errorKinds, type ErrorKind, type LimitName } from '../../../../contract/errors.ts'
import { plans } from '../../../../contract/limits.ts'
import { defaultScopes } from '../../../../contract/scopes.ts'
import type { WorkspaceOverview } from '../../../control-api/inspect.ts'
import type { FaultState } from '../../../../mock/faults/faults.ts'
import type { JournalEntry } from '../../../../mock/journal/entry.ts'
import {
  formatQuantity,
  formatDuration,
  formatLimit,
  limitTexts,
  formatMoment,
  numberText,
  wordsOf,
} from '../../format.ts'
import type { RequestRow } from '../../live-state.ts'
import type { SandboxControls } from '../../source.ts'
import { describeFault } from '../faults/fault-text.ts'

type RunRemedy = (controls: SandboxControls) => Promise<unknown>

/** After it, the request succeeds when it is sent again, with another key if the remedy has one. */
export type Remedy = Readonly<{ label: string; run: RunRemedy; key?: string }>

export interface SandboxState {
  readonly workspaces: readonly WorkspaceOverview[]
  readonly faults: readonly FaultState[]
  readonly usedFaults: readonly FaultState[]
  readonly requests: readonly RequestRow[]
}

/** Facts as texts, and remedies; `false` and undefined are left out. */
type Explanation = readonly (string | Remedy | false | undefined)[]

interface RefusedRequest extends SandboxState {
  readonly entry: JournalEntry
  readonly kind: ErrorKind
  readonly workspace: WorkspaceOverview
  readonly key: WorkspaceOverview['keys'][number] | undefined
}

function errorBodyOf({ responseBody }: JournalEntry): Readonly<Record<string, unknown>> {
  const json = responseBody && 'json' in responseBody ? responseBody.json : null
  return isObject(json) ? json : {}
}

/** The Retry-After of a response; NaN without one. */
const retryMsOf = ({ responseHeaders }: JournalEntry) => Number(responseHeaders['retry-after']) * 1000

function proposeRetry(entry: JournalEntry): Remedy | false {
  const ms = retryMsOf(entry)
  const label = `Advance the clock by ${formatDuration(ms)}`
  return ms > 0 && { label, run: ({ clock }) => clock.advance({ ms }) }
}

function explainLimit({ entry, workspace }: RefusedRequest, name: LimitName): Explanation {
  const { limit, current } = errorBodyOf(entry)
  if (typeof limit !== 'number' || typeof current !== 'number') return []
  const { id: workspaceId, plan, limits, usage } = workspace
  const now = limits[name]
  const raised = Math.max(current + 1, limit * 2, (usage[name]?.used ?? 0) + 1)
  const of = now.overridden ? '' : ` on plan ${plan}`
  const retryMs = retryMsOf(entry)
  const end = name === 'concurrentBulkJobs' ? 'The first job ends' : 'Resets'
  const reset = retryMs > 0 ? ` ${end} at ${formatMoment(entry.atMs + retryMs)}.` : ''
  const run: RunRemedy = (controls) => controls.changeWorkspace({ workspaceId, limits: { [name]: raised } })
  return [
    `${limitTexts[name]}: ${formatLimit(name, current)} counted, ${formatLimit(name, limit)} allowed${of}.${reset}`,
    now.limit !== limit && `The limit is ${formatLimit(name, now.limit)} now.`,
    now.limit !== null &&
      now.limit < raised && { label: `Raise the limit to ${formatLimit(name, raised)}`, run },
    limit > 0 && proposeRetry(entry),
  ]
}

const explainPlan = ({ workspace: { id: workspaceId, plan: current } }: RefusedRequest): Explanation => [
  `The plan is ${current}.`,
  ...plans.slice(plans.indexOf(current) + 1).map((plan): Remedy => ({
    label: `Change to plan ${plan}`,
    run: (controls) => controls.changeWorkspace({ workspaceId, plan }),
  })),
]

function proposeMasterKey({ workspace: { keys } }: RefusedRequest): Remedy | undefined {
  const master = keys.find(({ kind, suspended }) => kind === 'master' && !suspended)
  return master && { label: `Use key ${master.name}`, key: master.id, run: () => Promise.resolve() }
}

/** Of an edit that needs a stopped time entry, whichever status it got. */
function explainRunningEntry({ entry: { params } }: RefusedRequest): Explanation {
  const { taskId = '', entryId = '' } = params
  const run: RunRemedy = async (controls) => {
    const { now } = await controls.clock.read()
    const { timeEntries } = await controls.inspect.task(taskId)
    const start = timeEntries.find(({ id }) => id === entryId)?.date_start ?? now
    const values = { is_running: 0, date_end: now, duration: now - start }
    await controls.db.change('timeEntries', entryId, { values })
  }
  return [`Time entry ${entryId} was running.`, { label: 'Stop the time entry', run }]
}

/** Of a 404 without a hint: deleted records and those of other workspaces have one. */
const describeId = ({ workspace: { tables, lists, forms, jobs } }: RefusedRequest, id: string) =>
  [...tables, ...lists, ...forms, ...jobs].some((record) => record.id === id)
    ? `${id} exists.`
    : `${id} is not among the tables, lists, forms and jobs, and no request deleted it.`

/** Kinds explained by their limit are left out. */
const explanations: Partial<Record<ErrorKind, (it: RefusedRequest) => Explanation>> = {
  apiFeature: explainPlan,
  asyncBulk: explainPlan,
  runningEntry: explainRunningEntry,
  unauthenticated: (it) => [proposeMasterKey(it)],
  foreignComment: (it) => [
    it.key && `Key ${it.key.name} is scoped: it changes only comments of its own.`,
    proposeMasterKey(it),
  ],
  scope: (it) => {
    const { operation } = it.entry
    const { name = '', scopes = [] } = it.key ?? {}
    const held = `key ${name} has ${scopes.length > 0 ? scopes.join(', ') : 'no scope'}`
    return [
      operation !== null && `${operation} needs ${defaultScopes[operation]}; ${held}.`,
      proposeMasterKey(it),
    ]
  },
  suspended: ({ key }) => [
    key && `Key ${key.name} is ${key.suspended ? 'suspended' : 'active now'}.`,
    key?.suspended && { label: 'Reactivate the key', run: (controls) => controls.suspendKey(key.id, false) },
  ],
  billing: ({ workspace: { id: workspaceId, name, billing } }) => {
    if (billing === 'ok') return [`Billing of ${name} is current now.`]
    const run: RunRemedy = (controls) => controls.changeWorkspace({ workspaceId, billing: 'ok' })
    return [`Billing of ${name} is lapsed.`, { label: 'Mark billing as current', run }]
  },
  lockedTable: ({ entry, workspace }) => {
    const ids = Object.values(entry.params)
    const table = workspace.tables.find(({ id }) => ids.includes(id))
    if (!table) return []
    const { id, name, locked } = table
    return [
      `Table ${name} (${id}) is ${locked ? 'locked' : 'no longer locked'}.`,
      locked && { label: 'Unlock the table', run: (controls) => controls.lockTable(id, false) },
    ]
  },
  notFound: (it) => {
    const { params, responseHeaders } = it.entry
    const { taskId = '' } = params
    const isDeleted = it.requests.some(
      ({ operation, changes }) => operation === 'deleteTask' && changes.some(({ id }) => id === taskId),
    )
    return [
      ...('x-mock-hint' in responseHeaders ? [] : Object.values(params).map((id) => describeId(it, id))),
      isDeleted && { label: `Restore ${taskId}`, run: (controls) => controls.restoreTask(taskId) },
    ]
  },
}

export const formatQuery = ({ query }: Pick<RequestRow, 'query'>) => {
  const text = new URLSearchParams(query).toString()
  return text === '' ? '' : `?${text}`
}

type Outcome = Pick<RequestRow, 'refusal' | 'status' | 'fault' | 'delayMs' | 'partial'>

/** What went wrong with a request; '' if it got its usual response. */
function describeFailure({ refusal, status, fault, delayMs, partial }: Outcome): string {
  if (refusal !== null) return wordsOf(refusal)
  if (status === 0) return 'connection broken'
  if (partial) return `${numberText(partial.failed)} of ${formatQuantity(partial.of, 'row')} failed`
  if (delayMs !== undefined) return `delayed ${formatDuration(delayMs)}`
  return fault === null ? '' : 'slow'
}

export const describeReason = (row: Outcome) =>
  (row.fault === null ? '' : `${row.fault}: `) + describeFailure(row)

export type Reason = NonNullable<ReturnType<typeof reasonOf>>

function describeRule(kind: ErrorKind): string {
  const isOfKeys = ['unauthenticated', 'suspended', 'scope'].includes(kind)
  const section = 'limit' in errorKinds[kind] ? 'Limits' : isOfKeys ? 'Authentication' : 'Errors'
  return `${errorKinds[kind].when}. Contract, ${section}.`
}

function explainFault({ faults, usedFaults }: SandboxState, entry: JournalEntry, id: string): Explanation {
  const isIt = (fault: FaultState) => fault.id === id
  const set = faults.find(isIt)
  const used = usedFaults.find(isIt)
  return [
    set && `${id}: ${describeFault(set)}`,
    used && `${id}: ${describeFault(used)} It is no longer set.`,
    entry.key === null ? 'The fault took effect before the key was read.' : `Key: ${entry.key}.`,
    set && { label: `Remove ${id}`, run: (controls) => controls.removeFault(id) },
    proposeRetry(entry),
  ]
}

function explainRefusal(it: RefusedRequest): Explanation {
  const { entry, kind } = it
  const { error: message } = errorBodyOf(entry)
  const isRunning = entry.breaches?.includes('edit-running') === true
  const explain = explanations[isRunning ? 'runningEntry' : kind]
  const spec = errorKinds[kind]
  const explanation = explain?.(it) ?? ('limit' in spec ? explainLimit(it, spec.limit) : [])
  const hint = entry.responseHeaders['x-mock-hint']
  return [typeof message === 'string' && message, ...explanation, hint !== undefined && `Hint: ${hint}`]
}

function explainPartialSuccess(entry: JournalEntry): Explanation {
  const { errors, metadata, error_message: message } = errorBodyOf(entry)
  if (isObject(metadata)) return [typeof message === 'string' && message]
  const all = (Array.isArray(errors) ? errors.filter(isObject) : []).map(
    ({ index, row, error, message: text }) => `Row ${String(index ?? row)}: ${String(error ?? text)}`,
  )
  return [...all.slice(0, 3), all.length > 3 && `and ${String(all.length - 3)} more`]
}

/** The workspace that has the key with a name. */
export const ownerOfKey = (name: string | null, { workspaces }: Pick<SandboxState, 'workspaces'>) =>
  workspaces.find(({ keys }) => keys.some((key) => key.name === name))

/** Undefined if the request got its usual response. */
export function reasonOf(entry: JournalEntry, state: SandboxState) {
  const { refusal: kind, fault, key: name } = entry
  const title = describeFailure(entry)
  if (title === '') return undefined
  const workspace = ownerOfKey(name, state) ?? state.workspaces[0]
  const key = workspace?.keys.find((each) => each.name === name)
  const explain = (): Explanation => {
    if (fault !== null) return explainFault(state, entry, fault)
    if (kind && workspace) return explainRefusal({ ...state, entry, kind, workspace, key })
    return entry.partial ? explainPartialSuccess(entry) : []
  }
  const explanation = explain()
  return {
    title: fault === null ? title : `${title}, by ${fault}`,
    rule: kind === null ? '' : describeRule(kind),
    facts: explanation.filter((each) => typeof each === 'string'),
    remedies: explanation.filter((each) => typeof each === 'object'),
  }
}
