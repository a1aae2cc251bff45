// The greeting of `serve`: the keys of the mock, and calls that work with its data.
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
  readonly method: string
  readonly path: string
  readonly query?: string
  /** JSON. */
  readonly body?: string
}

function suggest(
  operation: OperationId,
  tableId = '',
  sent: Omit<Suggestion, 'method' | 'path'> = {},
): Suggestion {
  const { method, path } = operations[operation]
  return { method, path: filledPath(path, () => tableId), ...sent }
}

/**
 * The calls go to a sandbox that is deleted afterwards. A boundary would make all later responses slower, since Node then
 * tracks every promise of the process.
 */
const sandbox = 'workspace-api-mock-greeting'

/** Sends a request to the mock with one of its keys. */
function ask(mock: WorkspaceMock, key: string, suggestion: Suggestion): Promise<ApiResponse> {
  const { method, path, query = '', body } = suggestion
  const headers: Record<string, string> = {
    authorization: `Bearer ${key}`,
    'x-mock-sandbox': sandbox,
    'content-type': 'application/json',
  }
  return mock.handle({
    method,
    path,
    query,
    baseUrl: mock.baseUrl,
    isInternal: true,
    header: (name) => headers[name] ?? null,
    body: body === undefined ? null : new TextEncoder().encode(body),
  })
}

const workspaceOf = (mock: WorkspaceMock, key: string) =>
  mock.inspect.overview().workspaces.find(({ keys }) => keys.some(({ id }) => id === key))

async function describeKey(mock: WorkspaceMock, name: string, key: string): Promise<KeyNote> {
  const { status, body } = await ask(mock, key, suggest('getIdentity'))
  if (status !== 200)
    return { key, name, note: `${String(status)}, ${(JSON.parse(String(body)) as ErrorBody).error}` }
  const { name: workspace = '', plan = '' } = workspaceOf(mock, key) ?? {}
  return { key, name, note: `${workspace}, plan ${plan}` }
}

/** A suggestion as a command line. */
function curlOf({ method, path, query, body }: Suggestion, key: string, baseUrl: string): string {
  const headers: [string, string][] = [['Authorization', `Bearer ${key}`]]
  if (body !== undefined) headers.push(['Content-Type', 'application/json'])
  return curlCommand({
    method,
    url: `${baseUrl}${path}${query === undefined ? '' : `?${query}`}`,
    headers,
    body,
  })
}

/** Every key of the mock, and command lines that work with the first: the workspace, a page of rows, a job. */
export async function greetingFacts(mock: WorkspaceMock, baseUrl: string) {
  try {
    const named = Object.entries(mock.keys)
    const keys = await Promise.all(named.map(([name, key]) => describeKey(mock, name, key)))
    const [, first] = named[0] ?? []
    const suggestions = first === undefined ? [] : await suggestionsFor(mock, first)
    return { keys, calls: suggestions.map((suggestion) => curlOf(suggestion, first ?? '', baseUrl)) }
  } finally {
    mock.deleteSandbox(sandbox)
  }
}

async function suggestionsFor(mock: WorkspaceMock, key: string): Promise<Suggestion[]> {
  const isAllowed = (await ask(mock, key, suggest('listDatatables'))).status === 200
  const tables = isAllowed ? (workspaceOf(mock, key)?.tables ?? []) : []
  const [largest] = tables.toSorted((a, b) => b.row_count - a.row_count)
  return [
    suggest('getIdentity'),
    largest ? suggest('listRows', largest.id, { query: 'limit=3' }) : suggest('listSpaces'),
    (await newRows(mock, key, tables)) ?? suggest('createSpace', '', { body: '{"name":"Launch"}' }),
  ]
}

/** A job, or a row if the plan has no jobs, in the first table that accepts rows with one text. */
async function newRows(
  mock: WorkspaceMock,
  key: string,
  tables: readonly TableOverview[],
): Promise<Suggestion | undefined> {
  for (const { id, columns } of tables) {
    const text = columns.find(({ type, readonly }) => type === 'text' && !readonly)
    if (!text) continue
    const data = { [text.id]: 'Hello' }
    const rows = [data, { [text.id]: 'World' }]
    const job = suggest('submitInsertJob', id, { body: JSON.stringify({ rows }) })
    if ((await ask(mock, key, job)).status === 202) return job
    const row = suggest('createRow', id, { body: JSON.stringify({ data }) })
    if ((await ask(mock, key, row)).status === 200) return row
  }
  return undefined
}
