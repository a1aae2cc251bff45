// The rules of datatables and their columns.
import { isColor } from '../../contract/values/colors.ts'
import { readOnlyColumnTypes, type Column } from '../../contract/datatables.ts'
import type { Context } from '../engine/context.ts'
import { contract, expectSame, expectThat, Unreachable, type Rule } from '../engine/rule.ts'

const comparedTables = 5
const readOnlyTypes: ReadonlySet<string> = new Set(readOnlyColumnTypes)
const isHexColor = (color: unknown) => typeof color === 'string' && isColor(color)

async function allColumns({ seen }: Context): Promise<Column[]> {
  return (await seen.seenTables()).flatMap(({ columns }) => columns)
}

/** A rule about the columns of some types; `holds` is asked of each. */
function columnRule(
  id: string,
  says: string,
  types: readonly Column['type'][],
  holds: (column: Column) => boolean,
): Rule {
  return {
    id,
    operation: 'getDatatableSchema',
    source: contract('Column'),
    needs: 'read',
    says,
    check: async (context) => {
      const meant = (await allColumns(context)).filter(({ type }) => types.includes(type))
      if (meant.length === 0) throw new Unreachable(`no table has a column of type ${types.join(' or ')}`)
      for (const column of meant) expectThat(holds(column), says, column)
    },
  }
}

export const datatableRules: readonly Rule[] = [
  {
    id: 'tables-once',
    operation: 'listDatatables',
    source: contract('Datatables'),
    needs: 'read',
    says: 'lists every table once',
    check: async ({ seen }) => {
      const ids = (await seen.tables()).map(({ id }) => id)
      expectSame('table ids', ids, [...new Set(ids)])
    },
  },
  {
    id: 'row-count',
    operation: 'listDatatables',
    source: contract('DataTableSummary'),
    needs: 'read',
    says: 'row_count is the total of the row listing',
    check: async ({ api }) => {
      // Read again: rows may have been added since the tables were first read.
      const { datatables } = await api.succeed('listDatatables')
      for (const { id, row_count } of datatables.slice(0, comparedTables)) {
        const { total } = await api.succeed('listRows', { params: { tableId: id }, query: { limit: 1 } })
        expectSame(`row_count of ${id}`, row_count, total)
      }
    },
  },
  {
    id: 'columns-once',
    operation: 'getDatatableSchema',
    source: contract('Column'),
    needs: 'read',
    says: 'lists every column of a table once',
    check: async ({ seen }) => {
      for (const { columns } of await seen.seenTables()) {
        const ids = columns.map(({ id }) => id)
        expectSame('column ids', ids, [...new Set(ids)])
      }
    },
  },
  columnRule(
    'read-only',
    'columns of these types are readonly',
    readOnlyColumnTypes,
    ({ readonly }) => readonly,
  ),
  columnRule(
    'writable',
    'columns of these types are not readonly',
    [
      'text',
      'longtext',
      'email',
      'phone',
      'link',
      'number',
      'currency',
      'slider',
      'checkbox',
      'date',
      'dropdown',
      'tags',
      'people',
    ],
    ({ readonly, type }) => !readonly || readOnlyTypes.has(type),
  ),
  columnRule(
    'dropdown-options',
    'a dropdown has options, with a hex colour each',
    ['dropdown'],
    ({ options }) => options !== undefined && options.every(({ color }) => isHexColor(color)),
  ),
  {
    id: 'options-in-use',
    operation: 'getDatatableSchema',
    source: contract('Column'),
    needs: 'read',
    says: 'a column lists every option that its rows hold',
    check: async ({ seen }) => {
      for (const { columns, rows } of await seen.wholeTables())
        for (const { id, name, options } of columns.filter(
          ({ type }) => type === 'dropdown' || type === 'tags',
        ))
          for (const { cells } of rows)
            for (const value of [cells[id]].flat().filter((one) => typeof one === 'string'))
              expectThat(
                options?.some((option) => option.id === value) === true,
                `option ${value} of ${name}`,
                options,
              )
    },
  },
  columnRule('tags-options', 'tags have options', ['tags'], ({ options }) => options !== undefined),
  columnRule(
    'currency-code',
    'a currency has an ISO currency code',
    ['currency'],
    ({ currency_code: code }) => code !== undefined && /^[A-Z]{3}$/.test(code),
  ),
  columnRule(
    'formula',
    'a formula column has its formula',
    ['formula'],
    ({ formula }) => formula !== undefined,
  ),
  columnRule(
    'autonumber-format',
    'an autonumber has a format with a placeholder in braces',
    ['autonumber'],
    ({ format }) => format !== undefined && /^[^{}]*\{[^{}]+\}[^{}]*$/.test(format),
  ),
]
