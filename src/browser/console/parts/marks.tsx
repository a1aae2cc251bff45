// Small marks: statuses, severities and labels.
import type { RenderableProps } from 'preact'
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

export function Mark({ tone = 'plain', children }: RenderableProps<{ readonly tone?: Tone }>) {
  return <span class={`mark ${tone}`}>{children}</span>
}

export const toneOfSeverity: Readonly<Record<Severity, Tone>> = {
  error: 'bad',
  warning: 'warn',
  info: 'plain',
}
