// The kinds of records that a run makes and changes, and the plays that all kinds share.
import { operations, type OperationId } from '../../../contract/index.ts'
import { listPathParameters } from '../../../contract/operation.ts'
import type { JsonObject } from '../../../contract/schema/maps.ts'
import { makePlausibleJson } from '../engine/bodies.ts'
import type { SourceText } from '../engine/drift.ts'
import { lastingWrites, unknownId, type Params } from '../engine/ledger.ts'
import { writing, type Play, type Scenario } from '../twin/play.ts'
import { valuesOfField, unknownField } from './field-values.ts'
import { makeMarkedRow, getOwnList, getOwnSpace, getOwnTable } from './own.ts'

/** The read that shows a record after each change, and the reads that list it at the end of a play. */
const kinds = {
  Space: { by: 'listSpaces', listedBy: ['listLists'] },
  List: { by: 'getList', listedBy: ['listSpaces', 'listLists'] },
  Row: { by: 'getRow', listedBy: ['listRows'] },
  Task: { by: 'getTask', listedBy: ['listTasks'] },
  Comment: { by: 'listComments', listedBy: [] },
  TimeEntry: { by: 'listTimeEntries', listedBy: [] },
} as const satisfies Record<string, { by: OperationId; listedBy: readonly OperationId[] }>
type Kind = keyof typeof kinds
const kindNames = Object.keys(kinds) as Kind[]

const wholePage: Readonly<Partial<Record<OperationId, number>>> = { listRows: 500, listTasks: 200 }

/** The parameter that identifies a record in a path. */
const idNameOf = (kind: Kind) => listPathParameters(operations[`update${kind}`].path).at(-1) ?? ''

const containers: Readonly<Record<string, (play: Play) => string>> = {
  spaceId: getOwnSpace,
  listId: getOwnList,
  tableId: (play) => getOwnTable(play).id,
}

/** Parameters of the path of an operation: those known, the containers of the run, and records that are made for it. */
export async function resolveParams(play: Play, operation: OperationId, known: Params = {}): Promise<Params> {
  let params = known
  for (const name of listPathParameters(operations[operation].path)) {
    if (params[name] !== undefined) continue
    const kind = kindNames.find((one) => idNameOf(one) === name)
    const container = containers[name]?.(play)
    params =
      container === undefined && kind
        ? await makeRecord(play, kind, undefined, params)
        : { ...params, [name]: container ?? unknownId }
  }
  return params
}

/** Creates a record, by default with what it needs alone. @returns the parameters of its path */
export async function makeRecord(play: Play, kind: Kind, json?: JsonObject, known?: Params): Promise<Params> {
  const params = await resolveParams(play, `create${kind}`, known)
  const least =
    kind === 'Row' ? { data: makeMarkedRow(play) } : makePlausibleJson(`create${kind}`, play.text())
  const { id } = await play.make(`create${kind}`, { params, json: json ?? least })
  return { ...params, [idNameOf(kind)]: id }
}

export const makeRow = (play: Play, cells: JsonObject = {}): Promise<Params> =>
  makeRecord(play, 'Row', { data: makeMarkedRow(play, cells) })

export const makeTask = (play: Play, fields: JsonObject = {}): Promise<Params> =>
  makeRecord(play, 'Task', { title: play.text(), ...fields })

export async function showLists(play: Play, kind: Kind, params: Params): Promise<void> {
  for (const operation of kinds[kind].listedBy) {
    const limit = wholePage[operation]
    await play.call(operation, { params, ...(limit !== undefined && { query: { limit } }) })
  }
}

export async function show(play: Play, kind: Kind, params: Params): Promise<void> {
  await play.get(kinds[kind].by, params)
  await showLists(play, kind, params)
}

/** A body for each value of each field, with that field alone besides those of `more`. */
export const bodiesOf = (values: Readonly<Record<string, readonly unknown[]>>, more: JsonObject = {}) =>
  Object.entries(values).flatMap(([name, all]) => all.map((value) => ({ ...more, [name]: value })))

/** Among bodies, sets the sentence for those that follow. */
export const sayNext =
  (...about: Parameters<Play['says']>) =>
  (play: Play) =>
    play.says(...about)

export const noObjects: readonly unknown[] = [[], null, 'x']

type Verb = 'create' | 'update'
const bodyFieldsOf = (operation: `${Verb}${Kind}`): (readonly [name: string, schema: unknown])[] =>
  Object.entries(operations[operation].body.json.shape)

/** The first value of each field. */
export function fillBody(play: Play, operation: `${Verb}${Kind}`): JsonObject {
  const values = bodyFieldsOf(operation).map(([name, schema]) => [
    name,
    valuesOfField(play, name, schema).good[0],
  ])
  // A task that repeats is cloned, and no response names the clone.
  return { ...(Object.fromEntries(values) as JsonObject), repeat_config: undefined }
}

/** Creates a record with a value in every field. @returns the parameters of its path */
export async function makeFull(play: Play, kind: Kind): Promise<Params> {
  const json = fillBody(play, `create${kind}`)
  const params = await makeRecord(play, kind, json)
  const all = Object.entries(fillBody(play, `update${kind}`))
  const rest = all.filter(([name, value]) => !(name in json) && value !== undefined)
  if (rest.length > 0) await play.make(`update${kind}`, { params, json: Object.fromEntries(rest) })
  return params
}

async function createEach(play: Play, kind: Kind, bodies: readonly unknown[]): Promise<void> {
  const params = await resolveParams(play, `create${kind}`)
  const last = await play.sendEach(`create${kind}`, params, ...bodies)
  const { by } = kinds[kind]
  const isListing = !listPathParameters(operations[by].path).includes(idNameOf(kind))
  if (last ?? isListing) await play.get(by, { ...params, ...(last && { [idNameOf(kind)]: last.id }) })
  await showLists(play, kind, params)
}

/** Changes a record by each body, and reads it after each change and at the end. @returns whether it was changed */
export async function changeEach(play: Play, kind: Kind, params: Params, bodies: readonly unknown[]) {
  const outcomes: boolean[] = []
  for (const json of bodies) {
    const isChanged = (await play.sendEach(`update${kind}`, params, json)) !== undefined
    if (isChanged) await play.get(kinds[kind].by, params)
    outcomes.push(isChanged)
  }
  if (outcomes.at(-1) !== true) await play.get(kinds[kind].by, params)
  return outcomes.includes(true)
}

type Bodies = (play: Play) => readonly unknown[]

/** Whether records stay, so that none is created with values that fit. */
const isLasting = (kind: Kind) => lastingWrites.has(`create${kind}`)

/** What each body has besides the field it is about. */
function makeLeastBody(play: Play, verb: Verb, kind: Kind): JsonObject {
  if (verb === 'update') return {}
  return isLasting(kind)
    ? { name: play.text() }
    : (makePlausibleJson(`create${kind}`, play.text()) as JsonObject)
}

function makeBodies(play: Play, verb: Verb, kind: Kind, name: string, schema: unknown): readonly unknown[] {
  const { good, odd } = valuesOfField(play, name, schema)
  // Each created record costs a deletion, so only the first and last value are tried.
  const some = isLasting(kind) ? [] : new Set([good[0], good.at(-1)])
  const fitting = verb === 'create' ? some : good
  return bodiesOf({ [name]: [...fitting, ...odd] }, makeLeastBody(play, verb, kind))
}

interface FieldOptions {
  readonly source: SourceText
  readonly also?: Bodies
  /** The record to be changed; by default a new one. */
  readonly record?: (play: Play) => Params
}

/** Scenarios that write every value of every field of a kind of record, then bodies that do not fit. */
export function tryFields(verb: Verb, kind: Kind, { source, also, record }: FieldOptions): Scenario[] {
  const about = [`${verb}${kind}`, kinds[kind].by, ...kinds[kind].listedBy].join(' ')
  const scenario = (name: string, says: string, bodies: Bodies) =>
    writing(source, {
      [`${about}/${verb}-${idNameOf(kind).replace('Id', '')}-${name}: ${says}`]: async (play) => {
        if (verb === 'create') return createEach(play, kind, bodies(play))
        const params = record?.(play) ?? (await makeFull(play, kind))
        if (await changeEach(play, kind, params, bodies(play))) await showLists(play, kind, params)
      },
    })
  const fields = bodyFieldsOf(`${verb}${kind}`)
  // No scenario sends more than 30 requests.
  const size = kind === 'Task' ? 2 : 3
  const groups = fields.flatMap((_, at) => (at % size === 0 ? [fields.slice(at, at + size)] : []))
  const says = verb === 'create' ? 'a creation stores' : 'a change keeps the rest, null clears, of'
  return [
    ...groups.flatMap((group) =>
      scenario(
        group[0]?.[0] ?? '',
        `${says} ${group.map(([name]) => name).join(', ')}; what does not fit is refused`,
        (play) => group.flatMap(([name, schema]) => makeBodies(play, verb, kind, name, schema)),
      ),
    ),
    ...scenario('bodies', 'bodies that do not fit are refused', (play) => [
      {},
      ...noObjects,
      ...(isLasting(kind) && verb === 'create'
        ? []
        : [{ ...makeLeastBody(play, verb, kind), ...unknownField }]),
      ...(also?.(play) ?? []),
    ]),
  ]
}

type Deletable = Exclude<Kind, 'Space' | 'List'>

/** Deletes one of three records, after an attempt in another container, by default in a new one. */
export const playDeletion =
  (kind: Deletable, elsewhere?: (play: Play) => Params | undefined) => async (play: Play) => {
    const container = await resolveParams(play, `create${kind}`)
    await makeRecord(play, kind, undefined, container)
    const params = await makeRecord(play, kind, undefined, container)
    await makeRecord(play, kind, undefined, container)
    const change = makePlausibleJson(`update${kind}`)
    play.says('a record belongs to what it was made in', 'contract, Endpoints')
    const other = elsewhere ? elsewhere(play) : await resolveParams(play, `create${kind}`)
    if (other) {
      await play.sendEach(`update${kind}`, { ...params, ...other }, change)
      await play.call(`delete${kind}`, { params: { ...params, ...other } })
    }
    play.says('a deleted record is gone, the others stay', 'contract, Endpoints')
    await play.call(`delete${kind}`, { params })
    await show(play, kind, params)
    await play.call(`delete${kind}`, { params })
    await play.sendEach(`update${kind}`, params, change)
  }
