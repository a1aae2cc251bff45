// The connection between the console and a mock: in the same page, or over HTTP.
import { getOrInsert } from '../../contract/data/maps.ts'
import type { RemoteControls } from '../../adapters/control-api/own.ts'
import type { NamedRoute } from '../../adapters/control-api/table.ts'
import { createControlsOver, type PromisedMethods } from '../../adapters/control-api/wire.ts'
import type { Signal } from '../../mock/sandboxes/signals.ts'

export type SandboxControls = PromisedMethods<RemoteControls>

export interface Watcher {
  onSignal(signal: Signal): void
  /** Signals start to arrive; earlier ones were missed. @param boot differs after a restart of the mock */
  onConnected(boot: string): void
  /** Signals stop or cannot be received. */
  onLost(error: unknown): void
}

/** The mock responds, but refuses access to its controls. */
export class AccessError extends Error {
  override readonly name = 'AccessError'
}

export interface ConsoleSource {
  /** Ends in /v1. */
  readonly baseUrl: string
  /** Whether the mock runs in another process that any client can reach. */
  readonly isRemote: boolean
  /** Null is the main sandbox. */
  controls(sandbox: string | null): SandboxControls
  /** @returns a function that unsubscribes */
  watch(watcher: Watcher): () => void
  openApi(): Promise<unknown>
  /** Sends a request to the API, marked as the console's: reports, coverage and faults ignore it. */
  send(request: Request): Promise<Response>
  /** Sends a request as the client would; only on a saved run, whose client is gone. */
  sendAsClient?(request: Request): Promise<Response>
  /** Returns the run so far as one HTML page; null means all sandboxes. Absent if the mock runs in this page. */
  readRunPage?(sandbox: string | null): Promise<Blob>
  /** Notices from a mock in this page, such as that its state is not saved; absent over HTTP. */
  readonly notices?: { readonly all: readonly string[]; watch(listener: () => void): () => void }
  /** The credential of the control API; absent if none is needed. */
  readonly token?: { isSent(): boolean; set(text: string): void }
}

export const markAsConsole = (request: Request): Request => {
  request.headers.set('x-mock-console', '1')
  return request
}

export function createControlsBySandbox(
  call: (sandbox: string | null, route: NamedRoute, args: readonly unknown[]) => Promise<unknown>,
): ConsoleSource['controls'] {
  const made = new Map<string | null, SandboxControls>()
  return (name) => getOrInsert(made, name, () => createControlsOver((route, args) => call(name, route, args)))
}
