// Planted clients, each with a bug and a correct twin: connectors with their own store, and repeated runs.
import { listOf } from './clients.ts'
import { raw, retrying, schedule, type Context, type Planted, type Scenario } from './planted.ts'

const shipments = '/datatables/tbl_shipments/rows'
const submissions = '/forms/frm_samples/submissions'
const send = (context: Context) => retrying(context, schedule)

/** Copies a table's rows to its own store, page by page. */
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

/** Creates a task for each submission after the cursor. */
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
      ...(shift !== undefined && { due_date: Number(due) + shift }),
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

/** Reads new submissions, four times. */
const pollForm =
  (next: (lastSeen: number) => number): Scenario =>
  async (context) => {
    let since = 0
    for (let poll = 0; poll < 4; poll++) {
      const query = since === 0 ? '' : `&since=${since}`
      const { submissions: found } = await send(context)('GET', `${submissions}?limit=200${query}`)
      if (found.length > 0) since = next(Number(found.at(-1).created_at))
      await context.sleep(60_000)
    }
  }

const production = '/lists/lst_production/tasks'
const lowerStockCount =
  (pick: (found: { id: string; title: string }[]) => { id: string }[]): Scenario =>
  async (context) => {
    const { tasks } = await send(context)('GET', `${production}?limit=200`)
    const found = tasks.filter(({ title }: { title: string }) => title === 'Count the green coffee')
    for (const { id } of pick(found)) await send(context)('PATCH', `/tasks/${id}`, { priority: 'low' })
  }

const clearDrafts =
  (isOwn: (id: string, own: string) => boolean): Scenario =>
  async (context, client) => {
    const { id: own } = await client.task('lst_production', 'Draft')
    for (const { id } of await client.tasks('lst_production'))
      if (isOwn(id, own)) await client.request('DELETE', `/tasks/${id}`)
  }

const renameLater =
  (isReadAgain: boolean): Scenario =>
  async (context) => {
    const read = async () => (await send(context)('GET', '/tasks/tsk_label')).title
    const title = await read()
    await context.sleep(60_000)
    const latest = isReadAgain ? await read() : title
    await send(context)('PATCH', '/tasks/tsk_label', { title: `${latest}!` })
  }

const readPages =
  (step: number): Scenario =>
  async (context) => {
    for (let page = 1; ; page += step) {
      const { rows } = await send(context)('GET', `/datatables/tbl_cuppings/rows?limit=50&page=${page}`)
      if (rows.length < 50) return
    }
  }

/** Sends heartbeats until it has read what it needs. */
const beating =
  (isStopped: boolean): Scenario =>
  async (context) => {
    let isOver = false
    const beat = async () => {
      while (!isOver) {
        await context.sleep(20_000)
        if (!isOver) await raw(context, 'GET', '/me').catch(() => undefined)
      }
    }
    void beat()
    try {
      await send(context)('GET', '/lists')
      isOver = true
    } finally {
      isOver ||= isStopped
    }
  }

const reference = ({ data }: { data: { col_reference: string } }) => data.col_reference

/** Exports a table to a list in its storage; resumes where an earlier run stopped. */
const exportRows =
  (isNew: boolean): Scenario =>
  async (context) => {
    const { storage } = context
    if (storage.has('done')) return
    const kept = isNew ? [] : ((storage.get('rows') as string[] | undefined) ?? [])
    storage.set('rows', kept)
    for (let page = 1; ; page++) {
      const { rows } = await send(context)('GET', pageOf(page))
      kept.push(...rows.map(reference))
      if (rows.length < 500) break
    }
    storage.set('done', true)
  }

/** Sets a priority with a time limit; the variants differ in what they do when it expires. */
const withLimit =
  (whenLate: (error: unknown) => unknown): Scenario =>
  async (context) => {
    const fetch: typeof globalThis.fetch = (input, init) =>
      context.fetch(input, { ...init, signal: AbortSignal.timeout(30_000) })
    const patch = raw({ ...context, fetch }, 'PATCH', '/tasks/tsk_label', { priority: 'low' })
    const response = await patch.catch((error: unknown) => {
      if ((error as Error).name !== 'TimeoutError') throw error
      return whenLate(error)
    })
    if (response instanceof Response && !response.ok) throw new Error('refused')
  }

/** Deletes tasks by title, page by page. */
const purge =
  (isMoved: boolean): Scenario =>
  async (context, client) => {
    for (let offset = 0; ;) {
      const { tasks } = await send(context)('GET', `${production}?limit=50&offset=${offset}`)
      const old = tasks.slice(0, 3).filter(({ title }: { title: string }) => title.startsWith('C'))
      for (const { id } of old)
        await client.request('DELETE', `/tasks/${id}`, undefined, async () =>
          (await client.tasks('lst_production')).some((task) => task.id === id) ? undefined : {},
        )
      if (tasks.length < 50) return
      offset += isMoved ? 50 - old.length : 50
    }
  }

const lowerFound =
  (pick: (found: { id: string; title: string }[]) => { id: string } | undefined): Scenario =>
  async (context) => {
    const found = pick((await send(context)('GET', `${production}?q=Count&limit=200`)).tasks)
    if (!found) throw new Error('the name is not unique')
    await send(context)('PATCH', `/tasks/${found.id}`, { priority: 'low' })
  }

export const plantedKeeps: Planted = {
  'an export that is resumed from the start': [
    /^storage/,
    exportRows(false),
    exportRows(true),
    { families: ['crash'] },
  ],
  'a time limit taken for success': [
    /^state task changed priority/,
    withLimit(() => undefined),
    withLimit((error) => {
      throw error
    }),
    { families: ['latency'] },
  ],
  'a page skipped after deletions': [
    /^rule delete-while-paging/,
    purge(false),
    purge(true),
    { families: ['compatibility'] },
  ],
  'the last that a search finds': [
    /^state task changed priority/,
    lowerFound((found) => found.at(-1)),
    lowerFound((found) => (found.length === 1 ? found[0] : undefined)),
    { families: ['concurrency'] },
  ],
  'a cursor one second behind what was seen': [
    /^state submission missing/,
    pollForm((lastSeen) => lastSeen + 1),
    pollForm((lastSeen) => lastSeen),
    { families: ['concurrency'] },
  ],
  'every record of a name changed': [
    /^state task changed priority/,
    lowerStockCount((found) => found),
    lowerStockCount((found) => {
      if (found.length > 1) throw new Error('the name is not unique')
      return found
    }),
    { families: ['concurrency'] },
  ],
  'records deleted that others had made before': [
    /^state task of others/,
    clearDrafts((id) => !id.startsWith('tsk_')),
    clearDrafts((id, own) => id === own),
    { families: ['concurrency'] },
  ],
  'a write of what was read a minute ago': [
    /^state task changed title/,
    renameLater(false),
    renameLater(true),
    { families: ['concurrency'] },
  ],
  'a page counted by records': [
    /^(depends pages|rule paging-gap)/,
    readPages(50),
    readPages(1),
    { families: ['compatibility'] },
  ],
  'a heartbeat that goes on after a failure': [
    /^late request getIdentity/,
    beating(false),
    beating(true),
    { families: ['outage'] },
  ],
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
