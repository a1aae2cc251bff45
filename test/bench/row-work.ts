// Measures work on many rows: listings, upserts, jobs, and resetting afterwards.
import { handlerOf } from '../../src/mock/internals.ts'
import { figureOf, ms, type Bench, type Figure } from './measuring/figure.ts'
import { compare, median, type Contender } from './measuring/measure.ts'
import { importPackage } from './package.ts'
import { authorization, largeFixture, rowsOf, spread, tableId } from './rows.ts'

export type Mock = ReturnType<Awaited<ReturnType<typeof importPackage>>['createWorkspaceMock']>

const table = `/datatables/${tableId}`

/** Calls the mock without Fetch and MSW, so that only the work itself is measured. */
export async function call(
  mock: Mock,
  method: string,
  path: string,
  query = '',
  json?: unknown,
  key = authorization,
): Promise<string> {
  const body =
    json === undefined
      ? null
      : new TextEncoder().encode(typeof json === 'string' ? json : JSON.stringify(json))
  const headers: Record<string, string> = { authorization: key, 'content-type': 'application/json' }
  const response = await handlerOf(mock).handle({
    method,
    path,
    query,
    baseUrl: mock.baseUrl,
    header: (name) => headers[name] ?? null,
    body,
  })
  if (response.status >= 300)
    throw new Error(`${method} ${path} answered ${String(response.status)}: ${String(response.body)}`)
  return String(response.body)
}

const pageSize = 50

/** No call can reuse the last one's result, because each filters by another number of orders. */
function listing(mock: Mock, column: string, plain: (orders: number, page: number) => unknown) {
  const next = spread(60)
  const orders = () => next() + 1
  const query = (value: number, page: number) =>
    `Orders=${String(value)}&sort=${column}:desc&page=${String(page)}`
  let value = 0
  const ask = (page: number) => call(mock, 'GET', `${table}/rows`, query(value, page))
  const limit: Contender = { name: 'plain', run: () => plain(orders(), 1) }
  const first: Contender = {
    name: 'first',
    run: () => {
      value = orders()
      return ask(1)
    },
  }
  let page = 1
  const following: Contender = {
    name: 'next',
    start: () => ask(1),
    run: () => ask((page = (page % 8) + 2)),
  }
  return compare([limit, first, following], { rounds: 15, calls: 24 })
}

export const listings: Bench = {
  name: 'listing',
  title: 'Pages of filtered and sorted rows out of 50,000',
  async run() {
    const { createWorkspaceMock } = await importPackage()
    const fixture = largeFixture()
    const rows = rowsOf(fixture)
    const mock = createWorkspaceMock({ fixture })
    type Compare = (a: Record<string, unknown>, b: Record<string, unknown>) => number
    const plain = (compareData: Compare) => (orders: number, page: number) =>
      JSON.stringify(
        rows
          .filter(({ data }) => data.col_orders === orders)
          .sort((a, b) => compareData(a.data, b.data))
          .slice((page - 1) * pageSize, page * pageSize),
      )
    const plainAll = (compareData: Compare) => () =>
      JSON.stringify(
        rows
          .filter(({ data }) => data.col_newsletter === false)
          .sort((a, b) => compareData(a.data, b.data))
          .slice(0, pageSize),
      )
    const byNumber: Compare = (a, b) => Number(b.col_spent) - Number(a.col_spent)
    const byText: Compare = (a, b) => (String(a.col_name) < String(b.col_name) ? 1 : -1)
    const numbers = await listing(mock, 'Spent', plain(byNumber))
    const texts = await listing(mock, 'Name', plain(byText))
    // Most rows match. In `written`, a write before each query invalidates all caches.
    const broad = await compare(
      [
        { name: 'plain', run: plainAll(byNumber) },
        { name: 'mock', run: () => call(mock, 'GET', `${table}/rows`, 'Newsletter=false&sort=Spent:desc') },
      ],
      { rounds: 15, calls: 3 },
    )
    const written = await compare(
      [
        { name: 'plain', run: plainAll(byNumber) },
        {
          name: 'mock',
          run: async () => {
            await call(mock, 'PATCH', `${table}/rows/${rows[7]?.id ?? ''}`, '', { data: { col_spent: 5 } })
            return call(mock, 'GET', `${table}/rows`, 'Newsletter=false&sort=Spent:desc')
          },
        },
      ],
      { rounds: 15, calls: 3 },
    )
    const plainWork = 'filter, sort, slice and stringify a plain array'
    const [limit, , following] = numbers
    return [
      figureOf(
        'page of 50, filtered (2% pass) and sorted by number, over 50,000 rows',
        '<= 0.3',
        plainWork,
        numbers,
      ),
      figureOf('the same page, sorted by text', '<= 0.3', plainWork, texts),
      figureOf('the next page of that listing', '<= 0.05', plainWork, [limit, following]),
      figureOf('60% pass, requested again', '<= 0.5', plainWork, broad),
      figureOf('60% pass, with a row written before each request', '<= 0.5', plainWork, written),
    ]
  },
}

const upsertRounds = { rounds: 21, calls: 10 }

/** Bodies of upserts, one for each call. */
function upsertBodies(emails: readonly unknown[]): string[] {
  const next = spread(emails.length)
  const row = () => ({ col_email: emails[next()], col_orders: next(), col_city: 'Porto' })
  return Array.from({ length: (upsertRounds.rounds + 1) * upsertRounds.calls }, () =>
    JSON.stringify({ mode: 'upsert', key_column: 'Email', rows: Array.from({ length: 250 }, row) }),
  )
}

export const upserts: Bench = {
  name: 'upsert',
  title: 'Upserting 250 rows by key',
  async run() {
    const { createWorkspaceMock } = await importPackage()
    const into = (count: number): Contender => {
      const fixture = largeFixture(count)
      const bodies = upsertBodies(rowsOf(fixture).map(({ data }) => data.col_email))
      const mock = createWorkspaceMock({ fixture, limits: { bulkInsertPerMinute: null } })
      let body = 0
      const run = () => call(mock, 'POST', `${table}/rows/bulk`, '', bodies[(body += 1) % bodies.length])
      return { name: String(count), start: () => mock.reset(), run }
    }
    const plainInto = (count: number): Contender => {
      const rows = rowsOf(largeFixture(count))
      const bodies = upsertBodies(rows.map(({ data }) => data.col_email))
      const byEmail = new Map(rows.map((row) => [row.data.col_email, row]))
      let body = 0
      const run = () => {
        const text = bodies[(body += 1) % bodies.length] ?? ''
        const sent = JSON.parse(text) as { rows: Record<string, unknown>[] }
        for (const data of sent.rows) {
          const row = byEmail.get(data.col_email)
          if (row) byEmail.set(data.col_email, { ...row, data: { ...row.data, ...data } })
        }
      }
      return { name: `plain ${String(count)}`, run }
    }
    const timings = await compare([into(500), into(50_000)], upsertRounds)
    const plain = await compare([plainInto(500), plainInto(50_000)], upsertRounds)
    const [ours, limit] = [timings[1]?.ratio ?? NaN, plain[1]?.ratio ?? NaN]
    return [
      {
        work: 'bulk upsert of 250 rows by key: growth from 500 to 50,000 rows',
        figure: ours / limit,
        target: '<= 1.1',
        ours: `${ours.toFixed(2)} times, to ${ms(timings[1]?.p50Ms ?? NaN)}`,
        limit: `a plain Map of the same rows: ${limit.toFixed(2)} times`,
      },
    ]
  },
}

const jobRows = (count: number) => rowsOf(largeFixture(count)).map(({ data }) => data)

const submitJob = (mock: Mock, submission: string) =>
  call(mock, 'POST', `${table}/jobs/insert`, '', submission)

async function submitJobByFetch(mock: Mock, body: string): Promise<string> {
  const headers = { authorization, 'content-type': 'application/json' }
  return (await mock.fetch(`${table}/jobs/insert`, { method: 'POST', headers, body })).text()
}

async function finishJob(mock: Mock, submission: string, submit = submitJob): Promise<void> {
  const { job_id } = JSON.parse(await submit(mock, submission)) as { job_id: string }
  mock.clock.advance('1h')
  const job = JSON.parse(await call(mock, 'GET', `/jobs/${job_id}`)) as { status: string }
  if (job.status !== 'done') throw new Error(`the job is ${job.status}`)
}

export const jobs: Bench = {
  name: 'job',
  title: 'A job of 50,000 rows from submission to done',
  async run() {
    const { createWorkspaceMock } = await importPackage()
    const submission = JSON.stringify({ rows: jobRows(50_000) })
    const bytes = new TextEncoder().encode(submission)
    const mock = createWorkspaceMock({ fixture: largeFixture(1) })
    const plain: Contender = {
      name: 'plain',
      run: () => {
        const { rows } = JSON.parse(new TextDecoder().decode(bytes)) as { rows: Record<string, unknown>[] }
        return new Map(
          rows.map((data, index) => [
            `row_${String(index)}`,
            { id: `row_${String(index)}`, version: 1, data },
          ]),
        )
      },
    }
    const through = (submit: typeof submitJob): Contender => ({
      name: 'mock',
      start: () => mock.reset(),
      run: () => finishJob(mock, submission, submit),
    })
    const contenders = [plain, through(submitJob), through(submitJobByFetch)]
    const [limit, ours, fetched] = await compare(contenders, { rounds: 15, calls: 1 })
    const against = 'JSON.parse and Map inserts of the same rows'
    return [
      figureOf('job of 50,000 rows, from submission to done', '<= 1.7', against, [limit, ours]),
      figureOf('the same job through `mock.fetch`, including the body', '<= 2.2', against, [limit, fetched]),
    ]
  },
}

async function resetTimes(mock: Mock, before: () => Promise<unknown>, times: number): Promise<number> {
  const taken: number[] = []
  for (let time = 0; time < times; time++) {
    await before()
    const start = performance.now()
    mock.reset()
    taken.push(performance.now() - start)
  }
  return median(taken.slice(2))
}

export const resets: Bench = {
  name: 'reset',
  title: 'Going back to the start',
  async run() {
    const { createWorkspaceMock } = await importPackage()
    const mock = createWorkspaceMock({ fixture: largeFixture() })
    const ids = rowsOf(largeFixture(10)).map(({ id }) => id)
    const touch = async () => {
      for (const id of ids) await call(mock, 'PATCH', `${table}/rows/${id}`, '', { data: { col_orders: 1 } })
    }
    const afterTouch = await resetTimes(mock, touch, 200)
    const submission = JSON.stringify({ rows: jobRows(50_000) })
    const afterJob = await resetTimes(mock, () => finishJob(mock, submission), 12)
    const figure = (work: string, took: number): Figure => ({
      work,
      figure: ms(took),
      target: '<= 0.1 ms',
      ours: ms(took),
    })
    return [
      figure('`reset()` after 10 touched rows of 50,000', afterTouch),
      figure('`reset()` after a job of 50,000 rows', afterJob),
    ]
  },
}
