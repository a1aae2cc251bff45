// Stopping a server: what it waits for, and which connections it closes immediately.
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createWorkspaceMock } from '../../src/index.ts'
import { serve, type RunningServer } from '../../src/node.ts'
import { authorization, head, raw, statuses } from './support/served.ts'

describe('close', () => {
  const mock = createWorkspaceMock()
  let server: RunningServer
  // Fakes the timer after which a closing server ends what is left, so it never fires.
  beforeEach(async () => {
    mock.reset()
    server = await serve(mock)
    vi.useFakeTimers({ toFake: ['setTimeout'] })
  })
  afterEach(async () => {
    vi.advanceTimersByTime(60_000)
    vi.useRealTimers()
    await server.close()
  })

  /** Whether the server closes even though that timer never fires. */
  const closes = () => Promise.race([server.close().then(() => 'closed'), setTimeout(20_000, 'still open')])

  it('ends event streams', async () => {
    const { body } = await fetch(`${server.url}/__mock/events`)
    const read = body?.getReader()
    await read?.read()
    expect(await closes()).toBe('closed')
    await expect(read?.read()).rejects.toThrow()
  })

  it('ends uploads that have not come whole', async () => {
    const lines = head('POST', '/v1/spaces', 'Content-Length: 100')
    const socket = connect(server.port, '127.0.0.1', () => socket.write(`${lines}{"name":`))
    const ended = new Promise((resolve) => socket.on('error', () => undefined).once('close', resolve))
    // A response on another connection proves that the request has arrived.
    await raw(server.port, head('GET', '/v1/me', 'Connection: close'))
    expect(await closes()).toBe('closed')
    await ended
    expect(mock.requests({ operation: 'createSpace' })).toEqual([])
  })

  it('waits for responses, and ends their connections with them', async () => {
    const fault = mock.fault({ operation: 'getIdentity', status: 503, delayMs: 300 })
    const answered = new Promise<IncomingMessage>((resolve, reject) => {
      const headers = { authorization, connection: 'keep-alive' }
      httpRequest(`${server.baseUrl}/me`, { headers }, resolve).on('error', reject).end()
    })
    while (fault.hits === 0) await setTimeout(5)
    const closing = closes()
    // Faults use the faked timers.
    vi.advanceTimersByTime(300)
    const response = await answered
    response.resume()
    expect(response.statusCode).toBe(503)
    expect(response.headers.connection).toBe('close')
    expect(await closing).toBe('closed')
  })

  it('ends a request that is not answered in time', async () => {
    const fault = mock.fault({ operation: 'getIdentity', status: 503, delayMs: 600_000 })
    const answered = raw(server.port, head('GET', '/v1/me'))
    while (fault.hits === 0) await setTimeout(5)
    const closing = closes()
    vi.advanceTimersByTime(2000)
    expect(await closing).toBe('closed')
    expect(statuses(await answered)).toEqual([])
  })

  it('gives the same promise each time', async () => {
    expect(server.close()).toBe(server.close())
    await server.close()
  })
})
