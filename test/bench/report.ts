// Measures the cost of the report: each operation in process, compared with a bundle whose report judges nothing.
import { pathToFileURL } from 'node:url'
import { join } from 'node:path'
import type * as Entry from '../../src/index.ts'
import { testFixture } from '../behaviour/support/fixture.ts'
import { goodFile, goodRequests } from '../behaviour/support/requests.ts'
import type { Bench, Figure } from './measuring/figure.ts'
import { ms } from './measuring/figure.ts'
import { median } from './measuring/measure.ts'
import { bundle, importPackage } from './package.ts'

interface Case {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly json?: unknown
  readonly file?: true
}

const repeat = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index))

/** The suite's fixture with listings of several full pages. */
function largeFixture(): unknown {
  const { workspaces, ...others } = structuredClone(testFixture)
  const [workspace, ...rest] = workspaces as unknown as {
    tables: { id: string; rows: object[] }[]
    spaces: { lists: { id: string; tasks: object[] }[] }[]
    forms: { id: string; submissions: object[] }[]
  }[]
  const more = (records: object[] | undefined, count: number, id: string) =>
    records?.push(
      ...repeat(count, (index) => ({
        ...records.at(-1),
        id: `${id}_${String(index)}`,
      })),
    )
  more(workspace?.tables.find(({ id }) => id === 'tbl_all')?.rows, 1500, 'row_more')
  const lists = workspace?.spaces.flatMap((space) => space.lists)
  const list = lists?.find(({ id }) => id === 'lst_main')
  list?.tasks.push(
    ...repeat(500, (index) => ({ id: `tsk_more_${String(index)}`, title: 'Write the proposal' })),
  )
  const form = workspace?.forms.find(({ id }) => id === 'frm_task')
  more(form?.submissions, 500, 'sub_more')
  Object.assign(form ?? {}, { submission_count: 506 })
  return { ...others, workspaces: [workspace, ...rest] }
}

/** In addition to a valid request per operation: the requests for which the report does the most work. */
const more: readonly Case[] = [
  ...['limit=500', 'limit=50&page={page}', 'limit=500&page={page}', 'Active=true&page={page}'].map(
    (query) => ({
      id: `listRows ${query}`,
      method: 'GET',
      path: `/datatables/tbl_all/rows?${query}`,
    }),
  ),
  ...['limit=200', 'limit=50&offset={offset}', 'q=p&offset={offset}'].map((query) => ({
    id: `listTasks ${query}`,
    method: 'GET',
    path: `/lists/lst_main/tasks?${query}`,
  })),
  { id: 'listFormSubmissions limit=200', method: 'GET', path: '/forms/frm_task/submissions?limit=200' },
  { id: 'listFormSubmissions since', method: 'GET', path: '/forms/frm_task/submissions?since=1767606500' },
  ...[250, 5000].map((count) => ({
    id: count > 250 ? `submitInsertJob of ${String(count)} rows` : `bulkInsertRows of ${String(count)} rows`,
    method: 'POST',
    path: `/datatables/tbl_all/${count > 250 ? 'jobs/insert' : 'rows/bulk'}`,
    json: { rows: repeat(count, (index) => ({ col_text: 'New', col_number: index, col_currency: 2.35 })) },
  })),
]

type Mock = ReturnType<typeof Entry.createWorkspaceMock>

/** Cycles through the pages, so that sweeps continue and start again. */
const fill = (path: string, call: number) =>
  path.replace('{page}', String((call % 3) + 1)).replace('{offset}', String((call % 4) * 50))

/** Measures one call. @returns its duration in milliseconds, and its status */
async function time(mock: Mock, { method, path, json, file }: Case, call: number) {
  const headers = {
    authorization: 'Bearer wm_test_master',
    ...(json !== undefined && { 'content-type': 'application/json' }),
  }
  const body = file ? goodFile() : json === undefined ? undefined : JSON.stringify(json)
  const at = fill(path, call)
  const start = performance.now()
  const response = await mock.fetch(at, { method, headers, body: body ?? null })
  return { tookMs: performance.now() - start, status: response.status }
}

const rounds = 40
const calls = 25

/** Compares the duration of a call with and without the report, as the median of the rounds. */
async function measure(mocks: readonly Mock[], one: Case) {
  const [first] = mocks
  first?.reset()
  const statuses = first ? [(await time(first, one, 0)).status, (await time(first, one, 1)).status] : []
  const isRepeatable = statuses[0] === statuses[1]
  const medians = mocks.map((): number[] => [])
  for (let round = 0; round <= rounds; round++)
    for (const index of round % 2 === 0 ? [0, 1] : [1, 0]) {
      const mock = mocks[index]
      if (!mock) continue
      const times: number[] = []
      for (let call = 0; call < calls; call++) {
        // `reset` is not part of the measured time.
        if (call === 0 || !isRepeatable) mock.reset()
        times.push((await time(mock, one, call)).tookMs)
      }
      if (round > 0) medians[index]?.push(median(times))
    }
  const [withReport = [], without = []] = medians
  const share = median(withReport.map((value, round) => 1 - (without[round] ?? NaN) / value))
  return { id: one.id, share, tookMs: median(withReport) }
}

const percent = (share: number) => `${(share * 100).toFixed(1)}%`

export const report: Bench = {
  name: 'report',
  title: 'The share of the report in each operation',
  async run() {
    const silent = await bundle({
      name: 'report-that-judges-nothing',
      load: (id: string) =>
        id.endsWith('/mock/report/report.ts')
          ? 'export class Report { add() {} findings() { return [] } }'
          : undefined,
    })
    const { createWorkspaceMock } = await importPackage()
    const other = (await import(pathToFileURL(join(silent, 'index.js')).href)) as typeof Entry
    const fixture = largeFixture() as never
    const limits = {
      bulkInsertPerMinute: null,
      concurrentBulkJobs: null,
      requestsPerMonth: null,
      spaces: null,
      lists: null,
    }
    const mocks = [createWorkspaceMock, other.createWorkspaceMock].map((create) =>
      create({ fixture, limits }),
    )
    const shares: Awaited<ReturnType<typeof measure>>[] = []
    for (const one of [...goodRequests, ...more]) {
      const measured = await measure(mocks, one)
      process.stderr.write(`  ${measured.id}: ${percent(measured.share)} of ${ms(measured.tookMs)}\n`)
      shares.push(measured)
    }
    const figureOf = (work: string, of: typeof shares): Figure => {
      const sorted = of.toSorted((a, b) => b.share - a.share)
      const largest = sorted.slice(0, 3).map(({ id, share }) => `${id} ${percent(share)}`)
      return {
        work,
        figure: percent(sorted[0]?.share ?? NaN),
        target: '<= 5%',
        ours: largest.join('; '),
        limit: `a report that judges nothing; median ${percent(median(of.map(({ share }) => share)))}`,
      }
    }
    const good = shares.slice(0, goodRequests.length)
    return [
      figureOf('largest share of the report in one of the 42 operations, in process', good),
      figureOf(
        'the same share with large pages, sweeps, filters and many rows',
        shares.slice(goodRequests.length),
      ),
    ]
  },
}
