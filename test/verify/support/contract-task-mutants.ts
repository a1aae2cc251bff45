// Mutants by sentence of the contract: spaces, lists and tasks.
/* eslint-disable @typescript-eslint/restrict-plus-operands, @typescript-eslint/no-dynamic-delete -- bodies are edited as they come, by names that come with them */
import { jsonResponse } from './deployment.ts'
import {
  accepts,
  behaves,
  cached,
  fields,
  ifWritten,
  misheard,
  mutant,
  refuses,
  shownBy,
  type Mutant,
} from './mutant.ts'

const lists: readonly Mutant[] = [
  behaves('createSpace', 'default_list_id names nothing', (json) => (json.default_list_id += '_x')),
  behaves('createSpace', 'answers no lists', (json) => (json.lists = [])),
  misheard('createSpace', 'behaviour', 'does not see color', ({ json }) => {
    delete json?.color
  }),
  misheard('createSpace', 'behaviour', 'does not see icon', ({ json }) => {
    delete json?.icon
  }),
  misheard('createSpace', 'behaviour', 'trims what it is called to 20 characters', ({ json }) => {
    if (typeof json?.name === 'string') json.name = json.name.slice(0, 20)
  }),
  accepts('createSpace', 'takes a space without a name', (json) => json.name === undefined, {
    id: 'space_0',
    name: '',
    color: '#000000',
    icon: '',
    default_list_id: 'list_0',
    lists: [],
  }),
  accepts('createList', 'takes a list without a name', (json) => json.name === undefined, { id: 'list_0' }),
  behaves('createList', 'space_id is that of another space', (json) => (json.space_id = 'space_0')),
  behaves('createList', 'space_name is its own name', (json) => (json.space_name = json.name)),
  misheard('createList', 'behaviour', 'does not see icon', ({ json }) => {
    delete json?.icon
  }),
  misheard('createList', 'behaviour', 'does not see color', ({ json }) => {
    delete json?.color
  }),
  misheard('updateList', 'behaviour', 'does not see icon', ({ json }) => {
    delete json?.icon
  }),
  misheard('updateList', 'behaviour', 'does not see name', ({ json }) => {
    delete json?.name
  }),
  misheard('updateSpace', 'behaviour', 'does not see icon', ({ json }) => {
    delete json?.icon
  }),
  misheard('updateSpace', 'behaviour', 'does not see name', ({ json }) => {
    delete json?.name
  }),
  misheard('updateList', 'behaviour', 'clears what is not sent', ({ json }) => {
    if (json?.name && fields(json).length === 1) json.color = '#000000'
  }),
  ifWritten(
    behaves('listLists', 'leaves out default lists', (json) => {
      json.lists = json.lists.filter(({ name }: any) => name !== 'Tasks')
    }),
  ),
  behaves('listLists', 'lists a list twice', ({ lists }) => lists.push(lists[0])),
  behaves('listSpaces', 'lists have no space_name', ({ spaces }) => {
    for (const list of spaces.flatMap(({ lists }: any) => lists)) delete list.space_name
  }),
  ifWritten(behaves('listSpaces', 'leaves out the last space', ({ spaces }) => spaces.pop())),
  behaves('listSpaces', 'default_list_id is that of another space', ({ spaces }) => {
    for (const space of spaces) space.default_list_id = spaces[0].default_list_id
  }),
  behaves('getList', 'space_name is empty', (json) => (json.space_name = '')),
  behaves('getList', 'folder_id is empty instead of null', (json) => (json.folder_id ??= '')),
  ifWritten(cached('getList')),
  ifWritten(
    behaves('getListSchema', 'a new list has no statuses', (json, { params }) => {
      if (params.listId!.startsWith('list_')) json.statuses = []
    }),
  ),
  shownBy(
    'listTasks',
    behaves('getListSchema', 'ids of statuses are their names', ({ statuses }) => {
      for (const status of statuses) status.id = status.name
    }),
  ),
  shownBy(
    'listTasks',
    behaves('getListSchema', 'leaves out a status', ({ statuses }) => statuses.shift()),
  ),
  behaves('getListSchema', 'fields have no table_id', ({ fields: all }) => {
    for (const field of all) delete field.table_id
  }),
  shownBy(
    'listTasks',
    behaves('getListSchema', 'mode is another', ({ fields: all }) => {
      for (const field of all) if (field.mode) field.mode = field.mode === 'items' ? 'select' : 'items'
    }),
  ),
  shownBy(
    'listTasks',
    behaves('getListSchema', 'leaves out the last field', ({ fields: all }) => all.pop()),
  ),
  behaves('getListSchema', 'formulas can be written', ({ fields: all }) => {
    for (const field of all) field.readonly = false
  }),
  behaves('getListSchema', 'fields have no options', ({ fields: all }) => {
    for (const field of all) if (field.options) field.options = []
  }),
]

const recurring = (wrong: string, holds: (config: any) => boolean) =>
  accepts('updateTask', wrong, ({ repeat_config: config }) => Boolean(config) && holds(config), {
    success: true,
  })

const tasks: readonly Mutant[] = [
  behaves('listTasks', 'the offset is always 0', (json) => (json.offset = 0)),
  misheard('listTasks', 'behaviour', 'the offset counts pages', ({ query }) => {
    if (query.has('offset'))
      query.set('offset', String(Number(query.get('offset')) * Number(query.get('limit') ?? 50)))
  }),
  mutant('listTasks', 'behaviour', 'q finds beginnings alone', {
    reply: ({ json, status }, { query }) => {
      const q = query.get('q')?.toLowerCase()
      if (q && status === 200)
        json.tasks = json.tasks.filter(({ title }: any) => title.toLowerCase().startsWith(q))
    },
  }),
  mutant('listTasks', 'behaviour', 'q finds whole titles alone', {
    reply: ({ json, status }, { query }) => {
      const q = query.get('q')?.toLowerCase()
      if (q && status === 200) json.tasks = json.tasks.filter(({ title }: any) => title.toLowerCase() === q)
    },
  }),
  behaves('listTasks', 'leaves out what is done', (json, { query }) => {
    if (!query.has('status'))
      json.tasks = json.tasks.filter(({ status_id }: any) => !/done|solved|won/.test(status_id))
  }),
  behaves('listTasks', 'assignees are ids', ({ tasks: all }) => {
    for (const task of all) task.assignees = task.assignees.map(({ id }: any) => id)
  }),
  shownBy(
    'getTask',
    behaves('listTasks', 'custom_data is empty', ({ tasks: all }) => {
      for (const task of all) task.custom_data = {}
    }),
  ),
  behaves('listTasks', 'custom_data is keyed by name', ({ tasks: all }) => {
    for (const task of all)
      task.custom_data = Object.fromEntries(
        Object.entries(task.custom_data).map(([id, value]) => [`Name of ${id}`, value]),
      )
  }),
  ifWritten(cached('listTasks')),
  ifWritten(cached('getTask')),
  behaves('getTask', 'assignees have no name', ({ assignees }) => {
    for (const one of assignees) one.name = one.id
  }),
  behaves('getTask', 'dates without a value are 0', (json) => {
    json.due_date ??= 0
    json.date_start ??= 0
  }),
  behaves('getTask', 'swaps the dates', (json) => {
    ;[json.due_date, json.date_start] = [json.date_start, json.due_date]
  }),
  ifWritten(behaves('getTask', 'updated_at does not move', (json) => (json.updated_at = json.created_at))),
  ifWritten(behaves('getTask', 'created_at moves', (json) => (json.created_at = json.updated_at))),
  behaves('getTask', 'priority goes the other way', (json) => (json.priority = 4 - json.priority)),
  ...['custom_data', 'priority', 'status_id', 'time_estimate', 'parent_task_id'].map((name) =>
    misheard('createTask', 'behaviour', `does not see ${name}`, ({ json }) => {
      if (json?.title) delete json[name]
    }),
  ),
  misheard('updateTask', 'behaviour', 'null does not clear due_date', ({ json }) => {
    if (json?.due_date === null) delete json.due_date
  }),
  misheard('updateTask', 'behaviour', 'null does not clear priority', ({ json }) => {
    if (json?.priority === null) delete json.priority
  }),
  misheard('updateTask', 'behaviour', 'an empty list keeps the assignees', ({ json }) => {
    if (json?.assignees?.length === 0) delete json.assignees
  }),
  accepts(
    'createTask',
    'takes unknown priorities',
    (json) => json.title && ![undefined, null, 'low', 'normal', 'high', 'urgent'].includes(json.priority),
    { id: 'task_0', attachments: [] },
  ),
  accepts('createTask', 'takes a task without a title', (json) => json.title === undefined, {
    id: 'task_0',
    attachments: [],
  }),
  accepts('createTask', 'takes a date as a text', (json) => typeof json.due_date === 'string', {
    id: 'task_0',
    attachments: [],
  }),
  accepts(
    'updateTask',
    'takes unknown priorities',
    (json) => ![undefined, null, 'low', 'normal', 'high', 'urgent'].includes(json.priority),
    { success: true },
  ),
  refuses(
    'updateTask',
    'refuses a description that is a document',
    ({ json }) => typeof json?.description === 'object' && json.description !== null,
  ),
  refuses(
    'updateTask',
    'refuses a description that is a text',
    ({ json }) => typeof json?.description === 'string',
  ),
  refuses(
    'updateTask',
    'needs a title',
    ({ json }) => json && fields(json).length > 0 && json.title === undefined,
  ),
  ...(['daily', 'weekdays', 'weekly', 'monthly'] as const).map((frequency) =>
    refuses('updateTask', `refuses ${frequency}`, ({ json }) => json?.repeat_config?.frequency === frequency),
  ),
  refuses('updateTask', 'refuses time', ({ json }) => /^\d\d:\d\d$/.test(json?.repeat_config?.time)),
  refuses('updateTask', 'refuses end_date', ({ json }) => Number.isInteger(json?.repeat_config?.end_date)),
  refuses(
    'updateTask',
    'on_complete needs a frequency',
    ({ json }) =>
      json?.repeat_config?.trigger === 'on_complete' && json.repeat_config.frequency === undefined,
  ),
  refuses('updateTask', 'refuses Sunday', ({ json }) => json?.repeat_config?.day_of_week === 0),
  refuses('updateTask', 'refuses day 31', ({ json }) => json?.repeat_config?.day_of_month === 31),
  recurring(
    'takes weekly without a day',
    (config) => config.frequency === 'weekly' && config.day_of_week === undefined,
  ),
  recurring(
    'takes monthly without a day',
    (config) => config.frequency === 'monthly' && config.day_of_month === undefined,
  ),
  recurring(
    'takes on_schedule without a frequency',
    (config) => config.trigger === 'on_schedule' && config.frequency === undefined,
  ),
  recurring('takes day_of_week 7', (config) => config.day_of_week > 6 || config.day_of_week < 0),
  recurring('takes day_of_month 32', (config) => config.day_of_month > 31),
  recurring('takes day_of_month 0', (config) => config.day_of_month === 0),
  recurring(
    'takes a wrong time',
    (config) => config.time !== undefined && !/^([01]\d|2[0-3]):[0-5]\d$/.test(config.time),
  ),
  recurring('takes unknown triggers', (config) => !['on_schedule', 'on_complete'].includes(config.trigger)),
  recurring(
    'takes unknown frequencies',
    (config) =>
      config.trigger === 'on_schedule' &&
      config.frequency !== undefined &&
      !['daily', 'weekdays', 'weekly', 'monthly'].includes(config.frequency),
  ),
  misheard('updateTask', 'transition', 'repeats tasks that are not done', async (asked) => {
    const { json, params, get, send } = asked
    if (!json?.status_id || json.repeat_config) return
    const task = await get(`/tasks/${params.taskId}`)
    const { spaces = [] } = await get('/spaces')
    for (const { id } of spaces.flatMap(({ lists: all }: any) => all)) {
      const { statuses = [] } = await get(`/lists/${id}/schema`)
      const to = statuses.find((one: any) => one.id === json.status_id)
      if (to?.type === 'active') await send('POST', `/lists/${id}/tasks`, { title: task.title })
    }
  }),
  mutant('deleteTask', 'status', 'deletes a task twice', {
    reply: (reply, { params }) => {
      if (reply.status === 404 && !params.taskId!.startsWith('verify_no'))
        Object.assign(reply, jsonResponse(200, { success: true }))
    },
  }),
]

export const contractTaskMutants: readonly Mutant[] = [...lists, ...tasks]
