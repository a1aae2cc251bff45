// Bodies on the wire: what is requested, read and discarded, and what happens to the connection.
import { Agent, request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import { describe, expect, it } from 'vitest'
import { createWorkspaceMock } from '../../src/index.ts'
import { authorization, head, raw, served, statuses } from './support/served.ts'

const mock = createWorkspaceMock({ answers: { bodyBytes: 100_000 } })
const server = served(mock)

const space = (name: string) => {
  const body = JSON.stringify({ name })
  return { body, length: `Content-Length: ${String(body.length)}` }
}
const namesOf = (text: string) => Array.from(text.matchAll(/"name":"(Space \d)"/g), ([, name]) => name)

describe('requests sent at once on one connection', () => {
  it('are carried out in their order, each after the body of the one before', async () => {
    const created = ['Space 1', 'Space 2', 'Space 3'].map((name) => {
      const { body, length } = space(name)
      return head('POST', '/v1/spaces', length) + body
    })
    const reading = head('GET', '/v1/spaces', 'Connection: close')
    const text = await raw(server.port, created.join('') + reading)
    expect(statuses(text)).toEqual([200, 200, 200, 200])
    expect(namesOf(text.slice(text.lastIndexOf('HTTP/1.1')))).toEqual(['Space 1', 'Space 2', 'Space 3'])
  })

  it('are carried out in their order where the first body comes in pieces', async () => {
    const { body, length } = space('Space 1')
    const bytes = head('POST', '/v1/spaces', length) + body.slice(0, 5)
    const rest = body.slice(5) + head('GET', '/v1/spaces', 'Connection: close')
    const text = await new Promise<string>((resolve) => {
      let received = ''
      const socket = connect(server.port, '127.0.0.1', () => {
        socket.write(bytes, () => setImmediate(() => socket.write(rest)))
      })
      socket.on('data', (chunk) => (received += chunk.toString('latin1')))
      socket.on('close', () => resolve(received))
    })
    expect(statuses(text)).toEqual([200, 200])
    expect(namesOf(text.slice(text.lastIndexOf('HTTP/1.1')))).toEqual(['Space 1'])
  })
})

describe('a client that asks before it sends its body', () => {
  const { body, length } = space('Space 1')

  it.each(['100-continue', '100-Continue'])(
    'createSpace answers 100, then 200 to Expect: %s',
    async (expected) => {
      const request = head('POST', '/v1/spaces', length, `Expect: ${expected}`, 'Connection: close')
      const text = await raw(server.port, request + body)
      expect(statuses(text)).toEqual([100, 200])
    },
  )

  it('createSpace answers 413, and nothing before it, when the body would be too large', async () => {
    const request = head('POST', '/v1/spaces', 'Content-Length: 100001', 'Expect: 100-continue')
    const text = await raw(server.port, request, (seen) => seen.includes('}'))
    expect(statuses(text)).toEqual([413])
  })

  it('createSpace answers 200 when the expectation is unknown', async () => {
    const request = head('POST', '/v1/spaces', length, 'Expect: a-pony', 'Connection: close')
    expect(statuses(await raw(server.port, request + body))).toEqual([200])
  })
})

describe('a connection after a request whose body was not asked for', () => {
  /** Sends bodies without a key over one agent. @returns local ports, which differ if the connection was closed */
  async function portsAfter(path: string, ...sizes: readonly number[]): Promise<(number | undefined)[]> {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const ports: (number | undefined)[] = []
    for (const size of sizes)
      await new Promise<void>((resolve, reject) => {
        const options = { agent, method: 'POST', headers: { 'content-length': size } }
        const sent = httpRequest(`${server.baseUrl}${path}`, options, (response) => {
          expect([401, 404]).toContain(response.statusCode)
          ports.push(response.socket.localPort)
          response.resume().on('end', resolve)
        })
        sent.on('error', reject).end(Buffer.alloc(size, 'x'))
      })
    agent.destroy()
    return ports
  }

  it.each(
    ['/spaces', '/none', '/me'].flatMap((path) =>
      [64 * 1024, 20 * 1024 * 1024].map((size) => [path, size] as const),
    ),
  )('is used again, the response read: %s, %i bytes', async (path, size) => {
    const [first, second] = await portsAfter(path, size, 10)
    expect(second).toBe(first)
  })
})

describe('a body of the largest allowed size', () => {
  const sent = (sizeBytes: number, isChunked: boolean) =>
    new Promise<number | undefined>((resolve, reject) => {
      const body = JSON.stringify({ name: 'x' }).padEnd(sizeBytes, ' ')
      const headers = isChunked ? { 'transfer-encoding': 'chunked' } : { 'content-length': sizeBytes }
      const options = { method: 'POST', headers: { authorization, ...headers } }
      const request = httpRequest(`${server.baseUrl}/spaces`, options, (response) => {
        response.resume()
        resolve(response.statusCode)
      })
      request.on('error', reject).end(body)
    })

  it.each([false, true])(
    'createSpace answers 200 to 100,000 bytes, 413 to one more (chunked: %s)',
    async (isChunked) => {
      expect(await sent(100_000, isChunked)).toBe(200)
      expect(await sent(100_001, isChunked)).toBe(413)
    },
  )
})

describe('every response', () => {
  it.each(['/v1/me', '/v1/none', '/__mock/health', '/__mock/none', '/__mock/', '/favicon.ico'])(
    'is the same bytes at any time: %s has no date',
    async (path) => {
      const response = await fetch(`${server.url}${path}`, { headers: { authorization } })
      await response.text()
      expect(response.headers.has('date')).toBe(false)
    },
  )

  it('is the same bytes at any time: the events have no date', async () => {
    const response = await fetch(`${server.url}/__mock/events`)
    expect(response.headers.has('date')).toBe(false)
    await response.body?.cancel()
  })
})

describe('a connection that a fault breaks', () => {
  it.each([
    ['Bun/1.2', 'HTTP/1.1 200 OK\r\ncontent-length: x\r\n\r\n'],
    ['Deno/2.1', 'HTTP/1.1 200 OK\r\ncontent-length: x\r\n\r\n'],
    ['curl/8', 'HTTP/1.1 '],
  ])('ends for %s in a head that it does not send again after', async (agent, expected) => {
    mock.fault({ network: true })
    expect(await raw(server.port, head('GET', '/v1/me', `User-Agent: ${agent}`))).toBe(expected)
  })
})
