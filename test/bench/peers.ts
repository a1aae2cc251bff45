// Measures peers at the same work in the same run, installed into a separate folder.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Collection } from '@mswjs/data'
import { http, HttpResponse } from 'msw'
import { setupServer } from 'msw/node'
import * as z from 'zod'
import { operationList } from '../../src/contract/index.ts'
import type { Bench, Figure } from './measuring/figure.ts'
import { ms } from './measuring/figure.ts'
import { Connection, load, requestText } from './measuring/http-client.ts'
import { compare, median } from './measuring/measure.ts'
import { importPackage, packageFolder } from './package.ts'
import { authorization, largeFixture, rowsOf, spread, tableId } from './rows.ts'
import { handWritten, mockoonEnvironment, onEmulate } from './peer-scripts.ts'
import { bareScript, cliScript, freePort, start, type Served } from './measuring/servers.ts'

const versions = [
  'json-server@0.17.4',
  '@mswjs/http-middleware@0.10.3',
  'msw@2.15.0',
  '@stoplight/prism-cli@5.14.2',
  '@emulators/core@0.6.1',
  '@mockoon/cli@9.9.0',
]

/** A server, and how to request the same from it: a row, a page, a new row. */
interface Peer {
  readonly name: string
  readonly serve: () => Promise<Served>
  readonly row: (id: string) => string
  /** Undefined if the server keeps no rows. */
  readonly page?: (orders: number) => string
  readonly newRow?: { readonly path: string; readonly body: string }
}

const data = { col_name: 'Ada Almeida', col_city: 'Lisbon', col_orders: 12, col_spent: 340.5 }
const table = `/datatables/${tableId}`
const ourRoutes = (prefix: string) => ({
  row: (id: string) => `${prefix}${table}/rows/${id}`,
  page: (orders: number) => `${prefix}${table}/rows?Orders=${String(orders)}&sort=Spent:desc`,
  newRow: { path: `${prefix}${table}/rows`, body: JSON.stringify({ data }) },
})

async function writeFiles(folder: string): Promise<void> {
  const fixture = largeFixture()
  const rows = rowsOf(fixture)
  writeFileSync(join(folder, 'rows.json'), JSON.stringify(rows))
  const flat = rows.map((row) => ({ id: row.id, ...row.data }))
  writeFileSync(join(folder, 'db.json'), JSON.stringify({ rows: flat }))
  writeFileSync(join(folder, 'mockoon.json'), JSON.stringify(mockoonEnvironment(flat)))
  writeFileSync(join(folder, 'hand-written.mjs'), handWritten(folder))
  writeFileSync(join(folder, 'on-emulate.mjs'), onEmulate(folder))
  const openapi = (await import(pathToFileURL(join(packageFolder(), 'openapi.js')).href)) as {
    openApiDocument: () => unknown
  }
  writeFileSync(join(folder, 'openapi.json'), JSON.stringify(openapi.openApiDocument()))
}

async function peersIn(folder: string): Promise<Peer[]> {
  const bin = (path: string) => join(folder, 'node_modules', path)
  const ports = [await freePort(), await freePort(), await freePort(), await freePort()].map(String)
  const [first = '', second = '', third = '', fourth = ''] = ports
  return [
    {
      name: 'bare node:http',
      serve: () => start(bareScript(), ['0', '50000']),
      row: ourRoutes('/v1').row,
      newRow: ourRoutes('/v1').newRow,
    },
    {
      name: '**this mock**',
      serve: () => start(cliScript(), ['serve', '--port', '0', '--fixture', 'large', '--quiet']),
      ...ourRoutes('/v1'),
    },
    {
      name: '@mswjs/http-middleware 0.10.3, 3 handlers over an array',
      serve: () => start(join(folder, 'hand-written.mjs'), ['0']),
      ...ourRoutes('/v1'),
    },
    {
      name: "emulate's core 0.6.1, 3 routes over its store",
      serve: () => start(join(folder, 'on-emulate.mjs'), [third]),
      ...ourRoutes('/v1'),
    },
    {
      name: 'json-server 0.17.4',
      serve: () =>
        start(bin('json-server/lib/cli/bin.js'), [
          '--port',
          first,
          '--host',
          '127.0.0.1',
          join(folder, 'db.json'),
        ]),
      row: (id) => `/rows/${id}`,
      page: (orders) => `/rows?col_orders=${String(orders)}&_sort=col_spent&_order=desc&_page=1&_limit=50`,
      newRow: { path: '/rows', body: JSON.stringify(data) },
    },
    {
      name: 'Mockoon 9.9.0',
      serve: () =>
        start(bin('@mockoon/cli/bin/run.js'), [
          'start',
          '--data',
          join(folder, 'mockoon.json'),
          '--port',
          fourth,
          '--hostname',
          '127.0.0.1',
          '--disable-log-to-file',
        ]),
      row: (id) => `/rows/${id}`,
      page: (orders) => `/rows?col_orders_eq=${String(orders)}&sort=col_spent&order=desc&page=1&limit=50`,
      newRow: { path: '/rows', body: JSON.stringify(data) },
    },
    {
      name: 'Prism 5.14.2 (keeps no rows)',
      serve: () =>
        start(bin('@stoplight/prism-cli/dist/index.js'), [
          'mock',
          '-h',
          '127.0.0.1',
          '-p',
          second,
          join(folder, 'openapi.json'),
        ]),
      row: (id) => `${table}/rows/${id}`,
    },
  ]
}

const headers = { authorization }
const rounds = 5

async function readsPerSecond(peers: readonly Running[]): Promise<number[][]> {
  const random = spread(50_000)
  const id = () => `row_${String(random() + 1).padStart(5, '0')}`
  const rates = peers.map((): number[] => [])
  for (let round = 0; round <= rounds; round++)
    for (const [index, { row, served }] of peers.entries()) {
      const next = () => requestText('GET', row(id()), headers)
      const rate = await load(served.port, 10, 600, next)
      if (round > 0) rates[index]?.push(rate)
    }
  return rates
}

/** Median of `times` successive requests, or of as many as fit in two seconds. */
async function p50(served: Served, times: number, next: () => string): Promise<number> {
  const connection = await Connection.open(served.port)
  const taken: number[] = []
  const end = performance.now() + 2000
  for (let time = 0; time < times && performance.now() < end; time++) {
    const start = performance.now()
    const status = await connection.send(next())
    if (status >= 300) throw new Error(`answered ${String(status)}`)
    taken.push(performance.now() - start)
  }
  connection.close()
  return median(taken)
}

type Running = Peer & { readonly served: Served }

/** Medians by peer, measured in turns; NaN for a peer that does not support the request. */
async function inTurns(running: readonly Running[], ask: (peer: Running) => Promise<number> | undefined) {
  const values = running.map((): number[] => [])
  for (let round = 0; round <= rounds; round++)
    for (const [index, peer] of running.entries()) {
      const value = await ask(peer)
      if (round > 0 && value !== undefined) values[index]?.push(value)
    }
  return values.map(median)
}

async function overHttp(folder: string): Promise<Figure[]> {
  const running: Running[] = []
  try {
    for (const peer of await peersIn(folder)) running.push({ ...peer, served: await peer.serve() })
    const rates = await readsPerSecond(running)
    const next = spread(60)
    const pages = await inTurns(
      running,
      ({ served, page }) => page && p50(served, 20, () => requestText('GET', page(1 + next()), headers)),
    )
    const creates = await inTurns(
      running,
      ({ served, newRow }) =>
        newRow && p50(served, 400, () => requestText('POST', newRow.path, headers, newRow.body)),
    )
    return running.map(({ name }, index) => {
      const ratio = median((rates[index] ?? []).map((rate, round) => rate / (rates[0]?.[round] ?? NaN)))
      const [pageMs = NaN, createMs = NaN] = [pages[index], creates[index]]
      const page = Number.isNaN(pageMs) ? '' : `, page ${ms(pageMs)}`
      const create = Number.isNaN(createMs)
        ? ''
        : `, create ${ms(createMs)} (${(createMs / (creates[0] ?? NaN)).toFixed(1)})`
      return {
        work: `over HTTP: ${name}`,
        figure: ratio,
        ours: `${Math.round(median(rates[index] ?? [])).toLocaleString('en')} reads/s${page}${create}`,
        limit: 'bare node:http, for reads and (in brackets) creates',
      }
    })
  } finally {
    await Promise.all(running.map(({ served }) => served.stop()))
  }
}

/** In process: one handler per operation of the API over an array. */
async function inProcess(): Promise<Figure[]> {
  const { createWorkspaceMock } = await importPackage()
  const fixture = largeFixture()
  const rows = rowsOf(fixture)
  const mock = createWorkspaceMock({ fixture })
  const methods = { GET: http.get, POST: http.post, PATCH: http.patch, DELETE: http.delete }
  const path = (template: string) => mock.baseUrl + template.replace(/\{(\w+)\}/g, ':$1')
  const handlers = operationList.map(({ id, method, path: template }) =>
    methods[method](path(template), ({ params }) =>
      id === 'getRow'
        ? HttpResponse.json(rows.find((row) => row.id === params.rowId) ?? null)
        : HttpResponse.json({ success: true }),
    ),
  )
  const collection = new Collection({
    schema: z.object({ id: z.string(), version: z.number(), data: z.any() }),
  })
  for (const row of rows) await collection.create(row)
  const overData = http.get(path(`${table}/rows/:rowId`), ({ params }) =>
    HttpResponse.json(collection.findFirst((query) => query.where({ id: String(params.rowId) })) ?? null),
  )
  const next = spread(rows.length)
  const read = async () => {
    const response = await fetch(`${mock.baseUrl}${table}/rows/${rows[next()]?.id ?? ''}`, { headers })
    await response.text()
  }
  const through = (name: string, ...given: Parameters<typeof setupServer>) => {
    const server = setupServer(...given)
    return { name, run: read, start: () => server.listen(), stop: () => server.close() }
  }
  const bare = http.get(path(`${table}/rows/:rowId`), () => HttpResponse.json(rows[0]))
  const timings = await compare(
    [
      through('one bare http.get', bare),
      through('**this mock**', ...mock.handlers),
      through('MSW 2.15.0, 42 handlers over an array', ...handlers),
      through('MSW 2.15.0, one handler over @msw/data 1.1.7', overData),
    ],
    { rounds: 9, calls: 60 },
  )
  return timings.map(({ name, ratio, p50Ms }) => ({
    work: `in process: ${name}`,
    figure: ratio,
    ours: ms(p50Ms),
    limit: 'one bare `http.get`, reading a row among 50,000',
  }))
}

export const peers: Bench = {
  name: 'peers',
  title: 'Peers at the same work',
  heading: 'Peers, same rows, same run',
  onRequest: true,
  async run() {
    const folder = mkdtempSync(join(tmpdir(), 'workspace-api-mock-peers-'))
    try {
      writeFileSync(join(folder, 'package.json'), '{"private":true}')
      execFileSync(
        'npm',
        ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error', ...versions],
        {
          cwd: folder,
          stdio: ['ignore', 'ignore', 'inherit'],
        },
      )
      await writeFiles(folder)
      return [...(await inProcess()), ...(await overHttp(folder))]
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  },
}
