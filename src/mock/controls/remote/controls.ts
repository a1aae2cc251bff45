// The controls for another process: those of the mock, except where theirs differ.
import { consoleControlsOf, type ConsoleControls } from '../console-controls.ts'
import type { WholeMock } from '../mock-controls.ts'
import { createOwnControls, type OwnControls, type RemoteTarget } from './own.ts'

/** Members that need the same process, and those that `changeWorkspace` and `Authorization` replace. */
type InProcessOnly =
  'events' | 'fixtureName' | 'explainRequests' | 'workspaceOfKey' | 'setPlan' | 'setLimits' | 'lapseBilling'

export type RemoteControls = OwnControls &
  Omit<WholeMock & ConsoleControls, InProcessOnly | keyof OwnControls>

/** @param names those of a route: the name of its group, if any, and its own */
export function callControl(target: RemoteTarget, names: readonly string[], args: readonly unknown[]) {
  const { mock, controls } = target
  let member: unknown = { ...mock, ...controls, ...consoleControlsOf(controls), ...createOwnControls(target) }
  for (const name of names) member = (member as Readonly<Record<string, unknown>>)[name]
  return (member as (...given: readonly unknown[]) => unknown)(...args)
}
