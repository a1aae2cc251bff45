// The scope of the console: which sandboxes it shows, what its buttons act on, and how every view says so. The only place
// that knows of it: views read what is shown from `useScope`, and `Action` acts on each sandbox of it.
import type { ComponentChildren, RenderableProps } from 'preact'
import { useMemo, useState } from 'preact/hooks'
import { countText } from '../format.ts'
import type { RequestRow, Run, SandboxName, Scope } from '../live-state.ts'
import type { SandboxControls } from '../source.ts'
import {
  type Console,
  ConsoleContext,
  useConsole,
  type ViewId,
  viewNames,
  type ViewState,
} from './context.ts'
import { Button, ListButton } from './button.tsx'

export const sandboxText = (name: SandboxName) => name ?? 'main'

/** The scope of a view state: absent is all, empty the main sandbox. */
export const scopeOf = ({ sandbox }: ViewState): Scope =>
  sandbox === undefined ? undefined : sandbox === '' ? null : sandbox

/** The view state of a scope. */
export const scopeState = (scope: Scope) => ({ sandbox: scope === null ? '' : scope })

interface ScopeState {
  /** Whether several sandboxes are shown. */
  readonly isAll: boolean
  /** The sandboxes that are shown. */
  readonly names: readonly SandboxName[]
  /** In words, after a preposition: `all 41 sandboxes`, `sandbox checkout`; '' if there is only one. */
  readonly text: string
  /** Their requests, oldest first. */
  readonly requests: readonly RequestRow[]
  /** Runs something in each of them, and returns the results by sandbox. */
  each<T>(
    run: (controls: SandboxControls, sandbox: SandboxName) => Promise<T>,
  ): Promise<(readonly [SandboxName, T])[]>
}

function textOf(names: readonly SandboxName[], runs: readonly Run[]): string {
  const [name = null] = names
  if (names.length > 1) return `all ${String(names.length)} sandboxes`
  if (runs.length < 2 && name === null) return ''
  return name === null ? 'the main sandbox' : `sandbox ${name}`
}

export function useScope(): ScopeState {
  const { scope, live, source } = useConsole()
  const { runs, requests: all } = live
  const requests = useMemo(
    () => (scope === undefined ? all : all.filter(({ sandbox }) => sandbox === scope)),
    [all, scope],
  )
  const names = scope !== undefined ? [scope] : runs.length > 1 ? runs.map(({ name }) => name) : [null]
  const each: ScopeState['each'] = async (run) => {
    const results: (readonly [SandboxName, Awaited<ReturnType<typeof run>>])[] = []
    for (const name of names) results.push([name, await run(source.controls(name), name)])
    return results
  }
  return { isAll: names.length > 1, names, text: textOf(names, runs), requests, each }
}

/** The snapshot of the state before the last action that can be undone. */
export const undoName = 'undo'

export type ScopedRun = (controls: SandboxControls, sandbox: SandboxName) => Promise<unknown>

/** Makes an action for each sandbox that is shown, with the message that says so and what undoes it, as `act` takes them. */
export function useScopedAction() {
  const { each, isAll, text } = useScope()
  return (run: ScopedRun, done?: string, canUndo = false) => ({
    action: () =>
      each(async (controls, sandbox) => {
        if (canUndo) await controls.saveSnapshot(undoName)
        await run(controls, sandbox)
      }),
    message: isAll && done !== undefined ? `${done} In ${text}.` : done,
    undo: canUndo ? () => each((controls) => controls.restoreSnapshot(undoName)) : undefined,
  })
}

/** Its children show and act on one sandbox, whatever is shown around them. */
export function InSandbox({ sandbox, children }: RenderableProps<{ readonly sandbox: SandboxName }>) {
  const shared = useConsole()
  const inside: Console = {
    ...shared,
    ...{ scope: sandbox, sandbox, controls: shared.source.controls(sandbox) },
  }
  return <ConsoleContext.Provider value={inside}>{children}</ConsoleContext.Provider>
}

/** The runs whose name or label contains a text. */
export const findRuns = (runs: readonly Run[], text: string) =>
  runs.filter(({ name, label }) =>
    `${sandboxText(name)} ${label ?? ''}`.toLowerCase().includes(text.trim().toLowerCase()),
  )

const shownRuns = 60

/** Asks which sandbox to show, where a view is of one. */
function SandboxChoice({ title }: { readonly title: string }) {
  const { live, go } = useConsole()
  const [text, setText] = useState('')
  const found = findRuns(live.runs, text)
  return (
    <div class="sheet padded choice">
      <h3>{title} is of one sandbox. Which one?</h3>
      <input
        type="search"
        aria-label="Find a sandbox"
        placeholder="Name or label …"
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <ul>
        {found.slice(0, shownRuns).map(({ name, label, requests }) => (
          <li key={name}>
            <ListButton name={sandboxText(name)} isCurrent={false} onClick={() => go(scopeState(name))}>
              <span class="aside">{[label, countText(requests, 'request')].filter(Boolean).join(', ')}</span>
            </ListButton>
          </li>
        ))}
      </ul>
      {found.length > shownRuns && <p class="aside">{found.length - shownRuns} more: search for them.</p>}
    </div>
  )
}

interface ScopedProps {
  readonly view: ViewId
  /** Whether the view shows a single sandbox. */
  readonly isOfOne: boolean
  readonly children: ComponentChildren
}

/** A view below a line that says what it shows and what its buttons act on. */
export function Scoped({ view, isOfOne, children }: ScopedProps) {
  const { live, scope, go, show } = useConsole()
  const { isAll, text } = useScope()
  // The runs are all sandboxes, whichever is shown.
  if (text === '' || view === 'runs') return <>{children}</>
  const label = live.runs.find(({ name }) => name === scope)?.label
  return (
    <>
      <p class="scope">
        <span>
          Shows <b>{text}</b>
          {label != null && <span class="aside"> {label}</span>}
          {!(isAll && isOfOne) && `; buttons act on ${isAll ? 'each of them' : 'it alone'}.`}
        </span>
        {!isAll && (
          <Button class="link" onClick={() => go({ sandbox: undefined })}>
            Show all
          </Button>
        )}
        <Button class="link" onClick={() => show('runs')}>
          Choose a sandbox
        </Button>
      </p>
      {isAll && isOfOne ? <SandboxChoice title={viewNames[view]} /> : children}
    </>
  )
}
