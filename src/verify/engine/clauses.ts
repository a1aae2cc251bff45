// What a response must say for itself: clauses of the contract about values, which no schema and no comparison shows.
import { isReadOnly, type Column } from '../../contract/datatables.ts'
import type { SuccessFor } from '../../contract/index.ts'
import type { OperationId } from '../../contract/scopes.ts'
import { isColor } from '../../contract/schema/colors.ts'
import { quote } from '../../contract/text/quote.ts'
import type { Difference, SourceText } from './drift.ts'

type Clause<T> = readonly [source: SourceText, says: string, holds: (one: T, all: readonly T[]) => boolean]

const ofType =
  (type: Column['type'], holds: Clause<Column>[2]): Clause<Column>[2] =>
  (column, all) =>
    column.type !== type || holds(column, all)

const columnClauses: readonly Clause<Column>[] = [
  [
    'contract, Column',
    'readonly true for the types that the API never writes, and for no other',
    (column) =>
      column.type === 'attachment' || column.readonly === isReadOnly({ ...column, readonly: false }),
  ],
  [
    'contract, Column',
    'options, with a hex colour each',
    ofType(
      'dropdown',
      ({ options }) => options?.every(({ color }) => color !== undefined && isColor(color)) === true,
    ),
  ],
  ['contract, Column', 'options', ofType('tags', ({ options }) => options !== undefined)],
  [
    'contract, Column',
    'currency_code of three capitals',
    ofType('currency', ({ currency_code: code = '' }) => /^[A-Z]{3}$/.test(code)),
  ],
  [
    'contract, Column',
    'a formula that names columns of its table',
    ofType(
      'formula',
      ({ formula }, columns) =>
        formula !== undefined &&
        (!/\p{L}/u.test(formula) || columns.some(({ name }) => formula.includes(name))),
    ),
  ],
  [
    'contract, Column',
    'a format with one placeholder in braces',
    ofType('autonumber', ({ format = '' }) => /^[^{}]*\{[^{}]+\}[^{}]*$/.test(format)),
  ],
]

const fieldClauses: readonly Clause<SuccessFor<'getListSchema'>['fields'][number]>[] = [
  [
    'assumption customFieldOptions',
    'options of a dropdown or of tags',
    ({ type, options = [] }) => (type !== 'dropdown' && type !== 'tags') || options.length > 0,
  ],
  [
    'contract, CustomField',
    'mode and table_id of a link to a table',
    ({ type, mode, table_id }) => type !== 'datatable' || (mode !== undefined && table_id !== undefined),
  ],
]

const isText = (value: unknown) => typeof value === 'string'

const itemClauses: readonly Clause<unknown>[] = [
  [
    'assumption formStructure',
    'an item with id, label, type and required, and texts as options',
    (item) => {
      const { id, label, type, required, options = [] } = Object(item) as Record<string, unknown>
      const hasTexts = [id, label, type].every(isText) && Array.isArray(options) && options.every(isText)
      return hasTexts && typeof required === 'boolean'
    },
  ],
]

const datedClauses: readonly Clause<{ readonly created_at: number; readonly updated_at: number }>[] = [
  [
    'contract, opening paragraph',
    'an updated_at not before created_at',
    ({ created_at, updated_at }) => updated_at >= created_at,
  ],
]

const breaches = <T>(all: readonly T[], clauses: readonly Clause<T>[]): Difference[] =>
  clauses.flatMap(([source, expected, holds]) => {
    const wrong = all.find((one) => !holds(one, all))
    return wrong === undefined ? [] : [{ expected, got: quote(wrong), source }]
  })

const breachesOfForms = (forms: SuccessFor<'listForms'>['forms']) => [
  ...forms.flatMap(({ field_config }) => breaches(field_config, itemClauses)),
  ...breaches(forms, datedClauses),
]

const judges: { readonly [Id in OperationId]?: (body: SuccessFor<Id>) => Difference[] } = {
  getDatatableSchema: ({ columns }) => breaches(columns, columnClauses),
  getListSchema: ({ fields }) => breaches(fields, fieldClauses),
  getForm: ({ form }) => breachesOfForms([form]),
  listForms: ({ forms }) => breachesOfForms(forms),
  getTask: (task) => breaches([task], datedClauses),
  listTasks: ({ tasks }) => breaches(tasks, datedClauses),
}

/** What a success that fits its schema says against a clause; undefined if none is about its operation. */
export const breachesIn = (operation: OperationId, body: unknown): Difference[] | undefined =>
  (judges[operation] as ((body: unknown) => Difference[]) | undefined)?.(body)
