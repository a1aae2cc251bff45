// Connections that end unusually: half closed by the client, fully closed, broken by a fault.
import { consoleControlsOf } from '../../src/adapters/control-api/console-controls.ts'
import { Agent, request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import { describe, expect, it } from 'vitest'
import { createWorkspaceMock } from '../../src/index.ts'
import { serve } from '../../src/node.ts'
import { authorization, head, raw, served, statuses } from './support/served.ts'

const mock = createWorkspaceMock()
const server = served(mock)

/** Sends pieces, then closes the client's half of the connection. @returns the response */
function halfClosed(...pieces: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    const socket = connect(
      { port: server.port, host: '127.0.0.1', allowHalfOpen: true },
      () => void sendAll(),
    )
    const sendAll = async () => {
      for (const piece of pieces) {
        await new Promise<void>((sent) => {
          socket.write(piece, () => {
            setTimeout(sent, 20)
          })
        })
      }
      socket.end()
    }
    socket.setTimeout(10_000, () => socket.destroy(new Error('no answer')))
    socket.on('data', (chunk) => (text += chunk.toString('latin1')))
    socket.on('error', reject)
    socket.on('close', () => {
      resolve(text)
    })
  })
}

interface Failed {
  readonly code: string
  readonly isReused: boolean
}

/** Sends a request over an agent's connection. @returns its status or error code */
function ask(agent: Agent, path: string, method = 'GET'): Promise<number | Failed> {
  return new Promise((resolve) => {
    const sent = httpRequest(
      `${server.baseUrl}${path}`,
      { agent, method, headers: { authorization } },
      (response) => {
        response.resume().on('end', () => {
          resolve(response.statusCode ?? 0)
        })
      },
    )
    sent.on('error', (error: NodeJS.ErrnoException) => {
      resolve({ code: error.code ?? error.message, isReused: sent.reusedSocket })
    })
    sent.end()
  })
}

describe('a connection whose client has closed its half', () => {
  it('gets a response that is ready at once', async () => {
    expect(statuses(await halfClosed(head('GET', '/v1/me')))).toEqual([200])
    expect(statuses(await halfClosed(head('GET', '/__mock/health', 'Origin: null')))).toEqual([403])
  })

  it('gets a response that a fault delays', async () => {
    mock.fault({ operation: 'getIdentity', status: 503, delayMs: 100 })
    expect(await halfClosed(head('GET', '/v1/me'))).toMatch(/^HTTP\/1\.1 503 /)
    mock.fault({ operation: 'getIdentity', status: 500, delayMs: 100, phase: 'after' })
    expect(await halfClosed(head('GET', '/v1/me'))).toMatch(/^HTTP\/1\.1 500 /)
  })

  it('leaves no timer behind when the server ends before the response', async () => {
    const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
    const before = timers()
    const own = await serve(mock, { port: 0 })
    const fault = mock.fault({ operation: 'getIdentity', status: 503, delayMs: 600_000, times: 20 })
    const sockets = Array.from({ length: 20 }, () =>
      connect({ port: own.port, host: '127.0.0.1', allowHalfOpen: true }).end(head('GET', '/v1/me')),
    )
    await expect.poll(() => fault.hits).toBe(20)
    await own.close()
    // The test runner has timers too.
    await expect.poll(timers, { timeout: 20_000 }).toBeLessThan(before + 10)
    for (const socket of sockets) socket.destroy()
  })

  it('gets the response to a body that came in pieces', async () => {
    const body = JSON.stringify({ name: 'Half closed' })
    const length = `Content-Length: ${String(body.length)}`
    const text = await halfClosed(head('POST', '/v1/spaces', length), body.slice(0, 5), body.slice(5))
    expect(statuses(text)).toEqual([200])
    expect(mock.requests({ operation: 'createSpace' })).toHaveLength(1)
  })

  it('gets a large response whole', async () => {
    const table = consoleControlsOf(mock)
      .inspect.overview()
      .workspaces[0]?.tables.find(({ row_count }) => row_count >= 1000)
    const path = `/v1/datatables/${table?.id ?? ''}/rows?limit=500`
    const text = await halfClosed(head('GET', path) + head('GET', path))
    expect(statuses(text)).toEqual([200, 200])
    const [, length = ''] = /content-length: (\d+)/i.exec(text) ?? []
    expect(text.length).toBeGreaterThan(2 * Number(length))
  })

  it('gets all responses of a pipeline, delayed ones too, in order', async () => {
    mock.fault({ operation: 'listSpaces', status: 503, delayMs: 60 })
    const text = await halfClosed(
      head('GET', '/v1/me') + head('GET', '/v1/spaces') + head('GET', '/v1/tasks/none'),
    )
    expect(statuses(text)).toEqual([200, 503, 404])
  })

  it.each<[string, () => void]>([
    ['nothing is set', () => undefined],
    ['a fault meets the first', () => mock.fault({ operation: 'createSpace', status: 200 })],
    [
      'the effect of a fault of the first has to be loaded',
      () => mock.fault({ operation: 'createSpace', effect: { rewrite: 'unknown field' } }),
    ],
  ])('has its pipelined requests handled in order when %s', async (_, set) => {
    set()
    const body = JSON.stringify({ name: 'Pipelined' })
    const post = head('POST', '/v1/spaces', `Content-Length: ${String(body.length)}`) + body
    mock.clearRequests()
    const text = await halfClosed(
      post + head('GET', '/v1/spaces') + post.slice(0, -5),
      post.slice(-5) + head('GET', '/v1/me'),
    )
    expect(statuses(text)).toEqual([200, 200, 200, 200])
    const handled = mock.requests().map(({ operation }) => operation)
    expect(handled).toEqual(['createSpace', 'listSpaces', 'createSpace', 'getIdentity'])
    mock.reset()
  })

  it.each([
    [[]],
    [['Upgrade: websocket', 'Connection: Upgrade']],
    [['Upgrade: h2c', 'Connection: Upgrade, HTTP2-Settings']],
  ])('gets a 400 where its body is cut off, with %j', async (headers) => {
    for (const length of ['Content-Length: 100', 'Transfer-Encoding: chunked']) {
      const text = await halfClosed(head('POST', '/v1/spaces', length, ...headers), '64\r\n{"name":')
      expect(statuses(text)).toEqual([400])
    }
    expect(mock.requests()).toEqual([])
  })
})

describe('a client that hangs up while a fault delays its request', () => {
  const sent = JSON.stringify({ name: 'Closed' })
  const delayed = head('POST', '/v1/spaces', `Content-Length: ${String(sent.length)}`) + sent
  const isDelayed = () => expect.poll(() => mock.faults()).toEqual([])

  /** Sends raw requests to a separate server, and hangs up once the fault delays the last one. */
  async function hangUp(requests: string, way: 'destroy' | 'resetAndDestroy') {
    const responses: unknown[] = []
    const own = await serve(mock, {
      port: 0,
      log: ({ response }) => responses.push(response?.status ?? null),
    })
    const socket = connect(own.port, '127.0.0.1', () => socket.write(requests))
    await isDelayed()
    socket[way]()
    return { responses, own }
  }

  it.each([
    ['on its own', '', 'before', [null]],
    ['on its own', '', 'after', [null]],
    ['behind another', head('GET', '/v1/me'), 'before', [200, null]],
    ['behind another that is delayed', head('GET', '/v1/spaces'), 'before', [null, null]],
  ] as const)(
    'by a reset leaves nothing open: %s%.0s it is carried out only by a fault of a phase that is past it (%s)',
    async (_, first, phase, expected) => {
      const delay = { status: 200, delayMs: 600_000 } as const
      if (expected.length === 2 && expected[0] === null) mock.fault({ operation: 'listSpaces', ...delay })
      mock.fault({ operation: 'createSpace', ...delay, phase })
      const { responses, own } = await hangUp(first + delayed, 'resetAndDestroy')
      await expect.poll(() => responses).toEqual(expected)
      expect(mock.requests({ operation: 'createSpace' })).toHaveLength(phase === 'after' ? 1 : 0)
      await own.close()
    },
  )

  it('by closing its connection looks like a client that still waits: its request is carried out', async () => {
    mock.fault({ operation: 'createSpace', status: 200, delayMs: 50 })
    const { responses, own } = await hangUp(delayed, 'destroy')
    await expect.poll(() => responses).toEqual([200])
    expect(mock.requests({ operation: 'createSpace' })).toHaveLength(1)
    await own.close()
  })
})

describe('a connection that a fault breaks', () => {
  it('fails with ECONNRESET in node:http, on a connection that was used before too', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    expect(await ask(agent, '/me')).toBe(200)
    mock.fault({ network: true })
    expect(await ask(agent, '/me')).toEqual({ code: 'ECONNRESET', isReused: true })
    expect(await ask(agent, '/me')).toBe(200)
    agent.destroy()
    expect(mock.requests().map(({ status }) => status)).toEqual([200, 0, 200])
  })

  it('rejects with ECONNRESET in fetch, and the request arrives once', async () => {
    const headers = { authorization }
    await (await fetch(`${server.baseUrl}/me`, { headers })).text()
    mock.fault({ network: true })
    const error: unknown = await fetch(`${server.baseUrl}/me`, { headers }).catch((caught: unknown) => caught)
    expect(error).toMatchObject({ name: 'TypeError', cause: { code: 'ECONNRESET' } })
    expect((await fetch(`${server.baseUrl}/me`, { headers })).status).toBe(200)
    expect(mock.requests().map(({ status }) => status)).toEqual([200, 0, 200])
  })

  it('is broken after the responses to earlier requests', async () => {
    mock.fault({ operation: 'listSpaces', network: true })
    mock.fault({ operation: 'getIdentity', status: 200, delayMs: 50 })
    const text = await raw(server.port, head('GET', '/v1/me') + head('GET', '/v1/spaces'))
    expect(statuses(text)).toEqual([200])
    expect(text).toMatch(/\}HTTP\/1\.1 $/)
  })
})
