// GET /me.
import { describe, expect, it } from 'vitest'
import { useMock } from '../support/harness.ts'

describe('identity', () => {
  const { api, control } = useMock()

  it('getIdentity answers 200 with the workspace and its members when the key is valid', async () => {
    const { status, json } = await api.get('/me')
    expect(status).toBe(200)
    expect(json).toEqual({
      workspace: { id: 'ws_main', name: 'Main', plan: 'pro' },
      members: [
        { id: 'mem_ada', name: 'Ada Quill' },
        { id: 'mem_bo', name: 'Bo Lindqvist' },
        { id: 'mem_cy', name: 'Cy Marlow' },
      ],
    })
  })

  it.each(['free', 'business', 'scale'])(
    'getIdentity answers 200 when the workspace is on plan %s',
    async (plan) => {
      const reply = await api.get('/me', { key: `wm_test_${plan}` })
      expect(reply.status).toBe(200)
      expect(reply.at('workspace')).toEqual({ id: `ws_${plan}`, name: `Workspace ${plan}`, plan })
    },
  )

  it('getIdentity answers 200 with the new plan when the plan is changed', async () => {
    await control.setPlan('business')
    expect((await api.get('/me')).at('workspace.plan')).toBe('business')
    await control.reset()
    expect((await api.get('/me')).at('workspace.plan')).toBe('pro')
  })

  it('getIdentity answers 403 when the plan does not include the API', async () => {
    await control.setAnswers({ planFeatures: { free: [] } })
    const refused = await api.get('/me', { key: 'wm_test_free' })
    expect(refused.status).toBe(403)
    expect(refused.at('limitReached')).toBeUndefined()
    expect((await api.get('/me')).status).toBe(200)
  })
})

describe('identity on the option plan', () => {
  const { api } = useMock({ plan: 'scale' })

  it("getIdentity answers 200 with the option's plan when the mock is made with one", async () => {
    expect((await api.get('/me')).at('workspace.plan')).toBe('scale')
    expect((await api.get('/me', { key: 'wm_test_free' })).at('workspace.plan')).toBe('free')
  })
})
