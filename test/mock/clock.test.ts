// mock.clock: what happens when it moves, whether or not the state is read in between.
import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { createWorkspaceMock, type Fixture, type WorkspaceMock } from '../../src/index.ts'

const now = 1_767_607_200
const day = 86_400
const daily = { trigger: 'on_schedule', frequency: 'daily' } as const

function fixtureOf(task: Record<string, unknown>): Fixture {
  return {
    clock: now,
    workspaces: [
      {
        id: 'wsp',
        members: [{ id: 'mem', name: 'Kim' }],
        keys: [{ key: 'key' }],
        tables: [{ id: 'tbl', name: 'T', columns: [{ id: 'col', name: 'Name', type: 'text' }] }],
        spaces: [
          {
            id: 'spc',
            name: 'S',
            lists: [{ id: 'lst', name: 'L', tasks: [{ id: 'tsk', title: 'Water', ...task }] }],
          },
        ],
      },
    ],
    // Marks the fixture as an export, which may contain times that only clients can set.
    runtime: {},
  }
}

const mockOf = (task: Record<string, unknown>) => createWorkspaceMock({ fixture: fixtureOf(task) })
const call = (mock: WorkspaceMock, method: string, path: string, body?: unknown) =>
  mock.fetch(
    new Request(mock.baseUrl + path, {
      method,
      headers: { authorization: 'Bearer key', 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }),
  )

describe('clock.advance and clock.set', () => {
  it('have the same effect whether or not a request is made in between', async () => {
    const moves = fc.array(
      fc.oneof(
        fc.integer({ min: 0, max: 300 }).map((days) => ({ days })),
        fc.integer({ min: -200, max: 200 }).map((days) => ({ set: now + days * day })),
        fc.constantFrom({ remove: true }, { job: true }, { timer: true }),
      ),
      { maxLength: 6 },
    )
    const run = async (steps: typeof moves extends fc.Arbitrary<infer T> ? T : never, looks: boolean) => {
      const mock = mockOf({ repeat_config: daily })
      for (const step of steps) {
        if ('days' in step) mock.clock.advance(step.days * day * 1000)
        else if ('set' in step) mock.clock.set(step.set)
        else if ('remove' in step) await call(mock, 'DELETE', '/tasks/tsk')
        else if ('job' in step)
          await call(mock, 'POST', '/datatables/tbl/jobs/insert', { rows: [{ col: 'x' }] })
        else await call(mock, 'POST', '/tasks/tsk/time-entries', { action: 'start' })
        if (looks) mock.state()
      }
      return mock.state()
    }
    await fc.assert(
      fc.asyncProperty(moves, async (steps) => {
        expect(await run(steps, true)).toEqual(await run(steps, false))
      }),
      { numRuns: 15 },
    )
  })

  it('make 1,000 occurrences of a chain at most for each movement', () => {
    const mock = mockOf({ repeat_config: daily })
    mock.clock.advance('600d')
    mock.clock.advance('600d')
    expect(mock.db.tasks.count()).toBe(1201)
    mock.clock.advance('1100d')
    expect(mock.db.tasks.count()).toBe(2201)
  })

  it('keep what has happened when the clock is set back', () => {
    const mock = mockOf({ repeat_config: daily })
    mock.clock.advance('3d')
    mock.clock.set(now)
    expect(mock.db.tasks.count()).toBe(4)
  })

  it.each([Date.UTC(2026, 0, 5), 253_402_300_800])('clock.set(%d) is refused with advice', (seconds) => {
    const mock = createWorkspaceMock()
    expect(() => mock.clock.set(seconds)).toThrow('Math.floor(Date.now() / 1000)')
    expect(() => createWorkspaceMock({ fixture: { ...fixtureOf({}), clock: seconds } })).toThrow(
      'Math.floor(Date.now() / 1000)',
    )
    expect(() => mockOf({ created_at: seconds })).toThrow('created_at must be at most 253402300799')
  })

  it('end with the year 9999', async () => {
    const mock = mockOf({ repeat_config: daily })
    mock.clock.set(253_402_300_799)
    expect(() => mock.clock.advance(1000)).toThrow('9999')
    const reply = await call(mock, 'POST', '/datatables/tbl/jobs/insert', { rows: [{ col: 'x' }] })
    const { job_id } = (await reply.json()) as { job_id: string }
    for (let poll = 0; poll < 4; poll++) expect((await call(mock, 'GET', `/jobs/${job_id}`)).status).toBe(200)
    mock.loadState(mock.state())
  })
})

describe('events', () => {
  it('fire when the clock moves, to the listeners at that time', () => {
    const mock = mockOf({ repeat_config: daily })
    const heard: string[] = []
    const end = mock.events.on('task.created', ({ at }) => heard.push(`early ${String(at - now)}`))
    mock.clock.advance('1d')
    expect(heard).toHaveLength(1)
    end()
    mock.clock.advance('1d')
    mock.events.on('task.created', () => heard.push('late'))
    mock.state()
    expect(heard).toHaveLength(1)
  })

  it('give each listener a copy of its own', async () => {
    const mock = mockOf({})
    const seen: unknown[] = []
    mock.events.on('task.created', (event) => {
      Object.assign(event.task.custom_data, { changed: true })
    })
    mock.events.on('task.created', (event) => seen.push(event.task.custom_data))
    await call(mock, 'POST', '/lists/lst/tasks', { title: 'x' })
    expect(seen).toEqual([{}])
    expect(mock.db.tasks.findFirst((query) => query.where({ title: 'x' }))?.custom_data).toEqual({})
  })
})

describe('dates at the edge of the safe integers', () => {
  const edge = Number.MAX_SAFE_INTEGER
  const moments = fc.oneof(
    fc.constantFrom(-edge, -edge + 1, 0, now, edge - 1, edge, null),
    fc.maxSafeInteger(),
  )

  it('leave a listing that answers 200 and a state that can be loaded', async () => {
    await fc.assert(
      fc.asyncProperty(
        moments,
        moments,
        fc.integer({ min: 0, max: 3 }),
        async (due_date, date_start, days) => {
          const mock = mockOf({ due_date, date_start, repeat_config: daily })
          mock.clock.advance(days * day * 1000)
          expect((await call(mock, 'GET', '/lists/lst/tasks')).status).toBe(200)
          const state = mock.state()
          mock.loadState(state)
          expect(mock.state()).toEqual(state)
        },
      ),
    )
  })

  it('make no clone with a date beyond the edge', () => {
    const mock = mockOf({ due_date: edge, date_start: -edge, repeat_config: daily })
    mock.clock.advance('3d')
    expect(mock.db.tasks.count()).toBe(1)
  })

  it('stop a timer of any start', async () => {
    await fc.assert(
      fc.asyncProperty(fc.maxSafeInteger(), async (date_start) => {
        const mock = mockOf({ time_entries: [{ date_start, is_running: 1, user_id: 'mem' }] })
        expect((await call(mock, 'POST', '/tasks/tsk/time-entries', { action: 'stop' })).status).toBe(200)
        expect((await call(mock, 'GET', '/tasks/tsk/time-entries')).status).toBe(200)
        mock.loadState(mock.state())
      }),
    )
  })

  it('stop numbering after the last number of a kind', async () => {
    const mock = createWorkspaceMock({
      fixture: {
        ...fixtureOf({}),
        runtime: { ids: { task: edge }, autonumbers: {}, windows: { minute: {}, month: {} } },
      },
    })
    expect((await call(mock, 'POST', '/lists/lst/tasks', { title: 'x' })).status).toBe(201)
    mock.loadState(mock.state())
  })
})

describe('clock.sleep', () => {
  const authorize = (mock: WorkspaceMock) => ({ headers: { authorization: `Bearer ${mock.keys.master}` } })

  it('moves a manual clock when the wait is over', async () => {
    const mock = createWorkspaceMock()
    const before = mock.clock.nowMs()
    const sleeping = mock.clock.sleep(60_000)
    expect(mock.clock.nowMs()).toBe(before)
    await sleeping
    expect(mock.clock.nowMs()).toBe(before + 60_000)
    await expect(mock.clock.sleep(-1)).rejects.toThrow('milliseconds')
    await expect(mock.clock.sleep(1e16)).rejects.toThrow('milliseconds')
    mock.clock.set(253_402_300_799)
    await expect(mock.clock.sleep(60_000)).rejects.toThrow('the year 9999')
    await mock.clock.sleep(10)
  })

  it('wakes sleepers in the order of their times, also where timers are faked', async () => {
    for (const isFaked of [false, true]) {
      if (isFaked) vi.useFakeTimers()
      const mock = createWorkspaceMock()
      const start = mock.clock.nowMs()
      const woken: string[] = []
      const sleep = async (name: string, ms: number) => {
        await mock.clock.sleep(ms)
        woken.push(`${name} ${mock.clock.nowMs() - start}`)
      }
      await Promise.all([sleep('c', 30_000), sleep('a', 10), sleep('b', 10), sleep('month', 2_592_000_000)])
      vi.useRealTimers()
      expect(woken).toEqual(['a 10', 'b 10', 'c 30000', 'month 2592000000'])
    }
  })

  it('wakes nobody while a request is on its way', async () => {
    const mock = createWorkspaceMock()
    mock.fault({ operation: 'getIdentity', status: 200, delayMs: 60, times: 1 })
    for (let round = 0; round < 2; round++) {
      const first = await Promise.race([mock.fetch('/me', authorize(mock)), mock.clock.sleep(30_000)])
      expect(first).toBeInstanceOf(Response)
    }
  })

  it('lets timers fire where a client repeats for ever', async () => {
    const mock = createWorkspaceMock()
    mock.fault({ operation: 'getIdentity', status: 503, times: null })
    const start = mock.clock.nowMs()
    let isOver = false
    setTimeout(() => (isOver = true), 20)
    while (!isOver) {
      await mock.fetch('/me', authorize(mock))
      await mock.clock.sleep(1000)
    }
    expect(mock.clock.nowMs() - start).toBe(1000 * mock.requests().length)
  })

  it('moves no clock but that of the state in which it began', async () => {
    const mock = createWorkspaceMock()
    const sleeping = mock.clock.sleep(60_000)
    mock.reset()
    const before = mock.clock.nowMs()
    await sleeping
    expect(mock.clock.nowMs()).toBe(before)
  })

  it('waits under a system clock', async () => {
    const mock = createWorkspaceMock({ clock: 'system' })
    const before = mock.clock.nowMs()
    await mock.clock.sleep(20)
    expect(mock.clock.nowMs() - before).toBeGreaterThanOrEqual(18)
  })
})
