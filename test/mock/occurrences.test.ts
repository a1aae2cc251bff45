// How many occurrences of repeating tasks one clock move creates, and how it reports the skipped ones.
import { expect, it } from 'vitest'
import { createWorkspaceMock, type Fixture } from '../../src/index.ts'
import { testFixture } from '../behaviour/support/fixture.ts'

const chains = 40
const repeat = (index: number) => ({
  trigger: 'on_schedule' as const,
  frequency: 'daily' as const,
  time: `0${String(index % 10)}:00`,
})

it('clock.advance makes 10,000 occurrences in the order of their moments, and names the tasks that it skipped', async () => {
  const mock = createWorkspaceMock({ fixture: structuredClone(testFixture) as unknown as Fixture })
  const tasks = Array.from({ length: chains }, (_, index) => ({
    list_id: 'lst_main',
    title: `Water ${String(index)}`,
    repeat_config: repeat(index),
  }))
  mock.seed({ tasks })
  const made = () =>
    mock.db.tasks.findMany((query) => query.where(({ title }) => title.startsWith('Water '))).slice(chains)
  const signals: unknown[] = []
  mock.watch((signal) => signals.push(signal))
  mock.clock.advance('400d')
  expect(made()).toHaveLength(10_000)
  const moments = made().map(({ created_at }) => created_at)
  expect(moments).toEqual(moments.toSorted((a, b) => a - b))
  expect(signals).toContainEqual({ sandbox: null, event: 'skipped', made: 10_000, tasks: chains })
  const get = () => mock.fetch('/me', { headers: { authorization: 'Bearer wm_test_master' } })
  expect((await get()).headers.get('x-mock-hint')).toContain('later occurrences of 40 tasks were skipped')
  expect((await get()).headers.get('x-mock-hint')).toBeNull()
  mock.clock.advance('1d')
  expect(made()).toHaveLength(10_000 + chains)
})
