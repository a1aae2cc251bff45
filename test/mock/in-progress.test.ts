// Requests from their arrival on: what listeners learn, and what the journal says about faults, paths and parts of a
// body.
import { beforeEach, describe, expect, it } from 'vitest'
import { createWorkspaceMock, type Signal, type WorkspaceMock } from '../../src/index.ts'

const authorization = 'Bearer wm_demo_master'

let mock: WorkspaceMock
let signals: Signal[]
beforeEach(() => {
  mock = createWorkspaceMock()
  signals = []
  mock.watch((signal) => void signals.push(signal), { pending: true })
})
const events = () => signals.map(({ event }) => event)

describe('watch with pending', () => {
  it('reports a request when it arrives and when it is answered, under one number', async () => {
    await Promise.all([
      mock.fetch('/me', { headers: { authorization } }),
      mock.fetch('/tasks/none', { headers: { authorization, 'x-mock-sandbox': 'side' } }),
    ])
    const of = (name: string | null) => signals.filter(({ sandbox }) => sandbox === name)
    expect(of(null)).toMatchObject([
      { event: 'pending', id: 1, method: 'GET', path: '/me' },
      { event: 'request', pending: 1, request: { id: 1, path: '/me', status: 200 } },
    ])
    expect(of('side')).toMatchObject([
      { event: 'sandbox' },
      { event: 'pending', id: 1, method: 'GET', path: '/tasks/none' },
      { event: 'request', pending: 1, request: { id: 1, status: 404 } },
    ])
  })

  it('names the fault that delays a request while a later request is answered', async () => {
    const { id: fault } = mock.fault({ operation: 'getIdentity', status: 200, delayMs: 20 })
    const delayed = mock.fetch('/me', { headers: { authorization } })
    await mock.fetch('/spaces', { headers: { authorization } })
    await delayed
    expect(signals.filter(({ event }) => event === 'pending')).toMatchObject([
      { path: '/me', fault, delayMs: 20 },
      { path: '/spaces' },
    ])
    const answered = signals.filter((signal) => signal.event === 'request')
    expect(answered.map(({ pending, request }) => [pending, request.id, request.path])).toEqual([
      [2, 1, '/spaces'],
      [1, 2, '/me'],
    ])
  })

  it.each<[string, (controller: AbortController) => void]>([
    ['its client gives up', (controller) => controller.abort()],
    ['a restore replaces the state it belongs to', () => mock.restore(mock.snapshot())],
  ])('reports that a request does not reach the journal when %s', async (_, end) => {
    mock.fault({ operation: 'getIdentity', delayMs: 10 })
    const controller = new AbortController()
    const response = mock.fetch('/me', { headers: { authorization }, signal: controller.signal })
    end(controller)
    await response.catch(() => undefined)
    await Promise.resolve()
    expect(signals.filter(({ event }) => event === 'abandoned')).toEqual([
      { event: 'abandoned', id: 1, sandbox: null },
    ])
    expect(events()).not.toContain('request')
    expect(mock.requests()).toEqual([])
  })

  it('shows headers with names in place of keys, and no other credential', async () => {
    const headers = {
      'x-api-key': 'wm_demo_scoped',
      cookie: 'session=s3cret',
      'x-mock-token': 's3cret',
      'user-agent': 'client/1 wm_demo_scoped',
      dpop: 's3cret',
      '__proto__-id': 's3cret',
    }
    const sent = [authorization, 'Bearer wm_live_s3cret', 'Basic s3cret', 's3cret', 'wm_demo_master']
    for (const value of sent) await mock.fetch('/me', { headers: { ...headers, authorization: value } })
    const received = signals.filter((signal) => signal.event === 'request').map((signal) => signal.headers)
    expect(received[0]).toEqual({
      'x-api-key': 'scoped',
      cookie: 'hidden (14 characters)',
      'user-agent': 'client/1 scoped',
      dpop: 'hidden (6 characters)',
      '__proto__-id': 'hidden (6 characters)',
      authorization: 'Bearer master',
    })
    expect(received.map((shown) => shown.authorization)).toEqual([
      'Bearer master',
      'hidden (21 characters)',
      'hidden (12 characters)',
      'hidden (6 characters)',
      'master',
    ])
    expect(JSON.stringify(signals)).not.toMatch(/s3cret|wm_demo/)
    expect(JSON.stringify(mock.requests())).not.toContain('user-agent')
  })
})

describe('mock.requests', () => {
  it.each([
    [
      { status: 200, delayMs: 3 },
      { status: 200, delayMs: 3 },
    ],
    [
      { status: 200, delayMs: 3, phase: 'after' },
      { status: 200, delayMs: 3 },
    ],
    [
      { status: 503, delayMs: 3 },
      { status: 503, delayMs: 3 },
    ],
    [{ network: true }, { status: 0 }],
  ] as const)('names the fault %j of a request, and how long it was delayed', async (spec, expected) => {
    const { id: fault } = mock.fault({ operation: 'getIdentity', ...spec })
    await mock.fetch('/me', { headers: { authorization } }).catch(() => undefined)
    const [entry] = mock.requests()
    expect(entry).toMatchObject({ fault, ...expected })
    expect('delayMs' in entry!).toBe('delayMs' in expected)
    expect(mock.har().log.entries[0]?.time).toBe(entry?.delayMs ?? 0)
  })

  it('a request that is only delayed counts in report and coverage as one without a fault', async () => {
    mock.fault({ status: 200, delayMs: 1 })
    const task = mock.db.tasks.all()[0]!
    const body = '{"titel":"Descale"}'
    const headers = { authorization, 'content-type': 'application/json' }
    await mock.fetch(`/lists/${task.list_id}/tasks`, { method: 'POST', headers, body })
    expect(mock.report().map(({ rule }) => rule)).toContain('client-error')
    const met = mock.coverage().operations.flatMap(({ outcomes }) => outcomes)
    expect(met.filter(({ natural }) => natural > 0)).toMatchObject([{ status: 400, byFault: 0 }])
  })

  it.each([
    ['https://api.workspace.test/tasks/x?limit=1', '/tasks/x'],
    ['https://api.workspace.test/v2/tasks/x?limit=1', '/v2/tasks/x'],
    ['https://other.test/v1/me?limit=1', '/v1/me'],
  ])('shows the path of %s as it was sent', async (url, path) => {
    const response = await mock.fetch(url, { headers: { authorization } })
    expect(response.status).toBe(404)
    expect(response.headers.get('x-mock-hint')).toContain(mock.baseUrl)
    const [entry] = mock.requests()
    expect(entry).toMatchObject({ path, outside: url.split('?')[0], operation: null, params: {} })
    expect(mock.har().log.entries[0]?.request.url).toBe(url)
    expect(mock.copyAs('curl', entry)).toContain(url)
  })

  it.each([100, 70_000])('lists the parts of a multipart body with a file of %i bytes', async (size) => {
    const { task_id } = mock.db.attachments.all()[0]!
    const body = new FormData()
    body.set('note', 'text')
    body.set('file', new File([new Uint8Array(size)], 'a "b".bin', { type: 'image/png' }))
    const upload = (key: string) =>
      mock.fetch(`/tasks/${task_id}/attachments`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}` },
        body,
      })
    expect((await upload('wm_demo_master')).status).toBe(201)
    expect(mock.requests()[0]?.requestBody).toMatchObject({
      contentType: 'multipart/form-data',
      parts: [
        { name: 'note', sizeBytes: 4 },
        { name: 'file', filename: 'a "b".bin', contentType: 'image/png', sizeBytes: size },
      ],
    })
    const { postData } = mock.har().log.entries[0]!.request
    expect(postData).toMatchObject({ text: '', params: [{ name: 'note' }, { fileName: 'a "b".bin' }] })
    expect(postData?.comment).toMatch(/left out/)
  })

  it('lists the parts of a multipart body that was refused before it was read', async () => {
    mock.fault({ status: 503 })
    const { task_id } = mock.db.attachments.all()[0]!
    const body = new FormData()
    body.set('file', new File(['abc'], 'a.txt'))
    await mock.fetch(`/tasks/${task_id}/attachments`, { method: 'POST', headers: { authorization }, body })
    expect(mock.requests()[0]?.requestBody).toMatchObject({ parts: [{ filename: 'a.txt', sizeBytes: 3 }] })
  })
})
