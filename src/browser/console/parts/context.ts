// Owns what every part of the console can reach: the mock, what is known of it, and how to do something to it.
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { LiveState } from '../live.ts'
import type { ConsoleSource, WorldSource } from '../source.ts'

export type ViewId = 'journal' | 'report' | 'state' | 'clock' | 'faults' | 'plan' | 'questions' | 'snapshots'

export interface Console {
  readonly source: ConsoleSource
  readonly world: WorldSource
  readonly live: LiveState
  readonly view: ViewId
  /** Journal id of the request that is open. */
  readonly openRequest: number | null
  /** Workspace that state, plan and keys are shown of. */
  readonly workspaceId: string | null
  setWorkspaceId(id: string): void
  show(view: ViewId): void
  /** Opens a request in the journal; null closes it. */
  openEntry(id: number | null): void
  /** Does something to the mock, looks again, and says what came of it: `done`, or why it was refused. */
  act(action: () => Promise<unknown>, done?: string): Promise<boolean>
  say(text: string): void
}

export const ConsoleContext = createContext<Console | null>(null)

export function useConsole(): Console {
  const value = useContext(ConsoleContext)
  if (!value) throw new Error('outside the console')
  return value
}

/** The workspace at hand, once it is known. */
export function useWorkspace() {
  const { live, workspaceId } = useConsole()
  const workspaces = live.overview?.workspaces ?? []
  return workspaces.find(({ id }) => id === workspaceId) ?? workspaces[0]
}
