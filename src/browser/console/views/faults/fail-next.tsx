// "Fail next time" on a request of the journal: a fault for the next one like it.
import type { FaultSpec } from '../../../../core/fault-spec.ts'
import type { JournalEntry } from '../../../../core/journal/entry.ts'
import { useConsole } from '../../parts/context.ts'
import { typed } from '../../parts/controls.tsx'

const failures: Readonly<Record<string, FaultSpec>> = {
  'with 503': { status: 503 },
  'with 429': { status: 429, retryAfter: 1 },
  'broken connection': { network: true },
  'lost response': { network: true, phase: 'after' },
}

export function FailNext({
  entry: { operation, method, path },
  sandbox,
}: {
  readonly entry: JournalEntry
  readonly sandbox: string | null
}) {
  const { source, act } = useConsole()
  if (operation === null) return null
  const choose = (event: Event & { readonly currentTarget: HTMLSelectElement }) => {
    const chosen = failures[typed(event)]
    event.currentTarget.value = ''
    const spec = { operation, match: { path }, ...chosen }
    void act(() => source.controls(sandbox).fault(spec), `The next ${method} ${path} fails.`)
  }
  return (
    <select class="quiet" aria-label="Fail this next time" value="" onChange={choose}>
      <option value="">Fail this next time …</option>
      {Object.keys(failures)
        .filter((name) => name !== 'lost response' || method !== 'GET')
        .map((name) => (
          <option key={name}>{name}</option>
        ))}
    </select>
  )
}
