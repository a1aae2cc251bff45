// The output of `serve`, as text or JSON.
import type { WorkspaceMock } from '../../mock.ts'
import type { LoggedRequest } from '../../server/respond.ts'
import type { RunningServer } from '../../server/serve.ts'

export interface ServeOutput {
  listening(mock: WorkspaceMock, server: RunningServer): void | Promise<void>
  /** `link` returns the address at which the console shows a failed request; null for others. */
  request(request: LoggedRequest, link: () => string | null): void
  /** The files have changed; `mock` is the new one. */
  reloaded(mock: WorkspaceMock): void
  /** The files have changed but are invalid; the former mock stays in use. */
  notReloaded(error: string): void
  closed(): void
}
