// A card for a finding: what, how often, and what to do about it; and links to requests.
import type { ComponentChildren, RenderableProps } from 'preact'
import { timesText } from '../format.ts'
import { useConsole } from './context.ts'
import type { RequestRow } from '../live-state.ts'
import { Button } from './button.tsx'
import { sandboxText, useScope } from './scope.tsx'

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
    <li class="sheet finding" tabIndex={-1}>
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

/** Links to requests; with the name of the sandbox where several are shown. */
export function RequestChips({
  requests,
}: {
  readonly requests: readonly Pick<RequestRow, 'id' | 'sandbox'>[]
}) {
  const { openEntry } = useConsole()
  const { isAll } = useScope()
  return requests.map(({ id, sandbox }) => {
    const name = isAll ? `${sandboxText(sandbox)} #${String(id)}` : `#${String(id)}`
    const label = `Request ${String(id)}${isAll ? ` of ${sandboxText(sandbox)}` : ''}`
    return (
      <Button class="chip" key={name} label={label} onClick={() => openEntry({ id, sandbox })}>
        {name}
      </Button>
    )
  })
}
