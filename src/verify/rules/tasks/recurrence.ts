// The rules of repeating tasks.
import { expectSame, expectThat } from '../../engine/expect.ts'
import { Unreachable } from '../../engine/drift.ts'
import { writeRules, type Context } from '../../engine/rule.ts'
import { completed } from './consequences.ts'
import { changed, tasksListed } from './writes.ts'
import { idsOf } from '../../../contract/data/maps.ts'

type Configs = readonly (readonly [id: string, config: unknown])[]

const accepted: Configs = [
  ['monthly', { trigger: 'on_schedule', frequency: 'monthly', day_of_month: 31, time: '23:59' }],
  ['weekly', { trigger: 'on_schedule', frequency: 'weekly', day_of_week: 0 }],
  ['daily', { trigger: 'on_schedule', frequency: 'daily', time: '00:00', end_date: 4_102_444_800 }],
  ['weekdays', { trigger: 'on_schedule', frequency: 'weekdays' }],
  ['saturday', { trigger: 'on_schedule', frequency: 'weekly', day_of_week: 6 }],
  ['first', { trigger: 'on_schedule', frequency: 'monthly', day_of_month: 1 }],
  ['on-complete', { trigger: 'on_complete' }],
  ['cleared', null],
]

const wrong: Configs = [
  ['no-trigger', { frequency: 'daily' }],
  ['bad-trigger', { trigger: 'sometimes', frequency: 'daily' }],
  ['no-frequency', { trigger: 'on_schedule' }],
  ['bad-frequency', { trigger: 'on_schedule', frequency: 'yearly' }],
  ['weekly-without-day', { trigger: 'on_schedule', frequency: 'weekly' }],
  ['monthly-without-day', { trigger: 'on_schedule', frequency: 'monthly' }],
  ['day-of-week-7', { trigger: 'on_schedule', frequency: 'weekly', day_of_week: 7 }],
  ['day-of-month-32', { trigger: 'on_schedule', frequency: 'monthly', day_of_month: 32 }],
  ['day-of-week-below-0', { trigger: 'on_schedule', frequency: 'weekly', day_of_week: -1 }],
  ['day-of-month-0', { trigger: 'on_schedule', frequency: 'monthly', day_of_month: 0 }],
  ['day-of-month-text', { trigger: 'on_schedule', frequency: 'monthly', day_of_month: '1' }],
  ['time-minutes', { trigger: 'on_schedule', frequency: 'daily', time: '09:60' }],
  ['time-short', { trigger: 'on_schedule', frequency: 'daily', time: '9:00' }],
  ['end-date-text', { trigger: 'on_schedule', frequency: 'daily', end_date: '2030-01-01' }],
  ['time-24', { trigger: 'on_schedule', frequency: 'daily', time: '24:00' }],
  ['no-object', 'daily'],
]

const configured = (configs: Configs, does: string, status: 200 | 400) =>
  configs.flatMap(([id, config]) =>
    writeRules('contract, RepeatConfig', {
      [`updateTask/repeat-${id}: ${does} repeat_config ${JSON.stringify(config)}`]: async (c: Context) =>
        c.api.expect('updateTask', status, { json: { repeat_config: config } }),
    }),
  )

export const taskRecurrenceRules = [
  ...configured(accepted, 'takes', 200),
  ...configured(wrong, 'refuses', 400),
  ...writeRules('contract, Task, on_complete', {
    'updateTask/on-complete-clones: a task that repeats on completion is cloned forward when it is done':
      async (context) => {
        const { task, clones } = await completed(context, { priority: 'high' })
        expectSame('number of clones', clones.length, 1)
        const active = await context.own.statusOf('active')
        const statusIds = clones.map(({ status_id }) => status_id)
        expectSame('status of the clone', statusIds, [active.id], 'assumption recurrence')
        expectThat(task.status_id !== active.id, 'the original done', task.status_id)
      },
    'updateTask/not-done-is-not-cloned: a change to another active status clones nothing': async (c) => {
      const [first, second] = (await c.own.statuses()).filter(({ type }) => type === 'active')
      if (!first || !second) throw new Unreachable('the list of the run has one active status')
      const title = c.own.text()
      const taskId = await c.own.task({ title, status_id: first.id })
      await changed(c, taskId, { repeat_config: { trigger: 'on_complete' } })
      const json = { status_id: second.id }
      const { isSuccess, summary } = await c.api.call('updateTask', { params: { taskId }, json })
      if (!isSuccess) throw new Unreachable(summary)
      expectSame('tasks of that title', idsOf(await tasksListed(c, title)), [taskId])
    },
  }),
]
