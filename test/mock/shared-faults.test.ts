// Faults of all sandboxes, existing and later ones; removing one removes it everywhere.
import { afterEach, describe, expect, it } from 'vitest'
import { consoleControlsOf } from '../../src/adapters/control-api/console-controls.ts'
import { createWorkspaceMock } from '../../src/index.ts'
import { serve } from '../../src/node.ts'

const create = () => {
  const mock = createWorkspaceMock({ fixture: 'empty' })
  const get = async (sandbox: string | null, path = '/me') => {
    const headers = {
      authorization: 'Bearer wm_empty_master',
      ...(sandbox !== null && { 'x-mock-sandbox': sandbox }),
    }
    return (await mock.fetch(path, { headers })).status
  }
  return { mock, get }
}

describe('a fault of all sandboxes', () => {
  it('meets requests of the main state, of a sandbox there is and of one made later, each by its own count', async () => {
    const { mock, get } = create()
    await get('before')
    const fault = mock.fault({ operation: 'getIdentity', status: 503, skip: 1, sandboxes: 'all' })
    for (const sandbox of [null, 'before', 'later'])
      expect([await get(sandbox), await get(sandbox), await get(sandbox)]).toEqual([200, 503, 200])
    expect(fault.hits).toBe(3)
    expect(
      mock
        .sandbox('later')
        .requests()
        .map((request) => request.fault),
    ).toEqual([null, fault.id, null])
  })

  it('stays in the list where it is used up, with the hits of the sandbox', async () => {
    const { mock, get } = create()
    const { id } = mock.fault({ status: 503, sandboxes: 'all' })
    expect(mock.explain()).toContain("fault_all_1: mock.fault({ sandboxes: 'all', status: 503 })")
    await get('one')
    const state = { id, problem: null, times: 1, phase: 'before', status: 503, sandboxes: 'all' }
    expect(mock.sandbox('one').faults()).toEqual([{ ...state, hits: 1 }])
    expect(mock.faults()).toEqual([{ ...state, hits: 0 }])
    expect(mock.explain()).not.toContain('fault_all_1')
  })

  it('goes everywhere when it is removed anywhere: by its handle, by its id in a sandbox', async () => {
    for (const where of ['handle', 'main', 'sandbox'] as const) {
      const { mock, get } = create()
      const one = mock.sandbox('one')
      const fault = mock.fault({ status: 503, times: null, sandboxes: 'all' })
      expect(await get('one')).toBe(503)
      if (where === 'handle') fault.remove()
      else expect((where === 'main' ? mock : one).removeFault(fault.id)).toBe(true)
      expect([await get(null), await get('one'), await get('later')]).toEqual([200, 200, 200])
      expect([...mock.faults(), ...one.faults(), ...mock.sandbox('later').faults()]).toEqual([])
      expect(
        consoleControlsOf(one)
          .usedFaults()
          .map(({ id }) => id),
      ).toEqual([fault.id])
      expect(mock.removeFault(fault.id)).toBe(false)
    }
  })

  it('is there again, not met yet, after a reset of a sandbox; a reset of the main state removes it', async () => {
    const { mock, get } = create()
    mock.fault({ status: 503, sandboxes: 'all' })
    expect(await get('one')).toBe(503)
    mock.sandbox('one').reset()
    expect(mock.sandbox('one').faults()).toMatchObject([{ hits: 0 }])
    expect([await get('one'), await get('one')]).toEqual([503, 200])
    mock.reset()
    expect([await get(null), await get('two')]).toEqual([200, 200])
    expect([...mock.faults(), ...mock.sandbox('one').faults()]).toEqual([])
    expect(mock.fault({ sandboxes: 'all' }).id).toBe('fault_all_1')
  })

  it('leaves one sandbox with resetFaults there, and all with resetFaults of the main state', async () => {
    const { mock, get } = create()
    mock.fault({ status: 503, times: null, sandboxes: 'all' })
    mock.sandbox('one').resetFaults()
    expect([await get('one'), await get(null), await get('two')]).toEqual([200, 503, 503])
    mock.resetFaults()
    expect([await get(null), await get('two'), await get('three')]).toEqual([200, 200, 200])
  })

  it('goes with match, network, times and the effects that need no record', async () => {
    const { mock, get } = create()
    const seen: string[] = []
    const match = ({ path }: { readonly path?: string | undefined }) => seen.push(path ?? '') > 0
    mock.fault({ network: true, match, sandboxes: 'all' })
    await expect(get('one')).rejects.toThrow(TypeError)
    expect(seen).toEqual(['/me'])
    mock.resetFaults()
    mock.fault({ effect: { stop: true }, sandboxes: 'all' })
    await expect(get('two')).rejects.toThrow(TypeError)
    await expect(get('two', '/spaces')).rejects.toThrow(TypeError)
    mock.resetFaults()
    mock.fault({ effect: { rewrite: 'gateway before' }, sandboxes: 'all' })
    expect(await get('three')).toBe(502)
  })

  it('is refused where it has no meaning, and for other values than all', () => {
    const { mock } = create()
    expect(() => mock.fault({ sandboxes: 'one' as 'all' })).toThrow(/sandboxes.*all/)
    expect(() =>
      mock.fault({ sandboxes: 'all', effect: { act: { control: 'setPlan', argument: 'free' } } }),
    ).toThrow('sandboxes must be left out when effect.act is set')
    const inBoundary = mock.boundary(() => mock.fault({ sandboxes: 'all' }))
    expect(inBoundary).toThrow('sandboxes must be left out in a boundary or an exploration')
    expect(mock.faults()).toEqual([])
  })

  it('is not in boundaries, which begin without faults', async () => {
    const { mock, get } = create()
    mock.fault({ status: 503, sandboxes: 'all' })
    expect(await mock.boundary(() => get(null))()).toBe(200)
  })
})

describe('POST /__mock/faults with sandboxes: all', () => {
  let close: (() => Promise<void>) | undefined
  afterEach(() => close?.())

  it('is set from any sandbox, and removed by its id', async () => {
    const { mock } = create()
    const server = await serve(mock)
    close = server.close
    const call = async (path: string, sandbox: string, init: RequestInit = {}) => {
      const headers = { authorization: 'Bearer wm_empty_master', 'x-mock-sandbox': sandbox }
      return fetch(`${server.url}${path}`, { ...init, headers })
    }
    const body = JSON.stringify({ operation: 'getIdentity', status: 503, times: null, sandboxes: 'all' })
    const set = await call('/__mock/faults', 'setter', { method: 'POST', body })
    expect(await set.json()).toEqual({
      ...{
        id: 'fault_all_1',
        hits: 0,
        problem: null,
        phase: 'before',
        operation: 'getIdentity',
        status: 503,
      },
      ...{ times: null, sandboxes: 'all' },
    })
    expect((await call('/v1/me', 'later')).status).toBe(503)
    const removed = await call('/__mock/faults/fault_all_1', 'another', { method: 'DELETE' })
    expect([removed.status, await removed.json()]).toEqual([200, { success: true }])
    expect((await call('/v1/me', 'later')).status).toBe(200)
  })
})
