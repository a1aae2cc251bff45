// Measures whether the heap stays flat over a million mixed requests.
import type { Bench } from './measuring/figure.ts'
import { mib, ms } from './measuring/figure.ts'
import { median } from './measuring/measure.ts'
import { importPackage } from './package.ts'
import { call } from './row-work.ts'
import { largeFixture, rowsOf, spread, tableId } from './rows.ts'

const requests = 1_000_000
const samples = 20
const table = `/datatables/${tableId}`

function heapBytes(): number {
  const { gc } = globalThis as { gc?: () => void }
  gc?.()
  gc?.()
  return process.memoryUsage().heapUsed
}

export const soak: Bench = {
  name: 'soak',
  title: 'A million requests',
  onRequest: true,
  async run() {
    const { createWorkspaceMock } = await importPackage()
    const fixture = largeFixture(5000)
    const ids = rowsOf(fixture).map(({ id }) => id)
    const mock = createWorkspaceMock({ fixture, limits: { bulkInsertPerMinute: null } })
    const next = spread(ids.length)
    const id = () => ids[next()] ?? ''
    const works = [
      () => call(mock, 'GET', `${table}/rows/${id()}`),
      () => call(mock, 'GET', `${table}/rows/${id()}`),
      () => call(mock, 'PATCH', `${table}/rows/${id()}`, '', { data: { col_orders: next() } }),
      () => call(mock, 'GET', `${table}/rows`, `limit=5&page=${String(1 + (next() % 50))}`),
      () => call(mock, 'GET', '/me'),
      // Refused, so the report examines it.
      () => call(mock, 'GET', `${table}/rows/row_${String(next())}x`).catch(() => undefined),
      () => call(mock, 'GET', `${table}/rows`, `limit=5&Orders=${String(next() % 60)}&sort=Spent`),
      async () => {
        const { id: made } = JSON.parse(
          await call(mock, 'POST', `${table}/rows`, '', { data: { col_name: 'Ada', col_orders: 1 } }),
        ) as { id: string }
        await call(mock, 'DELETE', `${table}/rows/${made}`)
      },
    ]
    const heaps: number[] = []
    const start = performance.now()
    for (let request = 1; request <= requests; request++) {
      await works[request % works.length]?.()
      // Resets now and then, like a long suite.
      if (request % 1000 === 0) mock.reset()
      if (request % (requests / samples) === 0) heaps.push(heapBytes())
    }
    const took = performance.now() - start
    const settled = heaps.slice(samples / 4)
    const half = settled.length >> 1
    const early = median(settled.slice(0, half))
    const late = median(settled.slice(half))
    return [
      {
        work: 'a million mixed requests, a reset after each thousand: heap at the end against a quarter in',
        figure: late / early,
        ours: `${mib(late)}, from ${mib(Math.min(...heaps))} to ${mib(Math.max(...heaps))}`,
        limit: `${ms(took / requests)} a request`,
      },
    ]
  },
}
