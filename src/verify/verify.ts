// Owns a run of all rules against a deployment.
import { needsWriting } from './engine/judge.ts'
import { countFindings, type Finding, type VerifyReport } from './engine/report.ts'
import { Drift, Forbidden, Interrupted, Unreachable, type Rule } from './engine/rule.ts'
import { rules } from './rules/rules.ts'
import { Scene, type RunOptions } from './engine/scene.ts'

export type VerifyOptions = RunOptions

/** A finding, or one that waits for the end of the run: whether the key lacks a permission shows only then. */
type Found = Finding | { readonly rule: Rule; readonly forbidden: Forbidden }

const about = ({ id, operation, source, says }: Rule) => ({ operation, rule: id, source, says })

async function judged(scene: Scene, rule: Rule): Promise<Found> {
  try {
    await rule.check(scene.context)
    return { ...about(rule), outcome: 'pass' }
  } catch (error) {
    if (error instanceof Interrupted) throw error
    if (error instanceof Drift) {
      const { expected, got, source = rule.source } = error
      return { ...about(rule), source, outcome: 'drift', expected, got }
    }
    if (error instanceof Forbidden) return { rule, forbidden: error }
    if (error instanceof Unreachable) return { ...about(rule), outcome: 'not reachable', why: error.message }
    // An answer of another shape than the contract's, which was judged when it came, has no fields to go on with.
    const why = `an answer could not be used: ${error instanceof Error ? error.message : String(error)}`
    return { ...about(rule), outcome: 'not reachable', why }
  }
}

/** A 403 is drift where the key is known to have the permission. */
function settled(scene: Scene, found: Found): Finding {
  if (!('forbidden' in found)) return found
  const { rule, forbidden } = found
  if (!scene.judge.hasSucceeded(forbidden.operation))
    return { ...about(rule), outcome: 'not reachable', why: `${forbidden.operation}: ${forbidden.message}` }
  return { ...about(rule), outcome: 'drift', expected: forbidden.expected, got: forbidden.message }
}

const unchecked = (rule: Rule, why: string): Finding => ({ ...about(rule), outcome: 'not reachable', why })

/**
 * Judges a deployment by the rules of the contract: about 290 requests, 1,030 with `write`, one at a time. A broken
 * rule is a finding of the report, not an error. The deployment is only read unless `write` is given; then the run works
 * in a space of its own and in rows of its own, and removes what it made, whatever happens.
 * @throws {CannotRun} where there is no deployment, or none that takes the key
 * @throws {AnswerError} of the main entry, for `answers` that are none
 */
export async function verify(options: VerifyOptions): Promise<VerifyReport> {
  const scene = new Scene(options)
  const { mayWrite } = scene.context
  const found: Found[] = []
  const chosen = rules.filter(({ needs }) => mayWrite || needs === 'read')
  let interrupted = false
  let leftBehind: VerifyReport['leftBehind'] = []
  try {
    await scene.assertRunnable()
    for (const [done, rule] of chosen.entries()) {
      options.onProgress?.({ done, total: chosen.length, next: `${rule.operation} ${rule.id}` })
      found.push(await judged(scene, rule))
    }
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error
    interrupted = true
  } finally {
    if (mayWrite) {
      options.onProgress?.({ done: found.length, total: chosen.length, next: 'cleaning up' })
      leftBehind = await scene.cleanUp()
    }
  }
  const late = chosen.slice(found.length).map((rule) => unchecked(rule, 'the run was called off'))
  const barred = mayWrite ? [] : rules.filter(({ needs }) => needs === 'write')
  const findings = [
    ...found.map((one) => settled(scene, one)),
    ...late,
    ...barred.map((rule) => unchecked(rule, needsWriting)),
    ...scene.judge.findings(mayWrite),
  ]
  const counts = countFindings(findings)
  return {
    baseUrl: scene.baseUrl,
    mode: mayWrite ? 'write' : 'read',
    ok: counts.drift === 0,
    interrupted,
    requests: scene.requests,
    counts,
    findings,
    notes: scene.judge.notes,
    leftBehind,
  }
}
