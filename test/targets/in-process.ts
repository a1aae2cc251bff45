// The target with neither port nor interception: requests go straight to the mock.
import { controlOf, createCheckedMock } from './control.ts'
import type { StartTarget } from './target.ts'

export const start: StartTarget = (options) => {
  const mock = createCheckedMock(options)
  return Promise.resolve({
    baseUrl: mock.baseUrl,
    fetch: mock.fetch,
    control: controlOf(mock),
    close: () => Promise.resolve(),
  })
}
