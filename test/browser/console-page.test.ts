// The console page as the server sends it: who gets it, and what it may do.
import { createHash } from 'node:crypto'
import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createWorkspaceMock } from '../../src/index.ts'
import { serve, type RunningServer } from '../../src/node.ts'

const mock = createWorkspaceMock({ fixture: 'empty' })
let server: RunningServer

beforeAll(async () => {
  server = await serve(mock)
})
afterAll(() => server.close())

/** Status of a request with headers that `fetch` would not send. */
const statusWith = (headers: Record<string, string>) =>
  new Promise<number | undefined>((resolve, reject) => {
    request(`${server.url}/__mock/`, { headers }, (response) => {
      response.resume()
      resolve(response.statusCode)
    })
      .on('error', reject)
      .end()
  })

describe('the console page', () => {
  it('is one document that runs its own script alone, loads nothing and is framed by nobody', async () => {
    const response = await fetch(`${server.url}/__mock/`)
    const html = await response.text()
    const policy = response.headers.get('content-security-policy') ?? ''
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("connect-src 'self'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toMatch(/unsafe|https?:|\*/)
    expect([...response.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
    const script = /<script type="module">([\s\S]*)<\/script>/.exec(html)?.[1]
    if (script === undefined) expect(html).toContain('npm run build<')
    else expect(policy).toContain(`'sha256-${createHash('sha256').update(script).digest('base64')}'`)
    expect(html).not.toMatch(/<(?:link|script|img)[^>]+(?:src|href)="(?!data:)/)
  })

  it('is refused to other hosts and origins, as all of the control API', async () => {
    expect(await statusWith({ host: 'mock.example' })).toBe(403)
    expect(await statusWith({ origin: 'https://mock.example' })).toBe(403)
  })

  it('adds nothing to the journal', async () => {
    await fetch(`${server.url}/__mock/`)
    await fetch(`${server.url}/__mock/overview`)
    expect(mock.requests()).toEqual([])
  })
})
