// The source of a console that lives in one page with its mock.
import { farControls } from '../../controls/far-controls.ts'
import { callControl } from '../../controls/routes.ts'
import type { WorkspaceMock } from '../../mock.ts'
import { createSource, type ConsoleSource } from './source.ts'

export function createPageSource(mock: WorkspaceMock): ConsoleSource {
  // In a promise, so that what is thrown rejects.
  return createSource(mock.baseUrl, async (sandbox, route, args) => {
    await Promise.resolve()
    const controls = farControls(mock, sandbox === null ? mock : mock.sandbox(sandbox))
    return callControl(controls, route, args)
  })
}
