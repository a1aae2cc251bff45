// For every open question with several answers: what distinguishes them from outside.
import { questions, type Answers, type JsonValue } from '../../../../src/contract/questions/register.ts'
import { multipart, times, type Api, type Control, type Reply } from '../../../behaviour/support/harness.ts'

export interface Difference {
  /** The answers beside the default, in the order of the question's meanings. */
  readonly others: readonly JsonValue[]
  /** What a client sees: something else under each answer. */
  readonly look: (api: Api, control: Control) => Promise<unknown>
}

/** Questions that are not fixed. */
export type SwitchableId = {
  [Id in keyof Answers]: Answers[Id] extends 'fixed' ? never : Id
}[keyof Answers]

const statuses = async (replies: readonly Promise<Reply>[]) =>
  (await Promise.all(replies)).map(({ status }) => status)

const row1 = '/datatables/tbl_linked/rows/lin_1'
const linked = '/datatables/tbl_linked/rows'
const bulk = `${linked}/bulk`
const timer = '/tasks/tsk_plain/time-entries'
const free = { key: 'wm_test_free' }
const scoped = { key: 'wm_test_scoped' }
const mixed = [{ col_name: 'a' }, { col_count: 'x' }]

const shapes = {
  rowShape: {
    others: ['flat', 'flatInLists'],
    look: async (api) => [(await api.get(row1)).json, (await api.get(linked)).at('rows.0')],
  },
  emptyColumns: {
    others: ['absent'],
    look: async (api) => (await api.get('/datatables/tbl_all/rows/row_5')).json,
  },
  taskPriority: {
    others: [{ none: 10, low: 8, normal: 6, high: 4, urgent: 2 }],
    look: async (api) => (await api.get('/lists/lst_main/tasks')).pluck('tasks', 'priority'),
  },
  taskReadExtras: { others: [true], look: async (api) => (await api.get('/tasks/tsk_full')).json },
  customFieldTypes: {
    others: [[...questions.customFieldTypes.default, 'rating']],
    async look(_, control) {
      const state = JSON.stringify(await control.state())
      const rating = { id: 'fld_stars', name: 'Stars', type: 'rating', readonly: false }
      const withRating = state.replace(/("name":"Ideas".*?"fields":)\[\]/, `$1[${JSON.stringify(rating)}]`)
      return control.loadState(JSON.parse(withRating)).then(
        () => 'taken',
        () => 'refused',
      )
    },
  },
  customFieldOptions: {
    others: ['label'],
    look: async (api) => (await api.get('/lists/lst_main/schema')).at('fields.10.options'),
  },
  timeEntryUsers: {
    others: ['names'],
    look: async (api) => (await api.get('/tasks/tsk_full/time-entries')).at('users'),
  },
  formTargetType: {
    others: ['datatable_row'],
    look: async (api) => (await api.get('/forms')).pluck('forms', 'target_type'),
  },
  bulkErrors: {
    others: ['numbered', 'omit'],
    look: async (api) => (await api.post(bulk, { rows: mixed })).json,
  },
  bulkAllFailed: {
    others: [200],
    look: async (api) => (await api.post(bulk, { rows: [{ col_count: 'x' }] })).status,
  },
  bulkTotal: { others: ['table'], look: async (api) => (await api.post(bulk, { rows: mixed })).at('total') },
  mutationBody: {
    others: ['resource', 'empty'],
    look: async (api) => (await api.patch('/spaces/spc_main', { name: 'X' })).json,
  },
} satisfies Partial<Record<SwitchableId, Difference>>

const requests = {
  unknownBodyFields: {
    others: ['reject'],
    look: async (api) => (await api.post('/spaces', { name: 'X', hue: 1 })).status,
  },
  contentType: {
    others: ['strict'],
    look: async (api) =>
      (await api.call('POST', '/spaces', { body: '{"name":"X"}', headers: { 'content-type': 'text/plain' } }))
        .status,
  },
  limitAboveMax: {
    others: ['reject'],
    look: async (api) => (await api.get('/lists/lst_main/tasks', { query: { limit: 201 } })).status,
  },
  columnNames: {
    others: ['namesAndIds'],
    look: async (api) => (await api.get(linked, { query: { col_name: 'One' } })).at('total'),
  },
  unknownSortColumn: {
    others: ['ignore'],
    look: async (api) => (await api.get(linked, { query: { sort: 'Nothing' } })).status,
  },
  unknownFilter: {
    others: ['reject'],
    look: async (api) => (await api.get(linked, { query: { Nothing: 1 } })).status,
  },
  emptyNames: { others: ['accept'], look: async (api) => (await api.post('/spaces', { name: ' ' })).status },
  customDataPatch: {
    others: ['replace'],
    async look(api) {
      await api.patch('/tasks/tsk_full', { custom_data: { fld_number: 4 } })
      return (await api.get('/tasks/tsk_full')).at('custom_data')
    },
  },
  unknownRowKeys: {
    others: ['ignore'],
    look: async (api) => (await api.post(linked, { data: { nope: 1 } })).status,
  },
  unknownCustomFields: {
    others: ['ignore'],
    look: async (api) => (await api.patch('/tasks/tsk_full', { custom_data: { nope: 1 } })).status,
  },
  typeChecks: {
    others: ['dropdownLabels'],
    look: async (api) =>
      (await api.post('/datatables/tbl_all/rows', { data: { col_dropdown: 'Won', col_tags: ['Red'] } }))
        .status,
  },
  attachmentWrites: {
    others: ['reject'],
    look: async (api) =>
      (await api.post('/datatables/tbl_all/rows', { data: { col_attachment: [] } })).status,
  },
} satisfies Partial<Record<SwitchableId, Difference>>

/** A job of three chunks, of which the second has a bad row, once it has ended. */
async function endedJob(api: Api, control: Control): Promise<unknown> {
  const rows = times(2500, (index) => ({ col_count: index === 1500 ? 'x' : index }))
  const job = await api.post('/datatables/tbl_empty/jobs/insert', { rows })
  await control.advance('1m')
  const { status, metadata } = (await api.get(`/jobs/${job.string('job_id')}`)).json as Record<
    string,
    unknown
  >
  return { status, metadata }
}

const start = (api: Api, json: object = {}, options = {}) =>
  api.post(timer, { action: 'start', ...json }, options)

const service = {
  queryText: {
    others: ['sensitive'],
    look: async (api) =>
      (
        await api.post('/datatables/tbl_all/query', {
          filters: [{ column: 'Title', operator: 'contains', value: 'ALPHA' }],
        })
      ).at('total'),
  },
  jobTransitions: { others: ['failedOnAnyChunk'], look: endedJob },
  jobTimeline: {
    others: [{ queuedMs: 1000, chunkRows: 2, chunkMs: 2000 }],
    async look(api, control) {
      const job = await api.post('/datatables/tbl_empty/jobs/insert', { rows: [{}, {}, {}] })
      await control.advance('3s')
      return (await api.get(`/jobs/${job.string('job_id')}`)).json
    },
  },
  jobChunkErrors: { others: ['rejectChunk'], look: endedJob },
  lockedTable: {
    others: ['jobs', 'writes'],
    look: (api) =>
      statuses([
        api.post('/datatables/tbl_locked/rows', { data: {} }),
        api.post('/datatables/tbl_locked/rows/bulk', { rows: [{}] }),
        api.post('/datatables/tbl_locked/jobs/insert', { rows: [{}] }),
      ]),
  },
  statusTransitions: {
    others: [{ active: ['active'] }],
    look: async (api) => (await api.patch('/tasks/tsk_full', { status_id: 'st_done' })).status,
  },
  privateById: { others: ['visible'], look: async (api) => (await api.get('/lists/lst_private')).status },
  taskStatusFilter: {
    others: ['idNameOrType'],
    look: async (api) =>
      (await api.get('/lists/lst_main/tasks', { query: { status: 'active' } })).pluck('tasks', 'id'),
  },
  runningDuration: {
    others: ['elapsed'],
    async look(api, control) {
      await start(api)
      await control.advance('42s')
      return (await api.get(timer)).at('total_seconds')
    },
  },
  startEntry: {
    others: ['reject', 'allow'],
    async look(api) {
      await start(api)
      await start(api)
      return (await api.get(timer)).pluck('entries', 'is_running')
    },
  },
  stopEntry: {
    others: ['latest'],
    async look(api, control) {
      await start(api)
      await control.advance('1s')
      await start(api, { as_user: 'mem_cy' })
      return (await api.post(timer, { action: 'stop' })).at('user_id')
    },
  },
  editRunning: {
    others: [403],
    async look(api) {
      const id = (await start(api)).string('id')
      return (await api.patch(`${timer}/${id}`, { note: 'x' })).status
    },
  },
} satisfies Partial<Record<SwitchableId, Difference>>

const upload = (api: Api) =>
  api.call('POST', '/tasks/tsk_plain/attachments', { body: multipart([{ filename: 'a', content: 'abcd' }]) })

const keys = {
  scopes: {
    others: [{ listForms: 'forms:list' }],
    look: async (api) => (await api.get('/forms', scoped)).status,
  },
  ownComment: {
    others: ['member'],
    look: async (api) =>
      (await api.patch('/tasks/tsk_full/comments/cmt_rich', { content: 'x' }, scoped)).status,
  },
  bulkInsertPerMinute: {
    others: [{ pro: 1 }],
    look: (api) => statuses(times(2, () => api.post(bulk, { rows: [{}] }))),
  },
  requestsPerMonth: { others: [{ pro: 1 }], look: (api) => statuses(times(2, () => api.get('/me'))) },
  maxFileBytes: { others: [{ pro: 3 }], look: async (api) => (await upload(api)).status },
  scalePlan: {
    others: [{ bulkRowsPerJob: 1 }],
    look: async (api) =>
      (await api.post('/datatables/tbl_scale/jobs/insert', { rows: [{}, {}] }, { key: 'wm_test_scale' }))
        .status,
  },
  planFeatures: {
    others: [{ free: [] }],
    look: async (api) => (await api.get('/me', free)).status,
  },
  spacesLimit: {
    others: [{ free: 1 }],
    look: async (api) => (await api.post('/spaces', { name: 'X' }, free)).status,
  },
  listsLimit: {
    others: [{ free: 1 }],
    look: async (api) => (await api.post('/spaces/spc_free/lists', { name: 'X' }, free)).status,
  },
  bodyBytes: { others: [10], look: async (api) => (await api.post('/spaces', { name: 'Longer' })).status },
} satisfies Partial<Record<SwitchableId, Difference>>

/** A question without an entry does not compile. */
export const differences: Readonly<Record<SwitchableId, Difference>> = {
  ...shapes,
  ...requests,
  ...service,
  ...keys,
}
