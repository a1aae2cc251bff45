// Calls a control for another process, or for the console, by its name.
import { createOwnControls, type RemoteTarget } from './own.ts'
import { callNamed } from './wire.ts'

/** @param names those of a route: the name of its group, if any, and its own */
export function callControl(target: RemoteTarget, names: readonly string[], args: readonly unknown[]) {
  const own = createOwnControls(target)
  return callNamed((names[0] ?? '') in own ? own : target.controls, names, args)
}
