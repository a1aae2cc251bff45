// Mutants of datatables: listing, query, single and bulk writes, jobs, files of rows.
/* eslint-disable @typescript-eslint/restrict-plus-operands, @typescript-eslint/no-dynamic-delete -- bodies are edited as they come, by names that come with them */
import { jsonResponse, type Asked } from './deployment.ts'
import { edited, ifWritten, misheard, mutant, retyped, type Mutant } from './mutant.ts'

const paging = ['page', 'limit', 'pageSize', 'sort', 'select']
const filtersOf = (query: URLSearchParams) => [...query].filter(([name]) => !paging.includes(name))

async function columnNamed({ params, get }: Asked, name: string): Promise<any> {
  const { columns = [] } = await get(`/datatables/${params.tableId}/schema`)
  return columns.find((column: any) => column.name === name)
}

const allRows = async ({ params, get }: Asked) =>
  (await get(`/datatables/${params.tableId}/rows?limit=500`)).rows ?? []

/** Filters the listing by text in a way other than equality. */
const filtered = (wrong: string, holds: (value: string, wanted: string) => boolean) =>
  misheard('listRows', 'behaviour', wrong, async (asked) => {
    const [filter] = filtersOf(asked.query)
    if (!filter || asked.query.has('sort') || asked.query.has('select')) return
    const column = await columnNamed(asked, filter[0])
    if (column?.type !== 'text') return
    const rows = (await allRows(asked)).filter((row: any) =>
      holds(String(row.data[column.id] ?? ''), filter[1]),
    )
    const pageSize = Number(asked.query.get('limit') ?? 50)
    asked.instead = jsonResponse(200, {
      rows: rows.slice(0, pageSize),
      total: rows.length,
      page: 1,
      pageSize,
    })
  })

const queried = (wrong: string, change: (json: any, filter: any) => void) =>
  misheard('queryRows', 'behaviour', wrong, ({ json }) => {
    for (const filter of Array.isArray(json?.filters) ? json.filters : []) change(json, filter)
  })

const operator = (name: string, wrong: string, change: (filter: any, json: any) => void) =>
  queried(wrong, (json, filter) => {
    if (filter.operator === name) change(filter, json)
  })

const as = (from: string, to: string) =>
  operator(from, `${from} means ${to}`, (filter) => {
    filter.operator = to
  })

const firstOnly = (name: string) =>
  operator(name, `${name} sees the first value alone`, (filter) => {
    if (Array.isArray(filter.value)) filter.value = filter.value.slice(0, 1)
  })

/** Adds a filter that leaves out empty values. */
const filledOnly = (name: string) =>
  operator(name, `${name} leaves out empty values`, (filter, json) => {
    if (json.match !== 'any') json.filters.push({ column: filter.column, operator: 'is_not_empty' })
  })

const emptyOf = (type: string) =>
  misheard('queryRows', 'behaviour', `is_empty finds nothing in a ${type} column`, async (asked) => {
    const { columns = [] } = await asked.get(`/datatables/${asked.params.tableId}/schema`)
    const ids = columns.filter((column: any) => column.type === type).map(({ id }: any) => id)
    for (const filter of asked.json?.filters?.values?.() ?? [])
      if (filter.operator === 'is_empty' && ids.includes(filter.column)) {
        filter.operator = 'in'
        filter.value = []
      }
  })

const listing: readonly Mutant[] = [
  ifWritten(filtered('a filter means contains', (value, wanted) => value.includes(wanted))),
  ifWritten(filtered('a filter means starts with', (value, wanted) => value.startsWith(wanted))),
  ifWritten(
    filtered('a filter ignores letter case', (value, wanted) => value.toLowerCase() === wanted.toLowerCase()),
  ),
  misheard('listRows', 'behaviour', 'sees the first filter alone', ({ query }) => {
    for (const [name] of filtersOf(query).slice(1)) query.delete(name)
  }),
  misheard('listRows', 'behaviour', 'sees the first sort key alone', ({ query }) => {
    if (query.has('sort')) query.set('sort', query.get('sort')!.split(',')[0]!)
  }),
  misheard('listRows', 'behaviour', 'sees the first selected column alone', ({ query }) => {
    if (query.has('select')) query.set('select', query.get('select')!.split(',')[0]!)
  }),
  misheard('listRows', 'behaviour', 'does not page what is sorted', ({ query }) => {
    if (query.has('sort')) query.delete('page')
  }),
  misheard('listRows', 'behaviour', 'does not page what is filtered', ({ query }) => {
    if (filtersOf(query).length > 0) query.delete('page')
  }),
  edited('listRows', 'behaviour', 'total does not see filters', (json, { query }) => {
    if (filtersOf(query).length > 0) json.total += 3
  }),
  edited('listRows', 'limit', 'a page of 500 has 499', (json) => {
    if (json.rows.length === 500) json.rows.pop()
  }),
  edited('listRows', 'field', 'pageSize is always 50', (json) => {
    json.pageSize = 50
  }),
  edited('listRows', 'field', 'counts pages from 0', (json) => {
    json.page -= 1
  }),
  retyped('listRows', 'rows.*.data.col_created', 'in milliseconds', (seconds: number) => seconds * 1000),
  retyped('listRows', 'rows.*.data.col_quantity', 'a string', String),
  retyped('listRows', 'rows.*.data.col_paid', '0 or 1', Number),
  edited('listRows', 'behaviour', 'answers 404 past the last page', (json) => {
    if (json.rows.length === 0 && json.page > 1) delete json.rows
  }),
  ifWritten(
    edited('listRows', 'behaviour', 'lists new rows first', (json, { query }) => {
      if (!query.has('sort')) json.rows.reverse()
    }),
  ),
  mutant('listDatatables', 'behaviour', 'row_count does not follow writes', () => {
    const counts = new Map<string, number>()
    return {
      reply: ({ json }) => {
        for (const table of json.datatables ?? []) {
          if (!counts.has(table.id)) counts.set(table.id, table.row_count)
          table.row_count = counts.get(table.id)
        }
      },
    }
  }),
  edited('getDatatableSchema', 'behaviour', 'leaves out an option', ({ columns }) => {
    for (const { options } of columns) options?.shift()
  }),
  misheard('getRow', 'behaviour', 'finds rows of other tables', async (asked) => {
    const { datatables = [] } = await asked.get('/datatables')
    for (const { id } of datatables) {
      const row = await asked.get(`/datatables/${id}/rows/${asked.params.rowId}`)
      if (row.id !== undefined) asked.instead = jsonResponse(200, row)
    }
  }),
].map((one) => (one.wrong === 'row_count does not follow writes' ? ifWritten(one) : one))

const querying: readonly Mutant[] = [
  firstOnly('in'),
  firstOnly('not_in'),
  as('starts_with', 'contains'),
  as('ends_with', 'contains'),
  as('gte', 'gt'),
  as('lte', 'lt'),
  as('lt', 'lte'),
  as('contains', 'eq'),
  as('is_false', 'is_empty'),
  operator('between', 'between leaves out its ends', (filter) => {
    if (Array.isArray(filter.value)) filter.value = [filter.value[0] + 1e-6, filter.value[1] - 1e-6]
  }),
  operator('between', 'between leaves out its upper end', (filter) => {
    if (Array.isArray(filter.value)) filter.value = [filter.value[0], filter.value[1] - 1e-6]
  }),
  ...['neq', 'not_in', 'not_contains'].map(filledOnly),
  ...['tags', 'people', 'date', 'attachment'].map(emptyOf),
  ...['text', 'number'].map((type) => ifWritten(emptyOf(type))),
  misheard('queryRows', 'behaviour', 'sees the first filter alone', ({ json }) => {
    if (Array.isArray(json?.filters)) json.filters.length = Math.min(1, json.filters.length)
  }),
  misheard('queryRows', 'behaviour', 'sees the first sort key alone', ({ json }) => {
    if (Array.isArray(json?.sort)) json.sort.length = Math.min(1, json.sort.length)
  }),
  misheard('queryRows', 'default', 'sorts descending by default', ({ json }) => {
    for (const key of Array.isArray(json?.sort) ? json.sort : []) key.direction ??= 'desc'
  }),
  misheard('queryRows', 'behaviour', 'does not page', ({ json }) => {
    delete json?.page
  }),
  misheard('queryRows', 'behaviour', 'does not select', ({ json }) => {
    delete json?.select
  }),
  edited('queryRows', 'behaviour', 'total counts the page', (json) => {
    json.total = json.rows.length
  }),
  ifWritten(as('eq', 'contains')),
  ifWritten(as('neq', 'not_contains')),
]

/** Changes a value before a row is stored. */
const stored = (operation: 'createRow' | 'bulkInsertRows', wrong: string, change: (value: any) => unknown) =>
  misheard(operation, 'behaviour', wrong, ({ json }) => {
    const rows = operation === 'createRow' ? [json?.data] : json?.rows
    for (const row of Array.isArray(rows) ? rows : [])
      for (const id of Object.keys(row ?? {})) row[id] = change(row[id])
  })

const isText = (value: unknown): value is string => typeof value === 'string'
const inOtherTable = (operation: 'updateRow' | 'deleteRow') =>
  misheard(operation, 'behaviour', 'finds rows of other tables', async (asked) => {
    const { datatables = [] } = await asked.get('/datatables')
    for (const { id } of datatables) {
      const path = `/datatables/${id}/rows/${asked.params.rowId}`
      if ((await asked.get(path)).id === undefined || id === asked.params.tableId) continue
      const response = await asked.send(operation === 'updateRow' ? 'PATCH' : 'DELETE', path, asked.json)
      asked.instead = jsonResponse(response.status, await response.json())
    }
  })

const writing: readonly Mutant[] = [
  stored('createRow', 'rounds numbers', (value) => (typeof value === 'number' ? Math.round(value) : value)),
  stored('createRow', 'false is no value', (value) => (value === false ? null : value)),
  stored('createRow', '0 is no value', (value) => (value === 0 ? null : value)),
  stored('createRow', 'keeps one tag alone', (value) => (Array.isArray(value) ? value.slice(0, 1) : value)),
  stored('createRow', 'loses what is not ASCII', (value) =>
    isText(value) ? value.replace(/[^\x20-\x7e\n]/g, '?') : value,
  ),
  stored('createRow', 'escapes HTML', (value) => (isText(value) ? value.replaceAll('<', '&lt;') : value)),
  stored('createRow', 'joins lines', (value) => (isText(value) ? value.replaceAll('\n', ' ') : value)),
  stored('bulkInsertRows', 'loses what is not ASCII', (value) =>
    isText(value) ? value.replace(/[^\x20-\x7e\n]/g, '?') : value,
  ),
  misheard('updateRow', 'behaviour', 'stores nothing', async (asked) => {
    const row = await asked.get(`/datatables/${asked.params.tableId}/rows/${asked.params.rowId}`)
    if (row.id !== undefined && asked.json?.data)
      asked.instead = jsonResponse(200, {
        ...row,
        version: row.version + 1,
        data: { ...row.data, ...asked.json.data },
      })
  }),
  misheard('updateRow', 'behaviour', 'a refused change is made in part', async (asked) => {
    const path = `/datatables/${asked.params.tableId}/rows/${asked.params.rowId}`
    const entries = Object.entries(asked.json?.data ?? {})
    if (entries.length < 2) return
    for (const [id, value] of entries) await asked.send('PATCH', path, { data: { [id]: value } })
  }),
  inOtherTable('updateRow'),
  inOtherTable('deleteRow'),
  edited('updateRow', 'behaviour', 'formulas keep their value', (json) => {
    if ('col_total' in json.data) json.data.col_total = null
  }),
  misheard('updateRow', 'behaviour', 'false is not stored', ({ json }) => {
    for (const [id, value] of Object.entries(json?.data ?? {})) if (value === false) delete json.data[id]
  }),
  edited('updateRow', 'behaviour', 'created_at moves', (json) => {
    if (json.data.col_created) json.data.col_created += 60
  }),
  edited('updateRow', 'behaviour', 'updated_at is that of the creation', (json) => {
    if (json.data.col_created) json.data.col_updated = json.data.col_created
  }),
  misheard('deleteRow', 'behaviour', 'deletes the row after it too', async (asked) => {
    const rows = await allRows(asked)
    const next = rows[rows.findIndex(({ id }: any) => id === asked.params.rowId) + 1]
    if (next && rows.some(({ id }: any) => id === asked.params.rowId))
      await asked.send('DELETE', `/datatables/${asked.params.tableId}/rows/${next.id}`)
  }),
  misheard('bulkInsertRows', 'behaviour', 'inserts the last row first', ({ json }) => {
    if (Array.isArray(json?.rows) && json.mode !== 'upsert') json.rows.reverse()
  }),
  mutant('bulkInsertRows', 'limit', 'leaves out rows after the 100th', () => {
    let sent = 0
    return {
      ask: ({ json }) => {
        sent = json?.rows?.length ?? 0
        if (sent > 100 && sent <= 250) json.rows.length = 100
      },
      reply: ({ json }) => {
        if (sent > 100 && json?.count === 100) Object.assign(json, { count: sent, total: sent })
      },
    }
  }),
  misheard('bulkInsertRows', 'behaviour', 'stores the first column alone', ({ json }) => {
    for (const row of Array.isArray(json?.rows) ? json.rows : [])
      for (const id of Object.keys(row ?? {}).slice(1)) delete row[id]
  }),
  misheard('bulkInsertRows', 'behaviour', 'an upsert clears what is not sent', ({ json }) => {
    if (json?.mode === 'upsert' && Array.isArray(json.rows))
      for (const row of json.rows) if (Object.keys(row ?? {}).length === 1) row.col_notes = null
  }),
]

const jobs: readonly Mutant[] = [
  edited('getJob', 'behaviour', 'errors counts rows', (json) => {
    if (json.metadata.errors > 0) json.metadata.errors = json.metadata.submitted - json.metadata.row_count
  }),
  edited('getJob', 'behaviour', 'says the first error alone', (json) => {
    if (json.error_message) json.error_message = json.error_message.split('; ')[0]
  }),
  edited('getJob', 'behaviour', 'says more than three errors', (json) => {
    if (json.metadata.errors > 3) json.error_message += '; chunk 4: row 3000: wrong'
  }),
  edited('getJob', 'type', 'all times are in milliseconds', (json) => {
    for (const name of ['created_at', 'updated_at', 'completed_at']) if (json[name]) json[name] *= 1000
  }),
  edited('getJob', 'type', 'all times are a day late', (json) => {
    for (const name of ['created_at', 'updated_at', 'completed_at']) if (json[name]) json[name] += 86_400
  }),
  mutant('submitInsertJob', 'limit', 'a slot is never freed', () => {
    let accepted = 0
    return {
      reply: (reply) => {
        if (reply.status === 202) accepted += 1
        if (reply.status !== 202 || accepted < 8) return
        const facts = { limitReached: true, resource: 'concurrentBulkJobs', limit: 1, current: 1 }
        Object.assign(reply, jsonResponse(429, { error: 'too many jobs', ...facts }))
        reply.headers.set('retry-after', '1')
        reply.headers.set('x-ratelimit-limit', '1')
        reply.headers.set('access-control-expose-headers', 'retry-after, x-ratelimit-limit')
      },
    }
  }),
  mutant('submitInsertJob', 'header', 'Retry-After is a day', {
    reply: ({ status, headers }) => {
      if (status === 429) headers.set('retry-after', '86400')
    },
  }),
  mutant('submitInsertJob', 'header', 'Retry-After is in milliseconds', {
    reply: ({ status, headers }) => {
      if (status === 429) headers.set('retry-after', String(Number(headers.get('retry-after')) * 1000))
    },
  }),
  mutant('submitInsertJob', 'header', 'browsers cannot read Retry-After', {
    reply: ({ status, headers }) => {
      if (status === 429) headers.delete('access-control-expose-headers')
    },
  }),
  misheard('submitInsertJob', 'behaviour', 'stores the first column alone', ({ json }) => {
    for (const row of Array.isArray(json?.rows) ? json.rows : [])
      for (const id of Object.keys(row ?? {}).slice(1)) delete row[id]
  }),
  misheard('submitInsertJob', 'behaviour', 'inserts the last row first', ({ json }) => {
    if (Array.isArray(json?.rows)) json.rows.reverse()
  }),
]

const files: readonly Mutant[] = [
  edited('uploadRowAttachment', 'type', 'uploadedAt is in milliseconds', ({ attachment }) => {
    attachment.uploadedAt *= 1000
  }),
  edited('uploadRowAttachment', 'behaviour', 'encodes the name', ({ attachment }) => {
    attachment.filename = encodeURIComponent(attachment.filename)
  }),
  mutant('uploadRowAttachment', 'limit', 'takes any size', {
    reply: (reply) => {
      if (reply.status === 413) Object.assign(reply, jsonResponse(200, { attachment: {}, row: {} }))
    },
  }),
  misheard('deleteRowAttachment', 'behaviour', 'deletes all files of the row', async (asked) => {
    const path = `/datatables/${asked.params.tableId}/rows/${asked.params.rowId}`
    const { data = {} } = await asked.get(path)
    const keys = (Object.values(data).flat() as any[]).flatMap((file) => file?.key ?? [])
    if (!keys.includes(asked.params.key)) return
    for (const key of keys)
      if (key !== asked.params.key)
        await asked.send('DELETE', `${path}/attachments/${encodeURIComponent(key)}`)
  }),
  misheard('deleteRowAttachment', 'behaviour', 'takes the key of another row', async (asked) => {
    const [, tableId, , rowId] = String(asked.params.key).split('/')
    if (rowId === asked.params.rowId || tableId !== asked.params.tableId) return
    const path = `/datatables/${tableId}/rows/${rowId}/attachments/${encodeURIComponent(asked.params.key!)}`
    const response = await asked.send('DELETE', path)
    asked.instead = jsonResponse(response.status, await response.json())
  }),
]

export const rowMutants: readonly Mutant[] = [...listing, ...querying, ...writing, ...jobs, ...files]
