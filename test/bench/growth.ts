// Measures how cost grows with the number of rows: power 0 means no growth, 1 means in proportion.
import type { Bench, Figure } from './measuring/figure.ts'
import { ms } from './measuring/figure.ts'
import { median } from './measuring/measure.ts'
import { importPackage } from './package.ts'
import { call } from './row-work.ts'
import { largeFixture, rowsOf, spread, tableId } from './rows.ts'

const counts = [1000, 10_000, 100_000, 500_000]
const table = `/datatables/${tableId}`

async function p50(run: () => Promise<unknown>, times: number): Promise<number> {
  const taken: number[] = []
  for (let time = 0; time < times * 1.25; time++) {
    const start = performance.now()
    await run()
    taken.push(performance.now() - start)
  }
  // The first calls are warm-up.
  return median(taken.slice(-times))
}

/** Slope of the line through the points on logarithmic scales. */
function exponent(values: readonly number[]): number {
  const points = values.map((value, index) => [Math.log(counts[index] ?? 1), Math.log(value)] as const)
  const mean = (axis: 0 | 1) => points.reduce((sum, point) => sum + point[axis], 0) / points.length
  const [x, y] = [mean(0), mean(1)]
  const above = points.reduce((sum, point) => sum + (point[0] - x) * (point[1] - y), 0)
  return above / points.reduce((sum, point) => sum + (point[0] - x) ** 2, 0)
}

type Works = Record<string, number>

async function worksAt(count: number): Promise<Works> {
  const { createWorkspaceMock } = await importPackage()
  const fixture = largeFixture(count)
  const ids = rowsOf(fixture).map(({ id }) => id)
  const emails = rowsOf(fixture).map(({ data }) => data.col_email)
  const mock = createWorkspaceMock({ fixture, limits: { bulkInsertPerMinute: null } })
  const next = spread(count)
  const id = () => ids[next()] ?? ''
  const newRow = { data: { col_name: 'Ada Almeida', col_city: 'Lisbon', col_orders: 12 } }
  const upsert = () => ({
    mode: 'upsert',
    key_column: 'Email',
    rows: Array.from({ length: 250 }, () => ({ col_email: emails[next()], col_orders: 1 })),
  })
  const works: Works = {
    'read a row': await p50(() => call(mock, 'GET', `${table}/rows/${id()}`), 4000),
    'list a page': await p50(() => call(mock, 'GET', `${table}/rows`, 'page=3'), 400),
    'list a page, filtered and sorted': await p50(
      () => call(mock, 'GET', `${table}/rows`, `Orders=${String(1 + (next() % 60))}&sort=Spent:desc`),
      40,
    ),
    'change a row': await p50(
      () => call(mock, 'PATCH', `${table}/rows/${id()}`, '', { data: { col_orders: next() } }),
      1000,
    ),
    'create a row': await p50(() => call(mock, 'POST', `${table}/rows`, '', newRow), 1000),
    'upsert 250 rows by key': await p50(() => call(mock, 'POST', `${table}/rows/bulk`, '', upsert()), 20),
  }
  const taken: number[] = []
  for (let time = 0; time < 30; time++) {
    await call(mock, 'PATCH', `${table}/rows/${id()}`, '', { data: { col_orders: next() } })
    const start = performance.now()
    mock.reset()
    taken.push(performance.now() - start)
  }
  works['reset after one change'] = median(taken)
  return works
}

export const growth: Bench = {
  name: 'growth',
  title: 'How cost grows from 1,000 to 500,000 rows',
  heading: 'How cost grows with the number of rows in a table, as a power of that number',
  async run() {
    const all: Works[] = []
    for (const count of counts) all.push(await worksAt(count))
    return Object.keys(all[0] ?? {}).map((work): Figure => {
      const values = all.map((works) => works[work] ?? NaN)
      return {
        work: `${work}, at 1k, 10k, 100k, 500k rows`,
        figure: `n^${exponent(values).toFixed(2)}`,
        ours: values.map(ms).join(', '),
      }
    })
  },
}
