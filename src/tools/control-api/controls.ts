// The controls for another process, and for the console: those of the mock, except where theirs differ.
import type { MockControls } from '../../mock/controls/mock-controls.ts'
import { createOwnControls, type OwnControls, type RemoteTarget } from './own.ts'
import { callNamed } from './wire.ts'

/** Members that need the same process, and those that `changeWorkspace` and `Authorization` replace. */
type InProcessOnly = 'events' | 'setPlan' | 'setLimits' | 'lapseBilling'

export type RemoteControls = OwnControls & Omit<MockControls, InProcessOnly | keyof OwnControls>

/** @param names those of a route: the name of its group, if any, and its own */
export function callControl(target: RemoteTarget, names: readonly string[], args: readonly unknown[]) {
  const own = createOwnControls(target)
  return callNamed((names[0] ?? '') in own ? own : target.controls, names, args)
}
