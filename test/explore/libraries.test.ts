// Clients on common libraries, configured as their documentation recommends: explore accepts the careful ones.
import { MutationObserver, QueryClient } from '@tanstack/query-core'
import axios from 'axios'
import axiosRetry from 'axios-retry'
import got from 'got'
import ky from 'ky'
import { setupServer } from 'msw/node'
import { ofetch } from 'ofetch'
import createClient from 'openapi-fetch'
import pRetry from 'p-retry'
import { Agent, interceptors, request } from 'undici'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { createWorkspaceMock, type ExploreContext, type WorkspaceMock } from 'workspace-api-mock'
import { serve, type RunningServer } from 'workspace-api-mock/node'
import 'workspace-api-mock/vitest'

type Context = ExploreContext<WorkspaceMock>

/** What the clients below need from a library. Reads are retried, writes are sent once. */
interface Http {
  get(path: string): Promise<any>
  post(path: string, body: object): Promise<unknown>
  /** The response of an error; undefined if the connection broke. */
  responseOf(error: any): { readonly status: number; readonly retryAfter: unknown } | undefined
}

const mock = createWorkspaceMock()
const worker = setupServer(...mock.handlers)
let running: RunningServer
beforeAll(async () => {
  worker.listen(mock.listenOptions)
  running = await serve(mock)
})
afterAll(async () => {
  worker.close()
  await running.close()
})
beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const retries = 5
const transient = [429, 500, 503]
const isTransient = (status: number | undefined) => status === undefined || transient.includes(status)
/** In milliseconds, before a retry: the first is number 1. */
const waitMs = (retry: number, retryAfter?: unknown) =>
  retryAfter ? Number(retryAfter) * 1000 : 500 * 2 ** retry
const wait = (ms: number) => new Promise<void>((resolve) => void setTimeout(resolve, ms))

const tasks = '/lists/lst_production/tasks'
const pageSize = 5

async function isThere({ get }: Http): Promise<boolean> {
  for (let offset = 0; ; offset += pageSize) {
    const { tasks: page } = await get(`${tasks}?limit=${pageSize}&offset=${offset}`)
    if (page.some(({ title }: { title: string }) => title === 'Cupping')) return true
    if (page.length < pageSize) return false
  }
}

/** Creates a missing task, and looks for it before each retry. */
async function addMissing(http: Http): Promise<void> {
  for (let retry = 0; !(await isThere(http)); retry++)
    try {
      await http.post(tasks, { title: 'Cupping' })
      return
    } catch (error) {
      const response = http.responseOf(error)
      if (!isTransient(response?.status) || retry === retries) throw error
      await wait(waitMs(retry + 1, response?.retryAfter))
    }
}

/** Creates a missing task, looking for it only once. */
async function addAnyhow(http: Http): Promise<void> {
  if (!(await isThere(http))) await http.post(tasks, { title: 'Cupping' })
}

/** An error with the response, for libraries that throw none. */
class Failure extends Error {
  readonly response: Response

  constructor(response: Response) {
    super(`answered ${response.status}`)
    this.response = response
  }
}
const orThrow = (response: Response): Promise<any> => {
  if (!response.ok) throw new Failure(response)
  return response.json()
}
const responseOf: Http['responseOf'] = ({ response }) =>
  response && { status: response.status, retryAfter: response.headers.get('retry-after') }
const statusOf = (error: unknown) => responseOf(error)?.status
const retryAfterOf = (error: unknown) => responseOf(error)?.retryAfter

const authorized = ({ key }: Context) => ({ authorization: `Bearer ${key}` })
const plain = (context: Context) => (path: string, body?: object) =>
  fetch(context.baseUrl + path, {
    headers: { ...authorized(context), 'content-type': 'application/json' },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  }).then(orThrow)

const careful: Record<string, (context: Context) => Http> = {
  'p-retry': (context) => {
    const send = plain(context)
    const get = (path: string) =>
      pRetry(() => send(path), {
        retries,
        shouldRetry: ({ error }) => isTransient(statusOf(error)),
        onFailedAttempt: async ({ error }) => {
          const retryAfter = retryAfterOf(error)
          if (retryAfter) await wait(Number(retryAfter) * 1000)
        },
      })
    return { get, post: send, responseOf }
  },
  'TanStack Query': (context) => {
    const send = plain(context)
    const retry = (count: number, error: unknown) => count < retries && isTransient(statusOf(error))
    const retryDelay = (count: number, error: unknown) => waitMs(count + 1, retryAfterOf(error))
    const client = new QueryClient({ defaultOptions: { queries: { retry, retryDelay, gcTime: 0 } } })
    return {
      get: (path) => client.query({ queryKey: [path], queryFn: () => send(path) }),
      post: (path, body) =>
        new MutationObserver(client, { mutationFn: () => send(path, body), gcTime: 0 }).mutate(),
      responseOf,
    }
  },
  ky: (context) => {
    const api = ky.create({
      headers: authorized(context),
      retry: { limit: retries, statusCodes: transient, delay: (count) => waitMs(count) },
    })
    return {
      get: (path) => api.get(context.baseUrl + path).json(),
      post: (path, json) => api.post(context.baseUrl + path, { json }).json(),
      responseOf,
    }
  },
  ofetch: (context) => {
    const api = ofetch.create({
      baseURL: context.baseUrl,
      headers: authorized(context),
      retryStatusCodes: transient,
      retryDelay: ({ response, options }) =>
        waitMs(retries + 1 - Number(options.retry), response?.headers.get('retry-after')),
    })
    return {
      get: (path) => api(path, { retry: retries }),
      post: (path, body) => api(path, { method: 'POST', body }),
      responseOf,
    }
  },
  got: (context) => {
    const api = got.extend({
      headers: authorized(context),
      retry: {
        limit: retries,
        statusCodes: transient,
        calculateDelay: ({ computedValue, attemptCount, retryAfter }) =>
          computedValue && (retryAfter ?? waitMs(attemptCount)),
      },
    })
    return {
      get: (path) => api.get(context.baseUrl + path).json(),
      post: (path, json) => api.post(context.baseUrl + path, { json }).json(),
      responseOf: ({ response }) =>
        response && { status: response.statusCode, retryAfter: response.headers['retry-after'] },
    }
  },
  'axios with axios-retry': (context) => {
    const api = axios.create({ baseURL: context.baseUrl, headers: authorized(context) })
    axiosRetry(api, {
      retries,
      retryCondition: (error) =>
        axiosRetry.isSafeRequestError(error) || (error.config?.method === 'get' && isTransient(error.status)),
      retryDelay: (count, error) => waitMs(count, error.response?.headers['retry-after']),
    })
    return {
      get: (path) => api.get(path).then(({ data }) => data),
      post: (path, body) => api.post(path, body),
      responseOf: ({ response }) =>
        response && { status: response.status, retryAfter: response.headers['retry-after'] },
    }
  },
  'openapi-fetch': (context) => {
    const api = createClient<any>({ baseUrl: context.baseUrl, headers: authorized(context) })
    const orFailure = ({ data, response }: { data?: unknown; response: Response }) => {
      if (!response.ok) throw new Failure(response)
      return data
    }
    const get = async (path: string): Promise<any> => {
      for (let retry = 1; ; retry++)
        try {
          return orFailure(await api.GET(path, {}))
        } catch (error) {
          if (!isTransient(statusOf(error)) || retry > retries) throw error
          await wait(waitMs(retry, retryAfterOf(error)))
        }
    }
    return { get, post: async (path, body) => orFailure(await api.POST(path, { body })), responseOf }
  },
  undici: (context) => {
    const retry = interceptors.retry({
      maxRetries: retries,
      minTimeout: 1000,
      timeoutFactor: 2,
      methods: ['GET'],
      statusCodes: transient,
      errorCodes: ['UND_ERR_SOCKET', 'ECONNRESET'],
    })
    const dispatcher = new Agent().compose(retry, interceptors.responseError())
    // Its sockets are not intercepted, so it needs a server.
    const send = async (path: string, body?: object): Promise<any> => {
      const { body: json } = await request(`${running.url}/v1${path}`, {
        dispatcher,
        headers: { ...authorized(context), 'content-type': 'application/json' },
        ...(body && { method: 'POST', body: JSON.stringify(body) }),
      })
      return json.json()
    }
    return {
      get: send,
      post: send,
      responseOf: ({ statusCode, headers }) =>
        statusCode && { status: statusCode, retryAfter: headers['retry-after'] },
    }
  },
}

/** Settings that retry writes too, as in tutorials. */
const careless: Record<string, (context: Context) => Http> = {
  'p-retry': (context) => {
    const send = plain(context)
    const often = (path: string, body?: object) => pRetry(() => send(path, body), { retries })
    return { get: often, post: often, responseOf }
  },
  ky: (context) => {
    const api = ky.create({
      headers: authorized(context),
      retry: { limit: retries, methods: ['get', 'post'], delay: (count) => waitMs(count) },
    })
    return {
      get: (path) => api.get(context.baseUrl + path).json(),
      post: (path, json) => api.post(context.baseUrl + path, { json }).json(),
      responseOf,
    }
  },
}

describe('explore finds nothing in a careful client', () => {
  test.for(Object.entries(careful))('on %s', async ([, httpOf]) => {
    const result = await mock.explore((context) => addMissing(httpOf(context)), { families: 'all' })
    expect(result).toHaveNoFindings()
    expect(result.covered.tried).toBe(result.covered.possible)
    expect(result.notes).toEqual([])
  })
})

test.for(Object.entries(careless))('explore finds what a client makes twice, on %s', async ([, httpOf]) => {
  const { findings } = await mock.explore((context) => addAnyhow(httpOf(context)), { families: 'all' })
  expect(findings).toContainEqual(expect.objectContaining({ severity: 'error', cause: 'state task twice' }))
})
