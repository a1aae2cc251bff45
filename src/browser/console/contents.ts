// What the console reads of each sandbox that is shown: findings and faults.
import type { Finding } from '../../core/report.ts'
import type { FaultState } from '../../core/faults.ts'
import type { Located, SandboxName } from './live-state.ts'
import type { ConsoleSource } from './source.ts'

export interface Contents {
  /** After how many signals of the sandbox it was read. */
  readonly version: number
  readonly findings: readonly Located<Finding>[]
  readonly faults: readonly Located<FaultState>[]
}

export async function readContents(
  source: ConsoleSource,
  sandbox: SandboxName,
  version: number,
): Promise<Contents> {
  const controls = source.controls(sandbox)
  const [faults, findings] = await Promise.all([controls.faults(), controls.report({ assumptions: false })])
  return {
    version,
    faults: faults.map((fault) => ({ ...fault, sandbox })),
    findings: findings.map((finding) => ({ ...finding, sandbox })),
  }
}

/** Sandboxes that are read at the same time: few, so that a client's request can run in between. */
const batchSize = 6

export async function inBatches<T>(items: Iterable<T>, run: (item: T) => Promise<void>): Promise<void> {
  const all = [...items]
  for (let at = 0; at < all.length; at += batchSize) await Promise.all(all.slice(at, at + batchSize).map(run))
}
