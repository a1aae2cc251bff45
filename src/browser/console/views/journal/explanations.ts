// What can be said about each kind of error: facts from the current state, and remedies.
import { isObject } from '../../../../contract/data/objects.ts'
import type { ErrorKind, LimitName } from '../../../../contract/errors.ts'
import { plans } from '../../../../contract/limits.ts'
import { defaultScopes } from '../../../../contract/scopes.ts'
import type { WorkspaceOverview } from '../../../../controls/inspect/inspect.ts'
import type { FaultState } from '../../../../core/faults.ts'
import type { JournalEntry } from '../../../../core/journal/entry.ts'
import { durationText, limitText, limitTexts, momentText } from '../../format.ts'
import type { RequestRow } from '../../live-state.ts'
import type { SandboxControls } from '../../source.ts'

/** An action after which the request succeeds when it is sent again. */
export interface Remedy {
  readonly label: string
  run(controls: SandboxControls): Promise<unknown>
  /** The key to send it with instead of its own. */
  readonly key?: string
}

export interface SandboxState {
  readonly workspaces: readonly WorkspaceOverview[]
  readonly faults: readonly FaultState[]
  readonly usedFaults: readonly FaultState[]
  readonly requests: readonly RequestRow[]
}

export interface Explanation {
  readonly facts?: readonly (string | false | undefined)[]
  readonly remedies?: readonly (Remedy | false | undefined)[]
}

export interface RefusedRequest extends SandboxState {
  readonly entry: JournalEntry
  readonly kind: ErrorKind
  readonly workspace: WorkspaceOverview
  readonly key: WorkspaceOverview['keys'][number] | undefined
}

export function errorBodyOf({ responseBody }: JournalEntry): Readonly<Record<string, unknown>> {
  const json = responseBody && 'json' in responseBody ? responseBody.json : null
  return isObject(json) ? json : {}
}

/** The Retry-After of a response; NaN without one. */
const retryMsOf = ({ responseHeaders }: JournalEntry) => Number(responseHeaders['retry-after']) * 1000

export function retryRemedy(entry: JournalEntry): Remedy | false {
  const ms = retryMsOf(entry)
  const label = `Advance the clock by ${durationText(ms)}`
  return ms > 0 && { label, run: ({ clock }) => clock.advance({ ms }) }
}

export function explainLimit({ entry, workspace }: RefusedRequest, name: LimitName): Explanation {
  const { limit, current } = errorBodyOf(entry)
  if (typeof limit !== 'number' || typeof current !== 'number') return {}
  const { id: workspaceId, plan, limits, usage } = workspace
  const now = limits[name]
  const raised = Math.max(current + 1, limit * 2, (usage[name]?.used ?? 0) + 1)
  const of = now.overridden ? '' : ` on plan ${plan}`
  const retryMs = retryMsOf(entry)
  const end = name === 'concurrentBulkJobs' ? 'The first job ends' : 'Resets'
  const reset = retryMs > 0 ? ` ${end} at ${momentText(entry.atMs + retryMs)}.` : ''
  const raise: Remedy = {
    label: `Raise the limit to ${limitText(name, raised)}`,
    run: (controls) => controls.changeWorkspace({ workspaceId, limits: { [name]: raised } }),
  }
  return {
    facts: [
      `${limitTexts[name]}: ${limitText(name, current)} counted, ${limitText(name, limit)} allowed${of}.${reset}`,
      now.limit !== limit && `The limit is ${limitText(name, now.limit)} now.`,
    ],
    remedies: [now.limit !== null && now.limit < raised && raise, limit > 0 && retryRemedy(entry)],
  }
}

const explainPlan = ({ workspace: { id: workspaceId, plan: current } }: RefusedRequest): Explanation => ({
  facts: [`The plan is ${current}.`],
  remedies: plans.slice(plans.indexOf(current) + 1).map((plan) => ({
    label: `Change to plan ${plan}`,
    run: (controls) => controls.changeWorkspace({ workspaceId, plan }),
  })),
})

function masterKeyRemedy({ keys }: WorkspaceOverview): Remedy | undefined {
  const master = keys.find(({ kind, suspended }) => kind === 'master' && !suspended)
  return master && { label: `Use key ${master.name}`, key: master.id, run: () => Promise.resolve() }
}

/** Of an edit that needs a stopped time entry, whichever status it got. */
function explainRunningEntry({ entry: { params } }: RefusedRequest): Explanation {
  const { taskId = '', entryId = '' } = params
  const run = async (controls: SandboxControls) => {
    const { now } = await controls.clock.read()
    const { timeEntries } = await controls.inspect.task(taskId)
    const start = timeEntries.find(({ id }) => id === entryId)?.date_start ?? now
    const values = { is_running: 0, date_end: now, duration: now - start }
    await controls.db.change('timeEntries', entryId, { values })
  }
  return { facts: [`Time entry ${entryId} was running.`], remedies: [{ label: 'Stop the time entry', run }] }
}

/** Of a 404 without a hint: deleted records and those of other workspaces have one. */
const idText = ({ workspace: { tables, lists, forms, jobs } }: RefusedRequest, id: string) =>
  [...tables, ...lists, ...forms, ...jobs].some((record) => record.id === id)
    ? `${id} exists.`
    : `${id} is not among the tables, lists, forms and jobs, and no request deleted it.`

/** Kinds explained by their limit are left out. */
export const explanations: Partial<Record<ErrorKind, (it: RefusedRequest) => Explanation>> = {
  apiFeature: explainPlan,
  asyncBulk: explainPlan,
  runningEntry: explainRunningEntry,
  unauthenticated: ({ workspace }) => ({ remedies: [masterKeyRemedy(workspace)] }),
  foreignComment: ({ key, workspace }) => ({
    facts: [key && `Key ${key.name} is scoped: it changes only comments of its own.`],
    remedies: [masterKeyRemedy(workspace)],
  }),
  scope: ({ entry: { operation }, key, workspace }) => {
    const { name = '', scopes = [] } = key ?? {}
    const held = `key ${name} has ${scopes.length > 0 ? scopes.join(', ') : 'no scope'}`
    return {
      facts: [operation !== null && `${operation} needs ${defaultScopes[operation]}; ${held}.`],
      remedies: [masterKeyRemedy(workspace)],
    }
  },
  suspended: ({ key }) => {
    const { id = '', name = '', suspended } = key ?? {}
    const run = (controls: SandboxControls) => controls.suspendKey(id, false)
    return {
      facts: [key && `Key ${name} is ${suspended ? 'suspended' : 'active now'}.`],
      remedies: [suspended && { label: 'Reactivate the key', run }],
    }
  },
  billing: ({ workspace: { id: workspaceId, name, billing } }) => {
    const run = (controls: SandboxControls) => controls.changeWorkspace({ workspaceId, billing: 'ok' })
    return {
      facts: [`Billing of ${name} is ${billing === 'ok' ? 'current now' : 'lapsed'}.`],
      remedies: [billing === 'lapsed' && { label: 'Mark billing as current', run }],
    }
  },
  lockedTable: ({ entry, workspace }) => {
    const ids = Object.values(entry.params)
    const { id = '', name = '', locked } = workspace.tables.find((table) => ids.includes(table.id)) ?? {}
    const run = (controls: SandboxControls) => controls.lockTable(id, false)
    return {
      facts: [id !== '' && `Table ${name} (${id}) is ${locked ? 'locked' : 'no longer locked'}.`],
      remedies: [locked && { label: 'Unlock the table', run }],
    }
  },
  notFound: (it) => {
    const { params, responseHeaders } = it.entry
    const { taskId = '' } = params
    const isDeleted = it.requests.some(
      ({ operation, changes }) => operation === 'deleteTask' && changes.some(({ id }) => id === taskId),
    )
    const run = (controls: SandboxControls) => controls.restoreTask(taskId)
    return {
      facts: 'x-mock-hint' in responseHeaders ? [] : Object.values(params).map((id) => idText(it, id)),
      remedies: [isDeleted && { label: `Restore ${taskId}`, run }],
    }
  },
}
