// Links to requests, as shown with faults and findings.
import { useConsole } from './context.ts'
import { Button } from './controls.tsx'

/** Each opens its request, of the sandbox that is shown. */
export function RequestChips({ ids }: { readonly ids: readonly number[] }) {
  const { openEntry, sandbox } = useConsole()
  return ids.map((id) => (
    <Button look="chip" key={id} label={`Request ${String(id)}`} onClick={() => openEntry({ id, sandbox })}>
      #{id}
    </Button>
  ))
}
