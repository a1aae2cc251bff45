// The rules of moments: what was made at one time says so in Unix seconds, whichever operation shows it.
import type { OperationId } from '../../contract/index.ts'
import { ownTask, type Context } from '../engine/context.ts'
import { contract, Drift, expectThat, needed, type Rule, Unreachable } from '../engine/rule.ts'
import { hasJobs, watchJob } from './jobs.ts'
import { fileForm } from './every-operation.ts'
import { cellsOf } from './rows/shapes.ts'
import { isSeconds } from './rows/cells.ts'

const opening = contract('opening paragraph')
/** Seconds in which all moments are made, and which clocks may differ by. */
const tolerance = 300
/** No time zone is further from UTC. */
const furthestZone = 14 * 3600

type Moments = ReadonlyMap<OperationId, readonly (readonly [field: string, value: unknown])[]>

async function rowMoments({ own }: Context) {
  const { table, columns } = await own.table()
  const fields = columns.filter(({ type }) => type === 'created_at' || type === 'updated_at')
  const row = await own.row()
  const read = await own.readRow(table.id, row.id)
  const shown = (cells: ReturnType<typeof cellsOf>) =>
    fields.map(({ id, name }) => [name, cells[id]] as const)
  return {
    made: shown(cellsOf(row)),
    read: shown(cellsOf(read)),
    params: { tableId: table.id, rowId: row.id },
  }
}

async function jobMoments(context: Context) {
  const { api, own, seen, answers } = context
  if (!hasJobs(answers, (await seen.identity()).workspace.plan)) return []
  const { table } = await own.table()
  const json = { rows: own.badRows(await own.table(), 1) }
  const { job_id: jobId } = await api.succeed('submitInsertJob', { params: { tableId: table.id }, json })
  const { created_at, updated_at } = await api.succeed('getJob', { params: { jobId } })
  await watchJob(api, context.wait, jobId)
  return [['created_at', created_at] as const, ['updated_at', updated_at] as const]
}

/** What a step adds; nothing where the deployment or the key does not allow it. */
async function orNothing<T>(step: () => Promise<T>): Promise<T | undefined> {
  try {
    return await step()
  } catch (error) {
    if (error instanceof Unreachable || error instanceof Drift || error instanceof TypeError) return undefined
    throw error
  }
}

/** Makes one thing after another, within seconds, and collects the moments that they show. */
function moments(context: Context): Promise<Moments> {
  const { api, own } = context
  return own.once('moments', async () => {
    const found = new Map<OperationId, (readonly [string, unknown])[]>()
    const add = (operation: OperationId, ...fields: (readonly [string, unknown])[]) =>
      found.set(operation, [...(found.get(operation) ?? []), ...fields])
    const rows = await orNothing(() => rowMoments(context))
    if (rows) {
      add('createRow', ...rows.made)
      add('getRow', ...rows.read)
      const upload = await orNothing(async () => {
        await own.column('attachment')
        return api.succeed('uploadRowAttachment', { params: rows.params, body: fileForm() })
      })
      if (upload) add('uploadRowAttachment', ['uploadedAt', upload.attachment.uploadedAt])
    }
    const task = await orNothing(() => ownTask(context))
    if (task) {
      const { taskId } = task
      const params = { taskId }
      const { created_at, updated_at } = await own.readTask(taskId)
      add('getTask', ['created_at', created_at], ['updated_at', updated_at])
      await orNothing(async () => {
        await api.succeed('createComment', { params, json: { content: 'verify' } })
        const { comments } = await api.succeed('listComments', { params })
        add('listComments', ['created_at', comments[0]?.created_at])
      })
      await orNothing(async () => {
        const json = { action: 'start', as_user: await own.idleMember() }
        const { date_start, id } = await api.succeed('createTimeEntry', { params, json })
        add('createTimeEntry', ['date_start of a timer', date_start])
        const stopped = await api.succeed('createTimeEntry', { params, json: { action: 'stop' } })
        add('createTimeEntry', ['date_end of a stopped timer', stopped.date_end])
        await api.succeed('deleteTimeEntry', { params: { taskId, entryId: id } })
      })
    }
    const job = await orNothing(() => jobMoments(context))
    if (job && job.length > 0) add('getJob', ...job)
    return found
  })
}

function medianOf(found: Moments): number {
  const all = [...found.values()].flat().map(([, value]) => Number(value))
  const sorted = all.filter((value) => Number.isFinite(value)).sort((a, b) => a - b)
  return needed(sorted[Math.floor(sorted.length / 2)], 'nothing with a time could be made')
}

const momentRule = (operation: OperationId): Rule => ({
  id: 'moments',
  operation,
  source: opening,
  needs: 'write',
  says: 'a moment is in Unix seconds and that of the other operations',
  check: async (context) => {
    const found = await moments(context)
    const now = medianOf(found)
    for (const [field, value] of needed(found.get(operation), `no moment of ${operation} was seen`)) {
      expectThat(isSeconds(value) && Number.isInteger(value), `${field} in whole Unix seconds`, value)
      const isNear = Math.abs(Number(value) - now) <= tolerance
      expectThat(isNear, `${field} within ${String(tolerance)} s of ${String(now)}, as elsewhere`, value)
    }
  },
})

export const timeRules: readonly Rule[] = [
  ...(
    [
      'createRow',
      'getRow',
      'uploadRowAttachment',
      'getTask',
      'listComments',
      'createTimeEntry',
      'getJob',
    ] as const
  ).map(momentRule),
  {
    id: 'utc',
    operation: 'general',
    source: opening,
    needs: 'write',
    says: 'times are in UTC, as the Date header is',
    check: async (context) => {
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
  },
]
