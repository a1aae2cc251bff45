// What `serve` writes to stdout, in any format.
import type { WorkspaceMock } from '../../mock.ts'
import type { LoggedRequest } from '../../server/listener.ts'
import type { RunningServer } from '../../server/serve.ts'

export interface ServeOutput {
  listening(mock: WorkspaceMock, server: RunningServer): void | Promise<void>
  /** `link` is where the console shows it, if it was refused. */
  request(request: LoggedRequest, link: () => string | null): void
  /** The files changed, and this mock is made from them. */
  reloaded(mock: WorkspaceMock): void
  /** The files changed for the worse: the mock goes on as it was. */
  notReloaded(error: string): void
  closed(): void
}
