// The rules of moments: what was made at one time says so in Unix seconds, whichever operation shows it.
import type { OperationId } from '../../contract/index.ts'
import type { Row } from '../../contract/rows.ts'
import { expectThat, needed } from '../engine/expect.ts'
import { Drift, Unreachable } from '../engine/drift.ts'
import { ownTask, writeRules, type Context } from '../engine/rule.ts'
import { jobPlan, watchJob } from './jobs.ts'
import { isSeconds } from './rows/cells.ts'
import { cellsOf } from '../engine/shapes.ts'
import { fileForm } from '../engine/bodies.ts'

const opening = 'contract, opening paragraph'
/** Seconds in which all moments are made, and which clocks may differ by. */
const tolerance = 300
/** No time zone is further from UTC. */
const furthestZone = 14 * 3600

/** Fields with times, by the operation that shows them. */
type Moments = Partial<Record<OperationId, Readonly<Record<string, unknown>>>>

/** Each makes something. @returns the moments that it shows */
const steps: readonly ((context: Context) => Promise<Moments>)[] = [
  async ({ own }) => {
    const { columns } = await own.table()
    const fields = columns.filter(({ type }) => type === 'created_at' || type === 'updated_at')
    const shown = (row: Row) => Object.fromEntries(fields.map(({ id, name }) => [name, cellsOf(row)[id]]))
    const row = await own.row()
    return { createRow: shown(row), getRow: shown(await own.readRow(row.id)) }
  },
  async ({ api, own }) => {
    await own.column('attachment')
    const { attachment } = await api.succeed('uploadRowAttachment', { body: fileForm() })
    return { uploadRowAttachment: { uploadedAt: attachment.uploadedAt } }
  },
  async ({ own }) => {
    const { created_at, updated_at } = await own.readTask(await own.task())
    return { getTask: { created_at, updated_at } }
  },
  async (context) => {
    const { api } = await ownTask(context)
    await api.succeed('createComment', { json: { content: 'verify' } })
    const { comments } = await api.succeed('listComments')
    return { listComments: { created_at: comments[0]?.created_at } }
  },
  async (context) => {
    const { api, own } = await ownTask(context)
    const json = { action: 'start', as_user: await own.idleMember() }
    const { date_start, id } = await api.succeed('createTimeEntry', { json })
    const { date_end } = await api.succeed('createTimeEntry', { json: { action: 'stop' } })
    await api.succeed('deleteTimeEntry', { params: { entryId: id } })
    return {
      createTimeEntry: { 'date_start of a timer': date_start, 'date_end of a stopped timer': date_end },
    }
  },
  async (context) => {
    const { api, own } = context
    if (!(await jobPlan(context)).hasJobs) return {}
    const ask = { json: { rows: own.badRows(await own.table(), 1) } }
    const { job_id: jobId } = await api.succeed('submitInsertJob', ask)
    const { created_at, updated_at } = await api.succeed('getJob', { params: { jobId } })
    await watchJob(context, jobId)
    return { getJob: { created_at, updated_at } }
  },
]

/** Makes one thing after another, within seconds. A step that the deployment or the key does not allow adds nothing. */
const moments = (c: Context): Promise<Moments> =>
  c.own.once('moments', async () => {
    const all: Moments = {}
    for (const step of steps)
      try {
        Object.assign(all, await step(c))
      } catch (error) {
        const isExpected = [Unreachable, Drift, TypeError].some((kind) => error instanceof kind)
        if (!isExpected) throw error
      }
    return all
  })

function medianOf(found: Moments): number {
  const all = Object.values(found).flatMap((fields) => Object.values(fields).map(Number))
  const sorted = all.filter((value) => Number.isFinite(value)).sort((a, b) => a - b)
  return needed(sorted[Math.floor(sorted.length / 2)], 'nothing with a time could be made')
}

const shownBy = [
  'createRow',
  'getRow',
  'uploadRowAttachment',
  'getTask',
  'listComments',
  'createTimeEntry',
  'getJob',
] as const

const near = shownBy.flatMap((operation) =>
  writeRules(opening, {
    [`${operation}/moments: a moment is in Unix seconds and that of the other operations`]: async (
      c: Context,
    ) => {
      const found = await moments(c)
      const now = medianOf(found)
      const fields = needed(found[operation], `no moment of ${operation} was seen`)
      for (const [field, value] of Object.entries(fields)) {
        expectThat(isSeconds(value) && Number.isInteger(value), `${field} in whole Unix seconds`, value)
        const isNear = Math.abs(Number(value) - now) <= tolerance
        expectThat(isNear, `${field} within ${String(tolerance)} s of ${String(now)}, as elsewhere`, value)
      }
    },
  }),
)

const utc = writeRules(opening, {
  'general/utc: times are in UTC, as the Date header is': async (context) => {
    const now = medianOf(await moments(context))
    const { headers } = await context.api.call('getIdentity')
    const clock = Date.parse(headers.get('date') ?? '') / 1000 || Date.now() / 1000
    const difference = now - clock
    // Any other difference is another clock, such as that of a mock.
    const halfHours = Math.round(difference / 1800)
    const isZone =
      halfHours !== 0 &&
      Math.abs(difference) <= furthestZone + tolerance &&
      Math.abs(difference - halfHours * 1800) <= 5
    expectThat(!isZone, `times near ${String(Math.round(clock))}`, now)
  },
})

export const timeRules = [...near, ...utc]
