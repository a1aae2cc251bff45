// The standalone server as a server: ports, odd bytes, large bodies, connections, and stopping.
import { request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import { describe, expect, it } from 'vitest'
import { createWorkspaceMock } from '../../src/index.ts'
import { serve, type ServeOptions } from '../../src/node.ts'
import { authorization, head, raw, served, statuses } from './support/served.ts'

const mock = createWorkspaceMock({ selfCheck: true, answers: { bodyBytes: 100_000 } })
const server = served(mock)

const me = async () => (await fetch(`${server.baseUrl}/me`, { headers: { authorization } })).status
const spaces = async () => {
  const response = await fetch(`${server.baseUrl}/spaces`, { headers: { authorization } })
  return ((await response.json()) as { spaces: unknown[] }).spaces.length
}

describe('server', () => {
  it('takes a free port when the port is 0, and says where it is', async () => {
    expect(server.port).toBeGreaterThan(0)
    expect(server.url).toBe(`http://127.0.0.1:${String(server.port)}`)
    expect(server.baseUrl).toBe(`${server.url}/v1`)
    expect(await me()).toBe(200)
  })

  it('reports a body that is too large and sent again, but not one of another size', async () => {
    const headers = { authorization, 'content-type': 'application/json' }
    for (const characters of [200_000, 200_000, 200_001]) {
      const body = JSON.stringify({ name: 'x'.repeat(characters) })
      expect((await fetch(`${server.baseUrl}/spaces`, { method: 'POST', headers, body })).status).toBe(413)
    }
    expect(mock.report()).toMatchObject([{ rule: 'retry-unsafe', count: 1 }])
  })

  it('rejects with a clear error when the port is taken', async () => {
    await expect(serve(mock, { port: server.port })).rejects.toThrow(String(server.port))
    await expect(serve(mock, { port: server.port })).rejects.toThrow(/in use/)
    expect(await me()).toBe(200)
  })

  it.each([-1, 65_536, 1.5, NaN])('rejects port %d', async (port) => {
    await expect(serve(mock, { port })).rejects.toThrow(String(port))
  })

  it.each([
    ['port', '4010', '"4010"'],
    ['port', { toString: 1 }, '{"toString":1}'],
    ['host', '', '""'],
    ['host', 1n, '[object BigInt]'],
    ['allowHosts', 'mock.internal', '"mock.internal"'],
    ['allowHosts', ['a', 5], '5'],
    ['bytesInFlight', '8 MiB', '"8 MiB"'],
    ['bytesInFlight', -1, '-1'],
    ['bytesInFlight', NaN, 'NaN'],
  ])('serve rejects the option %s as %o', async (name, value, received) => {
    const rejected = await serve(mock, { port: 0, [name]: value }).catch((error: unknown) => error)
    expect(rejected).toBeInstanceOf(RangeError)
    expect((rejected as Error).message).toMatch(new RegExp(`^${name} must be `))
    expect((rejected as Error).message.endsWith(`received ${received}`)).toBe(true)
  })

  it('rejects a host that is not an address of this machine', async () => {
    await expect(serve(mock, { host: 'mock.invalid' })).rejects.toThrow(
      'host mock.invalid is not an address of this machine; choose 127.0.0.1',
    )
    await expect(serve(mock, { port: 0, host: '203.0.113.7' })).rejects.toThrow('203.0.113.7')
  })

  it('answers 404 in the body of the API for what lies beside the API', async () => {
    for (const path of ['/', '/v2/me', '/v1x', '/v1', '/favicon.ico']) {
      const response = await fetch(`${server.url}${path}`, { headers: { authorization } })
      expect(response.status).toBe(404)
      expect(await response.json()).toHaveProperty('error')
    }
  })

  it('sends a browser that opens it to the console, and keeps that and the icon out of the journal', async () => {
    const ask = (path: string, accept: string) =>
      fetch(`${server.url}${path}`, { headers: { accept }, redirect: 'manual' })
    const page = await ask('/', 'text/html,application/xhtml+xml,*/*;q=0.8')
    expect([page.status, page.headers.get('location')]).toEqual([302, '/__mock/'])
    expect((await ask('/', 'application/json')).status).toBe(404)
    const sent = async (method: string) =>
      await fetch(server.url, { method, headers: { accept: 'text/html' }, redirect: 'manual' })
    expect((await sent('HEAD')).status).toBe(302)
    expect((await sent('POST')).status).toBe(404)
    expect((await ask('/', 'application/json')).headers.get('x-mock-hint')).toBe(
      'the API is at /v1, the console at /__mock/',
    )
    expect((await ask('/favicon.ico', 'image/*')).status).toBe(404)
    expect(mock.requests()).toEqual([])
    expect(mock.report()).toEqual([])
  })

  it('gives attachments addresses at the host the request came to', async () => {
    const form = new FormData()
    form.append('file', new Blob(['x']), 'x.txt')
    const lists = (await (await fetch(`${server.baseUrl}/lists`, { headers: { authorization } })).json()) as {
      lists: { id: string }[]
    }
    const list = `${server.baseUrl}/lists/${lists.lists[0]?.id ?? ''}/tasks`
    const created = await fetch(list, { method: 'POST', headers: { authorization }, body: '{"title":"x"}' })
    const { id } = (await created.json()) as { id: string }
    const byName = server.baseUrl.replace('127.0.0.1', 'localhost')
    const uploaded = await fetch(`${byName}/tasks/${id}/attachments`, {
      method: 'POST',
      headers: { authorization },
      body: form,
    })
    const { attachment } = (await uploaded.json()) as { attachment: { url: string } }
    expect(attachment.url.startsWith(byName)).toBe(true)
    expect(await (await fetch(attachment.url, { headers: { authorization } })).text()).toBe('x')
  })

  it('gives attachments its own address where the host of the request is invalid', async () => {
    const { id = '' } = mock.db.tasks.findFirst() ?? {}
    const body = '--b\r\nContent-Disposition: form-data; name="file"; filename="x.txt"\r\n\r\nx\r\n--b--\r\n'
    const lines = [
      `POST /v1/tasks/${id}/attachments HTTP/1.1`,
      'Host: no host',
      `Authorization: ${authorization}`,
      'Content-Type: multipart/form-data; boundary=b',
      `Content-Length: ${String(body.length)}`,
      'Connection: close',
    ]
    const text = await raw(server.port, `${lines.join('\r\n')}\r\n\r\n${body}`)
    expect(statuses(text)).toEqual([201])
    expect(text).toContain(`"url":"${server.baseUrl}/`)
  })

  it('rejects an option that does not exist', async () => {
    await expect(serve(mock, { prot: 0 } as ServeOptions)).rejects.toThrow(/prot.*port/)
  })

  it('answers HEAD without a body and does not hang', async () => {
    const response = await fetch(`${server.baseUrl}/me`, { method: 'HEAD', headers: { authorization } })
    expect(response.status).toBe(404)
    expect(await response.text()).toBe('')
  })
})

describe('bodies that are too large', () => {
  const large = JSON.stringify({ name: 'x'.repeat(200_000) })

  it('answer 413 when the length says so, before the body is sent', async () => {
    const request = head('POST', '/v1/spaces', 'Content-Length: 99999999999')
    const text = await raw(server.port, request, (seen) => seen.includes('}'))
    expect(text).toMatch(/^HTTP\/1\.1 413 /)
    expect(text).toContain('"error"')
    expect(await me()).toBe(200)
  })

  it('answer 413 when an upload is said to have more than 128 MiB', async () => {
    const { lists } = (await (
      await fetch(`${server.baseUrl}/lists`, { headers: { authorization } })
    ).json()) as {
      lists: { id: string }[]
    }
    const request = head(
      'POST',
      `/v1/lists/${lists[0]?.id ?? ''}/tasks`,
      'Content-Type: multipart/form-data; boundary=x',
      `Content-Length: ${String(128 * 1024 * 1024 + 1)}`,
    )
    expect(await raw(server.port, request, (seen) => seen.includes('}'))).toMatch(/^HTTP\/1\.1 413 /)
  })

  it('answer 413 when they come whole', async () => {
    const before = await spaces()
    const response = await fetch(`${server.baseUrl}/spaces`, {
      method: 'POST',
      headers: { authorization },
      body: large,
    })
    expect(response.status).toBe(413)
    expect(Object.keys((await response.json()) as object)).toEqual(['error'])
    expect(await spaces()).toBe(before)
  })

  it('answer 413 when they come in chunks, without waiting for their end', async () => {
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const sent = httpRequest(
        `${server.baseUrl}/spaces`,
        { method: 'POST', headers: { authorization, 'transfer-encoding': 'chunked' } },
        (response) => {
          resolve(response.statusCode)
          sent.destroy()
        },
      )
      sent.on('error', reject)
      // The request never ends, so the response must come first.
      sent.write(large)
    })
    expect(status).toBe(413)
    expect(await me()).toBe(200)
  })

  it('answer 401 before 413 when there is no key', async () => {
    const response = await fetch(`${server.baseUrl}/spaces`, { method: 'POST', body: large })
    expect(response.status).toBe(401)
  })
})

describe('broken requests', () => {
  it('an upload that is broken off changes nothing and harms nobody', async () => {
    const before = await spaces()
    await new Promise<void>((resolve) => {
      const sent = httpRequest(`${server.baseUrl}/spaces`, {
        method: 'POST',
        headers: { authorization, 'content-length': '1000' },
      })
      sent.on('error', () => undefined)
      sent.on('close', () => {
        resolve()
      })
      sent.write('{"name":"half', () => sent.destroy())
    })
    expect(await me()).toBe(200)
    expect(await spaces()).toBe(before)
  })

  it('a slow upload does not keep others waiting', async () => {
    const slow = httpRequest(`${server.baseUrl}/spaces`, {
      method: 'POST',
      headers: { authorization, 'content-length': '17' },
    })
    const answered = new Promise<number | undefined>((resolve, reject) => {
      slow.on('response', (response) => {
        response.resume()
        resolve(response.statusCode)
      })
      slow.on('error', reject)
    })
    await new Promise<void>((resolve) => {
      slow.write('{"name":', () => {
        resolve()
      })
    })
    expect(await me()).toBe(200)
    slow.end('"slow 1"}')
    expect(await answered).toBe(200)
  })

  it.each([
    'nonsense\r\n\r\n',
    'GET /v1/me HTTP/9.9\r\n\r\n',
    'GET /v1/me HTTP/1.1\r\nBad Header\r\n\r\n',
    'POST /v1/spaces HTTP/1.1\r\nHost: x\r\nContent-Length: -5\r\n\r\n',
    'POST /v1/spaces HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n',
    `GET /v1/me HTTP/1.1\r\nHost: x\r\nX-Large: ${'x'.repeat(100_000)}\r\n\r\n`,
  ])('malformed HTTP (%j) is answered or closed, and the server lives on', async (bytes) => {
    const text = await raw(server.port, bytes)
    if (text !== '') expect(text).toMatch(/^HTTP\/1\.1 4\d\d /)
    expect(await me()).toBe(200)
  })

  it('malformed HTTP is answered 400 after the delayed answer to the request before it, and ends the connection', async () => {
    mock.fault({ operation: 'getIdentity', status: 503, delayMs: 60 })
    const text = await raw(server.port, `${head('GET', '/v1/me')}nonsense\r\n\r\n`)
    expect(statuses(text)).toEqual([503, 400])
    const [last = ''] = text.split('HTTP/1.1 ').slice(-1)
    expect(last).toMatch(/^connection: close\r$/im)
    const [, length = ''] = /content-length: (\d+)/i.exec(last) ?? []
    const body = last.slice(last.indexOf('\r\n\r\n') + 4)
    expect(body).toHaveLength(Number(length))
    expect(JSON.parse(body)).toEqual({ error: expect.stringContaining('not valid HTTP/1.1') })
  })

  it('a body that turns out malformed gets no second answer', async () => {
    const text = await new Promise<string>((resolve) => {
      let received = ''
      const socket = connect(server.port, '127.0.0.1', () => {
        socket.write(
          `${head('POST', '/v1/spaces', 'Transfer-Encoding: chunked')}30d40\r\n${'x'.repeat(200_000)}\r\n`,
        )
      })
      socket.on('data', (chunk) => {
        received += chunk.toString('latin1')
        if (received.includes('}')) socket.write('ZZ\r\n')
      })
      socket.on('error', () => undefined).on('close', () => resolve(received))
    })
    expect(statuses(text)).toEqual([413])
  })

  it('CONNECT answers 404 in the body of the API', async () => {
    const text = await raw(server.port, 'CONNECT example.test:443 HTTP/1.1\r\nHost: example.test:443\r\n\r\n')
    expect(statuses(text)).toEqual([404])
    expect(text).toContain('{"error":"No operation matches CONNECT example.test:443"')
    expect(await me()).toBe(200)
  })

  it('requests sent at once on one connection are answered in order', async () => {
    const paths = ['/v1/me', '/v1/tasks/none', '/v1/spaces']
    const pipeline = paths.map((path) => head('GET', path)).join('')
    const text = await raw(server.port, pipeline, (seen) => seen.includes('"spaces"'))
    expect(statuses(text)).toEqual([200, 404, 200])
  })
})

describe('close', () => {
  it('ends with the last answer, frees the port, and may be called again', async () => {
    const first = await serve(createWorkspaceMock({ fixture: 'empty' }), { port: 0 })
    const headers = { authorization: 'Bearer wm_empty_master' }
    const pending = fetch(`${first.baseUrl}/me`, { headers })
    expect((await pending).status).toBe(200)
    await Promise.all([first.close(), first.close()])
    await expect(fetch(`${first.baseUrl}/me`, { headers })).rejects.toThrow()
    const second = await serve(createWorkspaceMock({ fixture: 'empty' }), { port: first.port })
    expect((await fetch(`${second.baseUrl}/me`, { headers })).status).toBe(200)
    await second.close()
  })

  it('does not wait for idle connections', async () => {
    const idle = await serve(createWorkspaceMock({ fixture: 'empty' }), { port: 0 })
    const socket = connect(idle.port, '127.0.0.1')
    await new Promise((resolve) => socket.once('connect', resolve))
    const closed = new Promise((resolve) => socket.once('close', resolve))
    await idle.close()
    await closed
    expect(socket.destroyed).toBe(true)
  })
})
