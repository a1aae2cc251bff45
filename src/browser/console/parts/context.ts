// What every part of the console can use: the mock, its live state, the place, and actions.
import { createContext } from 'preact'
import { useContext, useMemo } from 'preact/hooks'
import type { WorkspaceOverview } from '../../../controls/inspect.ts'
import type { LiveState, Line } from '../live.ts'
import type { ConsoleSource, SandboxControls } from '../source.ts'
import type { Place } from './place.ts'

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

/** Changes to the place; undefined removes a part. */
type PlaceChange = Readonly<Record<string, string | undefined>>

export interface Console {
  readonly source: ConsoleSource
  /** The sandbox that is shown; null is the main one, also when all are shown. */
  readonly sandbox: string | null
  /** Its controls. */
  readonly controls: SandboxControls
  readonly live: LiveState
  readonly view: ViewId
  readonly place: Place
  /** Changes what is shown. A step is added to the browser's history. */
  go(change: PlaceChange, isStep?: boolean): void
  /** Shows a view at its last place, with changes. */
  show(view: ViewId, change?: PlaceChange): void
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

/** A part of the place, and how to change it; '' where it is absent. */
export function usePlace(
  name: string,
): readonly [string, (value: string | undefined, isStep?: boolean) => void] {
  const { place, go } = useConsole()
  return [place[name] ?? '', (value, isStep) => go({ [name]: value === '' ? undefined : value }, isStep)]
}

/** The workspace that is shown, if there is one. */
export function useWorkspace() {
  const { live, place } = useConsole()
  const { workspaces } = live.overview
  return workspaces.find(({ id }) => id === place.workspace) ?? workspaces[0]
}

/** Requests of the sandbox that is shown, oldest first. */
export function useLines(): readonly Line[] {
  const { live, sandbox } = useConsole()
  return useMemo(() => live.lines.filter((line) => line.sandbox === sandbox), [live.lines, sandbox])
}

/** Looks up names by id. */
export type Directory = Pick<WorkspaceOverview, 'id' | 'members' | 'tables' | 'lists'>

export const noDirectory: Directory = { id: '', members: [], tables: [], lists: [] }

/** The directory of the workspace whose records are shown. */
export const DirectoryContext = createContext(noDirectory)

export const useDirectory = () => useContext(DirectoryContext)

export const memberName = ({ members }: Directory, id: unknown) =>
  members.find((member) => member.id === id)?.name ?? String(id)
