// The conditions on the rows of a table: those that hold, each with a way to drop it, and a form for one more.
import { useState } from 'preact/hooks'
import type { Column } from '../../../contract/datatables.ts'
import type { Filter, Operator } from '../../../contract/rows.ts'
import type { WorkspaceOverview } from '../../../controls/inspect.ts'
import { dateText } from '../format.ts'
import { useConsole } from '../parts/context.ts'
import { typed } from '../parts/controls.tsx'
import { Menu } from '../parts/menu.tsx'
import { Choose, choicesOf, fromDateInput } from '../parts/value-editor.tsx'
import { isNumberColumn } from './state-cell.tsx'

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
const alone: ReadonlySet<Operator> = new Set(['is_true', 'is_false', 'is_empty', 'is_not_empty'])
const named: ReadonlySet<string> = new Set(['dropdown', 'tags', 'people'])

function operatorsOf(column: Column): readonly Operator[] {
  if (column.type === 'checkbox') return ['is_true', 'is_false']
  if (named.has(column.type)) return ['eq', 'neq', 'is_empty', 'is_not_empty']
  if (isNumberColumn(column)) return ['eq', 'gt', 'gte', 'lt', 'lte', 'is_empty', 'is_not_empty']
  return ['contains', 'eq', 'neq', 'starts_with', 'is_empty', 'is_not_empty']
}

const isDate = ({ type }: Column) => ['date', 'created_at', 'updated_at'].includes(type)

/** The filters in the place; none where it is not their JSON. */
export function useFilters(): readonly [readonly Filter[], (filters: readonly Filter[]) => void] {
  const { place, go } = useConsole()
  let filters: unknown = []
  try {
    filters = JSON.parse(place.filters ?? '[]')
  } catch {
    // An address that was cut off shows all rows.
  }
  return [
    Array.isArray(filters) ? (filters as Filter[]) : [],
    (next) => go({ filters: next.length === 0 ? undefined : JSON.stringify(next), offset: undefined }),
  ]
}

interface FiltersProps {
  readonly columns: readonly Column[]
  readonly workspace: WorkspaceOverview
}

function valueText({ value }: Filter, column: Column | undefined, workspace: WorkspaceOverview): string {
  if (value === undefined) return ''
  if (column && isDate(column) && typeof value === 'number') return dateText(value * 1000)
  const choice = column && choicesOf(column, workspace).find(({ id }) => id === value)
  return choice?.label ?? (typeof value === 'string' ? value : JSON.stringify(value))
}

/** The filters that hold. */
export function FilterChips({ columns, workspace }: FiltersProps) {
  const [filters, setFilters] = useFilters()
  return (
    <>
      {filters.map((filter, index) => {
        const column = columns.find(({ id }) => id === filter.column)
        const name = column?.name ?? filter.column
        const text = `${name} ${words[filter.operator] ?? filter.operator} ${valueText(filter, column, workspace)}`
        return (
          <button
            type="button"
            class="chip"
            key={JSON.stringify(filter)}
            aria-label={`Remove the filter ${text}`}
            onClick={() => setFilters(filters.filter((_, at) => at !== index))}
          >
            {text} ✕
          </button>
        )
      })}
    </>
  )
}

function ValueInput({
  isDate: isMoment,
  value,
  set,
}: {
  readonly isDate: boolean
  readonly value: string
  readonly set: (value: string) => void
}) {
  const input = { 'aria-label': 'Value', value, onInput: (event: Event) => set(typed(event)) }
  return isMoment ? <input type="datetime-local" {...input} /> : <input type="text" {...input} />
}

export function FilterMenu({ columns, workspace }: FiltersProps) {
  const [filters, setFilters] = useFilters()
  const [columnId, setColumn] = useState(columns[0]?.id ?? '')
  const [operator, setOperator] = useState<Operator | ''>('')
  const [value, setValue] = useState('')
  const column = columns.find(({ id }) => id === columnId) ?? columns[0]
  if (!column) return null
  const operators = operatorsOf(column)
  const chosen = operators.find((each) => each === operator) ?? operators[0] ?? 'eq'
  const isAlone = alone.has(chosen)
  const add = () => {
    const operand = isDate(column) ? fromDateInput(value) : isNumberColumn(column) ? Number(value) : value
    setFilters([...filters, { column: column.id, operator: chosen, ...(isAlone ? {} : { value: operand }) }])
    setValue('')
  }
  const choices = choicesOf(column, workspace)
  return (
    <Menu title="Filter">
      <form
        class="fields"
        onSubmit={(event) => {
          event.preventDefault()
          event.currentTarget.closest('details')?.removeAttribute('open')
          add()
        }}
      >
        <Choose
          label="Column"
          empty={null}
          choices={columns.map(({ id, name }) => ({ id, label: name }))}
          value={column.id}
          set={(id) => {
            setColumn(id)
            setValue('')
          }}
        />
        <Choose
          label="Condition"
          empty={null}
          choices={operators.map((id) => ({ id, label: words[id] ?? id }))}
          value={chosen}
          set={(id) => setOperator(id as Operator)}
        />
        {!isAlone &&
          (named.has(column.type) ? (
            <Choose label="Value" choices={choices} value={value} set={setValue} />
          ) : (
            <ValueInput isDate={isDate(column)} value={value} set={setValue} />
          ))}
        <button type="submit" class="button primary" disabled={!isAlone && value === ''}>
          Add the filter
        </button>
      </form>
    </Menu>
  )
}
