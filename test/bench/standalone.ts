// Measures the standalone server over HTTP against bare node:http.
import type { Bench } from './measuring/figure.ts'
import { ms } from './measuring/figure.ts'
import { Connection, load, requestText } from './measuring/http-client.ts'
import { compare, median } from './measuring/measure.ts'
import { authorization, spread, tableId } from './rows.ts'
import { startBare, startMock, type Served } from './measuring/servers.ts'

const headers = { authorization }
const rowPath = (number: number) =>
  `/v1/datatables/${tableId}/rows/row_${String(number + 1).padStart(5, '0')}`

async function withServers<T>(use: (bare: Served, mock: Served) => Promise<T>): Promise<T> {
  const [bare, mock] = await Promise.all([startBare(), startMock()])
  try {
    return await use(bare, mock)
  } finally {
    await Promise.all([bare.stop(), mock.stop()])
  }
}

const rounds = 25
const turnMs = 400
const connections = 10

async function readsPerSecond(bare: Served, mock: Served) {
  const random = spread(50_000)
  const next = () => requestText('GET', rowPath(random()), headers)
  const samples: { readonly bare: number; readonly mock: number }[] = []
  for (let round = 0; round <= rounds; round++) {
    const first = await load(bare.port, connections, turnMs, next)
    const second = await load(mock.port, connections, turnMs, next)
    if (round > 0) samples.push({ bare: first, mock: second })
  }
  return {
    ratio: median(samples.map((sample) => sample.mock / sample.bare)),
    bare: median(samples.map((sample) => sample.bare)),
    mock: median(samples.map((sample) => sample.mock)),
  }
}

export const reads: Bench = {
  name: 'http-read',
  title: 'A row among 50,000 over HTTP, 10 connections',
  async run() {
    const { ratio, bare, mock } = await withServers(readsPerSecond)
    return [
      {
        work: 'standalone GET of a row among 50,000, requests per second on 10 connections',
        figure: ratio,
        target: '>= 0.9',
        ours: `${Math.round(mock).toLocaleString('en')}/s`,
        limit: `bare node:http with a Map: ${Math.round(bare).toLocaleString('en')}/s`,
      },
    ]
  },
}

const newRow = JSON.stringify({
  data: {
    col_name: 'Ada Almeida',
    col_email: 'ada.almeida@example.com',
    col_city: 'Lisbon',
    col_orders: 12,
    col_spent: 340.5,
    col_tier: 'opt_gold',
    col_first_order: 1_700_000_000,
    col_newsletter: true,
  },
})

export const creates: Bench = {
  name: 'http-create',
  title: 'Creating a row over HTTP',
  async run() {
    const [limit, ours] = await withServers(async (bare, mock) => {
      const request = requestText('POST', `/v1/datatables/${tableId}/rows`, headers, newRow)
      // Several at once, because single requests mostly measure whether an idle core went to sleep in between.
      const to = async (name: string, { port }: Served) => {
        const open = await Promise.all(Array.from({ length: connections }, () => Connection.open(port)))
        return { open, name, run: () => Promise.all(open.map((connection) => connection.send(request))) }
      }
      const contenders = [await to('bare', bare), await to('mock', mock)]
      const timings = await compare(contenders, { rounds: 15, calls: 100 })
      for (const { open } of contenders) for (const connection of open) connection.close()
      return timings
    })
    return [
      {
        work: 'creating a row over HTTP, ten at once, p50',
        figure: ours?.ratio ?? NaN,
        target: '<= 1.7',
        ours: ms(ours?.p50Ms ?? NaN),
        limit: `bare node:http, JSON.parse and Map: ${ms(limit?.p50Ms ?? NaN)}`,
      },
    ]
  },
}
