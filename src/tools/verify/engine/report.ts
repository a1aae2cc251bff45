// The report of a run: one finding for each operation and rule; drifts with one cause are one finding.
import type { OperationId } from '../../../contract/index.ts'
import { getOrInsert } from '../../../contract/data/maps.ts'
import type { Har } from '../../../contract/data/har.ts'
import { curlOf, type SentExchange } from './exchange.ts'
import type { InconclusiveReason, Source, Subject } from './drift.ts'

/** `not reachable`: inconclusive, the run could not decide it. */
export type Outcome = 'pass' | 'drift' | 'not reachable'

/** The result of a rule, or of several rules that broke for one cause. */
export interface VerifyFinding {
  /** The first, if `operations` has several. */
  readonly operation: Subject
  /** With the operation it names the rule: `unknown-taskId` of `getTask`. */
  readonly rule: string
  /** What holds in a deployment that keeps the rule, in words. */
  readonly says: string
  readonly source: Source
  readonly outcome: Outcome
  /** For drift: what the rule expects, in words. */
  readonly expected?: string
  /** For drift: what was received instead. */
  readonly got?: string
  /** For drift that a comparison shows: the field, by its path in the body. */
  readonly field?: string
  /** For drift in a read: the last write before it. */
  readonly after?: OperationId
  /** Why the rule is inconclusive, in words. */
  readonly why?: string
  /** Why the rule is inconclusive, as a word for programs. */
  readonly reason?: InconclusiveReason
  /** For drift: the request that showed it, as a command. It reads the key from `$WORKSPACE_API_KEY`. */
  readonly curl?: string
  /** How many drifts with one cause the finding stands for, if several. */
  readonly count?: number
  /** All operations, `operation` first, if the finding stands for several drifts or another operation showed it. */
  readonly operations?: readonly Subject[]
  /** The rules, each as `operation/rule`, if the finding stands for several drifts. */
  readonly rules?: readonly string[]
}

/** A finding with the exchanges that show it, the decisive one last. */
export type Evident = VerifyFinding & {
  readonly exchanges?: readonly SentExchange[]
  /** Drifts with the same cause are one finding. */
  readonly cause?: string
}

/** Something in the responses that the contract does not name. It is not drift. */
export interface Note {
  readonly operation: OperationId
  readonly note: string
}

/** What the run made and did not remove. */
export interface LeftBehind {
  /** Kind and id, such as `space spc_1`. */
  readonly what: string
  /** The reason, in words. */
  readonly why: string
}

/** What a run tried and could not decide. */
export interface Inconclusive {
  /** From 0 to 1: the share of the tried rules that could not be decided. Rules that need writes which the key may not send do not count. */
  readonly share: number
  /** Each as `operation/rule`. */
  readonly rules: readonly string[]
  readonly operations: readonly Subject[]
}

export interface VerifyReport {
  /** As given, without a slash at its end. */
  readonly baseUrl: string
  /** Whether the deployment was written to. */
  readonly mode: 'read' | 'write'
  /** Whether nothing drifted. */
  readonly ok: boolean
  /** Why the run does not count, in a sentence; the command then exits with 2. */
  readonly problem?: string
  /** Whether the run was interrupted; what was not checked by then is inconclusive. */
  readonly interrupted: boolean
  /** How many were sent, with those of the clean-up and with retries. */
  readonly requests: number
  /** Findings by their outcome. */
  readonly counts: { readonly pass: number; readonly drift: number; readonly notReachable: number }
  /** Every rule once, except that drifts with one cause are one finding. */
  readonly findings: readonly VerifyFinding[]
  readonly inconclusive: Inconclusive
  readonly notes: readonly Note[]
  readonly leftBehind: readonly LeftBehind[]
  /** With the option `har`: the exchanges of the drifts, each with the broken rule as its comment. */
  readonly har?: Har
}

export function countFindings(findings: readonly VerifyFinding[]): VerifyReport['counts'] {
  const count = (outcome: Outcome) => findings.filter((finding) => finding.outcome === outcome).length
  return { pass: count('pass'), drift: count('drift'), notReachable: count('not reachable') }
}

export type NamedRule = Pick<VerifyFinding, 'operation' | 'rule'>

export const toRuleName = ({ operation, rule }: NamedRule) => `${operation}/${rule}`

const toFinding = ({ exchanges: _exchanges, cause: _cause, ...finding }: Evident): VerifyFinding => finding

/** Makes one finding of drifts with one cause; what shows them becomes a command. */
export function groupFindings(findings: readonly Evident[]): VerifyFinding[] {
  const groups = new Map<string, Evident[]>()
  for (const [index, finding] of findings.entries()) {
    const { cause = String(index) } = finding
    getOrInsert(groups, cause, (): Evident[] => []).push(finding)
  }
  return [...groups.values()].flatMap((group): VerifyFinding[] => {
    const [first] = group
    if (!first) return []
    const exchange = first.exchanges?.at(-1)
    const all = group.length > 1 && {
      count: group.length,
      operations: [...new Set(group.flatMap(({ operation, operations = [operation] }) => operations))],
      rules: [...new Set(group.map(toRuleName))],
    }
    return [{ ...toFinding(first), ...(exchange && { curl: curlOf(exchange) }), ...all }]
  })
}
