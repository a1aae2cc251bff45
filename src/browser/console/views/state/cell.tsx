// A value of a datatable in a cell: readable, with the value as JSON as its title.
import type { ComponentChildren } from 'preact'
import type { Column } from '../../../../contract/datatables.ts'
import type { RowLink } from '../../../../controls/inspect/rows.ts'
import { dateText, momentText } from '../../format.ts'
import { memberName, useConsole, useDirectory, type Directory } from '../../parts/context.ts'
import { Dot } from '../../parts/blocks.tsx'
import { Button } from '../../parts/button.tsx'
import { isMomentType, isNumberType } from '../../../../contract/column-types.ts'

export const isMomentColumn = ({ type }: Column) => isMomentType(type)
export const isNumberColumn = (column: Column) => isNumberType(column.type) || isMomentColumn(column)

const mostDecimals = 6

/** The most digits after the point among some values. */
export const decimalsOf = (values: readonly unknown[]) =>
  Math.min(
    mostDecimals,
    Math.max(
      0,
      ...values.map((value) =>
        typeof value === 'number' ? (/\.(\d+)$/.exec(String(value))?.[1]?.length ?? 0) : 0,
      ),
    ),
  )

interface CellProps {
  readonly column: Column
  readonly value: unknown
  /** Digits after the point; the same for all numbers of a column. */
  readonly decimals?: number | undefined
  /** Names of the rows that values link to, by id. */
  readonly links?: Readonly<Record<string, RowLink>> | undefined
}

function OptionLabel({ column, id }: { readonly column: Column; readonly id: unknown }) {
  const option = column.options?.find((candidate) => candidate.id === id)
  return (
    <span class="option">
      <Dot color={option?.color} />
      {option?.label ?? String(id)}
    </span>
  )
}

/** A text as it is, anything else as JSON. */
export const plainText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))

const filenameOf = (value: unknown) =>
  typeof value === 'object' && value !== null && 'filename' in value
    ? String(value.filename)
    : plainText(value)

const shownItems = 4

function list(value: unknown, show: (item: unknown) => ComponentChildren): ComponentChildren {
  const items = Array.isArray(value) ? value : [value]
  const more = items.length - shownItems
  return (
    <>
      {items.slice(0, shownItems).map((item, index) => (
        <>
          {index > 0 && ', '}
          {show(item)}
        </>
      ))}
      {more > 0 && ` and ${String(more)} more`}
    </>
  )
}

/** A row of another table, by its name. */
function LinkedRow({ id, link }: { readonly id: string; readonly link: RowLink | undefined }) {
  const { show } = useConsole()
  if (!link) return <>{id}</>
  const open = () => show('state', { part: 'tables', table: link.table_id, row: id, ...clearedQuery })
  return (
    <Button class="link" title={id} onClick={open}>
      {link.label}
    </Button>
  )
}

/** Clears search, filters and the like, for another table. */
export const clearedQuery = {
  offset: undefined,
  search: undefined,
  sort: undefined,
  filters: undefined,
  hide: undefined,
}

function shown({ column, value, decimals = 0, links }: CellProps, directory: Directory): ComponentChildren {
  if (typeof value === 'number') {
    if (column.type === 'date') return dateText(value * 1000)
    if (isMomentColumn(column)) return momentText(value * 1000)
    const text = value.toLocaleString('en', { minimumFractionDigits: decimals, maximumFractionDigits: 20 })
    return column.type === 'currency' ? `${text} ${column.currency_code ?? ''}` : text
  }
  switch (column.type) {
    case 'dropdown':
      return <OptionLabel column={column} id={value} />
    case 'tags':
      return list(value, (id) => <OptionLabel column={column} id={id} />)
    case 'people':
      return list(value, (id) => memberName(directory, id))
    case 'attachment':
      return list(value, filenameOf)
    case 'datatable':
      return list(value, (id) => <LinkedRow id={String(id)} link={links?.[String(id)]} />)
    case 'checkbox':
      return value === true ? 'yes' : 'no'
    default:
      return list(value, plainText)
  }
}

export function Cell(props: CellProps) {
  const directory = useDirectory()
  const { value } = props
  const isEmpty = value === null || value === undefined || (Array.isArray(value) && value.length === 0)
  if (isEmpty) return <span class="nothing">–</span>
  return (
    <span class="cell" title={plainText(value)}>
      {shown(props, directory)}
    </span>
  )
}
