// Scenarios of time entries: by hand, and with a timer.
import { requireValue } from '../engine/drift.ts'
import { writing, type Play, type Scenario } from '../twin/play.ts'
import { runningTimes } from '../twin/twin.ts'
import { bodiesOf, changeEach, playDeletion, tryFields, makeTask } from './records.ts'
import { farDay } from './values.ts'

const both = { date_start: farDay, date_end: farDay + 600 }
const backwards = { date_start: farDay, date_end: farDay - 1 }
const withoutDuration = [{}, ...bodiesOf({ date_start: [farDay], date_end: [farDay] }), both, backwards]

/** Two tasks, and two members who seem to run no timer. */
async function prepareTimers(play: Play) {
  const [one, two] = [await makeTask(play), await makeTask(play)]
  const entries = play.twin.oracle.mock.db.timeEntries.findMany()
  const busy = new Set(entries.flatMap(({ is_running, user_id }) => (is_running ? [user_id] : [])))
  const [first, second] = play.known.members.filter(({ id }) => !busy.has(id))
  const { id: a } = requireValue(first, 'all members run a timer')
  const act = async (params: typeof one, action: 'start' | 'stop', as_user?: string) => {
    const json = { action, ...(as_user !== undefined && { as_user, note: 'running' }) }
    const made = await play.call('createTimeEntry', { params, json }, { near: runningTimes })
    for (const task of [one, two]) await play.get('listTimeEntries', task)
    return { ...params, entryId: made?.id ?? '' }
  }
  return { one, two, a, b: second?.id ?? a, act }
}

export const timeEntryScenarios: readonly Scenario[] = [
  ...tryFields('create', 'TimeEntry', {
    source: 'assumption manualEntry',
    // The last overlaps another.
    also: () => [...withoutDuration, both].map((json) => ({ action: 'manual', ...json })),
  }),
  ...tryFields('update', 'TimeEntry', {
    source: 'contract, TimeEntry',
    also: () => [{ ...both, duration: 7 }, backwards, { duration: 7, note: 5 }],
  }),
  ...writing('contract, TimeEntry', {
    'updateTimeEntry createTimeEntry listTimeEntries/overlap: an entry can be moved to the time of another':
      async (play) => {
        const task = await makeTask(play)
        const later = { date_start: farDay + 7200, date_end: farDay + 9000 }
        const bodies = [both, later].map((times) => ({ action: 'manual', ...times }))
        const made = await play.sendEach('createTimeEntry', task, ...bodies)
        const params = { ...task, entryId: made?.id ?? '' }
        const moved = { ...both, date_start: farDay + 60 }
        await changeEach(play, 'TimeEntry', params, [moved])
      },
  }),
  ...writing('contract, Endpoints', {
    'deleteTimeEntry updateTimeEntry listTimeEntries/entry-gone: a deleted entry is gone and out of the sum':
      playDeletion('TimeEntry'),
    'deleteTimeEntry createTimeEntry listTimeEntries/running: a running entry is deleted': async (play) => {
      const { one, a, act } = await prepareTimers(play)
      await play.call('deleteTimeEntry', { params: await act(one, 'start', a) })
      await play.get('listTimeEntries', one)
    },
  }),
  ...writing('contract, Time entry', {
    'createTimeEntry updateTimeEntry listTimeEntries/start-stop: start makes a running entry, stop ends it':
      async (play) => {
        const { one, a, act } = await prepareTimers(play)
        const params = await act(one, 'start', a)
        await play.wait(4000)
        play.says('a running entry cannot be changed', 'assumption editRunning')
        await play.sendEach('updateTimeEntry', params, { note: 'x' })
        play.says('stop ends the entry, with the time that has passed', 'contract, Time entry')
        await act(one, 'stop')
        await act(one, 'stop')
        await play.sendEach('updateTimeEntry', params, { note: 'stopped' })
        await act(one, 'start', 'verify_none_such')
      },
  }),
  ...writing('assumption startEntry', {
    'createTimeEntry listTimeEntries/second-start: a member starts a second entry': async (play) => {
      const { one, two, a, act } = await prepareTimers(play)
      await act(one, 'start', a)
      await play.wait(4000)
      await act(two, 'start', a)
      await act(two, 'stop')
      await act(one, 'stop')
    },
  }),
  ...writing('assumption stopEntry', {
    'createTimeEntry listTimeEntries/stop-of-two: a stop where two members run an entry': async (play) => {
      const { one, a, b, act } = await prepareTimers(play)
      await act(one, 'start', a)
      await play.wait(4000)
      await act(one, 'start', b)
      await play.wait(3000)
      await act(one, 'stop')
      await act(one, 'stop')
    },
  }),
]
