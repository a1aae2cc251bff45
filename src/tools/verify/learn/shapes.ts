// Observes the answers to questions about shapes.
import { questions, type QuestionId } from '../../../contract/questions/register.ts'
import { mostPerPage, priorities } from '../../../contract/limits.ts'
import type { Task } from '../../../contract/tasks.ts'
import { reading, writing, type Observation, type Observer, type Observe } from './observer.ts'
import { cellsOf, emptyColumnIn, isNested, rowShapeOf, type MarkableTable } from '../engine/shapes.ts'
import { isObject } from '../../../contract/data/objects.ts'
import type { Form } from '../../../contract/forms.ts'
import type { OperationId } from '../../../contract/index.ts'
import { requireMatch, requireValue, Unreachable } from '../engine/drift.ts'
import type { FilledTable, LiveWorkspace } from './live-workspace.ts'

async function readFields(live: LiveWorkspace) {
  const fields = []
  for (const { id } of await live.readLists()) fields.push(...(await live.readListSchema(id)).fields)
  return fields
}

type BulkMode = 'insert' | 'upsert'

/** @returns the response, successful or not */
async function sendBulk({ api }: LiveWorkspace, { text }: MarkableTable, mode: BulkMode, rows: unknown[]) {
  const upsert = mode === 'upsert' && { mode, key_column: text.id }
  const reply = await api.call('bulkInsertRows', { json: { rows, ...upsert } })
  if (![200, 400].includes(reply.status)) throw new Unreachable(`bulkInsertRows: ${reply.summary}`)
  return reply
}

type ObserveBulk = (live: LiveWorkspace, table: MarkableTable, mode: BulkMode) => Promise<Observation>

const observeBothModes = (question: QuestionId, observe: ObserveBulk) =>
  writing(
    question,
    async (live) => observe(live, await live.chooseTable(), 'insert'),
    async (live) => observe(live, await live.chooseTable(), 'upsert'),
  )

/** Finds an empty column and how it is shown. */
function observeEmpty(
  operation: string,
  tables: readonly Pick<FilledTable, 'columns' | 'rows'>[],
): Observation {
  for (const { columns, rows } of tables)
    for (const row of rows) {
      const cells = cellsOf(row)
      const empty = emptyColumnIn(columns, cells)
      if (!empty) continue
      const { column, answer } = empty
      const what = answer === 'null' ? `shows ${JSON.stringify(cells[column.id])}` : 'has nothing'
      return [answer, `${operation}: row ${row.id} ${what} for ${column.name}`]
    }
  throw new Unreachable(`${operation}: every column of every row that was read has a value`)
}

function extrasOf(operation: string, task: object): Observation {
  const answer = 'list_id' in task
  return [answer, `${operation} shows ${answer ? 'a' : 'no'} list_id`]
}

const observePriorities =
  (operation: OperationId, show: (live: LiveWorkspace, taskId: string) => Promise<Task>): Observe =>
  async (live) => {
    const answer: Record<string, number> = {}
    for (const name of ['none', ...priorities]) {
      const create = () => live.createTask(name === 'none' ? {} : { priority: name })
      answer[name] = (await show(live, await live.makeOnce(`task of priority ${name}`, create))).priority
    }
    return [answer, `${operation} of tasks that were created with each priority`]
  }

const changes: Readonly<Partial<Record<OperationId, object>>> = {
  updateTask: { title: 'verify' },
  updateComment: { content: 'changed' },
  updateList: { icon: 'star' },
  updateSpace: { icon: 'star' },
}

export const shapeObservers: readonly Observer[] = [
  reading('rowShape', async (live) => {
    const { id: tableId, rows } = await live.readRichTable()
    const first = requireValue(rows[0], 'no table has rows')
    const alone = await live.api.succeed('getRow', { params: { tableId, rowId: first.id } })
    const where = (row: unknown) => (isNested(row) ? 'under data' : 'next to id')
    const how = `row ${first.id} has its values ${where(first)} when listed, ${where(alone)} alone`
    return [rowShapeOf(first, alone), how]
  }),
  reading(
    'emptyColumns',
    async (live) => observeEmpty('listRows', await live.readFilledTables()),
    async (live) => {
      const { id: tableId, columns, rows } = await live.readRichTable()
      const alone = []
      for (const { id: rowId } of rows.slice(0, 3))
        alone.push(await live.api.succeed('getRow', { params: { tableId, rowId } }))
      return observeEmpty('getRow', [{ columns, rows: alone }])
    },
  ),
  writing(
    'taskPriority',
    observePriorities('getTask', ({ api }, taskId) => api.succeed('getTask', { params: { taskId } })),
    observePriorities('listTasks', async ({ api }, taskId) => {
      const { tasks } = await api.succeed('listTasks', { query: { limit: mostPerPage.tasks } })
      return requireMatch(tasks, ({ id }) => id === taskId, 'the task is not listed')
    }),
  ),
  reading(
    'taskReadExtras',
    async (live) => {
      const { id: taskId } = await live.readSomeTask()
      return extrasOf('getTask', await live.api.succeed('getTask', { params: { taskId } }))
    },
    async (live) => extrasOf('listTasks', await live.readSomeTask()),
  ),
  reading('customFieldTypes', async (live) => {
    const known: readonly string[] = questions.customFieldTypes.default
    const types = [...new Set((await readFields(live)).map(({ type }) => type))]
    const more = types.filter((type) => !known.includes(type))
    if (more.length === 0)
      throw new Unreachable('only types in use can be seen, and all of those are in the default answer')
    return [[...known, ...more], `fields have the types ${types.join(', ')}; others keep their default`, true]
  }),
  reading('customFieldOptions', async (live) => {
    const field = (await readFields(live)).find(({ options = [] }) => options.length > 0)
    const { name, options = [] } = requireValue(field, 'no list has a custom field with options')
    const [option] = options
    const answer = isObject(option) && 'id' in option ? 'full' : 'label'
    return [answer, `field ${name} has the option ${JSON.stringify(option)}`]
  }),
  writing('timeEntryUsers', async (live) => {
    const api = await live.createTaskClient()
    await api.succeed('createTimeEntry', { json: { action: 'manual', duration: 60 } })
    const { users } = await api.succeed('listTimeEntries')
    const user = requireValue(users[0], 'the task has an entry, but users is empty')
    const answer = 'total_seconds' in user ? 'totals' : 'names'
    return [answer, `users holds ${JSON.stringify(user)}`]
  }),
  reading('formTargetType', async (live) => {
    const isMeant = ({ target_type }: Form) => target_type !== 'task'
    const forms = await live.readForms()
    const { id, target_type: answer } = requireMatch(forms, isMeant, 'no form writes to a table')
    return [answer, `form ${id} has target_type ${answer}`]
  }),
  observeBothModes('bulkErrors', async (live, table, mode) => {
    const rows = [live.makeGoodRow(table), ...live.makeBadRows(table, 1)]
    const errors = (await sendBulk(live, table, mode, rows)).field('errors')
    if (errors === undefined) return ['omit', `${mode} of two rows, one bad, got a response without errors`]
    const entry: unknown = Array.isArray(errors) ? errors[0] : undefined
    const answer = isObject(entry) ? ('row' in entry ? 'numbered' : 'indexed') : undefined
    return [answer, `${mode} of two rows: the second failed as ${JSON.stringify(entry)}`]
  }),
  observeBothModes('bulkAllFailed', async (live, table, mode) => {
    const { status } = await sendBulk(live, table, mode, live.makeBadRows(table, 1))
    return [status, `${mode} of one row, a bad one, got ${String(status)}`]
  }),
  observeBothModes('bulkTotal', async (live, table, mode) => {
    await live.createRow()
    const shown = (await sendBulk(live, table, mode, [live.makeGoodRow(table)])).field('total')
    const { total } = await live.api.succeed('listRows', { query: { limit: 1 } })
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
