// Planted clients, each with a bug and a correct twin: SDKs and repeated runs.
import type { ExploreContext, ExploreOptions, WorkspaceMock } from 'workspace-api-mock'
import { listOf, type Client } from './clients.ts'

export type Context = ExploreContext<WorkspaceMock>
export type Scenario = (context: Context, client: Client) => unknown
/** By bug: the pattern of its finding, the careless client, and its twin. */
export type Planted = Record<
  string,
  [cause: RegExp, careless: Scenario, careful: Scenario, options?: ExploreOptions<WorkspaceMock>]
>

export const burrs = '/tasks/tsk_replace_burrs'
const orders = '/datatables/tbl_orders'
export const raw = ({ baseUrl, key, fetch }: Context, method: string, path: string, body?: unknown) =>
  fetch(baseUrl + path, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })

/** Sends with the given waits before retries, whatever the failure. */
export const retrying =
  (context: Context, waits: readonly number[], isAgain = (response: Response) => response.status >= 500) =>
  async (method: string, path: string, body?: unknown): Promise<any> => {
    for (let attempt = 0; ; attempt++) {
      const response = await raw(context, method, path, body).catch(() => undefined)
      if (response?.ok) return response.json()
      const wait = waits[attempt]
      if (wait === undefined || (response && !isAgain(response) && response.status !== 429))
        throw new Error(`${method} ${path} failed`)
      const retryAfter = response?.status === 429 ? Number(response.headers.get('retry-after')) * 1000 : wait
      await context.sleep(retryAfter)
    }
  }
export const schedule = [0, 1000, 2000, 4000, 8000]
const attempts = async (context: Context, path: string, most: { left: number }) => {
  for (;;) {
    const response = await raw(context, 'GET', path)
    if (response.ok) return response.json()
    if ((most.left -= 1) <= 0) throw new Error('out of attempts')
    if (response.status === 429) await context.sleep(Number(response.headers.get('retry-after')) * 1000)
  }
}

export const planted: Planted = {
  'attempts that all requests share': [
    /^gave up/,
    async (context) => {
      const most = { left: 3 }
      for (const path of ['/me', '/lists', burrs, '/spaces']) await attempts(context, path, most)
    },
    async (context) => {
      for (const path of ['/me', '/lists', burrs, '/spaces']) await retrying(context, schedule)('GET', path)
    },
    { families: ['repeated'] },
  ],
  'a second 429 taken for success': [
    /^state task changed/,
    async (context) => {
      const first = await raw(context, 'PATCH', burrs, { title: 'B' })
      if (first.ok) return
      await context.sleep(Number(first.headers.get('retry-after') ?? 0) * 1000)
      const second = await raw(context, 'PATCH', burrs, { title: 'B' })
      if (!second.ok && second.status !== 429) throw new Error('failed')
    },
    async (context) => await retrying(context, schedule)('PATCH', burrs, { title: 'B' }),
    { families: ['repeated'] },
  ],
  'a breaker that stays open': [
    /^gave up stays away/,
    async (context) => {
      let failures = 0
      for (const wait of [0, 1000, 2000, 4000, 8000]) {
        const response = failures < 3 ? await raw(context, 'GET', '/me') : undefined
        if (response?.ok) return
        failures += 1
        await context.sleep(wait)
      }
      throw new Error('the circuit is open')
    },
    async (context) => await retrying(context, schedule)('GET', '/me'),
    { families: ['repeated'] },
  ],
  'an interval left behind': [
    /^late request getIdentity/,
    async (context, client) => {
      await client.lists()
      const beat = async () => {
        for (;;) {
          await context.sleep(60_000)
          await raw(context, 'GET', '/me')
        }
      }
      beat().catch(() => undefined)
    },
    async (context, client) => {
      await client.lists()
      let isClosed = false
      const beat = async () => {
        while (!isClosed) {
          await context.sleep(60_000)
          if (!isClosed) await raw(context, 'GET', '/me')
        }
      }
      beat().catch(() => undefined)
      isClosed = true
    },
    { families: ['errors'], maxRuns: 3 },
  ],
  'a deletion of what it does not know': [
    /^state task of others/,
    async (context, client) => {
      const known = new Set((await client.tasks(listOf(context.mock))).map(({ id }) => id))
      for (const { id } of await client.tasks(listOf(context.mock)))
        if (!known.has(id)) await client.request('DELETE', `/tasks/${id}`)
    },
    async (context, client) => {
      await client.tasks(listOf(context.mock))
      await client.tasks(listOf(context.mock))
    },
    { families: ['concurrency'] },
  ],
  'giving up a job that is queued': [
    /^gave up/,
    async (context, client) => {
      const rows = Array.from({ length: 300 }, (_, at) => ({ col_customer: `C ${at}` }))
      const { job_id } = await client.request('POST', `${orders}/jobs/insert`, { rows })
      for (let poll = 0; poll < 4; poll++) {
        const { status } = await client.request('GET', `/jobs/${job_id}`)
        if (status === 'done') return
        await context.sleep(500)
      }
      throw new Error('the job takes too long')
    },
    async (context, client) => {
      const rows = Array.from({ length: 300 }, (_, at) => ({ col_customer: `C ${at}` }))
      const { job_id } = await client.request('POST', `${orders}/jobs/insert`, { rows })
      for (let poll = 0; poll < 100; poll++) {
        const { status, metadata } = await client.request('GET', `/jobs/${job_id}`)
        if (status === 'done') return metadata.errors
        if (status === 'failed') throw new Error('the job failed')
        await context.sleep(500)
      }
      throw new Error('the job takes too long')
    },
    { families: ['outcomes'] },
  ],
  'the key in an error': [
    /^key shown/,
    async (context) => {
      const response = await raw(context, 'GET', '/me')
      if (!response.ok) throw new Error(`GET /me with Bearer ${context.key} failed`)
    },
    async (context) => {
      const response = await raw(context, 'GET', '/me')
      if (!response.ok) throw new Error('GET /me failed')
    },
    { families: ['outage'] },
  ],
  'the key in its result': [
    /^key shown/,
    async (context) => ({ me: await retrying(context, schedule)('GET', '/me'), auth: context.key }),
    async (context) => ({ me: Object.keys(await retrying(context, schedule)('GET', '/me')) }),
    { families: ['outage'] },
  ],
  'the key sent elsewhere': [
    /^other origin/,
    async (context) => {
      await context
        .fetch('https://telemetry.test/v1', { headers: { authorization: `Bearer ${context.key}` } })
        .catch(() => undefined)
      await retrying(context, schedule)('GET', '/me')
    },
    async (context) => await retrying(context, schedule)('GET', '/me'),
    { families: ['outage'] },
  ],
  'a marker left behind': [
    /^state task added/,
    async (context, client) => {
      if ((await client.tasks(listOf(context.mock))).some(({ title }) => title === 'Cupping')) return
      const lock = await client.task(listOf(context.mock), 'lock')
      await client.task(listOf(context.mock), 'Cupping')
      await client.request('DELETE', `/tasks/${lock.id}`)
    },
    async (context, client) => {
      const tasks = await client.tasks(listOf(context.mock))
      for (const { id, title } of tasks) if (title === 'lock') await client.request('DELETE', `/tasks/${id}`)
      if (tasks.some(({ title }) => title === 'Cupping')) return
      const lock = await client.task(listOf(context.mock), 'lock')
      await client.task(listOf(context.mock), 'Cupping')
      await client.request('DELETE', `/tasks/${lock.id}`)
    },
    { families: ['crash'] },
  ],
  'a time limit that sends again': [
    /^state comment twice/,
    async (context, client) => {
      const send = () => client.request('POST', `${burrs}/comments`, { content: 'Once' })
      const late = context.sleep(30_000).then(() => 'late')
      if ((await Promise.race([send(), late])) === 'late') await send()
    },
    async (_, client) => await client.comment('tsk_replace_burrs', 'Once'),
    { families: ['latency'] },
  ],
  'a POST repeated when its response was lost': [
    /^state task twice/,
    async (context) =>
      await retrying(context, schedule)('POST', `/lists/${listOf(context.mock)}/tasks`, {
        title: 'Cupping',
      }),
    async (context, client) => await client.task(listOf(context.mock), 'Cupping'),
    { families: ['errors'] },
  ],
  'an error that nothing waits for': [
    /^state comment missing/,
    async (context) => {
      await raw(context, 'POST', `${burrs}/comments`, { content: 'Once' })
    },
    async (_, client) => await client.comment('tsk_replace_burrs', 'Once'),
    { families: ['errors'] },
  ],
  'retries that never end': [
    /^hang/,
    async (context) => {
      for (;;) {
        const response = await raw(context, 'GET', '/me').catch(() => undefined)
        if (response?.ok) return
        await context.sleep(1000)
      }
    },
    async (context) => await retrying(context, schedule)('GET', '/me'),
    { families: ['outage'] },
  ],
  'a retry that does not wait': [
    /^rule retry-after/,
    async (context) => {
      for (let left = 5; left > 0; left--) {
        const response = await raw(context, 'GET', '/me')
        if (response.ok) return
      }
      throw new Error('failed')
    },
    async (context) => await retrying(context, schedule)('GET', '/me'),
    { families: ['errors'] },
  ],
  'retries of what is final': [
    /^rule retry-unsafe/,
    async (context) => await retrying(context, schedule, () => true)('PATCH', burrs, { priority: 'high' }),
    async (context) => await retrying(context, schedule)('PATCH', burrs, { priority: 'high' }),
    { families: ['outage'] },
  ],
}
