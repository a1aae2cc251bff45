// What a response must say for itself: clauses of the contract about values, which no schema and no comparison shows.
import { isReadOnly, type Column } from '../../contract/datatables.ts'
import type { Form } from '../../contract/forms.ts'
import type { SuccessFor } from '../../contract/index.ts'
import type { OperationId } from '../../contract/scopes.ts'
import { isColor } from '../../contract/schema/colors.ts'
import { quote } from '../../contract/text/quote.ts'
import type { Difference, SourceText } from './drift.ts'

interface Clause<T> {
  readonly says: string
  readonly source: SourceText
  readonly holds: (one: T, all: readonly T[]) => boolean
}

/** Of a column, by its type. */
const columnClauses: readonly (Clause<Column> & { readonly of?: readonly Column['type'][] })[] = [
  {
    says: 'readonly true for the types that the API never writes, and for no other',
    source: 'contract, Column',
    holds: (column) =>
      column.type === 'attachment' || column.readonly === isReadOnly({ ...column, readonly: false }),
  },
  {
    of: ['dropdown'],
    says: 'options, with a hex colour each',
    source: 'contract, Column',
    holds: ({ options }) => options?.every(({ color }) => color !== undefined && isColor(color)) === true,
  },
  {
    of: ['tags'],
    says: 'options',
    source: 'contract, Column',
    holds: ({ options }) => options !== undefined,
  },
  {
    of: ['currency'],
    says: 'currency_code of three capitals',
    source: 'contract, Column',
    holds: ({ currency_code: code = '' }) => /^[A-Z]{3}$/.test(code),
  },
  {
    of: ['formula'],
    says: 'a formula that names columns of its table',
    source: 'contract, Column',
    holds: ({ formula }, columns) =>
      formula !== undefined &&
      (!/\p{L}/u.test(formula) || columns.some(({ name }) => formula.includes(name))),
  },
  {
    of: ['autonumber'],
    says: 'a format with one placeholder in braces',
    source: 'contract, Column',
    holds: ({ format = '' }) => /^[^{}]*\{[^{}]+\}[^{}]*$/.test(format),
  },
]

type FieldShown = SuccessFor<'getListSchema'>['fields'][number]

const fieldClauses: readonly Clause<FieldShown>[] = [
  {
    says: 'options of a dropdown or of tags',
    source: 'assumption customFieldOptions',
    holds: ({ type, options = [] }) => (type !== 'dropdown' && type !== 'tags') || options.length > 0,
  },
  {
    says: 'mode and table_id of a link to a table',
    source: 'contract, CustomField',
    holds: ({ type, mode, table_id }) =>
      type !== 'datatable' || (mode !== undefined && table_id !== undefined),
  },
]

const isText = (value: unknown) => typeof value === 'string'

const itemClauses: readonly Clause<unknown>[] = [
  {
    says: 'an item with id, label, type and required, and texts as options',
    source: 'assumption formStructure',
    holds(item) {
      const { id, label, type, required, options = [] } = Object(item) as Record<string, unknown>
      const hasTexts = [id, label, type].every(isText) && Array.isArray(options) && options.every(isText)
      return hasTexts && typeof required === 'boolean'
    },
  },
]

interface Dated {
  readonly created_at: number
  readonly updated_at: number
}
const datedClauses: readonly Clause<Dated>[] = [
  {
    says: 'an updated_at not before created_at',
    source: 'contract, opening paragraph',
    holds: ({ created_at, updated_at }) => updated_at >= created_at,
  },
]

const breaches = <T>(all: readonly T[], clauses: readonly Clause<T>[]): Difference[] =>
  clauses.flatMap(({ says, source, holds }) => {
    const wrong = all.find((one) => !holds(one, all))
    return wrong === undefined ? [] : [{ expected: says, got: quote(wrong), source }]
  })

const breachesOfForm = ({ field_config, ...form }: Form) => [
  ...breaches(field_config, itemClauses),
  ...breaches([form], datedClauses),
]

const judges: { readonly [Id in OperationId]?: (body: SuccessFor<Id>) => Difference[] } = {
  getDatatableSchema: ({ columns }) =>
    columnClauses.flatMap((clause) =>
      breaches(
        columns.filter(({ type }) => clause.of?.includes(type) ?? true),
        [{ ...clause, holds: (column) => clause.holds(column, columns) }],
      ),
    ),
  getListSchema: ({ fields }) => breaches(fields, fieldClauses),
  getForm: ({ form }) => breachesOfForm(form),
  listForms: ({ forms }) => forms.flatMap(breachesOfForm),
  getTask: (task) => breaches([task], datedClauses),
  listTasks: ({ tasks }) => breaches(tasks, datedClauses),
}

/** What a success that fits its schema says against a clause; undefined if none is about its operation. */
export const breachesIn = (operation: OperationId, body: unknown): Difference[] | undefined =>
  (judges[operation] as ((body: unknown) => Difference[]) | undefined)?.(body)
