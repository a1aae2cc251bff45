// What happens to requests when a server's mock is replaced.
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createWorkspaceMock } from '../../src/index.ts'
import { serve, type RunningServer } from '../../src/node.ts'

const headers = { authorization: 'Bearer wm_empty_master', 'content-type': 'application/json' }

describe('replaceMock', () => {
  const first = createWorkspaceMock({ fixture: 'empty' })
  const second = createWorkspaceMock({ fixture: 'empty', plan: 'scale', clock: 'system' })
  let server: RunningServer
  beforeEach(async () => {
    first.reset()
    second.reset()
    server = await serve(first)
  })
  afterEach(() => server.close())

  it('getIdentity answers 200 from the mock that is served instead, and so does the control API', async () => {
    server.replaceMock(second)
    const me = await fetch(`${server.baseUrl}/me`, { headers })
    expect(await me.json()).toMatchObject({ workspace: { plan: 'scale' } })
    const clock = await fetch(`${server.url}/__mock/clock`)
    expect(await clock.json()).toMatchObject({ mode: 'system' })
    expect(first.requests()).toEqual([])
    expect(second.requests()).toHaveLength(1)
  })

  it('createSpace answers 200 from the mock it began with when the mock is replaced before its body has arrived', async () => {
    const request = httpRequest(`${server.baseUrl}/spaces`, {
      method: 'POST',
      headers: { ...headers, expect: '100-continue', 'content-length': 16 },
    })
    const answered = new Promise<IncomingMessage>((resolve) => request.once('response', resolve))
    const isWaitedFor = new Promise((resolve) => request.once('continue', resolve))
    request.flushHeaders()
    await isWaitedFor
    server.replaceMock(second)
    request.end('{"name":"Sales"}')
    const response = await answered
    response.resume()
    expect(response.statusCode).toBe(200)
    expect(first.requests({ operation: 'createSpace' })).toHaveLength(1)
    expect(second.requests()).toEqual([])
  })
})
