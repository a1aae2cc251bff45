// A value of a datatable in a cell: readable, with the value as JSON as its title.
import type { ComponentChildren } from 'preact'
import { isMomentType } from '../../../../contract/column-types.ts'
import { isObject, isUnset } from '../../../../contract/data/objects.ts'
import type { Column } from '../../../../contract/datatables.ts'
import type { RowLink } from '../../../../adapters/control-api/rows.ts'
import { formatDate, formatMoment } from '../../format.ts'
import { nameOfMember, noQuery, useConsole, useDirectory } from '../../parts/context.ts'
import { Button } from '../../parts/controls.tsx'

export type RowLinks = Readonly<Record<string, RowLink>>

type CellProps = Readonly<{ column: Column; value: unknown; links?: RowLinks | undefined }>

export const toText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))

const shownCharacters = 600
const shownItems = 4

function joinItems(value: unknown, show: (item: unknown) => ComponentChildren): ComponentChildren {
  const items = Array.isArray(value) ? value : [value]
  const more = items.length - shownItems
  const parts = items.slice(0, shownItems).flatMap((item, index) => [index > 0 && ', ', show(item)])
  return [...parts, more > 0 && ` and ${String(more)} more`]
}

function ShownValue({ column, value, links }: CellProps) {
  const { show } = useConsole()
  const directory = useDirectory()
  if (typeof value === 'number') {
    if (column.type === 'date') return formatDate(value * 1000)
    if (isMomentType(column.type)) return formatMoment(value * 1000)
    const isAmount = column.type === 'currency'
    const digits = { minimumFractionDigits: isAmount ? 2 : 0, maximumFractionDigits: 20 }
    const text = value.toLocaleString('en', digits)
    return isAmount ? `${text} ${column.currency_code ?? ''}` : text
  }
  switch (column.type) {
    case 'dropdown':
    case 'tags':
      return joinItems(value, (id) => {
        const option = column.options?.find((candidate) => candidate.id === id)
        return (
          <span class="option">
            {option?.color !== undefined && (
              <svg class="dot" viewBox="0 0 8 8" aria-hidden="true">
                <circle cx="4" cy="4" r="4" fill={option.color} />
              </svg>
            )}
            {option?.label ?? String(id)}
          </span>
        )
      })
    case 'people':
      return joinItems(value, (id) => nameOfMember(directory, id))
    case 'datatable':
      return joinItems(value, (item) => {
        const id = String(item)
        const link = links?.[id]
        if (!link) return id
        const open = () => show('state', { part: 'tables', table: link.table_id, row: id, ...noQuery })
        return <Button class="link" title={id} onClick={open} text={link.label} />
      })
    case 'checkbox':
      return value === true ? 'yes' : 'no'
    default:
      return joinItems(value, (item) => {
        const text = toText(isObject(item) && 'filename' in item ? item.filename : item)
        return text.length > shownCharacters ? `${text.slice(0, shownCharacters)} …` : text
      })
  }
}

export function Cell(props: CellProps) {
  if (isUnset(props.value)) return <span class="nothing">–</span>
  return (
    <span class="cell" title={toText(props.value)}>
      <ShownValue {...props} />
    </span>
  )
}
