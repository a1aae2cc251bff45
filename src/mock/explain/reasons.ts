// Explains why the API refused a request, as data: the contract's rule, the state behind it, and remedies.
import { isObject } from '../../contract/data/objects.ts'
import { errorKinds, type ErrorKind, type LimitName } from '../../contract/errors.ts'
import { plans } from '../../contract/limits.ts'
import { limitOf } from '../../contract/plan-limits.ts'
import { defaultScopes } from '../../contract/scopes.ts'
import { formatCount, formatDuration } from '../../contract/text/format.ts'
import { toLiteral } from '../../contract/text/literal.ts'
import type { KeyRecord, WorkspaceRecord } from '../../contract/types.d.ts'
import { usageOf } from '../../service/resources/workspaces.ts'
import { collectionOf, type Store } from '../../service/store/store.ts'
import { resourceNames } from '../../contract/resources.ts'
import type { JournalEntry } from '../journal/entry.ts'
import type { Sandbox } from '../sandboxes/sandbox.ts'

/** A step after which the request succeeds when sent again, with another key if the step names one. */
export interface Remedy {
  readonly label: string
  /** The step as a line of a test. */
  readonly code: string
  /** The step in the control API: the name of a control such as `lockTable`. Absent when the remedy is another key. */
  readonly control?: string
  readonly args: readonly unknown[]
  /** The value of the key to use. */
  readonly key?: string
}

export interface Reason {
  /** The contract's rule; '' if a fault caused the response, or if only some of several rows failed. */
  readonly rule: string
  readonly facts: readonly string[]
  readonly remedies: readonly Remedy[]
}

/** Creates a remedy, given source code for the controls that carry it out, such as `mock` or `mock.sandbox('x')`. */
type Proposal = (controls: string) => Remedy

/** Facts as text, and remedies; `false` and undefined are skipped. */
type Explanation = readonly (string | Proposal | false | undefined)[]

interface RefusedRequest {
  readonly entry: JournalEntry
  readonly store: Store
  readonly workspace: WorkspaceRecord
  readonly key: KeyRecord | undefined
}

/** @param call the call in a test, if it differs from the control API's */
const propose =
  (
    label: string,
    control: string,
    args: readonly unknown[],
    call = `${control}(${args.map((arg) => toLiteral(arg)).join(', ')})`,
  ): Proposal =>
  (controls) => ({ label, code: `${controls}.${call}`, control, args })

/** The JSON object in a response; empty if the body is anything else. */
export function errorBodyOf({ responseBody }: JournalEntry): Readonly<Record<string, unknown>> {
  const json = responseBody && 'json' in responseBody ? responseBody.json : null
  return isObject(json) ? json : {}
}

const formatMoment = (ms: number) => new Date(ms).toISOString().slice(0, 19).replace('T', ' ')

/** A response's Retry-After in milliseconds; NaN without one. */
const retryMsOf = ({ responseHeaders }: JournalEntry) => Number(responseHeaders['retry-after']) * 1000

function proposeRetry(entry: JournalEntry): Proposal | false {
  const ms = retryMsOf(entry)
  const label = `Advance the clock by ${formatDuration(ms)}`
  return ms > 0 && propose(label, 'clock.advance', [{ ms }], `clock.advance(${String(ms)})`)
}

const proposePlan = ({ id, plan: current }: WorkspaceRecord): Explanation => [
  `The plan is ${current}.`,
  ...plans
    .slice(plans.indexOf(current) + 1)
    .map((plan) =>
      propose(
        `Change to plan ${plan}`,
        'changeWorkspace',
        [{ workspaceId: id, plan }],
        `setPlan('${plan}', ${toLiteral(id)})`,
      ),
    ),
]

function explainLimit({ entry, store, workspace }: RefusedRequest, name: LimitName): Explanation {
  const { limit, current } = errorBodyOf(entry)
  if (typeof limit !== 'number' || typeof current !== 'number') return []
  const { id: workspaceId, plan } = workspace
  const now = limitOf(store.answers, workspace, name)
  const raised = Math.max(current + 1, limit * 2, (usageOf(store, workspace)[name]?.used ?? 0) + 1)
  const of = workspace.limits[name] === undefined ? ` on plan ${plan}` : ''
  const retryMs = retryMsOf(entry)
  const end = name === 'concurrentBulkJobs' ? 'The first job ends' : 'Resets'
  const reset = retryMs > 0 ? ` ${end} at ${formatMoment(entry.atMs + retryMs)}.` : ''
  const limits = { [name]: raised }
  return [
    `${name}: ${formatCount(current)} counted, ${formatCount(limit)} allowed${of}.${reset}`,
    now !== limit && `The limit is ${now === null ? 'unlimited' : formatCount(now)} now.`,
    now !== null &&
      now < raised &&
      propose(
        `Raise the limit to ${formatCount(raised)}`,
        'changeWorkspace',
        [{ workspaceId, limits }],
        `setLimits(${toLiteral(limits)}, ${toLiteral(workspaceId)})`,
      ),
    limit > 0 && proposeRetry(entry),
  ]
}

function proposeMasterKey({ store, workspace: { id } }: RefusedRequest): Proposal | undefined {
  const master = store.keys.ownedBy(id).find(({ kind, suspended }) => kind === 'master' && !suspended)
  // Only the mock has `keys`; a sandbox's controls do not.
  const code = `mock.keys[${toLiteral(master?.name)}]`
  return master && (() => ({ label: `Use key ${master.name}`, code, args: [], key: master.id }))
}

/** Explains why an edit of a running time entry was refused, whatever the error. */
function explainRunningEntry({ entry: { params }, store }: RefusedRequest): Explanation {
  const { entryId = '' } = params
  const now = store.clock.now()
  const start = store.timeEntries.get(entryId)?.date_start ?? now
  const values = { is_running: 0, date_end: now, duration: now - start }
  const call = `db.timeEntries.update((q) => q.where({ id: ${toLiteral(entryId)} }), { data: (entry) => void Object.assign(entry, ${toLiteral(values)}) })`
  const stop = propose('Stop the time entry', 'db.change', ['timeEntries', entryId, { values }], call)
  return [`Time entry ${entryId} was running.`, (controls) => stop(`await ${controls}`)]
}

/** Explanations by kind. Kinds whose limit or message explains enough are absent. */
const explanations: Partial<Record<ErrorKind, (it: RefusedRequest) => Explanation>> = {
  apiFeature: ({ workspace }) => proposePlan(workspace),
  asyncBulk: ({ workspace }) => proposePlan(workspace),
  runningEntry: explainRunningEntry,
  unauthenticated: (it) => [proposeMasterKey(it)],
  foreignComment: (it) => [
    it.key && `Key ${it.key.name} is scoped: it can change only its own comments.`,
    proposeMasterKey(it),
  ],
  scope: (it) => {
    const { operation } = it.entry
    const { name = '', scopes = [] } = it.key ?? {}
    const held = `key ${name} has ${scopes.length > 0 ? scopes.join(', ') : 'no scopes'}`
    return [
      operation !== null && `${operation} needs ${defaultScopes[operation]}; ${held}.`,
      proposeMasterKey(it),
    ]
  },
  suspended: ({ key }) => [
    key && `Key ${key.name} is ${key.suspended ? 'suspended' : 'active now'}.`,
    key?.suspended && propose('Reactivate the key', 'suspendKey', [key.id, false]),
  ],
  billing: ({ workspace: { id: workspaceId, name, billing } }) => {
    if (billing === 'ok') return [`Billing of ${name} is current now.`]
    const call = `lapseBilling(false, ${toLiteral(workspaceId)})`
    const change = [{ workspaceId, billing: 'ok' }]
    return [
      `Billing of ${name} has lapsed.`,
      propose('Mark billing as current', 'changeWorkspace', change, call),
    ]
  },
  lockedTable: ({ entry, store }) => {
    const table = store.tables.get(entry.params.tableId ?? '')
    if (!table) return []
    const { id, name, locked } = table
    return [
      `Table ${name} (${id}) is ${locked ? 'locked' : 'no longer locked'}.`,
      locked && propose('Unlock the table', 'lockTable', [id, false]),
    ]
  },
  notFound: ({ entry: { params, responseHeaders }, store }) => {
    const { taskId = '' } = params
    const isDeleted = (store.tasks.get(taskId)?.deleted_at ?? null) !== null
    const isThere = (id: string) => resourceNames.some((name) => collectionOf(store, name).get(id))
    return [
      // Deleted records and records of other workspaces get a hint instead.
      ...('x-mock-hint' in responseHeaders
        ? []
        : Object.values(params).map(
            (id) => `${id} ${isThere(id) ? 'exists' : 'is not the id of a record'}.`,
          )),
      isDeleted && propose(`Restore ${taskId}`, 'restoreTask', [taskId]),
    ]
  },
}

function describeRule(kind: ErrorKind): string {
  const isOfKeys = ['unauthenticated', 'suspended', 'scope'].includes(kind)
  const section = 'limit' in errorKinds[kind] ? 'Limits' : isOfKeys ? 'Authentication' : 'Errors'
  return `${errorKinds[kind].when}. Contract, ${section}.`
}

function explainFault({ faults }: Sandbox, entry: JournalEntry, id: string): Explanation {
  const isSet = faults.listStates().some((fault) => fault.id === id)
  return [
    `${id} is ${isSet ? 'still' : 'no longer'} set.`,
    entry.key === null ? 'The fault took effect before the key was read.' : `Key: ${entry.key}.`,
    isSet && propose(`Remove ${id}`, 'removeFault', [id]),
    proposeRetry(entry),
  ]
}

function explainRefusal(it: RefusedRequest, kind: ErrorKind): Explanation {
  const { entry } = it
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

/**
 * Returns null if the request got its usual response.
 * @param name the sandbox's name; undefined for the main state and for a boundary
 */
export function reasonOf(entry: JournalEntry, sandbox: Sandbox, name: string | undefined): Reason | null {
  const { refusal: kind, fault, key: keyName } = entry
  const { store } = sandbox
  const explain = (): Explanation | null => {
    if (fault !== null) return explainFault(sandbox, entry, fault)
    const key = store.keys.all().find((each) => each.name === keyName)
    const workspace = store.workspaces.get(key?.workspace_id ?? '') ?? store.workspaces.all()[0]
    if (kind && workspace) return explainRefusal({ entry, store, workspace, key }, kind)
    return entry.partial ? explainPartialSuccess(entry) : null
  }
  const explanation = explain()
  const controls = name === undefined ? 'mock' : `mock.sandbox(${toLiteral(name)})`
  return (
    explanation && {
      rule: kind === null ? '' : describeRule(kind),
      facts: explanation.filter((each) => typeof each === 'string'),
      remedies: explanation.filter((each) => typeof each === 'function').map((propose) => propose(controls)),
    }
  )
}
