// What somebody else does between two requests: another user edits or deletes what the client is about to change, or the
// product refuses what it was allowed to.
import { resources, type ResourceName } from '../contract/resources.ts'
import { isObject } from '../contract/data/objects.ts'
import type { OutsideAct } from '../core/disturbances.ts'
import type { JournalEntry } from '../core/journal/entry.ts'
import { isWrite, type Made, type Oracle, type PlanContext, type RunRequest } from './oracle.ts'
import { pagedListings } from './rewrites.ts'

type Fields = readonly (readonly [field: string, value: unknown])[]

const edited = 'Edited by another user'
const named: Fields = [
  ['color', '#123456'],
  ['name', edited],
]

/** Records that other users change: their path, from the field of their owner, and fields with other values. */
const editable: Partial<
  Record<ResourceName, { readonly path: string; readonly fields: Fields; readonly isKept?: true }>
> = {
  tasks: {
    path: '/tasks/{id}',
    fields: [
      ['due_date', 1_900_000_000],
      ['title', edited],
      ['priority', 'urgent'],
    ],
  },
  comments: { path: '/tasks/{task_id}/comments/{id}', fields: [['content', edited]] },
  timeEntries: { path: '/tasks/{task_id}/time-entries/{id}', fields: [['note', edited]] },
  lists: { path: '/lists/{id}', fields: named, isKept: true },
  spaces: { path: '/spaces/{id}', fields: named, isKept: true },
}

/** A record that the client changes. */
interface Subject {
  readonly resource: string
  readonly id: string
  /** The path that patches and deletes it. */
  readonly path: string
  readonly fields: Fields
  readonly isKept: boolean
  /** Whether it existed before the run. */
  readonly isOld: boolean
}

const isResource = (name: string): name is ResourceName => Object.hasOwn(resources, name)

/** The values with which the run created a record. */
function createdFields(journal: readonly RunRequest[], id: string): Readonly<Record<string, unknown>> {
  const made = journal
    .flatMap(({ entry }) => entry.changes)
    .find((one) => one.id === id && one.change === 'created')
  return Object.fromEntries((made?.fields ?? []).map(({ field, after }) => [field, after]))
}

function subjectOf(
  resource: string,
  id: string,
  entry: JournalEntry,
  context: PlanContext,
): Subject | undefined {
  const { start, requests } = context
  if (resource === 'row') {
    const tableId = entry.path.split('/')[2] ?? ''
    const valueOf = (type: string) =>
      ['text', 'longtext'].includes(type) ? edited : type === 'number' ? 4711 : undefined
    const columns = start.tables.get(tableId)?.columns ?? []
    const fields = columns.map(({ id: column, type }) => [column, valueOf(type)] as const)
    return {
      resource,
      id,
      path: `/datatables/${tableId}/rows/${id}`,
      fields: fields.filter(([, value]) => value !== undefined).reverse(),
      isKept: false,
      isOld: start.rows(tableId).get(id) !== undefined,
    }
  }
  const known = isResource(resource) ? editable[resource] : undefined
  if (!known || !isResource(resource)) return undefined
  const old: object | undefined = start[resource].get(id)
  const record: Readonly<Record<string, unknown>> = { ...(old ?? createdFields(requests, id)), id }
  const path = known.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(record[name]))
  return { resource, id, path, fields: known.fields, isKept: known.isKept === true, isOld: old !== undefined }
}

/** The fields of a record that the run changes; of a row the columns. */
const changedFields = (requests: readonly RunRequest[], { resource, id }: Subject): ReadonlySet<string> =>
  new Set(
    requests
      .flatMap(({ entry }) => entry.changes)
      .filter((one) => one.resource === resource && one.id === id)
      .flatMap(({ fields = [] }) => fields.map(({ field }) => field.replace(/^data\./, ''))),
  )

const oracleFor = (isOld: boolean, more: Partial<Oracle> & Pick<Oracle, 'advice'>): Oracle => ({
  rules: 'own',
  orders: isOld ? 'both' : 'after',
  ...more,
})

function editsOf(subject: Subject, requests: readonly RunRequest[]): Made[] {
  const { path, resource, fields, isKept, isOld } = subject
  const touched = changedFields(requests, subject)
  const patch = ([field, value]: Fields[number]): OutsideAct => {
    const values = { [field]: value }
    return { method: 'PATCH', path, body: resource === 'row' ? { data: values } : values }
  }
  const other = fields.find(([field]) => !touched.has(field))
  const same = fields.find(([field]) => touched.has(field))
  const made: Made[] = []
  const add = (name: string, act: OutsideAct, oracle: Oracle) => made.push([name, { do: 'act', act }, oracle])
  if (other)
    add(
      'another field edited',
      patch(other),
      oracleFor(isOld, {
        rejection: 'stopped',
        advice: 'Send only the fields that change, so that those of other users stay.',
      }),
    )
  if (same && isOld)
    add(
      'the same field edited',
      patch(same),
      oracleFor(isOld, {
        most: 'assumption',
        advice: 'The contract has no conditional writes: read the record again right before it is changed.',
      }),
    )
  if (!isKept)
    add(
      'record deleted',
      { method: 'DELETE', path },
      oracleFor(isOld, {
        most: 'warning',
        extraOnly: true,
        advice: 'Report a record that is gone, instead of making it again.',
      }),
    )
  return made
}

/** The deletion of an item of a page that was just read, which moves the items of the next page. */
function pageShift({ entry }: RunRequest, json: unknown): Made[] {
  const paged = pagedListings[entry.operation ?? 'getIdentity']
  const items = paged && isObject(json) ? json[paged.items] : undefined
  const first: unknown = Array.isArray(items) ? items[0] : undefined
  if (!isObject(first) || entry.operation === 'listFormSubmissions') return []
  const id = String(first.id)
  const path = entry.operation === 'listTasks' ? `/tasks/${id}` : `${entry.path}/${id}`
  const advice = 'Pages move where others delete: begin again where nothing may be passed over.'
  const act = { method: 'DELETE', path } as const
  return [['item of the page deleted', { do: 'act', act }, oracleFor(true, { most: 'assumption', advice })]]
}

/** Product events that forbid what the client does next. */
function refusals(point: RunRequest, next: RunRequest, { requests }: PlanContext): Made[] {
  if (!isWrite(next.operation)) return []
  const rest = requests.slice(point.position + 1)
  // The end of what happens first is not accepted: there, too, a client that ignores the refusal resolves.
  const oracle = oracleFor(false, {
    canTell: true,
    advice: 'Contract, Errors: 402 and 403 are final; report them to the caller.',
  })
  const control = (name: string, act: OutsideAct): Made => [name, { do: 'act', act }, oracle]
  const { key } = point.entry
  const bulk = rest.find(({ operation }) => operation === 'bulkInsertRows' || operation === 'submitInsertJob')
  const made: Made[] =
    key === null ? [] : [control('key suspended', { control: 'suspendKey', argument: key })]
  if (bulk)
    made.push(
      control('table locked', { control: 'lockTable', argument: bulk.entry.path.split('/')[2] ?? '' }),
    )
  if (rest.some(({ operation }) => operation === 'submitInsertJob'))
    made.push(control('plan lowered', { control: 'setPlan', argument: 'free' }))
  return made
}

/** Everything that somebody else can do between a request and the next. */
export function actsBetween(point: RunRequest, context: PlanContext): Made[] {
  const { requests, responseOf } = context
  const { position, entry } = point
  const next = requests[position + 1]
  if (!next) return []
  const made: Made[] = []
  // The next record that the client changes, if it can know it by now.
  const upToNow = requests.slice(0, position + 1)
  for (const later of requests.slice(position + 1)) {
    const change = later.entry.changes.find((one) => one.change !== 'created' && one.resource !== 'jobs')
    if (!change) continue
    const isKnown = upToNow.some(
      (one) =>
        one.entry.path.includes(`/${change.id}`) ||
        JSON.stringify(responseOf(one.entry) ?? null).includes(`"${change.id}"`),
    )
    const subject = isKnown ? subjectOf(change.resource, change.id, later.entry, context) : undefined
    if (subject) made.push(...editsOf(subject, requests))
    break
  }
  if (entry.operation === next.operation && entry.path === next.entry.path)
    made.push(...pageShift(point, responseOf(entry)))
  return [...made, ...refusals(point, next, context)]
}
