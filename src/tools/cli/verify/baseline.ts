// Known drift. A baseline is the JSON report of an earlier run.
import * as z from 'zod/mini'
import { isObject } from '../../../contract/data/objects.ts'
import { listItems } from '../../../contract/text/quote.ts'
import type { VerifyFinding, VerifyReport } from '../../../verify.ts'
import { listCheckNames } from '../../verify/verify.ts'
import { readJsonFile } from '../files.ts'
import { toShortLine } from '../terminal.ts'

/** The rules of a finding, each as `operation/rule`. */
export const rulesOf = ({ operation, rule, rules = [`${operation}/${rule}`] }: VerifyFinding) => rules

/** The rules of a finding, each followed by the field that differs, if there is one. */
const baselineKeysOf = (finding: VerifyFinding) =>
  rulesOf(finding).map((rule) => (finding.field === undefined ? rule : `${rule} ${finding.field}`))

const checkOf = (key: string) => key.split(' ', 1)[0] ?? key

const isDrift = ({ outcome }: VerifyFinding) => outcome === 'drift'

export interface BaselineComparison {
  /** Drift not in the baseline. */
  readonly fresh: readonly VerifyFinding[]
  readonly known: readonly VerifyFinding[]
  /** Rules that drift in the baseline and pass now. */
  readonly mended: readonly string[]
}

export interface Baseline {
  /** Rules that drift in the report, each followed by its field if it has one. */
  readonly keys: ReadonlySet<string>
  /** True if version 0.3 or earlier wrote it, with one finding per field. */
  readonly isOld: boolean
}

/** @throws {Error} if the file is not a report */
export function readBaseline(file: string | undefined): Baseline {
  if (file === undefined) return { keys: new Set(), isOld: false }
  const { findings, counts } = Object(readJsonFile(file, 'baseline')) as Partial<VerifyReport>
  const isFinding = (given: unknown) =>
    isObject(given) && (given.rules === undefined || z.array(z.string()).safeParse(given.rules).success)
  if (!Array.isArray(findings) || !findings.every(isFinding))
    throw new Error(`${file} is not a verify report; create one with --format json > ${file}`)
  const keys = new Set((findings as readonly VerifyFinding[]).filter(isDrift).flatMap(baselineKeysOf))
  return { keys, isOld: isObject(counts) && 'notReachable' in counts }
}

/** A warning that known drift can look new, if the baseline is from an earlier version; empty otherwise. */
export function describeOutdated(file: string | undefined, { keys, isOld }: Baseline): string {
  const known = listCheckNames()
  const gone = [...new Set([...keys].map(checkOf))].filter((name) => !known.has(name))
  const advice = 'known drift can look new: review it, then create the baseline again with --format json'
  if (gone.length > 0)
    return `this version has no rule named ${listItems(gone, (name) => toShortLine(name, 100), 5)}, which ${file ?? ''} lists as drift; ${advice}`
  return isOld
    ? `${file ?? ''} is from an earlier version, which reported one finding per field; ${advice}`
    : ''
}

export function compareWithBaseline(
  { findings }: VerifyReport,
  { keys: baseline }: Baseline,
): BaselineComparison {
  // A baseline without fields covers the whole rule.
  const isKnown = (finding: VerifyFinding) =>
    baselineKeysOf(finding).every(
      (key, index) => baseline.has(key) || baseline.has(rulesOf(finding)[index] ?? ''),
    )
  const names = new Set([...baseline].map(checkOf))
  const drifts = findings.filter(isDrift)
  const passed = findings.filter(({ outcome }) => outcome === 'pass').flatMap(rulesOf)
  return {
    fresh: drifts.filter((finding) => !isKnown(finding)),
    known: drifts.filter(isKnown),
    mended: passed.filter((rule) => names.has(rule)),
  }
}
