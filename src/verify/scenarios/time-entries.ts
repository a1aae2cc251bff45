// Scenarios of time entries: by hand, and with a timer.
import type { JsonObject } from '../../contract/schema/maps.ts'
import { needed } from '../engine/expect.ts'
import type { Play } from '../twin/play.ts'
import { writing, type Scenario } from '../twin/scenario.ts'
import { makeTask } from './own.ts'
import { farDay, hardText } from './values.ts'

const near = { near: ['duration', 'total_seconds'] }

const entries = (play: Play, taskId: string) => play.call('listTimeEntries', { params: { taskId } }, near)

const both = { date_start: farDay, date_end: farDay + 600 }

const manual = (play: Play, taskId: string, json: JsonObject) =>
  play.call('createTimeEntry', { params: { taskId }, json: { action: 'manual', ...json } })

const entryScenarios: readonly Scenario[] = [
  writing(
    'createTimeEntry listTimeEntries/manual',
    'assumption manualEntry',
    'an entry by hand has a duration, or both dates',
    async (play) => {
      const taskId = await makeTask(play)
      const [a, b = a] = play.known.members
      for (const json of [
        { duration: 60 },
        { duration: 90, billable: true, note: hardText, ...both, as_user: b?.id },
        both,
        { duration: 5, as_user: a?.id, note: 'b' },
        { duration: 0 },
      ]) {
        await manual(play, taskId, json)
        await entries(play, taskId)
      }
    },
  ),
  writing(
    'createTimeEntry listTimeEntries/odd-manual',
    'assumption manualEntry',
    'an entry by hand without a length, or with values that it cannot have, is refused',
    async (play) => {
      const taskId = await makeTask(play)
      for (const json of [
        {},
        { date_start: farDay },
        { date_end: farDay },
        { duration: -1 },
        { duration: 1.5 },
        { duration: '60' },
        { duration: 60, billable: 1 },
        { duration: 60, note: 5 },
        { duration: 60, as_user: 'verify_none_such' },
        { date_start: farDay, date_end: farDay - 1 },
        { duration: 10, date_start: farDay },
        { duration: 10, date_end: farDay },
        { duration: 60, verify_no_such_field: 1 },
      ])
        await manual(play, taskId, json)
      for (const json of [{}, { action: 'verify' }, { action: null }, [], null])
        await play.call('createTimeEntry', { params: { taskId }, json })
      await entries(play, taskId)
    },
  ),
  writing(
    'updateTimeEntry listTimeEntries/fields',
    'contract, TimeEntry',
    'a change of one field of an entry leaves the others as they are',
    async (play) => {
      const taskId = await makeTask(play)
      const made = needed(
        await manual(play, taskId, { duration: 90, billable: true, note: 'note', ...both }),
        'no entry was made',
      )
      for (const json of [
        { note: hardText },
        { billable: false },
        { duration: 100 },
        { note: '' },
        { date_start: farDay - 50 },
        { date_end: farDay + 900 },
        { ...both, duration: 7 },
        { billable: true },
        {},
      ]) {
        await play.call('updateTimeEntry', { params: { taskId, entryId: made.id }, json })
        await entries(play, taskId)
      }
    },
  ),
  writing(
    'updateTimeEntry listTimeEntries/odd-fields',
    'contract, TimeEntry',
    'a change to a value that an entry cannot have is refused',
    async (play) => {
      const taskId = await makeTask(play)
      const made = needed(await manual(play, taskId, { duration: 90, note: 'note' }), 'no entry was made')
      for (const json of [
        { duration: -5 },
        { duration: null },
        { duration: 'x' },
        { billable: 1 },
        { date_end: null },
        { date_start: 'x' },
        { note: 5 },
        { note: null },
        { date_start: farDay, date_end: farDay - 1 },
        { verify_no_such_field: 1 },
        [],
        null,
      ])
        await play.call('updateTimeEntry', { params: { taskId, entryId: made.id }, json })
      await entries(play, taskId)
    },
  ),
  writing(
    'deleteTimeEntry updateTimeEntry listTimeEntries/entry-gone',
    'contract, Endpoints',
    'a deleted entry is gone and out of the sum, the others stay; an entry belongs to its task',
    async (play) => {
      const [taskId, other] = [await makeTask(play), await makeTask(play)]
      const made = [
        await manual(play, taskId, { duration: 60 }),
        await manual(play, taskId, { duration: 30 }),
      ]
      const params = { taskId, entryId: made[0]?.id ?? '' }
      await play.call('deleteTimeEntry', { params: { ...params, taskId: other } })
      await play.call('updateTimeEntry', { params: { ...params, taskId: other }, json: { note: 'x' } })
      await play.call('deleteTimeEntry', { params })
      await entries(play, taskId)
      await play.call('deleteTimeEntry', { params })
      await play.call('updateTimeEntry', { params, json: { note: 'x' } })
    },
  ),
]

/** Two members without a running timer, as far as was seen. */
function idleMembers(play: Play): [string, string] {
  const busy = new Set(
    play.twin.oracle.mock.db.timeEntries
      .findMany()
      .flatMap(({ is_running, user_id }) => (is_running ? [user_id] : [])),
  )
  const [a, b = a] = play.known.members.filter(({ id }) => !busy.has(id))
  const first = needed(a, 'all members run a timer').id
  return [first, b?.id ?? first]
}

async function timing(play: Play) {
  const [one, two] = [await makeTask(play), await makeTask(play)]
  const [a, b] = idleMembers(play)
  const act = async (taskId: string, json: JsonObject) => {
    const made = await play.call('createTimeEntry', { params: { taskId }, json }, near)
    for (const id of [one, two]) await entries(play, id)
    return made
  }
  return { one, two, a, b, act }
}

const timers: readonly Scenario[] = [
  writing(
    'createTimeEntry updateTimeEntry listTimeEntries/start-stop',
    'contract, Time entry',
    'start makes a running entry, stop ends it; only then it can be changed',
    async (play) => {
      const { one, a, act } = await timing(play)
      const started = needed(
        await act(one, { action: 'start', as_user: a, note: 'running' }),
        'no entry was made',
      )
      await play.wait(4000)
      play.says('a running entry cannot be changed', 'assumption editRunning')
      await play.call('updateTimeEntry', {
        params: { taskId: one, entryId: started.id },
        json: { note: 'x' },
      })
      play.says('stop ends the entry, with the time that has passed', 'contract, Time entry')
      await act(one, { action: 'stop' })
      await act(one, { action: 'stop' })
      await play.call('updateTimeEntry', {
        params: { taskId: one, entryId: started.id },
        json: { note: 'stopped' },
      })
      await entries(play, one)
      await act(one, { action: 'start', as_user: 'verify_none_such' })
    },
  ),
  writing(
    'createTimeEntry listTimeEntries/second-start',
    'assumption startEntry',
    'a start of a member who runs an entry already',
    async (play) => {
      const { one, two, a, act } = await timing(play)
      await act(one, { action: 'start', as_user: a })
      await play.wait(4000)
      await act(two, { action: 'start', as_user: a })
      await act(two, { action: 'stop' })
      await act(one, { action: 'stop' })
    },
  ),
  writing(
    'createTimeEntry listTimeEntries/stop-of-two',
    'assumption stopEntry',
    'a stop where two members run an entry of the task',
    async (play) => {
      const { one, a, b, act } = await timing(play)
      await act(one, { action: 'start', as_user: a })
      await play.wait(4000)
      await act(one, { action: 'start', as_user: b })
      await play.wait(3000)
      await act(one, { action: 'stop' })
      await act(one, { action: 'stop' })
    },
  ),
  writing(
    'deleteTimeEntry createTimeEntry listTimeEntries/running',
    'contract, Endpoints',
    'a running entry can be deleted',
    async (play) => {
      const { one, a, act } = await timing(play)
      const { id: entryId } = needed(await act(one, { action: 'start', as_user: a }), 'no entry was made')
      await play.call('deleteTimeEntry', { params: { taskId: one, entryId } })
      await entries(play, one)
    },
  ),
]

export const timeEntryScenarios: readonly Scenario[] = [...entryScenarios, ...timers]
