// The filters on the rows of a table: those that are active, and a form that adds one.
import { useState } from 'preact/hooks'
import type { Column } from '../../../../contract/datatables.ts'
import type { Filter, Operator } from '../../../../contract/rows.ts'
import { dateText } from '../../format.ts'
import { type Directory, useConsole, useDirectory } from '../../parts/context.ts'
import { Button } from '../../parts/button.tsx'
import { Form, Input, Select } from '../../parts/fields.tsx'
import { Menu } from '../../parts/menu.tsx'
import { choicesOf, fromDateInput } from '../../parts/record-form.tsx'
import { isMomentColumn, isNumberColumn, plainText } from './cell.tsx'

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
/** Operators without a value. */
const alone: readonly Operator[] = ['is_true', 'is_false', 'is_empty', 'is_not_empty']
/** Types whose values have names to choose from. */
const named: readonly string[] = ['dropdown', 'tags', 'people']

function operatorsOf(column: Column): readonly Operator[] {
  if (column.type === 'checkbox') return ['is_true', 'is_false']
  if (named.includes(column.type)) return ['eq', 'neq', 'is_empty', 'is_not_empty']
  if (isNumberColumn(column)) return ['eq', 'gt', 'gte', 'lt', 'lte', 'is_empty', 'is_not_empty']
  return ['contains', 'eq', 'neq', 'starts_with', 'is_empty', 'is_not_empty']
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

interface FiltersProps {
  readonly columns: readonly Column[]
}

function valueText({ value }: Filter, column: Column | undefined, directory: Directory): string {
  if (value === undefined) return ''
  if (column && isMomentColumn(column) && typeof value === 'number') return dateText(value * 1000)
  const choice = column && choicesOf(column, directory).find(({ id }) => id === value)
  return choice?.label ?? plainText(value)
}

/** The active filters, each of which a click removes. */
export function FilterChips({ columns }: FiltersProps) {
  const directory = useDirectory()
  const [filters, setFilters] = useFilters()
  return (
    <>
      {filters.map((filter, index) => {
        const column = columns.find(({ id }) => id === filter.column)
        const name = column?.name ?? filter.column
        const text = `${name} ${words[filter.operator] ?? filter.operator} ${valueText(filter, column, directory)}`
        return (
          <Button
            class="chip"
            key={JSON.stringify(filter)}
            label={`Remove the filter ${text}`}
            onClick={() => setFilters(filters.filter((_, at) => at !== index))}
          >
            {text} ✕
          </Button>
        )
      })}
    </>
  )
}

/** A value of a filter, as entered, for a column. */
function operandOf(column: Column, entered: string): unknown {
  if (isMomentColumn(column)) return fromDateInput(entered)
  return isNumberColumn(column) ? Number(entered) : entered
}

interface OperandProps {
  readonly column: Column
  readonly value: string
  readonly set: (value: string) => void
}

function Operand({ column, ...others }: OperandProps) {
  const directory = useDirectory()
  if (named.includes(column.type))
    return <Select label="Value" choices={choicesOf(column, directory)} {...others} />
  return <Input {...(isMomentColumn(column) && { type: 'datetime-local' })} label="Value" {...others} />
}

function FilterForm({ columns, close }: FiltersProps & { readonly close: () => void }) {
  const [filters, setFilters] = useFilters()
  const [columnId, setColumn] = useState('')
  const [operator, setOperator] = useState('')
  const [value, setValue] = useState('')
  const column = columns.find(({ id }) => id === columnId) ?? columns[0]
  if (!column) return null
  const operators = operatorsOf(column)
  const chosen = operators.find((each) => each === operator) ?? operators[0] ?? 'eq'
  const isAlone = alone.includes(chosen)
  const add = () => {
    close()
    const filter = { column: column.id, operator: chosen }
    setFilters([...filters, isAlone ? filter : { ...filter, value: operandOf(column, value) }])
  }
  return (
    <Form class="fields" onSubmit={add}>
      <Select
        label="Column"
        empty={null}
        choices={columns.map(({ id, name }) => ({ id, label: name }))}
        value={column.id}
        set={(id) => {
          setColumn(id)
          setValue('')
        }}
      />
      <Select
        label="Condition"
        empty={null}
        choices={operators.map((id) => ({ id, label: words[id] ?? id }))}
        value={chosen}
        set={setOperator}
      />
      {!isAlone && <Operand column={column} value={value} set={setValue} />}
      <Button kind="primary" disabled={!isAlone && value === ''}>
        Add the filter
      </Button>
    </Form>
  )
}

export function FilterMenu({ columns }: FiltersProps) {
  if (columns.length === 0) return null
  return (
    <Menu title="Filter" label="Filter">
      {(close) => <FilterForm columns={columns} close={close} />}
    </Menu>
  )
}
