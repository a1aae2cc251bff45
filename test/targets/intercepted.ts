// The target without a port: MSW intercepts requests.
import { setupServer } from 'msw/node'
import { controlOf, createCheckedMock } from './control.ts'
import type { StartTarget } from './target.ts'

export const start: StartTarget = (options) => {
  const mock = createCheckedMock(options)
  const server = setupServer(...mock.handlers)
  server.listen({ onUnhandledRequest: 'error' })
  return Promise.resolve({
    baseUrl: mock.baseUrl,
    fetch,
    control: controlOf(mock),
    close: () => {
      server.close()
      return Promise.resolve()
    },
  })
}
