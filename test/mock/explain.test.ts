// The text for a failing test: what the mock knows about requests, faults and rules.
import { beforeEach, describe, expect, it } from 'vitest'
import { createWorkspaceMock } from '../../src/index.ts'
import { serve } from '../../src/node.ts'

const mock = createWorkspaceMock()
const send = (method: string, path: string, json?: unknown, headers: Record<string, string> = {}) =>
  mock
    .fetch(path, {
      method,
      headers: { authorization: 'Bearer wm_demo_master', 'content-type': 'application/json', ...headers },
      body: json === undefined ? null : JSON.stringify(json),
    })
    .catch(() => undefined)

beforeEach(() => {
  mock.reset()
})

describe('mock.explain()', () => {
  it('says that no request has reached the mock', () => {
    expect(mock.explain()).toBe('No request has reached the mock.')
  })

  it('names method, address, status, error, hint and fault of each request', async () => {
    mock.fault({ operation: 'getIdentity', status: 503, delayMs: 1 })
    mock.fault({ operation: 'listForms', network: true })
    await send('GET', '/task/tsk_label?a=b')
    await send('GET', '/me')
    await send('GET', '/forms')
    await send('POST', '/lists/lst_launch/tasks', { titel: 'x' })
    await send('GET', '/spaces')
    const [first = '', ...lines] = mock.explain().split('\n')
    expect(first).toBe('Requests:')
    const entry = (id: number) => {
      const start = lines.findIndex((line) => line.includes(`#${id} `))
      const end = lines.findIndex((line, index) => index > start && !line.startsWith('    '))
      return lines.slice(start, end === -1 ? undefined : end).map((line) => line.trim())
    }
    expect(entry(1)[0]).toBe('#1 GET /task/tsk_label?a=b 404, not an operation')
    expect(entry(1).join()).toMatch(/error: .*hint: did you mean GET \/tasks\/\{taskId\}/)
    expect(entry(2)[0]).toBe('#2 GET /me 503 (getIdentity)')
    expect(entry(2).at(-1)).toBe('triggered fault_1, which delayed it by 1 ms')
    expect(entry(3)).toEqual(['#3 GET /forms connection broken (listForms)', 'triggered fault_2'])
    expect(entry(4)[0]).toBe('#4 POST /lists/lst_launch/tasks 400 (createTask)')
    expect(entry(4).join()).toMatch(/error: title .*hint: titel is not a field .* did you mean title/)
    expect(entry(5)).toEqual(['#5 GET /spaces 200 (listSpaces)'])
  })

  it('names a line of the test after which a refused request succeeds', async () => {
    mock.lockTable('tbl_orders')
    const create = () => send('POST', '/datatables/tbl_orders/rows/bulk', { rows: [{ col_customer: 'A' }] })
    await create()
    expect(mock.explain()).toContain("remedy: mock.lockTable('tbl_orders', false)")
    mock.lockTable('tbl_orders', false)
    expect((await create())?.status).toBe(200)
    expect(mock.explain()).not.toContain('remedy')
  })

  it('names the sandbox in the line after which a request to it succeeds', async () => {
    const other = mock.sandbox('other')
    other.lockTable('tbl_orders')
    const rows = [{ col_customer: 'A' }]
    await send('POST', '/datatables/tbl_orders/rows/bulk', { rows }, { 'x-mock-sandbox': 'other' })
    expect(other.explain()).toContain("remedy: mock.sandbox('other').lockTable('tbl_orders', false)")
    mock.deleteSandbox('other')
    mock.reset()
  })

  it('names how many rows failed behind a 200', async () => {
    const rows = [{ col_customer: 'A' }, { none: 'B' }]
    await send('POST', '/datatables/tbl_orders/rows/bulk', { rows })
    expect(mock.explain()).toContain('1 of 2 rows failed')
  })

  it('shows the last ten requests', async () => {
    for (let request = 0; request < 12; request++) await send('GET', '/me')
    const text = mock.explain()
    expect(text).toContain('Requests (the last 10):')
    expect(text.match(/#\d+ GET/g)).toEqual(Array.from({ length: 10 }, (_, index) => `#${index + 3} GET`))
  })

  it('lists the faults that were never triggered, as they were set', async () => {
    mock.fault({ operation: 'getIdentity', status: 503, times: 2 })
    mock.fault({ operation: 'updateTask', match: { params: { taskId: 'tsk_none' } }, status: 500 })
    await send('GET', '/me')
    const [, ...parts] = mock.explain().split('\n\n')
    expect(parts).toHaveLength(1)
    expect(parts[0]).toMatch(/^Faults that were never triggered:\n  fault_2: mock\.fault\(\{/)
    expect(parts[0]).toContain(
      "mock.fault({ operation: 'updateTask', status: 500, match: { params: { taskId: 'tsk_none' } } })",
    )
    expect(parts[0]).not.toContain('fault_1')
  })

  it('lists the rules that were broken, and those that a clock which stood still left undecided', async () => {
    mock.fault({ operation: 'getIdentity', status: 429, retryAfter: 5 })
    await send('GET', '/me')
    await send('GET', '/me')
    await send('GET', '/lists/lst_launch/tasks?limit=1000')
    const text = mock.explain()
    expect(text).toMatch(
      /Rules for clients:\n  info time-not-judged: .*retry-after.* \(#1, #2\)\n  warning page-size: .* \(#3\)/,
    )
    expect(text).not.toContain('assumption')
  })

  it('says where requests arrived if none did in the state that it explains', async () => {
    await send('GET', '/nowhere', undefined, { 'x-mock-sandbox': 'one' })
    expect(mock.explain()).toBe('Requests: none in the main state; 1 in sandbox one.')
    await mock.boundary(async () => {
      for (let request = 0; request < 3; request++) await send('GET', '/me')
    })()
    expect(mock.explain()).toBe('Requests: none in the main state; 1 in sandbox one, 3 in boundaries.')
    expect(mock.boundary(() => mock.explain())()).toContain(
      'none in this boundary; 1 in sandbox one, 3 in boundaries',
    )
    await mock.explore(
      async ({ fetch, baseUrl }) => {
        await fetch(`${baseUrl}/me`)
      },
      {
        families: ['errors'],
      },
    )
    expect(mock.explain()).toMatch(/none in the main state; .* \d+ in explorations\.$/)
    await send('GET', '/me')
    expect(mock.explain()).toMatch(/^Requests \(plus 1 in sandbox one, plus 3 in boundaries, /)
    mock.deleteSandbox('one')
    expect(mock.explain()).toMatch(/^Requests \(plus 1 in deleted sandboxes, plus 3 in boundaries, /)
    mock.reset()
    expect(mock.explain()).toBe('No request has reached the mock.')
    await send('GET', '/me', undefined, { 'x-mock-sandbox': 'two' })
    mock.deleteSandbox('two')
    expect(mock.explain()).toBe('Requests: none in the main state; 1 in deleted sandboxes.')
    mock.reset()
  })

  it('counts requests that the journal does not keep', async () => {
    const small = [0, 1].map((journalSize) => createWorkspaceMock({ journalSize }))
    const [none, one] = small
    const get = (name?: string) =>
      Promise.all(
        small.map((each) =>
          each.fetch('/me', { headers: name === undefined ? {} : { 'x-mock-sandbox': name } }),
        ),
      )
    await get()
    await get()
    expect(none?.explain()).toMatch(
      /^Requests: 2 in the main state, which the journal does not keep \(journalSize is 0\)\.\n/,
    )
    expect(none?.explain()).not.toContain('()')
    expect(one?.explain()).toMatch(/^Requests \(the last 1\):\n {2}#2 GET \/me 401/)
    await get('one')
    expect(none?.explain()).toMatch(
      /^Requests: 2 in the main state, .* \(journalSize is 0\); 1 in sandbox one\.\n/,
    )
    expect(none?.sandbox('one').explain()).toMatch(/^Requests: 1 in sandbox one, .*; 2 in the main state\.$/)
    await none?.boundary(() => none.fetch('/me'))()
    expect(none?.explain()).toMatch(/; 1 in sandbox one, 1 in boundaries\.\n/)
    none?.clearRequests()
    expect(none?.explain()).toMatch(/^Requests: none in the main state since its journal was cleared; 1 in/)
    if (!none) return
    const server = await serve(none)
    await fetch(`${server.url}/v1/me`)
    expect(await (await fetch(`${server.url}/__mock/explain`)).text()).toMatch(
      /^Requests: 1 in the main state,/,
    )
    await server.close()
  })

  it('tells a rule once, however often and where it was broken', async () => {
    for (const limit of [300, 400]) await send('GET', `/lists/lst_launch/tasks?limit=${limit}`)
    await send('GET', '/datatables/tbl_orders/rows?limit=5000')
    expect(mock.explain().match(/page-size/g)).toHaveLength(1)
    expect(mock.explain()).toMatch(/warning page-size: .* \(#1, #2, #3\)$/)
  })

  it('is of a sandbox, and of the control API as plain text, too', async () => {
    await send('GET', '/nowhere', undefined, { 'x-mock-sandbox': 'one' })
    expect(mock.sandbox('one').explain()).toContain('#1 GET /nowhere 404')
    const server = await serve(mock)
    const response = await fetch(`${server.url}/__mock/explain`, { headers: { 'x-mock-sandbox': 'one' } })
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8')
    expect(await response.text()).toBe(mock.sandbox('one').explain())
    await server.close()
    mock.deleteSandbox('one')
  })
})
