// "Fail this next time" for a request of the journal: sets a fault for the next request like it.
import type { FaultSpec } from '../../../../core/fault-spec.ts'
import type { JournalEntry } from '../../../../core/journal/entry.ts'
import { useConsole } from '../../parts/context.ts'
import { labelled, Select } from '../../parts/fields.tsx'

const failures: Readonly<Record<string, FaultSpec>> = {
  'with 503': { status: 503 },
  'with 429': { status: 429, retryAfter: 1 },
  'broken connection': { network: true },
  'lost response': { network: true, phase: 'after' },
}

export function FailNext({ entry: { operation, method, path } }: { readonly entry: JournalEntry }) {
  const { controls, act } = useConsole()
  if (operation === null) return null
  const choose = (name: string) => {
    const spec = { operation, match: { path }, ...failures[name] }
    void act(() => controls.fault(spec), `The next ${method} ${path} fails.`)
  }
  const names = Object.keys(failures).filter((name) => name !== 'lost response' || method !== 'GET')
  return (
    <Select
      class="quiet"
      label="Fail this next time"
      empty="Fail this next time …"
      choices={labelled(names)}
      value=""
      set={choose}
    />
  )
}
