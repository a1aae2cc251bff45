// Where the console gets what it shows and sends what it changes: the controls of a mock, whatever lies in between.
import type { FarControls } from '../../controls/far-controls.ts'
import { controlsOver, type NamedRoute, type Promised } from '../../controls/routes.ts'
import type { Signal } from '../../core/signals.ts'

/** The main sandbox, or one by name. What it refuses rejects with an Error that says why. */
export type SandboxControls = Promised<FarControls>

/** Notified of what happens in a mock. */
export interface Watcher {
  onSignal(signal: Signal): void
  /** Called once signals arrive; those of before were missed. */
  onConnected(): void
  /** Called with the reason when signals stop or cannot be had. */
  onLost(reason: string): void
}

/** A mock. */
export interface ConsoleSource {
  /** Base address of its API; ends with /v1. */
  readonly baseUrl: string
  /** A sandbox, or without a name the main one. */
  controls(sandbox: string | null): SandboxControls
  /** @returns a function that ends the watching */
  watch(watcher: Watcher): () => void
  /** Its OpenAPI document, with the current answers. */
  openApi(): Promise<unknown>
  /** Sends a request to the API as a client does. */
  send(request: Request): Promise<Response>
}

/** Calls a control of a sandbox, or without a name of the main one. */
export type Call = (sandbox: string | null, route: NamedRoute, args: readonly unknown[]) => Promise<unknown>

/** The sandbox by name, whose controls are made once. */
export function controlsBySandbox(call: Call): ConsoleSource['controls'] {
  const made = new Map<string | null, SandboxControls>()
  return (sandbox) => {
    const known = made.get(sandbox)
    if (known) return known
    const controls = controlsOver((route, args) => call(sandbox, route, args))
    made.set(sandbox, controls)
    return controls
  }
}
