// A value of a datatable in a cell: readable, with the value as JSON as its title.
import type { ComponentChildren } from 'preact'
import { isMomentType, isNumberType } from '../../../../contract/column-types.ts'
import { isObject, isUnset } from '../../../../contract/data/objects.ts'
import type { Column } from '../../../../contract/datatables.ts'
import type { RowLink } from '../../../../adapters/control-api/rows.ts'
import { formatDate, formatMoment } from '../../format.ts'
import { Dot } from '../../parts/blocks.tsx'
import { nameOfMember, noQuery, useConsole, useDirectory, type Directory } from '../../parts/context.ts'
import { Button } from '../../parts/controls.tsx'

const isMomentColumn = ({ type }: Column) => isMomentType(type)
export const isNumberColumn = ({ type }: Column) => isNumberType(type) || isMomentType(type)

export type RowLinks = Readonly<Record<string, RowLink>>

type CellProps = Readonly<{ column: Column; value: unknown; links?: RowLinks | undefined }>

export const toText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))

const shownCharacters = 600
const shownItems = 4

/** An attachment by the name of its file. */
function shortTextOf(value: unknown): string {
  const text = toText(isObject(value) && 'filename' in value ? value.filename : value)
  return text.length > shownCharacters ? `${text.slice(0, shownCharacters)} …` : text
}

function joinItems(value: unknown, show: (item: unknown) => ComponentChildren): ComponentChildren {
  const items = Array.isArray(value) ? value : [value]
  const more = items.length - shownItems
  const parts = items.slice(0, shownItems).flatMap((item, index) => [index > 0 && ', ', show(item)])
  return [...parts, more > 0 && ` and ${String(more)} more`]
}

function LinkedRow({ id, link }: { id: string; link: RowLink | undefined }) {
  const { show } = useConsole()
  if (!link) return <>{id}</>
  const open = () => show('state', { part: 'tables', table: link.table_id, row: id, ...noQuery })
  return <Button class="link" title={id} onClick={open} text={link.label} />
}

function showValue({ column, value, links }: CellProps, directory: Directory): ComponentChildren {
  if (typeof value === 'number') {
    if (column.type === 'date') return formatDate(value * 1000)
    if (isMomentColumn(column)) return formatMoment(value * 1000)
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
            {option?.color !== undefined && <Dot color={option.color} />}
            {option?.label ?? String(id)}
          </span>
        )
      })
    case 'people':
      return joinItems(value, (id) => nameOfMember(directory, id))
    case 'datatable':
      return joinItems(value, (id) => <LinkedRow id={String(id)} link={links?.[String(id)]} />)
    case 'checkbox':
      return value === true ? 'yes' : 'no'
    default:
      return joinItems(value, shortTextOf)
  }
}

export function Cell(props: CellProps) {
  const directory = useDirectory()
  if (isUnset(props.value)) return <span class="nothing">–</span>
  return (
    <span class="cell" title={toText(props.value)}>
      {showValue(props, directory)}
    </span>
  )
}
