// The output of `serve`, in any format.
import type { WorkspaceMock } from '../../mock.ts'
import type { LoggedRequest } from '../../server/listener.ts'
import type { RunningServer } from '../../server/serve.ts'

export interface ServeOutput {
  listening(mock: WorkspaceMock, server: RunningServer): void | Promise<void>
  /** `link` gives the address at which the console shows a refused request. */
  request(request: LoggedRequest, link: () => string | null): void
  /** The files changed, and this mock was created from them. */
  reloaded(mock: WorkspaceMock): void
  /** The changed files are invalid: the former mock stays in use. */
  notReloaded(error: string): void
  closed(): void
}
