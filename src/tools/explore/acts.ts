// What other users do between two requests: edit, delete or create a record, submit a form, suspend the key.
import { isWrite } from '../../contract/scopes.ts'
import { fillPath } from '../../contract/operation.ts'
import type { ColumnRecord } from '../../contract/datatables.ts'
import type { FieldRecord } from '../../contract/lists.ts'
import type { OperationId } from '../../contract/index.ts'
import type { ResourceName } from '../../contract/resources.ts'
import { isObject } from '../../contract/data/objects.ts'
import type { JournalEntry, OutsideAct } from '../../mock/explorable.ts'
import {
  faultAt,
  foreignText,
  jsonOf,
  readPage,
  type Case,
  type Expectation,
  type PlanContext,
  type RunRequest,
} from './expectation.ts'

/** Field names as in changes: `custom_data.fld_city` for a custom field; for a row, the column's id without `data.`. */
type EditedFields = readonly (readonly [field: string, value: unknown])[]

const edited = 'Edited by another user'
const named: EditedFields = [
  ['color', '#123456'],
  ['name', edited],
]
const taskFields: EditedFields = [
  ['due_date', 1_900_000_000],
  ['title', edited],
  ['priority', 'urgent'],
  ['date_start', 1_800_000_000],
  ['time_estimate', 4711],
]

/** Records another user can change: path and new field values. The fields of a row come from its table. */
const editable: Readonly<Record<string, readonly [path: string, fields: EditedFields, isKept?: true]>> = {
  tasks: ['/tasks/{id}', taskFields],
  comments: ['/tasks/{taskId}/comments/{id}', [['content', edited]]],
  timeEntries: [
    '/tasks/{taskId}/time-entries/{id}',
    [
      ['note', edited],
      ['duration', 4711],
    ],
  ],
  lists: ['/lists/{id}', named, true],
  spaces: ['/spaces/{id}', named, true],
  row: ['/datatables/{tableId}/rows/{id}', []],
}

type AnyColumn = ColumnRecord | FieldRecord

/** New values by column type, preferred types first. For options, the last one, since few records have it. */
const values: Readonly<Record<string, (column: AnyColumn) => unknown>> = {
  number: () => 4711,
  text: () => edited,
  longtext: () => edited,
  currency: () => 4711,
  slider: () => 4711,
  checkbox: () => true,
  link: () => 'https://other.test/edited',
  email: () => 'other@user.test',
  phone: () => '+1 555 0100',
  date: () => 1_900_000_000,
  dropdown: ({ options = [] }) => options.at(-1)?.id ?? null,
  tags: ({ options = [] }) => options.slice(-1).map(({ id }) => id),
}

export function columnFields(columns: readonly AnyColumn[], prefix = ''): EditedFields {
  const types = Object.keys(values)
  return columns
    .filter(({ type }) => types.includes(type))
    .toSorted((a, b) => types.indexOf(a.type) - types.indexOf(b.type))
    .map((column) => [prefix + column.id, values[column.type]?.(column)] as const)
}

function editableFieldsOf(
  start: PlanContext['start'],
  resource: string,
  id: string,
  tableId: string,
): EditedFields {
  if (resource === 'row') return columnFields(start.tables.get(tableId)?.columns ?? [])
  const list = resource === 'tasks' ? start.lists.get(start.tasks.get(id)?.list_id ?? '') : undefined
  return [...(editable[resource]?.[1] ?? []), ...columnFields(list?.fields ?? [], 'custom_data.')]
}

/** The fields that a request sends, whether it changes them or not. */
export function sentFields({ requestBody }: JournalEntry, isRow: boolean): ReadonlySet<string> {
  const json = jsonOf(requestBody)
  const body = isRow && isObject(json) ? json.data : json
  const named = Object.entries(isObject(body) ? body : {}).flatMap(([field, value]) =>
    field === 'custom_data' && isObject(value) ? Object.keys(value).map((one) => `${field}.${one}`) : [field],
  )
  return new Set(named)
}

function editBodyOf([field, value]: EditedFields[number], isRow: boolean) {
  if (isRow) return { data: { [field]: value } }
  const [, custom] = field.split('custom_data.')
  return custom === undefined ? { [field]: value } : { custom_data: { [custom]: value } }
}

/** @param existed whether the record existed before the run */
const expectEnds = (existed: boolean, advice: string, more: Partial<Expectation> = {}): Expectation => {
  return { rules: 'own', orders: existed ? 'both' : 'after', advice, ...more }
}

/** A client should read a record again when its copy is this old. */
const oldMs = 30_000

const names = (entry: JournalEntry, id: string): boolean =>
  entry.path.includes(`/${id}`) || JSON.stringify(jsonOf(entry.responseBody) ?? null).includes(`"${id}"`)

/** Milliseconds between the client's last read of a record and its write. */
function ageOfRead(requests: readonly RunRequest[], { entry, position }: RunRequest, id: string): number {
  const read = requests
    .slice(0, position)
    .findLast((one) => one.entry.method === 'GET' && names(one.entry, id))
  return read ? entry.atMs - read.entry.atMs : 0
}

/** Another user edits or deletes a record that a later request changes. */
function* planEdits(
  point: RunRequest,
  later: RunRequest,
  resource: string,
  id: string,
  context: PlanContext,
): Generator<Case> {
  const known = editable[resource]
  if (!known) return
  const { start, requests } = context
  const { params } = later.entry
  const [template, , isKept] = known
  const path = fillPath(template, (name) => (name === 'id' ? id : params[name]) ?? '')
  const tableId = params.tableId ?? ''
  const isRow = resource === 'row'
  const fields = editableFieldsOf(start, resource, id, tableId)
  const existed = (isRow ? start.rows(tableId) : start[resource as ResourceName]).get(id) !== undefined
  const touched = new Set(
    requests
      .flatMap(({ entry }) => entry.changes)
      .filter((one) => one.resource === resource && one.id === id)
      .flatMap((one) => (one.fields ?? []).map(({ field }) => field.replace(/^data\./, ''))),
  )
  const edit = (
    name: string,
    field: EditedFields[number],
    advice: string,
    more: Partial<Expectation>,
  ): Case => {
    const act: OutsideAct = { method: 'PATCH', path, body: editBodyOf(field, isRow) }
    return [name, faultAt(point, { effect: { act } }), expectEnds(existed, advice, more)]
  }
  const sent = sentFields(later.entry, isRow)
  const untouched = fields.filter(([field]) => !touched.has(field))
  // Prefers a field that the client sends back unchanged, which would undo the other user's edit.
  const other = untouched.find(([field]) => sent.has(field)) ?? untouched[0]
  const same = fields.find(([field]) => touched.has(field))
  if (other) {
    const advice = 'Send only the fields that change, so that edits by other users are kept.'
    yield edit('another field edited', other, advice, { rejection: 'stopped' })
    if (sent.has(other[0]))
      yield edit('another field cleared', [other[0], null], advice, { rejection: 'stopped' })
  }
  if (same && existed) {
    const advice = 'The contract has no conditional writes: read the record again right before changing it.'
    // A client that writes right after reading could not have done better.
    const most = ageOfRead(requests, later, id) >= oldMs ? 'warning' : 'assumption'
    yield edit('the same field edited', same, advice, { most })
  }
  if (!isKept) {
    const advice = 'Report that the record is gone instead of creating it again.'
    const expected = expectEnds(existed, advice, { most: 'warning', extraOnly: true })
    yield ['record deleted', faultAt(point, { effect: { act: { method: 'DELETE', path } } }), expected]
  }
}

/** Another user deletes an item of the page just read, so the items of the next page move up. */
function* planPageShift(request: RunRequest): Generator<Case> {
  const [first] = readPage(request)?.items ?? []
  if (!isObject(first)) return
  const id = String(first.id)
  const path = request.operation === 'listTasks' ? `/tasks/${id}` : `${request.entry.path}/${id}`
  const advice = 'Pages shift when others delete items: start again if no item may be missed.'
  const act = { method: 'DELETE', path } as const
  yield [
    'item on the page deleted',
    faultAt(request, { effect: { act } }),
    expectEnds(true, advice, { most: 'assumption' }),
  ]
}

/** The key is suspended, so the client's next write is refused. */
function* planRefusals(point: RunRequest, rest: readonly RunRequest[]): Generator<Case> {
  const { key } = point.entry
  if (!rest[0] || !isWrite(rest[0].operation) || key === null) return
  const act = { control: 'suspendKey', argument: key } as const
  // The final state of a run whose key is suspended from the start is not accepted, because a client that ignores the
  // refusal would reach it too.
  const advice = 'Contract, Errors: 402 and 403 are final; report them to the caller.'
  yield ['key suspended', faultAt(point, { effect: { act } }), expectEnds(false, advice, { canTell: true })]
}

/** What another user adds to a listing. The values of a row come from its table. */
const foreign: Partial<Record<OperationId, readonly [resource: string, body: object]>> = {
  listRows: ['row', {}],
  listTasks: ['task', { title: foreignText }],
  listComments: ['comment', { content: foreignText }],
  listTimeEntries: ['time entry', { action: 'manual', duration: 60, note: foreignText }],
}

/** Another user adds a record to a listing the client reads; the client must not delete it. */
function* planForeign(point: RunRequest, { start }: PlanContext): Generator<Case> {
  const { operation, entry } = point
  const [keeps, given] = foreign[operation] ?? []
  if (keeps === undefined || entry.status !== 200) return
  const columns = start.tables.get(entry.params.tableId ?? '')?.columns ?? []
  const text = columns.find(({ type }) => type === 'text' || type === 'longtext')
  if (keeps === 'row' && !text) return
  const body = text ? editBodyOf([text.id, foreignText], true) : given
  const act: OutsideAct = { method: 'POST', path: entry.path, body }
  const advice = 'Delete only records that the client created itself.'
  yield ["another user's record", faultAt(point, { effect: { act } }), { keeps, advice }]
  const before = faultAt(point, { phase: 'before', effect: { act } })
  yield ["another user's record before it", before, { keeps, advice }]
}

/** Another user adds a record with the same name as one the client looked up and changes later. */
function* planNamesake(point: RunRequest, { requests, start }: PlanContext): Generator<Case> {
  const { operation, entry, position } = point
  if (operation !== 'listRows' && operation !== 'listTasks') return
  const isFoundHere = (id: string) =>
    names(entry, id) && !requests.slice(0, position).some((one) => names(one.entry, id))
  const found = requests
    .slice(position + 1)
    .flatMap((later) => later.entry.changes)
    .find(({ change, id }) => change !== 'created' && isFoundHere(id))
  if (!found) return
  const task = start.tasks.get(found.id)
  const { tableId = '' } = entry.params
  const texts = (start.tables.get(tableId)?.columns ?? []).filter(({ type }) => type === 'text')
  const data = (start.rows(tableId).get(found.id) as { data?: Record<string, unknown> } | undefined)?.data
  const copied = texts.flatMap(({ id }) => (data?.[id] === undefined ? [] : [[id, data[id]] as const]))
  if (!task && copied.length === 0) return
  const body = task ? { title: task.title } : { data: Object.fromEntries(copied) }
  const act: OutsideAct = { method: 'POST', path: entry.path, body }
  const advice = "Names are not unique: keep the record's id, or reject when several records match."
  const fault = faultAt(point, { phase: 'before', effect: { act } })
  yield ['a second record with that name', fault, expectEnds(false, advice, { most: 'warning' })]
}

/** A form is submitted around a poll for submissions; the next poll must find the submission. */
function* planSubmission(point: RunRequest, rest: readonly RunRequest[]): Generator<Case> {
  const { operation, entry } = point
  const again = rest.filter((one) => one.operation === operation && one.entry.path === entry.path)
  if (operation !== 'listFormSubmissions' || again.length === 0) return
  const act = { control: 'submitForm', argument: entry.params.formId ?? '' } as const
  const advice = 'Poll again from the time of the last submission read, and skip those whose ids are known.'
  const expected = { orders: 'before', polls: point, advice } as const
  yield ['a submission after it', faultAt(point, { effect: { act } }), expected]
  for (const seconds of [0, 1, 30]) {
    const apart = seconds === 0 ? act : { ...act, seconds }
    const around = faultAt(point, { phase: 'around', effect: { act: apart } })
    // A client that passes the last timestamp, as the contract says, misses later submissions in the same second.
    const most = seconds === 0 ? 'assumption' : 'error'
    yield [`submissions around it, ${String(seconds)} s apart`, around, { ...expected, acts: 2, most }]
  }
  if (again.length < 2) return
  yield [
    'submissions after two polls',
    faultAt(point, { times: 2, effect: { act } }),
    { ...expected, acts: 2 },
  ]
}

/** Everything other users can do around a request. */
export function* planActs(point: RunRequest, context: PlanContext): Generator<Case> {
  const { requests } = context
  const { position, entry } = point
  const rest = requests.slice(position + 1)
  const isKnown = (id: string) => requests.slice(0, position + 1).some((one) => names(one.entry, id))
  // The next record that the client changes, if the client has seen it by now.
  for (const later of rest) {
    const change = later.entry.changes.find((one) => one.change !== 'created' && one.resource !== 'jobs')
    if (!change) continue
    if (isKnown(change.id)) yield* planEdits(point, later, change.resource, change.id, context)
    break
  }
  const [next] = rest
  if (next && entry.operation === next.operation && entry.path === next.entry.path)
    yield* planPageShift(point)
  yield* planForeign(point, context)
  yield* planNamesake(point, context)
  yield* planSubmission(point, rest)
  yield* planRefusals(point, rest)
}
