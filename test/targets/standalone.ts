// The target with a port: the standalone server on the loopback interface.
import { serve } from '../../src/node.ts'
import { controlOf, createCheckedMock } from './control.ts'
import type { StartTarget } from './target.ts'

export const start: StartTarget = async (options) => {
  const mock = createCheckedMock(options)
  const server = await serve(mock, { port: 0 })
  return { baseUrl: server.baseUrl, fetch, control: controlOf(mock), close: () => server.close() }
}
