// The limit of node:http: rows in a Map, and no validation. Arguments: port, number of rows.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'

interface Row {
  readonly id: string
  readonly version: number
  readonly data: Record<string, unknown>
}

const [port = '0', count = '0'] = process.argv.slice(2)
const rows = new Map<string, Row>()
for (let number = 1; number <= Number(count); number++) {
  const id = `row_${String(number).padStart(5, '0')}`
  const data = {
    col_name: `Ada Almeida`,
    col_email: `ada.almeida.${String(number)}@example.com`,
    col_city: 'Amsterdam',
    col_orders: number % 60,
    col_spent: number / 7,
    col_tier: 'opt_gold',
    col_first_order: 1_614_556_800,
    col_newsletter: false,
  }
  rows.set(id, { id, version: 1, data })
}

function respond(response: ServerResponse, status: number, value: unknown): void {
  const body = JSON.stringify(value)
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    'access-control-allow-origin': '*',
  })
  response.end(body)
}

function create(request: IncomingMessage, response: ServerResponse): void {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const { data } = JSON.parse(Buffer.concat(chunks).toString()) as Row
    const row = { id: `row_${String(rows.size + 1)}`, version: 1, data }
    rows.set(row.id, row)
    respond(response, 200, row)
  })
}

const server = createServer((request, response) => {
  if (request.method === 'POST') {
    create(request, response)
    return
  }
  const url = request.url ?? ''
  const row = rows.get(url.slice(url.lastIndexOf('/') + 1))
  respond(response, row ? 200 : 404, row ?? {})
})
server.listen(Number(port), '127.0.0.1', () => {
  const address = server.address()
  process.stdout.write(`http://127.0.0.1:${String(typeof address === 'object' ? address?.port : '')}/v1\n`)
})
