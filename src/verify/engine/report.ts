// The report of a run: one finding for each operation and rule; drifts with one cause are one finding.
import type { OperationId } from '../../contract/index.ts'
import { getOrInsert } from '../../contract/data/maps.ts'
import type { Har } from '../../contract/data/har.ts'
import { curlOf, type SentExchange } from './exchange.ts'
import type { InconclusiveReason, Source, Subject } from './drift.ts'

/** `not reachable`: inconclusive, the run could not decide it. */
export type Outcome = 'pass' | 'drift' | 'not reachable'

/** The result of one rule, or of several rules that one cause broke. */
export interface VerifyFinding {
  /** Of several, the first. */
  readonly operation: Subject
  /** Together with the operation it names the rule, such as `unknown-taskId` of `getTask`. */
  readonly rule: string
  /** What holds in a deployment that keeps the rule, in words. */
  readonly says: string
  readonly source: Source
  readonly outcome: Outcome
  /** Of a drift alone: what the rule expects, in words. */
  readonly expected?: string
  /** Of a drift alone: what came instead. */
  readonly got?: string
  /** Of a drift that a comparison shows: the field, by its path in the body. */
  readonly field?: string
  /** Of a drift in a read: the last write before it. */
  readonly after?: OperationId
  /** Where it is inconclusive: the reason, in words. */
  readonly why?: string
  /** The kind of that reason. */
  readonly reason?: InconclusiveReason
  /** Of a drift alone: the request that showed it, as a command; the key stands in `$WORKSPACE_API_KEY`. */
  readonly curl?: string
  /** Of a drift that stands for several with one cause: how many. */
  readonly count?: number
  /** Of a drift that stands for several, or that another operation showed: all operations, `operation` first. */
  readonly operations?: readonly Subject[]
  /** Of a drift that stands for several: their rules, each as `operation/rule`. */
  readonly rules?: readonly string[]
}

/** A finding with the exchanges that show it, the decisive one last. */
export type Evident = VerifyFinding & {
  readonly exchanges?: readonly SentExchange[]
  /** Drifts with the same cause are one finding. */
  readonly cause?: string
}

/** Something in the responses that the contract does not name, which is not drift. */
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

/** What a run could not decide, of the rules that it tried. */
export interface Inconclusive {
  /** From 0 to 1: of the rules that were tried, those that could not be decided; without those that the key may not write for. */
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
  /** Why the run does not count although nothing may have drifted, in a sentence: the command then ends with 2. */
  readonly problem?: string
  /** Whether the run was interrupted; what was not checked by then is inconclusive. */
  readonly interrupted: boolean
  /** How many were sent, those of the clean-up and those tried again among them. */
  readonly requests: number
  /** Findings by their outcome. */
  readonly counts: { readonly pass: number; readonly drift: number; readonly notReachable: number }
  /** Every rule once, save that drifts with one cause are one finding. */
  readonly findings: readonly VerifyFinding[]
  readonly inconclusive: Inconclusive
  readonly notes: readonly Note[]
  readonly leftBehind: readonly LeftBehind[]
  /** The exchanges of the drifts, with option `har`; the comment of an entry names the rule that it broke. */
  readonly har?: Har
}

export function countFindings(findings: readonly VerifyFinding[]): VerifyReport['counts'] {
  const count = (outcome: Outcome) => findings.filter((finding) => finding.outcome === outcome).length
  return { pass: count('pass'), drift: count('drift'), notReachable: count('not reachable') }
}

export type NamedRule = Pick<VerifyFinding, 'operation' | 'rule'>

export const ruleName = ({ operation, rule }: NamedRule) => `${operation}/${rule}`

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
    const { exchanges, cause: _, ...shown } = first
    const exchange = exchanges?.at(-1)
    const all = group.length > 1 && {
      count: group.length,
      operations: [...new Set(group.flatMap(({ operation, operations = [operation] }) => operations))],
      rules: [...new Set(group.map(ruleName))],
    }
    return [{ ...shown, ...(exchange && { curl: curlOf(exchange) }), ...all }]
  })
}
