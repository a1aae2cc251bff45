// Who may call the control API: this machine, under its own name, from its own pages, with the token if there is one.
import { IncomingMessage, request as httpRequest, type RequestOptions } from 'node:http'
import { Socket } from 'node:net'
import { networkInterfaces } from 'node:os'
import { describe, expect, it } from 'vitest'
import { createWorkspaceMock } from '../../src/index.ts'
import { createGuard } from '../../src/adapters/server/guard.ts'
import { serve, type RunningServer, type ServeOptions } from '../../src/node.ts'
import { authorization, raw, served, statuses } from './support/served.ts'

const server = served(createWorkspaceMock())

const hasIPv6 = Object.values(networkInterfaces()).some((addresses) =>
  addresses?.some(({ address }) => address === '::1'),
)

/** Status of a GET with headers that a browser would not let a page set. */
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
    ['127.0.0.999', 403],
    ['127.0.0.1.', 403],
  ])('the host %j answers %i', async (host, status) => {
    expect(await withHost({ host: `${host}:${String(server.port)}` })).toBe(status)
  })

  it('a request without a host answers 403', async () => {
    expect(await statusOf(`${server.url}/__mock/health`, { setHost: false })).toBe(403)
  })

  it('its own origin answers 200, another 403', async () => {
    expect(await withHost({ host: own(), origin: `http://${own()}` })).toBe(200)
    const port = String(server.port)
    expect(await withHost({ host: `LOCALHOST:${port}`, origin: `http://localhost:${port}` })).toBe(200)
    expect(await withHost({ host: `localhost:${port}`, origin: `http://LOCALHOST:${port}` })).toBe(200)
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
      allowHosts: ['Mock.internal'],
    })
    for (const host of ['mock.internal:80', 'MOCK.internal', 'mock.internal'])
      expect(await statusOf(`${named.url}/__mock/health`, { headers: { host } })).toBe(200)
    await named.close()
  })

  it.each([
    ['same-origin', 'cors', 'empty', 200, 200],
    ['none', 'navigate', 'document', 200, 200],
    ['cross-site', 'no-cors', 'image', 403, 403],
    ['same-site', 'no-cors', 'script', 403, 403],
    ['cross-site', 'navigate', 'document', 200, 403],
    ['same-site', 'navigate', 'document', 200, 403],
    ['cross-site', 'navigate', undefined, 200, 403],
    ['cross-site', 'navigate', 'iframe', 403, 403],
  ])(
    'what a browser calls %s, %s, %s: the console answers %i, its routes %i',
    async (site, mode, dest, page, route) => {
      // Not every browser sends the destination.
      const to = dest === undefined ? {} : { 'sec-fetch-dest': dest }
      const headers = { 'sec-fetch-site': site, 'sec-fetch-mode': mode, ...to }
      // 503: the console has not been built.
      expect([page, page === 200 ? 503 : page]).toContain(await withHost(headers, '/__mock/'))
      expect(await withHost(headers)).toBe(route)
      expect(await withHost(headers, '/__mock/questions')).toBe(route)
    },
  )

  it('every response forbids sniffing, embedding and framing', async () => {
    for (const [path, headers] of [
      ['/__mock/health', {}],
      ['/__mock/none', {}],
      ['/__mock/health', { origin: 'http://evil.test' }],
      ['/__mock/', {}],
    ] as const) {
      const response = await fetch(`${server.url}${path}`, { headers })
      expect(response.headers.get('x-content-type-options')).toBe('nosniff')
      expect(response.headers.get('cross-origin-resource-policy')).toBe('same-origin')
      expect(response.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
      expect(response.headers.get('access-control-allow-origin')).toBeNull()
    }
  })
})

describe('the console page', () => {
  it('loads nothing from elsewhere, and names no address to where its links lead', async () => {
    const { headers } = await fetch(`${server.url}/__mock/`)
    const policy = headers.get('content-security-policy')?.split('; ')
    expect(policy).toEqual([
      "default-src 'none'",
      expect.stringMatching(/^script-src '(?:none|sha256-[\w+/]+=*)'$/),
      "connect-src 'self'",
      'img-src data:',
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ])
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(headers.get('cache-control')).toBe('no-store')
  })

  it.each(['POST', 'PUT', 'DELETE', 'PATCH'])('is not what %s answers', async (method) => {
    const response = await fetch(`${server.url}/__mock/`, { method })
    expect(response.status).toBe(404)
    expect(await response.json()).toEqual({
      error: expect.stringContaining(`${method} /__mock/ is not a route`),
    })
  })
})

describe('the server on all addresses', () => {
  it.each([
    ['0.0.0.0', '127.0.0.1'],
    ['::ffff:127.0.0.1', '127.0.0.1'],
    ['localhost', 'localhost'],
  ])('on %s is at %s', async (host, shown) => {
    const { url, baseUrl, isLoopback, close } = await serve(createWorkspaceMock({ fixture: 'empty' }), {
      host,
    })
    expect(new URL(url).hostname).toBe(shown)
    expect(baseUrl).toBe(`${url}/v1`)
    expect((await fetch(`${baseUrl}/me`)).status).toBe(401)
    expect(isLoopback).toBe(host !== '0.0.0.0')
    await close()
  })

  it.skipIf(!hasIPv6).each(['::', '::1'])('on %s is at [::1]', async (host) => {
    const { url, isLoopback, close } = await serve(createWorkspaceMock({ fixture: 'empty' }), { host })
    expect(new URL(url).hostname).toBe('[::1]')
    expect((await fetch(`${url}/v1/me`)).status).toBe(401)
    expect(isLoopback).toBe(host === '::1')
    await close()
  })

  it('reports that only this machine can reach it, with a token too', async () => {
    const { isLoopback, close } = await serve(createWorkspaceMock(), { controlToken: 'secret' })
    expect(isLoopback).toBe(true)
    await close()
  })
})

/** A request from any address, not only this machine's. */
function requestFrom(remoteAddress: string, host: string): IncomingMessage {
  const socket = Object.defineProperty(new Socket(), 'remoteAddress', { value: remoteAddress })
  const request = new IncomingMessage(socket)
  request.method = 'GET'
  request.headers = { host }
  return request
}

describe('the address that a request comes from', () => {
  it.each([
    [[], '127.0.0.1', 'localhost', undefined],
    [[], '::1', 'localhost', undefined],
    [[], '::ffff:127.0.0.1', 'localhost', undefined],
    [[], '10.0.0.7', 'localhost', 'not to 10.0.0.7'],
    [['10.0.0.7'], '10.0.0.7', 'localhost', undefined],
    [['10.0.0.7'], '::ffff:10.0.0.7', 'localhost', undefined],
    [['10.0.0.7'], '10.0.0.8', 'localhost', 'not to 10.0.0.8'],
    [['mock.internal'], '10.0.0.7', 'mock.internal', undefined],
    [['mock.internal'], '10.0.0.7', 'localhost', 'not to 10.0.0.7'],
    [['10.0.0.7'], '10.0.0.7', 'mock.internal', 'under the host "mock.internal"'],
  ])('where %j are allowed, %s under the host %s: refused as %j', (allowHosts, peer, host, refusal) => {
    const guard = createGuard({ allowHosts, token: undefined })
    const refused = guard(requestFrom(peer, host), false)
    if (refusal === undefined) expect(refused).toBeUndefined()
    else expect(refused).toContain(refusal)
  })
})

describe('the control token', () => {
  const tokenOf = async (
    options: ServeOptions,
    use: (
      server: RunningServer,
      status: (path: string, headers?: Record<string, string>) => Promise<unknown>,
    ) => Promise<void>,
  ) => {
    const guarded = await serve(createWorkspaceMock({ fixture: 'empty' }), { port: 0, ...options })
    const local = `http://127.0.0.1:${String(guarded.port)}`
    await use(guarded, (path, headers = {}) => statusOf(`${local}${path}`, { headers }))
    await guarded.close()
  }

  it('is required by every route, and by neither the page nor the API', async () => {
    await tokenOf({ controlToken: 'secret' }, async ({ consoleUrl, controlToken }, status) => {
      expect(controlToken).toBe('secret')
      expect(consoleUrl).toMatch(/\/__mock\/#token=secret$/)
      expect(await status('/__mock/health')).toBe(403)
      expect(await status('/__mock/health', { 'x-mock-token': 'secret2' })).toBe(403)
      expect(await status('/__mock/health', { 'x-mock-token': 'secret' })).toBe(200)
      expect([200, 503]).toContain(await status('/__mock/'))
      for (const method of ['POST', 'DELETE', 'PUT'])
        expect(await statusOf(consoleUrl.replace(/#.*/, ''), { method })).toBe(403)
      expect(await status('/v1/me', { authorization: 'Bearer wm_empty_master' })).toBe(200)
    })
  })

  it('does not stand in for the host', async () => {
    await tokenOf({ controlToken: 'secret' }, async (_server, status) => {
      expect(await status('/__mock/health', { 'x-mock-token': 'secret', host: 'evil.test' })).toBe(403)
    })
  })

  it('is generated when other machines can reach the server', async () => {
    await tokenOf({ host: '0.0.0.0', allowHosts: ['mock.internal'] }, async ({ controlToken }, status) => {
      const host = 'mock.internal'
      expect(await status('/__mock/health', { host })).toBe(403)
      expect(await status('/__mock/health', { host, 'x-mock-token': controlToken ?? '' })).toBe(200)
    })
  })

  it('is encoded in the link to the console', async () => {
    await tokenOf({ controlToken: 'a&b#c%' }, ({ consoleUrl }) => {
      const fragment = new URLSearchParams(new URL(consoleUrl).hash.slice(1))
      expect([...fragment]).toEqual([['token', 'a&b#c%']])
      return Promise.resolve()
    })
  })

  it.each(['', 'two words', 'späß', 'x'.repeat(201)])('%j is refused', async (controlToken) => {
    await expect(serve(createWorkspaceMock(), { port: 0, controlToken })).rejects.toThrow('controlToken')
  })
})

describe('hosts that can use the control API', () => {
  it.each(['', 'mock.internal:4010', 'cafe:4010', '[::1]:80', 'http://mock.internal', 'two words'])(
    '%j is refused: no request has such a host',
    async (name) => {
      const started = serve(createWorkspaceMock(), { port: 0, allowHosts: ['mock.internal', name] })
      await expect(started).rejects.toThrow(
        `without a port, such as mock.internal; received ${JSON.stringify(name)}`,
      )
    },
  )

  it.each(['Mock.internal', '10.0.0.7', '::1', '[fe80::1]', '::ffff:10.0.0.7'])(
    '%j is taken',
    async (name) => {
      const started = await serve(createWorkspaceMock(), { port: 0, allowHosts: [name] })
      await started.close()
    },
  )
})

describe('requests that do not name exactly one host', () => {
  const rawStatus = async (path: string, ...headers: string[]) => {
    const key = `Authorization: ${authorization}`
    const lines = [`GET ${path} HTTP/1.1`, ...headers, key, 'Connection: close', '', '']
    const [status] = statuses(await raw(server.port, lines.join('\r\n')))
    return status
  }

  it.each(['/v1/me', '/__mock/health', '/'])('answer 400: %s with two Host headers', async (path) => {
    expect(await rawStatus(path, 'Host: 127.0.0.1', 'Host: evil.test')).toBe(400)
    expect(await rawStatus(path, 'Host: 127.0.0.1', 'Host: 127.0.0.1')).toBe(400)
  })

  it.each(['/v1/me', '/__mock/health'])('answer 400 when an absolute target disagrees: %s', async (path) => {
    expect(await rawStatus(`http://evil.test${path}`, 'Host: 127.0.0.1')).toBe(400)
    expect(await rawStatus(`http://127.0.0.1${path}`, 'Host: evil.test')).toBe(400)
    expect(await rawStatus(`http://x@127.0.0.1${path}`, 'Host: 127.0.0.1')).toBe(400)
    expect(await rawStatus(`http://127.0.0.1:80${path}`, 'Host: 127.0.0.1')).toBe(200)
    expect(await rawStatus(`HTTP://LocalHost${path}`, 'Host: localhost')).toBe(200)
    expect(await rawStatus(`https://127.0.0.1${path}`, 'Host: 127.0.0.1')).toBe(200)
  })

  it('two Authorization headers answer 401', async () => {
    expect(await rawStatus('/v1/me', 'Host: x', `Authorization: ${authorization}`)).toBe(401)
  })
})
