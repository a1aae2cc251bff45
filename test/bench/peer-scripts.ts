// Servers for peers that are libraries: minimal scripts that respond to the same requests.
import { join } from 'node:path'

/** A hand-written mock: an array, and a handler for each operation. */
export const handWritten = (folder: string) => `
import { readFileSync } from 'node:fs'
import { http, HttpResponse } from 'msw'
import { createServer } from '@mswjs/http-middleware'
const rows = JSON.parse(readFileSync(${JSON.stringify(join(folder, 'rows.json'))}, 'utf8'))
const table = '/v1/datatables/:tableId/rows'
const handlers = [
  http.get(table, ({ request }) => {
    const query = new URL(request.url).searchParams
    const found = rows.filter(({ data }) => data.col_orders === Number(query.get('Orders')))
    found.sort((a, b) => b.data.col_spent - a.data.col_spent)
    return HttpResponse.json({ rows: found.slice(0, 50), total: found.length, page: 1, pageSize: 50 })
  }),
  http.post(table, async ({ request }) => {
    const { data } = await request.json()
    const row = { id: 'row_' + (rows.length + 1), version: 1, data }
    rows.push(row)
    return HttpResponse.json(row)
  }),
  http.get(table + '/:rowId', ({ params }) => {
    const row = rows.find(({ id }) => id === params.rowId)
    return row ? HttpResponse.json(row) : new HttpResponse(null, { status: 404 })
  }),
]
const server = createServer(...handlers).listen(Number(process.argv[2]), '127.0.0.1', () => {
  console.log('http://127.0.0.1:' + server.address().port)
})
`

/** The same mock on the store and server of emulate, with an index on the row's id. */
export const onEmulate = (folder: string) => `
import { readFileSync } from 'node:fs'
import { Hono, Store, serve } from '@emulators/core'
const rows = new Store().collection('rows', ['row_id'])
for (const { id, version, data } of JSON.parse(readFileSync(${JSON.stringify(join(folder, 'rows.json'))}, 'utf8')))
  rows.insert({ row_id: id, version, data })
const shown = ({ row_id, version, data }) => ({ id: row_id, version, data })
// With its length, which the client of the benchmark goes by.
const json = (c, value, status = 200) => {
  const text = JSON.stringify(value)
  const headers = { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(text)) }
  return c.body(text, status, headers)
}
const table = '/v1/datatables/:tableId/rows'
const app = new Hono()
app.get(table, (c) => {
  const orders = Number(c.req.query('Orders'))
  const found = rows.query({
    filter: ({ data }) => data.col_orders === orders,
    sort: (a, b) => b.data.col_spent - a.data.col_spent,
    page: 1,
    per_page: 50,
  })
  return json(c, { rows: found.items.map(shown), total: found.total_count, page: 1, pageSize: 50 })
})
app.post(table, async (c) => {
  const { data } = await c.req.json()
  return json(c, shown(rows.insert({ row_id: 'row_' + (rows.count() + 1), version: 1, data })))
})
app.get(table + '/:rowId', (c) => {
  const row = rows.findOneBy('row_id', c.req.param('rowId'))
  return row ? json(c, shown(row)) : json(c, {}, 404)
})
const port = Number(process.argv[2])
serve({ fetch: app.fetch, port, hostname: '127.0.0.1' }).on('listening', () => console.log('http://127.0.0.1:' + port))
`

/** The rows as a Mockoon data bucket behind one CRUD route. */
export function mockoonEnvironment(rows: readonly object[]): object {
  const response = {
    uuid: 'response',
    body: '{}',
    statusCode: 200,
    bodyType: 'DATABUCKET',
    databucketID: 'rows',
    crudKey: 'id',
    default: true,
    disableTemplating: true,
  }
  return {
    uuid: 'rows',
    lastMigration: 33,
    name: 'rows',
    routes: [{ uuid: 'crud', type: 'crud', method: '', endpoint: 'rows', responses: [response] }],
    rootChildren: [{ type: 'route', uuid: 'crud' }],
    data: [{ uuid: 'bucket', id: 'rows', name: 'rows', value: JSON.stringify(rows) }],
  }
}
