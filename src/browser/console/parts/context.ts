// What every part of the console can use: the mock, its live state, what it loads of it, the view state, and actions.
import { createContext } from 'preact'
import { useContext, useEffect, useMemo, useState } from 'preact/hooks'
import type { WorkspaceOverview } from '../../../controls/inspect/inspect.ts'
import { messageOf } from '../../../contract/text/format.ts'
import type { LiveState, Line } from '../live.ts'
import type { ConsoleSource, SandboxControls } from '../source.ts'

export const viewNames = {
  journal: 'Journal',
  report: 'Report',
  state: 'State',
  clock: 'Clock',
  faults: 'Faults',
  coverage: 'Coverage',
  exploration: 'Exploration',
  plan: 'Plan and keys',
  questions: 'Questions',
  snapshots: 'Snapshots',
}
export type ViewId = keyof typeof viewNames

export const isViewId = (text = ''): text is ViewId => Object.hasOwn(viewNames, text)

/** What is shown: `view`, `sandbox` and the parameters of the view. Absent means the default. */
export type ViewState = Readonly<Record<string, string>>

/** The address of a page, in which the view state is stored. */
export interface Address {
  read(): ViewState
  /** A step is added to the browser's history. */
  write(viewState: ViewState, isStep: boolean): void
  /** @returns a function that unsubscribes */
  listen(listener: () => void): () => void
  title(text: string): void
}

/** `request=12&sandbox=checkout`, without the `#`; a view alone is its name. */
export function parseViewState(hash: string): ViewState {
  if (isViewId(hash)) return { view: hash }
  return Object.fromEntries(new URLSearchParams(hash))
}

export const formatViewState = (viewState: ViewState) => new URLSearchParams(viewState).toString()

/** Changes to the view state; undefined removes a part. */
type ViewStateChange = Readonly<Record<string, string | undefined>>

export interface Console {
  readonly source: ConsoleSource
  /** The sandbox that is shown; null is the main one, also when all are shown. */
  readonly sandbox: string | null
  /** Its controls. */
  readonly controls: SandboxControls
  readonly live: LiveState
  readonly viewState: ViewState
  /** Changes what is shown. A step is added to the browser's history. */
  go(change: ViewStateChange, isStep?: boolean): void
  /** Shows a view in its last state, with changes. */
  show(view: ViewId, change?: ViewStateChange): void
  /** Opens a request in the journal; null closes it. */
  openEntry(line: Pick<Line, 'id' | 'sandbox'> | null): void
  /** Performs an action on the mock and shows the result: `done`, or why it failed. Resolves with whether it succeeded. */
  act(action: () => Promise<unknown>, done?: string): Promise<boolean>
  /** Empties the journal of a sandbox. */
  clearRequests(sandbox: string | null): Promise<void>
}

export const ConsoleContext = createContext<Console | null>(null)

export function useConsole(): Console {
  const value = useContext(ConsoleContext)
  if (!value) throw new Error('outside the console')
  return value
}

/** A part of the view state, and how to change it; '' where it is absent. */
export function useViewState(
  name: string,
): readonly [string, (value: string | undefined, isStep?: boolean) => void] {
  const { viewState, go } = useConsole()
  return [viewState[name] ?? '', (value, isStep) => go({ [name]: value === '' ? undefined : value }, isStep)]
}

/** The workspace that is shown, if there is one. */
export function useWorkspace() {
  const { live, viewState } = useConsole()
  const { workspaces } = live.overview
  return workspaces.find(({ id }) => id === viewState.workspace) ?? workspaces[0]
}

/** Requests of the sandbox that is shown, oldest first. */
export function useLines(): readonly Line[] {
  const { live, sandbox } = useConsole()
  return useMemo(() => live.lines.filter((line) => line.sandbox === sandbox), [live.lines, sandbox])
}

interface Loaded<T> {
  /** Null until it is loaded. The value for earlier `keys` stays until the new one is loaded. */
  readonly value: T | null
  readonly failure: string | null
}

/** Loads whenever one of `keys` changes; of several pending loads the latest counts. */
export function useLoaded<T>(load: () => Promise<T>, keys: readonly unknown[]): Loaded<T> {
  const [loaded, setLoaded] = useState<Loaded<T>>({ value: null, failure: null })
  useEffect(() => {
    let isLatest = true
    const end = (result: Loaded<T>) => {
      if (isLatest) setLoaded(result)
    }
    load().then(
      (value) => end({ value, failure: null }),
      (error: unknown) => end({ value: null, failure: messageOf(error) }),
    )
    return () => void (isLatest = false)
  }, keys)
  return loaded
}

/** Milliseconds on the mock's clock; a running clock continues here between two reads. */
export function useNow(): number {
  const { live } = useConsole()
  const [, tick] = useState(0)
  const { clock } = live.overview
  const isRunning = clock.mode === 'system' && live.status !== 'lost'
  useEffect(() => {
    if (!isRunning) return undefined
    const timer = setInterval(() => tick((count) => count + 1), 1000)
    return () => clearInterval(timer)
  }, [isRunning])
  return clock.nowMs + (isRunning ? Date.now() - live.readAtMs : 0)
}

/** Looks up names by id. */
export type Directory = Pick<WorkspaceOverview, 'id' | 'members' | 'tables' | 'lists'>

export const noDirectory: Directory = { id: '', members: [], tables: [], lists: [] }

/** The directory of the workspace whose records are shown. */
export const DirectoryContext = createContext(noDirectory)

export const useDirectory = () => useContext(DirectoryContext)

export const memberName = ({ members }: Directory, id: unknown) =>
  members.find((member) => member.id === id)?.name ?? String(id)
