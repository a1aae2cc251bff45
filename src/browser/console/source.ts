// Where the console gets what it shows and sends what it changes: the controls of a mock, whatever lies in between.
import type { FarControls } from '../../controls/far-controls.ts'
import { controlsOver, type NamedRoute, type Promised } from '../../controls/routes.ts'

/** The main sandbox, or one by name. What it refuses rejects with an Error that says why. */
export type WorldSource = Promised<FarControls>

/** A mock. */
export interface ConsoleSource {
  /** Base address of its API; ends with /v1. */
  readonly baseUrl: string
  /** A sandbox, or without a name the main one. */
  world(sandbox: string | null): WorldSource
}

/** Calls a control of a sandbox, or without a name of the main one. */
export type Call = (sandbox: string | null, route: NamedRoute, args: readonly unknown[]) => Promise<unknown>

export const createSource = (baseUrl: string, call: Call): ConsoleSource => ({
  baseUrl,
  world: (sandbox) => controlsOver((route, args) => call(sandbox, route, args)),
})
