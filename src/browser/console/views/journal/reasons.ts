// Why a request was refused: the rule of the contract, the state behind it, and remedies.
import { errorKinds, type ErrorKind } from '../../../../contract/errors.ts'
import type { FaultState } from '../../../../core/faults.ts'
import type { JournalEntry } from '../../../../core/journal/entry.ts'
import { wordsOf } from '../../format.ts'
import { faultText } from '../faults/fault-text.ts'
import {
  reasonBody,
  limitPart,
  parts,
  retryRemedy,
  type Case,
  type Part,
  type Remedy,
  type Surroundings,
} from './reason-parts.ts'

export interface Reason {
  readonly title: string
  readonly rule: string
  readonly facts: readonly string[]
  readonly remedies: readonly Remedy[]
}

const applying = <T extends string | Remedy>(all: readonly (T | false | undefined)[] = []): T[] =>
  all.filter((each) => each !== false && each !== undefined)

const sectionOf = (kind: ErrorKind) =>
  'limit' in errorKinds[kind]
    ? 'Limits'
    : ['unauthenticated', 'suspended', 'scope'].includes(kind)
      ? 'Authentication'
      : 'Errors'

function faultPart({ faults, usedFaults }: Surroundings, entry: JournalEntry, id: string): Part {
  const isIt = (fault: FaultState) => fault.id === id
  const set = faults.find(isIt)
  const used = usedFaults.find(isIt)
  return {
    facts: [
      set && `${id}: ${faultText(set)}`,
      used && `${id}: ${faultText(used)} It is no longer set.`,
      entry.key === null ? 'The fault took effect before the key was read.' : `Key: ${entry.key}.`,
    ],
    remedies: [
      set && { label: `Remove ${id}`, run: (controls) => controls.removeFault(id) },
      retryRemedy(entry),
    ],
  }
}

function refusalPart(it: Case): Part {
  const { entry, kind } = it
  const { error: message } = reasonBody(entry)
  const isRunning = entry.operation === 'updateTimeEntry' && String(message).includes('running')
  const part = parts[isRunning ? 'runningEntry' : kind]
  const spec = errorKinds[kind]
  const { facts = [], remedies = [] } = part?.(it) ?? ('limit' in spec ? limitPart(it, spec.limit) : {})
  const hint = entry.responseHeaders['x-mock-hint']
  return {
    facts: [typeof message === 'string' && message, ...facts, hint !== undefined && `Hint: ${hint}`],
    remedies,
  }
}

/** Undefined if the request got its usual response. */
export function reasonOf(entry: JournalEntry, around: Surroundings): Reason | undefined {
  const { refusal: kind, fault, key: name, status } = entry
  if (kind === null && status !== 0 && fault === null) return undefined
  const isOurs = (key: { readonly name: string }) => key.name === name
  const workspace = around.workspaces.find(({ keys }) => keys.some(isOurs)) ?? around.workspaces[0]
  const key = workspace?.keys.find(isOurs)
  const title = kind === null ? (status === 0 ? 'connection broken' : 'slow') : wordsOf(kind)
  const refusal = () => (kind && workspace ? refusalPart({ ...around, entry, kind, workspace, key }) : {})
  const { facts, remedies } = fault === null ? refusal() : faultPart(around, entry, fault)
  return {
    title: fault === null ? title : `${title}, by ${fault}`,
    rule: kind === null ? '' : `${errorKinds[kind].when}. Contract, ${sectionOf(kind)}.`,
    facts: applying(facts),
    remedies: applying(remedies),
  }
}
