// Measures a request that never leaves the process: through MSW, and directly on the mock.
import { http, HttpResponse } from 'msw'
import { setupServer } from 'msw/node'
import type { Bench } from './measuring/figure.ts'
import { ms } from './measuring/figure.ts'
import { compare } from './measuring/measure.ts'
import { importPackage } from './package.ts'
import { authorization, largeFixture, rowsOf, spread, tableId } from './rows.ts'

const headers = { authorization }

export const msw: Bench = {
  name: 'msw',
  title: 'A row among 50,000 through setupServer',
  async run() {
    const { createWorkspaceMock } = await importPackage()
    const fixture = largeFixture()
    const rows = rowsOf(fixture)
    const mock = createWorkspaceMock({ fixture })
    const base = `${mock.baseUrl}/datatables/${tableId}/rows`
    const next = spread(rows.length)
    const read = async () => {
      const response = await fetch(`${base}/${rows[next()]?.id ?? ''}`, { headers })
      if (response.status !== 200) throw new Error(`answered ${String(response.status)}`)
      await response.text()
    }
    const through = (name: string, ...handlers: Parameters<typeof setupServer>) => {
      const server = setupServer(...handlers)
      return { name, run: read, start: () => server.listen(), stop: () => server.close() }
    }
    const bare = http.get(`${mock.baseUrl}/datatables/:tableId/rows/:rowId`, () => HttpResponse.json(rows[0]))
    const [limit, ours] = await compare([through('bare', bare), through('mock', ...mock.handlers)], {
      rounds: 21,
      calls: 400,
    })
    return [
      {
        work: 'GET of a row among 50,000 through `setupServer`, p50',
        figure: ours?.ratio ?? NaN,
        target: '<= 0.65',
        ours: ms(ours?.p50Ms ?? NaN),
        limit: `one bare \`http.get\` with the same JSON: ${ms(limit?.p50Ms ?? NaN)}`,
      },
    ]
  },
}

export const direct: Bench = {
  name: 'fetch',
  title: 'mock.fetch of a row among 50,000',
  async run() {
    const { createWorkspaceMock } = await importPackage()
    const fixture = largeFixture()
    const rows = rowsOf(fixture)
    const mock = createWorkspaceMock({ fixture })
    const base = `${mock.baseUrl}/datatables/${tableId}/rows`
    const byId = new Map(rows.map((row) => [row.id, row]))
    const answered = {
      'content-type': 'application/json',
      'access-control-allow-origin': '*',
      'access-control-expose-headers': 'X-RateLimit-Limit, Retry-After, Content-Disposition',
    }
    const next = spread(rows.length)
    const request = () => new Request(`${base}/${rows[next()]?.id ?? ''}`, { headers })
    const withMap = ({ url }: Request) =>
      Promise.resolve(
        new Response(JSON.stringify(byId.get(url.slice(base.length + 1))), {
          status: 200,
          headers: answered,
        }),
      )
    const [limit, ours] = await compare(
      [
        { name: 'map', run: () => withMap(request()) },
        { name: 'mock', run: () => mock.fetch(request()) },
      ],
      { rounds: 31, calls: 2000 },
    )
    return [
      {
        work: '`mock.fetch` of a row among 50,000, p50',
        figure: ours?.ratio ?? NaN,
        target: '<= 1',
        ours: ms(ours?.p50Ms ?? NaN),
        limit: `the same Request and Response around a Map: ${ms(limit?.p50Ms ?? NaN)}`,
      },
    ]
  },
}
