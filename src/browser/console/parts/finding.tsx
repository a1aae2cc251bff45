// A card for a finding: what, how often, and what to do about it; and links to requests.
import type { ComponentChildren, RenderableProps } from 'preact'
import { timesText } from '../format.ts'
import { useConsole } from './context.ts'
import { Button } from './controls.tsx'

interface FindingCardProps {
  /** Before the operation. */
  readonly head: ComponentChildren
  readonly operation?: string | null
  readonly count: number
  readonly message: ComponentChildren
  readonly notes?: readonly (readonly [title: string, text: string])[]
}

/** Its children are its footer. */
export function FindingCard(props: RenderableProps<FindingCardProps>) {
  const { head, operation, count, message, notes = [], children } = props
  return (
    <li class="sheet finding">
      <header>
        {head}
        {operation != null && <span class="soft">{operation}</span>}
        <span class="faint times">{timesText(count)}</span>
      </header>
      <p class="message">{message}</p>
      {notes.map(([title, text], index) => (
        <p class="advice" key={index}>
          <strong>{title}</strong> {text}
        </p>
      ))}
      <footer>{children}</footer>
    </li>
  )
}

/** Each opens its request, of the sandbox that is shown. */
export function RequestChips({ ids }: { readonly ids: readonly number[] }) {
  const { openEntry, sandbox } = useConsole()
  return ids.map((id) => (
    <Button class="chip" key={id} label={`Request ${String(id)}`} onClick={() => openEntry({ id, sandbox })}>
      #{id}
    </Button>
  ))
}
