// The source of a console in the same page as its mock.
import { farControls } from '../../controls/far/controls.ts'
import { callControl } from '../../controls/routes.ts'
import type { WorkspaceMock } from '../../mock.ts'
import { controlsBySandbox, type ConsoleSource } from './source.ts'

export const createPageSource = (mock: WorkspaceMock): ConsoleSource => ({
  baseUrl: mock.baseUrl,
  openApi: async () => {
    const { openApiDocument } = await import('../../openapi/index.ts')
    return openApiDocument({ baseUrl: mock.baseUrl, answers: mock.answers })
  },
  // Asynchronous, so that errors reject.
  controls: controlsBySandbox(async (sandbox, route, args) => {
    await Promise.resolve()
    return callControl(farControls(mock, sandbox === null ? mock : mock.sandbox(sandbox)), route, args)
  }),
  watch: (watcher) => {
    const stop = mock.watch((signal) => watcher.onSignal(signal))
    watcher.onConnected()
    return stop
  },
  send: (request) => mock.fetch(request),
})
