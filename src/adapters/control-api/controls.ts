// Calls a control by name, for another process or for the console.
import { createOwnControls, type RemoteTarget } from './own.ts'
import { callNamed } from './wire.ts'

/** @param names a route's names: its group's, if it has one, and its own */
export function callControl(target: RemoteTarget, names: readonly string[], args: readonly unknown[]) {
  const own = createOwnControls(target)
  return callNamed((names[0] ?? '') in own ? own : target.controls, names, args)
}
