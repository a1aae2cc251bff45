// How pull behaves on a bad connection, when it is interrupted, and with a key that may not read everything.
import { expect, test } from 'vitest'
import { createWorkspaceMock } from 'workspace-api-mock'
import { serve } from 'workspace-api-mock/node'
import { PullStopped, pull } from 'workspace-api-mock/verify'
import { inProcess } from '../verify/support/scrambles.ts'
import { readsOf } from './support/reads.ts'

/** A pull over a good connection, for comparison. */
const direct = pull(inProcess(createWorkspaceMock(), 'master'))
const at = (request: Request) => new URL(request.url).pathname + new URL(request.url).search

test('pull behind a slow line with 503 and broken connections reads the same, one request at a time', async () => {
  const source = createWorkspaceMock()
  const { baseUrl, close } = await serve(source, { port: 0 })
  let [sent, open, most] = [0, 0, 0]
  const fetch = async (request: Request): Promise<Response> => {
    sent += 1
    most = Math.max(most, (open += 1))
    await new Promise((resolve) => setTimeout(resolve, 1))
    try {
      if (sent % 100 === 3) return Response.json({ error: 'try again', transient: true }, { status: 503 })
      if (sent % 100 === 7) throw new TypeError('fetch failed')
      return await globalThis.fetch(request)
    } finally {
      open -= 1
    }
  }
  const waits: number[] = []
  const wait = async (ms: number) => void waits.push(ms)
  const { fixture } = await pull({ baseUrl, apiKey: source.keys.master, fetch, wait })
  await close()
  expect(fixture).toEqual((await direct).fixture)
  expect(waits.length).toBeGreaterThan(10)
  expect(most).toBe(1)
})

test('pull waits as long as Retry-After says', async () => {
  const source = createWorkspaceMock()
  source.fault({ operation: 'listTasks', status: 429, retryAfter: 7 })
  const waits: number[] = []
  const wait = async (ms: number) => void waits.push(ms)
  await pull({ ...inProcess(source, 'master'), wait })
  expect(waits).toEqual([7000])
})

test('pull resumes where it was interrupted, and repeats only the interrupted request', async () => {
  const source = createWorkspaceMock()
  const kept = new Map<string, unknown>()
  const asked: string[] = []
  const controller = new AbortController()
  const fetch = (request: Request) => {
    asked.push(at(request))
    if (asked.length === 100) controller.abort()
    return source.fetch(request)
  }
  const options = { ...inProcess(source, 'master'), fetch, kept }
  await expect(pull({ ...options, signal: controller.signal })).rejects.toThrow(PullStopped)
  expect(JSON.stringify([...kept])).not.toContain('wm_demo_master')
  const { fixture } = await pull(options)
  expect(fixture).toEqual((await direct).fixture)
  const twice = asked.filter((path, index) => asked.indexOf(path) !== index)
  // Every pull starts with /me, to check whether there is anything to read.
  expect(new Set(twice)).toEqual(new Set(['/v1/me', asked[99]]))
})

test('pull of large reads as many rows as wanted, and notes it', async () => {
  const source = createWorkspaceMock({ fixture: 'large' })
  const { fixture, unseen } = await pull({ ...inProcess(source, 'master'), rows: 1200 })
  const mock = createWorkspaceMock({ fixture })
  const [table] = fixture.workspaces[0]!.tables!
  expect(table!.rows).toHaveLength(1200)
  expect(unseen.join('\n')).toContain('1200 of 50000 rows')
  const path = `/datatables/${table!.id!}/rows?page=2&limit=500`
  const rows = async (from: typeof mock, key: string) => {
    const request = new Request(`${from.baseUrl}${path}`, { headers: { authorization: `Bearer ${key}` } })
    return (await (await from.fetch(request)).json()).rows
  }
  expect(await rows(mock, 'wm_pulled_master')).toEqual(await rows(source, source.keys.master))
  expect(source.requests().length).toBeLessThan(20)
})

test('pull names what the API hides: private default lists, targets of forms, refused operations', async () => {
  const source = createWorkspaceMock()
  const state = source.state() as any
  const [workspace] = state.workspaces
  const form = workspace.forms.find(({ target_type }: any) => target_type === 'task')
  for (const { lists } of workspace.spaces)
    for (const list of lists) if (list.id === form.target_id) list.is_private = true
  const hiding = createWorkspaceMock({ fixture: state })
  const { fixture } = await pull(inProcess(hiding, 'master'))
  const mock = createWorkspaceMock({ fixture })
  expect(await readsOf(mock, 'wm_pulled_master')).toEqual(await readsOf(hiding, hiding.keys.master!))

  for (const key of workspace.keys)
    if (key.name === 'scoped') key.scopes = ['workspace:read', 'rows:read', 'datatables:read']
  const scoped = await pull(inProcess(createWorkspaceMock({ fixture: state }), 'scoped'))
  expect(scoped.unseen.join('\n')).toMatch(/This key may not call listSpaces/)
  expect(createWorkspaceMock({ fixture: scoped.fixture }).keys).toEqual({ master: 'wm_pulled_master' })
})

test('pull with files downloads their bytes; without, they are zeros of the right size', async () => {
  const source = createWorkspaceMock()
  const sizes = async (files: boolean) => {
    const { fixture } = await pull({ ...inProcess(source, 'master'), files })
    return Object.entries(fixture.files!).map(([name, text]) => [name, Buffer.from(text, 'base64')] as const)
  }
  const original = (source.state() as any).files
  for (const [name, bytes] of await sizes(true))
    if (!name.startsWith('dt/')) expect(bytes.toString('base64')).toBe(original[name])
  for (const [name, bytes] of await sizes(false))
    expect(bytes).toEqual(Buffer.alloc(Buffer.from(original[name], 'base64').length))
})

/** A pull of the demo whose responses to some requests are replaced. */
function pullWith(replaced: (path: string, sent: number) => Response | undefined) {
  const options = inProcess(createWorkspaceMock(), 'master')
  let sent = 0
  const fetch = async (request: Request) =>
    replaced(new URL(request.url).pathname, (sent += 1)) ?? options.fetch(request)
  return pull({ ...options, fetch })
}

test.for([
  [401, 'the API key is no longer accepted: status 401, "no"'],
  [402, 'the API key is no longer accepted: status 402, "no"'],
  [429, 'the rate limit was reached: status 429, "no"'],
] as const)('pull stops where all responses from some moment on are %s', async ([status, message]) => {
  const refused = pullWith((_, sent) => (sent > 40 ? Response.json({ error: 'no' }, { status }) : undefined))
  await expect(refused).rejects.toThrow(PullStopped)
  await expect(refused).rejects.toThrow(message)
})

test('pull names a request without a usable response, and continues', async () => {
  let isFirst = true
  const { unseen } = await pullWith((path) => {
    if (!path.endsWith('/comments') || !isFirst) return undefined
    isFirst = false
    return new Response('[]', { headers: { 'content-type': 'application/json' } })
  })
  expect(unseen.filter((sentence) => sentence.startsWith('GET /tasks/'))).toEqual([
    expect.stringMatching(/\/comments responded with \[\], expected \{"comments": \[…\]\}\.$/),
  ])
})

test('pull stops at the third request in a row without a usable response', async () => {
  const stopped = pullWith((path) => (path.includes('/tasks/') ? new Response('<html>') : undefined))
  await expect(stopped).rejects.toThrow(PullStopped)
  await expect(stopped).rejects.toThrow(/^the deployment keeps failing: GET \/tasks\//)
})

test('pull counts records that were deleted while it read', async () => {
  const gone = Response.json({ error: 'not found' }, { status: 404 })
  const { unseen } = await pullWith((path) => (/\/forms\/\w+$/.test(path) ? gone.clone() : undefined))
  expect(unseen.join('\n')).toMatch(/^\d+ records were deleted before they could be read\.$/m)
})
