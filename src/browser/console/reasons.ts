// Why a request was refused: the rule of the contract, the state behind it, and what helps.
import { errorKinds, type ErrorKind, type LimitName } from '../../contract/errors.ts'
import { Plan } from '../../contract/identity.ts'
import { defaultScopes } from '../../contract/scopes.ts'
import type { WorkspaceOverview } from '../../controls/inspect.ts'
import type { FaultState } from '../../core/faults.ts'
import type { JournalEntry } from '../../core/journal/entry.ts'
import type { Line } from './live.ts'
import { durationText, limitText, limitTexts, momentText, wordsOf } from './format.ts'
import type { SandboxControls } from './source.ts'
import { faultText } from './views/faults/fault-text.ts'

/** Something that lets the request succeed, to be followed by sending it again. */
export interface Remedy {
  readonly label: string
  run(controls: SandboxControls): Promise<unknown>
  /** The key to send it with, in place of its own. */
  readonly key?: string
}

export interface Reason {
  readonly title: string
  readonly rule: string
  readonly facts: readonly string[]
  readonly remedies: readonly Remedy[]
}

/** What is known besides the request itself. */
export interface Surroundings {
  readonly workspaces: readonly WorkspaceOverview[]
  /** Those that are set. */
  readonly faults: readonly FaultState[]
  readonly usedFaults: readonly FaultState[]
  /** Requests of the same sandbox. */
  readonly lines: readonly Line[]
}

type Part = Pick<Reason, 'facts' | 'remedies'>

interface Case extends Surroundings {
  readonly entry: JournalEntry
  readonly kind: ErrorKind
  readonly workspace: WorkspaceOverview | undefined
  readonly key: WorkspaceOverview['keys'][number] | undefined
}

const nothing: Part = { facts: [], remedies: [] }

const sectionOf = (kind: ErrorKind) =>
  'limit' in errorKinds[kind]
    ? 'Limits'
    : ['unauthenticated', 'suspended', 'scope'].includes(kind)
      ? 'Authentication'
      : 'Errors'

function bodyOf({ responseBody }: JournalEntry): Readonly<Record<string, unknown>> {
  const json = responseBody && 'json' in responseBody ? responseBody.json : null
  return typeof json === 'object' && json !== null ? (json as Record<string, unknown>) : {}
}

const nothingToDo = () => Promise.resolve()

function retryRemedy({ responseHeaders }: JournalEntry): readonly Remedy[] {
  const seconds = Number(responseHeaders['retry-after'])
  if (!(seconds > 0)) return []
  const ms = seconds * 1000
  return [
    { label: `Move the clock by ${durationText(ms)}`, run: (controls) => controls.clock.advance({ ms }) },
  ]
}

/** A limit over time says with Retry-After when there is room again. */
function resetText({ atMs, responseHeaders }: JournalEntry, name: LimitName): string {
  const seconds = Number(responseHeaders['retry-after'])
  if (!(seconds > 0)) return ''
  const moment = momentText(atMs + seconds * 1000)
  return name === 'concurrentBulkJobs' ? ` The first job ends at ${moment}.` : ` Resets at ${moment}.`
}

function limitPart({ entry, workspace }: Case, name: LimitName): Part {
  const { limit, current } = bodyOf(entry)
  if (typeof limit !== 'number' || typeof current !== 'number') return nothing
  const now = workspace?.limits[name]
  const raised = Math.max(current + 1, limit * 2, (workspace?.usage[name]?.used ?? 0) + 1)
  const isWithin = now !== undefined && (now.limit === null || now.limit >= raised)
  return {
    facts: [
      `${limitTexts[name]}: ${limitText(name, current)} counted, ${limitText(name, limit)} allowed${now?.overridden ? '' : ` on plan ${workspace?.plan ?? ''}`}.${resetText(entry, name)}`,
      ...(now && now.limit !== limit ? [`The limit is ${limitText(name, now.limit)} now.`] : []),
    ],
    remedies: [
      ...(workspace && !isWithin
        ? [
            {
              label: `Raise the limit to ${limitText(name, raised)}`,
              run: (controls: SandboxControls) =>
                controls.changeWorkspace({ workspaceId: workspace.id, limits: { [name]: raised } }),
            },
          ]
        : []),
      ...(limit > 0 ? retryRemedy(entry) : []),
    ],
  }
}

function planPart({ workspace }: Case): Part {
  if (!workspace) return nothing
  const { id, plan } = workspace
  const above = Plan.options.slice(Plan.options.indexOf(plan) + 1)
  return {
    facts: [`The plan is ${plan}.`],
    remedies: above.map((better) => ({
      label: `Change to plan ${better}`,
      run: (controls) => controls.changeWorkspace({ workspaceId: id, plan: better }),
    })),
  }
}

/** To send it with a master key of a workspace. */
function masterRemedies(workspace: WorkspaceOverview | undefined): readonly Remedy[] {
  const master = workspace?.keys.find(({ kind, suspended }) => kind === 'master' && !suspended)
  return master ? [{ label: `Use key ${master.name}`, key: master.id, run: nothingToDo }] : []
}

function scopePart({ entry, key, workspace }: Case): Part {
  if (!key || entry.operation === null) return nothing
  const needed = defaultScopes[entry.operation]
  return {
    facts: [
      `${entry.operation} needs ${needed}; key ${key.name} has ${key.scopes.join(', ') || 'no scope'}.`,
    ],
    remedies: masterRemedies(workspace),
  }
}

const commentPart = ({ key, workspace }: Case): Part => ({
  facts: key ? [`Key ${key.name} is scoped: it changes only comments of its own.`] : [],
  remedies: masterRemedies(workspace),
})

/** Ends the timer as of now. */
function entryPart({ entry: { params } }: Case): Part {
  const { taskId = '', entryId = '' } = params
  const run = async (controls: SandboxControls) => {
    const { now } = await controls.clock.read()
    const { timeEntries } = await controls.inspect.task(taskId)
    const start = timeEntries.find(({ id }) => id === entryId)?.date_start ?? now
    const values = { is_running: 0, date_end: now, duration: now - start }
    await controls.db.change('timeEntries', entryId, { values })
  }
  return { facts: [`Time entry ${entryId} was running.`], remedies: [{ label: 'Stop the entry', run }] }
}

function lockPart({ entry, workspace }: Case): Part {
  const ids = Object.values(entry.params)
  const table = workspace?.tables.find(({ id }) => ids.includes(id))
  if (!table) return nothing
  return {
    facts: [`Table ${table.name} (${table.id}) is ${table.locked ? 'locked' : 'no longer locked'}.`],
    remedies: table.locked
      ? [{ label: 'Unlock it', run: (controls) => controls.lockTable(table.id, false) }]
      : [],
  }
}

/** A deleted task stays for 30 days as one that was changed. */
const deletes = ({ operation, changes }: Line, id: string) =>
  changes.some((it) => it.id === id && (it.change === 'deleted' || operation === 'deleteTask'))

function idText({ entry, workspaces, lines, workspace }: Case, id: string): string {
  const deletion = lines.findLast((line) => deletes(line, id))
  if (deletion) return `${id} was deleted by request ${String(deletion.id)}.`
  const owner = workspaces.find(({ tables, lists, forms, jobs }) =>
    [...tables, ...lists, ...forms, ...jobs].some((record) => record.id === id),
  )
  if (owner && owner !== workspace)
    return `${id} belongs to workspace ${owner.name}, not to that of key ${entry.key ?? ''}.`
  return owner
    ? `${id} exists.`
    : `${id} is not among the tables, lists, forms and jobs, and no request deleted it.`
}

function missingPart(it: Case): Part {
  const { entry, lines } = it
  const hint = entry.responseHeaders['x-mock-hint']
  const ids = Object.values(entry.params)
  const { taskId = '' } = entry.params
  const isDeleted = lines.some((line) => line.operation === 'deleteTask' && deletes(line, taskId))
  return {
    facts: hint === undefined ? ids.map((id) => idText(it, id)) : [],
    remedies: isDeleted
      ? [{ label: `Restore ${taskId}`, run: (controls: SandboxControls) => controls.restoreTask(taskId) }]
      : [],
  }
}

const keyPart = ({ workspaces: [first] }: Case): Part => ({ ...nothing, remedies: masterRemedies(first) })

function suspendedPart({ key, entry }: Case): Part {
  if (!key) return { ...nothing, facts: [`Key ${entry.key ?? ''} is suspended.`] }
  return {
    facts: [`Key ${key.name} is ${key.suspended ? 'suspended' : 'active now'}.`],
    remedies: key.suspended
      ? [
          {
            label: 'Reactivate the key',
            run: (controls: SandboxControls) => controls.suspendKey(key.id, false),
          },
        ]
      : [],
  }
}

function billingPart({ workspace }: Case): Part {
  if (!workspace) return nothing
  return {
    facts: [`Billing of ${workspace.name} is ${workspace.billing === 'ok' ? 'current now' : 'lapsed'}.`],
    remedies:
      workspace.billing === 'ok'
        ? []
        : [
            {
              label: 'Mark billing as current',
              run: (controls) => controls.changeWorkspace({ workspaceId: workspace.id, billing: 'ok' }),
            },
          ],
  }
}

function faultPart({
  fault,
  faults,
  usedFaults,
  entry,
}: Surroundings & { readonly fault: string; readonly entry: JournalEntry }): Part {
  const set = faults.find(({ id }) => id === fault)
  const used = usedFaults.find(({ id }) => id === fault)
  return {
    facts: [
      ...(set ? [`${fault}: ${faultText(set)}`] : []),
      ...(used ? [`${fault}: ${faultText(used)} It is no longer set.`] : []),
    ],
    remedies: [
      ...(set
        ? [{ label: `Remove ${fault}`, run: (controls: SandboxControls) => controls.removeFault(fault) }]
        : []),
      ...retryRemedy(entry),
    ],
  }
}

const parts: Partial<Record<ErrorKind, (it: Case) => Part>> = {
  unauthenticated: keyPart,
  suspended: suspendedPart,
  billing: billingPart,
  scope: scopePart,
  apiFeature: planPart,
  asyncBulk: planPart,
  lockedTable: lockPart,
  foreignComment: commentPart,
  runningEntry: entryPart,
  notFound: missingPart,
}

/** Undefined where a request was answered as usual. */
export function reasonOf(entry: JournalEntry, around: Surroundings): Reason | undefined {
  const { refusal: kind, fault, key: name, status } = entry
  if (kind === null && status !== 0 && fault === null) return undefined
  const workspace =
    around.workspaces.find(({ keys }) => keys.some((key) => key.name === name)) ?? around.workspaces[0]
  const key = workspace?.keys.find((candidate) => candidate.name === name)
  const title = kind === null ? (status === 0 ? 'connection broken' : 'slow') : wordsOf(kind)
  const rule = kind === null ? '' : `${errorKinds[kind].when}. Contract, ${sectionOf(kind)}.`
  if (fault !== null) {
    const part = faultPart({ ...around, fault, entry })
    return {
      title: `${title}, by ${fault}`,
      rule,
      ...part,
      facts: [...part.facts, name === null ? 'The fault came before the key was read.' : `Key: ${name}.`],
    }
  }
  if (kind === null) return undefined
  const spec = errorKinds[kind]
  const it: Case = { ...around, entry, kind, workspace, key }
  const { error: message } = bodyOf(entry)
  const isRunning = entry.operation === 'updateTimeEntry' && String(message).includes('running')
  const part = parts[isRunning ? 'runningEntry' : kind]
  const own = part?.(it) ?? ('limit' in spec ? limitPart(it, spec.limit) : nothing)
  const hint = entry.responseHeaders['x-mock-hint']
  return {
    title,
    rule,
    facts: [
      ...(typeof message === 'string' ? [message] : []),
      ...own.facts,
      ...(hint === undefined ? [] : [`Hint: ${hint}`]),
    ],
    remedies: own.remedies,
  }
}
