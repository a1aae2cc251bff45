// Owns the target with a port: the standalone server on the loopback.
import { serve } from '../../src/node/index.ts'
import { controlOf, createCheckedMock } from './control.ts'
import type { StartTarget } from './target.ts'

export const start: StartTarget = async (options) => {
  const mock = createCheckedMock(options)
  const { url, close } = await serve(mock, { port: 0 })
  return { baseUrl: `${url.replace(/\/(v1\/?)?$/, '')}/v1`, control: controlOf(mock), close }
}
