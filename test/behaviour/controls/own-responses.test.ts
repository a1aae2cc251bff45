// Faults that send a user-defined response, whatever the contract says.
import { describe, expect, it } from 'vitest'
import { useMock } from '../support/harness.ts'

describe('a fault with the effect respond', () => {
  const { api, control } = useMock()
  const respond = (response: unknown, others: object = {}) =>
    control.fault({ ...others, effect: { respond: response } })

  it.each([
    [418, { error: 'I am a teapot' }, 'application/json', '{"error":"I am a teapot"}'],
    [502, '<h1>Bad Gateway</h1>', 'text/plain; charset=utf-8', '<h1>Bad Gateway</h1>'],
    [200, null, 'application/json', 'null'],
    [599, [1, 'ü'], 'application/json', '[1,"ü"]'],
  ])('getIdentity answers %i when that is the response of a fault with the body %j', async (...row) => {
    const [status, body, type, sent] = row
    await respond({ status, body }, { operation: 'getIdentity' })
    const reply = await api.get('/me')
    expect([reply.status, reply.headers.get('content-type'), reply.text]).toEqual([status, type, sent])
    expect(reply.headers.get('access-control-allow-origin')).toBe('*')
    expect((await api.get('/me')).status).toBe(200)
  })

  it.each([204, 205, 304])(
    'getIdentity answers %i when that is the response of a fault without a body',
    async (status) => {
      await respond({ status, headers: { ETag: '"1"' } })
      const reply = await api.get('/me')
      expect([reply.status, reply.headers.get('etag'), reply.text]).toEqual([status, '"1"', ''])
    },
  )

  it.each(['before', 'after'] as const)(
    'createTask answers 409 when that is the response of a fault in phase %s',
    async (phase) => {
      const titles = async () =>
        (await api.get('/lists/lst_second/tasks')).list('tasks').map(({ title }: any) => title)
      await respond({ status: 409, body: { error: 'taken' } }, { operation: 'createTask', phase })
      expect((await api.post('/lists/lst_second/tasks', { title: 'A' })).json).toEqual({ error: 'taken' })
      expect((await titles()).includes('A')).toBe(phase === 'after')
    },
  )

  it('getTask answers 410 when the request matches, as often as the fault says', async () => {
    const options = { times: 2, skip: 1, match: { params: { taskId: 'tsk_full' } } }
    await respond({ status: 410 }, { operation: 'getTask', ...options })
    const statuses = []
    for (const id of ['tsk_full', 'tsk_full', 'tsk_full', 'tsk_full'])
      statuses.push((await api.get(`/tasks/${id}`)).status)
    expect(statuses).toEqual([200, 410, 410, 200])
  })

  it('mock.requests() marks the response as injected', async () => {
    await respond({ status: 418, body: { error: 'short' } })
    await api.get('/me')
    await api.get('/me')
    const [own, usual] = await control.requests()
    const shown = {
      fault: 'fault_1',
      injected: true,
      refusal: null,
      responseBody: { json: { error: 'short' } },
    }
    expect(own).toMatchObject(shown)
    expect(usual).toMatchObject({ fault: null, status: 200 })
    expect(usual).not.toHaveProperty('injected')
  })

  it.each([
    [400, '/tasks/tsk_full', undefined],
    [409, '/tasks/tsk_full', { title: 'B' }],
    [502, '/tasks/tsk_full', { title: 'B' }],
    [504, '/tasks/tsk_full', undefined],
  ])('mock.report() is empty when a request is sent again after %i of a fault', async (...row) => {
    const [status, path, body] = row
    await respond({ status, body: { error: 'own' } }, { times: 3 })
    const send = () => (body ? api.patch(path, body) : api.get(path))
    for (let sent = 0; sent < 4; sent++) await send()
    expect(await control.report()).toEqual([])
  })

  it('mock.report() has backoff when a request is sent too often after a documented 503', async () => {
    await respond({ status: 503, body: { error: 'own' } }, { times: null })
    for (let sent = 0; sent < 7; sent++) await api.get('/me')
    expect(await control.report()).toMatchObject([{ rule: 'backoff' }])
  })

  it.each([
    [{}, /^effect\.respond\.status is required/],
    [502, /^effect\.respond must be an object; received 502/],
    [{ status: 199 }, /^effect\.respond\.status must be at least 200; received 199/],
    [{ status: 600 }, /^effect\.respond\.status must be at most 599; received 600/],
    [{ status: 200.5 }, /^effect\.respond\.status must be an integer/],
    [{ status: 200, header: {} }, /^effect\.respond has unknown fields: header;.*headers/],
    [{ status: 204, body: '' }, /^effect\.respond\.body must be left out: a response with 204/],
    [{ status: 200, headers: { 'x-a': 1 } }, /^effect\.respond\.headers\.x-a must be a string; received 1/],
    [{ status: 200, headers: { 'x a': '1' } }, /"x a" is not a valid header name/],
    [{ status: 200, headers: { 'x-a': 'a\nb' } }, /"x-a" has a character that is not allowed in a header/],
    [{ status: 200, headers: { 'x-a': '→' } }, /"x-a" has a character that is not allowed/],
    [{ status: 200, headers: { 'x-a': '1', 'X-A': '2' } }, /"X-A" is set twice/],
    [{ status: 200, headers: { 'Content-Length': '1' } }, /"Content-Length" must be left out/],
  ])('mock.fault() rejects the response %j, and sets nothing', async (response, message) => {
    await expect(respond(response)).rejects.toThrow(message)
    expect(await control.faults()).toEqual([])
  })

  it('mock.fault() names the effects when its status is not documented', async () => {
    const message = /received 502; .*effect: \{ respond: \{ status: 502 \} \}.*gateway before/
    await expect(control.fault({ status: 502 })).rejects.toThrow(message)
  })
})
