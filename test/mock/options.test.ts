// What createWorkspaceMock takes and refuses, and that two mocks share nothing.
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
