// The scope of the console: which sandboxes it shows, and what its buttons act on. The only place that knows of it: views
// read what is shown from `useScope`, and `useAct` acts on each sandbox of it.
import type { RenderableProps } from 'preact'
import { useMemo } from 'preact/hooks'
import type { RequestRow, Run, SandboxName, Scope } from '../live-state.ts'
import type { SandboxControls } from '../source.ts'
import { ConsoleContext, useConsole, type ViewState } from './context.ts'

export const sandboxText = (name: SandboxName) => name ?? 'main'

/** The scope of a view state: absent is all, empty the main sandbox. */
export const scopeOf = ({ sandbox }: ViewState): Scope =>
  sandbox === undefined ? undefined : sandbox === '' ? null : sandbox

export const scopeState = (scope: Scope) => ({ sandbox: scope === null ? '' : scope })

interface ScopeState {
  readonly isAll: boolean
  readonly names: readonly SandboxName[]
  /** In words, after a preposition: `all 41 sandboxes`, `sandbox checkout`; '' if there is only one. */
  readonly text: string
  /** Their requests, oldest first. */
  readonly requests: readonly RequestRow[]
  /** Runs something in each of them, and returns the results in their order. */
  each<T>(run: (controls: SandboxControls, sandbox: SandboxName) => Promise<T>): Promise<T[]>
  /** The items of each of them, with their sandbox. */
  list<T extends object>(
    read: (controls: SandboxControls) => Promise<readonly T[]>,
  ): Promise<(T & { readonly sandbox: SandboxName })[]>
}

function textOf([name = null, ...others]: readonly SandboxName[], runs: readonly Run[]): string {
  const count = others.length + 1
  if (count > 1) return `${count === runs.length ? 'all ' : ''}${String(count)} sandboxes`
  if (runs.length < 2 && name === null) return ''
  return name === null ? 'the main sandbox' : `sandbox ${name}`
}

export function useScope(): ScopeState {
  const { scope, selected, live, source } = useConsole()
  const { runs, requests: all } = live
  const shown = runs.length > 1 ? runs.map(({ name }) => name) : [null]
  const names = selected ?? (scope === undefined ? shown : [scope])
  const requests = useMemo(
    () => (names === shown ? all : all.filter(({ sandbox }) => names.includes(sandbox))),
    [all, names.join()],
  )
  const each: ScopeState['each'] = async (run) => {
    const results: Awaited<ReturnType<typeof run>>[] = []
    for (const name of names) results.push(await run(source.controls(name), name))
    return results
  }
  const list: ScopeState['list'] = async (read) =>
    (
      await each(async (controls, sandbox) => (await read(controls)).map((item) => ({ ...item, sandbox })))
    ).flat()
  return { isAll: names.length > 1, names, text: textOf(names, runs), requests, each, list }
}

/** The snapshot of the state before the last action that can be undone. */
export const undoName = 'undo'

export type ScopedRun = (controls: SandboxControls, sandbox: SandboxName) => unknown

export interface ActOptions {
  readonly done?: string | undefined
  /** Whether the former state is kept, to return to. */
  readonly canUndo?: boolean | undefined
}

/** A function that acts on each sandbox that is shown, and reports the result. */
export function useAct() {
  const { act } = useConsole()
  const { each, isAll, text } = useScope()
  return (run: ScopedRun, { done, canUndo = false }: ActOptions = {}) => {
    const runAll = () =>
      each(async (controls, sandbox) => {
        if (canUndo) await controls.saveSnapshot(undoName)
        await run(controls, sandbox)
      })
    const message = isAll && done?.includes(text) === false ? `${done} In ${text}.` : done
    return act(runAll, message, canUndo ? () => each((one) => one.restoreSnapshot(undoName)) : undefined)
  }
}

/** Its children show and act on these sandboxes, whatever is shown around them. */
export function InSandboxes({ names, children }: RenderableProps<{ names: readonly SandboxName[] }>) {
  const shared = useConsole()
  const [sandbox = null] = names
  const inside = {
    ...shared,
    sandbox,
    scope: sandbox,
    selected: names,
    controls: shared.source.controls(sandbox),
  }
  return <ConsoleContext.Provider value={inside}>{children}</ConsoleContext.Provider>
}

export const findRuns = (runs: readonly Run[], text: string) =>
  runs.filter(({ name, label }) =>
    `${sandboxText(name)} ${label ?? ''}`.toLowerCase().includes(text.trim().toLowerCase()),
  )
