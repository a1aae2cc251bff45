// The API client, as any app would write it; nothing in it knows about a mock.

export interface Identity {
  readonly workspace: { readonly id: string; readonly name: string; readonly plan: string }
  readonly members: readonly { readonly id: string; readonly name: string }[]
}
export interface Table {
  readonly id: string
  readonly name: string
  readonly row_count: number
}
export interface Option {
  readonly id: string
  readonly label: string
  readonly color: string
}
export interface Column {
  readonly id: string
  readonly name: string
  readonly type: string
  readonly options?: readonly Option[]
  readonly currency_code?: string
  readonly readonly: boolean
}
export interface Row {
  readonly id: string
  readonly data: Readonly<Record<string, unknown>>
}
export interface RowPage {
  readonly rows: readonly Row[]
  readonly total: number
}
export interface RowQuery {
  readonly page: number
  readonly limit: number
  readonly sort?: string
  /** Equality filters by column name. */
  readonly filters: Readonly<Record<string, string>>
}
export interface Job {
  readonly status: 'queued' | 'processing' | 'done' | 'failed'
  readonly error_message: string | null
  readonly metadata: { readonly row_count: number; readonly total: number; readonly progress: number }
}
export interface List {
  readonly id: string
  readonly name: string
  readonly space_name: string
}
export interface Status {
  readonly id: string
  readonly name: string
  readonly color: string
  readonly type: 'active' | 'done' | 'archived'
}
export interface Task {
  readonly id: string
  readonly title: string
  readonly status_id: string
  readonly priority: number
  readonly due_date: number | null
  readonly assignees: readonly { readonly id: string; readonly name: string }[]
}

class ApiError extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.name = 'ApiError'
    this.status = status
  }
}

/** Waits before each attempt; after the last attempt the client gives up. */
const backoffMs = [0, 1000, 2000, 4000, 8000] as const
const isRetryable = (status: number) => status === 429 || status === 500 || status === 503

export const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

const path = (...parts: readonly string[]) => parts.map((part) => `/${encodeURIComponent(part)}`).join('')

interface Sending {
  readonly query?: Readonly<Record<string, string>>
  readonly json?: unknown
}

async function messageOf(response: Response): Promise<string> {
  const body = (await response.json().catch(() => null)) as { readonly error?: string } | null
  return body?.error ?? `The service responded with ${String(response.status)}`
}

/** `pause` waits between two attempts, in milliseconds. */
export function createClient(baseUrl: string, key: string, pause = wait) {
  async function send<Result>(method: string, at: string, { query, json }: Sending = {}): Promise<Result> {
    const search = new URLSearchParams(query).toString()
    const request = {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(json === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    }
    for (let attempt = 1; ; attempt++) {
      const response = await fetch(`${baseUrl}${at}${search === '' ? '' : `?${search}`}`, request)
      if (response.ok) return (await response.json()) as Result
      const next = backoffMs[attempt]
      if (!isRetryable(response.status) || next === undefined)
        throw new ApiError(response.status, await messageOf(response))
      const retryAfter = response.headers.get('retry-after')
      await pause(retryAfter === null ? (backoffMs[attempt - 1] ?? 0) : Number(retryAfter) * 1000)
    }
  }
  return {
    identity: () => send<Identity>('GET', '/me'),
    tables: async () => (await send<{ datatables: Table[] }>('GET', '/datatables')).datatables,
    columns: async (table: string) =>
      (await send<{ columns: Column[] }>('GET', path('datatables', table, 'schema'))).columns,
    rows: (table: string, { page, limit, sort, filters }: RowQuery) =>
      send<RowPage>('GET', path('datatables', table, 'rows'), {
        query: {
          page: String(page),
          limit: String(limit),
          ...(sort === undefined ? {} : { sort }),
          ...filters,
        },
      }),
    insert: (table: string, rows: readonly object[]) =>
      send<{ count: number; errors?: readonly { index: number; error: string }[] }>(
        'POST',
        path('datatables', table, 'rows', 'bulk'),
        { json: { rows } },
      ),
    submitJob: async (table: string, rows: readonly object[]) =>
      (
        await send<{ job_id: string }>('POST', path('datatables', table, 'jobs', 'insert'), {
          json: { rows },
        })
      ).job_id,
    job: (job: string) => send<Job>('GET', path('jobs', job)),
    lists: async () => (await send<{ lists: List[] }>('GET', '/lists')).lists,
    statuses: async (list: string) =>
      (await send<{ statuses: Status[] }>('GET', path('lists', list, 'schema'))).statuses,
    tasks: async (list: string, status: string) =>
      (await send<{ tasks: Task[] }>('GET', path('lists', list, 'tasks'), { query: { status, limit: '50' } }))
        .tasks,
    moveTask: (task: string, status: string) =>
      send<unknown>('PATCH', path('tasks', task), { json: { status_id: status } }),
  }
}

export type Client = ReturnType<typeof createClient>
