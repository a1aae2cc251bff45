// Faults in process: which former faults are kept, and what a handle reports.
import { consoleControlsOf } from '../../src/adapters/control-api/console-controls.ts'
import { describe, expect, it } from 'vitest'
import { createWorkspaceMock, type WorkspaceMock } from '../../src/index.ts'
import { times } from '../behaviour/support/times.ts'

const send = (mock: WorkspaceMock, path: string, key = mock.keys.master) =>
  mock.fetch(path, { headers: key === undefined ? {} : { authorization: `Bearer ${key}` } })

describe('mock.faults', () => {
  it('returns each fault as it was set, with defaults, and no status when the connection breaks', () => {
    const mock = createWorkspaceMock({ fixture: 'empty' })
    const match = { body: { name: 'x' } }
    mock.fault({ operation: 'createSpace', status: 429, retryAfter: 7, times: null, skip: 2, match })
    mock.fault({ network: true, phase: 'after', delayMs: 5 })
    match.body.name = 'changed'
    const state = { hits: 0, problem: null, times: 1, phase: 'before' }
    expect(mock.faults()).toStrictEqual([
      {
        ...state,
        id: 'fault_1',
        operation: 'createSpace',
        status: 429,
        retryAfter: 7,
        times: null,
        skip: 2,
        match: { body: { name: 'x' } },
      },
      { ...state, id: 'fault_2', network: true, phase: 'after', delayMs: 5 },
    ])
  })
})

describe('consoleControlsOf(mock).usedFaults', () => {
  it('returns the faults that met a request, used up or removed, and no others', async () => {
    const mock = createWorkspaceMock({ fixture: 'empty' })
    const ids = () =>
      consoleControlsOf(mock)
        .usedFaults()
        .map(({ id }) => id)
    const [removed, unmet, removedUnmet] = times(3, () => mock.fault({ operation: 'listForms', times: null }))
    await send(mock, '/forms')
    removed?.remove()
    await send(mock, '/forms')
    mock.fault({ operation: 'getIdentity' })
    removedUnmet?.remove()
    expect(ids()).toEqual(['fault_1'])
    await send(mock, '/me')
    expect(ids()).toEqual(['fault_1', 'fault_4'])
    mock.resetFaults()
    expect(ids()).toEqual(['fault_1', 'fault_4', 'fault_2'])
    expect([removed?.hits, unmet?.hits, removedUnmet?.hits]).toEqual([1, 1, 0])
  })

  it('returns the latest 50, the latest last', async () => {
    const mock = createWorkspaceMock({ fixture: 'empty' })
    for (let turn = 0; turn < 52; turn++) {
      mock.fault({ operation: 'getIdentity' })
      await send(mock, '/me')
    }
    expect(
      consoleControlsOf(mock)
        .usedFaults()
        .map(({ id }) => id),
    ).toEqual(times(50, (index) => `fault_${String(index + 3)}`))
  })
})

describe('mock.fault', () => {
  const mock = createWorkspaceMock()

  it.each<[Parameters<typeof mock.fault>[0], RegExp]>([
    [
      { operation: 'getTask', match: { params: { taskid: 'x' } } },
      /taskid.* of getTask; .*nearest is taskId/,
    ],
    [{ operation: 'getIdentity', match: { params: { taskId: 'x' } } }, /of getIdentity; it has none/],
    [{ match: { params: { taskId: 'x', rowId: 'y' } } }, /rowId is not a path parameter/],
    [
      { match: { path: '/taks/{taskId}' } },
      /received "\/taks\/\{taskId\}"; did you mean GET \/tasks\/\{taskId\}/,
    ],
    [{ match: { path: '/tasks/' } }, /did you mean/],
    [{ match: { path: '/v1/tasks/x' } }, /did you mean/],
    [{ operation: 'getTask', match: { path: '/lists/x' } }, /path of getTask, such as \/tasks\/\{taskId\}/],
    [{ match: { method: 'POTS' } }, /one of GET, .*nearest is POST/],
    [{ operation: 'getTask', match: { method: 'POST' } }, /must be one of GET; received "POST"/],
    [{ operation: 'getTask', match: { body: { title: 'x' } } }, /requests of getTask have no JSON body/],
  ])('rejects %j, which no request can meet', (spec, message) => {
    expect(() => mock.fault(spec)).toThrow(message)
    expect(mock.faults()).toEqual([])
  })

  it.each<[Parameters<typeof mock.fault>[0], string, number]>([
    [{ status: 503, match: { path: '/tasks/{taskId}' } }, '/tasks/any', 503],
    [{ status: 503, match: { path: '/tasks/{taskId}' } }, '/lists/any', 404],
    [{ status: 503, match: { path: '/tasks/any' } }, '/tasks/any', 503],
    [{ operation: 'getTask', status: 503, match: { params: { taskId: 'any' } } }, '/tasks/any', 503],
    [{ operation: 'getTask', status: 503, match: { params: { taskId: 'other' } } }, '/tasks/any', 404],
  ])('%j answers GET %s with %i', async (spec, path, status) => {
    mock.reset()
    mock.fault(spec)
    expect((await send(mock, path)).status).toBe(status)
  })
})

describe('mock.requests', () => {
  it.each<Parameters<WorkspaceMock['fault']>[0]>([
    { status: 503 },
    { network: true },
    { effect: { rewrite: 'cut' } },
    { effect: { rewrite: 'gateway after' } },
    { effect: { act: { control: 'setPlan', argument: 'free' } } },
    { effect: { stop: true } },
  ])('names the fault %j at the request that met it', async (spec) => {
    const mock = createWorkspaceMock()
    mock.fault({ operation: 'getIdentity', skip: 1, ...spec })
    for (let request = 0; request < 2; request++) await send(mock, '/me').catch(() => undefined)
    expect(mock.requests().map(({ fault }) => fault)).toEqual([null, 'fault_1'])
  })

  it('names a fault that changes answers for good at the first request alone', async () => {
    const mock = createWorkspaceMock()
    mock.fault({ effect: { answers: { limitAboveMax: 'reject' } } })
    for (let request = 0; request < 2; request++) await send(mock, '/me')
    expect(mock.requests().map(({ fault }) => fault)).toEqual(['fault_1', null])
  })
})
