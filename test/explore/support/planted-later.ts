// Planted clients, each with a bug and a correct twin: importers, sync jobs, pages, values and secrets.
import { listOf } from './clients.ts'
import { burrs, raw, retrying, schedule, type Context, type Planted, type Scenario } from './planted.ts'

const cuppings = '/datatables/tbl_cuppings'
const submissions = '/forms/frm_samples/submissions'
const samples = (count: number) => Array.from({ length: count }, (_, at) => ({ col_sample: `Sample ${at}` }))
const api = (context: Context, waits: readonly number[] = schedule) => retrying(context, waits)
type Api = ReturnType<typeof api>

/** Sends once; throws if the response is an error. */
const once =
  (context: Context): Api =>
  async (method, path, body) => {
    const response = await raw(context, method, path, body)
    if (!response.ok)
      throw Object.assign(new Error(`answered ${response.status}`), { status: response.status })
    return response.json()
  }

/** Submits a job, or waits for one submitted earlier, and polls it. */
const importJob =
  (poll: (send: Api, context: Context, id: string) => Promise<unknown>): Scenario =>
  async (context) => {
    const send = api(context)
    const count = async () => (await send('GET', `${cuppings}/rows?limit=1`)).total
    if (context.storage.has('submitting'))
      for (let look = 0; look < 20; look++) {
        if ((await count()) === 300) return
        await context.sleep(1000)
      }
    context.storage.set('submitting', true)
    const { job_id: id } = await once(context)('POST', `${cuppings}/jobs/insert`, { rows: samples(300) })
    await poll(send, context, id)
  }
const pollEvery = (
  ms: number,
  most = 2000,
  isFailed = (job: any) => job.status === 'failed' || job.metadata.errors,
) =>
  importJob(async (send, { sleep }, id) => {
    for (let polls = 0; polls < most; polls++) {
      const job = await send('GET', `/jobs/${id}`)
      if (isFailed(job)) throw new Error(`the job ended as ${job.status}`)
      if (job.status === 'done' || job.status === 'failed') return
      if (ms > 0) await sleep(ms)
    }
    throw new Error('the job takes too long')
  })
const patient = pollEvery(500)

const insert =
  (isComplete: (reply: any) => boolean, more: object = {}, repeats = false): Scenario =>
  async (context) => {
    const send = repeats ? api(context) : once(context)
    const reply = await send('POST', `${cuppings}/rows/bulk`, { rows: samples(4), ...more })
    if (!isComplete(reply)) throw new Error('some rows were refused')
  }
const upsert = { mode: 'upsert', key_column: 'col_sample' }

/** Performs the steps after a checkpoint. */
const inSteps =
  (isBefore: boolean): Scenario =>
  async ({ storage }, client) => {
    const list = 'lst_production'
    for (let at = (storage.get('at') as number | undefined) ?? 0; at < 2; at++) {
      if (isBefore) storage.set('at', at + 1)
      const title = `Step ${at}`
      if (!(await client.tasks(list)).some((task) => task.title === title)) await client.task(list, title)
      storage.set('at', at + 1)
    }
  }

const watchForm =
  (cursorOf: (page: readonly { created_at: number }[], context: Context) => number): Scenario =>
  async (context) => {
    const send = api(context)
    let path = `${submissions}?limit=200`
    for (let poll = 0; poll < 3; poll++) {
      const { submissions: page } = await send('GET', path)
      if (page.length > 0) path = `${submissions}?limit=200&since=${cursorOf(page, context)}`
      await context.sleep(60_000)
    }
  }

const patchLabel =
  (fieldsOf: (task: any) => object): Scenario =>
  async (context) => {
    const send = api(context)
    await send('PATCH', '/tasks/tsk_label', fieldsOf(await send('GET', '/tasks/tsk_label')))
  }

const readTwice =
  (isMirror: boolean): Scenario =>
  async (context) => {
    const send = api(context)
    const known = new Set<string>()
    for (let round = 0; round < 2; round++)
      for (const { id } of (await send('GET', `${cuppings}/rows?limit=500`)).rows)
        if (round === 0) known.add(id)
        else if (isMirror && !known.has(id)) await send('DELETE', `${cuppings}/rows/${id}`)
  }

const leaking =
  (fail: (context: Context) => Error): Scenario =>
  async (context) => {
    const response = await raw(context, 'GET', '/me').catch(() => undefined)
    if (!response?.ok) throw fail(context)
  }
const failQuietly = leaking(() => new Error('GET /me failed'))

export const plantedLater: Planted = {
  'waits in seconds taken for milliseconds': [
    /^rule backoff/,
    async (context) => await api(context, [0, 1, 2, 4, 8])('GET', '/me'),
    async (context) => await api(context)('GET', '/me'),
    { families: ['repeated'] },
  ],
  'one retry too many': [
    /^rule backoff/,
    async (context) => await api(context, [...schedule, 16_000])('GET', '/me'),
    async (context) => await api(context)('GET', '/me'),
    { families: ['outage'] },
  ],
  'a job polled without a wait': [/^rule poll-interval/, pollEvery(0), patient, { families: ['outcomes'] }],
  'a job polled too fast': [/^rule poll-interval/, pollEvery(100), patient, { families: ['outcomes'] }],
  'a job given up after three seconds': [/^gave up/, pollEvery(500, 5), patient, { families: ['outcomes'] }],
  'a job that is never polled': [
    /^state row missing/,
    importJob(async () => undefined),
    patient,
    { families: ['outcomes'] },
  ],
  'errors of a job ignored': [
    /^state row missing/,
    pollEvery(500, 2000, ({ status }) => status === 'failed'),
    patient,
    { families: ['outcomes'] },
  ],
  'a failed job ignored': [
    /^state row missing/,
    pollEvery(500, 2000, () => false),
    patient,
    { families: ['outcomes'] },
  ],
  'success of a bulk request taken for all rows': [
    /^state row missing/,
    insert(({ success }) => success),
    insert(({ count }) => count === 4),
    { families: ['outcomes'] },
  ],
  'errorCount of an upsert ignored': [
    /^state row missing/,
    insert(() => true, upsert),
    insert(({ errorCount }) => errorCount === 0, upsert),
    { families: ['outcomes'] },
  ],
  'a mode that is missing': [
    /^state row twice/,
    insert(({ count }) => count === 4, { key_column: 'col_sample' }, true),
    insert(({ errorCount }) => errorCount === 0, upsert, true),
    { families: ['errors'] },
  ],
  'a checkpoint before what it stands for': [
    /^state task missing/,
    inSteps(true),
    inSteps(false),
    { families: ['crash'] },
  ],
  'a cursor that is the time of the poll': [
    /^state submission missing/,
    watchForm((_, { mock }) => mock.clock.now()),
    watchForm((page) => page.at(-1)!.created_at),
    { families: ['concurrency'] },
  ],
  'a record written back as it was read': [
    /^state task changed due_date/,
    patchLabel(({ title, due_date }) => ({ title: `${title}!`, due_date })),
    patchLabel(({ title }) => ({ title: `${title}!` })),
    { families: ['concurrency'] },
  ],
  'a custom field written back as it was read': [
    /^state task changed custom_data/,
    patchLabel(({ custom_data }) => ({ title: 'Label', custom_data })),
    patchLabel(() => ({ title: 'Label' })),
    { families: ['concurrency'] },
  ],
  'rows of others deleted': [
    /^state row of others/,
    readTwice(true),
    readTwice(false),
    { families: ['concurrency'] },
  ],
  'a failed look-up taken for nothing found': [
    /^state task added/,
    async (context, client) => {
      const send = once(context)
      const found = await send('GET', burrs).catch(() => undefined)
      if (!found) await client.task(listOf(context.mock), 'Burrs')
    },
    async (context, client) => {
      const found = await api(context)('GET', burrs)
      if (!found) await client.task(listOf(context.mock), 'Burrs')
    },
    { families: ['errors'] },
  ],
  'failures that nobody looks at': [
    /^state task changed priority/,
    async (_, { update }) => {
      await Promise.allSettled(
        ['tsk_label', 'tsk_replace_burrs'].map((id) => update(id, { priority: 'low' })),
      )
    },
    async (_, { update }) => {
      for (const id of ['tsk_label', 'tsk_replace_burrs']) await update(id, { priority: 'low' })
    },
    { families: ['outage'] },
  ],
  'a promise that is not awaited': [
    /^(unhandled|late request) updateTask/,
    async (context) => {
      await api(context)('GET', '/me')
      void once(context)('PATCH', burrs, { priority: 'low' })
    },
    async (context) => {
      await api(context)('GET', '/me')
      await api(context)('PATCH', burrs, { priority: 'low' })
    },
    { families: ['errors'] },
  ],
  'a slot that a failure keeps': [
    /^hang/,
    async (context) => {
      const send = once(context)
      let free = Promise.resolve()
      const run = (path: string) => {
        const before = free
        let release: () => void
        free = new Promise((resolve) => (release = resolve))
        return before.then(() => send('GET', path)).then(() => release())
      }
      const results = await Promise.allSettled([run('/me'), run('/lists')])
      if (results.some(({ status }) => status === 'rejected')) throw new Error('failed')
    },
    async (context) => {
      const send = api(context)
      await send('GET', '/me')
      await send('GET', '/lists')
    },
    { families: ['errors'], maxRuns: 4 },
  ],
  'an edit overtaken by an older one': [
    /^state task changed title/,
    async (_, { update }) => {
      await Promise.all(['B', 'Bu'].map((title) => update('tsk_replace_burrs', { title })))
    },
    async (_, { update }) => {
      for (const title of ['B', 'Bu']) await update('tsk_replace_burrs', { title })
    },
    { families: ['errors'] },
  ],
  'a form submitted again when it shows an error': [
    /^state task twice/,
    async (context) => {
      const submit = () => once(context)('POST', `/lists/${listOf(context.mock)}/tasks`, { title: 'Cupping' })
      await submit().catch(submit)
    },
    async (context, client) => await client.task(listOf(context.mock), 'Cupping'),
    { families: ['latency', 'errors'] },
  ],
  'the key in the cause of an error': [
    /^key shown/,
    leaking(({ key }) => new Error('GET /me failed', { cause: { key } })),
    failQuietly,
    { families: ['outage'] },
  ],
  'the key in the log': [
    /^key shown/,
    leaking(({ key }) => {
      console.error('GET /me failed', { auth: key })
      return new Error('GET /me failed')
    }),
    failQuietly,
    { families: ['outage'] },
  ],
  'the key in what it writes': [
    /^key shown/,
    async (context) => {
      await api(context)('PATCH', burrs, { description: `Synced by ${context.key}` })
    },
    async (context) => {
      await api(context)('PATCH', burrs, { description: 'Synced' })
    },
    { families: ['crash'] },
  ],
}
