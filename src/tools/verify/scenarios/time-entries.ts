// Scenarios for time entries: manual ones, and timers.
import { requireValue } from '../../deployment/stop.ts'
import { writing, type ScenarioContext, type Scenario } from '../twin/player.ts'
import { runningTimes } from '../compare/replies.ts'
import { findIdleMembers } from './own.ts'
import { bodiesOf, changeEach, tryDeletion, tryFields, makeTask } from './records.ts'
import { farDay } from './values.ts'

const both = { date_start: farDay, date_end: farDay + 90_061 }
const backwards = { date_start: farDay, date_end: farDay - 1 }
const withoutDuration = [{}, ...bodiesOf({ date_start: [farDay], date_end: [farDay] }), both, backwards]

/** Makes two tasks and finds two members without a running timer. */
async function prepareTimers(ctx: ScenarioContext) {
  const [one, two] = [await makeTask(ctx), await makeTask(ctx)]
  const [first, second] = findIdleMembers(ctx)
  const { id: a } = requireValue(first, 'every member is running a timer')
  const act = async (params: typeof one, action: 'start' | 'stop', as_user?: string) => {
    const json = { action, ...(as_user !== undefined && { as_user }) }
    const made = await ctx.call('createTimeEntry', { params, json }, { near: runningTimes })
    for (const task of [one, two]) await ctx.get('listTimeEntries', task)
    return { ...params, entryId: made?.id ?? '' }
  }
  return { one, two, a, b: second?.id ?? a, act }
}

export const timeEntryScenarios: readonly Scenario[] = [
  ...tryFields('create', 'TimeEntry', {
    source: 'assumption manualEntry',
    // The last entry overlaps another.
    extraBodies: () => [...withoutDuration, both].map((json) => ({ action: 'manual', ...json })),
  }),
  ...tryFields('update', 'TimeEntry', {
    source: 'contract, TimeEntry',
    extraBodies: () => [{ ...both, duration: 7 }, backwards, { duration: 7, note: 5 }],
  }),
  ...writing('contract, TimeEntry', {
    'updateTimeEntry createTimeEntry listTimeEntries/overlap: an entry can be moved to the same time as another':
      async (ctx) => {
        const task = await makeTask(ctx)
        const later = { date_start: farDay + 7200, date_end: farDay + 9000 }
        const bodies = [both, later].map((times) => ({ action: 'manual', ...times }))
        const made = await ctx.sendEach('createTimeEntry', task, ...bodies)
        const params = { ...task, entryId: made?.id ?? '' }
        const moved = { ...both, date_start: farDay + 60 }
        await changeEach(ctx, 'TimeEntry', params, [moved])
      },
  }),
  ...writing('contract, Endpoints', {
    'deleteTimeEntry updateTimeEntry listTimeEntries/entry-gone: a deleted entry is gone, and no longer part of the sum':
      tryDeletion('TimeEntry'),
    'deleteTimeEntry createTimeEntry listTimeEntries/running: a running entry can be deleted': async (
      ctx,
    ) => {
      const { one, a, act } = await prepareTimers(ctx)
      await ctx.call('deleteTimeEntry', { params: await act(one, 'start', a) })
      await ctx.get('listTimeEntries', one)
    },
  }),
  ...writing('contract, Time entry', {
    'createTimeEntry updateTimeEntry listTimeEntries/start-stop: start creates a running entry, and stop ends it':
      async (ctx) => {
        const { one, a, act } = await prepareTimers(ctx)
        const params = await act(one, 'start', a)
        await ctx.wait(4000)
        ctx.says('a running entry cannot be changed', 'assumption editRunning')
        await ctx.sendEach('updateTimeEntry', params, { note: 'x' })
        ctx.says('stop ends the entry with the time that has passed', 'contract, Time entry')
        await act(one, 'stop')
        await act(one, 'stop')
        await ctx.sendEach('updateTimeEntry', params, { note: 'stopped' })
        await act(one, 'start', 'verify_none_such')
      },
  }),
  ...writing('assumption startEntry', {
    'createTimeEntry listTimeEntries/second-start: a member with a running entry starts another': async (
      ctx,
    ) => {
      const { one, two, a, act } = await prepareTimers(ctx)
      await act(one, 'start', a)
      await ctx.wait(4000)
      await act(two, 'start', a)
      await act(two, 'stop')
      await act(one, 'stop')
    },
  }),
  ...writing('assumption stopEntry', {
    'createTimeEntry listTimeEntries/stop-of-two: a stop when two members run an entry': async (ctx) => {
      const { one, a, b, act } = await prepareTimers(ctx)
      await act(one, 'start', a)
      await ctx.wait(4000)
      await act(one, 'start', b)
      await ctx.wait(3000)
      await act(one, 'stop')
      await act(one, 'stop')
    },
  }),
]
