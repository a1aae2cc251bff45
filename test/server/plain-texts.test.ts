// No text that a client sends can control the terminal that shows the mock's texts.
import { connect } from 'node:net'
import { describe, expect, it } from 'vitest'
import { createWorkspaceMock } from '../../src/index.ts'
import { maskAddress, quote } from '../../src/contract/text/quote.ts'
import { authorization, served } from './support/served.ts'

const mock = createWorkspaceMock()
const server = served(mock)
const hostile = 'a\u001b[2Jb\u009b31mc\u202ed\u2028e\u2029f\u2066g\u0085h'
const moving = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]/

/** Sends bytes unchanged; `fetch` would encode them. */
const sendRaw = (head: string) =>
  new Promise<string>((resolve, reject) => {
    let text = ''
    const socket = connect(server.port, '127.0.0.1', () => socket.end(Buffer.from(head, 'latin1')))
    socket.on('data', (bytes) => (text += bytes.toString()))
    socket.on('end', () => resolve(text)).on('error', reject)
  })
const bodyOf = (response: string) => response.slice(response.indexOf('\r\n\r\n') + 4)

describe('explain()', () => {
  it('escapes what a client, a fault or a handler said', async () => {
    mock.reset()
    const send = (path: string, body: unknown) =>
      mock.fetch(path, { method: 'POST', headers: { authorization }, body: JSON.stringify(body) })
    await send('/spaces', { name: 7, [hostile]: 1 })
    await send(`/lists/${hostile}/tasks?x=${hostile}`, { title: hostile })
    await send('/datatables/tbl_coffees/rows', { data: { [hostile]: hostile } })
    mock.fault({ operation: 'getTask', status: 503, match: { path: `/tasks/${encodeURI(hostile)}` } })
    mock.fault({
      operation: 'getIdentity',
      effect: { respond: { status: 500, body: { error: `${hostile}\n#99 GET /forged 200` } } },
    })
    await mock.fetch('/me', { headers: { authorization } })
    const text = mock.explain()
    expect(text).not.toMatch(moving)
    expect(text).not.toMatch(/^\s*#99/m)
    expect(text).toContain('\\u009b31m')
  })
})

describe('errors over HTTP', () => {
  const head = (line: string) =>
    `${line} HTTP/1.1\r\nhost: 127.0.0.1:${String(server.port)}\r\nconnection: close\r\n\r\n`

  it.each([
    ['an unknown operation', () => head('GET /v1/\x9b2J')],
    ['an unknown control', () => head('GET /__mock/\x9b2J')],
    ['an unknown query parameter of a control', () => head('GET /__mock/requests?%C2%9B2J=1')],
    ['an unknown record of a control', () => head('GET /__mock/tasks/%C2%9B2J')],
    ['an unknown snapshot', () => head('POST /__mock/snapshots/%C2%9B2J/restore')],
    ['an address outside the API', () => head('GET /\x9b2J')],
  ])('are plain for %s', async (_, request) => {
    const text = bodyOf(await sendRaw(request()))
    expect(text).toContain('error')
    expect(text).not.toMatch(moving)
  })

  it('are plain for a CSV file with such a name', async () => {
    const path = `/__mock/tables/tbl_coffees/rows?file=${encodeURIComponent(hostile)}.csv`
    for (const body of ['Bags\n"x', `${hostile}\n1`, new Uint8Array([0xff, 0xfe, 0xff])]) {
      const headers = { 'content-type': 'text/csv' }
      const response = await fetch(`${server.url}${path}`, { method: 'POST', headers, body })
      expect(response.status).toBe(400)
      expect(((await response.json()) as { error: string }).error).not.toMatch(moving)
    }
  })
})

describe('copyAs', () => {
  it('quotes the method', async () => {
    mock.reset()
    await mock.fetch('/me', { method: "PU'T", headers: { authorization } }).catch(() => undefined)
    await sendRaw(
      `M-SEARCH /v1/me HTTP/1.1\r\nhost: 127.0.0.1:${String(server.port)}\r\nconnection: close\r\n\r\n`,
    )
    for (const { id, method } of mock.requests()) {
      const [, word = ''] = /-X ((?:'[^']*'|\\'|[\w-])+) /.exec(mock.copyAs('curl', [id])) ?? []
      expect(word.replaceAll("'\\''", '"').replaceAll("'", '').replaceAll('"', "'")).toBe(method)
    }
    expect(mock.requests().length).toBeGreaterThan(0)
  })
})

describe('an address in an error', () => {
  it.each([
    ['https://api.example.com/v1?token=secret&n', 'https://api.example.com/v1?token=…&n'],
    ['https://user:secret@api.example.com/v1', 'https://…@api.example.com/v1'],
    ['/rows?a=secret&b=secret#c', '/rows?a=…&b=…#c'],
    ['https://api.example.com/v1/me', 'https://api.example.com/v1/me'],
  ])('of %s is %s', (address, shown) => {
    expect(maskAddress(address)).toBe(shown)
  })

  it('shows the names of its query alone', () => {
    const baseUrl = 'https://api.example.com/v2?token=secret'
    expect(() => createWorkspaceMock({ baseUrl })).toThrow(
      /received "https:\/\/api\.example\.com\/v2\?token=…"/,
    )
    expect(quote({ url: baseUrl })).not.toContain('secret')
  })
})
