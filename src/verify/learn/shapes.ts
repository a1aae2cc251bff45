// Observes the answers to questions about shapes.
import { questions, type QuestionId } from '../../contract/questions/register.ts'
import { mostPerPage, priorities } from '../../contract/limits.ts'
import type { Task } from '../../contract/tasks.ts'
import { reading, writing, type Observation, type Observer, type Observe } from './observer.ts'
import type { WholeTable } from '../engine/discovery.ts'
import { cellsOf, emptyColumnIn, isNested, rowShapeOf } from '../engine/shapes.ts'
import { isObject } from '../../contract/data/objects.ts'
import type { Form } from '../../contract/forms.ts'
import type { OperationId } from '../../contract/index.ts'
import { requireMatch, requireValue, Unreachable } from '../engine/drift.ts'
import type { Context } from '../engine/start.ts'

async function allFields({ discovered }: Context) {
  const fields = []
  for (const { id } of await discovered.lists()) fields.push(...(await discovered.listSchema(id)).fields)
  return fields
}

type BulkMode = 'insert' | 'upsert'

/** Sends rows in bulk. @returns the response, successful or not */
async function bulk({ api, own }: Context, rows: readonly unknown[], mode: BulkMode) {
  const upsert = mode === 'upsert' && { mode, key_column: (await own.table()).text.id }
  const reply = await api.call('bulkInsertRows', { json: { rows, ...upsert } })
  if (![200, 400].includes(reply.status)) throw new Unreachable(`bulkInsertRows: ${reply.summary}`)
  return reply
}

/** Sees how rows are inserted and how they are upserted. */
const inBothModes = (
  question: QuestionId,
  observe: (context: Context, mode: BulkMode) => Promise<Observation>,
) =>
  writing(
    question,
    (context) => observe(context, 'insert'),
    (context) => observe(context, 'upsert'),
  )

const goodRow = async ({ own }: Context) => ({ [(await own.table()).text.id]: own.text() })

/** Whether rows show a column that is empty. */
function observeEmpty(operation: string, tables: readonly WholeTable[]): Observation {
  for (const { columns, rows } of tables)
    for (const { id: rowId, cells } of rows) {
      const empty = emptyColumnIn(columns, cells)
      if (!empty) continue
      const { column, answer } = empty
      const what = answer === 'null' ? `shows ${JSON.stringify(cells[column.id])}` : 'has nothing'
      return [answer, `${operation}: row ${rowId} ${what} for ${column.name}`]
    }
  throw new Unreachable(`${operation}: every column of every row that was read has a value`)
}

function extrasOf(operation: string, task: object): Observation {
  const answer = 'list_id' in task
  return [answer, `${operation} shows ${answer ? 'a' : 'no'} list_id`]
}

/** The integers of priorities, as an operation shows tasks that were created with each. */
const withPriorities =
  (
    operation: OperationId,
    shown: (context: Context, title: string, taskId: string) => Promise<Task>,
  ): Observe =>
  async (context) => {
    const answer: Record<string, number> = {}
    for (const name of ['none', ...priorities]) {
      const title = context.own.text()
      const taskId = await context.own.task({ title, ...(name !== 'none' && { priority: name }) })
      answer[name] = (await shown(context, title, taskId)).priority
    }
    return [answer, `${operation} of tasks that were created with each priority`]
  }

/** Changes to something of the run's own. */
const changes: Readonly<Partial<Record<OperationId, object>>> = {
  updateTask: { title: 'verify' },
  updateComment: { content: 'changed' },
  updateList: { icon: 'star' },
  updateSpace: { icon: 'star' },
}

export const shapeObservers: readonly Observer[] = [
  reading('rowShape', async ({ api, discovered }) => {
    const { table } = await discovered.largestTable()
    const { rows } = await api.succeed('listRows', { params: { tableId: table.id }, query: { limit: 1 } })
    const first = requireValue(rows[0], 'no table has rows')
    const alone = await api.succeed('getRow', { params: { tableId: table.id, rowId: first.id } })
    const where = (row: unknown) => (isNested(row) ? 'under data' : 'next to id')
    const how = `row ${first.id} has its values ${where(first)} when listed, ${where(alone)} alone`
    return [rowShapeOf(first, alone), how]
  }),
  reading(
    'emptyColumns',
    async ({ discovered }) => observeEmpty('listRows', await discovered.wholeTables()),
    async ({ api, discovered }) => {
      const { table, columns, rows } = await discovered.richTable()
      const alone = []
      for (const { id } of rows.slice(0, 3)) {
        const row = await api.succeed('getRow', { params: { tableId: table.id, rowId: id } })
        alone.push({ id, cells: cellsOf(row) })
      }
      return observeEmpty('getRow', [{ table, columns, rows: alone }])
    },
  ),
  writing(
    'taskPriority',
    withPriorities('getTask', ({ own }, _, taskId) => own.readTask(taskId)),
    withPriorities('listTasks', async ({ api }, title) => {
      const { tasks } = await api.succeed('listTasks', { query: { limit: mostPerPage.tasks, q: title } })
      return requireMatch(tasks, (task) => task.title === title, 'the task is not listed')
    }),
  ),
  reading(
    'taskReadExtras',
    async ({ api, discovered }) => {
      const { id: taskId } = await discovered.someTask()
      return extrasOf('getTask', await api.succeed('getTask', { params: { taskId } }))
    },
    async ({ discovered }) => extrasOf('listTasks', await discovered.someTask()),
  ),
  reading('customFieldTypes', async (context) => {
    const known: readonly string[] = questions.customFieldTypes.default
    const types = [...new Set((await allFields(context)).map(({ type }) => type))]
    const more = types.filter((type) => !known.includes(type))
    if (more.length === 0)
      throw new Unreachable('only types in use can be seen, and all of those are in the default answer')
    return [[...known, ...more], `fields have the types ${types.join(', ')}; others keep their default`, true]
  }),
  reading('customFieldOptions', async (context) => {
    const field = (await allFields(context)).find(({ options = [] }) => options.length > 0)
    const { name, options = [] } = requireValue(field, 'no list has a custom field with options')
    const [option] = options
    const answer = isObject(option) && 'id' in option ? 'full' : 'label'
    return [answer, `field ${name} has the option ${JSON.stringify(option)}`]
  }),
  writing('timeEntryUsers', async ({ api, own }) => {
    const params = { taskId: await own.task() }
    await api.succeed('createTimeEntry', { params, json: { action: 'manual', duration: 60 } })
    const { users } = await api.succeed('listTimeEntries', { params })
    const user = requireValue(users[0], 'the task has an entry, but users is empty')
    const answer = 'total_seconds' in user ? 'totals' : 'names'
    return [answer, `users holds ${JSON.stringify(user)}`]
  }),
  reading('formTargetType', async ({ discovered }) => {
    const isMeant = ({ target_type }: Form) => target_type !== 'task'
    const { id, target_type: answer } = requireMatch(
      await discovered.forms(),
      isMeant,
      'no form writes to a table',
    )
    return [answer, `form ${id} has target_type ${answer}`]
  }),
  inBothModes('bulkErrors', async (context, mode) => {
    const { own } = context
    const rows = [await goodRow(context), ...own.badRows(await own.table(), 1)]
    const errors = (await bulk(context, rows, mode)).field('errors')
    if (errors === undefined) return ['omit', `${mode} of two rows, one bad, got a response without errors`]
    const entry: unknown = Array.isArray(errors) ? errors[0] : undefined
    const answer = isObject(entry) ? ('row' in entry ? 'numbered' : 'indexed') : undefined
    return [answer, `${mode} of two rows: the second failed as ${JSON.stringify(entry)}`]
  }),
  inBothModes('bulkAllFailed', async (context, mode) => {
    const { own } = context
    const { status } = await bulk(context, own.badRows(await own.table(), 1), mode)
    return [status, `${mode} of one row, a bad one, got ${String(status)}`]
  }),
  inBothModes('bulkTotal', async (context, mode) => {
    const { api, own } = context
    await own.row()
    const shown = (await bulk(context, [await goodRow(context)], mode)).field('total')
    const { total } = await api.succeed('listRows', { query: { limit: 1 } })
    const how = `${mode} of one row into a table of ${String(total)} gave total ${JSON.stringify(shown)}`
    return [shown === 1 ? 'submitted' : shown === total ? 'table' : undefined, how]
  }),
  writing(
    'mutationBody',
    ...Object.entries(changes).map(([operation, change]): Observe => async ({ api }) => {
      const { json } = await api.call(operation as OperationId, { json: change })
      if (!isObject(json)) throw new Unreachable(`${operation} returns no JSON object`)
      const answer = 'id' in json ? 'resource' : Object.keys(json).length === 0 ? 'empty' : 'success'
      return [answer, `${operation} returns ${JSON.stringify(json)}`]
    }),
  ),
]
