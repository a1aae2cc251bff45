// API clients for explorations: a careful one, and parts of careless ones.
import { consoleControlsOf } from '../../../src/adapters/control-api/console-controls.ts'
import type { ExploreContext, WorkspaceMock } from 'workspace-api-mock'

type Context = Pick<ExploreContext<WorkspaceMock>, 'baseUrl' | 'key' | 'fetch' | 'sleep'>

export interface ApiTask {
  readonly id: string
  readonly title: string
}

class ApiFailure extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** Retries as the contract says: at once, then after 1, 2, 4 and 8 s; Retry-After takes precedence. */
export class Client {
  readonly #context: Context
  /** Called before repeating a request whose response was lost; returns what the request created, if it was carried out. */
  readonly #isLookedUp: boolean

  constructor(context: Context, isLookedUp = true) {
    this.#context = context
    this.#isLookedUp = isLookedUp
  }

  async #send(method: string, path: string, body?: unknown): Promise<any> {
    const { baseUrl, key, fetch } = this.#context
    const response = await fetch(baseUrl + path, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const json = await response.json()
    if (response.ok) return json
    const failure = new ApiFailure(response.status, json.error)
    throw Object.assign(failure, { retryAfter: Number(response.headers.get('retry-after') ?? 0) })
  }

  async request(method: string, path: string, body?: unknown, find?: () => Promise<unknown>): Promise<any> {
    const waits = [0, 1000, 2000, 4000, 8000]
    let failures = 0
    for (;;) {
      try {
        return await this.#send(method, path, body)
      } catch (error) {
        const { status, retryAfter } = error as { status?: number; retryAfter?: number }
        const isTransient = status === undefined || status === 429 || status >= 500
        const waitMs = status === 429 ? (retryAfter ?? 0) * 1000 : waits[failures]
        if (status !== 429) failures += 1
        if (!isTransient || waitMs === undefined) throw error
        if (waitMs > 0) await this.#context.sleep(waitMs)
        if (status === undefined && find && this.#isLookedUp) {
          const found = await find()
          if (found !== undefined) return found
        }
      }
    }
  }

  lists = async (): Promise<{ id: string; name: string }[]> => (await this.request('GET', '/lists')).lists

  tasks = async (list: string): Promise<ApiTask[]> =>
    (await this.request('GET', `/lists/${list}/tasks?limit=200`)).tasks

  task = (list: string, title: string, more: object = {}): Promise<{ id: string }> =>
    this.request('POST', `/lists/${list}/tasks`, { title, ...more }, async () =>
      (await this.tasks(list)).find((task) => task.title === title),
    )

  comment = (task: string, content: string): Promise<{ id: string }> =>
    this.request('POST', `/tasks/${task}/comments`, { content }, async () =>
      (await this.request('GET', `/tasks/${task}/comments`)).comments.find(
        (comment: { content: string }) => comment.content === content,
      ),
    )

  update = (task: string, patch: object): Promise<unknown> => this.request('PATCH', `/tasks/${task}`, patch)
}

export type Api = (method: string, path: string, body?: unknown) => Promise<any>

/** Sends requests, and throws if one gets an error response. */
export const apiOf =
  ({ baseUrl, key, fetch }: Omit<Context, 'sleep'>): Api =>
  async (method, path, body) => {
    const response = await fetch(baseUrl + path, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}`)
    return response.json()
  }

export const listOf = (mock: WorkspaceMock) =>
  consoleControlsOf(mock).inspect.overview().workspaces[0]!.lists[0]!.id
