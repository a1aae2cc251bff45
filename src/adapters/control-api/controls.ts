// Calls a control by name, for another process or for the console.
import { createOwnControls, type RemoteTarget } from './own.ts'
import { callNamed } from './wire.ts'

/** @param names the control's name, after its group if it has one: `['clock', 'advance']` */
export function callControl(target: RemoteTarget, names: readonly string[], args: readonly unknown[]) {
  const own = createOwnControls(target)
  return callNamed((names[0] ?? '') in own ? own : target.controls, names, args)
}
