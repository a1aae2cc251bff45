// Owns who may call the control API: this machine, under its own name and from its own pages.
import { request as httpRequest, type RequestOptions } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createWorkspaceMock } from '../../src/index.ts'
import { serve, type RunningServer } from '../../src/server/index.ts'

let server: RunningServer
beforeAll(async () => {
  server = await serve(createWorkspaceMock(), { port: 0 })
})
afterAll(() => server.close())

/** Status of a GET whose headers no browser would let a page choose. */
function statusOf(url: string, options: RequestOptions): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest(url, options, (response) => {
      response.resume()
      resolve(response.statusCode)
    })
    sent.on('error', reject)
    sent.end()
  })
}

const withHost = (headers: Record<string, string>, path = '/__mock/health') =>
  statusOf(`${server.url}${path}`, { headers })

describe('who may call the control API', () => {
  const own = () => `127.0.0.1:${String(server.port)}`

  it.each([
    ['127.0.0.1', 200],
    ['localhost', 200],
    ['[::1]', 200],
    ['evil.test', 403],
    ['127.0.0.1.evil.test', 403],
    ['10.0.0.5', 403],
  ])('the host %j answers %i', async (host, status) => {
    expect(await withHost({ host: `${host}:${String(server.port)}` })).toBe(status)
  })

  it('a request without a host answers 403', async () => {
    expect(await statusOf(`${server.url}/__mock/health`, { setHost: false })).toBe(403)
  })

  it('its own origin answers 200, another 403', async () => {
    expect(await withHost({ host: own(), origin: `http://${own()}` })).toBe(200)
    expect(await withHost({ host: own(), origin: 'http://evil.test' })).toBe(403)
    expect(await withHost({ host: own(), origin: 'null' })).toBe(403)
    expect(await withHost({ host: own(), origin: 'http://127.0.0.1:1' })).toBe(403)
  })

  it('a host that is not the control API’s still reaches the API itself', async () => {
    expect(await withHost({ host: 'evil.test', authorization: 'Bearer wm_demo_master' }, '/v1/me')).toBe(200)
  })

  it('a host that is allowed by name answers 200', async () => {
    const named = await serve(createWorkspaceMock({ fixture: 'empty' }), {
      port: 0,
      allowHosts: ['mock.internal'],
    })
    expect(await statusOf(`${named.url}/__mock/health`, { headers: { host: 'mock.internal:80' } })).toBe(200)
    await named.close()
  })
})
