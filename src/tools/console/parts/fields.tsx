// Forms, their fields, and files. `set` receives the text that was entered.
import type { FormHTMLAttributes, InputHTMLAttributes, TextareaHTMLAttributes } from 'preact'
import type { RenderableProps, TargetedEvent, TargetedKeyboardEvent } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { messageOf } from '../../../contract/text/format.ts'
import { Failure } from './blocks.tsx'
import { type ActOptions, noQuery, type ScopedRun, ShownError } from './context.ts'
import { useConsole, useParam, useWorkspace } from './context.ts'

interface FormProps extends Omit<FormHTMLAttributes, 'run' | 'onSubmit'>, ActOptions {
  readonly run: ScopedRun
}

/** A form that shows the error of its action below its fields. */
export function Form({ run, done, canUndo, undo, children, ...others }: FormProps) {
  const { act } = useConsole()
  const [failure, setFailure] = useState<string | null>(null)
  const runShown: ScopedRun = async (controls, sandbox) => {
    try {
      await run(controls, sandbox)
    } catch (error) {
      setFailure(messageOf(error))
      throw new ShownError()
    }
  }
  const submit = (event: Event) => {
    event.preventDefault()
    setFailure(null)
    void act(runShown, { done, canUndo, undo })
  }
  return (
    <form {...others} onSubmit={submit}>
      {children}
      <Failure message={failure} />
    </form>
  )
}

interface Labels {
  /** The accessible name of a field without a visible label. */
  readonly label?: string
  readonly field?: string | undefined
  readonly hint?: string | undefined
}

function Labelled({ field, hint, children }: RenderableProps<Labels>) {
  if (field === undefined) return <>{children}</>
  return (
    <label class="field">
      <span class="field-label">{field}</span>
      {children}
      {hint !== undefined && <span class="aside">{hint}</span>}
    </label>
  )
}

/** For use as a `ref`: a new function each time would take the focus back on every render. */
export const focusOnce = (field: HTMLElement | null) => field?.focus()

type TextEntry<Attributes> = Attributes & Labels & { readonly set: (text: string) => void }

export function Input({ set, label, field, hint, ...others }: TextEntry<InputHTMLAttributes>) {
  return (
    <Labelled {...{ field, hint }}>
      <input {...others} aria-label={label} onInput={(event) => set(event.currentTarget.value)} />
    </Labelled>
  )
}

export function TextArea({ set, label, field, ...others }: TextEntry<TextareaHTMLAttributes>) {
  const enter = (event: TargetedEvent<HTMLTextAreaElement>) => set(event.currentTarget.value)
  return (
    <Labelled field={field}>
      <textarea dir="auto" {...others} aria-label={label} onInput={enter} />
    </Labelled>
  )
}

type SearchProps = Pick<InputHTMLAttributes, 'onKeyDown' | 'placeholder'> & { readonly label: string }

export function Search(props: SearchProps) {
  return <Input type="search" class="grow" {...props} {...useParam('q', false)} />
}

export type Choice = Readonly<{ id: string; label: string; group?: string }>

export const toChoices = (ids: readonly string[]): Choice[] => ids.map((id) => ({ id, label: id }))

export const toNamedChoices = (
  records: readonly { readonly id: string; readonly name: string }[],
): Choice[] => records.map(({ id, name }) => ({ id, label: name }))

interface SelectProps extends Labels {
  readonly choices: readonly Choice[]
  readonly value: string
  readonly set: (value: string) => void
  /** The text for no choice; null if one must be chosen. */
  readonly empty?: string | null
  readonly class?: string
}

export function Select({ label, field, choices, value, set, empty = '–', ...others }: SelectProps) {
  const choose = (event: TargetedEvent<HTMLSelectElement>) => {
    const chosen = event.currentTarget.value
    // Controlled: shows `value` until it changes.
    event.currentTarget.value = value
    set(chosen)
  }
  return (
    <Labelled field={field}>
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
    </Labelled>
  )
}

interface ActingSelectProps {
  readonly label: string
  readonly empty: string
  readonly choices: readonly Choice[]
  readonly choose: (id: string) => void
}

/** A select that acts when a choice is made. On the closed field, arrow keys only browse and Enter acts. */
export function ActingSelect({ label, empty, choices, choose }: ActingSelectProps) {
  const [shown, show] = useState('')
  const isMoving = useRef(false)
  const act = (id: string) => {
    show('')
    if (id !== '') choose(id)
  }
  const press = (event: TargetedKeyboardEvent<HTMLSelectElement>) => {
    const { key } = event
    isMoving.current = key !== 'Enter' && key !== ' '
    if (key !== 'Enter') return
    event.preventDefault()
    act(shown)
  }
  return (
    <select
      class="quiet"
      aria-label={label}
      value={shown}
      onKeyDown={press}
      onKeyUp={() => (isMoving.current = false)}
      onBlur={() => show('')}
      onChange={({ currentTarget }) =>
        isMoving.current ? show(currentTarget.value) : act(currentTarget.value)
      }
    >
      <option value="">{empty}</option>
      {choices.map(({ id, label: text }) => (
        <option key={id} value={id}>
          {text}
        </option>
      ))}
    </select>
  )
}

export function OperationSelect({ items }: { items: readonly { readonly operation: string | null }[] }) {
  const ids = [...new Set(items.map(({ operation }) => operation))].filter((id) => id !== null)
  const texts = { label: 'Operation', empty: 'All operations' }
  return <Select {...texts} choices={toChoices(ids.sort())} {...useParam('operation')} />
}

export function WorkspaceSelect() {
  const { live, go } = useConsole()
  const { workspaces } = live.overview
  const current = useWorkspace()
  const set = (workspace: string) =>
    go({ workspace, table: undefined, row: undefined, list: undefined, task: undefined, ...noQuery })
  if (!current || workspaces.length < 2) return null
  const choices = workspaces.map(({ id, name, plan }) => ({ id, label: `${name} (${plan})` }))
  return <Select label="Workspace" empty={null} choices={choices} value={current.id} set={set} />
}

export function download(name: string, file: Blob): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = name
  link.click()
  URL.revokeObjectURL(link.href)
}

export const downloadJson = (name: string, json: unknown): void =>
  download(name, new Blob([JSON.stringify(json, null, 2)], { type: 'application/json' }))

/** @throws {Error} with the message `failure` if it is not JSON */
export const parseJson = (body: string, failure: string): Promise<unknown> =>
  new Response(body).json().catch(() => {
    throw new Error(failure)
  })
