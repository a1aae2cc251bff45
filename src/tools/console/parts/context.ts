// What every part of the console can use: the mock, its live state, the sandboxes shown, the view state, and actions.
import { type ComponentChildren, createContext } from 'preact'
import { useContext, useEffect, useState } from 'preact/hooks'
import type { WorkspaceOverview } from '../../../adapters/control-api/inspect.ts'
import { messageOf } from '../../../contract/text/format.ts'
import type { LiveState, Located, RequestRow, SandboxName } from '../live-state.ts'
import type { ConsoleSource, SandboxControls } from '../source.ts'

export const viewNames = {
  runs: 'Runs',
  journal: 'Journal',
  report: 'Report',
  state: 'State',
  time: 'Time and jobs',
  faults: 'Faults',
  settings: 'Settings',
}
export type ViewId = keyof typeof viewNames

/** Clears every filter, sort order and page of a list. */
export const noQuery = Object.fromEntries(
  ['q', 'only', 'offset', 'search', 'sort', 'hide'].map((name) => [name, undefined]),
)

/** What is shown: `view`, `sandbox` and the parameters of the view. Absent means the default. */
export type ViewState = Readonly<Record<string, string>>

export interface Address {
  read(): ViewState
  /** @param isStep whether to add an entry to the browser's history */
  write(viewState: ViewState, isStep: boolean): void
  /** @returns a function that unsubscribes */
  listen(listener: () => void): () => void
  title(text: string): void
}

/** `request=12&sandbox=checkout`. */
export const formatViewState = (viewState: ViewState) => new URLSearchParams(viewState).toString()

/** Changes to the view state; undefined removes a part. */
type ViewStateChange = Readonly<Record<string, string | undefined>>

export type ScopedRun = (controls: SandboxControls, sandbox: SandboxName) => unknown

/** A message, which can depend on what was done. */
type Done = string | (() => ComponentChildren) | undefined

export interface ActOptions {
  readonly done?: Done
  /** Whether the former state is kept, so that the action can be undone. */
  readonly canUndo?: boolean | undefined
  /** What else the action removes that undo cannot restore. */
  readonly lost?: string | undefined
  /** Undoes the action once it is done, instead of restoring a snapshot. */
  readonly undo?: (() => Undo | undefined) | undefined
}

export interface Undo {
  /** The message shown once the action is undone. */
  readonly done: string
  /** @throws {Error} if something newer would be lost; a snapshot is kept then */
  run(): Promise<void>
  /** Deletes the snapshot, unless it was restored or is kept. */
  forget?(): void
}

/** The part of the console that does not depend on which sandboxes it shows. */
export interface Frame {
  readonly source: ConsoleSource
  readonly live: LiveState
  readonly viewState: ViewState
  /** Changes what is shown. @param isStep whether to add an entry to the browser's history */
  go(change: ViewStateChange, isStep?: boolean): void
  /** Shows a view in its last state, with changes. */
  show(view: ViewId, change?: ViewStateChange): void
  openEntry(request: Pick<RequestRow, 'id' | 'sandbox'> | null, change?: ViewStateChange): void
  /** Shows `done`, or why the action failed. Resolves with whether it succeeded. */
  perform(action: () => unknown, done?: Done, undo?: () => Undo | undefined): Promise<boolean>
  clearRequests(sandbox: SandboxName): Promise<void>
  readonly drafts: Map<string, unknown>
  /** Whether the page's address says what is shown. */
  readonly hasAddress: boolean
}

/** The console as a view sees it, including which sandboxes are shown. */
export interface Console extends Frame {
  readonly names: readonly SandboxName[]
  readonly isAll: boolean
  /** Whether the sandbox does not exist. */
  readonly isMissing: boolean
  /** `all 41 sandboxes`, `sandbox checkout`; '' if there is only one. */
  readonly place: string
  /** The first shown sandbox, read for facts that all of them share; the main one if all are shown. */
  readonly sandbox: SandboxName
  /** The controls of that sandbox. */
  readonly controls: SandboxControls
  /** The requests of all shown sandboxes, oldest first. */
  readonly requests: readonly RequestRow[]
  each<T>(run: (controls: SandboxControls, sandbox: SandboxName) => Promise<T>): Promise<T[]>
  list<T extends object>(read: (controls: SandboxControls) => Promise<readonly T[]>): Promise<Located<T>[]>
  /** Performs an action in each sandbox. */
  act(run: ScopedRun, options?: ActOptions): Promise<boolean>
}

/** An error that a form shows itself. */
export class ShownError extends Error {}

export const ConsoleContext = createContext<Console | null>(null)

export function useConsole(): Console {
  const value = useContext(ConsoleContext)
  if (!value) throw new Error('useConsole needs ConsoleContext')
  return value
}

/** A part of the view state; '' if absent. */
export function useParam(name: string, isStep = true) {
  const { viewState, go } = useConsole()
  return {
    value: viewState[name] ?? '',
    set: (value: string | undefined) => go({ [name]: value === '' ? undefined : value }, isStep),
  }
}

/** The workspace of the table or list that is shown, else the chosen one. */
export function useWorkspace() {
  const { live, viewState } = useConsole()
  const { workspaces } = live.overview
  const { part, table, list, workspace } = viewState
  const hasRecord = ({ tables, lists }: WorkspaceOverview) =>
    part === 'tasks' ? lists.some(({ id }) => id === list) : tables.some(({ id }) => id === table)
  return workspaces.find(hasRecord) ?? workspaces.find(({ id }) => id === workspace) ?? workspaces[0]
}

/** State that survives a change of view. Its name is unique in a sandbox. */
export function useDraft<T>(name: string, initial: T): readonly [T, (value: T) => void] {
  const { drafts, sandbox } = useConsole()
  const key = `${sandbox ?? ''}:${name}`
  const [value, setValue] = useState<T>(() => (drafts.has(key) ? (drafts.get(key) as T) : initial))
  const set = (next: T) => {
    if (next === initial) drafts.delete(key)
    else drafts.set(key, next)
    setValue(next)
  }
  return [value, set]
}

/**
 * Loads whenever one of `keys` changes, after a delay; if several loads are pending, the latest one wins. The value is
 * null until it is loaded; the value for earlier keys is kept until the new one arrives.
 */
export function useLoaded<T>(load: () => Promise<T>, keys: readonly unknown[], delayMs = 0) {
  type Loaded = Readonly<{ value: T | null; failure: string | null }>
  const [loaded, setLoaded] = useState<Loaded>({ value: null, failure: null })
  useEffect(() => {
    let isLatest = true
    const set = (result: Loaded) => isLatest && setLoaded(result)
    const run = () =>
      load().then(
        (value) => set({ value, failure: null }),
        (error: unknown) => set({ value: null, failure: messageOf(error) }),
      )
    const timer = delayMs > 0 ? setTimeout(() => void run(), delayMs) : void run()
    return () => {
      isLatest = false
      clearTimeout(timer)
    }
  }, keys)
  return loaded
}

export function useTick(everyMs: number | undefined): void {
  const [, tick] = useState(0)
  useEffect(() => {
    if (everyMs === undefined) return undefined
    const timer = setInterval(() => tick((count) => count + 1), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
}

/** Milliseconds on the mock's clock; a running clock continues here between two reads, while the mock responds. */
export function useNow(): number {
  const { live } = useConsole()
  const { clock } = live.overview
  const isRunning = clock.mode === 'system'
  const { readAtMs, lostAtMs } = live
  useTick(isRunning && lostAtMs === null ? 1000 : undefined)
  return clock.nowMs + (isRunning ? Math.max(0, (lostAtMs ?? Date.now()) - readAtMs) : 0)
}

export type Directory = Pick<WorkspaceOverview, 'id' | 'members' | 'tables' | 'lists'>

export const noDirectory: Directory = { id: '', members: [], tables: [], lists: [] }

export const DirectoryContext = createContext(noDirectory)

export const useDirectory = () => useContext(DirectoryContext)

export const nameOfMember = ({ members }: Directory, id: unknown) =>
  members.find((member) => member.id === id)?.name ?? String(id)
