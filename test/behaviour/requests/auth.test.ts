// Who may do what: keys, scopes, billing and foreign workspaces, for all operations.
import { describe, expect, it } from 'vitest'
import { NOW } from '../support/fixture.ts'
import { stateOf, times, useMock } from '../support/harness.ts'
import { goodRequests, send } from '../support/requests.ts'

const table = goodRequests.map((request) => [request.id, request] as const)
const withStatus = goodRequests.map((request) => [request.id, request.status, request] as const)
const withIds = table.filter(([, { path }]) => /\/(tbl|job|spc|lst|tsk|frm)_/.test(path))

describe('hints', () => {
  const keys = times(2000, (index) => ({
    key: `wm_many_${String(index)}`,
    name: `${'long '.repeat(40)}${String(index)}`,
    kind: 'master',
    member_id: 'mbr_1',
  }))
  const members = [{ id: 'mbr_1', name: 'One' }]
  const workspaces = [{ id: 'ws_many', name: 'Many keys', plan: 'pro', members, keys }]
  const { api } = useMock({ fixture: { name: 'many keys', clock: NOW, workspaces } })

  it('getIdentity answers 401 with a hint of bounded length when there are 2,000 keys', async () => {
    const hint = (await api.get('/me', { key: 'wm_none' })).headers.get('x-mock-hint') ?? ''
    expect(hint).toContain('mock.keys')
    expect(hint.length).toBeLessThan(4000)
  })

  it('getTask answers 404 with a hint of bounded length when the path is long', async () => {
    const reply = await api.get(`/tsks/${'%E2%82%AC'.repeat(500)}`, { key: 'wm_many_1' })
    expect(reply.status).toBe(404)
    expect((reply.headers.get('x-mock-hint') ?? '').length).toBeLessThan(4000)
  })
})

describe('authentication', () => {
  const { api } = useMock()

  it.each(withStatus)('%s answers %i when the key is a master key', async (_, status, request) => {
    expect((await send(api, request)).status).toBe(status)
  })

  it.each(table)('%s answers 401 when there is no key', async (_, request) => {
    const reply = await send(api, request, { key: null })
    expect(reply.status).toBe(401)
    expect(reply.json).toEqual({ error: reply.error })
  })

  it.each(table)('%s answers 401 when the key is unknown', async (_, request) => {
    expect((await send(api, request, { key: 'wm_test_unknown' })).status).toBe(401)
  })

  it.each([
    'wm_test_master',
    'Basic wm_test_master',
    'Bearer',
    'Bearer ',
    'Bearer wm_test',
    'Bearer wm_test_master x',
  ])('getIdentity answers 401 when Authorization is %j', async (authorization) => {
    expect((await api.get('/me', { key: null, headers: { authorization } })).status).toBe(401)
  })

  it.each(['bearer wm_test_master', 'BEARER wm_test_master', 'Bearer   wm_test_master'])(
    'getIdentity answers 200 when Authorization is %j',
    async (authorization) => {
      expect((await api.get('/me', { key: null, headers: { authorization } })).status).toBe(200)
    },
  )

  it.each(table)('%s answers 402 when the key is suspended', async (_, request) => {
    const reply = await send(api, request, { key: 'wm_test_suspended' })
    expect(reply.status).toBe(402)
    expect(reply.json).toEqual({ error: reply.error })
  })

  it.each(table)("%s answers 403 when the workspace's billing lapsed", async (_, request) => {
    const reply = await send(api, request, { key: 'wm_test_lapsed' })
    expect(reply.status).toBe(403)
    expect(reply.json).toEqual({ error: reply.error })
  })

  it.each(withIds)('%s answers 404 when the path names what another workspace has', async (_, request) => {
    const reply = await send(api, request, { key: 'wm_test_business' })
    expect(reply.status).toBe(404)
    expect(reply.json).toEqual({ error: reply.error })
  })

  it('getIdentity answers 401 saying so when the header is missing or malformed', async () => {
    const error = async (headers: Record<string, string>) =>
      (await api.get('/me', { key: null, headers })).error
    expect(await error({})).toContain('Authorization is missing')
    expect(await error({ authorization: 'Basic x' })).toContain('must have the form Bearer')
    expect(await error({ authorization: 'Bearer x' })).toContain('not known')
  })
})

describe('plans', () => {
  const { api, control } = useMock()

  it.each(table)(
    '%s answers 403 without limit facts when the plan does not include the API',
    async (_, request) => {
      await control.setAnswers({ planFeatures: { pro: [] } })
      const reply = await send(api, request)
      expect(reply.status).toBe(403)
      expect(reply.json).toEqual({ error: reply.error })
    },
  )

  it.each(table)('%s answers 429 when the requests of the month are used up', async (_, request) => {
    await control.setLimits({ requestsPerMonth: 0 })
    const reply = await send(api, request)
    expect(reply.status).toBe(429)
    expect(reply.json).toMatchObject({
      limitReached: true,
      resource: 'requestsPerMonth',
      limit: 0,
      current: 1,
    })
    expect(reply.headers.get('x-ratelimit-limit')).toBe('0')
    expect(Number(reply.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
  })
})

describe('keys', () => {
  const { api, control } = useMock()

  it('getIdentity answers 402 when the key is suspended, 200 when it no longer is', async () => {
    await control.suspendKey('wm_test_master')
    expect((await api.get('/me')).status).toBe(402)
    expect((await api.get('/me', { key: 'wm_test_scoped' })).status).toBe(200)
    await control.suspendKey('master', false)
    expect((await api.get('/me')).status).toBe(200)
  })

  it('getIdentity answers 403 when billing has lapsed, 200 when it no longer has', async () => {
    await control.lapseBilling()
    expect((await api.get('/me')).status).toBe(403)
    expect((await api.get('/me', { key: 'wm_test_free' })).status).toBe(200)
    await control.lapseBilling(false)
    expect((await api.get('/me')).status).toBe(200)
    await control.lapseBilling(true, 'ws_free')
    expect((await api.get('/me', { key: 'wm_test_free' })).status).toBe(403)
  })

  it('mock.suspendKey() and the other controls refuse what does not exist', async () => {
    await expect(control.suspendKey('nobody')).rejects.toThrow('nobody')
    await expect(control.lapseBilling(true, 'ws_none')).rejects.toThrow('ws_none')
    await expect(control.setPlan('gold')).rejects.toThrow('gold')
    await expect(control.setLimits({ rows: 5 })).rejects.toThrow('rows')
    await expect(control.lockTable('tbl_none')).rejects.toThrow('tbl_none')
    expect((await api.get('/me')).at('workspace.plan')).toBe('pro')
  })
})

describe('scopes', () => {
  const { api, control } = useMock()

  it.each(withStatus)('%s answers %i when a scoped key has every scope', async (_, status, request) => {
    expect((await send(api, request, { key: 'wm_test_scoped' })).status).toBe(status)
  })

  it.each(goodRequests.map((request) => [request.id, request.scope, request] as const))(
    '%s answers 403 when a scoped key lacks %s alone',
    async (_, scope, request) => {
      const before = await stateOf(control)
      const reply = await send(api, request, { key: `wm_without_${scope.replace(':', '_')}` })
      expect(reply.status).toBe(403)
      expect(reply.json).toEqual({ error: reply.error })
      expect(reply.error).toContain(scope)
      expect(await stateOf(control)).toEqual(before)
    },
  )

  it('every operation answers 403 when the key lacks exactly its scope', async () => {
    const scopes = [...new Set(goodRequests.map(({ scope }) => scope))]
    for (const scope of scopes) {
      await control.reset()
      const refused: string[] = []
      for (const request of goodRequests.filter(({ method }) => method === 'GET')) {
        const reply = await send(api, request, { key: `wm_without_${scope.replace(':', '_')}` })
        if (reply.status === 403) refused.push(request.id)
      }
      const expected = goodRequests.filter((request) => request.method === 'GET' && request.scope === scope)
      expect(refused).toEqual(expected.map(({ id }) => id))
    }
  })

  it('getIdentity and listRows answer 403 when question scopes asks for another scope', async () => {
    const scoped = { key: 'wm_test_scoped' }
    await control.setAnswers({ scopes: { getIdentity: 'identity:read', listRows: 'tasks:read' } })
    expect((await api.get('/me', scoped)).status).toBe(403)
    expect((await api.get('/me')).status).toBe(200)
    expect((await api.get('/datatables/tbl_all/rows', scoped)).status).toBe(200)
    expect((await api.get('/datatables/tbl_all/rows', { key: 'wm_without_tasks_read' })).status).toBe(403)
    expect((await api.get('/datatables', scoped)).status).toBe(200)
  })
})
