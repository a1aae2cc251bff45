// Scenarios of time entries: by hand, and with a timer.
import type { JsonObject } from '../../contract/schema/maps.ts'
import { requireValue } from '../engine/expect.ts'
import type { Play } from '../twin/play.ts'
import { writing, type Scenario } from '../twin/scenario.ts'
import { bodiesOf, makeTask } from './own.ts'
import { farDay, hardText } from './values.ts'

const near = { near: ['duration', 'total_seconds'] }
const listEntries = (play: Play, taskId: string) => play.call('listTimeEntries', { params: { taskId } }, near)

const both = { date_start: farDay, date_end: farDay + 600 }
const backwards = { date_start: farDay, date_end: farDay - 1 }
const byHand = (json: JsonObject) => ({ action: 'manual', ...json })

/** A task to which entries are added by hand. */
async function logging(play: Play) {
  const taskId = await makeTask(play)
  const make = async (json: JsonObject) => {
    const made = await play.make('createTimeEntry', { params: { taskId }, json: byHand(json) })
    return { taskId, entryId: made.id }
  }
  return { taskId, list: () => listEntries(play, taskId), make }
}

const entryScenarios: readonly Scenario[] = [
  ...writing('assumption manualEntry', {
    'createTimeEntry listTimeEntries/manual: an entry by hand has a duration, or both dates': async (
      play,
    ) => {
      const { taskId, list } = await logging(play)
      const [a, b = a] = play.known.members
      for (const json of [
        { duration: 60 },
        { duration: 90, billable: true, note: hardText, ...both, as_user: b?.id },
        both,
        { duration: 5, as_user: a?.id, note: 'b' },
        { duration: 0 },
      ]) {
        await play.sendEach('createTimeEntry', { taskId }, byHand(json))
        await list()
      }
    },
    'createTimeEntry listTimeEntries/odd-manual: an entry by hand without a length, or with wrong values, is refused':
      async (play) => {
        const { taskId, list } = await logging(play)
        const wrong = [
          {},
          ...bodiesOf({ date_start: [farDay], date_end: [farDay], duration: [-1, 1.5, '60'] }),
          ...bodiesOf({ billable: [1], note: [5], as_user: ['verify_none_such'] }, { duration: 60 }),
          backwards,
          ...bodiesOf({ date_start: [farDay], date_end: [farDay] }, { duration: 10 }),
          { duration: 60, verify_no_such_field: 1 },
        ]
        await play.sendEach('createTimeEntry', { taskId }, ...wrong.map(byHand))
        await play.sendEach(
          'createTimeEntry',
          { taskId },
          {},
          ...bodiesOf({ action: ['verify', null] }),
          [],
          null,
        )
        await list()
      },
  }),
  ...writing('contract, TimeEntry', {
    'updateTimeEntry listTimeEntries/fields: a change of one field of an entry keeps the others': async (
      play,
    ) => {
      const { list, make } = await logging(play)
      const params = await make({ duration: 90, billable: true, note: 'note', ...both })
      for (const json of [
        ...bodiesOf({ note: [hardText], billable: [false], duration: [100] }),
        ...bodiesOf({ note: [''], date_start: [farDay - 50], date_end: [farDay + 900] }),
        { ...both, duration: 7 },
        { billable: true },
        {},
      ]) {
        await play.sendEach('updateTimeEntry', params, json)
        await list()
      }
    },
    'updateTimeEntry listTimeEntries/odd-fields: a change to a value that an entry cannot have is refused':
      async (play) => {
        const { list, make } = await logging(play)
        const params = await make({ duration: 90, note: 'note' })
        const wrong = { duration: [-5, null, 'x'], billable: [1], date_end: [null], date_start: ['x'] }
        await play.sendEach('updateTimeEntry', params, ...bodiesOf({ ...wrong, note: [5, null] }), backwards)
        await play.sendEach('updateTimeEntry', params, { verify_no_such_field: 1 }, [], null, {
          duration: 7,
          note: 5,
        })
        await list()
      },
  }),
  ...writing('contract, Endpoints', {
    'deleteTimeEntry updateTimeEntry listTimeEntries/entry-gone: a deleted entry is gone and out of the sum':
      async (play) => {
        const { list, make } = await logging(play)
        const elsewhere = { taskId: await makeTask(play) }
        const params = await make({ duration: 60 })
        await make({ duration: 30 })
        play.says('an entry belongs to its task', 'contract, Endpoints')
        await play.call('deleteTimeEntry', { params: { ...params, ...elsewhere } })
        await play.sendEach('updateTimeEntry', { ...params, ...elsewhere }, { note: 'x' })
        play.says('a deleted entry is gone and out of the sum, the others stay', 'contract, Endpoints')
        await play.call('deleteTimeEntry', { params })
        await list()
        await play.call('deleteTimeEntry', { params })
        await play.sendEach('updateTimeEntry', params, { note: 'x' })
      },
  }),
]

/** Two tasks, and two members without a running timer, as far as was seen. */
async function timing(play: Play) {
  const [one, two] = [await makeTask(play), await makeTask(play)]
  const entries = play.twin.oracle.mock.db.timeEntries.findMany()
  const busy = new Set(entries.flatMap(({ is_running, user_id }) => (is_running ? [user_id] : [])))
  const [first, second] = play.known.members.filter(({ id }) => !busy.has(id))
  const { id: a } = requireValue(first, 'all members run a timer')
  const act = async (taskId: string, action: 'start' | 'stop', as_user?: string) => {
    const json = { action, ...(as_user !== undefined && { as_user, note: 'running' }) }
    const made = await play.call('createTimeEntry', { params: { taskId }, json }, near)
    for (const id of [one, two]) await listEntries(play, id)
    return { taskId, entryId: made?.id ?? '' }
  }
  return { one, two, a, b: second?.id ?? a, act }
}

const timers: readonly Scenario[] = [
  ...writing('contract, Time entry', {
    'createTimeEntry updateTimeEntry listTimeEntries/start-stop: start makes a running entry, stop ends it':
      async (play) => {
        const { one, a, act } = await timing(play)
        const params = await act(one, 'start', a)
        await play.wait(4000)
        play.says('a running entry cannot be changed', 'assumption editRunning')
        await play.sendEach('updateTimeEntry', params, { note: 'x' })
        play.says('stop ends the entry, with the time that has passed', 'contract, Time entry')
        await act(one, 'stop')
        await act(one, 'stop')
        await play.sendEach('updateTimeEntry', params, { note: 'stopped' })
        await listEntries(play, one)
        await act(one, 'start', 'verify_none_such')
      },
  }),
  ...writing('assumption startEntry', {
    'createTimeEntry listTimeEntries/second-start: a start of a member who runs an entry already': async (
      play,
    ) => {
      const { one, two, a, act } = await timing(play)
      await act(one, 'start', a)
      await play.wait(4000)
      await act(two, 'start', a)
      await act(two, 'stop')
      await act(one, 'stop')
    },
  }),
  ...writing('assumption stopEntry', {
    'createTimeEntry listTimeEntries/stop-of-two: a stop where two members run an entry of the task': async (
      play,
    ) => {
      const { one, a, b, act } = await timing(play)
      await act(one, 'start', a)
      await play.wait(4000)
      await act(one, 'start', b)
      await play.wait(3000)
      await act(one, 'stop')
      await act(one, 'stop')
    },
  }),
  ...writing('contract, Endpoints', {
    'deleteTimeEntry createTimeEntry listTimeEntries/running: a running entry can be deleted': async (
      play,
    ) => {
      const { one, a, act } = await timing(play)
      await play.call('deleteTimeEntry', { params: await act(one, 'start', a) })
      await listEntries(play, one)
    },
  }),
]

export const timeEntryScenarios: readonly Scenario[] = [...entryScenarios, ...timers]
