// Suggestions in the greeting of `serve`: the keys of the mock, and calls that work with its data.
import type { ErrorBody } from '../contract/schema/error-body.ts'
import { operations } from '../contract/index.ts'
import { filledPath } from '../contract/operation.ts'
import type { OperationId } from '../contract/scopes.ts'
import { curlCommand } from '../contract/text/curl.ts'
import type { TableOverview } from '../controls/inspect/inspect.ts'
import type { ApiResponse } from '../core/call.ts'
import type { WorkspaceMock } from '../mock.ts'

interface KeyNote {
  readonly key: string
  readonly name: string
  /** Its workspace and plan, or the error with which the API responds to it. */
  readonly note: string
}

/** A request that is sent to the mock, and suggested if it succeeds. */
interface Suggestion {
  readonly operation: OperationId
  readonly params?: Readonly<Record<string, string>>
  readonly query?: string
  readonly body?: unknown
}

/** Sends a request to the mock with one of its keys. */
type Ask = (suggestion: Suggestion) => Promise<ApiResponse>

const pathOf = ({ operation, params = {} }: Suggestion) =>
  filledPath(operations[operation].path, (name) => params[name] ?? '')

/**
 * The calls go to a sandbox that is deleted afterwards. A boundary would make all later responses slower, since Node then
 * tracks every promise of the process.
 */
const sandbox = 'workspace-api-mock-greeting'

async function inSandbox<T>(
  mock: WorkspaceMock,
  run: (askWith: (key: string) => Ask) => Promise<T>,
): Promise<T> {
  const askWith =
    (key: string): Ask =>
    (suggestion) => {
      const headers: Record<string, string> = {
        authorization: `Bearer ${key}`,
        'x-mock-sandbox': sandbox,
        'content-type': 'application/json',
      }
      return mock.handle({
        method: operations[suggestion.operation].method,
        path: pathOf(suggestion),
        query: '',
        baseUrl: mock.baseUrl,
        isInternal: true,
        header: (name) => headers[name] ?? null,
        body:
          suggestion.body === undefined ? null : new TextEncoder().encode(JSON.stringify(suggestion.body)),
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
  return inSandbox(mock, (askWith) =>
    Promise.all(
      Object.entries(mock.keys).map(async ([name, key]) => {
        const { status, body } = await askWith(key)({ operation: 'getIdentity' })
        if (status !== 200)
          return { key, name, note: `${String(status)}, ${(JSON.parse(String(body)) as ErrorBody).error}` }
        const { name: workspace = '', plan = '' } = workspaceOf(mock, key) ?? {}
        return { key, name, note: `${workspace}, plan ${plan}` }
      }),
    ),
  )
}

/** A suggestion as a command line. */
function curlOf(suggestion: Suggestion, key: string, baseUrl: string): string {
  const { query, body } = suggestion
  const headers: [string, string][] = [['Authorization', `Bearer ${key}`]]
  if (body !== undefined) headers.push(['Content-Type', 'application/json'])
  const url = `${baseUrl}${pathOf(suggestion)}${query === undefined ? '' : `?${query}`}`
  const { method } = operations[suggestion.operation]
  return curlCommand({ method, url, headers, body: body === undefined ? body : JSON.stringify(body) })
}

/** Command lines that work with the mock's first key: the workspace, a page of rows, a job. */
export async function suggestCalls(mock: WorkspaceMock, baseUrl: string): Promise<string[]> {
  const [key] = Object.values(mock.keys)
  if (key === undefined) return []
  const suggestions = await inSandbox(mock, (askWith) => suggestionsFor(mock, key, askWith(key)))
  return suggestions.map((suggestion) => curlOf(suggestion, key, baseUrl))
}

async function suggestionsFor(mock: WorkspaceMock, key: string, ask: Ask): Promise<Suggestion[]> {
  const isAllowed = (await ask({ operation: 'listDatatables' })).status === 200
  const tables = isAllowed ? (workspaceOf(mock, key)?.tables ?? []) : []
  const [largest] = tables.toSorted((a, b) => b.row_count - a.row_count)
  return [
    { operation: 'getIdentity' },
    largest
      ? { operation: 'listRows', params: { tableId: largest.id }, query: 'limit=3' }
      : { operation: 'listSpaces' },
    (await newRows(ask, tables)) ?? { operation: 'createSpace', body: { name: 'Launch' } },
  ]
}

/** A job, or a row if the plan has no jobs, in the first table that accepts rows with one text. */
async function newRows(ask: Ask, tables: readonly TableOverview[]): Promise<Suggestion | undefined> {
  for (const { id: tableId, columns } of tables) {
    const text = columns.find(({ type, readonly }) => type === 'text' && !readonly)
    if (!text) continue
    const params = { tableId }
    const data = { [text.id]: 'Hello' }
    const rows = [data, { [text.id]: 'World' }]
    const job: Suggestion = { operation: 'submitInsertJob', params, body: { rows } }
    if ((await ask(job)).status === 202) return job
    const row: Suggestion = { operation: 'createRow', params, body: { data } }
    if ((await ask(row)).status === 200) return row
  }
  return undefined
}
