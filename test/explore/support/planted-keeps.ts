// Planted clients: a bug each, with a correct twin. Those of connectors with a store of their own, and of runs that repeat.
import { listOf } from './clients.ts'
import { raw, retrying, schedule, type Context, type Planted, type Scenario } from './planted.ts'

const shipments = '/datatables/tbl_shipments/rows'
const submissions = '/forms/frm_samples/submissions'
const send = (context: Context) => retrying(context, schedule)

/** Copies the rows of a table to its own store, page by page. */
const copyRows =
  (read: (context: Context, page: number) => Promise<any>): Scenario =>
  async (context) => {
    const rows = new Map<string, unknown>()
    context.storage.set('rows', rows)
    for (let page = 1; ; page++) {
      const found = await read(context, page)
      for (const { id, data } of found.rows) rows.set(id, data)
      if (found.rows.length < 500) return
    }
  }
const pageOf = (page: number) => `${shipments}?limit=500&page=${page}`

/** Makes a task for each submission, from the cursor on. */
const takeSubmissions =
  (isCareful: boolean): Scenario =>
  async (context, client) => {
    const { storage } = context
    const list = listOf(context.mock)
    const since = (storage.get('since') as number | undefined) ?? 0
    const query = since === 0 ? '' : `&since=${since}`
    const { submissions: found } = await send(context)('GET', `${submissions}?limit=200${query}`)
    const known = isCareful ? await client.tasks(list) : []
    for (const { id } of found)
      if (!known.some(({ title }) => title.endsWith(id))) await client.task(list, `Sample of ${id}`)
    const times = found.map((one: { created_at: number }) => one.created_at)
    if (times.length > 0) storage.set('since', Math.max(...times) - 1)
  }

const shiftDue =
  (shift?: number): Scenario =>
  async (context) => {
    const { due_date: due } = await send(context)('GET', '/tasks/tsk_label')
    await send(context)('PATCH', '/tasks/tsk_label', {
      priority: 'high',
      ...(shift !== undefined && { due_date: due + shift }),
    })
  }

/** Copies rows to tasks. */
const copyToTasks =
  (overlap: number): Scenario =>
  async (context, client) => {
    const list = listOf(context.mock)
    for (let from = 0; from < 12; from += 4) {
      const { rows } = await send(context)('GET', `${shipments}?limit=${4 + overlap}&offset=${from}`)
      const known = await client.tasks(list)
      for (const { data } of rows)
        if (overlap > 0 || !known.some(({ title }) => title === data.col_reference))
          await client.task(list, data.col_reference)
    }
  }

export const plantedKeeps: Planted = {
  'a copy that ends where a page fails': [
    /^storage/,
    copyRows((context, page) => send(context)('GET', pageOf(page)).catch(() => ({ rows: [] }))),
    copyRows((context, page) => send(context)('GET', pageOf(page))),
    { families: ['outage'] },
  ],
  'a page that is skipped after one failure': [
    /^storage/,
    copyRows(async (context, page) => {
      const response = await raw(context, 'GET', pageOf(page)).catch(() => undefined)
      return response?.ok ? response.json() : { rows: [] }
    }),
    copyRows((context, page) => send(context)('GET', pageOf(page))),
    { families: ['errors'] },
  ],
  'a cursor that takes the last record again': [
    /^at rest task again/,
    takeSubmissions(false),
    takeSubmissions(true),
    { families: ['crash'] },
  ],
  'a date that moves with each run': [
    /^at rest task due_date drifts/,
    shiftDue(3600 * 5),
    shiftDue(),
    { families: ['crash'] },
  ],
  'records at the edge of a page made twice': [
    /^at rest task twice/,
    copyToTasks(1),
    copyToTasks(0),
    { families: ['crash'] },
  ],
}
