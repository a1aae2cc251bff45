// The console's buttons and switches.
import type { ButtonHTMLAttributes, ComponentChildren, RenderableProps } from 'preact'
import { useEffect, useId, useState } from 'preact/hooks'
import type { SandboxControls } from '../source.ts'
import { useConsole, useViewState } from './context.ts'

interface ButtonProps extends Omit<ButtonHTMLAttributes, 'kind' | 'label' | 'onClick'> {
  /** Default: submits the form of the button. */
  readonly onClick?: () => unknown
  readonly kind?: 'plain' | 'primary' | 'danger' | 'quiet' | undefined
  readonly label?: string | undefined
}

/** A `class` replaces those of a framed button. */
export function Button({ onClick, kind = 'plain', label, ...others }: ButtonProps) {
  return (
    <button
      class={`button ${kind}`}
      {...others}
      type={onClick ? 'button' : 'submit'}
      aria-label={label}
      onClick={onClick && (() => void onClick())}
    />
  )
}

const confirmMs = 4000

interface ActionProps extends Omit<ButtonProps, 'onClick'> {
  /** What it does, to the sandbox that is shown. */
  readonly run: (controls: SandboxControls) => Promise<unknown>
  /** Said when it is done. */
  readonly done?: string
  /** The name of what it acts on, which completes its text to its label. */
  readonly target?: string
  /** The question before a second click, for what cannot be undone. */
  readonly confirm?: string
}

/** A button that acts on the mock. */
export function Action(props: ActionProps) {
  const { run, done, target, confirm, children, kind, label, ...others } = props
  const { controls, act } = useConsole()
  const [isAsking, setAsking] = useState(false)
  useEffect(() => {
    if (!isAsking) return undefined
    const timer = setTimeout(() => setAsking(false), confirmMs)
    return () => clearTimeout(timer)
  }, [isAsking])
  const click = () => {
    setAsking(confirm !== undefined && !isAsking)
    return confirm === undefined || isAsking ? act(() => run(controls), done) : undefined
  }
  const ownLabel = target === undefined ? label : `${children as string} ${target}`
  return (
    <Button
      {...others}
      kind={isAsking ? 'danger' : kind}
      label={isAsking ? undefined : ownLabel}
      onClick={click}
    >
      {confirm === undefined ? children : <span aria-live="polite">{isAsking ? confirm : children}</span>}
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

/** `text` is called on each click. */
export function CopyButton({
  text,
  ...others
}: Omit<ButtonProps, 'onClick'> & {
  readonly text: (controls: SandboxControls) => string | Promise<string>
}) {
  return <Action {...others} run={async (controls) => copy(await text(controls))} done="Copied." />
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
  /** Labels by length. */
  readonly steps: Readonly<Record<string, string>>
  readonly kind?: ButtonProps['kind']
}

/** Buttons that advance the clock. */
export function ClockSteps({ steps, kind }: ClockStepsProps) {
  return Object.entries(steps).map(([by, label]) => (
    <Action key={by} kind={kind} title="Advance the clock" run={({ clock }) => clock.advance({ by })}>
      {label}
    </Action>
  ))
}

interface PickProps {
  readonly name: string
  readonly isCurrent: boolean
  readonly onClick: () => unknown
}

/** One of several buttons of which one is pressed, with details after its name. */
export function Pick({ name, isCurrent, onClick, children }: RenderableProps<PickProps>) {
  return (
    <Button class="pick" aria-pressed={isCurrent} onClick={onClick}>
      <span class="name">{name}</span>
      {children}
    </Button>
  )
}

interface PickListProps<Item> {
  readonly label: string
  readonly items: readonly Item[]
  readonly current: Item
  readonly onChange: (id: string) => unknown
  /** What follows the name of an item. */
  readonly details: (item: Item) => ComponentChildren
}

/** A list of picks; its children are about the current one, next to it. */
export function PickList<Item extends { readonly id: string; readonly name: string }>(
  props: RenderableProps<PickListProps<Item>>,
) {
  const { label, items, current, onChange, details, children } = props
  return (
    <div class="with-list">
      <ul class="picks" aria-label={label}>
        {items.map((item) => (
          <li key={item.id}>
            <Pick name={item.name} isCurrent={item.id === current.id} onClick={() => onChange(item.id)}>
              {details(item)}
            </Pick>
          </li>
        ))}
      </ul>
      {children}
    </div>
  )
}
