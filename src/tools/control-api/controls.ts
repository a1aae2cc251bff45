// The controls for another process, and for the console: those of the mock, except where theirs differ.
import type { MockControls } from '../../mock/controls/mock-controls.ts'
import { createOwnControls, type OwnControls, type RemoteTarget } from './own.ts'

/** Members that need the same process, and those that `changeWorkspace` and `Authorization` replace. */
type InProcessOnly = 'events' | 'setPlan' | 'setLimits' | 'lapseBilling'

export type RemoteControls = OwnControls & Omit<MockControls, InProcessOnly | keyof OwnControls>

/** @param names those of a route: the name of its group, if any, and its own */
export function callControl(target: RemoteTarget, names: readonly string[], args: readonly unknown[]) {
  const [name = ''] = names
  const own = createOwnControls(target)
  let member: unknown = name in own ? own : target.controls
  for (const each of names) member = (member as Readonly<Record<string, unknown>>)[each]
  return (member as (...given: readonly unknown[]) => unknown)(...args)
}
