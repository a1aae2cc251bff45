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
  const faults = await controls.faults()
  const findings = await controls.report({ assumptions: false })
  return {
    version,
    faults: faults.map((fault) => ({ ...fault, sandbox })),
    findings: findings.map((finding) => ({ ...finding, sandbox })),
  }
}
