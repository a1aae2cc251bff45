// What createWorkspaceMock accepts and refuses, and that two mocks share nothing.
import { setupServer } from 'msw/node'
import { describe, expect, it } from 'vitest'
import { createWorkspaceMock, type MockOptions, type WorkspaceMock } from '../../src/index.ts'

const me = (url: string, key: string) =>
  new Request(`${url}/me`, { headers: { authorization: `Bearer ${key}` } })

describe('createWorkspaceMock', () => {
  it('serves the demo at the default address without options', async () => {
    const mock = createWorkspaceMock()
    expect(mock.baseUrl).toBe('https://api.workspace.test/v1')
    const response = await mock.fetch(me(mock.baseUrl, mock.keys.master ?? ''))
    expect(response.status).toBe(200)
    expect(mock.clock.mode).toBe('manual')
  })

  it('serves under another base address', async () => {
    const mock = createWorkspaceMock({ baseUrl: 'http://localhost:9/api/v1' })
    expect((await mock.fetch(me('http://localhost:9/api/v1', 'wm_demo_master'))).status).toBe(200)
  })

  it.each([
    ['https://API.example.com:443/v1', 'https://api.example.com/v1'],
    ['HTTP://api.example.com:80/v1', 'http://api.example.com/v1'],
    ['https://bücher.example/v1', 'https://xn--bcher-kva.example/v1'],
    ['https://api.example.com/v1/', 'https://api.example.com/v1'],
    ['https://api.example.com/a b/%7Eme/../v1//', 'https://api.example.com/a%20b/v1'],
    ['http://[0:0:0:0:0:0:0:1]:8080/v1', 'http://[::1]:8080/v1'],
    ['https://api.example.com:80/v1', 'https://api.example.com:80/v1'],
    ['/api/v1/', 'http://localhost/api/v1'],
  ])('serves at %s as %s, whichever of both a request has', async (given, normal) => {
    const mock = createWorkspaceMock({ baseUrl: given })
    expect(mock.baseUrl).toBe(normal)
    const urls = given.startsWith('/') ? [normal] : [normal, given.replace(/\/+$/, '')]
    const server = setupServer(...mock.handlers)
    server.listen(mock.listenOptions)
    try {
      for (const url of urls) {
        expect((await mock.fetch(me(url, 'wm_demo_master'))).status).toBe(200)
        expect((await fetch(me(url, 'wm_demo_master'))).status).toBe(200)
      }
    } finally {
      server.close()
    }
  })

  it.each(['https://user:secret@api.example.com/v1', 'https://api.example.com/v1?a', 'ftp://a.test/v1', ''])(
    'refuses the base address %s',
    (baseUrl) => {
      expect(() => createWorkspaceMock({ baseUrl })).toThrow(/^baseUrl must be an http\(s\) address/)
    },
  )

  it.each([
    [{ fixture: 'dmeo' }, 'demo'],
    [{ plan: 'gold' }, 'gold'],
    [{ limits: { rows: 1 } }, 'rows'],
    [{ limits: { spaces: -1 } }, 'spaces'],
    [{ answers: { rowShape: 'round' } }, 'rowShape'],
    [{ answers: { nothing: 1 } }, 'nothing'],
    [{ clock: 'fast' }, 'clock'],
    [{ baseUrl: 'https://api.workspace.test' }, 'baseUrl'],
    [{ baseUrl: 'nonsense' }, 'baseUrl'],
    [{ journalSize: -1 }, 'journalSize'],
    [{ plans: 'pro' }, 'plans'],
  ])('refuses %j naming the cause', (options, cause) => {
    expect(() => createWorkspaceMock(options as MockOptions)).toThrow(cause)
  })

  it('creates mocks that share no state', async () => {
    const [first, second] = [createWorkspaceMock(), createWorkspaceMock()]
    const fresh = second.state()
    first.setPlan('free')
    first.setAnswers({ rowShape: 'flat' })
    first.clock.advance('1d')
    await first.fetch(
      new Request(`${first.baseUrl}/spaces`, {
        method: 'POST',
        headers: { authorization: 'Bearer wm_demo_master' },
        body: '{"name":"Only here"}',
      }),
    )
    expect(second.state()).toEqual(fresh)
    expect(second.answers.rowShape).toBe('data')
    expect(second.clock.now()).toBe(1_767_607_200)
  })

  it('returns current values as copies: changing them changes nothing', () => {
    const mock = createWorkspaceMock()
    const fresh = mock.state()
    Object.assign(mock.state().workspaces[0] ?? {}, { name: 'changed' })
    expect(() => Object.assign(mock.answers, { rowShape: 'flat' })).toThrow()
    expect(mock.state()).toEqual(fresh)
  })

  it('has the seeded keys by name until it is reset', () => {
    const mock: WorkspaceMock = createWorkspaceMock()
    mock.seed({ keys: [{ key: 'wm_seeded', name: 'seeded' }] })
    expect(mock.keys.seeded).toBe('wm_seeded')
    expect(() => Object.assign(mock.keys, { seeded: 'wm_other' })).toThrow()
    mock.reset()
    expect(mock.keys.seeded).toBeUndefined()
  })
})
