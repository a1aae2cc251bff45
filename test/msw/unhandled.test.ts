// `server.listen(mock.listenOptions)`: unhandled requests do not reach the network, whichever client sends them.
import axios from 'axios'
import { setupServer } from 'msw/node'
import http, { createServer } from 'node:http'
import https from 'node:https'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { createWorkspaceMock } from 'workspace-api-mock'

const mock = createWorkspaceMock()
const server = setupServer(...mock.handlers)
let reached = 0
const own = createServer((_, response) => {
  reached += 1
  response.end('reached')
})

/** The status of a response. MSW 3 does not intercept functions imported by name from node:http before it listens. */
const httpStatus = (url: string, method: string) =>
  new Promise<number>((resolve, reject) => {
    const { request } = url.startsWith('https:') ? https : http
    const sent = request(url, { method, headers }, (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
    sent.on('error', reject).end()
  })

const headers = { authorization: `Bearer ${mock.keys.master}` }
type Send = (url: string, method: 'GET' | 'POST') => Promise<number>
const clients: readonly (readonly [string, Send])[] = [
  ['fetch', async (url, method) => (await fetch(url, { method, headers })).status],
  ['node:http', httpStatus],
  ['axios', async (url, method) => (await axios.request({ url, method, headers, adapter: 'http' })).status],
]

beforeAll(async () => {
  await new Promise<void>((resolve) => own.listen(0, '127.0.0.1', resolve))
  server.listen(mock.listenOptions)
})
beforeEach(() => {
  mock.reset()
  reached = 0
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
})
afterEach(() => {
  vi.restoreAllMocks()
})
afterAll(() => {
  server.close()
  own.close()
})

describe.each(clients)('mock.listenOptions with %s', (_, send) => {
  it('answers the API', async () => {
    expect(await send(`${mock.baseUrl}/me`, 'GET')).toBe(200)
  })

  it.each(['GET', 'POST'] as const)(
    'fails a %s that no handler matches, without sending it',
    async (method) => {
      const { port } = own.address() as AddressInfo
      await expect(send(`http://127.0.0.1:${String(port)}/ping`, method)).rejects.toThrow()
      expect(reached).toBe(0)
    },
  )
})
