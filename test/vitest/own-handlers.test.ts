// Handlers that a test puts in front of its mock, and rules that a test excludes from its report.
import axios from 'axios'
import { http, HttpResponse } from 'msw'
import { describe, expect } from 'vitest'
import { test } from 'workspace-api-mock/vitest'

const address = 'https://api.workspace.test/v1'
const teapot = () => http.get(`${address}/me`, () => HttpResponse.json({ error: 'own' }, { status: 418 }))
const statusOf = async (path = '/me') => (await fetch(`${address}${path}`)).status

describe('use', () => {
  test('answers in place of the mock, until the test ends', async ({ mock, use, call }) => {
    use(teapot())
    expect(await statusOf()).toBe(418)
    expect((await call('getIdentity')).status).toBe(418)
    await expect(axios.get(`${address}/me`)).rejects.toMatchObject({ status: 418 })
    expect((await mock.fetch('/me')).status).toBe(401)
    expect(await statusOf('/spaces')).toBe(401)
  })

  test('leaves nothing to the next test', async () => {
    expect(await statusOf()).toBe(401)
  })

  test.concurrent.for([200, 299])('answers %i in its own test alone', async (status, { use, expect }) => {
    use(http.get(`${address}/me`, () => new HttpResponse(null, { status })))
    await new Promise((resolve) => setTimeout(resolve, 5))
    expect(await statusOf()).toBe(status)
  })

  test('tries the latest handler first, and one with once only once', async ({ use }) => {
    use(teapot())
    const respond = (status: number) => () => new HttpResponse(null, { status })
    use(
      http.get(`${address}/me`, respond(501), { once: true }),
      http.get(`${address}/me`, respond(502), { once: true }),
    )
    expect([await statusOf(), await statusOf(), await statusOf()]).toEqual([501, 502, 418])
  })

  test('leaves a request to the mock when no handler responds, which can change its response', async ({
    mock,
    use,
  }) => {
    const headers = { authorization: `Bearer ${mock.keys.master}` }
    use(http.all(`${address}/*`, () => undefined))
    expect((await fetch(`${address}/me`, { headers })).status).toBe(200)
    use(
      http.get(`${address}/me`, async ({ request }) => {
        const body = (await (await mock.fetch(request)).json()) as object
        return HttpResponse.json({ ...body, own: true })
      }),
    )
    expect(await (await fetch(`${address}/me`, { headers })).json()).toMatchObject({
      own: true,
      workspace: { plan: 'pro' },
    })
    expect(mock).toHaveRequested('getIdentity', { times: 2, status: 200 })
  })

  test('breaks the connection as HttpResponse.error() does', async ({ use, call }) => {
    use(http.get(`${address}/me`, () => HttpResponse.error()))
    await expect(fetch(`${address}/me`)).rejects.toThrow(TypeError)
    await expect(call('getIdentity')).rejects.toThrow(TypeError)
  })

  test('is named by explain()', async ({ mock, use }) => {
    expect(mock.explain()).toBe('No request has reached the mock.')
    use(teapot())
    await statusOf()
    expect(mock.explain()).toBe(
      `No request has reached the mock: handlers in front of it responded.\n\nRequests handled in front of the mock:\n  GET ${address}/me 418`,
    )
    await statusOf('/spaces')
    expect(mock.explain()).toMatch(
      /#1 GET \/spaces 401[^]*Requests handled in front of the mock:\n {2}GET .*418/,
    )
    mock.reset()
    expect(mock.explain()).toBe('No request has reached the mock.')
  })

  test('takes handlers of MSW alone', ({ use }) => {
    expect(() => use('GET /me' as never)).toThrow(
      'use takes MSW handlers, such as http.get(…); received "GET /me"',
    )
  })
})

describe('except', () => {
  const job = { params: { tableId: 'tbl_cuppings' }, body: { rows: [{ col_sample: 'Guji' }] } }
  const strict = test.extend({ strict: { except: ['job-for-bulk'] } as const })

  strict('leaves a rule out of strict and of toHaveCleanReport', async ({ mock, call }) => {
    await call('submitInsertJob', job)
    expect(mock).toHaveCleanReport({ except: ['job-for-bulk'] })
    expect(mock).toHaveCleanReport({ except: ['backoff', 'job-for-bulk'] })
    expect(() => expect(mock).toHaveCleanReport({ except: ['backoff'] })).toThrow(
      'A job of 1 row was submitted to tbl_cuppings',
    )
    expect(() => expect(mock).toHaveCleanReport()).toThrow('job-for-bulk')
  })

  test('refuses what is not a rule', ({ mock }) => {
    const check = (expected: unknown) => () => expect(mock).toHaveCleanReport(expected as never)
    expect(check({ except: ['job-for-bulks'] })).toThrow(
      'except must list rules of the report; received "job-for-bulks", the nearest is job-for-bulk',
    )
    expect(check({ except: 'job-for-bulk' })).toThrow(
      'except must be an array of rules; received "job-for-bulk"',
    )
    expect(check({ excpt: [] })).toThrow('has unknown fields: excpt')
  })
})
