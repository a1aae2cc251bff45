// The naive reference model of datatable rows and jobs, and the steps performed on mock and model alike.
import fc from 'fast-check'
import { expect } from 'vitest'
import { NOW } from '../../../behaviour/support/fixture.ts'
import { times } from '../../../behaviour/support/times.ts'
import { pick, step, type Bench, type Model, type Play } from './bench.ts'

interface Row {
  /** Null until the mock has returned it. */
  id: string | null
  version: number
  data: Record<string, unknown>
  created: number
  updated: number
}

interface Job {
  id: string
  createdMs: number
  rows: Record<string, unknown>[]
  chunks: number
  inserted: number
  errors: number
  /** Whether it was seen after it ended; nothing changes from then on. */
  hasEnded: boolean
}

interface Rows extends Model {
  rows: Row[]
  jobs: Job[]
  numbers: number
  /** The highest version seen of each row. */
  versions: Record<string, number>
}

const path = '/datatables/tbl_seq/rows'
const writable = ['col_name', 'col_count', 'col_stage']
const chunkRows = 3
const seconds = (ms: number) => Math.floor(ms / 1000)

const fixture = {
  name: 'rows',
  clock: NOW,
  workspaces: [
    {
      id: 'ws',
      name: 'Rows',
      plan: 'business',
      timezone: 'UTC',
      limits: { bulkInsertPerMinute: null },
      members: [{ id: 'mem', name: 'Member' }],
      keys: [{ key: 'wm_test_master', name: 'master', kind: 'master', member_id: 'mem' }],
      tables: [
        {
          id: 'tbl_seq',
          name: 'Sequence',
          columns: [
            { id: 'col_name', name: 'Name', type: 'text', readonly: false },
            { id: 'col_count', name: 'Count', type: 'number', readonly: false },
            {
              id: 'col_stage',
              name: 'Stage',
              type: 'dropdown',
              options: [
                { id: 'opt_a', label: 'First', color: '#000000' },
                { id: 'opt_b', label: 'Second', color: '#ffffff' },
              ],
              readonly: false,
            },
            { id: 'col_number', name: 'Number', type: 'autonumber', format: 'N-{NN}', readonly: true },
            { id: 'col_double', name: 'Double', type: 'formula', formula: 'Count * 2', readonly: true },
            { id: 'col_created', name: 'Created', type: 'created_at', readonly: true },
            { id: 'col_updated', name: 'Updated', type: 'updated_at', readonly: true },
          ],
          rows: times(2, (index) => ({
            id: `row_given_${String(index)}`,
            version: 1,
            created_at: NOW - 10,
            updated_at: NOW - 10,
            data: { col_name: 'given', col_count: index, col_number: `N-0${String(index + 1)}` },
          })),
        },
      ],
      spaces: [],
      forms: [],
      jobs: [],
    },
  ],
  files: {},
}

const start = (): Rows => ({
  nowMs: NOW * 1000,
  rows: times(2, (index) => ({
    id: `row_given_${String(index)}`,
    version: 1,
    data: { col_name: 'given', col_count: index, col_number: `N-0${String(index + 1)}` },
    created: NOW - 10,
    updated: NOW - 10,
  })),
  jobs: [],
  numbers: 2,
  versions: {},
})

const value = fc.record(
  {
    col_name: fc.constantFrom('a', 'b', 'A', '', null),
    col_count: fc.constantFrom(0, 1, 2, -1, null),
    col_stage: fc.constantFrom('opt_a', 'opt_b', null),
    // Dropped silently.
    col_number: fc.constant('N-99'),
    col_double: fc.constant(7),
  },
  { requiredKeys: [] },
)
const badValue = fc.constantFrom<Record<string, unknown>[]>(
  { col_name: 1 },
  { col_count: 'x' },
  { col_stage: 'First' },
  { col_nope: 1 },
)
const anyValue = fc.oneof({ weight: 4, arbitrary: value }, { weight: 1, arbitrary: badValue })
const isGood = (data: Record<string, unknown>) =>
  Object.entries(data).every(([key, held]) => {
    if (key === 'col_name') return held === null || typeof held === 'string'
    if (key === 'col_count') return held === null || typeof held === 'number'
    if (key === 'col_stage') return [null, 'opt_a', 'opt_b'].includes(held as string | null)
    return key === 'col_number' || key === 'col_double'
  })

const written = (data: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(data).filter(([key]) => writable.includes(key)))

function insert(model: Rows, data: Record<string, unknown>, at = seconds(model.nowMs)): Row {
  model.numbers += 1
  const number = `N-${String(model.numbers).padStart(2, '0')}`
  const row: Row = {
    id: null,
    version: 1,
    data: { ...written(data), col_number: number },
    created: at,
    updated: at,
  }
  model.rows.push(row)
  return row
}

function change(model: Rows, row: Row, data: Record<string, unknown>): void {
  Object.assign(row.data, written(data))
  row.version += 1
  row.updated = seconds(model.nowMs)
}

const shownData = ({ data, created, updated }: Row) => ({
  col_name: data.col_name ?? null,
  col_count: data.col_count ?? null,
  col_stage: data.col_stage ?? null,
  col_number: data.col_number,
  col_double: typeof data.col_count === 'number' ? data.col_count * 2 : null,
  col_created: created,
  col_updated: updated,
})

/** Advances every job to the clock, chunk by chunk in order of time. */
function settle(model: Rows): void {
  for (;;) {
    const due = model.jobs
      .filter(({ chunks, rows }) => chunks * chunkRows < rows.length)
      .map((job) => ({ job, dueMs: job.createdMs + 500 + (job.chunks + 1) * 500 }))
      .filter(({ dueMs }) => dueMs <= model.nowMs)
      .sort((a, b) => a.dueMs - b.dueMs)
    const [next] = due
    if (!next) return
    const { job, dueMs } = next
    const chunk = job.rows.slice(job.chunks * chunkRows, (job.chunks + 1) * chunkRows)
    const good = chunk.filter(isGood)
    for (const data of good) insert(model, data, seconds(dueMs))
    job.chunks += 1
    job.inserted += good.length
    if (good.length < chunk.length) job.errors += 1
  }
}

function jobStatus({ createdMs, rows, chunks, inserted }: Job, nowMs: number): string {
  if (chunks * chunkRows >= rows.length) return inserted === 0 ? 'failed' : 'done'
  return nowMs < createdMs + 500 ? 'queued' : 'processing'
}

const steps = [
  step<Rows, Record<string, unknown>>('create', anyValue, async (model, bench, data) => {
    const { status, json } = await bench.call('POST', path, { data })
    expect(status).toBe(isGood(data) ? 200 : 400)
    if (status !== 200) return
    const row = insert(model, data)
    row.id = json.id
    expect(json).toEqual({ id: row.id, version: 1, data: shownData(row) })
  }),
  step<Rows, [number, Record<string, unknown>]>(
    'patch',
    fc.tuple(fc.nat(50), anyValue),
    async (model, bench, [at, data]) => {
      const row = pick(model.rows, at)
      const { status, json } = await bench.call('PATCH', `${path}/${row?.id ?? 'none'}`, { data })
      expect(status).toBe(!row ? 404 : isGood(data) ? 200 : 400)
      if (!row || status !== 200) return
      change(model, row, data)
      expect(json).toEqual({ id: row.id, version: row.version, data: shownData(row) })
    },
  ),
  step<Rows, number>('delete', fc.nat(50), async (model, bench, at) => {
    const row = pick(model.rows, at)
    const { status } = await bench.call('DELETE', `${path}/${row?.id ?? 'none'}`)
    expect(status).toBe(row ? 200 : 404)
    if (!row) return
    model.rows = model.rows.filter((other) => other !== row)
    expect((await bench.call('GET', `${path}/${row.id ?? ''}`)).status).toBe(404)
  }),
  step<Rows, Record<string, unknown>[]>(
    'bulk',
    fc.array(anyValue, { maxLength: 5 }),
    async (model, bench, rows) => {
      const { status, json } = await bench.call('POST', `${path}/bulk`, { rows })
      const good = rows.filter(isGood)
      const errors = rows.flatMap((data, index) => (isGood(data) ? [] : [index]))
      expect(status).toBe(good.length > 0 ? 200 : 400)
      expect((json.errors ?? []).map(({ index }: { index: number }) => index)).toEqual(errors)
      if (status === 200)
        expect(json).toMatchObject({ success: true, count: good.length, total: rows.length })
      for (const data of good) insert(model, data)
    },
  ),
  step<Rows, [string, Record<string, unknown>[]]>(
    'upsert',
    fc.tuple(fc.constantFrom('col_name', 'Count', 'col_number'), fc.array(anyValue, { maxLength: 5 })),
    async (model, bench, [key_column, rows]) => {
      const { status, json } = await bench.call('POST', `${path}/bulk`, { rows, mode: 'upsert', key_column })
      const key = key_column === 'Count' ? 'col_count' : key_column
      const counts = { inserted: 0, updated: 0, errorCount: 0 }
      for (const data of rows) {
        const wanted = data[key]
        const match = model.rows.find((row) => wanted != null && row.data[key] === wanted)
        if (!isGood(data)) counts.errorCount += 1
        else if (match) {
          change(model, match, data)
          counts.updated += 1
        } else {
          insert(model, data)
          counts.inserted += 1
        }
      }
      expect(status).toBe(counts.inserted + counts.updated > 0 ? 200 : 400)
      if (status === 200) expect(json).toMatchObject({ ...counts, total: rows.length })
    },
  ),
  step<Rows, Record<string, unknown>[]>(
    'job',
    fc.array(anyValue, { minLength: 1, maxLength: 8 }),
    async (model, bench, rows) => {
      const running = model.jobs.filter((job) => job.chunks * chunkRows < job.rows.length).length
      const { status, json } = await bench.call('POST', '/datatables/tbl_seq/jobs/insert', { rows })
      expect(status).toBe(running < 5 ? 202 : 429)
      if (status !== 202) return
      model.jobs.push({
        id: json.job_id,
        createdMs: model.nowMs,
        rows,
        chunks: 0,
        inserted: 0,
        errors: 0,
        hasEnded: false,
      })
    },
  ),
  step<Rows, [number, boolean]>(
    'sorted page',
    fc.tuple(fc.nat(3), fc.boolean()),
    async (model, bench, [page, isDown]) => {
      const json = await bench.good(
        'GET',
        path,
        undefined,
        `sort=Count:${isDown ? 'desc' : 'asc'}&limit=3&page=${String(page + 1)}`,
      )
      const withCount = model.rows.filter((row) => typeof row.data.col_count === 'number')
      const without = model.rows.filter((row) => typeof row.data.col_count !== 'number')
      const order = withCount.toSorted(
        (a, b) => (Number(a.data.col_count) - Number(b.data.col_count)) * (isDown ? -1 : 1),
      )
      const expected = [...order, ...without].slice(page * 3, page * 3 + 3)
      expect(json.rows.map(({ id }: { id: string }) => id)).toEqual(expected.map(({ id }) => id))
      expect(json.total).toBe(model.rows.length)
    },
  ),
  step<Rows, string>('equal to', fc.constantFrom('a', 'A', 'given', 'none'), async (model, bench, name) => {
    const json = await bench.good('GET', path, undefined, `Name=${name}&limit=500`)
    const expected = model.rows.filter((row) => row.data.col_name === name)
    expect(json.rows.map(({ id }: { id: string }) => id)).toEqual(expected.map(({ id }) => id))
  }),
]

/** Compares every row in order, counts, versions (which only grow), and every job. */
async function compare(model: Rows, bench: Bench): Promise<void> {
  const { rows, total } = (await bench.good('GET', path, undefined, 'limit=500')) as {
    rows: { id: string; version: number; data: unknown }[]
    total: number
  }
  const known = new Set(model.rows.map(({ id }) => id))
  for (const [index, row] of model.rows.entries()) {
    if (row.id !== null) continue
    row.id = rows[index]?.id ?? 'missing'
    expect(known.has(row.id), `new row ${row.id} has the id of another`).toBe(false)
  }
  expect(rows).toEqual(model.rows.map((row) => ({ id: row.id, version: row.version, data: shownData(row) })))
  expect(total).toBe(model.rows.length)
  expect((await bench.good('GET', '/datatables')).datatables[0].row_count).toBe(model.rows.length)
  for (const { id, version } of rows) {
    expect(version).toBeGreaterThanOrEqual(model.versions[id] ?? 1)
    model.versions[id] = version
  }
  for (const job of model.jobs.filter(({ hasEnded }) => !hasEnded)) {
    const seen = await bench.good('GET', `/jobs/${job.id}`)
    const status = jobStatus(job, model.nowMs)
    const handled = Math.min(job.rows.length, job.chunks * chunkRows)
    expect(seen).toMatchObject({
      status,
      metadata: { row_count: job.inserted, errors: job.errors, progress: handled / job.rows.length },
    })
    job.hasEnded = status === 'done' || status === 'failed'
    expect(seen.completed_at !== null).toBe(job.hasEnded)
  }
}

export const rows: Play<Rows> = {
  fixture,
  start,
  steps,
  settle,
  compare,
  answers: fc.constant({ jobTimeline: { chunkRows } }),
}
