// What a run with faults says about the client: the findings of that run alone.
import { clientRules } from '../contract/client-rules.ts'
import type { OperationId } from '../contract/index.ts'
import type { UndisturbedEnd } from './undisturbed-end.ts'
import { changedRecords } from './end-state.ts'
import { faultLine, faultName, isAssumed, isTransient } from './plan.ts'
import type { RunRecord } from './runner.ts'
import type { ExploredFault, ExploreFinding, StateDifference } from './types.ts'

/** A finding of one run. */
export type Judgement = Omit<ExploreFinding, 'count' | 'requests' | 'report'> & {
  /** Distinguishes it from other findings of the same operation and fault. */
  readonly cause: string
}

type Parts = Pick<Judgement, 'kind' | 'severity' | 'message' | 'advice' | 'cause'> &
  Partial<Pick<Judgement, 'difference' | 'rule'>>

const quoted = (value: unknown) => {
  const text = typeof value === 'string' ? JSON.stringify(value) : (JSON.stringify(value) ?? 'nothing')
  return text.length > 80 ? `${text.slice(0, 80)}…` : text
}

const errorText = (error: unknown) => (error instanceof Error ? error.message : quoted(error))

const ordinal = (skip: number | undefined) => (skip === undefined ? '' : ` (request ${String(skip + 1)})`)

/** Faults in words: `createTask (request 2): 503, then getTask: 500`. */
export const faultsText = (faults: readonly ExploredFault[]) =>
  faults.map((fault) => `${fault.operation}${ordinal(fault.skip)}: ${faultName(fault)}`).join(', then ')

/** What the contract asks of a client that meets a fault. */
function adviceFor({ network, phase, status = 500 }: ExploredFault): string {
  if (network === true)
    return phase === 'after'
      ? 'A request without a response may have been carried out: find out before repeating a write. The contract does not cover broken connections.'
      : 'Repeating is safe for reads; before repeating a write find out whether it was carried out. The contract does not cover broken connections.'
  if (status === 429)
    return 'Contract, Errors, rule 2: wait as long as Retry-After says, then repeat the request.'
  if (status >= 500)
    return phase === 'after'
      ? 'Contract, Errors, rule 2 calls 500 and 503 safe to retry; where a service commits and then fails, find out before repeating a write.'
      : 'Contract, Errors, rule 2: repeat at once, then after 1, 2, 4 and 8 s, and give up from attempt 6.'
  return `Contract, Errors: ${String(status)} is final; report it to the caller instead of going on.`
}

const notSwallowed = (fault: ExploredFault) =>
  `A request that failed is repeated, or its failure reported to the caller. ${isTransient(fault) ? adviceFor(fault) : ''}`.trim()

function differenceText({
  resource,
  change,
  field,
  record,
  undisturbed,
  disturbed,
}: StateDifference): string {
  const what = `${resource} ${quoted(record)}`
  switch (change) {
    case 'twice':
      return `${what} exists ${String(disturbed)} times instead of ${quoted(undisturbed)}`
    case 'missing':
      return `${what} is missing`
    case 'added':
      return `${what} exists, which the undisturbed run does not leave`
    case 'changed':
      if (field === 'deleted') return `${what} is ${disturbed === true ? 'deleted' : 'not deleted'}`
      return `${field ?? 'content'} of ${what} is ${quoted(disturbed)} instead of ${quoted(undisturbed)}`
  }
}

export const differencesText = ([first, ...others]: readonly StateDifference[]): string => {
  if (!first) return 'nothing'
  const more =
    others.length > 0
      ? ` (and ${String(others.length)} more ${others.length === 1 ? 'difference' : 'differences'})`
      : ''
  return `${differenceText(first)}${more}`
}

export const causeOf = ({ resource, change, field }: StateDifference) =>
  `${resource} ${change} ${field ?? ''}`

/** A rule of the report that a run broke, whatever the ids in its message. */
const ruleKey = (rule: string, operation: OperationId | null) => `${rule} ${operation ?? ''}`

export class Judge {
  readonly #undisturbed: UndisturbedEnd
  /** Errors that the report has of the undisturbed run. */
  readonly #known: ReadonlySet<string>

  constructor(undisturbed: UndisturbedEnd, { report }: RunRecord) {
    this.#undisturbed = undisturbed
    this.#known = new Set(report.map(({ rule, operation }) => ruleKey(rule, operation)))
  }

  judge(faults: readonly ExploredFault[], record: RunRecord): Judgement[] {
    const [first] = faults
    const last = faults.at(-1)
    if (!first || !last) return []
    const parts = [
      ...this.#ending(faults, last, record),
      ...brokenRules(record, this.#known),
      ...violations(record),
    ]
    const isOnAssumption = faults.some(isAssumed)
    return parts.map((part) => ({
      ...part,
      severity: isOnAssumption && part.severity === 'error' ? 'assumption' : part.severity,
      operation: first.operation,
      fault: first,
      faults,
      reproduction: faults.map(faultLine).join('\n'),
    }))
  }

  #ending(faults: readonly ExploredFault[], last: ExploredFault, record: RunRecord): Parts[] {
    if (record.outcome === 'hang') return [hang(record)]
    if (record.outcome === 'rejected') return [...gaveUp(faults, record), ...lost(last, record)]
    const differences = this.#undisturbed.differences(record)
    const [difference] = differences
    if (!difference) return []
    const message = `it resolved, but ${differencesText(differences)}`
    return [
      {
        kind: 'state',
        severity: 'error',
        message,
        advice: difference.change === 'twice' ? adviceFor(last) : notSwallowed(last),
        cause: causeOf(difference),
        difference,
      },
    ]
  }
}

const hang = ({ error }: RunRecord): Parts => ({
  kind: 'hang',
  severity: 'error',
  message: errorText(error),
  advice: 'Contract, Errors, rule 2: retries end; give up from attempt 6.',
  cause: '',
})

/** One transient fault is for a client to bear. */
function gaveUp(faults: readonly ExploredFault[], { error }: RunRecord): Parts[] {
  const [only] = faults
  if (!only || faults.length > 1 || !isTransient(only)) return []
  return [
    {
      kind: 'gave up',
      severity: only.network === true ? 'assumption' : 'error',
      message: `it rejected although this was all that happened: ${errorText(error)}`,
      advice: adviceFor(only),
      cause: '',
    },
  ]
}

/** Writes that a client which gave up has left. */
function lost(last: ExploredFault, { start, end, error }: RunRecord): Parts[] {
  const left = [...changedRecords(start, end, new Set()).values()].filter(
    ({ resource }) => resource !== 'file',
  )
  if (left.length === 0) return []
  const counts = new Map<string, number>()
  for (const { resource } of left) counts.set(resource, (counts.get(resource) ?? 0) + 1)
  const what = [...counts].map(([resource, count]) => `${String(count)} ${resource}`).join(', ')
  return [
    {
      kind: 'lost',
      severity: 'info',
      message: `it rejected (${errorText(error)}) and left part of its writes: ${what}`,
      advice: `${faultName(last)} ended it midway; what is there already has to be found when it runs again.`,
      cause: '',
    },
  ]
}

function brokenRules({ report }: RunRecord, known: ReadonlySet<string>): Parts[] {
  return report
    .filter(({ rule, operation, severity }) => severity === 'error' && !known.has(ruleKey(rule, operation)))
    .map(({ rule, operation, message }) => {
      const { advice, source } = clientRules[rule]
      return {
        kind: 'rule',
        severity: 'error',
        message: message.replace(` ${advice}`, '').replace(/\.$/, ''),
        advice: `Contract, ${source}: ${advice}`,
        cause: ruleKey(rule, operation),
        rule,
      }
    })
}

function violations({ violation }: RunRecord): Parts[] {
  if (!violation) return []
  return [
    {
      kind: 'check',
      severity: 'error',
      message: `check threw: ${errorText(violation.error)}`,
      advice: 'This is an invariant of your own.',
      cause: '',
    },
  ]
}
