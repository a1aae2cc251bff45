// What every part of the console can reach: the mock, what is known of it, and how to do something to it.
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { LiveState, Line } from '../live.ts'
import type { ConsoleSource, SandboxControls } from '../source.ts'
import type { Place } from './place.ts'

export type ViewId =
  | 'journal'
  | 'report'
  | 'state'
  | 'clock'
  | 'faults'
  | 'coverage'
  | 'exploration'
  | 'plan'
  | 'questions'
  | 'snapshots'

export interface Console {
  readonly source: ConsoleSource
  /** The sandbox that is shown, the main one where all are; null is the main one. */
  readonly sandbox: string | null
  /** Its controls. */
  readonly controls: SandboxControls
  readonly live: LiveState
  readonly view: ViewId
  readonly place: Place
  /** Changes what is shown; undefined takes a part of the place away. A step can be gone back from. */
  go(change: Readonly<Record<string, string | undefined>>, isStep?: boolean): void
  /** Shows a view as it was left, with a part of its place changed. */
  show(view: ViewId, change?: Readonly<Record<string, string | undefined>>): void
  /** Opens a request in the journal; null closes it. */
  openEntry(line: Pick<Line, 'id' | 'sandbox'> | null): void
  /** Does something to the mock, and says what came of it: `done`, or why it was refused. */
  act(action: () => Promise<unknown>, done?: string): Promise<boolean>
  /** Empties the journal of a sandbox. */
  clearRequests(sandbox: string | null): Promise<void>
  say(text: string): void
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
  return [place[name] ?? '', (value, isStep) => go({ [name]: value }, isStep)]
}

/** The workspace that is shown, once it is known. */
export function useWorkspace() {
  const { live, place } = useConsole()
  const workspaces = live.overview?.workspaces ?? []
  return workspaces.find(({ id }) => id === place.workspace) ?? workspaces[0]
}
