// POST /__mock/stop: stopping a server by request.
import { describe, expect, it } from 'vitest'
import { createWorkspaceMock } from '../../src/index.ts'
import { serve } from '../../src/node.ts'
import { authorization } from './support/served.ts'

const stop = (url: string, headers = {}) => fetch(`${url}/__mock/stop`, { method: 'POST', headers })

describe('POST /__mock/stop', () => {
  it('answers 200 once onStop has run, and closes the server', async () => {
    const done: string[] = []
    const server = await serve(createWorkspaceMock(), {
      onStop: async () => {
        await new Promise((resolve) => setImmediate(resolve))
        done.push('written')
      },
    })
    const response = await stop(server.url)
    expect([response.status, await response.json(), done]).toEqual([200, { success: true }, ['written']])
    await server.closed
    await expect(fetch(`${server.url}/__mock/health`)).rejects.toThrow()
  })

  it('answers 500 with the reason when onStop fails, and closes the server all the same', async () => {
    const server = await serve(createWorkspaceMock(), {
      onStop: () => {
        throw new Error('coverage.json cannot be written')
      },
    })
    const response = await stop(server.url)
    expect(response.status).toBe(500)
    expect(await response.json()).toEqual({ error: 'coverage.json cannot be written' })
    await server.closed
  })

  it('answers 403 without the token, and the server goes on', async () => {
    const server = await serve(createWorkspaceMock(), { controlToken: 'secret' })
    expect((await stop(server.url)).status).toBe(403)
    expect((await fetch(`${server.baseUrl}/me`, { headers: { authorization } })).status).toBe(200)
    expect((await stop(server.url, { 'x-mock-token': 'secret' })).status).toBe(200)
    await server.closed
  })

  it('lets a request in progress have its response', async () => {
    const mock = createWorkspaceMock()
    const server = await serve(mock)
    const slow = mock.fault({ operation: 'getIdentity', status: 200, delayMs: 100 })
    const response = fetch(`${server.baseUrl}/me`, { headers: { authorization } })
    while (slow.hits === 0) await new Promise((resolve) => setImmediate(resolve))
    await stop(server.url)
    expect((await response).status).toBe(200)
    await server.closed
  })
})

describe('closed', () => {
  it('resolves after close, too', async () => {
    const server = await serve(createWorkspaceMock())
    void server.close()
    await expect(server.closed).resolves.toBeUndefined()
  })
})
