// Planted clients, each with a bug and a correct twin: clients that report what they read, and clients among other users.
import { burrs, raw, retrying, schedule, type Context, type Planted, type Scenario } from './planted.ts'

const shipments = '/datatables/tbl_shipments/rows?limit=500'
const cuppings = '/datatables/tbl_cuppings/rows/bulk'
const titled = (q: string) => `/lists/lst_production/tasks?q=${q}`

const exportShipments =
  (read: (context: Context, page: number) => Promise<any>): Scenario =>
  async (context) => {
    const references: string[] = []
    for (let page = 1; ; page++) {
      const { rows } = await read(context, page)
      for (const { data } of rows) references.push(data.col_reference)
      if (rows.length < 500) return references
    }
  }

const showNames =
  (instead: unknown): Scenario =>
  async (context) => {
    const read = async (path: string, name: string) => {
      const response = await raw(context, 'GET', path).catch(() => undefined)
      return response?.ok ? (await response.json())[name].map((one: { name: string }) => one.name) : instead
    }
    const [lists, forms] = await Promise.all([read('/lists', 'lists'), read('/forms', 'forms')])
    return { lists, forms }
  }

const searchTwice =
  (isOlderLeftOut: boolean): Scenario =>
  async (context) => {
    let shown: string[] = []
    let latest = ''
    const search = async (q: string) => {
      latest = q
      const { tasks } = await retrying(context, schedule)('GET', titled(q))
      if (!isOlderLeftOut || latest === q) shown = tasks.map(({ title }: { title: string }) => title)
    }
    await Promise.all(['coffee', 'grinder'].map(search))
    return shown
  }

/** Reads a listing twice, and deletes records it did not know. */
const tidy =
  (path: string, name: string, isCareless: boolean): Scenario =>
  async (context) => {
    const send = retrying(context, schedule)
    const read = async (): Promise<string[]> =>
      (await send('GET', path))[name].map(({ id }: { id: string }) => id)
    const known = await read()
    for (const id of await read())
      if (isCareless && !known.includes(id)) await send('DELETE', `${path}/${id}`)
  }

const upsertScore =
  (key: string): Scenario =>
  async (context) => {
    const runs = ((context.storage.get('runs') as number | undefined) ?? 0) + 1
    context.storage.set('runs', runs)
    const rows = [{ col_sample: 'Guji', col_score: runs }]
    const send = retrying(context, schedule)
    const { errorCount } = await send('POST', cuppings, { rows, mode: 'upsert', key_column: key })
    if (errorCount > 0) throw new Error('a row was refused')
  }

const logging =
  (log: (key: string) => unknown): Scenario =>
  async (context) => {
    log(context.key)
    await retrying(context, schedule)('GET', '/me')
  }
const quiet = logging(() => undefined)

/** Shows an edit before it is saved. */
const editTitle =
  (whenRefused: string): Scenario =>
  async (context) => {
    let title = 'Burrs'
    await retrying(context, schedule)('PATCH', burrs, { title }).catch(() => (title = whenRefused))
    return { title }
  }

export const plantedReports: Planted = {
  'an export that ends where a page fails': [
    /^result/,
    exportShipments((context, page) =>
      retrying(context, schedule)('GET', `${shipments}&page=${page}`).catch(() => ({ rows: [] })),
    ),
    exportShipments((context, page) => retrying(context, schedule)('GET', `${shipments}&page=${page}`)),
    { families: ['outage'] },
  ],
  'a page that shows nothing where it could not read': [
    /^result/,
    showNames([]),
    showNames('unavailable'),
    { families: ['errors', 'outage'] },
  ],
  'an older response shown in place of a newer one': [
    /^result/,
    searchTwice(false),
    searchTwice(true),
    { families: ['errors', 'latency'] },
  ],
  'comments of others deleted': [
    /^state comment of others/,
    tidy(`${burrs}/comments`, 'comments', true),
    tidy(`${burrs}/comments`, 'comments', false),
    { families: ['concurrency'] },
  ],
  'time of others deleted': [
    /^state time entry of others/,
    tidy(`${burrs}/time-entries`, 'entries', true),
    tidy(`${burrs}/time-entries`, 'entries', false),
    { families: ['concurrency'] },
  ],
  'an upsert by a column that changes': [
    /^state row twice/,
    upsertScore('col_score'),
    upsertScore('col_sample'),
    { families: ['crash'] },
  ],
  'the key shown by console.dir': [
    /^key shown/,
    logging((key) => console.dir({ key })),
    quiet,
    { families: ['crash'] },
  ],
  'the key written to stderr': [
    /^key shown/,
    logging((key) => process.stderr.write(`key ${key}\n`)),
    quiet,
    { families: ['crash'] },
  ],
  'an edit that is shown though it was refused': [
    /^state task changed title/,
    editTitle('Burrs'),
    editTitle('Replace the grinder burrs'),
    { families: ['outage'] },
  ],
}
