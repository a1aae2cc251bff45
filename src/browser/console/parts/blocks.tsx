// Building blocks of views: marks, the pane of an open record, blocks, tables, pairs, and messages for empty views.
import type { ComponentChildren, RenderableProps } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { ExploreFinding } from '../../../explore/types.ts'
import { Button } from './button.tsx'

export type Tone = 'good' | 'warn' | 'bad' | 'plain' | 'accent'

interface StatusProps {
  readonly status: number
  /** Whether only a part of it succeeded. */
  readonly isPartial?: boolean
}

export function StatusCode({ status, isPartial = false }: StatusProps) {
  const tone = status === 0 || status >= 500 ? 'bad' : status >= 400 || isPartial ? 'warn' : 'good'
  return (
    <span class={`status ${tone}`} title={status === 0 ? 'The connection was broken' : undefined}>
      {status === 0 ? 'net' : status}
    </span>
  )
}

export function Mark({ tone = 'plain', children }: RenderableProps<{ readonly tone?: Tone }>) {
  return <span class={`mark ${tone}`}>{children}</span>
}

/** The colour of an option or status. */
export function Dot({ color = 'none' }: { readonly color: string | undefined }) {
  return (
    <svg class="dot" viewBox="0 0 8 8" aria-hidden="true">
      <circle cx="4" cy="4" r="4" fill={color} />
    </svg>
  )
}

export const toneOfSeverity: Readonly<Record<ExploreFinding['severity'], Tone>> = {
  error: 'bad',
  warning: 'warn',
  assumption: 'accent',
  info: 'plain',
}

interface PaneProps {
  readonly label: string
  readonly title: ComponentChildren
  readonly close: () => void
  /** Buttons ahead of the one that closes it. */
  readonly actions?: ComponentChildren
  /** Scrolls to the pane when it changes. */
  readonly shown?: unknown
}

/** An open record next to its list; Escape closes it. Then a list of requests has the focus. */
export function Pane({ label, title, close, actions, shown, children }: RenderableProps<PaneProps>) {
  const pane = useRef<HTMLElement>(null)
  useEffect(() => pane.current?.scrollIntoView({ block: 'nearest' }), [shown])
  const end = () => {
    const root = pane.current?.getRootNode() as ShadowRoot
    close()
    root.querySelector<HTMLElement>('[role=listbox]')?.focus()
  }
  return (
    <section
      class="sheet detail"
      aria-label={label}
      ref={pane}
      tabIndex={-1}
      onKeyDown={(event) => event.key === 'Escape' && end()}
    >
      <header>
        {title}
        {actions}
        <Button kind="quiet" label="Close" onClick={end}>
          ✕
        </Button>
      </header>
      {children}
    </section>
  )
}

interface BlockProps {
  readonly title: string
  /** If 0, nothing is shown. */
  readonly count?: number
}

export function Block({ title, count, children }: RenderableProps<BlockProps>) {
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

/** A list of names and values. */
export function Pairs({ entries }: { readonly entries: readonly (readonly [string, ComponentChildren])[] }) {
  return (
    <dl class="pairs">
      {entries.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

interface TableProps {
  readonly class: string
  readonly heads: readonly string[]
}

/** Its children are its rows. */
export function Table({ class: own, heads, children }: RenderableProps<TableProps>) {
  return (
    <table class={`grid ${own}`}>
      <thead>
        <tr>
          {heads.map((head) => (
            <th key={head} scope="col">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  )
}

interface EmptyStateProps {
  readonly title: string
  readonly action?: ComponentChildren
}

/** Says what will be shown here, and how to get it. */
export function EmptyState({ title, action, children }: RenderableProps<EmptyStateProps>) {
  return (
    <div class="sheet empty">
      <h3>{title}</h3>
      {children && <p>{children}</p>}
      {action}
    </div>
  )
}

/** Why loading failed; nothing if it is null. */
export function Failure({ message }: { readonly message: string | null }) {
  if (message === null) return null
  return (
    <p class="failure" role="alert">
      {message}
    </p>
  )
}
