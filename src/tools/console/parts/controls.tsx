// Buttons, switches and choices of the console.
import type { ButtonHTMLAttributes, ComponentChildren, TargetedKeyboardEvent } from 'preact'
import { useEffect, useId, useState } from 'preact/hooks'
import type { SandboxControls } from '../source.ts'
import { type ActOptions, type ScopedRun, useConsole, useParam } from './context.ts'

interface ButtonProps extends Omit<ButtonHTMLAttributes, 'kind' | 'label' | 'onClick'> {
  readonly onClick?: (() => unknown) | undefined
  readonly kind?: 'plain' | 'primary' | 'danger' | 'quiet' | undefined
  /** Its accessible name, if it differs from its text. */
  readonly label?: string | undefined
  readonly text?: ComponentChildren
}

/** A `class` replaces the class of a framed button. */
export function Button({ onClick, kind = 'plain', label, text, children, ...others }: ButtonProps) {
  return (
    <button
      class={`button ${kind}`}
      type={onClick ? 'button' : 'submit'}
      {...others}
      aria-label={label}
      onClick={onClick && (() => void onClick())}
    >
      {text}
      {children}
    </button>
  )
}

const confirmMs = 4000

interface ActionProps extends Omit<ButtonProps, 'onClick' | 'text'>, ActOptions {
  readonly text?: string
  readonly run: ScopedRun
  /** Appended to its text in its accessible name. */
  readonly target?: string
  /** The question that asks for a second click, for an action that cannot be undone. */
  readonly confirm?: string
}

export function Action(props: ActionProps) {
  const {
    run,
    done,
    canUndo,
    lost,
    undo,
    target,
    confirm,
    text = '',
    children,
    kind,
    label,
    ...others
  } = props
  const { act, isAll, place } = useConsole()
  const [isAsking, setAsking] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setAsking(false), confirmMs)
    return () => clearTimeout(timer)
  }, [isAsking])
  const click = () => {
    setAsking(confirm !== undefined && !isAsking)
    return confirm === undefined || isAsking ? act(run, { done, canUndo, lost, undo }) : undefined
  }
  const isPlaced = !isAll || confirm?.includes(place)
  const question = isPlaced ? confirm : `${confirm?.replace('?', '') ?? ''} in ${place}?`
  const ownLabel = target === undefined ? label : `${text} ${target}`
  return (
    <Button
      {...others}
      kind={isAsking ? 'danger' : kind}
      label={isAsking ? undefined : ownLabel}
      onClick={click}
    >
      {confirm === undefined ? text : <span aria-live="polite">{isAsking ? question : text}</span>}
      {children}
    </Button>
  )
}

type CopyProps = Omit<ButtonProps, 'onClick'> & {
  readonly copied: (controls: SandboxControls) => string | Promise<string>
}

export function CopyButton({ copied, ...others }: CopyProps) {
  const { controls, perform } = useConsole()
  const copy = async () => {
    const text = await copied(controls)
    await navigator.clipboard.writeText(text).catch(() => {
      throw new Error('The browser did not allow copying.')
    })
  }
  return <Button kind="quiet" {...others} onClick={() => perform(copy, 'Copied.')} />
}

type SwitchProps = Readonly<{ label: string; isOn: boolean; set: (isOn: boolean) => unknown }>

export function Switch({ label, isOn, set }: SwitchProps) {
  return (
    <Button class="switch" role="switch" aria-checked={isOn} onClick={() => set(!isOn)}>
      <span class="track" aria-hidden="true" />
      {label}
    </Button>
  )
}

export function SwitchFilter({ name, label }: { name: string; label: string }) {
  const { value, set } = useParam(name)
  return <Switch label={label} isOn={value !== ''} set={(isOn) => set(isOn ? 'on' : '')} />
}

/** Arrow keys move between radios without choosing, since a choice takes effect at once; Enter and Space choose. */
export function moveAmongRadios(event: TargetedKeyboardEvent<HTMLElement>): void {
  const { key, currentTarget, target } = event
  const radios = [...currentTarget.querySelectorAll<HTMLInputElement>('input[type=radio]')]
  const from = radios.findIndex((radio) => radio === target)
  if (from < 0) return
  if (key === 'Enter') radios[from]?.click()
  else if (!key.startsWith('Arrow')) return
  else radios.at((from + (key === 'ArrowDown' || key === 'ArrowRight' ? 1 : -1)) % radios.length)?.focus()
  event.preventDefault()
}

interface SegmentedProps<Id extends string> {
  readonly legend: string
  /** The label for no choice, whose value is ''; absent if one must be chosen. */
  readonly empty?: string
  readonly choices: Readonly<Partial<Record<Id, string>>>
  readonly value: NoInfer<Id>
  readonly set: (value: Id) => unknown
}

export function SegmentedControl<Id extends string>(props: SegmentedProps<Id>) {
  const { legend, empty, choices, value, set } = props
  const name = useId()
  const entries = Object.entries(choices) as [Id, string][]
  return (
    <fieldset class="segmented" onKeyDown={moveAmongRadios}>
      <legend class="visually-hidden">{legend}</legend>
      {(empty === undefined ? entries : [['' as Id, empty] as const, ...entries]).map(([id, label]) => (
        <label key={id}>
          <input type="radio" name={name} checked={id === value} onChange={() => void set(id)} />
          <span>{label}</span>
        </label>
      ))}
    </fieldset>
  )
}
