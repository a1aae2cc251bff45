// Links to requests, as they stand with faults and findings.
import { useConsole } from './context.ts'

/** Each opens its request in the sandbox that is shown. */
export function RequestChips({ ids }: { readonly ids: readonly number[] }) {
  const { openEntry, sandbox } = useConsole()
  return ids.map((id) => (
    <button
      type="button"
      class="chip"
      key={id}
      aria-label={`Request ${String(id)}`}
      onClick={() => openEntry({ id, sandbox })}
    >
      #{id}
    </button>
  ))
}
