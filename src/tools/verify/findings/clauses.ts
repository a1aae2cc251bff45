// Clauses of the contract about values that neither schemas nor comparisons check.
import { isReadOnly, type Column } from '../../../contract/datatables.ts'
import type { SuccessFor } from '../../../contract/index.ts'
import type { OperationId } from '../../../contract/scopes.ts'
import type { Answers } from '../../../contract/questions/register.ts'
import { isColor } from '../../../contract/schema/colors.ts'
import { quote } from '../../../contract/text/quote.ts'
import type { Breach, SourceText } from '../compare/difference.ts'

type Holds<T> = (one: T, all: readonly T[]) => boolean
type Clauses<T> = Readonly<Record<string, Holds<T>>>

const forType =
  (type: Column['type'], holds: Holds<Column>): Holds<Column> =>
  (column, all) =>
    column.type !== type || holds(column, all)

const columnClauses: Clauses<Column> = {
  'readonly set to true for exactly the types that the API never writes': (column) =>
    column.type === 'attachment' || column.readonly === isReadOnly({ ...column, readonly: false }),
  'options, each with a hex colour': forType(
    'dropdown',
    ({ options }) => options?.every(({ color }) => color !== undefined && isColor(color)) === true,
  ),
  options: forType('tags', ({ options }) => options !== undefined),
  'a currency_code of three capital letters': forType('currency', ({ currency_code: code = '' }) =>
    /^[A-Z]{3}$/.test(code),
  ),
  'a formula that names columns of its table': forType('formula', ({ formula }, columns) => {
    const isPlain = formula !== undefined && !/\p{L}/u.test(formula)
    return isPlain || columns.some(({ name }) => formula?.includes(name))
  }),
  'a format with one placeholder in braces': forType('autonumber', ({ format = '' }) =>
    /^[^{}]*\{[^{}]+\}[^{}]*$/.test(format),
  ),
}

type FieldShown = SuccessFor<'getListSchema'>['fields'][number]

const optionClauses: Clauses<FieldShown> = {
  'options for a dropdown or tags field': ({ type, options = [] }) =>
    (type !== 'dropdown' && type !== 'tags') || options.length > 0,
}
const linkClauses: Clauses<FieldShown> = {
  'mode and table_id for a link to a table': ({ type, mode, table_id }) =>
    type !== 'datatable' || (mode !== undefined && table_id !== undefined),
}

const isText = (value: unknown) => typeof value === 'string'

const itemClauses: Clauses<unknown> = {
  'an item with id, label, type and required; its options, if any, are texts': (item) => {
    const { id, label, type, required, options = [] } = Object(item) as Record<string, unknown>
    const hasTexts = [id, label, type].every(isText) && Array.isArray(options) && options.every(isText)
    return hasTexts && typeof required === 'boolean'
  },
}

interface Dated {
  readonly created_at: number
  readonly updated_at: number
}
const timeClauses: Clauses<Dated> = {
  'an updated_at not before created_at': ({ created_at, updated_at }) => updated_at >= created_at,
}

const findBreaches = <T>(source: SourceText, clauses: Clauses<T>, all: readonly T[]): Breach[] =>
  Object.entries(clauses).flatMap(([expected, holds]) => {
    const wrong = all.find((one) => !holds(one, all))
    return wrong === undefined ? [] : [{ path: '', kind: 'rule', expected, got: quote(wrong), source }]
  })

const judgeTimes = (all: readonly Dated[]) => findBreaches('contract, opening paragraph', timeClauses, all)

/** Times that the service sets are recent; users may set times long ago. */
const serviceTimes = new Set(['created_at', 'updated_at', 'completed_at', 'uploadedAt'])
const userTimes = new Set(['due_date', 'date_start', 'date_end'])

/** Finds a time that is not in seconds: milliseconds would be beyond the year 5138, minutes before 2001. */
function findWrongTime(value: unknown): Breach | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  for (const [name, inner] of Object.entries(value)) {
    const isService = serviceTimes.has(name)
    const isTime = typeof inner === 'number' && (isService || userTimes.has(name))
    const source = 'contract, opening paragraph'
    if (isTime && (inner >= 1e11 || (isService && inner < 1e9)))
      return { path: name, kind: 'rule', expected: `${name} in Unix seconds`, got: String(inner), source }
    const below = name === 'data' || name === 'custom_data' ? undefined : findWrongTime(inner)
    if (below) return below
  }
  return undefined
}

const formClauses: Clauses<{ readonly slug: string }> = {
  'a slug that can be part of a URL': ({ slug }) => /^[^\s/?#%&]+$/u.test(slug),
}

const judgeForms = (forms: SuccessFor<'listForms'>['forms']) => [
  ...forms.flatMap(({ field_config }) => findBreaches('assumption formStructure', itemClauses, field_config)),
  ...findBreaches('contract, Form', formClauses, forms),
  ...judgeTimes(forms),
]

/** A pull accepts any type, so the comparison does not check types. */
const isKnownType =
  (types: readonly string[]): Holds<FieldShown> =>
  ({ type }) =>
    types.includes(type)

const judgeByOperation: { readonly [Id in OperationId]?: (body: SuccessFor<Id>) => Breach[] } = {
  getDatatableSchema: ({ columns }) => findBreaches('contract, Column', columnClauses, columns),
  getListSchema: ({ fields }) => [
    ...findBreaches('assumption customFieldOptions', optionClauses, fields),
    ...findBreaches('contract, CustomField', linkClauses, fields),
  ],
  getForm: ({ form }) => judgeForms([form]),
  listForms: ({ forms }) => judgeForms(forms),
  getTask: (task) => judgeTimes([task]),
  listTasks: ({ tasks }) => judgeTimes(tasks),
}

/**
 * Finds an assignee who is not a member.
 * @param members ids of the workspace's members; undefined if no response has shown them
 */
function findStranger(
  tasks: readonly Pick<SuccessFor<'getTask'>, 'assignees'>[],
  members: ReadonlySet<string> | undefined,
): Breach[] {
  const all = tasks.flatMap(({ assignees = [] }) => assignees)
  const stranger = members && all.find(({ id }) => !members.has(id))
  const expected = 'members of the workspace'
  return stranger
    ? [{ path: 'assignees', kind: 'value', expected, got: stranger, source: 'contract, Task' }]
    : []
}

/** @param body a body that fits its schema @param members ids of the workspace's members, once they are known */
export function findBreachesIn(
  operation: OperationId,
  body: unknown,
  answers: Answers,
  members?: ReadonlySet<string>,
): Breach[] {
  const judge = judgeByOperation[operation] as ((body: unknown) => Breach[]) | undefined
  const wrongTime = findWrongTime(body)
  const types = answers.customFieldTypes
  const fields = operation === 'getListSchema' ? (body as SuccessFor<'getListSchema'>).fields : []
  const typeClause = { [`one of the types ${types.join(', ')}`]: isKnownType(types) }
  return [
    ...(judge?.(body) ?? []),
    ...(operation === 'listTasks' ? findStranger((body as SuccessFor<'listTasks'>).tasks, members) : []),
    ...(operation === 'getTask' ? findStranger([body as SuccessFor<'getTask'>], members) : []),
    ...findBreaches('assumption customFieldTypes', typeClause, fields),
    ...(wrongTime ? [wrongTime] : []),
  ]
}
