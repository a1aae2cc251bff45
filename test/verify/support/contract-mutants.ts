// Mutants by sentence of the contract: keys, comments, time entries, files, forms, and rules for every operation.
/* eslint-disable @typescript-eslint/restrict-plus-operands -- bodies are edited as they come */
import { jsonResponse } from './deployment.ts'
import {
  accepts,
  behaves,
  cached,
  header,
  ifWritten,
  misheard,
  mutant,
  refuses,
  retyped,
  shownBy,
  status,
  without,
  type Mutant,
} from './mutant.ts'

const identity: readonly Mutant[] = [
  behaves('getIdentity', 'names a member twice', ({ members }) => members.push(members[0])),
  retyped('getIdentity', 'members.*.id', 'a number', () => 7),
  behaves('getIdentity', 'ids of members are others', ({ members }) => {
    for (const member of members) member.id = `user-${member.id}`
  }),
  misheard('listForms', 'behaviour', 'compares the beginning of a key', ({ headers }) => {
    const given = headers.get('authorization') ?? ''
    if (given.includes('wm_demo_maste')) headers.set('authorization', 'Bearer wm_demo_master')
  }),
  misheard('createTask', 'behaviour', 'writes without a key', (asked) => {
    if (!asked.headers.has('authorization'))
      asked.instead = jsonResponse(201, { id: 'task_0', attachments: [] })
  }),
]

const comments: readonly Mutant[] = [
  ifWritten(
    behaves('listComments', 'documents are texts', ({ comments: all }) => {
      for (const one of all) if (typeof one.content === 'object') one.content = JSON.stringify(one.content)
    }),
  ),
  behaves('listComments', 'task_id is another', ({ comments: all }) => {
    for (const one of all) one.task_id += '_x'
  }),
  ifWritten(
    behaves('listComments', 'created_at moves', ({ comments: all }) => {
      for (const one of all) one.created_at = one.updated_at ?? one.created_at
    }),
  ),
  ifWritten(
    behaves('listComments', 'authors are no members', ({ comments: all }) => {
      for (const one of all) one.author_id += '_x'
    }),
  ),
  ifWritten(cached('listComments')),
  accepts('createComment', 'takes a comment without content', (json) => json.content === undefined, {
    id: 'c',
  }),
  accepts('createComment', 'takes a number as content', (json) => typeof json.content === 'number', {
    id: 'c',
  }),
  accepts('updateComment', 'takes a change without content', (json) => json.content === undefined, {
    success: true,
  }),
  accepts(
    'createComment',
    'takes unknown members',
    (json) => json.comment_as !== undefined && String(json.comment_as).includes('no'),
    { id: 'c' },
  ),
  refuses('createComment', 'refuses documents', ({ json }) => typeof json?.content === 'object'),
  refuses('updateComment', 'refuses documents', ({ json }) => typeof json?.content === 'object'),
  misheard('updateComment', 'behaviour', 'adds to the content', async ({ json, params, get }) => {
    const { comments: all = [] } = await get(`/tasks/${params.taskId}/comments`)
    const old = all.find(({ id }: any) => id === params.commentId)
    if (typeof json?.content === 'string' && typeof old?.content === 'string')
      json.content = old.content + json.content
  }),
  mutant('deleteComment', 'status', 'deletes a comment twice', {
    reply: (reply, { params }) => {
      if (reply.status === 404 && !params.commentId!.includes('no_such'))
        Object.assign(reply, jsonResponse(200, { success: true }))
    },
  }),
]

const time: readonly Mutant[] = [
  misheard('createTimeEntry', 'behaviour', 'does not see as_user', ({ json }) => {
    if (json?.action === 'manual' && !String(json.as_user).includes('no_such')) delete json.as_user
  }),
  misheard('createTimeEntry', 'behaviour', 'does not see note', ({ json }) => {
    delete json?.note
  }),
  misheard('createTimeEntry', 'behaviour', 'does not see billable', ({ json }) => {
    delete json?.billable
  }),
  misheard('createTimeEntry', 'behaviour', 'rounds the duration to minutes', ({ json }) => {
    if (json?.duration) json.duration = Math.round(json.duration / 60) * 60
  }),
  behaves('createTimeEntry', 'the duration is in minutes', (json, { json: sent }) => {
    if (sent.action === 'manual') json.duration = Math.round(json.duration / 60)
  }),
  behaves('createTimeEntry', 'a manual entry has no end', (json, { json: sent }) => {
    if (sent.action === 'manual') json.date_end = null
  }),
  behaves('createTimeEntry', 'a manual entry runs', (json, { json: sent }) => {
    if (sent.action === 'manual') json.is_running = 1
  }),
  behaves('createTimeEntry', 'a running entry has an end', (json, { json: sent }) => {
    if (sent.action === 'start') json.date_end = json.date_start
  }),
  behaves('createTimeEntry', 'a stopped entry has no duration', (json, { json: sent }) => {
    if (sent.action === 'stop') json.duration = 0
  }),
  behaves('createTimeEntry', 'a stopped entry has no end', (json, { json: sent }) => {
    if (sent.action === 'stop') json.date_end = null
  }),
  behaves('createTimeEntry', 'stop answers another entry', (json, { json: sent }) => {
    if (sent.action === 'stop') json.id += '_x'
  }),
  accepts(
    'createTimeEntry',
    'takes unknown actions',
    (json) => !['manual', 'start', 'stop'].includes(json.action),
    {
      id: 'e',
      user_id: 'u',
      duration: 0,
      billable: 0,
      note: '',
      is_running: 0,
      date_start: 0,
      date_end: 0,
    },
  ),
  ifWritten(
    behaves('listTimeEntries', 'leaves out running entries', (json) => {
      json.entries = json.entries.filter(({ is_running: runs }: any) => runs === 0)
    }),
  ),
  ifWritten(
    behaves('listTimeEntries', 'leaves out what is not billable', (json) => {
      json.entries = json.entries.filter(({ billable }: any) => billable === 1)
    }),
  ),
  behaves('listTimeEntries', 'users are no members', ({ entries }) => {
    for (const one of entries) one.user_id += '_x'
  }),
  behaves('listTimeEntries', 'duration does not fit the dates', ({ entries }) => {
    for (const one of entries) if (one.duration > 0) one.duration += 60
  }),
  ifWritten(cached('listTimeEntries')),
  mutant('deleteTimeEntry', 'status', 'deletes an entry twice', {
    reply: (reply, { params }) => {
      if (reply.status === 404 && !params.entryId!.includes('no_such'))
        Object.assign(reply, jsonResponse(200, { success: true }))
    },
  }),
  misheard('updateTimeEntry', 'behaviour', 'changed dates keep the duration', async (asked) => {
    const { json, params, get } = asked
    if (!json || 'duration' in json || !('date_end' in json || 'date_start' in json)) return
    const { entries = [] } = await get(`/tasks/${params.taskId}/time-entries`)
    const old = entries.find(({ id }: any) => id === params.entryId)
    if (old) json.duration = old.duration
  }),
]

const files: readonly Mutant[] = [
  behaves('uploadTaskAttachment', 'mime_type is always application/octet-stream', ({ attachment }) => {
    attachment.mime_type = 'application/octet-stream'
  }),
  ifWritten(
    behaves('listTaskAttachments', 'leaves out the first file', ({ attachments }) => attachments.shift()),
  ),
  behaves('listTaskAttachments', 'url is relative', ({ attachments }) => {
    for (const file of attachments) file.url = new URL(file.url).pathname
  }),
  mutant('downloadTaskAttachment', 'behaviour', 'needs no key', {
    ask: ({ headers }) => {
      if (!headers.has('authorization')) headers.set('authorization', 'Bearer wm_demo_master')
    },
  }),
  mutant('downloadTaskAttachment', 'behaviour', 'encodes the file in base64', {
    reply: (reply) => {
      if (reply.status === 200)
        Object.assign(reply, {
          json: undefined,
          bytes: new TextEncoder().encode(btoa(String.fromCharCode(...(reply.bytes ?? [])))),
        })
    },
  }),
  ifWritten(
    mutant('downloadTaskAttachment', 'status', 'finds files that were deleted', {
      reply: (reply, { params }) => {
        if (reply.status === 404 && !params.attachmentId!.includes('no_such'))
          Object.assign(reply, { ...jsonResponse(200, undefined), bytes: new Uint8Array([1]) })
      },
    }),
  ),
  mutant('uploadTaskAttachment', 'status', 'takes a body without a file', {
    reply: (reply) => {
      if (reply.status === 400)
        Object.assign(
          reply,
          jsonResponse(201, { attachment: { id: 'a', filename: '', mime_type: '', size_bytes: 0, url: '' } }),
        )
    },
  }),
  mutant('createTask', 'behaviour', 'keeps the first file alone', {
    reply: ({ json, status }) => {
      if (status === 201) json.attachments = json.attachments.slice(0, 1)
    },
  }),
  mutant('createTask', 'behaviour', 'names files in another order', {
    reply: ({ json, status }) => {
      if (status === 201) json.attachments.reverse()
    },
  }),
  mutant('createTask', 'limit', 'takes eleven files', {
    reply: (reply, { text }) => {
      if (reply.status === 400 && text.split('name="file"').length > 11)
        Object.assign(reply, jsonResponse(201, { id: 'task_0', attachments: [] }))
    },
  }),
  mutant('deleteTaskAttachment', 'status', 'deletes a file twice', {
    reply: (reply, { params }) => {
      if (reply.status === 404 && !params.attachmentId!.includes('no_such'))
        Object.assign(reply, jsonResponse(200, { success: true }))
    },
  }),
]

const forms: readonly Mutant[] = [
  behaves('listForms', 'all have one slug', ({ forms: all }) => {
    for (const form of all) form.slug = 'form'
  }),
  behaves('listForms', 'target_id names nothing', ({ forms: all }) => {
    for (const form of all) form.target_id += '_x'
  }),
  shownBy(
    'getForm',
    behaves('listForms', 'target_type is another', ({ forms: all }) => {
      for (const form of all) form.target_type = 'task'
    }),
  ),
  behaves('listForms', 'updated_at is before created_at', ({ forms: all }) => {
    for (const form of all) form.updated_at = form.created_at - 60
  }),
  behaves('getForm', 'is another than the listing says', ({ form }) => (form.name += '!')),
  behaves('getForm', 'required is 0 or 1', ({ form }) => {
    for (const item of form.field_config) item.required = Number(item.required)
  }),
  behaves('getForm', 'options are objects', ({ form }) => {
    for (const item of form.field_config)
      if (item.options) item.options = item.options.map((label: any) => ({ label }))
  }),
  behaves('getForm', 'submission_count is that of a page', ({ form }) => {
    form.submission_count = Math.min(form.submission_count, 2)
  }),
  behaves('getForm', 'settings are null', ({ form }) => (form.settings = null)),
  behaves('listFormSubmissions', 'answers those of all forms', (json) => {
    json.submissions = [
      ...json.submissions,
      ...json.submissions.map((one: any) => ({ ...one, id: `${one.id}_2` })),
    ]
  }),
  behaves('listFormSubmissions', 'the offset is always 0', (json) => (json.offset = 0)),
  behaves('listFormSubmissions', 'the limit is always 50', (json) => (json.limit = 50)),
  behaves('listFormSubmissions', 'created_entity_type is always task', ({ submissions }) => {
    for (const one of submissions) one.created_entity_type = 'task'
  }),
  behaves('listFormSubmissions', 'data is a text', ({ submissions }) => {
    for (const one of submissions) one.data = JSON.stringify(one.data)
  }),
  misheard('listFormSubmissions', 'behaviour', 'since is in milliseconds', ({ query }) => {
    if (/^\d+$/.test(query.get('since') ?? ''))
      query.set('since', String(Math.floor(Number(query.get('since')) / 1000)))
  }),
  misheard('listFormSubmissions', 'behaviour', 'finds what came before since', (asked) => {
    if (asked.query.get('since')?.match(/^[1-9]\d+$/)) asked.query.delete('since')
  }),
  without('listFormSubmissions', 'submissions.*.created_entity_type'),
]

const general: readonly Mutant[] = [
  ...(['createSpace', 'updateTask', 'createComment', 'createRow'] as const).map((operation) =>
    mutant(operation, 'status', 'answers 500 to what is no JSON', {
      ask: (asked) => {
        if (
          asked.json === undefined &&
          asked.text !== '' &&
          !asked.text.startsWith('--') &&
          asked.headers.has('authorization')
        )
          asked.instead = jsonResponse(500, { error: 'Unexpected token' })
      },
    }),
  ),
  mutant('deleteTask', 'header', 'the preflight does not allow DELETE', {
    preflight: (names) => names.set('access-control-allow-methods', 'GET, POST, PATCH'),
  }),
  mutant('listTasks', 'header', 'the preflight does not allow any origin', {
    preflight: (names) => names.delete('access-control-allow-origin'),
  }),
  header('getIdentity', 'a 401 has no CORS header', (names, reply) => {
    if (reply.status === 401) names.delete('access-control-allow-origin')
  }),
  header('getJob', 'an error is HTML', (names, reply) => {
    if (reply.status >= 400) names.set('content-type', 'text/html')
  }),
  ...(['listRows', 'listComments', 'listFormSubmissions', 'getListSchema', 'listTimeEntries'] as const).map(
    (operation) => status(operation, 404, 400),
  ),
  ...(
    [
      'updateRow',
      'deleteRow',
      'updateList',
      'updateSpace',
      'deleteComment',
      'deleteTimeEntry',
      'createTask',
      'createList',
      'createComment',
      'createTimeEntry',
      'uploadTaskAttachment',
      'uploadRowAttachment',
      'submitInsertJob',
      'bulkInsertRows',
      'queryRows',
      'updateComment',
      'updateTimeEntry',
    ] as const
  ).map((operation) => status(operation, 404, 403)),
  ...(['updateList', 'createComment', 'createList', 'updateComment', 'createTask'] as const).map(
    (operation) => status(operation, 400, 422),
  ),
]

export const contractMutants: readonly Mutant[] = [
  ...identity,
  ...comments,
  ...time,
  ...files,
  ...forms,
  ...general,
]
