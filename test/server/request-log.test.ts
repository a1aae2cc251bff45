// Log lines of the standalone server: what they show about a request, and where their links lead.
import { stripVTControlCharacters } from 'node:util'
import { beforeEach, describe, expect, it } from 'vitest'
import { createWorkspaceMock } from '../../src/index.ts'
import type { LoggedRequest } from '../../src/adapters/server/respond.ts'
import { findConsoleLink, isControlRead, formatRequest } from '../../src/tools/cli/serve/request-log.ts'

const mock = createWorkspaceMock()
beforeEach(() => {
  mock.reset()
})

const logged = (request: Partial<LoggedRequest>, status = 401): LoggedRequest => ({
  method: 'GET',
  url: '/v1/me',
  sandbox: null,
  response: { status, headers: {}, body: '{"error":"no key"}' },
  ...request,
})
const ask = (path: string, headers: Record<string, string> = {}) => mock.fetch(path, { headers })
const consoleUrl = 'http://127.0.0.1:4010/__mock/'

describe('logLine', () => {
  it('shows method, address, status and the reason of an error', () => {
    expect(formatRequest(logged({}))).toMatch(/401.*GET +\/v1\/me.*no key/)
    expect(formatRequest(logged({}, 200))).not.toContain('no key')
    expect(formatRequest(logged({ response: null }))).toMatch(/---.*the connection was broken/)
  })

  it('shows the hint of an error, and the link below', () => {
    const headers = { 'x-mock-hint': 'use wm_demo_master' }
    const request = logged({ response: { status: 401, headers, body: '{"error":"no key"}' } })
    expect(stripVTControlCharacters(formatRequest(request, 'http://x/#1'))).toBe(
      '401 GET    /v1/me no key (use wm_demo_master)\n    http://x/#1',
    )
  })

  it('shows one line of printable characters, whatever was sent', () => {
    const body = JSON.stringify({ error: 'a\nb\u001b[2Jc\u202ed' })
    const line = stripVTControlCharacters(
      formatRequest(logged({ url: '/v1/\u0007\r', response: { status: 400, headers: {}, body } })),
    )
    expect(line).toBe('400 GET    /v1/\\u0007\\u000d a\\u000ab\\u001b[2Jc\\u202ed')
  })

  it('shortens long addresses and reasons', () => {
    const body = JSON.stringify({ error: 'y'.repeat(5000) })
    const line = formatRequest(
      logged({ url: `/v1/me?x=${'x'.repeat(5000)}`, response: { status: 400, headers: {}, body } }),
    )
    expect(line.length).toBeLessThan(500)
  })

  it('shows no reason when the body is not an error', () => {
    for (const body of ['', '[1]', 'null', '{"a":1}', new Uint8Array(3), null])
      expect(formatRequest(logged({ response: { status: 500, headers: {}, body } }))).toMatch(
        /\/v1\/me(?:\x1b\[\d+m)?$/,
      )
  })
})

describe('isControlRead', () => {
  it.each([
    ['GET', '/__mock/requests', 200, true],
    ['GET', '/__mock/requests', 404, false],
    ['GET', '/sandboxes/worker-1/__mock/requests', 200, true],
    ['GET', '/__mocked', 200, false],
    ['GET', '/v1/me', 200, false],
    ['POST', '/__mock/reset', 200, false],
  ])('of %s %s with %i is %s', (method, url, status, expected) => {
    expect(isControlRead(logged({ method, url }, status))).toBe(expected)
  })
})

describe('consoleLink', () => {
  it('leads to the newest such request of the journal', async () => {
    await ask('/me')
    await ask('/spaces')
    await ask('/me')
    await ask('/lists')
    expect(findConsoleLink(mock, consoleUrl, logged({}))).toBe(`${consoleUrl}#request=3`)
    expect(findConsoleLink(mock, consoleUrl, logged({ url: '/v1/spaces?limit=5' }))).toBe(
      `${consoleUrl}#request=2`,
    )
  })

  it('comes after the token of the console', async () => {
    await ask('/me')
    expect(findConsoleLink(mock, `${consoleUrl}#token=t`, logged({}))).toBe(`${consoleUrl}#token=t&request=1`)
  })

  it('names the sandbox, and makes none', async () => {
    await ask('/me', { 'x-mock-sandbox': 'one' })
    expect(findConsoleLink(mock, consoleUrl, logged({ sandbox: 'one' }))).toBe(
      `${consoleUrl}#request=1&from=one`,
    )
    expect(findConsoleLink(mock, consoleUrl, logged({ sandbox: 'two' }))).toBeNull()
    expect(mock.sandboxes()).toEqual(['one'])
  })

  it('is for refused requests of the API alone that the journal has', async () => {
    await ask('/me')
    expect(findConsoleLink(mock, consoleUrl, logged({}, 200))).toBeNull()
    expect(findConsoleLink(mock, consoleUrl, logged({ response: null }))).toBeNull()
    expect(findConsoleLink(mock, consoleUrl, logged({ url: '/__mock/me' }))).toBeNull()
    expect(findConsoleLink(mock, consoleUrl, logged({ method: 'POST' }))).toBeNull()
    mock.clearRequests()
    expect(findConsoleLink(mock, consoleUrl, logged({}))).toBeNull()
  })
})
