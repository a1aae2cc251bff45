// Observes the answers to questions about shapes.
import { questions, type QuestionId } from '../../contract/questions/register.ts'
import { priorities } from '../../contract/tasks.ts'
import { reading, writing, type Observation, type Observer, type See } from './observer.ts'
import type { WholeTable } from '../engine/discovery.ts'
import { cellsOf, isNested } from '../rules/rows/shapes.ts'
import { isObject } from '../../contract/values/objects.ts'
import { isEmpty } from '../rules/rows/cells.ts'
import type { Form } from '../../contract/forms.ts'
import type { OperationId } from '../../contract/index.ts'
import { found, needed } from '../engine/expect.ts'
import { Unreachable, type Context } from '../engine/rule.ts'

async function allFields({ seen }: Context) {
  const fields = []
  for (const { id } of await seen.lists()) fields.push(...(await seen.listSchema(id)).fields)
  return fields
}

type BulkMode = 'insert' | 'upsert'

/** Sends rows in bulk. @returns the response, successful or not */
async function bulk({ api, own }: Context, rows: readonly unknown[], mode: BulkMode) {
  const { table, text } = await own.table()
  const upsert = mode === 'upsert' && { mode, key_column: text.id }
  const params = { tableId: table.id }
  const reply = await api.call('bulkInsertRows', { params, json: { rows, ...upsert } })
  if (![200, 400].includes(reply.status)) throw new Unreachable(`bulkInsertRows: ${reply.summary}`)
  return reply
}

/** Sees how rows are inserted and how they are upserted. */
const inBothModes = (question: QuestionId, see: (context: Context, mode: BulkMode) => Promise<Observation>) =>
  writing(
    question,
    (context) => see(context, 'insert'),
    (context) => see(context, 'upsert'),
  )

const goodRow = async ({ own }: Context) => ({ [(await own.table()).text.id]: own.text() })

/** Whether rows show a column that is empty. */
function emptyShown(operation: string, tables: readonly WholeTable[]): Observation {
  for (const { columns, rows } of tables)
    for (const { id: rowId, cells } of rows)
      for (const { id, name } of columns)
        if (isEmpty(cells[id]) && cells[id] !== '') {
          const isShown = Object.hasOwn(cells, id)
          const what = isShown ? `shows ${JSON.stringify(cells[id])}` : 'has nothing'
          const how = `${operation}: row ${rowId} ${what} for ${name}`
          return { answer: isShown ? 'null' : 'absent', how }
        }
  throw new Unreachable(`${operation}: every column of every row that was read has a value`)
}

function extrasOf(operation: string, task: object): Observation {
  const hasExtras = 'list_id' in task
  return { answer: hasExtras, how: `${operation} shows ${hasExtras ? 'a' : 'no'} list_id` }
}

/** Changes to something of the run's own. */
const changes: Readonly<Partial<Record<OperationId, object>>> = {
  updateTask: { title: 'verify' },
  updateComment: { content: 'changed' },
  updateList: { icon: 'star' },
  updateSpace: { icon: 'star' },
}

export const shapeObservers: readonly Observer[] = [
  reading('rowShape', async ({ api, seen }) => {
    const { table } = await seen.largestTable()
    const { rows } = await api.succeed('listRows', { params: { tableId: table.id }, query: { limit: 1 } })
    const first = needed(rows[0], 'no table has rows')
    const alone = await api.succeed('getRow', { params: { tableId: table.id, rowId: first.id } })
    const [inLists, inReads] = [isNested(first), isNested(alone)]
    if (inLists && !inReads)
      throw new Unreachable('listed rows have data and single ones have not, which no answer covers')
    const where = (isIn: boolean) => (isIn ? 'under data' : 'next to id')
    return {
      answer: inLists ? 'data' : inReads ? 'flatInLists' : 'flat',
      how: `row ${first.id} has its values ${where(inLists)} when listed, ${where(inReads)} alone`,
    }
  }),
  reading(
    'emptyColumns',
    async ({ seen }) => emptyShown('listRows', await seen.wholeTables()),
    async ({ api, seen }) => {
      const { table, columns, rows } = await seen.richTable()
      const alone = []
      for (const { id, version } of rows.slice(0, 3)) {
        const row = await api.succeed('getRow', { params: { tableId: table.id, rowId: id } })
        alone.push({ id, version, cells: cellsOf(row) })
      }
      return emptyShown('getRow', [{ table, columns, rows: alone }])
    },
  ),
  writing(
    'taskPriority',
    async ({ own }) => {
      const answer: Record<string, number> = { none: (await own.readTask(await own.task())).priority }
      for (const priority of priorities)
        answer[priority] = (await own.readTask(await own.task({ priority }))).priority
      return { answer, how: 'getTask of tasks that were created with each priority' }
    },
    async ({ api, own }) => {
      const answer: Record<string, number> = {}
      for (const name of ['none', ...priorities]) {
        const title = own.text()
        await own.task({ title, ...(name !== 'none' && { priority: name }) })
        const ask = { params: { listId: await own.listId() }, query: { q: title, limit: 200 } }
        const { tasks } = await api.succeed('listTasks', ask)
        answer[name] = found(tasks, (task) => task.title === title, 'the task is not listed').priority
      }
      return { answer, how: 'listTasks after tasks were created with each priority' }
    },
  ),
  reading(
    'taskReadExtras',
    async ({ api, seen }) => {
      const { task } = await seen.someTask()
      return extrasOf('getTask', await api.succeed('getTask', { params: { taskId: task.id } }))
    },
    async ({ seen }) => extrasOf('listTasks', (await seen.someTask()).task),
  ),
  reading('customFieldTypes', async (context) => {
    const known: readonly string[] = questions.customFieldTypes.default
    const types = [...new Set((await allFields(context)).map(({ type }) => type))]
    const more = types.filter((type) => !known.includes(type))
    if (more.length === 0)
      throw new Unreachable('only types in use can be seen, and all of those are in the default answer')
    return {
      answer: [...known, ...more],
      how: `fields have the types ${types.join(', ')}; others keep their default`,
      estimate: true,
    }
  }),
  reading('customFieldOptions', async (context) => {
    const field = (await allFields(context)).find(({ options = [] }) => options.length > 0)
    const { name, options = [] } = needed(field, 'no list has a custom field with options')
    const [option] = options
    const answer = isObject(option) && 'id' in option ? 'full' : 'label'
    return { answer, how: `field ${name} has the option ${JSON.stringify(option)}` }
  }),
  writing('timeEntryUsers', async ({ api, own }) => {
    const params = { taskId: await own.task() }
    await api.succeed('createTimeEntry', { params, json: { action: 'manual', duration: 60 } })
    const { users } = await api.succeed('listTimeEntries', { params })
    const user = needed(users[0], 'the task has an entry, but users is empty')
    const answer = 'total_seconds' in user ? 'totals' : 'names'
    return { answer, how: `users holds ${JSON.stringify(user)}` }
  }),
  reading('formTargetType', async ({ seen }) => {
    const isMeant = ({ target_type }: Form) => target_type !== 'task'
    const { id, target_type: answer } = found(await seen.forms(), isMeant, 'no form writes to a table')
    return { answer, how: `form ${id} has target_type ${answer}` }
  }),
  inBothModes('bulkErrors', async (context, mode) => {
    const { own } = context
    const rows = [await goodRow(context), ...own.badRows(await own.table(), 1)]
    const errors = (await bulk(context, rows, mode)).field('errors')
    if (errors === undefined)
      return { answer: 'omit', how: `${mode} of two rows, one bad, got a response without errors` }
    const entry: unknown = Array.isArray(errors) ? errors[0] : undefined
    if (!isObject(entry))
      throw new Unreachable(`errors holds ${JSON.stringify(errors)}, which no answer covers`)
    const answer = 'row' in entry ? 'numbered' : 'indexed'
    return { answer, how: `${mode} of two rows: the second failed as ${JSON.stringify(entry)}` }
  }),
  inBothModes('bulkAllFailed', async (context, mode) => {
    const { own } = context
    const { status } = await bulk(context, own.badRows(await own.table(), 1), mode)
    return { answer: status, how: `${mode} of one row, a bad one, got ${String(status)}` }
  }),
  inBothModes('bulkTotal', async (context, mode) => {
    const { api, own } = context
    const { table } = await own.table()
    await own.row()
    const shown = (await bulk(context, [await goodRow(context)], mode)).field('total')
    const { total } = await api.succeed('listRows', { params: { tableId: table.id }, query: { limit: 1 } })
    if (shown !== 1 && shown !== total)
      throw new Unreachable(`total is ${JSON.stringify(shown)}, which no answer covers`)
    const how = `${mode} of one row into a table of ${String(total)} gave total ${String(shown)}`
    return { answer: shown === 1 ? 'submitted' : 'table', how }
  }),
  writing(
    'mutationBody',
    ...Object.entries(changes).map(([operation, change]): See => async ({ api }) => {
      const { json } = await api.call(operation as OperationId, { json: change })
      if (!isObject(json)) throw new Unreachable(`${operation} returns no JSON object`)
      const answer = 'id' in json ? 'resource' : Object.keys(json).length === 0 ? 'empty' : 'success'
      return { answer, how: `${operation} returns ${JSON.stringify(json)}` }
    }),
  ),
]
