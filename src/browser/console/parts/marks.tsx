// Small marks: statuses, severities, labels, and texts for empty views.
import type { ComponentChildren } from 'preact'
import type { Severity } from '../../../contract/client-rules.ts'

export type Tone = 'good' | 'warn' | 'bad' | 'plain' | 'accent'

function toneOf(status: number): Tone {
  if (status === 0 || status >= 500) return 'bad'
  if (status >= 400) return 'warn'
  return 'good'
}

export function Status({ status }: { readonly status: number }) {
  return (
    <span class={`status ${toneOf(status)}`} title={status === 0 ? 'The connection was broken' : undefined}>
      {status === 0 ? 'net' : status}
    </span>
  )
}

export function Mark({
  tone = 'plain',
  children,
}: {
  readonly tone?: Tone
  readonly children: ComponentChildren
}) {
  return <span class={`mark ${tone}`}>{children}</span>
}

export const toneOfSeverity: Readonly<Record<Severity, Tone>> = {
  error: 'bad',
  warning: 'warn',
  info: 'plain',
}

/** Says what will be here, and how to get it. */
export function Empty({
  title,
  children,
}: {
  readonly title: string
  readonly children?: ComponentChildren
}) {
  return (
    <div class="empty">
      <h3>{title}</h3>
      {children}
    </div>
  )
}

export function Failure({ children }: { readonly children: ComponentChildren }) {
  return (
    <p class="failure" role="alert">
      {children}
    </p>
  )
}
