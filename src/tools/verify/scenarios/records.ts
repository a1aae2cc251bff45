// The kinds of records a run writes, and the scenarios all kinds share.
import { operations, type OperationId } from '../../../contract/index.ts'
import { listPathParameters } from '../../../contract/operation.ts'
import type { JsonObject } from '../../../contract/schema/maps.ts'
import type { SourceText } from '../compare/difference.ts'
import { lastingWrites, unknownId, type Params } from '../../deployment/ledger.ts'
import { writing, type ScenarioContext, type Scenario } from '../twin/player.ts'
import { makeMarkedRow, getOwnList, getOwnSpace, getOwnTable } from './own.ts'
import { makePlausibleJson, unknownField, valuesOfField } from './values.ts'

/** `by` reads a record after each change; the operations in `listedBy` list it at the end of a scenario. */
const recordKinds = {
  Space: { by: 'listSpaces', listedBy: ['listLists'] },
  List: { by: 'getList', listedBy: ['listSpaces', 'listLists'] },
  Row: { by: 'getRow', listedBy: ['listRows'] },
  Task: { by: 'getTask', listedBy: ['listTasks'] },
  Comment: { by: 'listComments', listedBy: [] },
  TimeEntry: { by: 'listTimeEntries', listedBy: [] },
} as const satisfies Record<string, { by: OperationId; listedBy: readonly OperationId[] }>
type Kind = keyof typeof recordKinds
const kindNames = Object.keys(recordKinds) as Kind[]

const wholePage: Readonly<Partial<Record<OperationId, number>>> = { listRows: 500, listTasks: 200 }

/** The path parameter that identifies a record. */
const idNameOf = (kind: Kind) => listPathParameters(operations[`update${kind}`].path).at(-1) ?? ''

const containers: Readonly<Record<string, (ctx: ScenarioContext) => string>> = {
  spaceId: getOwnSpace,
  listId: getOwnList,
  tableId: (ctx) => getOwnTable(ctx).id,
}

/** Resolves path parameters of an operation: known ones, the run's containers, and records made for it. */
export async function resolveParams(
  ctx: ScenarioContext,
  operation: OperationId,
  known: Params = {},
): Promise<Params> {
  let params = known
  for (const name of listPathParameters(operations[operation].path)) {
    if (params[name] !== undefined) continue
    const kind = kindNames.find((one) => idNameOf(one) === name)
    const container = containers[name]?.(ctx)
    params =
      container === undefined && kind
        ? await makeRecord(ctx, kind, undefined, params)
        : { ...params, [name]: container ?? unknownId }
  }
  return params
}

/** Creates a record, by default with required fields only. @returns its path parameters */
export async function makeRecord(
  ctx: ScenarioContext,
  kind: Kind,
  json?: JsonObject,
  known?: Params,
): Promise<Params> {
  const params = await resolveParams(ctx, `create${kind}`, known)
  const least = kind === 'Row' ? { data: makeMarkedRow(ctx) } : makePlausibleJson(`create${kind}`, ctx.text())
  const { id } = await ctx.make(`create${kind}`, { params, json: json ?? least })
  return { ...params, [idNameOf(kind)]: id }
}

export const makeRow = (ctx: ScenarioContext, cells: JsonObject = {}): Promise<Params> =>
  makeRecord(ctx, 'Row', { data: makeMarkedRow(ctx, cells) })

export const makeTask = (ctx: ScenarioContext, fields: JsonObject = {}): Promise<Params> =>
  makeRecord(ctx, 'Task', { title: ctx.text(), ...fields })

export async function showLists(ctx: ScenarioContext, kind: Kind, params: Params): Promise<void> {
  for (const operation of recordKinds[kind].listedBy) {
    const limit = wholePage[operation]
    await ctx.call(operation, { params, ...(limit !== undefined && { query: { limit } }) })
  }
}

export async function show(ctx: ScenarioContext, kind: Kind, params: Params): Promise<void> {
  await ctx.get(recordKinds[kind].by, params)
  await showLists(ctx, kind, params)
}

/** One body per value of each field; it sets only that field, plus `more`. */
export const bodiesOf = (values: Readonly<Record<string, readonly unknown[]>>, more: JsonObject = {}) =>
  Object.entries(values).flatMap(([name, all]) => all.map((value) => ({ ...more, [name]: value })))

/** An entry for a list of bodies: changes what the scenario asserts about the bodies after it. */
export const sayNext =
  (...about: Parameters<ScenarioContext['says']>) =>
  (ctx: ScenarioContext) =>
    ctx.says(...about)

export const noObjects: readonly unknown[] = [[], null, 'x']

type Verb = 'create' | 'update'
const bodyFieldsOf = (operation: `${Verb}${Kind}`): (readonly [name: string, schema: unknown])[] =>
  Object.entries(operations[operation].body.json.shape)

/** The first value of each field. */
export function fillBody(ctx: ScenarioContext, operation: `${Verb}${Kind}`): JsonObject {
  const values = bodyFieldsOf(operation).map(([name, schema]) => [
    name,
    valuesOfField(ctx, name, schema).good[0],
  ])
  // Not repeating: a repeating task is cloned, and no response names the clone.
  return { ...(Object.fromEntries(values) as JsonObject), repeat_config: undefined }
}

/** Creates a record with a value in every field. @returns its path parameters */
export async function makeFull(ctx: ScenarioContext, kind: Kind): Promise<Params> {
  const json = fillBody(ctx, `create${kind}`)
  const params = await makeRecord(ctx, kind, json)
  const all = Object.entries(fillBody(ctx, `update${kind}`))
  const rest = all.filter(([name, value]) => !(name in json) && value !== undefined)
  if (rest.length > 0) await ctx.make(`update${kind}`, { params, json: Object.fromEntries(rest) })
  return params
}

async function createEach(ctx: ScenarioContext, kind: Kind, bodies: readonly unknown[]): Promise<void> {
  const params = await resolveParams(ctx, `create${kind}`)
  const last = await ctx.sendEach(`create${kind}`, params, ...bodies)
  const { by } = recordKinds[kind]
  const isListing = !listPathParameters(operations[by].path).includes(idNameOf(kind))
  if (last ?? isListing) await ctx.get(by, { ...params, ...(last && { [idNameOf(kind)]: last.id }) })
  await showLists(ctx, kind, params)
}

/** Applies each body to a record, reading it after each change and at the end. @returns whether it changed */
export async function changeEach(
  ctx: ScenarioContext,
  kind: Kind,
  params: Params,
  bodies: readonly unknown[],
) {
  const outcomes: boolean[] = []
  for (const json of bodies) {
    const isChanged = (await ctx.sendEach(`update${kind}`, params, json)) !== undefined
    if (isChanged) await ctx.get(recordKinds[kind].by, params)
    outcomes.push(isChanged)
  }
  if (outcomes.at(-1) !== true) await ctx.get(recordKinds[kind].by, params)
  return outcomes.includes(true)
}

type Bodies = (ctx: ScenarioContext) => readonly unknown[]

/** Whether records cannot be deleted, so that none should be created needlessly. */
const isLasting = (kind: Kind) => lastingWrites.has(`create${kind}`)

/** Required fields that every body includes. */
function makeLeastBody(ctx: ScenarioContext, verb: Verb, kind: Kind): JsonObject {
  if (verb === 'update') return {}
  return isLasting(kind)
    ? { name: ctx.text() }
    : (makePlausibleJson(`create${kind}`, ctx.text()) as JsonObject)
}

interface FieldOptions {
  readonly source: SourceText
  readonly extraBodies?: Bodies
  /** The record to be changed; by default a new one. */
  readonly record?: (ctx: ScenarioContext) => Params
}

/** Makes scenarios that write each value of each field of a record, then bodies that do not fit. */
export function tryFields(verb: Verb, kind: Kind, { source, extraBodies, record }: FieldOptions): Scenario[] {
  const about = [`${verb}${kind}`, recordKinds[kind].by, ...recordKinds[kind].listedBy].join(' ')
  const scenario = (name: string, says: string, bodies: Bodies) =>
    writing(source, {
      [`${about}/${verb}-${idNameOf(kind).replace('Id', '')}-${name}${canBeRefused(name) ? '!' : ''}: ${says}`]:
        async (ctx) => {
          if (verb === 'create') return createEach(ctx, kind, bodies(ctx))
          const params = record?.(ctx) ?? (await makeFull(ctx, kind))
          if (await changeEach(ctx, kind, params, bodies(ctx))) await showLists(ctx, kind, params)
        },
    })
  const canBeRefused = (name: string) => name === 'bodies' || (verb === 'create' && isLasting(kind))
  const fields = bodyFieldsOf(`${verb}${kind}`)
  // No scenario sends more than 30 requests.
  const size = kind === 'Task' ? 2 : 3
  const groups = fields.flatMap((_, at) => (at % size === 0 ? [fields.slice(at, at + size)] : []))
  const says = verb === 'create' ? 'a creation stores' : 'a change keeps all other fields, and null clears,'
  return [
    ...groups.flatMap((group) =>
      scenario(
        group[0]?.[0] ?? '',
        `${says} ${group.map(([name]) => name).join(', ')}; what does not fit is refused`,
        (ctx) =>
          group.flatMap(([name, schema]) => {
            const { good, odd } = valuesOfField(ctx, name, schema)
            // Each created record must be deleted, so only the first and last values are tried.
            const some = isLasting(kind) ? [] : new Set([good[0], good.at(-1)])
            const fitting = verb === 'create' ? some : good
            return bodiesOf({ [name]: [...fitting, ...odd] }, makeLeastBody(ctx, verb, kind))
          }),
      ),
    ),
    ...scenario('bodies', 'invalid bodies are refused', (ctx) => [
      {},
      ...noObjects,
      ...(isLasting(kind) && verb === 'create'
        ? []
        : [{ ...makeLeastBody(ctx, verb, kind), ...unknownField }]),
      ...(extraBodies?.(ctx) ?? []),
    ]),
  ]
}

type Deletable = Exclude<Kind, 'Space' | 'List'>

/** Deletes one of three records, after trying to delete it through another container, by default a new one. */
export const tryDeletion =
  (kind: Deletable, elsewhere?: (ctx: ScenarioContext) => Params | undefined) =>
  async (ctx: ScenarioContext) => {
    const container = await resolveParams(ctx, `create${kind}`)
    await makeRecord(ctx, kind, undefined, container)
    const params = await makeRecord(ctx, kind, undefined, container)
    await makeRecord(ctx, kind, undefined, container)
    const change = makePlausibleJson(`update${kind}`)
    ctx.says('a change keeps the order', 'contract, Endpoints')
    await ctx.wait(2000)
    await changeEach(ctx, kind, params, [change])
    ctx.says('a record belongs to the container it was created in', 'contract, Endpoints')
    const other = elsewhere ? elsewhere(ctx) : await resolveParams(ctx, `create${kind}`)
    if (other) {
      await ctx.sendEach(`update${kind}`, { ...params, ...other }, change)
      await ctx.call(`delete${kind}`, { params: { ...params, ...other } })
    }
    ctx.says('a deleted record is gone; the others are kept', 'contract, Endpoints')
    await ctx.call(`delete${kind}`, { params })
    await show(ctx, kind, params)
    await ctx.call(`delete${kind}`, { params })
    await ctx.sendEach(`update${kind}`, params, change)
  }
