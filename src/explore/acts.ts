// What somebody else does between two requests: another user edits or deletes what the client is about to change, or the
// product refuses what it was allowed to.
import { filledPath } from '../contract/operation.ts'
import type { ResourceName } from '../contract/resources.ts'
import { isObject } from '../contract/data/objects.ts'
import type { OutsideAct } from '../core/disturbances.ts'
import { isWrite, responseOf, type Made, type Oracle, type PlanContext, type RunRequest } from './oracle.ts'
import { pagedListings } from './rewrites.ts'

type Fields = readonly (readonly [field: string, value: unknown])[]

const edited = 'Edited by another user'
const named: Fields = [
  ['color', '#123456'],
  ['name', edited],
]
const taskFields: Fields = [
  ['due_date', 1_900_000_000],
  ['title', edited],
  ['priority', 'urgent'],
]

/** Records that other users change: their path, and fields with other values; those of rows follow from their schema. */
const editable: Readonly<Record<string, readonly [path: string, fields: Fields, isKept?: true]>> = {
  tasks: ['/tasks/{id}', taskFields],
  comments: ['/tasks/{taskId}/comments/{id}', [['content', edited]]],
  timeEntries: ['/tasks/{taskId}/time-entries/{id}', [['note', edited]]],
  lists: ['/lists/{id}', named, true],
  spaces: ['/spaces/{id}', named, true],
  row: ['/datatables/{tableId}/rows/{id}', []],
}

function rowFields(start: PlanContext['start'], tableId: string): Fields {
  const fields: [string, unknown][] = []
  for (const { id, type } of start.tables.get(tableId)?.columns ?? [])
    if (type === 'number') fields.unshift([id, 4711])
    else if (type === 'text' || type === 'longtext') fields.unshift([id, edited])
  return fields
}

const oracleFor = (isOld: boolean, advice: string, more: Partial<Oracle> = {}): Oracle => {
  return { rules: 'own', orders: isOld ? 'both' : 'after', advice, ...more }
}

/** Edits and the deletion of a record that a later request changes. */
function editsOf(later: RunRequest, resource: string, id: string, context: PlanContext): Made[] {
  const known = editable[resource]
  if (!known) return []
  const { start, requests } = context
  const { params } = later.entry
  const [template, ownFields, isKept] = known
  const path = filledPath(template, (name) => (name === 'id' ? id : params[name]) ?? '')
  const tableId = params.tableId ?? ''
  const fields = resource === 'row' ? rowFields(start, tableId) : ownFields
  /** Whether it existed before the run. */
  const isOld =
    (resource === 'row' ? start.rows(tableId) : start[resource as ResourceName]).get(id) !== undefined
  const touched = new Set(
    requests
      .flatMap(({ entry }) => entry.changes)
      .filter((one) => one.resource === resource && one.id === id)
      .flatMap((one) => (one.fields ?? []).map(({ field }) => field.replace(/^data\./, ''))),
  )
  const patch = ([field, value]: Fields[number]): OutsideAct => {
    const values = { [field]: value }
    return { method: 'PATCH', path, body: resource === 'row' ? { data: values } : values }
  }
  const other = fields.find(([field]) => !touched.has(field))
  const same = fields.find(([field]) => touched.has(field))
  const made: Made[] = []
  const add = (name: string, act: OutsideAct, advice: string, more: Partial<Oracle>) =>
    made.push([name, { do: 'act', act }, oracleFor(isOld, advice, more)])
  if (other) {
    const advice = 'Send only the fields that change, so that those of other users stay.'
    add('another field edited', patch(other), advice, { rejection: 'stopped' })
  }
  if (same && isOld) {
    const advice = 'The contract has no conditional writes: read the record again right before it is changed.'
    add('the same field edited', patch(same), advice, { most: 'assumption' })
  }
  if (!isKept) {
    const advice = 'Report a record that is gone, instead of making it again.'
    add('record deleted', { method: 'DELETE', path }, advice, { most: 'warning', extraOnly: true })
  }
  return made
}

/** The deletion of an item of a page that was just read, which moves the items of the next page. */
function pageShift({ entry, operation }: RunRequest, json: unknown): Made[] {
  const paged = pagedListings[operation]
  const items = paged && isObject(json) ? json[paged.items] : undefined
  const first: unknown = Array.isArray(items) ? items[0] : undefined
  if (!isObject(first) || operation === 'listFormSubmissions') return []
  const id = String(first.id)
  const path = operation === 'listTasks' ? `/tasks/${id}` : `${entry.path}/${id}`
  const advice = 'Pages move where others delete: begin again where nothing may be passed over.'
  const act = { method: 'DELETE', path } as const
  return [['item of the page deleted', { do: 'act', act }, oracleFor(true, advice, { most: 'assumption' })]]
}

/** Product events that forbid what the client does next. */
function refusals({ entry: { key } }: RunRequest, rest: readonly RunRequest[]): Made[] {
  if (!rest[0] || !isWrite(rest[0].operation)) return []
  // The end of what happens first is not accepted: there, too, a client that ignores the refusal resolves.
  const advice = 'Contract, Errors: 402 and 403 are final; report them to the caller.'
  const oracle = oracleFor(false, advice, { canTell: true })
  const job = rest.find(({ operation }) => operation === 'submitInsertJob')
  const table = (job ?? rest.find(({ operation }) => operation === 'bulkInsertRows'))?.entry.params.tableId
  const made: Made[] = []
  const add = (name: string, control: 'suspendKey' | 'lockTable' | 'setPlan', argument: string) =>
    made.push([name, { do: 'act', act: { control, argument } }, oracle])
  if (key !== null) add('key suspended', 'suspendKey', key)
  if (table !== undefined) add('table locked', 'lockTable', table)
  if (job) add('plan lowered', 'setPlan', 'free')
  return made
}

/** Everything that somebody else can do between a request and the next. */
export function actsBetween(point: RunRequest, context: PlanContext): Made[] {
  const { requests } = context
  const { position, entry } = point
  const rest = requests.slice(position + 1)
  const made: Made[] = []
  // The next record that the client changes, if it can know it by now.
  for (const later of rest) {
    const change = later.entry.changes.find((one) => one.change !== 'created' && one.resource !== 'jobs')
    if (!change) continue
    const isKnown = requests
      .slice(0, position + 1)
      .some(
        (one) =>
          one.entry.path.includes(`/${change.id}`) ||
          JSON.stringify(responseOf(one.entry) ?? null).includes(`"${change.id}"`),
      )
    if (isKnown) made.push(...editsOf(later, change.resource, change.id, context))
    break
  }
  const [next] = rest
  if (next && entry.operation === next.operation && entry.path === next.entry.path)
    made.push(...pageShift(point, responseOf(entry)))
  return [...made, ...refusals(point, rest)]
}
