// How a value of a datatable is shown in a cell: readable, with what the API gives as its title.
import type { ComponentChildren } from 'preact'
import type { Column } from '../../../contract/datatables.ts'
import type { WorkspaceOverview } from '../../../controls/inspect.ts'
import { dateText, momentText, numberText } from '../format.ts'

const numberTypes: ReadonlySet<string> = new Set([
  'number',
  'currency',
  'slider',
  'date',
  'created_at',
  'updated_at',
])

export const isNumberColumn = ({ type }: Column) => numberTypes.has(type)

interface CellProps {
  readonly column: Column
  readonly value: unknown
  readonly workspace: WorkspaceOverview
}

function Option({ column, id }: { readonly column: Column; readonly id: unknown }) {
  const option = column.options?.find((candidate) => candidate.id === id)
  return (
    <span class="option">
      <svg viewBox="0 0 8 8" aria-hidden="true">
        <circle cx="4" cy="4" r="4" fill={option?.color ?? 'none'} />
      </svg>
      {option?.label ?? String(id)}
    </span>
  )
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))

const filenameOf = (value: unknown) =>
  typeof value === 'object' && value !== null && 'filename' in value
    ? String(value.filename)
    : JSON.stringify(value)

function list(value: unknown, show: (item: unknown) => ComponentChildren): ComponentChildren {
  const items = Array.isArray(value) ? value : [value]
  return items.map((item, index) => (
    <>
      {index > 0 && ', '}
      {show(item)}
    </>
  ))
}

function shown({ column, value, workspace }: CellProps): ComponentChildren {
  switch (column.type) {
    case 'dropdown':
      return <Option column={column} id={value} />
    case 'tags':
      return list(value, (id) => <Option column={column} id={id} />)
    case 'people':
      return list(value, (id) => workspace.members.find((member) => member.id === id)?.name ?? String(id))
    case 'attachment':
      return list(value, filenameOf)
    case 'date':
      return typeof value === 'number' ? dateText(value * 1000) : textOf(value)
    case 'created_at':
    case 'updated_at':
      return typeof value === 'number' ? momentText(value * 1000) : textOf(value)
    case 'currency':
      return typeof value === 'number' ? `${numberText(value)} ${column.currency_code ?? ''}` : textOf(value)
    case 'checkbox':
      return value === true ? 'yes' : 'no'
    default:
      return list(value, textOf)
  }
}

export function Cell(props: CellProps) {
  const { value } = props
  const isEmpty = value === null || value === undefined || (Array.isArray(value) && value.length === 0)
  if (isEmpty) return <span class="nothing">–</span>
  return (
    <span class="cell" title={typeof value === 'string' ? value : JSON.stringify(value)}>
      {shown(props)}
    </span>
  )
}
