// The rules of repeating tasks.
import type { Context } from '../../engine/context.ts'
import { refusals } from '../refusals.ts'
import { assumed, contract, expectSame, expectThat, type Rule } from '../../engine/rule.ts'

const part = contract('RepeatConfig')
const ofTask = async ({ own }: Context) => ({ taskId: await own.sharedTask() })

const accepted: readonly (readonly [id: string, config: Record<string, unknown> | null])[] = [
  ['monthly', { trigger: 'on_schedule', frequency: 'monthly', day_of_month: 31, time: '23:59' }],
  ['weekly', { trigger: 'on_schedule', frequency: 'weekly', day_of_week: 0 }],
  ['on-complete', { trigger: 'on_complete' }],
  ['cleared', null],
]

const wrong: readonly (readonly [id: string, config: unknown])[] = [
  ['no-trigger', { frequency: 'daily' }],
  ['bad-trigger', { trigger: 'sometimes', frequency: 'daily' }],
  ['no-frequency', { trigger: 'on_schedule' }],
  ['bad-frequency', { trigger: 'on_schedule', frequency: 'yearly' }],
  ['weekly-without-day', { trigger: 'on_schedule', frequency: 'weekly' }],
  ['monthly-without-day', { trigger: 'on_schedule', frequency: 'monthly' }],
  ['day-of-week-7', { trigger: 'on_schedule', frequency: 'weekly', day_of_week: 7 }],
  ['day-of-month-32', { trigger: 'on_schedule', frequency: 'monthly', day_of_month: 32 }],
  ['time-24', { trigger: 'on_schedule', frequency: 'daily', time: '24:00' }],
  ['no-object', 'daily'],
]

const completion: Rule = {
  id: 'on-complete-clones',
  operation: 'updateTask',
  source: contract('Task, on_complete'),
  needs: 'write',
  says: 'a task that repeats on completion is cloned forward when it is done',
  check: async ({ api, own }) => {
    const title = own.text()
    const taskId = await own.task({ title, priority: 'high' })
    await api.succeed('updateTask', {
      params: { taskId },
      json: { repeat_config: { trigger: 'on_complete' } },
    })
    await api.succeed('updateTask', {
      params: { taskId },
      json: { status_id: (await own.statusOf('done')).id },
    })
    const ask = { params: { listId: await own.listId() }, query: { q: title, limit: 200 } }
    const { tasks } = await api.succeed('listTasks', ask)
    const clones = tasks.filter((task) => task.id !== taskId && task.title === title)
    expectSame('number of clones', clones.length, 1)
    const active = await own.statusOf('active')
    expectSame(
      'status of the clone',
      clones.map(({ status_id }) => status_id),
      [active.id],
      assumed('recurrence'),
    )
    const original = await own.readTask(taskId)
    expectThat(original.status_id !== active.id, 'the original done', original.status_id)
  },
}

export const taskRecurrenceRules: readonly Rule[] = [
  ...accepted.map(([id, config]): Rule => ({
    id: `repeat-${id}`,
    operation: 'updateTask',
    source: part,
    needs: 'write',
    says: `takes repeat_config ${JSON.stringify(config)}`,
    check: async ({ api, own }) => {
      const taskId = await own.task()
      await api.expect('updateTask', 200, { params: { taskId }, json: { repeat_config: config } })
    },
  })),
  ...refusals(
    wrong.map(([id, config]) => ({
      id: `repeat-${id}`,
      operation: 'updateTask',
      source: part,
      says: `refuses repeat_config ${JSON.stringify(config)}`,
      ask: async (context) => ({ params: await ofTask(context), json: { repeat_config: config } }),
    })),
  ),
  completion,
]
