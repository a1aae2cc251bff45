// What the journal says about why a request was refused.
import { consoleControlsOf } from '../../src/adapters/control-api/console-controls.ts'
import { beforeEach, describe, expect, it } from 'vitest'
import { ApiError, ControlError, createWorkspaceMock, NotFoundError } from '../../src/index.ts'
import { testFixture } from '../behaviour/support/fixture.ts'

describe('refusal in the journal', () => {
  const mock = createWorkspaceMock({ fixture: testFixture as never })
  beforeEach(() => mock.reset())

  const ask = async (path: string, init: RequestInit = {}, key = 'wm_test_master') => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    await mock.fetch(new Request(`${mock.baseUrl}${path}`, { headers, ...init }))
    return mock.requests().at(-1)?.refusal
  }
  const post = (path: string, json: unknown) => ask(path, { method: 'POST', body: JSON.stringify(json) })

  it('comes with a hint that names the keys there are, in plain ASCII', async () => {
    const keys = [
      { key: 'wm_one', name: 'Schlüssel' },
      { key: 'wm_two', name: 'other' },
    ]
    const own = createWorkspaceMock({ fixture: { workspaces: [{ members: [{ name: 'Kim' }], keys }] } })
    const headers = { authorization: 'Bearer wm_none' }
    const response = await own.fetch(new Request(`${own.baseUrl}/me`, { headers }))
    expect(response.headers.get('x-mock-hint')).toBe('keys by name in mock.keys: Schl\\u00fcssel, other')
  })

  it('is null when a request was not refused', async () => {
    expect(await ask('/me')).toBeNull()
  })

  it('distinguishes the causes of one status', async () => {
    expect(await ask('/me', {}, 'wm_test_lapsed')).toBe('billing')
    expect(await ask('/me', {}, 'wm_without_workspace_read')).toBe('scope')
    expect(await post('/datatables/tbl_locked/jobs/insert', { rows: [{}] })).toBe('lockedTable')
    expect(await ask('/nothing')).toBe('unknownOperation')
    expect(await ask('/tasks/nothing')).toBe('notFound')
    expect(await post('/spaces', {})).toBe('validation')
  })

  it('is that of the fault when a fault caused the response', async () => {
    mock.fault({ status: 503 })
    expect(await ask('/me')).toBe('unavailable')
    mock.fault({ operation: 'createSpace', status: 403, resource: 'spaces', phase: 'after' })
    expect(await post('/spaces', { name: 'Made all the same' })).toBe('spacesLimit')
    mock.fault({ network: true })
    expect(await ask('/me').catch(() => mock.requests().at(-1)?.refusal)).toBeNull()
  })
})

describe('errors of controls', () => {
  it.each([
    ['ApiError', ApiError, () => createWorkspaceMock().restoreTask('tsk_nowhere')],
    ['NotFoundError', NotFoundError, () => createWorkspaceMock().lockTable('tbl_nowhere')],
  ])('are named %s, and are instances of the class of that name', (name, errorClass, call) => {
    expect(call).toThrow(errorClass)
    expect(call).toThrow(expect.objectContaining({ name }))
  })
})

describe('arguments that cannot be converted to text', () => {
  const circular: Record<string, unknown> = {}
  circular.self = circular
  const values: readonly (readonly [string, unknown])[] = [
    ['nothing', undefined],
    ['a symbol', Symbol('x')],
    ['a bigint', 1n],
    ['a function', () => 1],
    ['an object without prototype', Object.create(null)],
    ['an object whose toString is a number', { toString: 1 }],
    ['a circular object', circular],
  ]
  const mock = createWorkspaceMock({ fixture: 'demo' })
  type Call = (value: never) => unknown
  const calls: Readonly<Record<string, Call>> = {
    'clock.set': mock.clock.set,
    'clock.advance': mock.clock.advance,
    'db.rows': mock.db.rows,
    'events.on': (name) => mock.events.on(name, () => undefined),
    failJob: mock.failJob,
    'inspect.task': consoleControlsOf(mock).inspect.task,
    lockTable: mock.lockTable,
    publishForm: mock.publishForm,
    request: consoleControlsOf(mock).request,
    reason: consoleControlsOf(mock).reason,
    restoreTask: mock.restoreTask,
    restoreSnapshot: mock.snapshots.restore,
    sandbox: mock.sandbox,
    saveSnapshot: mock.snapshots.save,
    setPlan: mock.setPlan,
    suspendKey: mock.suspendKey,
    fault: (operation) => mock.fault({ operation }),
  }
  it.each(Object.entries(calls))('%s rejects them with the value received', (_, call) => {
    for (const [what, value] of values) {
      let thrown: unknown
      try {
        call(value as never)
      } catch (error) {
        thrown = error
      }
      if (thrown === undefined && value === undefined) continue
      expect(thrown, what).toSatisfy(
        (error) => error instanceof RangeError || error instanceof ControlError || error instanceof ApiError,
      )
    }
  })
})
