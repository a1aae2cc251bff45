// How a fault is set in the sandboxes that are shown.
import type { FaultSpec } from '../../../../mock/faults/fault-spec.ts'
import { type ScopedRun, useConsole } from '../../parts/context.ts'

/** Sets a fault in what is shown; in all sandboxes as one, which those made later have too. */
export function useSetFault() {
  const { isAll, names } = useConsole()
  return (spec: FaultSpec): ScopedRun =>
    (controls, sandbox) => {
      if (!isAll) return controls.fault(spec)
      return sandbox === names[0] ? controls.fault({ ...spec, sandboxes: 'all' }) : undefined
    }
}
