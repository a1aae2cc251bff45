// Controls that act on the mock, and switches and choices.
import { useEffect, useId, useState } from 'preact/hooks'
import type { SandboxControls } from '../source.ts'
import { Button, type ButtonProps } from './button.tsx'
import { useConsole, useViewState } from './context.ts'
import { useScope, useScopedAction, type ScopedRun } from './scope.tsx'

const confirmMs = 4000

interface ActionProps extends Omit<ButtonProps, 'onClick'> {
  /** What it does, in each sandbox that is shown. */
  readonly run: ScopedRun
  /** Message on success. */
  readonly done?: string
  /** Name of the target, appended to the label. */
  readonly target?: string
  /** The question before a second click, for what cannot be undone. */
  readonly confirm?: string
  /** Whether the former state is kept, to return to. */
  readonly canUndo?: boolean
}

/** A function that acts on each sandbox that is shown, and reports the result. */
export function useAct() {
  const { act } = useConsole()
  const scoped = useScopedAction()
  return (run: ScopedRun, done?: string, canUndo = false) => {
    const { action, message, undo } = scoped(run, done, canUndo)
    return act(action, message, undo)
  }
}

/** A button that acts on each sandbox that is shown. */
export function Action(props: ActionProps) {
  const { run, done, target, confirm, canUndo, children, kind, label, ...others } = props
  const actOnEach = useAct()
  const { isAll, text } = useScope()
  const [isAsking, setAsking] = useState(false)
  useEffect(() => {
    if (!isAsking) return undefined
    const timer = setTimeout(() => setAsking(false), confirmMs)
    return () => clearTimeout(timer)
  }, [isAsking])
  const click = () => {
    setAsking(confirm !== undefined && !isAsking)
    return confirm === undefined || isAsking ? actOnEach(run, done, canUndo) : undefined
  }
  const question = isAll ? `${confirm?.replace('?', '') ?? ''} in ${text}?` : confirm
  const ownLabel = target === undefined ? label : `${children as string} ${target}`
  return (
    <Button
      {...others}
      kind={isAsking ? 'danger' : kind}
      label={isAsking ? undefined : ownLabel}
      onClick={click}
    >
      {confirm === undefined ? children : <span aria-live="polite">{isAsking ? question : children}</span>}
    </Button>
  )
}

async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
  } catch {
    throw new Error('The browser did not allow copying.')
  }
}

/** A function that copies a text, and reports the result. */
export function useCopy() {
  const { act } = useConsole()
  return (text: () => string | Promise<string>) => act(async () => copy(await text()), 'Copied.')
}

/** `text` is called on each click. */
export function CopyButton({
  text,
  ...others
}: Omit<ButtonProps, 'onClick'> & {
  readonly text: (controls: SandboxControls) => string | Promise<string>
}) {
  const { controls } = useConsole()
  const copyText = useCopy()
  return <Button {...others} onClick={() => copyText(() => text(controls))} />
}

interface SwitchProps {
  readonly label: string
  readonly isOn: boolean
  readonly onChange: (isOn: boolean) => unknown
}

export function Switch({ label, isOn, onChange }: SwitchProps) {
  return (
    <Button class="switch" role="switch" aria-checked={isOn} onClick={() => onChange(!isOn)}>
      <span class="track" aria-hidden="true" />
      {label}
    </Button>
  )
}

interface SegmentedProps<Id extends string> {
  readonly legend: string
  /** The label for none, whose value is ''; absent where one must be chosen. */
  readonly empty?: string
  /** Labels by value. */
  readonly choices: Readonly<Partial<Record<Id, string>>>
  readonly value: NoInfer<Id>
  readonly onChange: (value: Id) => unknown
}

/** A choice between a few values, side by side; arrow keys move. */
export function SegmentedControl<Id extends string>(props: SegmentedProps<Id>) {
  const { legend, empty, choices, value, onChange } = props
  const name = useId()
  const entries = Object.entries(choices) as [Id, string][]
  return (
    <fieldset class="segmented">
      <legend class="visually-hidden">{legend}</legend>
      {(empty === undefined ? entries : [['' as Id, empty] as const, ...entries]).map(([id, label]) => (
        <label key={id}>
          <input type="radio" name={name} checked={id === value} onChange={() => void onChange(id)} />
          <span>{label}</span>
        </label>
      ))}
    </fieldset>
  )
}

type SegmentedFilterProps = Omit<SegmentedProps<string>, 'value' | 'onChange'> & { readonly name: string }

/** A choice that is stored in the view state. */
export function SegmentedFilter({ name, ...others }: SegmentedFilterProps) {
  const [value, set] = useViewState(name)
  return <SegmentedControl {...others} value={value} onChange={set} />
}

interface ClockStepsProps {
  /** Button labels by duration. */
  readonly steps: Readonly<Record<string, string>>
  readonly kind?: ButtonProps['kind']
}

/** Buttons that advance the clock. */
export function ClockSteps({ steps, kind }: ClockStepsProps) {
  return Object.entries(steps).map(([by, label]) => (
    <Action
      key={by}
      kind={kind}
      title="Advance the clock"
      canUndo
      done={`Advanced by ${by}.`}
      run={({ clock }) => clock.advance({ by })}
    >
      {label}
    </Action>
  ))
}
