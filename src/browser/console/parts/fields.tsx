// Forms and fields of the console. `set` receives the text that was entered.
import type { FormHTMLAttributes, InputHTMLAttributes, RenderableProps, TargetedEvent } from 'preact'
import { useState } from 'preact/hooks'
import { messageOf } from '../../../contract/text/format.ts'
import { Failure } from './blocks.tsx'
import { ShownError, useConsole, useViewState, useWorkspace } from './context.ts'
import { type ScopedRun, useScopedAction } from './scope.tsx'

interface FormProps extends Omit<FormHTMLAttributes, 'onSubmit'> {
  /** What it does; the form shows why it failed. */
  readonly onSubmit?: () => unknown
  /** The same, in each sandbox that is shown. */
  readonly run?: ScopedRun
  /** Message on success. */
  readonly done?: string
  /** Whether the former state is kept, to return to. */
  readonly canUndo?: boolean
}

export function Form({ onSubmit, run, done, canUndo, children, ...others }: FormProps) {
  const { act } = useConsole()
  const scoped = useScopedAction()
  const [failure, setFailure] = useState<string | null>(null)
  const submit = async () => {
    setFailure(null)
    const { action, message, undo } = scoped(run ?? (() => Promise.resolve()), done, canUndo)
    const check = (error: unknown) => {
      setFailure(messageOf(error))
      throw new ShownError()
    }
    const perform = async () => {
      await (run ? action() : onSubmit?.())
    }
    await act(() => perform().catch(check), message, undo)
  }
  const start = (event: Event) => {
    event.preventDefault()
    void submit()
  }
  return (
    <form {...others} onSubmit={start}>
      {children}
      <Failure message={failure} />
    </form>
  )
}

interface FieldProps {
  readonly label: string
  readonly hint?: string
}

export function Field({ label, hint, children }: RenderableProps<FieldProps>) {
  return (
    <label class="field">
      <span class="field-label">{label}</span>
      {children}
      {hint !== undefined && <span class="aside">{hint}</span>}
    </label>
  )
}

type InputProps = InputHTMLAttributes & {
  readonly label?: string
  readonly set: (text: string) => void
}

/** A `ref` that focuses a field once: a new function each time would take the focus back with each request. */
export const focusOnce = (field: HTMLElement | null) => field?.focus()

export function Input({ set, label, ...others }: InputProps) {
  return <input {...others} aria-label={label} onInput={(event) => set(event.currentTarget.value)} />
}

/** A search whose text is stored in the view state. */
export function Search(props: { readonly label: string; readonly placeholder: string }) {
  const [text, setText] = useViewState('q')
  return <Input type="search" class="grow" {...props} value={text} set={(next) => setText(next, false)} />
}

/** Choices with the ids as labels. */
export const labelled = (ids: readonly string[]): Choice[] => ids.map((id) => ({ id, label: id }))

/** One of several values, by its label. */
export interface Choice {
  readonly id: string
  readonly label: string
  /** The heading of its group. */
  readonly group?: string
}

interface SelectProps {
  /** Absent within a `Field`. */
  readonly label?: string
  readonly choices: readonly Choice[]
  readonly value: string
  readonly set: (value: string) => void
  /** The text for none; null where one must be chosen. */
  readonly empty?: string | null
  readonly required?: boolean
  readonly class?: string
}

export function Select({ label, choices, value, set, empty = '–', ...others }: SelectProps) {
  const groups = Map.groupBy(choices, ({ group }) => group)
  const choose = (event: TargetedEvent<HTMLSelectElement>) => {
    const chosen = event.currentTarget.value
    // Controlled: shows `value` until it changes.
    event.currentTarget.value = value
    set(chosen)
  }
  return (
    <select {...others} aria-label={label} value={value} onChange={choose}>
      {empty !== null && <option value="">{empty}</option>}
      {[...groups].map(([group, members]) => {
        const options = members.map(({ id, label: text }) => (
          <option key={id} value={id}>
            {text}
          </option>
        ))
        return group === undefined ? options : <optgroup label={group}>{options}</optgroup>
      })}
    </select>
  )
}

/** A choice of one of the operations of some requests or findings, stored in the view state. */
export function OperationSelect({
  items,
}: {
  readonly items: readonly { readonly operation: string | null }[]
}) {
  const [value, set] = useViewState('operation')
  const ids = [...new Set(items.map(({ operation }) => operation))].filter((id) => id !== null)
  return (
    <Select label="Operation" empty="All operations" choices={labelled(ids.sort())} value={value} set={set} />
  )
}

/** A choice of the workspace that is shown, if there are several. */
export function WorkspaceSelect() {
  const { live, go } = useConsole()
  const current = useWorkspace()
  const workspaces = live.overview.workspaces
  if (!current || workspaces.length < 2) return null
  return (
    <Select
      label="Workspace"
      empty={null}
      choices={workspaces.map(({ id, name, plan }) => ({ id, label: `${name} (${plan})` }))}
      value={current.id}
      set={(id) => go({ workspace: id })}
    />
  )
}
