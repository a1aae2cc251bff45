// The source of a console in the same page as its mock.
import { callControl } from '../../adapters/control-api/controls.ts'
import { assertExists } from '../../mock/control-error.ts'
import type { WorkspaceMock } from '../../mock.ts'
import { noticesOf } from '../../mock/notices.ts'
import { createControlsBySandbox, markAsConsole, type ConsoleSource } from './source.ts'

export const createPageSource = (mock: WorkspaceMock): ConsoleSource => ({
  baseUrl: mock.baseUrl,
  isRemote: false,
  openApi: async () => {
    const { openApiDocument } = await import('../openapi/document.ts')
    return openApiDocument({ baseUrl: mock.baseUrl, answers: mock.answers })
  },
  // Asynchronous, so that errors become rejections.
  controls: createControlsBySandbox(async (sandbox, { names }, args) => {
    await Promise.resolve()
    // Naming a sandbox creates it. Showing a deleted one must not bring it back.
    if (sandbox !== null)
      assertExists(
        mock.sandboxes().find((name) => name === sandbox),
        'sandbox',
        sandbox,
      )
    const controls = sandbox === null ? mock : mock.sandbox(sandbox)
    return callControl({ mock, controls, key: null }, names, args)
  }),
  watch: (watcher) => {
    watcher.onConnected('')
    return mock.watch((signal) => watcher.onSignal(signal), { pending: true })
  },
  send: (request) => mock.fetch(markAsConsole(request)),
  notices: noticesOf(mock),
})
