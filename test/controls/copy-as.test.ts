// mock.copyAs(): each format runs as if pasted, and leaves the same journal entry as the original.
import { execFile } from 'node:child_process'
import { request as httpRequest } from 'node:http'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  createWorkspaceMock,
  type JournalEntry,
  type MockControls,
  type WorkspaceMock,
} from 'workspace-api-mock'
import { serve } from 'workspace-api-mock/node'
import { operationIds } from '../../src/contract/scopes.ts'
import { createApiCall } from '../../src/adapters/vitest/api-call.ts'
import { exampleMock, exampleRequest } from './support/example-requests.ts'

const AsyncFunction = (async () => undefined).constructor as FunctionConstructor
const bash = (command: string) =>
  promisify(execFile)('bash', ['-c', command.replaceAll('curl ', 'curl -sS ')]).catch(
    (error: unknown) => error,
  )
const evaluate = (code: string, names: Record<string, unknown> = {}) =>
  AsyncFunction(...Object.keys(names), code)(...Object.values(names)) as Promise<unknown>

interface Sent {
  readonly method?: string
  readonly path: string
  readonly headers?: Record<string, string>
  readonly body?: string | Uint8Array
  /** Ahead of /v1. */
  readonly prefix?: string
  readonly sandbox?: string
  readonly fault?: object
}

const bearer = { authorization: 'Bearer wm_demo_master' }
const json = { ...bearer, 'content-type': 'application/json' }
const listTasks = `/lists/${exampleRequest('createTask').params.listId!}/tasks`
const upload = `/tasks/${exampleRequest('getTask').params.taskId!}/attachments`
const binary = Uint8Array.from({ length: 256 }, (_, index) => index)
const parts = (content: Uint8Array | string, filename = 'a b.txt') =>
  Buffer.concat([
    Buffer.from(
      `--X.1\r\nContent-Disposition: form-data; name="file"; filename="${filename}"\r\nContent-Type: text/plain\r\n\r\n`,
    ),
    Buffer.from(content),
    Buffer.from('\r\n--X.1--\r\n'),
  ])
const multipart = { ...bearer, 'content-type': 'multipart/form-data; boundary=X.1' }

const sent: Record<string, Sent> = {
  'a repeated query parameter': { path: '/lists?space_id=a&space_id=b&limit=5', headers: bearer },
  'a query that a shell and curl would expand': { path: "/lists?q=[1-3]{a,b}$HOME*'%27!", headers: bearer },
  'a query with braces alone': { path: '/lists?q={a,b}', headers: bearer },
  'a path of dots': { path: '/tasks/../me', headers: bearer },
  'a path that ends with dots': { path: '/tasks/..', headers: bearer },
  'an integer written otherwise': { path: `${listTasks}?limit=05`, headers: bearer },
  'an unknown path': { path: '/nothing/%20/x', headers: bearer, method: 'PUT', body: 'x' },
  'no key': { path: '/me' },
  'an unknown key': { path: '/me', headers: { authorization: 'Bearer secret-of-mine' } },
  'a scoped key and a label': {
    path: '/me',
    headers: { authorization: 'Bearer wm_demo_scoped', 'x-mock-label': 'a > b' },
  },
  'a suspended key': { path: '/me', headers: { authorization: 'Bearer wm_demo_suspended' } },
  Prefer: { path: '/me', headers: { ...bearer, prefer: 'code=503' } },
  'a body with quotes, line breaks and other scripts': {
    method: 'POST',
    path: listTasks,
    headers: json,
    body: JSON.stringify({ title: `it's "so" \\ $x \`y\` %s é 漢 😀 \n\t end` }, null, 2),
  },
  'a body with a byte order mark': {
    method: 'POST',
    path: listTasks,
    headers: json,
    body: '\ufeff{"title":"a"}',
  },
  'a body with a name __proto__': {
    method: 'POST',
    path: listTasks,
    headers: json,
    body: '{"title":"a","__proto__":1}',
  },
  'a body that is not JSON': { method: 'POST', path: listTasks, headers: json, body: "{'a': 1}" },
  'a body of another content type': {
    method: 'POST',
    path: listTasks,
    headers: { ...bearer, 'content-type': 'application/json; charset=utf-8' },
    body: '{"title": "a"}',
  },
  'a body without a content type': {
    method: 'POST',
    path: listTasks,
    headers: bearer,
    body: '{"title":"a"}',
  },
  'a body of no encoding': {
    method: 'POST',
    path: listTasks,
    headers: json,
    body: Uint8Array.of(0x7b, 0xff, 0, 0x31),
  },
  'a body that begins with @': { method: 'POST', path: listTasks, headers: json, body: '@/etc/hosts' },
  'no body': { method: 'POST', path: listTasks, headers: bearer },
  'a file of text': { method: 'POST', path: upload, headers: multipart, body: parts('héllo\n%s \\n') },
  'a file of bytes': { method: 'POST', path: upload, headers: multipart, body: parts(binary, "it's.bin") },
  'parts that are broken': {
    method: 'POST',
    path: upload,
    headers: multipart,
    body: parts('x').subarray(0, 60),
  },
  'a sandbox by header': { path: '/me', headers: { ...bearer, 'x-mock-sandbox': 'a' }, sandbox: 'a' },
  'a sandbox by path': { path: '/me', headers: bearer, prefix: '/sandboxes/b', sandbox: 'b' },
  'a fault': { path: '/me', headers: bearer, fault: { status: 429, retryAfter: 7 } },
  'a lost answer': {
    method: 'POST',
    path: listTasks,
    headers: json,
    body: '{"title":"a"}',
    fault: { network: true, phase: 'after' },
  },
}

/** Sends the request unchanged; `fetch` would normalize it. */
const send = (origin: string, { method = 'GET', path, headers = {}, body, prefix = '' }: Sent) =>
  new Promise<void>((resolve) => {
    const request = httpRequest(`${origin}/`, { method, path: `${prefix}/v1${path}`, headers, agent: false })
    request.on('response', (response) => response.resume().on('close', resolve)).on('error', () => resolve())
    request.end(body)
  })

const told = ({ id, fault, ...rest }: JournalEntry) => ({ ...rest, isFault: fault !== null, hasId: id > 0 })

let mock: WorkspaceMock
let server: Awaited<ReturnType<typeof serve>>
beforeAll(async () => {
  mock = createWorkspaceMock()
  server = await serve(mock)
})
afterAll(() => server.close())

/** Sends a request, then lets `again` send its copy, both from the same state. */
async function twice(request: Sent, again: (controls: MockControls) => Promise<unknown>) {
  const controls = request.sandbox === undefined ? mock : mock.sandbox(request.sandbox)
  controls.reset()
  const before = controls.snapshot()
  if (request.fault) controls.fault(request.fault)
  await send(server.url, request)
  const faultLines = controls.copyAs('fault')
  controls.restore(before)
  if (request.fault) await evaluate(faultLines, { mock: controls })
  await again(controls)
  const [first, second, ...others] = controls.requests()
  expect(others).toEqual([])
  expect(told(second!)).toEqual(told(first!))
  // Compares as HAR too, because journal entries omit repeated parameters and boundaries.
  const [original, pasted] = controls.har().log.entries
  expect(pasted!.request).toEqual(original!.request)
}

describe.each(Object.entries(sent))('copyAs of %s', (_, request) => {
  test('curl', async () => {
    await twice(request, async (controls) => bash(controls.copyAs('curl', controls.requests()[0])))
  })

  // Skips requests that fetch normalizes or cannot send.
  test.skipIf(/\.\.|\$HOME/.test(request.path))('fetch', async () => {
    await twice(request, async (controls) =>
      evaluate(controls.copyAs('fetch', 1)).catch((error: unknown) => {
        expect(request.fault).toMatchObject({ network: true })
        return error
      }),
    )
  })
})

test('copyAs curl asks for the head alone when HEAD was sent, and writes a line for each request', async () => {
  mock.reset()
  await send(server.url, { method: 'HEAD', path: '/me' })
  await send(server.url, { path: '/me' })
  expect(mock.copyAs('curl').split('\n')).toEqual([
    `curl --head ${server.baseUrl}/me`,
    `curl ${server.baseUrl}/me`,
  ])
})

test('copyAs never shows a key that the mock does not know', async () => {
  mock.reset()
  await send(server.url, sent['an unknown key']!)
  for (const format of ['curl', 'fetch', 'vitest', 'fault'] as const)
    expect(mock.copyAs(format)).not.toContain('secret-of-mine')
})

/** Runs the text of a test as vitest would, with a separate mock. */
async function runTest(text: string): Promise<JournalEntry[]> {
  const fresh = createWorkspaceMock()
  const tests: ((context: object) => Promise<void>)[] = []
  const code = text.replaceAll(/^import .*$/gm, '')
  await evaluate(code, { expect, test: (title: string, run: never) => tests.push(run) })
  for (const run of tests) await run({ mock: fresh, call: createApiCall(fresh) })
  return fresh.requests()
}

/** Omits the size of a multipart body, because boundaries differ in length. */
const withoutSize = (entry: JournalEntry) => {
  const { requestBody, ...rest } = told(entry)
  const isMultipart = requestBody !== null && 'sizeBytes' in requestBody
  return { ...rest, requestBody: isMultipart ? { ...requestBody, sizeBytes: 0 } : requestBody }
}

describe('copyAs vitest', () => {
  test.each(operationIds)('of %s', async (operation) => {
    const { mock, send } = exampleMock()
    mock.clock.advance(1500)
    await send(operation)
    const entries = await runTest(mock.copyAs('vitest'))
    expect(entries.map(withoutSize)).toEqual(mock.requests().map(withoutSize))
  })

  test.each(
    Object.entries(sent).filter(
      ([, { path, prefix, sandbox }]) => !path.includes('..') && !prefix && !sandbox,
    ),
  )('of %s', async (_, { method = 'GET', path, headers = {}, body, fault }) => {
    const mock = createWorkspaceMock()
    if (fault) mock.fault(fault)
    const init = { method, headers, ...(body !== undefined && { body: Buffer.from(body) }) }
    await mock.fetch(`${mock.baseUrl}${path}`, init).catch(() => undefined)
    const entries = await runTest(mock.copyAs('vitest'))
    expect(entries.map(withoutSize)).toEqual(mock.requests().map(withoutSize))
  })

  test('of requests that build on each other, with their clock', async () => {
    const { mock, call, send } = exampleMock()
    const { body: task } = (await send('createTask')) as { body: { id: string } }
    mock.clock.advance('2h')
    await call('createComment', { params: { taskId: task.id }, body: { content: "it's done" } })
    mock.fault({ operation: 'getTask', status: 503 })
    await call('getTask', { params: { taskId: task.id } })
    await call('getTask', { params: { taskId: task.id } })
    await send('getJob')
    await send('getJob')
    const text = mock.copyAs('vitest')
    expect(text).toContain("mock.fault({ operation: 'getTask', status: 503 })")
    const entries = await runTest(text)
    expect(entries.map(told)).toEqual(mock.requests().map(told))
  })

  test('of responses with addresses, at any address of the mock', async () => {
    const mock = createWorkspaceMock({ baseUrl: 'https://other.test/v1' })
    const call = createApiCall(mock)
    const { params } = exampleRequest('getTask')
    await call('uploadTaskAttachment', { params, files: [new File(['x'], 'x.txt')] })
    expect(mock.copyAs('vitest')).not.toContain('other.test')
    expect(await runTest(mock.copyAs('vitest'))).toHaveLength(1)
  })

  test.each([
    ['empty', "const test = base.extend({ mockOptions: { fixture: 'empty' } })", 0],
    [
      { ...createWorkspaceMock({ fixture: 'empty' }).state(), name: 'mine' },
      'const test = base.extend({ mockOptions: { fixture } })',
      1,
    ],
  ])('of a mock with another fixture imports or names it', async (fixture, line, imported) => {
    const mock = createWorkspaceMock({ fixture: fixture as never })
    await mock.fetch('/me')
    const text = mock.copyAs('vitest')
    expect(text).toContain(`\n${line}\n`)
    expect(text.match(/^import fixture from '.\/mine.json' with \{ type: 'json' \}$/gm) ?? []).toHaveLength(
      imported,
    )
  })

  test('of many requests is named after the first three', async () => {
    const { mock, send } = exampleMock()
    for (const operation of ['getIdentity', 'listLists', 'listForms', 'listSpaces'] as const)
      await send(operation)
    expect(mock.copyAs('vitest')).toContain(
      "test('getIdentity answers 200, listLists answers 200, listForms answers 200', async",
    )
  })

  test('of a failing request has what it depends on, and nothing else', async () => {
    const { mock, call } = exampleMock()
    const ids: string[] = []
    for (const title of ['one', 'two', 'three']) {
      const { body } = await call('createTask', { params: { listId: 'lst_launch' }, body: { title } })
      ids.push((body as { id: string }).id)
    }
    const [, , taskId = ''] = ids
    await call('getIdentity')
    await call('createComment', { params: { taskId }, body: { content: 'first' } })
    await call('updateTask', { params: { taskId }, body: { status_id: 'none' } })
    const last = mock.requests().at(-1)!
    const text = mock.copyAs('vitest', last)
    expect(text).toContain("test('updateTask answers 400'")
    const entries = await runTest(text)
    expect(entries.map(({ operation, status }) => `${String(operation)} ${String(status)}`)).toEqual([
      'createTask 201',
      'updateTask 400',
    ])
    expect(entries.at(-1)?.responseBody).toEqual(
      JSON.parse(JSON.stringify(last.responseBody).replaceAll(taskId, entries[0]!.changes[0]!.id)),
    )
  })

  test('of a request that a limit refused has those that counted towards it', async () => {
    const mock = createWorkspaceMock()
    const call = createApiCall(mock)
    await call('getIdentity')
    const rows = [{ col_customer: 'A' }]
    for (let sent = 0; sent < 500 && mock.requests().at(-1)?.status !== 429; sent++)
      await call('bulkInsertRows', { params: { tableId: 'tbl_orders' }, body: { rows } })
    const refused = mock.requests().at(-1)!
    expect(refused.status).toBe(429)
    const entries = await runTest(mock.copyAs('vitest', refused))
    expect(entries).toHaveLength(mock.requests().length - 1)
    expect(entries.at(-1)?.responseBody).toEqual(refused.responseBody)
  })

  test('of many requests writes repeats as loops, which send as many', async () => {
    const { mock, call } = exampleMock()
    for (let sent = 0; sent < 240; sent++) {
      await call('getIdentity')
      await call('getTask', { params: { taskId: 'tsk_label' } })
      mock.clock.advance('2s')
    }
    await call('getTask', { params: { taskId: 'none' } })
    for (let sent = 0; sent < 19; sent++)
      await call('createTask', { params: { listId: 'lst_launch' }, body: { title: 'Again' } })
    const text = mock.copyAs('vitest')
    expect(text.split('\n').length).toBeLessThan(120)
    const entries = await runTest(text)
    const briefly = ({ operation, status, changes }: JournalEntry) => [operation, status, changes.length]
    expect(entries.map(briefly)).toEqual(mock.requests().map(briefly))
  })

  test('reads well', async () => {
    const { mock, call } = exampleMock()
    await call('getTask', { params: { taskId: 'none' } })
    expect(mock.copyAs('vitest', 1)).toBe(`import { expect } from 'vitest'
import { test } from 'workspace-api-mock/vitest'

test('getTask answers 404', async ({ mock, call }) => {
  const response = await call('getTask', {
    as: 'master',
    params: { taskId: 'none' },
  })
  expect(response.status).toBe(404)
  expect(response.body).toEqual({ error: ${JSON.stringify(
    (mock.requests()[0]!.responseBody as any).json.error,
  )
    .replaceAll("'", "\\'")
    .replace(/^"|"$/g, "'")
    .replaceAll('\\"', '"')} })
})
`)
  })
})

describe('copyAs fault', () => {
  test.each([
    [{ status: 503 }, "mock.fault({ operation: 'createTask', status: 503 })"],
    [{ network: true }, "mock.fault({ operation: 'createTask', network: true })"],
    [
      { network: true, phase: 'after' },
      "mock.fault({ operation: 'createTask', network: true, phase: 'after' })",
    ],
  ])('of %o', async (fault, line) => {
    const { mock, send } = exampleMock()
    mock.fault(fault as object)
    await send('createTask').catch(() => undefined)
    expect(mock.copyAs('fault')).toBe(line)
  })

  test('gives a line for each request when all succeeded, else for those that failed', async () => {
    const { mock, send } = exampleMock()
    await send('getIdentity')
    await send('listForms')
    expect(mock.copyAs('fault').split('\n')).toEqual([
      "mock.fault({ operation: 'getIdentity', status: 503 })",
      "mock.fault({ operation: 'listForms', status: 503 })",
    ])
    mock.setLimits({ requestsPerMonth: 0 })
    await send('listLists')
    expect(mock.copyAs('fault')).toMatch(
      /^mock\.fault\(\{ operation: 'listLists', status: 429, resource: 'requestsPerMonth', retryAfter: \d+ \}\)$/,
    )
  })
})

test('copyAs fault fails a write that succeeded before it is carried out, and gives nothing for a request outside the API', async () => {
  const { mock, send, call } = exampleMock()
  await call('GET /no-such-path')
  await send('createTask')
  expect(mock.copyAs('fault')).toBe("mock.fault({ operation: 'createTask', status: 503 })")
})

test('copyAs refuses unknown formats and requests', () => {
  expect(() => mock.copyAs('wget' as never)).toThrow(/format/)
  expect(() => mock.copyAs('curl', 99_999)).toThrow(/99999/)
  expect(() => mock.copyAs('curl', ['1'] as never)).toThrow(/requests/)
})

test('GET /__mock/requests.copy answers the text of several requests of a sandbox', async () => {
  const headers = { ...bearer, 'x-mock-sandbox': 'far' }
  for (const path of ['/me', '/lists', '/spaces']) await fetch(`${server.url}/v1${path}`, { headers })
  const response = await fetch(`${server.url}/__mock/requests.copy?as=curl&ids=1,3`, { headers })
  const { text } = await response.json()
  expect(text).toBe(mock.sandbox('far').copyAs('curl', [1, { id: 3 }]))
  await bash(text)
  expect(
    mock
      .sandbox('far')
      .requests()
      .map(({ path }) => path),
  ).toEqual(['/me', '/lists', '/spaces', '/me', '/spaces'])
})

test('copyAs takes the key that was sent, also where another key has its name by now', async () => {
  const withKey = (key: string) => ({
    workspaces: [
      { id: 'one', name: 'One', members: [{ id: 'mem', name: 'M' }], keys: [{ key, name: 'main' }] },
    ],
  })
  const mock: WorkspaceMock = createWorkspaceMock({ fixture: withKey('wm_first') as never })
  for (const path of ['/me', '/nowhere'])
    await mock.fetch(path, { headers: { authorization: 'Bearer wm_first' } })
  mock.loadState(withKey('wm_second'))
  for (const format of ['curl', 'fetch'] as const)
    expect([format, mock.copyAs(format).match(/wm_first/g)?.length]).toEqual([format, 2])
})
