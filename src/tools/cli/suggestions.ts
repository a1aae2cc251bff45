// The greeting of `serve`: the keys of the mock, and calls that work with its data.
import { isReadOnly } from '../../contract/datatables.ts'
import type { ErrorBody } from '../../contract/schema/error-body.ts'
import { operations } from '../../contract/index.ts'
import { fillPath } from '../../contract/operation.ts'
import type { OperationId } from '../../contract/scopes.ts'
import { toCurlCommand } from '../../contract/text/curl.ts'
import { createInternalCall, type InternalRequest } from '../../mock/requests/call.ts'
import { handlerOf } from '../../mock/internals.ts'
import type { WorkspaceMock } from '../../mock.ts'

function toRequest(operation: OperationId, tableId = '', query = '', body?: object): InternalRequest {
  const { method, path } = operations[operation]
  return { method, path: fillPath(path, () => tableId) + query, body }
}

function curlOf({ method, path, body: json }: InternalRequest, key: string, baseUrl: string): string {
  const headers: [string, string][] = [['Authorization', `Bearer ${key}`]]
  if (json !== undefined) headers.push(['Content-Type', 'application/json'])
  const body = json === undefined ? undefined : JSON.stringify(json)
  return toCurlCommand({ method, url: baseUrl + path, headers, body })
}

// The calls go to a sandbox that is deleted afterwards. A boundary would make Node track every later promise.
const sandbox = 'workspace-api-mock-greeting'

const send = (mock: WorkspaceMock, key: string, request: InternalRequest) =>
  handlerOf(mock).handle(createInternalCall(mock.baseUrl, key, request, sandbox))

const workspaceIdOf = ({ db }: WorkspaceMock, key: string) =>
  db.keys.findFirst((query) => query.where({ id: key }))?.workspace_id ?? ''

/** The workspace and plan of a key, or the error with which the API responds to it. */
async function describeKey(mock: WorkspaceMock, key: string): Promise<string> {
  const { status, body } = await send(mock, key, toRequest('getIdentity'))
  if (status !== 200) return `${String(status)}, ${(JSON.parse(String(body)) as ErrorBody).error}`
  const id = workspaceIdOf(mock, key)
  const { name = '', plan = '' } = mock.db.workspaces.findFirst((query) => query.where({ id })) ?? {}
  return `${name}, plan ${plan}`
}

/** Suggests two reads, and a job (a row if the plan has no jobs) in the first table that accepts it. */
async function suggestRequests(mock: WorkspaceMock, key: string): Promise<InternalRequest[]> {
  const isAccepted = async (request: InternalRequest) => (await send(mock, key, request)).status < 300
  const isAllowed = await isAccepted(toRequest('listDatatables'))
  const workspace_id = workspaceIdOf(mock, key)
  const tables = isAllowed ? mock.db.tables.findMany((query) => query.where({ workspace_id })) : []
  const writes = tables.flatMap(({ id, columns }) => {
    const text = columns.find((column) => column.type === 'text' && !isReadOnly(column))
    if (!text) return []
    const [data, other] = [{ [text.id]: 'Hello' }, { [text.id]: 'World' }]
    const job = toRequest('submitInsertJob', id, '', { rows: [data, other] })
    return [job, toRequest('createRow', id, '', { data })]
  })
  while (writes[0] && !(await isAccepted(writes[0]))) writes.shift()
  const write = writes[0] ?? toRequest('createSpace', '', '', { name: 'Launch' })
  const rowsOf = ({ id }: { readonly id: string }) => mock.db.rows(id).count()
  const [largest] = tables.toSorted((a, b) => rowsOf(b) - rowsOf(a))
  const read = largest ? toRequest('listRows', largest.id, '?limit=3') : toRequest('listSpaces')
  return [toRequest('getIdentity'), read, write]
}

export async function collectGreeting(mock: WorkspaceMock, baseUrl: string) {
  try {
    const noted = Object.entries(mock.keys).map(async ([name, key]) => {
      return { key, name, note: await describeKey(mock, key) }
    })
    const keys = await Promise.all(noted)
    const [first] = keys
    const requests = first ? await suggestRequests(mock, first.key) : []
    return { keys, calls: requests.map((request) => curlOf(request, first?.key ?? '', baseUrl)) }
  } finally {
    // Otherwise these requests would be counted among those of deleted sandboxes.
    mock.sandbox(sandbox).clearRequests()
    mock.deleteSandbox(sandbox)
  }
}
