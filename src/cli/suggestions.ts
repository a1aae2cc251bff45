// Suggestions for a new user: the keys of the mock and calls that work with its data.
import { filledPath } from '../contract/operation.ts'
import type { OperationId } from '../contract/scopes.ts'
import { operations } from '../contract/index.ts'
import type { Call } from '../core/call.ts'
import type { WorkspaceMock } from '../mock.ts'

interface KeyNote {
  readonly key: string
  readonly name: string
  /** Its workspace and plan, or how it is refused. */
  readonly note: string
}

interface Reply {
  readonly status: number
  readonly json: unknown
}

type Ask = (
  operation: OperationId,
  params?: Readonly<Record<string, string>>,
  body?: unknown,
) => Promise<Reply>

/**
 * The calls go to a sandbox that is deleted afterwards. A boundary would do too, but from the first one on Node follows
 * every promise of the process, which makes each response slower.
 */
const sandbox = 'workspace-api-mock-greeting'

async function aside<T>(mock: WorkspaceMock, run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } finally {
    mock.deleteSandbox(sandbox)
  }
}

/** Asks the mock's own API. */
function askerWith(mock: WorkspaceMock, key: string): Ask {
  return async (id, params = {}, body) => {
    const { method, path } = operations[id]
    const headers: Record<string, string> = {
      authorization: `Bearer ${key}`,
      'x-mock-sandbox': sandbox,
      'content-type': 'application/json',
    }
    const call: Call = {
      method,
      path: filledPath(path, (name) => params[name] ?? ''),
      query: '',
      baseUrl: mock.baseUrl,
      isInternal: true,
      header: (name) => headers[name] ?? null,
      body: body === undefined ? null : new TextEncoder().encode(JSON.stringify(body)),
    }
    const response = await mock.handle(call)
    return {
      status: response.status,
      json: typeof response.body === 'string' ? JSON.parse(response.body) : null,
    }
  }
}

/** Part of a JSON value: `at(value, 'rows', 0, 'id')`; undefined if absent. */
function at(value: unknown, ...path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>(
    (inner, part) =>
      typeof inner === 'object' && inner !== null
        ? (inner as Record<string | number, unknown>)[part]
        : undefined,
    value,
  )
}

function textAt(value: unknown, ...path: readonly (string | number)[]): string {
  const text = at(value, ...path)
  return typeof text === 'string' ? text : ''
}

const itemsAt = (value: unknown, name: string): readonly unknown[] => {
  const items = at(value, name)
  return Array.isArray(items) ? items : []
}

/** Every key with the workspace it opens, or how it is refused. */
export function describeKeys(mock: WorkspaceMock): Promise<KeyNote[]> {
  const describe = async ([name, key]: readonly [string, string]): Promise<KeyNote> => {
    const { status, json } = await askerWith(mock, key)('getIdentity')
    const note =
      status === 200
        ? `${textAt(json, 'workspace', 'name')}, plan ${textAt(json, 'workspace', 'plan')}`
        : `${String(status)}, ${textAt(json, 'error')}`
    return { key, name, note }
  }
  return aside(mock, () => Promise.all(Object.entries(mock.keys).map(describe)))
}

const curl = (key: string, rest: string) => `curl -H 'Authorization: Bearer ${key}' ${rest}`
const jsonCurl = (key: string, url: string, body: unknown) =>
  curl(key, `-H 'Content-Type: application/json' -d '${JSON.stringify(body)}' ${url}`)

/** Command lines to try with the mock's first key: the workspace, a page of rows, a job; each has been tried. */
export function suggestCalls(mock: WorkspaceMock, baseUrl: string): Promise<string[]> {
  const [key] = Object.values(mock.keys)
  if (key === undefined) return Promise.resolve([])
  return aside(mock, async () => {
    const ask = askerWith(mock, key)
    const tables = itemsAt((await ask('listDatatables')).json, 'datatables')
    const largest = [...tables].sort((a, b) => Number(at(b, 'row_count')) - Number(at(a, 'row_count')))[0]
    const second = largest
      ? `'${baseUrl}/datatables/${textAt(largest, 'id')}/rows?limit=3'`
      : `${baseUrl}/spaces`
    const third =
      (await importCall(ask, tables, key, baseUrl)) ?? jsonCurl(key, `${baseUrl}/spaces`, { name: 'Launch' })
    return [curl(key, `${baseUrl}/me`), curl(key, second), third]
  })
}

/** A job, or a row where the plan has no jobs, in the first table that takes one with a text alone. */
async function importCall(
  ask: Ask,
  tables: readonly unknown[],
  key: string,
  baseUrl: string,
): Promise<string | undefined> {
  for (const table of tables) {
    const tableId = textAt(table, 'id')
    const columns = itemsAt((await ask('getDatatableSchema', { tableId })).json, 'columns')
    const text = columns.find((column) => at(column, 'type') === 'text' && at(column, 'readonly') !== true)
    if (!text) continue
    const data = { [textAt(text, 'id')]: 'Hello' }
    const rows = { rows: [data, { [textAt(text, 'id')]: 'World' }] }
    if ((await ask('submitInsertJob', { tableId }, rows)).status === 202)
      return jsonCurl(key, `${baseUrl}/datatables/${tableId}/jobs/insert`, rows)
    if ((await ask('createRow', { tableId }, { data })).status === 200)
      return jsonCurl(key, `${baseUrl}/datatables/${tableId}/rows`, { data })
  }
  return undefined
}
