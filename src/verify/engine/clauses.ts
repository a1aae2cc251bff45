// Clauses of the contract about values, which neither a schema nor a comparison shows.
import { isReadOnly, type Column } from '../../contract/datatables.ts'
import type { SuccessFor } from '../../contract/index.ts'
import type { OperationId } from '../../contract/scopes.ts'
import { isColor } from '../../contract/schema/colors.ts'
import { quote } from '../../contract/text/quote.ts'
import type { Difference, SourceText } from './drift.ts'

type Holds<T> = (one: T, all: readonly T[]) => boolean
type Clauses<T> = Readonly<Record<string, Holds<T>>>

const ofType =
  (type: Column['type'], holds: Holds<Column>): Holds<Column> =>
  (column, all) =>
    column.type !== type || holds(column, all)

const columnClauses: Clauses<Column> = {
  'readonly true for the types that the API never writes, and for no other': (column) =>
    column.type === 'attachment' || column.readonly === isReadOnly({ ...column, readonly: false }),
  'options, with a hex colour each': ofType(
    'dropdown',
    ({ options }) => options?.every(({ color }) => color !== undefined && isColor(color)) === true,
  ),
  options: ofType('tags', ({ options }) => options !== undefined),
  'currency_code of three capitals': ofType('currency', ({ currency_code: code = '' }) =>
    /^[A-Z]{3}$/.test(code),
  ),
  'a formula that names columns of its table': ofType('formula', ({ formula }, columns) => {
    const isPlain = formula !== undefined && !/\p{L}/u.test(formula)
    return isPlain || columns.some(({ name }) => formula?.includes(name))
  }),
  'a format with one placeholder in braces': ofType('autonumber', ({ format = '' }) =>
    /^[^{}]*\{[^{}]+\}[^{}]*$/.test(format),
  ),
}

type FieldShown = SuccessFor<'getListSchema'>['fields'][number]

const optionClauses: Clauses<FieldShown> = {
  'options of a dropdown or of tags': ({ type, options = [] }) =>
    (type !== 'dropdown' && type !== 'tags') || options.length > 0,
}
const linkClauses: Clauses<FieldShown> = {
  'mode and table_id of a link to a table': ({ type, mode, table_id }) =>
    type !== 'datatable' || (mode !== undefined && table_id !== undefined),
}

const isText = (value: unknown) => typeof value === 'string'

const itemClauses: Clauses<unknown> = {
  'an item with id, label, type and required, and texts as options': (item) => {
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

const breaches = <T>(source: SourceText, clauses: Clauses<T>, all: readonly T[]): Difference[] =>
  Object.entries(clauses).flatMap(([expected, holds]) => {
    const wrong = all.find((one) => !holds(one, all))
    return wrong === undefined ? [] : [{ expected, got: quote(wrong), source }]
  })

const breachesOfTimes = (all: readonly Dated[]) => breaches('contract, opening paragraph', timeClauses, all)

const breachesOfForms = (forms: SuccessFor<'listForms'>['forms']) => [
  ...forms.flatMap(({ field_config }) => breaches('assumption formStructure', itemClauses, field_config)),
  ...breachesOfTimes(forms),
]

const judges: { readonly [Id in OperationId]?: (body: SuccessFor<Id>) => Difference[] } = {
  getDatatableSchema: ({ columns }) => breaches('contract, Column', columnClauses, columns),
  getListSchema: ({ fields }) => [
    ...breaches('assumption customFieldOptions', optionClauses, fields),
    ...breaches('contract, CustomField', linkClauses, fields),
  ],
  getForm: ({ form }) => breachesOfForms([form]),
  listForms: ({ forms }) => breachesOfForms(forms),
  getTask: (task) => breachesOfTimes([task]),
  listTasks: ({ tasks }) => breachesOfTimes(tasks),
}

/** Which clauses a success breaks that fits its schema; undefined if none is about its operation. */
export const breachesIn = (operation: OperationId, body: unknown): Difference[] | undefined =>
  (judges[operation] as ((body: unknown) => Difference[]) | undefined)?.(body)
