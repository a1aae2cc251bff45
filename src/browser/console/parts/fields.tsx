// Forms and fields of the console. `set` receives the text that was entered.
import type {
  FormHTMLAttributes,
  InputHTMLAttributes,
  RenderableProps,
  TargetedEvent,
  TextareaHTMLAttributes,
} from 'preact'
import { useState } from 'preact/hooks'
import { messageOf } from '../../../contract/text/format.ts'
import { Failure } from './blocks.tsx'
import { ShownError, useConsole, useViewState, useWorkspace } from './context.ts'
import { type ActOptions, type ScopedRun, useAct } from './scope.tsx'

interface FormProps extends Omit<FormHTMLAttributes, 'run' | 'onSubmit'>, ActOptions {
  /** What it does, in each sandbox that is shown. The form shows why it failed. */
  readonly run: ScopedRun
  /** Receives the error; null before each attempt. Default: the form shows its message. */
  readonly onFailure?: (error: unknown) => void
}

export function Form({ run, done, canUndo, onFailure, children, ...others }: FormProps) {
  const act = useAct()
  const [failure, setFailure] = useState<string | null>(null)
  const fail = onFailure ?? ((error) => setFailure(error === null ? null : messageOf(error)))
  const runShown: ScopedRun = async (controls, sandbox) => {
    try {
      await run(controls, sandbox)
    } catch (error) {
      fail(error)
      throw new ShownError()
    }
  }
  const submit = (event: Event) => {
    event.preventDefault()
    fail(null)
    void act(runShown, { done, canUndo })
  }
  return (
    <form {...others} onSubmit={submit}>
      {children}
      <Failure message={failure} />
    </form>
  )
}

export function Field({ label, hint, children }: RenderableProps<{ label: string; hint?: string }>) {
  return (
    <label class="field">
      <span class="field-label">{label}</span>
      {children}
      {hint !== undefined && <span class="aside">{hint}</span>}
    </label>
  )
}

/** A `ref` that focuses a field once: a new function each time would take the focus back with each request. */
export const focusOnce = (field: HTMLElement | null) => field?.focus()

type Entry<Attributes> = Attributes & { readonly label?: string; readonly set: (text: string) => void }

export function Input({ set, label, ...others }: Entry<InputHTMLAttributes>) {
  return <input {...others} aria-label={label} onInput={(event) => set(event.currentTarget.value)} />
}

export function TextArea({ set, label, ...others }: Entry<TextareaHTMLAttributes>) {
  const enter = (event: TargetedEvent<HTMLTextAreaElement>) => set(event.currentTarget.value)
  return <textarea dir="auto" {...others} aria-label={label} onInput={enter} />
}

/** A search whose text is stored in the view state. */
export function Search(props: { readonly label: string; readonly placeholder: string }) {
  const [text, setText] = useViewState('q')
  return <Input type="search" class="grow" {...props} value={text} set={(next) => setText(next, false)} />
}

export interface Choice {
  readonly id: string
  readonly label: string
  readonly group?: string
}

export const labelled = (ids: readonly string[]): Choice[] => ids.map((id) => ({ id, label: id }))

export const namedChoices = (records: readonly { readonly id: string; readonly name: string }[]): Choice[] =>
  records.map(({ id, name }) => ({ id, label: name }))

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
  const choose = (event: TargetedEvent<HTMLSelectElement>) => {
    const chosen = event.currentTarget.value
    // Controlled: shows `value` until it changes.
    event.currentTarget.value = value
    set(chosen)
  }
  return (
    <select {...others} aria-label={label} value={value} onChange={choose}>
      {empty !== null && <option value="">{empty}</option>}
      {[...Map.groupBy(choices, ({ group }) => group)].map(([group, members]) => {
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

/** A choice that is stored in the view state. */
export function SelectFilter({
  name,
  ...others
}: Omit<SelectProps, 'value' | 'set'> & { readonly name: string }) {
  const [value, set] = useViewState(name)
  return <Select {...others} value={value} set={(id) => set(id)} />
}

/** A choice of one of the operations of some requests or findings. */
export function OperationSelect({ items }: { items: readonly { readonly operation: string | null }[] }) {
  const ids = [...new Set(items.map(({ operation }) => operation))].filter((id) => id !== null)
  return (
    <SelectFilter name="operation" label="Operation" empty="All operations" choices={labelled(ids.sort())} />
  )
}

/** A choice of the workspace that is shown, if there are several. */
export function WorkspaceSelect() {
  const { live, go } = useConsole()
  const current = useWorkspace()
  const { workspaces } = live.overview
  if (!current || workspaces.length < 2) return null
  const choices = workspaces.map(({ id, name, plan }) => ({ id, label: `${name} (${plan})` }))
  const set = (workspace: string) => go({ workspace })
  return <Select label="Workspace" empty={null} choices={choices} value={current.id} set={set} />
}
