// Why a request was refused, in short and at length: the rule of the contract, the state behind it, and remedies.
import { isObject } from '../../../../contract/data/objects.ts'
import { errorKinds, type ErrorKind } from '../../../../contract/errors.ts'
import type { FaultState } from '../../../../core/faults.ts'
import type { JournalEntry } from '../../../../core/journal/entry.ts'
import { countText, durationText, numberText, wordsOf } from '../../format.ts'
import type { RequestRow } from '../../live-state.ts'
import { faultText } from '../faults/fault-text.ts'
import { errorBodyOf, explainLimit, explanations, retryRemedy } from './explanations.ts'
import type { Explanation, RefusedRequest, Remedy, SandboxState } from './explanations.ts'

export const queryText = ({ query }: Pick<RequestRow, 'query'>) => {
  const text = new URLSearchParams(query).toString()
  return text === '' ? '' : `?${text}`
}

type Outcome = Pick<RequestRow, 'refusal' | 'status' | 'fault' | 'delayMs' | 'partial'>

/** What went wrong with a request; '' if it got its usual response. */
function failureText({ refusal, status, fault, delayMs, partial }: Outcome): string {
  if (refusal !== null) return wordsOf(refusal)
  if (status === 0) return 'connection broken'
  if (partial) return `${numberText(partial.failed)} of ${countText(partial.of, 'row')} failed`
  if (delayMs !== undefined) return `delayed ${durationText(delayMs)}`
  return fault === null ? '' : 'slow'
}

export const reasonText = (row: Outcome) => (row.fault === null ? '' : `${row.fault}: `) + failureText(row)

export interface Reason {
  readonly title: string
  readonly rule: string
  readonly facts: readonly string[]
  readonly remedies: readonly Remedy[]
}

const defined = <T extends string | Remedy>(all: readonly (T | false | undefined)[] = []): T[] =>
  all.filter((each) => each !== false && each !== undefined)

function ruleText(kind: ErrorKind): string {
  const isOfKeys = ['unauthenticated', 'suspended', 'scope'].includes(kind)
  const section = 'limit' in errorKinds[kind] ? 'Limits' : isOfKeys ? 'Authentication' : 'Errors'
  return `${errorKinds[kind].when}. Contract, ${section}.`
}

function explainFault({ faults, usedFaults }: SandboxState, entry: JournalEntry, id: string): Explanation {
  const isIt = (fault: FaultState) => fault.id === id
  const set = faults.find(isIt)
  const used = usedFaults.find(isIt)
  return {
    facts: [
      set && `${id}: ${faultText(set)}`,
      used && `${id}: ${faultText(used)} It is no longer set.`,
      entry.key === null ? 'The fault took effect before the key was read.' : `Key: ${entry.key}.`,
    ],
    remedies: [set && { label: `Remove ${id}`, run: (one) => one.removeFault(id) }, retryRemedy(entry)],
  }
}

function explainRefusal(it: RefusedRequest): Explanation {
  const { entry, kind } = it
  const { error: message } = errorBodyOf(entry)
  const isRunning = entry.breaches?.includes('edit-running') === true
  const explain = explanations[isRunning ? 'runningEntry' : kind]
  const spec = errorKinds[kind]
  const { facts = [], remedies = [] } = explain?.(it) ?? ('limit' in spec ? explainLimit(it, spec.limit) : {})
  const hint = entry.responseHeaders['x-mock-hint']
  const said = typeof message === 'string' && message
  return { facts: [said, ...facts, hint !== undefined && `Hint: ${hint}`], remedies }
}

const shownReasons = 3

function explainPartialSuccess(entry: JournalEntry): Explanation {
  const { errors, metadata, error_message: message } = errorBodyOf(entry)
  if (isObject(metadata)) return { facts: [typeof message === 'string' && message] }
  const all = Array.isArray(errors) ? errors.filter(isObject) : []
  const facts = all
    .slice(0, shownReasons)
    .map(({ index, row, error, message: text }) => `Row ${String(index ?? row)}: ${String(error ?? text)}`)
  return { facts: [...facts, all.length > shownReasons && `and ${String(all.length - shownReasons)} more`] }
}

/** The workspace that has the key with a name. */
export const ownerOfKey = (name: string | null, { workspaces }: Pick<SandboxState, 'workspaces'>) =>
  workspaces.find(({ keys }) => keys.some((key) => key.name === name))

/** Undefined if the request got its usual response. */
export function reasonOf(entry: JournalEntry, state: SandboxState): Reason | undefined {
  const { refusal: kind, fault, key: name } = entry
  const title = failureText(entry)
  if (title === '') return undefined
  const workspace = ownerOfKey(name, state) ?? state.workspaces[0]
  const key = workspace?.keys.find((each) => each.name === name)
  const explain = (): Explanation => {
    if (fault !== null) return explainFault(state, entry, fault)
    if (kind && workspace) return explainRefusal({ ...state, entry, kind, workspace, key })
    return entry.partial ? explainPartialSuccess(entry) : {}
  }
  const { facts, remedies } = explain()
  return {
    title: fault === null ? title : `${title}, by ${fault}`,
    rule: kind === null ? '' : ruleText(kind),
    facts: defined(facts),
    remedies: defined(remedies),
  }
}
