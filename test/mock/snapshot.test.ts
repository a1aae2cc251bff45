// Snapshots and the other ways to save a state: all of it is restored, whatever happened in between.
import { afterEach, expect, it, vi } from 'vitest'
import { createWorkspaceMock, type Fixture, type Snapshot, type WorkspaceMock } from '../../src/index.ts'
import { testFixture } from '../behaviour/support/fixture.ts'
import { call, change, rows } from './support/changes.ts'

const other = { name: 'other', workspaces: [{ name: 'Acme', members: [{ name: 'Kim' }] }] }

it('restore restores a snapshot over its own fixture after another fixture was loaded', () => {
  const mock = createWorkspaceMock({ fixture: 'empty' })
  const first = mock.snapshot()
  mock.loadState(other)
  const second = mock.snapshot()
  mock.reset()
  mock.restore(second)
  expect(mock.state().name).toBe('other')
  mock.restore(first)
  expect(mock.state().name).toBe('empty')
})

it('restore refuses a snapshot of another mock over another fixture, and an invalid snapshot', () => {
  const mock = createWorkspaceMock({ fixture: 'empty' })
  const foreign = createWorkspaceMock({ fixture: other }).snapshot()
  const before = mock.state()
  expect(() => mock.restore(foreign)).toThrow('fixture other')
  expect(() => mock.restore({} as never)).toThrow('mock.snapshot()')
  expect(() => mock.restore(undefined as never)).toThrow('mock.snapshot()')
  expect(mock.state()).toEqual(before)
})

afterEach(() => {
  vi.useRealTimers()
})

it('a saved snapshot keeps its moment while the clock runs, and restoring it goes back there', () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const mock = createWorkspaceMock({ clock: 'system' })
  const atMs = mock.clock.nowMs()
  mock.snapshots.save('one')
  vi.setSystemTime(Date.now() + 90_000)
  expect(mock.clock.nowMs()).toBe(atMs + 90_000)
  expect(mock.snapshots.list()).toMatchObject([{ name: 'one', clock: mock.clock.now() - 90 }])
  mock.snapshots.add('two', mock.snapshots.read('one'))
  expect(mock.snapshots.list()[1]).toMatchObject({ name: 'two', clock: atMs / 1000 })
  mock.snapshots.restore('one')
  expect(mock.clock).toMatchObject({ mode: 'system' })
  expect(mock.clock.nowMs()).toBe(atMs)
  vi.setSystemTime(Date.now() + 1000)
  expect(mock.clock.nowMs()).toBe(atMs + 1000)
})

const start = () =>
  createWorkspaceMock({ fixture: structuredClone(testFixture) as unknown as Fixture, advanceOnPoll: false })

/** What happens next: responses and the states in between. */
async function future(mock: WorkspaceMock): Promise<string[]> {
  const seen: string[] = []
  for (const by of [0, '2s', '2d', '31d'] as const) {
    mock.clock.advance(by)
    seen.push(
      await call(mock, 'GET', rows),
      await call(mock, 'POST', rows, { data: { col_name: 'new' } }),
      await call(mock, 'PATCH', `${rows}/row_000001`, { data: { col_name: `at ${String(by)}` } }),
      await call(mock, 'POST', `${rows}/bulk`, {
        mode: 'upsert',
        key_column: 'col_count',
        rows: [{ col_count: 2 }, { col_count: 9 }],
      }),
      await call(mock, 'DELETE', `${rows}/row_000002`),
      await call(mock, 'POST', '/lists/lst_main/tasks', { title: 'New' }),
      JSON.stringify(mock.state()),
    )
  }
  return seen
}

/** Every way to save the state; each returns a function that restores it. */
const ways: Readonly<Record<string, (mock: WorkspaceMock) => () => void>> = {
  'snapshot and restore': (mock) => {
    const kept = mock.snapshot()
    return () => mock.restore(kept)
  },
  'a snapshot as JSON text': (mock) => {
    const kept = JSON.stringify(mock.snapshot())
    return () => mock.restore(JSON.parse(kept) as Snapshot)
  },
  'saveSnapshot and restoreSnapshot': (mock) => {
    mock.snapshots.save('kept')
    return () => mock.snapshots.restore('kept')
  },
  'readSnapshot and addSnapshot': (mock) => {
    mock.snapshots.save('kept')
    const kept = mock.snapshots.read('kept')
    return () => {
      mock.snapshots.add('again', kept)
      mock.snapshots.restore('again')
    }
  },
  'state and loadState': (mock) => {
    const kept = mock.state()
    return () => mock.loadState(kept)
  },
}

it.each(Object.entries(ways))(
  '%s brings back the state and all that is still to come, as often as wanted',
  async (_, keep) => {
    const mock = start()
    await change(mock)
    const restore = keep(mock)
    const before = JSON.stringify(mock.state())
    const first = await future(mock)
    for (let round = 0; round < 2; round++) {
      restore()
      expect(JSON.stringify(mock.state())).toBe(before)
      expect(await future(mock)).toEqual(first)
    }
  },
)

it('mock.restore and mock.snapshots.restore refuse the argument of the other, and say which takes it', () => {
  const mock = createWorkspaceMock()
  mock.snapshots.save('one')
  const snapshot = mock.snapshot()
  expect(() => mock.restore('one' as never)).toThrow(
    /received "one"; mock\.snapshots\.restore takes the name/,
  )
  expect(() => mock.snapshots.restore(snapshot as never)).toThrow(
    /mock\.restore takes what mock\.snapshot\(\)/,
  )
})

it('mock.restore says what to do with a snapshot of a state that was loaded elsewhere', async () => {
  const mock = createWorkspaceMock()
  mock.seed({ tasks: [{ title: 'New', list_id: 'lst_launch' }] })
  const state = JSON.parse(JSON.stringify(mock.state()))
  mock.loadState(state)
  const snapshot = JSON.parse(JSON.stringify(mock.snapshot()))
  const fresh = createWorkspaceMock()
  expect(() => fresh.restore(snapshot)).toThrow(
    /first call mock\.loadState\(state\) with the state .*, then restore/,
  )
  fresh.loadState(state)
  fresh.restore(snapshot)
  expect(fresh.state()).toEqual(mock.state())
})
