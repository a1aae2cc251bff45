// Drift that is known already: a baseline is the JSON report of an earlier run.
import type { VerifyFinding, VerifyReport } from '../../verify/index.ts'
import { readJsonFile } from '../input-files.ts'

/** The rules that a drift broke, each as `operation/rule`. */
export const rulesOf = ({ operation, rule, rules = [`${operation}/${rule}`] }: VerifyFinding) => rules

const isDrift = ({ outcome }: VerifyFinding) => outcome === 'drift'

export interface Compared {
  /** Drift that is not in the baseline. */
  readonly fresh: readonly VerifyFinding[]
  readonly known: readonly VerifyFinding[]
  /** Rules of the baseline that the deployment keeps now. */
  readonly mended: readonly string[]
}

/** @throws {Error} where the file is missing or not a report */
export function compared({ findings }: VerifyReport, file: string | undefined): Compared {
  const drifts = findings.filter(isDrift)
  if (file === undefined) return { fresh: drifts, known: [], mended: [] }
  const { findings: before } = Object(readJsonFile(file, 'baseline')) as Partial<VerifyReport>
  if (!Array.isArray(before))
    throw new Error(`${file}: not a report of verify; --format json > ${file} makes one`)
  const old = new Set((before as readonly VerifyFinding[]).filter(isDrift).flatMap(rulesOf))
  const isKnown = (finding: VerifyFinding) => rulesOf(finding).every((rule) => old.has(rule))
  const kept = new Set(drifts.flatMap(rulesOf))
  return {
    fresh: drifts.filter((finding) => !isKnown(finding)),
    known: drifts.filter(isKnown),
    mended: [...old].filter((rule) => !kept.has(rule)),
  }
}
