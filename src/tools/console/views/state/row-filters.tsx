// The filters on the rows of a table: those that are active, and a form that adds one.
import { useState } from 'preact/hooks'
import type { Column } from '../../../../contract/datatables.ts'
import type { Filter, Operator } from '../../../../contract/rows.ts'
import { formatDate } from '../../format.ts'
import { type Directory, useConsole, useDirectory } from '../../parts/context.ts'
import { Button, Menu } from '../../parts/controls.tsx'
import { Form, toNamedChoices, Select } from '../../parts/fields.tsx'
import { choicesOf, ValueEditor, valueOf } from '../../parts/record-form.tsx'
import { isMomentColumn, isNumberColumn, toText } from './cell.tsx'

const words: Readonly<Partial<Record<Operator, string>>> = {
  contains: 'contains',
  eq: 'is',
  neq: 'is not',
  starts_with: 'starts with',
  gt: 'above',
  gte: 'at least',
  lt: 'below',
  lte: 'at most',
  is_true: 'is yes',
  is_false: 'is no',
  is_empty: 'is empty',
  is_not_empty: 'is not empty',
}
const alone: readonly Operator[] = ['is_true', 'is_false', 'is_empty', 'is_not_empty']

/** What can be asked of a column, and the type of the field for the value. */
function conditionsOf(column: Column): readonly [type: string, ...operators: Operator[]] {
  if (column.type === 'checkbox') return ['', 'is_true', 'is_false']
  if (['dropdown', 'tags', 'people'].includes(column.type))
    return ['dropdown', 'eq', 'neq', 'is_empty', 'is_not_empty']
  const type = isMomentColumn(column) ? 'date' : 'number'
  if (isNumberColumn(column)) return [type, 'eq', 'gt', 'gte', 'lt', 'lte', 'is_empty', 'is_not_empty']
  return ['text', 'contains', 'eq', 'neq', 'starts_with', 'is_empty', 'is_not_empty']
}

/** The filters of the view state; none if they are not valid JSON. */
export function useFilters(): readonly [readonly Filter[], (filters: readonly Filter[]) => void] {
  const { viewState, go } = useConsole()
  let filters: unknown = []
  try {
    filters = JSON.parse(viewState.filters ?? '[]')
  } catch {
    // A truncated address shows all rows.
  }
  return [
    Array.isArray(filters) ? (filters as Filter[]) : [],
    (next) => go({ filters: next.length === 0 ? undefined : JSON.stringify(next), offset: undefined }),
  ]
}

/** `Bags at least 47`. */
function describeFilter(filter: Filter, columns: readonly Column[], directory: Directory): string {
  const { column: id, operator, value } = filter
  const column = columns.find((one) => one.id === id)
  const choice = column && choicesOf(column, directory).find((one) => one.id === value)
  const isMoment = column && isMomentColumn(column) && typeof value === 'number'
  const shown = isMoment ? formatDate(value * 1000) : (choice?.label ?? toText(value ?? ''))
  return `${column?.name ?? id} ${words[operator] ?? operator} ${shown}`
}

export function FilterChips({ columns }: { columns: readonly Column[] }) {
  const directory = useDirectory()
  const [filters, setFilters] = useFilters()
  return filters.map((filter) => {
    const text = describeFilter(filter, columns, directory)
    const remove = () => setFilters(filters.filter((one) => one !== filter))
    return (
      <Button class="chip" key={text} label={`Remove the filter ${text}`} onClick={remove}>
        {text} ✕
      </Button>
    )
  })
}

function FilterForm({ columns, close }: { columns: readonly Column[]; close: () => void }) {
  const directory = useDirectory()
  const [filters, setFilters] = useFilters()
  const [columnId, setColumn] = useState('')
  const [operator, setOperator] = useState('')
  const [value, setValue] = useState<unknown>(null)
  const column = columns.find(({ id }) => id === columnId) ?? columns[0]
  if (!column) return null
  const [type, ...operators] = conditionsOf(column)
  const chosen = operators.find((each) => each === operator) ?? operators[0] ?? 'eq'
  const isAlone = alone.includes(chosen)
  const field = { id: column.id, name: 'Value', type, options: choicesOf(column, directory) }
  const change = (id: string) => {
    setColumn(id)
    setValue(null)
  }
  const add = () => {
    close()
    const filter = { column: column.id, operator: chosen }
    setFilters([...filters, isAlone ? filter : { ...filter, value: valueOf(field, value) }])
  }
  const conditions = operators.map((id) => ({ id, label: words[id] ?? id }))
  return (
    <Form class="fields" run={add}>
      <Select label="Column" empty={null} choices={toNamedChoices(columns)} value={column.id} set={change} />
      <Select label="Condition" empty={null} choices={conditions} value={chosen} set={setOperator} />
      {!isAlone && <ValueEditor field={field} value={value} set={setValue} />}
      <Button kind="primary" disabled={!isAlone && (value ?? '') === ''} text="Add the filter" />
    </Form>
  )
}

export function FilterMenu({ columns }: { columns: readonly Column[] }) {
  return (
    <Menu title="Filter" label="Filter">
      {(close) => <FilterForm columns={columns} close={close} />}
    </Menu>
  )
}
