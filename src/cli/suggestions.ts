// Suggestions in the greeting of `serve`: the keys of the mock, and calls that work with its data.
import type { ErrorBody } from '../contract/errors.ts'
import { operations } from '../contract/index.ts'
import { filledPath } from '../contract/operation.ts'
import type { OperationId } from '../contract/scopes.ts'
import type { TableOverview } from '../controls/inspect/inspect.ts'
import type { ApiResponse } from '../core/call.ts'
import type { WorkspaceMock } from '../mock.ts'

interface KeyNote {
  readonly key: string
  readonly name: string
  /** Its workspace and plan, or the error with which the API responds to it. */
  readonly note: string
}

/** Calls an operation of the mock with one of its keys. */
type Ask = (
  operation: OperationId,
  params?: Readonly<Record<string, string>>,
  body?: unknown,
) => Promise<ApiResponse>

/**
 * The calls go to a sandbox that is deleted afterwards. A boundary would make all later responses slower, since Node then
 * tracks every promise of the process.
 */
const sandbox = 'workspace-api-mock-greeting'

async function aside<T>(mock: WorkspaceMock, run: (askWith: (key: string) => Ask) => Promise<T>): Promise<T> {
  const askWith =
    (key: string): Ask =>
    (id, params = {}, body) => {
      const { method, path } = operations[id]
      const headers: Record<string, string> = {
        authorization: `Bearer ${key}`,
        'x-mock-sandbox': sandbox,
        'content-type': 'application/json',
      }
      return mock.handle({
        method,
        path: filledPath(path, (name) => params[name] ?? ''),
        query: '',
        baseUrl: mock.baseUrl,
        isInternal: true,
        header: (name) => headers[name] ?? null,
        body: body === undefined ? null : new TextEncoder().encode(JSON.stringify(body)),
      })
    }
  try {
    return await run(askWith)
  } finally {
    mock.deleteSandbox(sandbox)
  }
}

const workspaceOf = (mock: WorkspaceMock, key: string) =>
  mock.inspect.overview().workspaces.find(({ keys }) => keys.some(({ id }) => id === key))

/** Every key of the mock, with a note. */
export function describeKeys(mock: WorkspaceMock): Promise<KeyNote[]> {
  return aside(mock, (askWith) =>
    Promise.all(
      Object.entries(mock.keys).map(async ([name, key]) => {
        const { status, body } = await askWith(key)('getIdentity')
        if (status !== 200)
          return { key, name, note: `${String(status)}, ${(JSON.parse(String(body)) as ErrorBody).error}` }
        const { name: workspace = '', plan = '' } = workspaceOf(mock, key) ?? {}
        return { key, name, note: `${workspace}, plan ${plan}` }
      }),
    ),
  )
}

const curl = (key: string, rest: string) => `curl -H 'Authorization: Bearer ${key}' ${rest}`
const jsonCurl = (key: string, url: string, body: unknown) =>
  curl(key, `-H 'Content-Type: application/json' -d '${JSON.stringify(body)}' ${url}`)

/** Command lines that work with the mock's first key: the workspace, a page of rows, a job. */
export function suggestCalls(mock: WorkspaceMock, baseUrl: string): Promise<string[]> {
  const [key] = Object.values(mock.keys)
  if (key === undefined) return Promise.resolve([])
  return aside(mock, async (askWith) => {
    const ask = askWith(key)
    const isAllowed = (await ask('listDatatables')).status === 200
    const tables = isAllowed ? (workspaceOf(mock, key)?.tables ?? []) : []
    const [largest] = tables.toSorted((a, b) => b.row_count - a.row_count)
    const second = largest ? `'${baseUrl}/datatables/${largest.id}/rows?limit=3'` : `${baseUrl}/spaces`
    const third =
      (await importCall(ask, tables, key, baseUrl)) ?? jsonCurl(key, `${baseUrl}/spaces`, { name: 'Launch' })
    return [curl(key, `${baseUrl}/me`), curl(key, second), third]
  })
}

/** A job, or a row if the plan has no jobs, in the first table that accepts rows with one text. */
async function importCall(
  ask: Ask,
  tables: readonly TableOverview[],
  key: string,
  baseUrl: string,
): Promise<string | undefined> {
  for (const { id: tableId, columns } of tables) {
    const text = columns.find(({ type, readonly }) => type === 'text' && !readonly)
    if (!text) continue
    const data = { [text.id]: 'Hello' }
    const rows = { rows: [data, { [text.id]: 'World' }] }
    if ((await ask('submitInsertJob', { tableId }, rows)).status === 202)
      return jsonCurl(key, `${baseUrl}/datatables/${tableId}/jobs/insert`, rows)
    if ((await ask('createRow', { tableId }, { data })).status === 200)
      return jsonCurl(key, `${baseUrl}/datatables/${tableId}/rows`, { data })
  }
  return undefined
}
