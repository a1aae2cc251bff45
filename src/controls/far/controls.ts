// Controls of a mock from another process, through the control API.
import type { MockControls, WholeMock } from '../mock-controls.ts'
import { farMethods, type FarMethods } from './methods.ts'
import { enterState, type ProviderStates } from './provider-states.ts'

export type FarControls = FarMethods & ProviderStates

/**
 * The remote controls of a mock or, given its controls, of a sandbox. `key` is the caller's, if any, and selects the
 * workspace. The controls that are not different are those of the mock itself.
 */
export function farControls(
  mock: WholeMock,
  controls: MockControls = mock,
  key: string | null = null,
): FarControls {
  const states: ProviderStates = { enterState: (state) => enterState(all, state) }
  const own = { ...farMethods(mock, controls, key), ...states }
  const all = Object.create(controls, Object.getOwnPropertyDescriptors(own)) as FarControls
  return all
}
