// The console's buttons, switches and fields.
import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { useConsole } from './context.ts'

interface ButtonProps {
  readonly children: ComponentChildren
  readonly onClick: () => void
  readonly kind?: 'plain' | 'primary' | 'danger' | 'quiet'
  readonly label?: string
  readonly disabled?: boolean
}

export function Button({ children, onClick, kind = 'plain', label, disabled = false }: ButtonProps) {
  return (
    <button type="button" class={`button ${kind}`} aria-label={label} disabled={disabled} onClick={onClick}>
      {children}
    </button>
  )
}

const confirmMs = 4000

/** A button that wants a second click, for what cannot be taken back. */
export function ConfirmButton({
  children,
  confirm,
  onClick,
  kind = 'plain',
  label,
}: ButtonProps & { readonly confirm: string }) {
  const [isAsking, setAsking] = useState(false)
  useEffect(() => {
    if (!isAsking) return undefined
    const timer = setTimeout(() => setAsking(false), confirmMs)
    return () => clearTimeout(timer)
  }, [isAsking])
  const click = () => {
    if (isAsking) onClick()
    setAsking(!isAsking)
  }
  return (
    <Button
      kind={isAsking ? 'danger' : kind}
      onClick={click}
      {...(label === undefined || isAsking ? {} : { label })}
    >
      <span aria-live="polite">{isAsking ? confirm : children}</span>
    </Button>
  )
}

/** Copies a text, which is made when it is asked for. */
export function CopyButton({
  text,
  children,
  kind = 'plain',
  label,
}: {
  readonly text: () => string | Promise<string>
  readonly children: ComponentChildren
  readonly kind?: 'plain' | 'quiet'
  readonly label?: string
}) {
  const { say } = useConsole()
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(await text())
      say('Copied.')
    } catch (error) {
      const isRefused = error instanceof DOMException || !(error instanceof Error)
      say(isRefused ? 'The browser did not allow copying.' : error.message)
    }
  }
  return (
    <Button kind={kind} onClick={() => void copy()} {...(label === undefined ? {} : { label })}>
      {children}
    </Button>
  )
}

export function Switch({
  label,
  isOn,
  onChange,
}: {
  readonly label: string
  readonly isOn: boolean
  readonly onChange: (isOn: boolean) => void
}) {
  return (
    <button type="button" role="switch" class="switch" aria-checked={isOn} onClick={() => onChange(!isOn)}>
      <span class="track" aria-hidden="true" />
      {label}
    </button>
  )
}

interface Choice<Value> {
  readonly value: Value
  readonly label: string
}

let lastGroup = 0

/** One of a few, side by side; arrow keys move. */
export function Segmented<Value extends string>({
  legend,
  choices,
  value,
  onChange,
}: {
  readonly legend: string
  readonly choices: readonly Choice<Value>[]
  readonly value: Value
  readonly onChange: (value: Value) => void
}) {
  const [name] = useState(() => `group-${String((lastGroup += 1))}`)
  return (
    <fieldset class="segmented">
      <legend class="unseen">{legend}</legend>
      {choices.map((choice) => (
        <label key={choice.value}>
          <input
            type="radio"
            name={name}
            checked={choice.value === value}
            onChange={() => onChange(choice.value)}
          />
          <span>{choice.label}</span>
        </label>
      ))}
    </fieldset>
  )
}

export function Field({
  label,
  hint,
  children,
}: {
  readonly label: string
  readonly hint?: ComponentChildren | undefined
  readonly children: ComponentChildren
}) {
  return (
    <label class="field">
      <span class="field-label">{label}</span>
      {children}
      {hint !== undefined && <span class="hint">{hint}</span>}
    </label>
  )
}

/** What is typed into a field. */
export const typed = (event: Event) => (event.currentTarget as HTMLInputElement | HTMLSelectElement).value
