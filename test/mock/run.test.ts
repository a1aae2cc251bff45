// A saved run: an equal copy of the mock that continues like the original.
import { describe, expect, it } from 'vitest'
import {
  createWorkspaceMock,
  type Fixture,
  type FixtureName,
  type MockControls,
  type MockOptions,
  type WorkspaceMock,
} from '../../src/index.ts'
import { limitBodies, resumeRun, saveRun, type Run } from '../../src/mock/run.ts'

const key = 'wm_demo_master'

async function call(mock: WorkspaceMock, method: string, path: string, body?: unknown, sandbox?: string) {
  const headers = {
    authorization: `Bearer ${key}`,
    ...(sandbox !== undefined && { 'x-mock-sandbox': sandbox }),
  }
  const isText = body === undefined || body instanceof FormData
  const response = await mock
    .fetch(path, {
      method,
      headers: { ...headers, ...(!isText && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: isText ? body : JSON.stringify(body) }),
    })
    .catch(() => null)
  return response && [response.status, await response.text(), [...response.headers]]
}

/** A copy of the mock, as a saved run's page creates it. */
const copyOf = (mock: WorkspaceMock, sandbox?: string | null) =>
  resumeRun(JSON.parse(JSON.stringify(saveRun(mock, sandbox))) as Run)

const listOf = (mock: WorkspaceMock) => mock.db.lists.all()[0]!.id

function upload(bytes: number): FormData {
  const form = new FormData()
  form.append('file', new File([new Uint8Array(bytes).fill(255)], 'photo.png', { type: 'image/png' }))
  return form
}

/** A run with everything that a mock can hold. */
async function play(mock: WorkspaceMock): Promise<void> {
  const list = listOf(mock)
  mock.fault({ operation: 'listSpaces', status: 503, times: 2, skip: 1 })
  mock.fault({ operation: 'listLists', each: true, status: 500 })
  mock.fault({ operation: 'getTask', match: ({ path }) => path === '/never', status: 500 })
  mock.fault({ effect: { answers: { unknownBodyFields: 'reject' } } })
  mock.fault({ operation: 'createTask', network: true, skip: 2 })
  mock.fault({ sandboxes: 'all', operation: 'getIdentity', status: 429, times: 3 })
  mock.snapshots.save('early')
  for (let index = 0; index < 4; index++)
    await call(mock, 'POST', `/lists/${list}/tasks`, {
      title: `Täsk ${String(index)} </script>\u2028`,
    })
  for (let index = 0; index < 3; index++) await call(mock, 'GET', '/spaces')
  await call(mock, 'GET', '/lists')
  await call(mock, 'GET', '/nowhere?a=1')
  await call(mock, 'PATCH', '/tasks/tsk_nope', { titel: 'x' })
  const task = mock.db.tasks.all()[0]!.id
  await call(mock, 'POST', `/tasks/${task}/attachments`, upload(70_000))
  await call(mock, 'GET', '/me')
  mock.clock.advance('2d')
  await call(mock, 'GET', '/me', undefined, 'other')
  await call(mock, 'POST', '/spaces', { name: 'Elsewhere' }, 'other')
}

const readAll = (controls: MockControls) => ({
  state: controls.state(),
  snapshot: controls.snapshot(),
  snapshots: controls.snapshots.list(),
  requests: controls.requests(),
  report: controls.report({ assumptions: true }),
  faults: controls.faults(),
  har: controls.har(),
  now: controls.clock.nowMs(),
})

describe('a saved run', () => {
  it.each([
    ['of the demo', {}],
    [
      'of options',
      {
        fixture: 'empty',
        plan: 'scale',
        startAt: 1_800_000_000,
        limits: { spaces: 5 },
        answers: { unknownBodyFields: 'reject' },
        journalSize: 3,
      },
    ],
  ] satisfies [string, MockOptions][])('is equal to its mock: %s', async (_, options: MockOptions) => {
    const mock = createWorkspaceMock<FixtureName | Fixture>(options)
    if (mock.db.lists.all().length > 0) await play(mock)
    else await call(mock, 'GET', '/me')
    const copy = copyOf(mock)
    expect(readAll(copy)).toEqual(readAll(mock))
    expect(copy.coverage()).toEqual(mock.coverage())
    expect(copy.sandboxes()).toEqual(mock.sandboxes())
    expect(copy.answers).toEqual(mock.answers)
    for (const name of mock.sandboxes())
      expect(readAll(copy.sandbox(name))).toEqual(readAll(mock.sandbox(name)))
  })

  it('is equal to its mock with a fixture of its own, and after loadState', async () => {
    const fixture = createWorkspaceMock({ fixture: 'demo' }).state()
    const mock = createWorkspaceMock({ fixture, startAt: 1_800_000_000 })
    await play(mock)
    expect(readAll(copyOf(mock))).toEqual(readAll(mock))
    mock.loadState(createWorkspaceMock({ fixture: 'demo' }).state())
    await call(mock, 'POST', '/spaces', { name: 'Later' })
    const copy = copyOf(mock)
    expect({ ...readAll(copy), snapshot: null }).toEqual({ ...readAll(mock), snapshot: null, snapshots: [] })
  })

  it('goes on as its mock does, for 50 steps', async () => {
    const mock = createWorkspaceMock()
    await play(mock)
    const copy = copyOf(mock)
    const list = listOf(mock)
    const [fault] = mock.faults().filter(({ effect }) => effect && 'answers' in effect)
    const steps: ((each: WorkspaceMock) => unknown)[] = Array.from({ length: 44 }, (_, index) => (each) => {
      const kind = index % 11
      if (kind === 0)
        return call(each, 'POST', `/lists/${list}/tasks`, {
          title: String(index),
        })
      if (kind === 1) return call(each, 'GET', '/spaces')
      if (kind === 2) return call(each, 'GET', '/lists')
      if (kind === 3) return call(each, 'GET', '/me', undefined, 'other')
      if (kind === 4) return call(each, 'GET', '/jobs/job_nope')
      if (kind === 5)
        return call(each, 'POST', `/tasks/${each.db.tasks.all()[0]!.id}/attachments`, upload(10))
      if (kind === 6) return call(each, 'GET', '/me')
      if (kind === 7) return call(each, 'PATCH', `/tasks/${each.db.tasks.all()[1]!.id}`, { titel: 'x' })
      if (kind === 8) return each.fault({ operation: 'createSpace', status: 500 }).id
      if (kind === 9) return call(each, 'POST', '/spaces', { name: `Space ${String(index)}` })
      return call(each, 'DELETE', `/tasks/${each.db.tasks.all().at(-1)!.id}`)
    })
    steps.push(
      (each) => each.removeFault(fault!.id),
      (each) => {
        each.clock.advance('3d')
      },
      (each) => call(each, 'PATCH', `/tasks/${each.db.tasks.all()[1]!.id}`, { titel: 'x' }),
      (each) => each.snapshots.restore('early'),
      (each) => call(each, 'POST', '/spaces', { name: 'After' }),
      (each) => each.resetFaults(),
    )
    for (const [index, step] of steps.entries()) {
      expect(await step(copy)).toEqual(await step(mock))
      if (index % 10 === 9) expect(copy.state()).toEqual(mock.state())
      expect(copy.faults()).toEqual(mock.faults())
      expect(copy.requests({ limit: 2 })).toEqual(mock.requests({ limit: 2 }))
    }
    expect(steps).toHaveLength(50)
    expect(copy.coverage()).toEqual(mock.coverage())
  })

  it('starts over as its mock does', async () => {
    const mock = createWorkspaceMock()
    await play(mock)
    const copy = copyOf(mock)
    mock.reset()
    copy.reset()
    await call(mock, 'GET', '/nowhere')
    await call(copy, 'GET', '/nowhere')
    expect(readAll(copy)).toEqual(readAll(mock))
    expect(copy.report()).toHaveLength(1)
  })

  it('can be of one sandbox', async () => {
    const mock = createWorkspaceMock()
    await play(mock)
    const copy = copyOf(mock, 'other')
    expect(readAll(copy.sandbox('other'))).toEqual(readAll(mock.sandbox('other')))
    expect(copy.requests()).toEqual([])
    expect(() => saveRun(mock, 'othre')).toThrow('sandbox "othre" does not exist')
    expect(mock.sandboxes()).toEqual(['other'])
  })

  it('is that of the boundary in which it is saved', async () => {
    const mock = createWorkspaceMock()
    await play(mock)
    await mock.boundary(async () => {
      await call(mock, 'GET', '/spaces')
      expect(readAll(copyOf(mock, null))).toEqual(readAll(mock))
    })()
  })

  it('holds no key that the mock does not know', async () => {
    const mock = createWorkspaceMock()
    await mock.fetch('/me', { headers: { authorization: 'Bearer sk_live_secret', cookie: 'session=secret' } })
    expect(JSON.stringify(saveRun(mock))).not.toContain('secret')
  })

  it('leaves out the oldest bodies beyond a limit, with their sizes', async () => {
    const mock = createWorkspaceMock()
    const task = mock.db.tasks.all()[0]!.id
    for (let index = 0; index < 4; index++)
      await call(mock, 'POST', `/tasks/${task}/attachments`, upload(1000 + index))
    const run = saveRun(mock)
    const all = limitBodies(run, Infinity)
    expect(all).toMatchObject({ run, omitted: 0 })
    const { run: limited, omitted, characters } = limitBodies(run, all.characters * 0.6)
    expect(omitted).toBe(2)
    expect(characters).toBeLessThanOrEqual(all.characters * 0.6)
    const sizes = limited.sandboxes[0]!.exchanges.map(
      ({ requestBody }) => requestBody && 'sizeBytes' in requestBody,
    )
    expect(sizes).toEqual([true, true, false, false])
    const copy = resumeRun(limited)
    expect(copy.requests()[0]?.requestBody).toMatchObject({ truncated: true })
    expect(copy.state()).toEqual(mock.state())
    expect(limitBodies(run, 0)).toMatchObject({ omitted: 4, characters: 0 })
  })
})
