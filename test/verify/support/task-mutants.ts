// Mutants of spaces, lists, tasks and what belongs to tasks, and of forms.
/* eslint-disable @typescript-eslint/restrict-plus-operands, @typescript-eslint/no-dynamic-delete -- bodies are edited as they come, by names that come with them */
import { jsonResponse, type Asked } from './deployment.ts'
import { edited, ifWritten, misheard, mutant, retyped, type Mutant } from './mutant.ts'

/** Responds with the name that was first seen. */
const stale = (operation: Mutant['operation'], wrong: string, owners: (json: any) => any[], name: string) =>
  ifWritten(
    mutant(operation, 'behaviour', wrong, () => {
      const known = new Map<string, unknown>()
      return {
        reply: ({ json, status }) => {
          for (const owner of status < 300 ? owners(json) : []) {
            if (!known.has(owner.id)) known.set(owner.id, owner[name])
            owner[name] = known.get(owner.id)
          }
        },
      }
    }),
  )

const spaces: readonly Mutant[] = [
  stale(
    'listSpaces',
    'a renamed list keeps its name in its space',
    ({ spaces }) => spaces.flatMap(({ lists }: any) => lists),
    'name',
  ),
  stale('listLists', 'a renamed list keeps its name', ({ lists }) => lists, 'name'),
  stale('getList', 'a renamed space keeps its name in its lists', (list) => [list], 'space_name'),
  stale('listLists', 'a renamed space keeps its name in its lists', ({ lists }) => lists, 'space_name'),
  ...(['updateSpace', 'updateList'] as const).map((operation) =>
    misheard(operation, 'behaviour', 'a refused change is made in part', async ({ json, params, send }) => {
      const path = operation === 'updateSpace' ? `/spaces/${params.spaceId}` : `/lists/${params.listId}`
      if (json && 'name' in json && Object.keys(json).length > 1)
        await send('PATCH', path, { name: json.name })
    }),
  ),
  misheard('createList', 'behaviour', 'loses what is not ASCII', ({ json }) => {
    if (typeof json?.name === 'string') json.name = json.name.replace(/[^\x20-\x7e]/g, '?')
  }),
  misheard('updateSpace', 'behaviour', 'does not see color', ({ json }) => {
    delete json?.color
  }),
]

const withTitle = (
  operation: 'createTask' | 'updateTask',
  wrong: string,
  change: (title: string) => string,
) =>
  misheard(operation, 'behaviour', wrong, ({ json }) => {
    if (typeof json?.title === 'string') json.title = change(json.title)
  })

const ignoring = (operation: Mutant['operation'], name: string) =>
  misheard(operation, 'behaviour', `does not see ${name}`, ({ json }) => {
    if (json && typeof json === 'object') delete json[name]
  })

/** Changes the clone of a completed task. */
const clone = (wrong: string, change: (asked: Asked, id: string) => Promise<unknown>) =>
  mutant('updateTask', 'transition', wrong, {
    ask: async (asked) => {
      if (!asked.json?.status_id) return
      const before = await asked.get(`/tasks/${asked.params.taskId}`)
      const response = await asked.send('PATCH', `/tasks/${asked.params.taskId}`, asked.json)
      asked.instead = jsonResponse(response.status, await response.json())
      const { spaces = [] } = await asked.get('/spaces')
      for (const { id } of spaces.flatMap(({ lists }: any) => lists).slice(-3)) {
        const { tasks = [] } = await asked.get(
          `/lists/${id}/tasks?limit=200&q=${encodeURIComponent(before.title)}`,
        )
        for (const task of tasks)
          if (task.id !== before.id && task.title === before.title) await change(asked, task.id)
      }
    },
  })

const listed = (wrong: string, change: (json: any, asked: Asked) => void) =>
  edited('listTasks', 'behaviour', wrong, change)

/** Keeps responding although the task is deleted. */
const outlives = (operation: Mutant['operation'], json: unknown) => {
  return mutant(operation, 'behaviour', 'finds what belongs to a deleted task', {
    reply: (reply, { params }) => {
      if (reply.status === 404 && !String(params.taskId).startsWith('verify_no'))
        Object.assign(reply, jsonResponse(200, json))
    },
  })
}

const tasks: readonly Mutant[] = [
  edited('listTasks', 'limit', 'a page of 200 has 199', (json) => {
    if (json.tasks.length === 200) json.tasks.pop()
  }),
  misheard('listTasks', 'behaviour', 'does not see status where q is given', ({ query }) => {
    if (query.has('q')) query.delete('status')
  }),
  misheard('listTasks', 'behaviour', 'does not see offset where status is given', ({ query }) => {
    if (query.has('status')) query.delete('offset')
  }),
  misheard('listTasks', 'behaviour', 'q takes % and _ as wildcards', ({ query }) => {
    if (/^[%_]$/.test(query.get('q') ?? '')) query.delete('q')
  }),
  ifWritten(listed('lists new tasks first', (json) => json.tasks.reverse())),
  listed('the limit is always 50', (json) => {
    json.limit = 50
  }),
  retyped('getTask', 'created_at', 'in milliseconds', (seconds: number) => seconds * 1000),
  edited('getTask', 'type', 'all times are in milliseconds', (json) => {
    for (const name of ['created_at', 'updated_at', 'due_date', 'date_start'])
      if (json[name]) json[name] *= 1000
  }),
  edited('getTask', 'type', 'all times are strings', (json) => {
    for (const name of ['created_at', 'updated_at']) json[name] = String(json[name])
  }),
  withTitle('createTask', 'cuts titles at 80 characters', (title) => title.slice(0, 80)),
  withTitle('createTask', 'escapes HTML', (title) => title.replaceAll('&', '&amp;')),
  withTitle('createTask', 'loses what is not ASCII', (title) => title.replace(/[^\x20-\x7e]/g, '?')),
  withTitle('updateTask', 'loses what is not ASCII', (title) => title.replace(/[^\x20-\x7e]/g, '?')),
  ...['due_date', 'date_start', 'priority', 'assignees', 'title'].map((name) => ignoring('updateTask', name)),
  ...['date_start', 'assignees', 'due_date'].map((name) => ignoring('createTask', name)),
  misheard('createTask', 'behaviour', 'keeps one assignee alone', ({ json }) => {
    if (Array.isArray(json?.assignees)) json.assignees.length = Math.min(1, json.assignees.length)
  }),
  misheard(
    'updateTask',
    'behaviour',
    'adds assignees instead of replacing them',
    async ({ json, params, get }) => {
      if (!Array.isArray(json?.assignees)) return
      const { assignees = [] } = await get(`/tasks/${params.taskId}`)
      json.assignees = [...new Set([...assignees.map(({ id }: any) => id), ...json.assignees])]
    },
  ),
  misheard('updateTask', 'transition', 'repeat_config null does not end the repetition', ({ json }) => {
    if (json?.repeat_config === null) delete json.repeat_config
  }),
  clone('the clone has no assignees', (asked, id) => asked.send('PATCH', `/tasks/${id}`, { assignees: [] })),
  clone('the clone has no priority', (asked, id) => asked.send('PATCH', `/tasks/${id}`, { priority: null })),
  misheard('updateTask', 'behaviour', 'a refused change is made in part', async ({ json, params, send }) => {
    if (json && 'title' in json && Object.keys(json).length > 1)
      await send('PATCH', `/tasks/${params.taskId}`, { title: json.title })
  }),
  mutant('updateTask', 'behaviour', 'clears what is not sent', {
    ask: ({ json }) => {
      if (json?.title && Object.keys(json).length === 1) json.date_start = null
    },
  }),
  misheard('deleteTask', 'behaviour', 'deletes the task after it too', async (asked) => {
    const { spaces = [] } = await asked.get('/spaces')
    for (const { id } of spaces.flatMap(({ lists }: any) => lists)) {
      const { tasks = [] } = await asked.get(`/lists/${id}/tasks?limit=200`)
      const at = tasks.findIndex((task: any) => task.id === asked.params.taskId)
      const next = at === -1 ? undefined : tasks[at + 1]
      if (next) await asked.send('DELETE', `/tasks/${next.id}`)
    }
  }),
  ifWritten(outlives('listComments', { comments: [] })),
  ifWritten(outlives('listTimeEntries', { entries: [], users: [], total_seconds: 0 })),
  ifWritten(outlives('listTaskAttachments', { attachments: [] })),
  mutant('createTask', 'behaviour', 'a refused file leaves its task behind', {
    ask: async ({ text, params, send, headers }) => {
      const title = /"title":"([^"]*)"/.exec(text)?.[1]
      if (title && text.length > 4096 && headers.get('content-type')?.startsWith('multipart'))
        await send('POST', `/lists/${params.listId}/tasks`, { title })
    },
  }),
]

const comments: readonly Mutant[] = [
  misheard('createComment', 'behaviour', 'escapes HTML', ({ json }) => {
    if (typeof json?.content === 'string') json.content = json.content.replaceAll('<', '&lt;')
  }),
  misheard('createComment', 'behaviour', 'loses what is not ASCII', ({ json }) => {
    if (typeof json?.content === 'string') json.content = json.content.replace(/[^\x20-\x7e\n]/g, '?')
  }),
  ifWritten(edited('listComments', 'behaviour', 'lists the newest first', (json) => json.comments.reverse())),
  ifWritten(
    retyped('listComments', 'comments.*.created_at', 'in milliseconds', (seconds: number) => seconds * 1000),
  ),
  edited('listComments', 'behaviour', 'author_name is the id', (json) => {
    for (const comment of json.comments) comment.author_name = comment.author_id
  }),
  misheard(
    'deleteComment',
    'behaviour',
    'deletes all comments of the task',
    async ({ params, get, send }) => {
      const { comments = [] } = await get(`/tasks/${params.taskId}/comments`)
      if (comments.some(({ id }: any) => id === params.commentId))
        for (const { id } of comments)
          if (id !== params.commentId) await send('DELETE', `/tasks/${params.taskId}/comments/${id}`)
    },
  ),
  mutant('deleteComment', 'behaviour', 'finds comments of other tasks', {
    reply: (reply, { params }) => {
      if (reply.status === 404 && params.commentId !== 'verify_no_such_id')
        Object.assign(reply, jsonResponse(200, { success: true }))
    },
  }),
  misheard('updateComment', 'behaviour', 'changes documents alone', (asked) => {
    if (typeof asked.json?.content === 'string' && asked.params.commentId !== 'verify_no_such_id')
      asked.instead = jsonResponse(200, { success: true })
  }),
  ifWritten(
    edited('listComments', 'behaviour', 'updated_at stays null', (json) => {
      for (const comment of json.comments) comment.updated_at = null
    }),
  ),
]

const time: readonly Mutant[] = [
  misheard('updateTimeEntry', 'behaviour', 'billable false is not stored', ({ json }) => {
    if (json?.billable === false) delete json.billable
  }),
  misheard('updateTimeEntry', 'behaviour', 'an empty note is not stored', ({ json }) => {
    if (json?.note === '') delete json.note
  }),
  ...['note', 'date_start', 'date_end', 'duration'].map((name) => ignoring('updateTimeEntry', name)),
  misheard('createTimeEntry', 'behaviour', 'as_user is not seen by start', ({ json }) => {
    if (json?.action === 'start' && json.as_user !== 'verify_no_such_id') delete json.as_user
  }),
  misheard('createTimeEntry', 'behaviour', 'loses what is not ASCII', ({ json }) => {
    if (typeof json?.note === 'string') json.note = json.note.replace(/[^\x20-\x7e]/g, '?')
  }),
  edited('createTimeEntry', 'type', 'times are in milliseconds', (json) => {
    for (const name of ['date_start', 'date_end']) if (json[name]) json[name] *= 1000
  }),
  edited('createTimeEntry', 'type', 'a timer starts an hour ago', (json, { json: sent }) => {
    if (sent.action === 'start') json.date_start -= 3600
  }),
  mutant('listTimeEntries', 'behaviour', 'total_seconds counts what was deleted', () => {
    const totals = new Map<string, number>()
    return {
      reply: ({ json, status }, { params }) => {
        if (status !== 200) return
        const most = Math.max(totals.get(params.taskId!) ?? 0, json.total_seconds)
        totals.set(params.taskId!, most)
        json.total_seconds = most
      },
    }
  }),
  edited('listTimeEntries', 'behaviour', 'names the first user alone', (json) => {
    json.users.length = Math.min(1, json.users.length)
  }),
  misheard(
    'deleteTimeEntry',
    'behaviour',
    'deletes all entries of the task',
    async ({ params, get, send }) => {
      const { entries = [] } = await get(`/tasks/${params.taskId}/time-entries`)
      if (entries.some(({ id }: any) => id === params.entryId))
        for (const { id } of entries)
          if (id !== params.entryId) await send('DELETE', `/tasks/${params.taskId}/time-entries/${id}`)
    },
  ),
].map((one) => (one.operation === 'listTimeEntries' ? ifWritten(one) : one))

const files: readonly Mutant[] = [
  ifWritten(
    mutant('downloadTaskAttachment', 'behaviour', 'answers text as it understands it', {
      reply: (reply) => {
        if (reply.status === 200)
          Object.assign(reply, {
            json: undefined,
            bytes: new TextEncoder().encode(new TextDecoder().decode(reply.bytes)),
          })
      },
    }),
  ),
  edited('uploadTaskAttachment', 'behaviour', 'encodes the name', ({ attachment }) => {
    attachment.filename = encodeURIComponent(attachment.filename)
  }),
  ifWritten(
    edited('listTaskAttachments', 'behaviour', 'a plus in a name is a space', (json) => {
      for (const file of json.attachments) file.filename = file.filename.replaceAll('+', ' ')
    }),
  ),
  misheard(
    'deleteTaskAttachment',
    'behaviour',
    'deletes all files of the task',
    async ({ params, get, send }) => {
      const { attachments = [] } = await get(`/tasks/${params.taskId}/attachments`)
      if (attachments.some(({ id }: any) => id === params.attachmentId))
        for (const { id } of attachments)
          if (id !== params.attachmentId) await send('DELETE', `/tasks/${params.taskId}/attachments/${id}`)
    },
  ),
  ifWritten(
    edited('listTaskAttachments', 'behaviour', 'url leads to another host', (json) => {
      for (const file of json.attachments)
        file.url = file.url.replace(/^https?:\/\/[^/]+/, 'https://files.example.com')
    }),
  ),
  ifWritten(
    edited('listTaskAttachments', 'behaviour', 'url leads nowhere', (json) => {
      for (const file of json.attachments) file.url += 'x'
    }),
  ),
]

const forms: readonly Mutant[] = [
  edited('getForm', 'field', 'rules are null', ({ form }) => {
    form.rules = null
  }),
  edited('getForm', 'behaviour', 'field_config has no options', ({ form }) => {
    for (const item of form.field_config) delete item.options
  }),
  misheard('listFormSubmissions', 'behaviour', 'does not see offset where since is given', ({ query }) => {
    if (query.has('since')) query.delete('offset')
  }),
  misheard('listFormSubmissions', 'behaviour', 'does not see limit where since is given', ({ query }) => {
    if (query.has('since')) query.delete('limit')
  }),
  edited('listFormSubmissions', 'behaviour', 'created_entity_id names nothing', (json) => {
    for (const one of json.submissions) one.created_entity_id += '_x'
  }),
  edited('listFormSubmissions', 'behaviour', 'data is keyed by label', (json) => {
    for (const one of json.submissions)
      one.data = Object.fromEntries(
        Object.entries(one.data).map(([key, value]) => [`Label of ${key}`, value]),
      )
  }),
  retyped(
    'listFormSubmissions',
    'submissions.*.created_at',
    'in milliseconds',
    (seconds: number) => seconds * 1000,
  ),
  edited('listFormSubmissions', 'behaviour', 'lists the newest first', (json) => json.submissions.reverse()),
  edited('listForms', 'behaviour', 'submission_count is one less', (json) => {
    for (const form of json.forms) form.submission_count = Math.max(0, form.submission_count - 1)
  }),
  edited('getIdentity', 'behaviour', 'leaves out the last member', (json) => json.members.pop()),
]

export const taskMutants: readonly Mutant[] = [...spaces, ...tasks, ...comments, ...time, ...files, ...forms]
