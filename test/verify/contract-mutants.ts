// Mutants by sentence of the contract: what a deployment could get wrong that no other file here plants.
/* eslint-disable @typescript-eslint/restrict-plus-operands, @typescript-eslint/no-dynamic-delete -- bodies are edited as they come, by names that come with them */
import type { OperationId } from '../../src/contract/index.ts'
import { answer, type Asked } from './deployment.ts'
import {
  deaf,
  edited,
  header,
  ifWritten,
  misheard,
  mutant,
  retyped,
  shownBy,
  status,
  without,
  type Edit,
  type Mutant,
} from './mutant.ts'

const behaves = (operation: OperationId, wrong: string, edit: Edit) =>
  edited(operation, 'behaviour', wrong, edit)

/** Takes what it should refuse: the refused request is sent again with another body. */
const accepts = (operation: OperationId, wrong: string, holds: (json: any) => boolean, json: unknown = {}) =>
  misheard(operation, 'status', wrong, (asked) => {
    if (asked.json && holds(asked.json)) asked.instead = answer(200, json)
  })

/** Refuses what it should take. */
const refuses = (
  operation: OperationId,
  wrong: string,
  holds: (asked: Asked) => boolean,
  error = 'is not allowed',
) =>
  misheard(operation, 'status', wrong, (asked) => {
    if (holds(asked)) asked.instead = answer(400, { error })
  })

const fields = (json: any) => Object.keys(json ?? {})

/** The first answer of each address again and again. */
const cached = (operation: OperationId) =>
  mutant(operation, 'behaviour', 'answers what it answered first', () => {
    const seen = new Map<string, any>()
    return {
      reply: (reply, { params, query }) => {
        const at = JSON.stringify([params, query.toString()])
        if (reply.status === 200) reply.json = seen.get(at) ?? reply.json
        if (reply.status === 200 && !seen.has(at)) seen.set(at, structuredClone(reply.json))
      },
    }
  })

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
    if (!asked.headers.has('authorization')) asked.instead = answer(201, { id: 'task_0', attachments: [] })
  }),
]

const tables: readonly Mutant[] = [
  behaves('listDatatables', 'lists a table twice', ({ datatables }) => datatables.push(datatables[0])),
  shownBy(
    'listForms',
    behaves('listDatatables', 'leaves out the last table', ({ datatables }) => datatables.pop()),
  ),
  behaves('getDatatableSchema', 'options have no colour', ({ columns }) => {
    for (const { options } of columns) for (const option of options ?? []) delete option.color
  }),
  behaves('getDatatableSchema', 'colours of options are names', ({ columns }) => {
    for (const { options } of columns) for (const option of options ?? []) option.color = 'red'
  }),
  behaves('getDatatableSchema', 'options have ids that rows do not use', ({ columns }) => {
    for (const { options } of columns) for (const option of options ?? []) option.id += '_x'
  }),
  shownBy(
    'listRows',
    behaves('getDatatableSchema', 'columns have ids that rows do not use', ({ columns }) => {
      for (const column of columns) column.id = column.id.replace('col_', 'c_')
    }),
  ),
  behaves('getDatatableSchema', 'currency_code is a sign', ({ columns }) => {
    for (const column of columns) if (column.currency_code) column.currency_code = '$'
  }),
  behaves('getDatatableSchema', 'format has no braces', ({ columns }) => {
    for (const column of columns) if (column.format) column.format = column.format.replace(/[{}]/g, '')
  }),
  behaves('getDatatableSchema', 'formulas name columns by id', ({ columns }) => {
    for (const column of columns)
      if (column.formula)
        for (const { id, name } of columns) column.formula = column.formula.replaceAll(name, id)
  }),
  behaves('getDatatableSchema', 'leaves out the formulas', ({ columns }) => {
    for (const column of columns) delete column.formula
  }),
  shownBy(
    'listRows',
    behaves('getDatatableSchema', 'leaves out a column', ({ columns }) => columns.splice(2, 1)),
  ),
  behaves('getDatatableSchema', 'says that texts cannot be written', ({ columns }) => {
    for (const column of columns) if (column.type === 'text') column.readonly = true
  }),
  behaves('getDatatableSchema', 'says that autonumbers can be written', ({ columns }) => {
    for (const column of columns) if (column.type === 'autonumber') column.readonly = false
  }),
  retyped('getDatatableSchema', 'columns.*.type', 'a type of its own', (type) =>
    type === 'longtext' ? 'textarea' : type,
  ),
]

/** Pages of a listing that begin elsewhere. */
const rows: readonly Mutant[] = [
  mutant('listRows', 'behaviour', 'page 2 begins one row early', {
    ask: async (asked) => {
      const page = Number(asked.query.get('page'))
      const limit = Number(asked.query.get('limit') ?? asked.query.get('pageSize') ?? 50)
      if (!(page > 1) || !(limit > 0)) return
      const query = new URLSearchParams(asked.query)
      query.set('page', String(page - 1))
      const path = `/datatables/${asked.params.tableId}/rows`
      const before = await asked.get(`${path}?${query.toString()}`)
      const now = await asked.get(`${path}?${asked.query.toString()}`)
      if (!before.rows?.length || !now.rows?.length) return
      asked.instead = answer(200, { ...now, rows: [before.rows.at(-1), ...now.rows.slice(0, -1)] })
    },
  }),
  behaves('listRows', 'total is that of the pages before', (json) => {
    if (json.page > 1) json.total = json.page * json.pageSize
  }),
  behaves('listRows', 'rows are keyed by name', (json) => {
    for (const row of json.rows)
      row.data = Object.fromEntries(Object.entries(row.data).map(([id, value]) => [id.slice(4), value]))
  }),
  misheard('listRows', 'behaviour', 'does not see the direction of sort', ({ query }) => {
    if (query.has('sort')) query.set('sort', query.get('sort')!.replaceAll(':desc', ':asc'))
  }),
  mutant('listRows', 'behaviour', 'sorts numbers as texts', {
    reply: ({ json, status }, { query }) => {
      const sort = query.get('sort')
      if (status !== 200 || sort === null || sort.includes(',')) return
      const id = Object.keys(json.rows[0]?.data ?? {}).find((name) =>
        json.rows.some((row: any) => typeof row.data[name] === 'number' && name === 'col_quantity'),
      )
      if (id === undefined || !/quantity/i.test(sort)) return
      const sign = sort.endsWith(':desc') ? -1 : 1
      json.rows.sort(
        (a: any, b: any) => sign * String(a.data[id] ?? '~').localeCompare(String(b.data[id] ?? '~')),
      )
    },
  }),
  behaves('listRows', 'select leaves out the version', (json, { query }) => {
    if (query.has('select')) for (const row of json.rows) delete row.version
  }),
  misheard('listRows', 'behaviour', 'select adds a column', ({ query }) => {
    if (query.has('select') && !/nope|verify/.test(query.get('select')!))
      query.set('select', `${query.get('select')!},Created`)
  }),
  ifWritten(cached('listRows')),
  ifWritten(cached('getRow')),
  behaves('getRow', 'texts are cut at 20 characters', ({ data }) => {
    for (const [id, value] of Object.entries(data))
      if (typeof value === 'string' && !id.includes('number')) data[id] = value.slice(0, 20)
  }),
  behaves('getRow', 'tags are labels', ({ data }) => {
    for (const [id, value] of Object.entries(data))
      if (Array.isArray(value) && typeof value[0] === 'string')
        data[id] = value.map((item) => `Label ${item}`)
  }),
  behaves('getRow', 'dates are ISO', ({ data }) => {
    for (const id of ['col_ship_by', 'col_created'])
      if (typeof data[id] === 'number') data[id] = new Date(data[id] * 1000).toISOString()
  }),
  behaves('getRow', 'autonumbers do not follow their format', ({ data }) => {
    for (const [id, value] of Object.entries(data))
      if (typeof value === 'string' && /^[A-Z]+-\d+$/.test(value)) data[id] = value.replace(/^[A-Z]+-0*/, '')
  }),
  behaves('getRow', 'created_at is later than updated_at', ({ data }) => {
    if (data.col_created) data.col_created = data.col_updated + 5
  }),
]

const compares = (operator: string, wrong: string, change: (filter: any, json: any) => void) =>
  misheard('queryRows', 'behaviour', wrong, ({ json }) => {
    for (const filter of Array.isArray(json?.filters) ? json.filters : [])
      if (filter.operator === operator) change(filter, json)
  })

const querying: readonly Mutant[] = [
  compares('not_contains', 'not_contains means contains', (filter) => (filter.operator = 'contains')),
  compares('is_true', 'is_true means is_not_empty', (filter) => (filter.operator = 'is_not_empty')),
  compares('is_not_empty', 'is_not_empty means everything', (filter, json) => {
    json.filters = json.filters.filter((one: any) => one !== filter)
  }),
  compares('lte', 'lte means gte', (filter) => (filter.operator = 'gte')),
  compares('between', 'between sees its lower end alone', (filter) => {
    if (Array.isArray(filter.value)) Object.assign(filter, { operator: 'gte', value: filter.value[0] })
  }),
  compares('in', 'in leaves out its last value', (filter) => {
    if (Array.isArray(filter.value)) filter.value = filter.value.slice(0, -1)
  }),
  compares('starts_with', 'starts_with means ends_with', (filter) => (filter.operator = 'ends_with')),
  misheard('queryRows', 'behaviour', 'does not see the direction of sort', ({ json }) => {
    for (const key of Array.isArray(json?.sort) ? json.sort : [])
      if (key.direction === 'desc') delete key.direction
  }),
  misheard('queryRows', 'default', 'a page has 100 rows by default', ({ json }) => {
    if (json && typeof json === 'object' && !Array.isArray(json)) json.limit ??= 100
  }),
  misheard('queryRows', 'limit', 'a page has 100 rows at most', ({ json }) => {
    if (json?.limit > 100) json.limit = 100
  }),
  ...['lt', 'is_false', 'ends_with', 'not_in'].map((name) =>
    misheard('queryRows', 'status', `refuses ${name}`, (asked) => {
      if (asked.json?.filters?.some?.(({ operator }: any) => operator === name))
        asked.instead = answer(400, { error: `operator ${name} is unknown` })
    }),
  ),
  accepts(
    'queryRows',
    'takes unknown operators',
    (json) =>
      Boolean(
        json.filters?.some?.(
          ({ operator }: any) =>
            !/^(?:n?eq|(?:not_)?(?:contains|in)|(?:starts|ends)_with|[gl]te?|between|is_(?:not_)?empty|is_(?:true|false))$/.test(
              operator,
            ),
        ),
      ),
    { rows: [], total: 0, page: 1, pageSize: 50 },
  ),
]

const rowWrites: readonly Mutant[] = [
  ...(['createRow', 'updateRow'] as const).map((operation) =>
    refuses(operation, 'refuses read-only columns', ({ json }) =>
      fields(json?.data).some((id) => /created|updated|number|total/.test(id)),
    ),
  ),
  accepts('createRow', 'takes a body without data', (json) => json.data === undefined, {
    id: 'row_0',
    version: 1,
    data: {},
  }),
  accepts('updateRow', 'takes a body without data', (json) => json.data === undefined, {
    id: 'row_0',
    version: 2,
    data: {},
  }),
  misheard('createRow', 'behaviour', 'takes numbers in texts', ({ json }) => {
    for (const [id, value] of Object.entries(json?.data ?? {}))
      if (typeof value === 'string' && /quantity|price|number|amount/.test(id)) json.data[id] = 1
  }),
  misheard('createRow', 'behaviour', 'takes unknown options', ({ json }) => {
    for (const [id, value] of Object.entries(json?.data ?? {}))
      if (typeof value === 'string' && /no_such|nope|verify_no/.test(value)) delete json.data[id]
  }),
  misheard('createRow', 'behaviour', 'trims texts', ({ json }) => {
    for (const [id, value] of Object.entries(json?.data ?? {}))
      if (typeof value === 'string') json.data[id] = value.trim()
  }),
  misheard('updateRow', 'behaviour', 'null does not clear', ({ json }) => {
    for (const [id, value] of Object.entries(json?.data ?? {})) if (value === null) delete json.data[id]
  }),
  misheard('updateRow', 'behaviour', 'loses what is not ASCII', ({ json }) => {
    for (const [id, value] of Object.entries(json?.data ?? {}))
      if (typeof value === 'string') json.data[id] = value.replace(/[^\x20-\x7e\n]/g, '?')
  }),
  misheard('updateRow', 'behaviour', '0 is not stored', ({ json }) => {
    for (const [id, value] of Object.entries(json?.data ?? {})) if (value === 0) delete json.data[id]
  }),
  misheard('updateRow', 'behaviour', 'adds tags instead of replacing them', async ({ json, params, get }) => {
    const { data } = await get(`/datatables/${params.tableId}/rows/${params.rowId}`)
    for (const [id, value] of Object.entries(json?.data ?? {}))
      if (Array.isArray(value) && Array.isArray(data?.[id]))
        json.data[id] = [...new Set([...data[id], ...value])]
  }),
  mutant('updateRow', 'behaviour', 'answers the row as it was', {
    ask: async (asked) => {
      const path = `/datatables/${asked.params.tableId}/rows/${asked.params.rowId}`
      const before = await asked.get(path)
      if (!asked.json?.data || before.id === undefined) return
      const response = await asked.send('PATCH', path, asked.json)
      const json: any = await response.json()
      asked.instead = answer(response.status, response.ok ? { ...before, version: json.version } : json)
    },
  }),
  behaves('updateRow', 'answers the changed columns alone', (json, asked) => {
    json.data = Object.fromEntries(fields(asked.json?.data).map((id) => [id, json.data[id]]))
  }),
  mutant('updateRow', 'behaviour', 'an updated row has a new id', {
    reply: ({ json, status }) => {
      if (status === 200) json.id += '_2'
    },
  }),
  mutant('deleteRow', 'status', 'deletes a row twice', {
    reply: (reply, { params }) => {
      if (reply.status === 404 && !params.rowId!.includes('verify_no'))
        Object.assign(reply, answer(200, { success: true }))
    },
  }),
]

const bulk: readonly Mutant[] = [
  mutant('bulkInsertRows', 'behaviour', 'one bad row refuses all', {
    ask: async (asked) => {
      if (!Array.isArray(asked.json?.rows) || asked.json.mode === 'upsert') return
      const bad =
        asked.json.rows.length > 1 &&
        asked.json.rows.some((row: any) =>
          fields(row).some(
            (id) => !id.startsWith('col_') || (Array.isArray(row[id]) && /customer|notes/.test(id)),
          ),
        )
      const typed = asked.json.rows.some((row: any) => typeof row?.col_quantity === 'string')
      if (bad || typed) asked.instead = answer(400, { error: 'row 0 is wrong' })
    },
  }),
  behaves('bulkInsertRows', 'swaps inserted and updated', (json) => {
    if ('inserted' in json) [json.inserted, json.updated] = [json.updated, json.inserted]
  }),
  behaves('bulkInsertRows', 'an upsert answers as an insert', (json) => {
    if (!('inserted' in json)) return
    json.count = json.inserted + json.updated
    delete json.inserted
    delete json.updated
    delete json.errorCount
  }),
  behaves('bulkInsertRows', 'errorCount is always 0', (json) => {
    if ('errorCount' in json) json.errorCount = 0
  }),
  behaves('bulkInsertRows', 'success is false where a row failed', (json) => {
    if (json.errors) json.success = false
  }),
  behaves('bulkInsertRows', 'does not say which rows failed', (json) => delete json.errors),
  misheard('bulkInsertRows', 'behaviour', 'key_column takes ids alone', (asked) => {
    const key = asked.json?.key_column
    if (typeof key === 'string' && !key.startsWith('col_'))
      asked.instead = answer(400, { error: 'key_column is unknown' })
  }),
  misheard('bulkInsertRows', 'behaviour', 'key_column takes names alone', (asked) => {
    if (asked.json?.key_column?.startsWith?.('col_'))
      asked.instead = answer(400, { error: 'key_column is unknown' })
  }),
  mutant('bulkInsertRows', 'behaviour', 'an upsert gives rows new ids', {
    ask: async (asked) => {
      const { rows: sent, mode, key_column: key } = asked.json ?? {}
      if (mode !== 'upsert' || !Array.isArray(sent)) return
      const path = `/datatables/${asked.params.tableId}/rows`
      const { columns = [] } = await asked.get(`/datatables/${asked.params.tableId}/schema`)
      const column = columns.find(({ id, name }: any) => id === key || name === key)
      if (!column) return
      const existing = []
      for (let page = 1; page < 5; page += 1)
        existing.push(...((await asked.get(`${path}?limit=500&page=${String(page)}`)).rows ?? []))
      const response = await asked.send('POST', `${path}/bulk`, asked.json)
      asked.instead = answer(response.status, await response.json())
      for (const row of sent) {
        const old = existing.find(
          ({ data }: any) => row && data[column.id] === row[column.id] && row[column.id],
        )
        if (!old) continue
        const { data } = await asked.get(`${path}/${old.id}`)
        await asked.send('DELETE', `${path}/${old.id}`)
        await asked.send('POST', path, { data })
      }
    },
  }),
]

const jobs: readonly Mutant[] = [
  behaves('submitInsertJob', 'rows_submitted is one less', (json) => (json.rows_submitted -= 1)),
  refuses('submitInsertJob', 'refuses a job of one row', ({ json }) => json?.rows?.length === 1),
  mutant('submitInsertJob', 'field', 'names the resource bulkJobs', {
    reply: ({ json, status }) => {
      if (status === 429) json.resource = 'bulkJobs'
    },
  }),
  mutant('submitInsertJob', 'field', 'a 413 has no limitReached', {
    reply: ({ json, status }) => {
      if (status === 413) delete json.limitReached
    },
  }),
  misheard('submitInsertJob', 'behaviour', 'inserts every row twice', ({ json }) => {
    if (Array.isArray(json?.rows) && json.rows.length > 0 && json.rows.length <= 500)
      json.rows.push(...json.rows)
  }),
  misheard('submitInsertJob', 'behaviour', 'loses the last row', ({ json }) => {
    if (Array.isArray(json?.rows) && json.rows.length > 1 && json.rows.length < 49_000) json.rows.pop()
  }),
  misheard('submitInsertJob', 'behaviour', 'loses what is not ASCII', ({ json }) => {
    for (const row of Array.isArray(json?.rows) ? json.rows : [])
      for (const [id, value] of Object.entries(row ?? {}))
        if (typeof value === 'string') row[id] = value.replace(/[^\x20-\x7e\n]/g, '?')
  }),
  retyped('getJob', 'type', 'bulk_insert', () => 'bulk_insert'),
  retyped('getJob', 'resource_id', 'the id of the job', (id: string) => `${id}_job`),
  behaves('getJob', 'table_name is the id', (json) => (json.metadata.table_name = json.resource_id)),
  behaves('getJob', 'submitted is what was inserted', (json) => {
    json.metadata.submitted = json.metadata.row_count
  }),
  behaves('getJob', 'row_count is what was submitted', (json) => {
    json.metadata.row_count = json.metadata.submitted
  }),
  behaves('getJob', 'progress stays below 1', (json) => {
    if (json.status === 'done') json.metadata.progress = 0.99
  }),
  behaves('getJob', 'progress is 0 until it is done', (json) => {
    if (json.status !== 'done') json.metadata.progress = 0
  }),
  behaves('getJob', 'completed_at is set from the start', (json) => (json.completed_at ??= json.created_at)),
  behaves('getJob', 'completed_at stays null', (json) => (json.completed_at = null)),
  behaves('getJob', 'error_message is empty where nothing failed', (json) => (json.error_message ??= '')),
  behaves('getJob', 'has no error_message where rows failed', (json) => (json.error_message = null)),
  behaves('getJob', 'updated_at is before created_at', (json) => (json.updated_at = json.created_at - 1)),
  behaves('getJob', 'updated_at does not move', (json) => (json.updated_at = json.created_at)),
  behaves('getJob', 'has a status of its own', (json) => {
    if (json.status === 'processing') json.status = 'running'
  }),
]

const rowFiles: readonly Mutant[] = [
  deaf('uploadRowAttachment', 'col'),
  behaves('uploadRowAttachment', 'contentType is always application/octet-stream', ({ attachment }) => {
    attachment.contentType = 'application/octet-stream'
  }),
  behaves('uploadRowAttachment', 'answers the row as it was', ({ row }) => {
    for (const [id, value] of Object.entries(row.data))
      if (Array.isArray(value) && (value as any)[0]?.key) row.data[id] = []
  }),
  behaves('uploadRowAttachment', 'the key has another row', ({ attachment }) => {
    attachment.key = attachment.key.replace(/\/row\/[^/]+/, '/row/row_0')
  }),
  behaves('uploadRowAttachment', 'uploadedAt is 0', ({ attachment }) => (attachment.uploadedAt = 0)),
  mutant('uploadRowAttachment', 'status', 'takes a body without a file', {
    reply: (reply) => {
      if (reply.status === 400) Object.assign(reply, answer(200, { attachment: {}, row: {} }))
    },
  }),
  mutant('deleteRowAttachment', 'status', 'deletes a file twice', {
    reply: (reply) => {
      if (reply.status === 404) Object.assign(reply, answer(200, { success: true }))
    },
  }),
]

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
        Object.assign(reply, answer(200, { success: true }))
    },
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
        Object.assign(reply, answer(200, { success: true }))
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
        Object.assign(reply, answer(200, { success: true }))
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
          Object.assign(reply, { ...answer(200, undefined), bytes: new Uint8Array([1]) })
      },
    }),
  ),
  mutant('uploadTaskAttachment', 'status', 'takes a body without a file', {
    reply: (reply) => {
      if (reply.status === 400)
        Object.assign(
          reply,
          answer(201, { attachment: { id: 'a', filename: '', mime_type: '', size_bytes: 0, url: '' } }),
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
        Object.assign(reply, answer(201, { id: 'task_0', attachments: [] }))
    },
  }),
  mutant('deleteTaskAttachment', 'status', 'deletes a file twice', {
    reply: (reply, { params }) => {
      if (reply.status === 404 && !params.attachmentId!.includes('no_such'))
        Object.assign(reply, answer(200, { success: true }))
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
          asked.instead = answer(500, { error: 'Unexpected token' })
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
  ...tables,
  ...rows,
  ...querying,
  ...rowWrites,
  ...bulk,
  ...jobs,
  ...rowFiles,
  ...lists,
  ...tasks,
  ...comments,
  ...time,
  ...files,
  ...forms,
  ...general,
]
