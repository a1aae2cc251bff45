// Mutants by sentence of the contract: datatables, rows, jobs and files of rows.
/* eslint-disable @typescript-eslint/restrict-plus-operands, @typescript-eslint/no-dynamic-delete -- bodies are edited as they come, by names that come with them */
import { jsonResponse } from './deployment.ts'
import {
  accepts,
  behaves,
  cached,
  deaf,
  fields,
  ifWritten,
  misheard,
  mutant,
  refuses,
  retyped,
  shownBy,
  type Mutant,
} from './mutant.ts'

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

/** Listing pages that begin at the wrong place. */
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
      asked.instead = jsonResponse(200, { ...now, rows: [before.rows.at(-1), ...now.rows.slice(0, -1)] })
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
        asked.instead = jsonResponse(400, { error: `operator ${name} is unknown` })
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
      asked.instead = jsonResponse(response.status, response.ok ? { ...before, version: json.version } : json)
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
        Object.assign(reply, jsonResponse(200, { success: true }))
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
      if (bad || typed) asked.instead = jsonResponse(400, { error: 'row 0 is wrong' })
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
      asked.instead = jsonResponse(400, { error: 'key_column is unknown' })
  }),
  misheard('bulkInsertRows', 'behaviour', 'key_column takes names alone', (asked) => {
    if (asked.json?.key_column?.startsWith?.('col_'))
      asked.instead = jsonResponse(400, { error: 'key_column is unknown' })
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
      asked.instead = jsonResponse(response.status, await response.json())
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
      if (reply.status === 400) Object.assign(reply, jsonResponse(200, { attachment: {}, row: {} }))
    },
  }),
  mutant('deleteRowAttachment', 'status', 'deletes a file twice', {
    reply: (reply) => {
      if (reply.status === 404) Object.assign(reply, jsonResponse(200, { success: true }))
    },
  }),
]

export const contractTableMutants: readonly Mutant[] = [
  ...tables,
  ...rows,
  ...querying,
  ...rowWrites,
  ...bulk,
  ...jobs,
  ...rowFiles,
]
