// Checks that a pull ends with a message whatever a deployment sends: nothing, an endless stream, too much, another
// shape, the key itself.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { createWorkspaceMock } from 'workspace-api-mock'
import { pull, PullStopped, verify, type Pulled } from 'workspace-api-mock/verify'
import { inProcess } from '../verify/support/scrambles.ts'

const tasks = Array.from({ length: 410 }, (_, index) => ({
  id: `tsk_${String(index)}`,
  title: `Task ${String(index)}`,
}))
const fixture = {
  workspaces: [
    {
      id: 'wsp',
      name: 'W',
      keys: [{ key: 'wm_hostile_master', name: 'master' }],
      members: [{ id: 'mbr', name: 'Ada' }],
      tables: [
        {
          id: 'tbl',
          name: 'T',
          columns: [{ id: 'col', name: 'C', type: 'text' }],
          rows: [{ id: 'row', data: { col: 'x' } }],
        },
      ],
      spaces: [{ id: 'spc', name: 'S', lists: [{ id: 'lst', name: 'L', tasks: tasks.slice(0, 3) }] }],
      forms: [{ id: 'frm', name: 'F', target_type: 'task', target_id: 'lst' }],
    },
  ],
} as const
type Answer = (request: Request, path: string) => Response | Promise<Response> | undefined

/** A pull of a small workspace whose responses are replaced. */
function pullWith(answer: Answer, options: object = {}) {
  const mock = createWorkspaceMock({ fixture })
  const sent: string[] = []
  const fetch = async (request: Request) => {
    const { pathname, search } = new URL(request.url)
    sent.push(pathname + search)
    return (await answer(request, pathname)) ?? mock.fetch(request)
  }
  const pulled = pull({ ...inProcess(mock, 'master'), fetch, responseTimeoutMs: 2000, ...options })
  return { pulled, sent }
}
const textsOf = ({ missing }: Pulled) => missing.map(({ text }) => text)
const at =
  (end: string, make: () => Response | Promise<Response>): Answer =>
  (_, path) =>
    path.endsWith(end) ? make() : undefined

/** A body that never ends: each read returns another part, after a wait. */
const endless = (part: string, wait: () => Promise<unknown> = async () => undefined) =>
  new Response(
    new ReadableStream({
      async pull(controller) {
        await wait()
        controller.enqueue(new TextEncoder().encode(part))
      },
    }),
  )
const never = () => new Promise<never>(() => undefined)

test.for([
  ['no response', () => never(), 200, 'took more than 200 ms'],
  ['no body', () => endless('', never), 200, 'took more than 200 ms'],
  [
    'a dripping body',
    () => endless('{', () => new Promise((resolve) => setTimeout(resolve, 20))),
    200,
    'took more than 200 ms',
  ],
  ['an endless body', () => endless('x'.repeat(10_000)), 60_000, 'has more than 100,000 bytes'],
] as const)('pull goes on where listForms has %s', async ([, make, responseTimeoutMs, message]) => {
  const { pulled } = pullWith(at('/forms', make), { responseTimeoutMs, responseBytes: 100_000 })
  const { fixture: made, ...rest } = await pulled
  expect(textsOf(rest as Pulled)).toEqual([expect.stringContaining(message)])
  expect(made.workspaces[0]).toMatchObject({ name: 'W', forms: [] })
})

test('pull stops reading a response that decompresses to more bytes than allowed', async () => {
  const bomb = gzipSync(Buffer.alloc(50_000_000, 32))
  const mock = createWorkspaceMock({ fixture })
  const server = createServer((request, response) => {
    if (request.url?.endsWith('/forms')) {
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(bomb)
      return
    }
    const headers = { authorization: request.headers.authorization ?? '' }
    void mock
      .fetch(new Request(`${mock.baseUrl}${(request.url ?? '').slice(3)}`, { headers }))
      .then(async (reply) => {
        response.writeHead(reply.status, { 'content-type': 'application/json' }).end(await reply.text())
      })
  }).listen(0)
  const { port } = server.address() as AddressInfo
  const baseUrl = `http://127.0.0.1:${String(port)}/v1`
  const pulled = await pull({
    baseUrl,
    apiKey: 'wm_hostile_master',
    responseBytes: 1_000_000,
    wait: async () => undefined,
  })
  server.closeAllConnections()
  server.close()
  expect(textsOf(pulled)).toEqual([expect.stringContaining('has more than 1,000,000 bytes')])
})

test('pull is interrupted by its signal while a response is on its way', async () => {
  const controller = new AbortController()
  let signal: AbortSignal | undefined
  const { pulled } = pullWith(
    (request, path) => {
      if (!path.endsWith('/spaces')) return undefined
      signal = request.signal
      setTimeout(() => controller.abort(), 0)
      return never()
    },
    { signal: controller.signal, responseTimeoutMs: 600_000 },
  )
  await expect(pulled).rejects.toThrow(PullStopped)
  expect(signal?.aborted).toBe(true)
})

test('pull is interrupted by its signal while it waits for Retry-After', async () => {
  const controller = new AbortController()
  const wait = () => {
    controller.abort()
    return never()
  }
  const limited = at('/spaces', () =>
    Response.json({ error: 'slow' }, { status: 429, headers: { 'retry-after': '60' } }),
  )
  await expect(pullWith(limited, { signal: controller.signal, wait }).pulled).rejects.toThrow(PullStopped)
})

/** A task listing whose pages come from `pageOf`. */
const listing =
  (pageOf: (offset: number) => unknown[]): Answer =>
  (request, path) => {
    if (!path.endsWith('/lists/lst/tasks')) return undefined
    const offset = Number(new URL(request.url).searchParams.get('offset'))
    return Response.json({ tasks: pageOf(offset), limit: 200, offset })
  }
const shown = tasks.map((task) => ({
  ...task,
  status_id: 'st',
  priority: 0,
  due_date: null,
  date_start: null,
  custom_data: {},
  assignees: [],
  created_at: 1_767_000_000,
  updated_at: 1_767_000_000,
}))
const idsIn = ({ fixture: made }: Pulled) =>
  made.workspaces[0]!.spaces![0]!.lists![0]!.tasks!.map(({ id }) => id)

test('pull ends a listing that ignores offset, and names it', async () => {
  const { pulled, sent } = pullWith(
    listing(() => shown.slice(0, 200)),
    { wait: never },
  )
  const result = await pulled
  expect(idsIn(result)).toHaveLength(200)
  expect(sent.filter((path) => path.includes('/lists/lst/tasks'))).toHaveLength(2)
  expect(textsOf(result).join('\n')).toContain('GET /lists/lst/tasks repeats records on later pages')
})

test('pull reads every page although one record is invalid, and names the record', async () => {
  const broken: unknown[] = structuredClone(shown)
  broken[150] = { ...shown[150], title: null }
  broken[250] = 7
  broken[405] = { ...shown[405], created_at: '2026-01-05' }
  const result = await pullWith(listing((offset) => broken.slice(offset, offset + 200))).pulled
  const left = idsIn(result)
  expect(left).toEqual(shown.map(({ id }) => id).filter((id) => id !== 'tsk_150' && id !== 'tsk_250'))
  const reasons = textsOf(result).filter((text) => text.startsWith('GET /lists/lst/tasks'))
  expect(reasons).toEqual([
    expect.stringMatching(/tasks\.title of tsk_150 left out: must be a string; received null/),
    expect.stringMatching(/tasks left out: must be an object; received 7/),
    expect.stringMatching(/tasks\.created_at of tsk_405 left out: must be a number; received "2026-01-05"/),
  ])
})

test.for([
  ['/me', { workspace: { id: 'w', name: 'W', plan: 'gold' }, members: 7 }],
  ['/me', { workspace: null }],
  ['/datatables', { datatables: [null, { id: 7 }, { id: 'tbl', name: null, row_count: -1 }] }],
  [
    '/datatables/tbl/schema',
    {
      columns: [
        { id: 'col', name: 'C', type: 'rating' },
        { id: 'x', options: 'none' },
      ],
    },
  ],
  [
    '/datatables/tbl/rows',
    { rows: [{ id: 'row', version: 'first', data: { col: { deep: 1 } } }], total: '1' },
  ],
  ['/datatables/tbl/rows', { rows: { row: {} } }],
  ['/spaces', { spaces: [{ id: 'spc', name: 'S', lists: 'none' }] }],
  ['/spaces', { spaces: [{ id: 'spc', name: 'S', lists: [{ id: 'lst', name: null }, null] }] }],
  ['/lists', { lists: {} }],
  [
    '/lists/lst/schema',
    { statuses: [{ id: 'st', name: 'A', type: 'open' }], fields: [{ id: 'f', name: 'F', type: null }] },
  ],
  [
    '/lists/lst/tasks',
    { tasks: [{ id: 'tsk_0', title: 'A', assignees: [{ id: 'mbr' }, null], custom_data: [] }] },
  ],
  ['/tasks/tsk_0', { ...shown[0], list_id: 'lst', parent_task_id: 'tsk_0' }],
  ['/tasks/tsk_0/comments', { comments: [{ id: 'c', author_id: 7, content: null, created_at: '2026' }] }],
  [
    '/tasks/tsk_0/time-entries',
    { users: 1, total_seconds: null, entries: [{ id: 'e', duration: -1, is_running: 2 }] },
  ],
  [
    '/tasks/tsk_0/attachments',
    {
      attachments: [
        { id: 'a', filename: null },
        { id: 'b', filename: 'b', size_bytes: 1.5 },
      ],
    },
  ],
  ['/forms', { forms: null }],
  ['/forms/frm', { form: { id: 'frm', field_config: {}, rules: 1, settings: [] } }],
  [
    '/forms/frm/submissions',
    { submissions: [{ id: 's', data: null, created_entity_id: 4, created_at: true }] },
  ],
] as readonly (readonly [string, object])[])(
  'pull names what it left out and goes on where GET %s answers %j',
  async ([path, body]) => {
    const result = await pullWith(at(`/v1${path}`, () => Response.json(body))).pulled
    expect(result.missing.length).toBeGreaterThan(0)
    const said = result.unseen.join('\n')
    expect(said).not.toMatch(/is not iterable|is not a function|Cannot read|undefined|\[object|RangeError/)
    createWorkspaceMock({ fixture: result.fixture, answers: result.answers })
  },
)

test('pull names the response and what was expected', async () => {
  const result = await pullWith(at('/forms', () => Response.json({ forms: 3 }))).pulled
  expect(textsOf(result)).toEqual(['GET /forms responded with {"forms":3}, expected {"forms": […]}'])
})

test('pull leaves out the second of a list that two spaces show', async () => {
  const list = {
    id: 'lst',
    name: 'L',
    space_id: 'spc',
    space_name: 'S',
    folder_id: null,
    color: null,
    icon: null,
  }
  const spaces = ['spc', 'two'].map((id) => ({
    id,
    name: id,
    color: '#123',
    icon: 'x',
    default_list_id: 'lst',
    lists: [list],
  }))
  const result = await pullWith(at('/spaces', () => Response.json({ spaces }))).pulled
  expect(createWorkspaceMock({ fixture: result.fixture }).db.lists.count()).toBe(1)
  expect(
    result.missing.some(({ ids, text }) => ids.includes('lst') && text.includes('already has a list')),
  ).toBe(true)
})

test('pull leaves out the contents of files that are too large for a mock', async () => {
  const megabytes = (count: number) => count * 1_000_000
  const sizes = [megabytes(600), -1, megabytes(300), megabytes(300), megabytes(300), megabytes(300), 5]
  const attachments = sizes.map((size_bytes, index) => ({
    id: `att_${String(index)}`,
    filename: `f${String(index)}`,
    mime_type: 'text/plain',
    size_bytes,
    url: '',
  }))
  const result = await pullWith(at('/tasks/tsk_0/attachments', () => Response.json({ attachments }))).pulled
  const held = createWorkspaceMock({ fixture: result.fixture }).db.attachments.findMany()
  expect(held.map(({ size_bytes }) => size_bytes)).toEqual([0, 0, 0, 0, 0, 0, 5])
  expect(result.unseen.filter((text) => text.startsWith('File f'))).toHaveLength(6)
})

test('pull and verify never show the key or a cookie that a deployment sends', async () => {
  const key = 'wm_hostile_master'
  const echo = () =>
    Response.json(
      { error: `no ${key}`, note: key },
      { status: 400, headers: { 'set-cookie': 's=secret', 'x-key': key } },
    )
  const shownTask = { ...shown[0], title: `Key ${key}`, description: `\\u0077${key.slice(1)}` }
  const pulled = await pullWith((request, path) =>
    path.endsWith('/forms')
      ? echo()
      : path.endsWith('/lists/lst/tasks')
        ? new Response(
            JSON.stringify({ tasks: [shownTask], limit: 200, offset: 0 }).replaceAll('\\\\u', '\\u'),
          )
        : undefined,
  ).pulled
  expect(JSON.stringify(pulled)).toContain('$WORKSPACE_API_KEY')
  expect(JSON.stringify(pulled)).not.toContain(key)
  const mock = createWorkspaceMock({ fixture })
  const fetch = async (request: Request) => (request.url.includes('/forms') ? echo() : mock.fetch(request))
  const report = JSON.stringify(await verify({ ...inProcess(mock, 'master'), fetch, har: true }))
  expect(report).toContain('$WORKSPACE_API_KEY')
  expect(report).not.toMatch(/wm_hostile_master|secret|set-cookie/)
})

/** Replaces each value in a body. */
function replaceEach(value: unknown, replace: (value: unknown, name: string) => unknown, name = ''): unknown {
  const replaced = replace(value, name)
  if (Array.isArray(replaced)) return replaced.map((item) => replaceEach(item, replace))
  if (typeof replaced !== 'object' || replaced === null) return replaced
  return Object.fromEntries(
    Object.entries(replaced).map(([key, inner]) => [key, replaceEach(inner, replace, key)]),
  )
}

const otherShapes: Readonly<Record<string, (value: unknown, name: string) => unknown>> = {
  'null among items': (value) => (Array.isArray(value) ? [null, ...value] : value),
  'arrays as objects': (value) => (Array.isArray(value) ? Object.fromEntries(value.entries()) : value),
  'items in arrays': (value) => (Array.isArray(value) ? value.map((item) => [item]) : value),
  'numbers for texts': (value) => (typeof value === 'string' ? 5 : value),
  'texts for numbers': (value) => (typeof value === 'number' ? 'x' : value),
  'empty ids': (value, name) => (name === 'id' ? '' : value),
  'an id that no object can have': (value, name) => (name === 'id' ? '__proto__' : value),
  'one id for all': (value, name) => (name === 'id' ? 'same' : value),
  'no column names': (value, name) => (name === 'name' ? undefined : value),
}

test.for(Object.entries(otherShapes))(
  'pull makes a fixture of what it can read, and names the rest: %s',
  async ([, replace]) => {
    const mock = createWorkspaceMock()
    let missing = 0
    for (const end of ['/datatables', '/schema', '/tasks', '/attachments']) {
      const fetch = async (request: Request) => {
        const response = await mock.fetch(request)
        if (!new URL(request.url).pathname.endsWith(end)) return response
        return Response.json(replaceEach(await response.json(), replace))
      }
      const pulled = await pull({ ...inProcess(mock, 'master'), fetch, rows: 5 })
      createWorkspaceMock({ fixture: pulled.fixture, answers: pulled.answers })
      missing += pulled.missing.length
    }
    expect(missing).toBeGreaterThan(0)
  },
)

test('pull ends in words where JSON is nested 20,000 levels deep', async () => {
  const deep = '['.repeat(20_000) + ']'.repeat(20_000)
  const { pulled } = pullWith(at('/forms', () => new Response(`{"forms":${deep}}`)))
  expect(textsOf(await pulled)).toContainEqual(expect.stringContaining('/forms'))
})
