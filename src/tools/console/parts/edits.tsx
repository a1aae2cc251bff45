// Edits of records: each is an API request with the master key of the record's workspace, marked as the console's.
import type { JournalEntry } from '../../../mock/journal/entry.ts'
import { isObject } from '../../../contract/data/objects.ts'
import { RequestChips } from './blocks.tsx'
import { type ActOptions, type Console, type ScopedRun, useConsole, useWorkspace } from './context.ts'

export interface ApiRequest {
  readonly method: string
  /** Relative to the base URL, including the query. */
  readonly path: string
  readonly body?: unknown
}

interface Sent {
  /** Null if a fault broke the connection. */
  readonly response: Response | null
  /** Its number in the journal; undefined if the journal keeps no requests. */
  readonly id: number | undefined
}

/**
 * Sends a request to the API, and finds it in the journal.
 * @param send sends as the console by default
 * @throws {TypeError} if it did not reach the mock
 */
export async function sendToApi(
  { source, sandbox, controls }: Pick<Console, 'source' | 'sandbox' | 'controls'>,
  path: string,
  { headers, ...init }: RequestInit & { readonly headers: Headers },
  send = source.send,
): Promise<Sent> {
  if (sandbox !== null) headers.set('x-mock-sandbox', sandbox)
  const request = new Request(source.baseUrl + path, { ...init, headers })
  const readRows = () => controls.console.journals({ of: sandbox ?? '', limit: 20 })
  const before = (await readRows()).at(-1)?.id ?? 0
  let failure: unknown
  const response = await send(request).catch((error: unknown) => {
    failure = error
    return null
  })
  const sent = (await readRows()).findLast(
    ({ id, console: isOwn }) => id > before && isOwn === (send === source.send || undefined),
  )
  // A broken connection is also a result; a request that never arrived is not.
  if (!sent && response === null) throw failure
  return { response, id: sent?.id }
}

interface WrittenField {
  /** `data` or `custom_data`; undefined for a field of the record itself. */
  readonly group: string | undefined
  readonly name: string
  readonly before: unknown
  readonly after: unknown
}

/** The change to the edited record; a deletion can change other records as well. */
const changeOfRecord = ({ changes, params: { rowId, taskId } }: JournalEntry) =>
  changes.find(({ id, change }) => id === (rowId ?? taskId) || change === 'created') ?? changes[0]

/** The fields that the request wrote and changed, excluding those that the API sets itself. */
function listWrittenFields(entry: JournalEntry): readonly WrittenField[] {
  const { requestBody } = entry
  const sent = requestBody && 'json' in requestBody ? requestBody.json : undefined
  const isSent = (name: string, within: unknown) => isObject(within) && Object.hasOwn(within, name)
  return (changeOfRecord(entry)?.fields ?? []).flatMap(({ field, before = null, after = null }) => {
    const [, group, name = field] = /^(data|custom_data)\.(.*)$/s.exec(field) ?? []
    const within = group !== undefined && isObject(sent) ? sent[group] : sent
    return isSent(name, within) ? [{ group, name, before, after }] : []
  })
}

/** The request that undoes an edit by restoring the previous values. Null if the journal does not hold them. */
function toInverse(entry: JournalEntry): ApiRequest | null {
  const { operation, path, params } = entry
  const { id = '', fields } = changeOfRecord(entry) ?? {}
  if (operation === 'createRow' || operation === 'createTask') {
    const base = operation === 'createRow' ? path : '/tasks'
    return { method: 'DELETE', path: `${base}/${encodeURIComponent(id)}` }
  }
  if (!fields) return null
  if (operation === 'deleteRow') {
    const data = fields.flatMap(({ field, before }) =>
      field.startsWith('data.') ? [[field.slice('data.'.length), before] as const] : [],
    )
    const table = encodeURIComponent(params.tableId ?? '')
    return { method: 'POST', path: `/datatables/${table}/rows`, body: { data: Object.fromEntries(data) } }
  }
  const body: Record<string, unknown> = {}
  for (const { group, name, before } of listWrittenFields(entry))
    if (group === undefined) body[name] = before
    else body[group] = { ...(body[group] as object | undefined), [name]: before }
  return Object.keys(body).length > 0 ? { method: 'PATCH', path, body } : null
}

/** @throws {Error} if the record was changed since; names the request that changed it, if there is one */
async function assertUntouched({ controls }: Console, entry: JournalEntry): Promise<void> {
  const change = changeOfRecord(entry)
  if (!change) return
  const { id, resource } = change
  const later = await controls.requests({ record: id, after: entry.id })
  const other = later.find(({ changes }) => changes.some((one) => one.id === id && one.resource === resource))
  if (other) throw new Error(`Not undone: request #${String(other.id)} has changed ${id} since.`)
  const { inspect } = controls
  const read =
    resource === 'row'
      ? inspect.row(entry.params.tableId ?? '', id).then(({ rows: [row] }): object | undefined => row)
      : inspect.task(id).then(({ task }): object => task)
  // A reset, a snapshot or `mock.db` may also have changed it.
  const record = (await read.catch(() => undefined)) as Readonly<Record<string, unknown>> | undefined
  const isAsWritten = ({ group, name, after }: WrittenField) => {
    const within = group === undefined ? record : record?.[group]
    const value = isObject(within) ? (within[name] ?? null) : null
    return JSON.stringify(value) === JSON.stringify(after)
  }
  const isUntouched =
    change.change === 'deleted' && resource === 'row'
      ? record === undefined
      : record !== undefined && listWrittenFields(entry).every(isAsWritten)
  if (!isUntouched)
    throw new Error(`Not undone: ${id} was changed since, but not by a request in the journal.`)
}

export function useEdit() {
  const shared = useConsole()
  const workspace = useWorkspace()
  const { controls, sandbox } = shared
  /** @throws {Error} with the API's own message if it refuses the request */
  const send = async ({ method, path, body }: ApiRequest): Promise<JournalEntry | null> => {
    const masters = workspace?.keys.filter(({ kind }) => kind === 'master') ?? []
    const key = masters.find(({ suspended }) => !suspended) ?? masters[0]
    if (!key) throw new Error(`${workspace?.name ?? 'The workspace'} has no master key to edit with.`)
    const headers = new Headers({ authorization: `Bearer ${key.id}` })
    if (body !== undefined) headers.set('content-type', 'application/json')
    const json = body === undefined ? null : JSON.stringify(body)
    const { response, id } = await sendToApi(shared, path, { method, headers, body: json })
    if (!response) throw new Error('The connection was broken.')
    if (!response.ok) throw new Error(await messageOfRefusal(response))
    return id === undefined ? null : controls.request(id)
  }
  const undo = async (entries: readonly JournalEntry[]) => {
    for (const entry of entries) await assertUntouched(shared, entry)
    for (const entry of entries.toReversed()) {
      const inverse = toInverse(entry)
      if (inverse) await send(inverse)
      else if (entry.operation === 'deleteTask') await controls.restoreTask(entry.params.taskId ?? '')
    }
  }
  /**
   * The options of an action or form that sends requests one after another and can undo them.
   * @param done what was done, in words
   */
  return (
    done: string,
    toRequests: () => readonly ApiRequest[] | Promise<readonly ApiRequest[]>,
    onSent?: (entry: JournalEntry | null) => void,
  ): ActOptions & { readonly run: ScopedRun } => {
    let entries: readonly JournalEntry[] = []
    const run = async () => {
      entries = []
      for (const request of await toRequests()) {
        const entry = await send(request)
        if (entry) entries = [...entries, entry]
        onSent?.(entry)
      }
    }
    const listUndoable = () =>
      entries.filter((entry) => entry.operation === 'deleteTask' || toInverse(entry) !== null)
    return {
      run,
      done: () => [
        entries.some(({ changes }) => changes.length === 0)
          ? 'The API accepted it, and nothing changed. '
          : `${done} `,
        <RequestChips requests={entries.slice(-3).map(({ id }) => ({ id, sandbox }))} />,
      ],
      undo: () => {
        const undoable = listUndoable()
        const isNew = undoable.some(({ operation }) => operation === 'deleteRow')
        return undoable.length === 0
          ? undefined
          : {
              done: `Undone: the previous values are back${isNew ? ', under a new id' : ''}.`,
              run: () => undo(undoable),
            }
      },
    }
  }
}

async function messageOfRefusal(response: Response): Promise<string> {
  const body: unknown = await response.json().catch(() => null)
  const { error } = isObject(body) ? body : {}
  return typeof error === 'string' ? error : `The mock responded with ${String(response.status)}.`
}
