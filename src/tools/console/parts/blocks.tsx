// Building blocks of views: marks, the pane of an open record, blocks, pairs, JSON, and messages for empty views.
import type { ComponentChildren, RenderableProps } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { RequestRow } from '../live-state.ts'
import { useConsole } from './context.ts'
import { Button } from './controls.tsx'
import { nameOfSandbox } from './scope.tsx'

export type Tone = 'good' | 'warn' | 'bad' | 'plain' | 'accent'

export function StatusCode({ status, isPartial = false }: { status: number; isPartial?: boolean }) {
  const tone = status === 0 || status >= 500 ? 'bad' : status >= 400 || isPartial ? 'warn' : 'good'
  return (
    <span class={`status ${tone}`} title={status === 0 ? 'The connection was broken' : undefined}>
      {status === 0 ? 'net' : status}
    </span>
  )
}

export function Mark({ tone = 'plain', children }: RenderableProps<{ tone?: Tone }>) {
  return <span class={`mark ${tone}`}>{children}</span>
}

export const toneOfSeverity = { error: 'bad', warning: 'warn', info: 'plain' } as const

interface PaneProps {
  readonly label: string
  readonly title: ComponentChildren
  readonly close: () => void
  readonly actions?: ComponentChildren
  /** The pane is scrolled into view when this changes. */
  readonly shown?: unknown
}

/** An open record next to its list. Closing it moves the focus to the list of requests. */
export function Pane({ label, title, close, actions, shown, children }: RenderableProps<PaneProps>) {
  const pane = useRef<HTMLElement>(null)
  useEffect(() => pane.current?.scrollIntoView({ block: 'nearest' }), [shown])
  useEffect(() => {
    // A list that the pane hides loses the focus, so the pane takes it.
    if ((pane.current?.previousElementSibling as HTMLElement | null)?.offsetParent === null)
      pane.current?.focus()
  }, [])
  const end = () => {
    const root = pane.current?.getRootNode() as ShadowRoot
    close()
    // Deferred until a hidden list is shown again.
    setTimeout(() => root.querySelector<HTMLElement>('[role=listbox]')?.focus({ preventScroll: true }))
  }
  const press = (event: KeyboardEvent) => event.key === 'Escape' && end()
  return (
    <section class="sheet detail" aria-label={label} ref={pane} tabIndex={-1} onKeyDown={press}>
      <header>
        {title}
        {actions}
        <Button kind="quiet" label="Close" onClick={end} text="✕" />
      </header>
      {children}
    </section>
  )
}

export function Block({ title, count, children }: RenderableProps<{ title: string; count?: number }>) {
  if (count === 0) return null
  return (
    <section class="block">
      <h4>
        {title} {count !== undefined && <span class="aside">{count}</span>}
      </h4>
      {children}
    </section>
  )
}

export function Pairs({ entries }: { entries: readonly (readonly [string, ComponentChildren])[] }) {
  return (
    <dl class="pairs">
      {entries.map(
        ([name, value]) =>
          value !== undefined && (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ),
      )}
    </dl>
  )
}

export function EmptyState(props: RenderableProps<{ title: string; action?: ComponentChildren }>) {
  return (
    <div class="sheet empty">
      <h3>{props.title}</h3>
      {props.children && <p>{props.children}</p>}
      {props.action}
    </div>
  )
}

/** @param what the unfiltered records, such as `3 rows` */
export const NothingMatches = ({ what, showAll }: { what: string; showAll: () => void }) => (
  <EmptyState title="Nothing matches" action={<Button onClick={showAll} text="Show all" />}>
    None of {what} matches.
  </EmptyState>
)

export function Failure({ message }: { message: string | null }) {
  if (message === null) return null
  return (
    <p class="failure" role="alert">
      {message}
    </p>
  )
}

const tokens = /("(?:[^"\\]|\\.)*"(?:\s*:)?|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)/

export function JsonText({ text = '', label }: { text: string | undefined; label: string }) {
  return (
    <pre class="json" tabIndex={0} aria-label={label}>
      {text.length > 60_000
        ? text
        : text.split(tokens).map((part, index) => {
            // Names keep the colour of the text.
            if (index % 2 === 0 || part.endsWith(':')) return part
            return <span class={part.startsWith('"') ? 'string' : 'literal'}>{part}</span>
          })}
    </pre>
  )
}

export function RequestChips({ requests }: { requests: readonly Pick<RequestRow, 'id' | 'sandbox'>[] }) {
  const { openEntry, isAll } = useConsole()
  return requests.map(({ id, sandbox }) => {
    const place = isAll ? nameOfSandbox(sandbox) : ''
    const name = `${place} #${String(id)}`.trim()
    const label = `Request ${String(id)}${isAll ? ` of ${place}` : ''}`
    const open = () => openEntry({ id, sandbox })
    return <Button class="chip" key={name} label={label} onClick={open} text={name} />
  })
}
