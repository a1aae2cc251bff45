// The effects of faults beyond a failed request, and their validation against the state when a fault is set.
import * as z from 'zod/mini'
import { isObject } from '../../contract/data/objects.ts'
import type { Operation } from '../../contract/index.ts'
import type { OperationSpec } from '../../contract/operation.ts'
import { Plan } from '../../contract/identity.ts'
import { ApiError } from '../../contract/errors.ts'
import type { ListRecord } from '../../contract/lists.ts'
import { AnswerError, resolveAnswers, type AnswersInput } from '../../contract/questions/register.ts'
import { listFieldNames } from '../../contract/schema/field-names.ts'
import { TaskCreate } from '../../contract/tasks.ts'
import { describeNearestRecord } from '../../contract/text/nearest.ts'
import { quote } from '../../contract/text/quote.ts'
import type { TableRecord } from '../../contract/types.d.ts'
import { newTask } from '../../service/resources/task-fields.ts'
import { compileTable } from '../../service/rows/columns.ts'
import { prepareRow } from '../../service/rows/rows.ts'
import { ignoreBreach, type Store } from '../../service/store/store.ts'
import { ControlError } from '../control-error.ts'
import { assertFields, parseOrThrow } from '../parse-or-throw.ts'
import { hintAtOperation } from '../hints/operation.ts'
import { depthRule, isTooDeep } from '../requests/json.ts'
import { findOperation } from '../requests/route.ts'
import { assertOwnResponse, OwnResponseShape, type OwnResponse } from './own-response.ts'

const rewrites = ['gateway before', 'gateway after', 'cut', 'unknown field', 'new items first'] as const
/** A response that another server, or a gateway in front of it, would send. */
export type Rewrite = (typeof rewrites)[number]

/**
 * What another user does through the API, or what the product does. `submitForm` repeats the form's last submission.
 */
export type OutsideAct =
  | { readonly method: 'POST' | 'PATCH' | 'DELETE'; readonly path: string; readonly body?: unknown }
  | {
      readonly control: 'setPlan' | 'lockTable' | 'suspendKey' | 'submitForm'
      readonly argument: string
      /** Seconds by which a manual clock advances first; at most a day. */
      readonly seconds?: number
    }

/**
 * What a fault does instead of failing a request. `respond`: sends a response of your own, whatever the contract says.
 * `rewrite`: sends a different response. `act`: lets another user act right after the response. `spoil`: makes the last row
 * of a bulk request invalid. `stop`: breaks this connection and every later one. `answers` (to open questions) and `extend`
 * (more items in a listing of tasks, rows or submissions) apply from the next request on; `values` are fields of each new
 * task, or columns of each new row.
 */
export type FaultEffect =
  | { readonly respond: OwnResponse }
  | { readonly rewrite: Rewrite }
  | { readonly act: OutsideAct }
  | { readonly spoil: 'row' }
  | { readonly stop: true }
  | { readonly answers: AnswersInput }
  | {
      readonly extend: {
        readonly path: string
        readonly count: number
        readonly values?: Record<string, unknown>
      }
    }
export type Extension = Extract<FaultEffect, { readonly extend: unknown }>['extend']

const Text = z.string()
const shapes = {
  rewrite: z.enum(rewrites),
  act: z.custom(isObject, 'must be an object'),
  spoil: z.literal('row'),
  stop: z.literal(true),
  answers: z.custom(isObject, 'must be an object'),
  extend: z.strictObject({
    path: Text,
    count: z.int().check(z.gte(1), z.lte(1000)),
    values: z.optional(z.custom(isObject, 'must be an object')),
  }),
  respond: OwnResponseShape,
}
const RequestAct = z.strictObject({
  method: z.enum(['POST', 'PATCH', 'DELETE']),
  path: Text,
  body: z.optional(z.unknown()),
})
const ControlAct = z.strictObject({
  control: z.enum(['setPlan', 'lockTable', 'suspendKey', 'submitForm']),
  argument: Text,
  seconds: z.optional(z.int().check(z.gte(1), z.lte(86_400))),
})

/** The shapes of effects by name. An act is validated as the variant it names. */
export const effectShapes = { ...shapes, act: z.union([RequestAct, ControlAct]) }
type EffectName = keyof typeof shapes
const effectNames = Object.keys(shapes) as EffectName[]

/** Operations whose body contains rows. */
export const bulkOperations: readonly string[] = ['bulkInsertRows', 'submitInsertJob']

/** Validates a part of an effect; messages name it by its path in the fault. */
function parsePart<T>(schema: z.ZodMiniType<T>, path: readonly string[], value: unknown): T {
  const outer = path.reduceRight<z.ZodMiniType>((inner, name) => z.looseObject({ [name]: inner }), schema)
  parseOrThrow(
    outer,
    path.reduceRight((inner, name) => ({ [name]: inner }), value),
    'fault',
  )
  return value as T
}

function assertRequestAct(path: string, method: string, body: unknown): void {
  const route = findOperation(method, path)
  if (!route)
    throw new ControlError(
      `effect.act.path must be the path of a ${method} operation; received ${quote(path)}; ${hintAtOperation(method, path)}`,
    )
  const { id, body: taken }: OperationSpec = route.operation
  if (taken && !taken.json)
    throw new ControlError(
      `effect.act.path must be the path of an operation with a JSON body or no body; ${id} takes files`,
    )
  if (!taken?.json) {
    if (body === undefined) return
    throw new ControlError(`effect.act.body must be left out: ${id} takes no body; received ${quote(body)}`)
  }
  parsePart(taken.json, ['effect', 'act', 'body'], body)
  const known = listFieldNames(taken.json)
  if (known.length > 0) assertFields('effect.act.body', body as object, known)
}

function assertControlAct(control: string, argument: string, store: Store): void {
  if (control === 'setPlan') {
    parsePart(Plan, ['effect', 'act', 'argument'], argument)
    return
  }
  const [what, records]: [string, readonly { readonly id: string; readonly name: string }[]] =
    control === 'lockTable'
      ? ['the id of a table', store.tables.all()]
      : control === 'submitForm'
        ? ['the id of a form', store.forms.all()]
        : ['a key, or its name', store.keys.all()]
  const isKnown = records.some(
    ({ id, name }) => id === argument || (control === 'suspendKey' && name === argument),
  )
  if (isKnown) return
  // An unknown key could be a secret, but showing it is safe: whoever set the fault typed it.
  throw new ControlError(
    `effect.act.argument must be ${what}; received ${quote(argument)}${describeNearestRecord(argument, records)}`,
  )
}

type ItemValues = Readonly<Record<string, unknown>>

function assertTaskValues(values: ItemValues, list: ListRecord, store: Store): void {
  const place = ['effect', 'extend', 'values']
  const fields = { title: 'Further task 1', ...values }
  assertFields(place.join('.'), values, listFieldNames(TaskCreate))
  parsePart(TaskCreate, place, fields)
  if (isObject(values.custom_data)) {
    const writable = list.fields.filter(({ readonly, type }) => !readonly && type !== 'formula')
    const ids = writable.map(({ id }) => id)
    assertFields(`${place.join('.')}.custom_data`, values.custom_data, ids)
  }
  const workspace = store.workspaces.getOrThrow(list.workspace_id)
  newTask({ store, workspace, list, reportBreach: ignoreBreach }, '', fields)
}

function assertRowValues(values: ItemValues, record: TableRecord, store: Store): void {
  const table = compileTable(store, record)
  const writable = table.columns.filter(({ isWritable }) => isWritable).map(({ id }) => id)
  assertFields('effect.extend.values', values, writable)
  const prepared = prepareRow(table, values, ignoreBreach)
  if ('error' in prepared) throw new ControlError(`effect.extend.values: ${prepared.error}`)
}

/** Refuses values that creating an item would refuse or ignore. */
function assertExtension({ path, values }: Extension, store: Store): void {
  const { operation, params } = findOperation('GET', path) ?? {}
  const listings = {
    listTasks: ['list', store.lists, params?.listId],
    listRows: ['table', store.tables, params?.tableId],
    listFormSubmissions: ['form', store.forms, params?.formId],
  } as const
  const listing = listings[operation?.id as keyof typeof listings] as
    (typeof listings)[keyof typeof listings] | undefined
  if (!listing)
    throw new ControlError(
      `effect.extend.path must be the path of a listing: /lists/{listId}/tasks, /datatables/{tableId}/rows or /forms/{formId}/submissions; received ${quote(path)}`,
    )
  const [what, owners, id = ''] = listing
  const owner = owners.get(id)
  if (!owner)
    throw new ControlError(
      `effect.extend.path must name a ${what} that exists; received ${quote(path)}${describeNearestRecord(id, owners.all())}`,
    )
  if (!values) return
  if (what === 'form')
    throw new ControlError(
      `effect.extend.values must be left out for a form: each new submission repeats the last one; received ${quote(values)}`,
    )
  try {
    if (what === 'list') assertTaskValues(values, owner as ListRecord, store)
    else assertRowValues(values, owner as TableRecord, store)
  } catch (error) {
    throw error instanceof ApiError ? new ControlError(`effect.extend.values.${error.message}`) : error
  }
}

type Check = (value: never, store: Store, operation: Operation | undefined) => void
const checks: Readonly<Partial<Record<EffectName, Check>>> = {
  act: (act: object, store) => {
    if ('control' in act || 'argument' in act) {
      const { control, argument } = parsePart(ControlAct, ['effect', 'act'], act)
      assertControlAct(control, argument, store)
    } else {
      const { method, path, body } = parsePart(RequestAct, ['effect', 'act'], act)
      assertRequestAct(path, method, body)
    }
  },
  answers: (answers: object, { answers: current }) => {
    if (Object.keys(answers).length === 0)
      throw new ControlError('effect.answers must answer at least one question; received {}')
    try {
      resolveAnswers(answers, current)
    } catch (error) {
      throw error instanceof AnswerError ? new ControlError(`effect.answers: ${error.message}`) : error
    }
  },
  extend: assertExtension,
  respond: assertOwnResponse,
  rewrite: (rewrite: Rewrite, _, operation) => {
    if (rewrite === 'new items first' && operation && operation.method !== 'GET')
      throw new ControlError(
        `operation must be a read when effect.rewrite is "new items first"; received ${quote(operation.id)}`,
      )
  },
  spoil: (_, __, operation) => {
    if (operation && !bulkOperations.includes(operation.id))
      throw new ControlError(
        `operation must be one of ${bulkOperations.join(', ')} when effect.spoil is set; received ${quote(operation.id)}`,
      )
  },
}

/** The fault fields that each effect allows. */
const selectors: Readonly<Record<EffectName, readonly string[]>> = {
  respond: ['operation', 'skip', 'times', 'each', 'phase', 'delayMs', 'delayOn', 'match', 'sandboxes'],
  rewrite: ['operation', 'skip', 'times', 'match', 'sandboxes'],
  act: ['operation', 'skip', 'times', 'phase', 'match'],
  spoil: ['operation', 'skip', 'times', 'match', 'sandboxes'],
  stop: ['operation', 'skip', 'phase', 'match', 'sandboxes'],
  answers: [],
  extend: [],
}

/** @throws {ControlError} if the effect does not exist, conflicts with other fields, or is impossible in the state */
export function parseEffect(
  { effect, ...others }: Readonly<Record<string, unknown>>,
  operation: Operation | undefined,
  store: Store,
): FaultEffect {
  if (!isObject(effect))
    throw new ControlError(
      `effect must be an object with one of ${effectNames.join(', ')}; received ${quote(effect)}`,
    )
  assertFields('effect', effect, effectNames)
  const [name, ...more] = Object.keys(effect) as EffectName[]
  if (name === undefined || more.length > 0)
    throw new ControlError(
      `effect must have exactly one of ${effectNames.join(', ')}; received ${quote(effect)}`,
    )
  const allowed = selectors[name]
  const [extra] = Object.entries(others).filter(
    ([field, value]) => value !== undefined && !allowed.includes(field),
  )
  if (extra)
    throw new ControlError(
      `${extra[0]} must be left out when effect.${name} is set: ${allowed.length === 0 ? 'it allows no other field' : `it allows only ${allowed.join(', ')}`}; received ${quote(extra[1])}`,
    )
  // The depth is checked first, because the checks that follow recurse.
  if (isTooDeep(effect)) throw new ControlError(`effect ${depthRule}`)
  parsePart<unknown>(shapes[name], ['effect', name], effect[name])
  checks[name]?.(effect[name] as never, store, operation)
  try {
    return JSON.parse(JSON.stringify(effect)) as FaultEffect
  } catch (error) {
    throw new ControlError(
      `effect must be plain JSON; ${error instanceof Error ? error.message : quote(error)}`,
    )
  }
}
