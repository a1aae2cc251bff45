// Tables of records, whose rows can be selected, and the box in which wide ones scroll.
import type { ComponentChildren, RenderableProps, TdHTMLAttributes, ThHTMLAttributes } from 'preact'
import { useState } from 'preact/hooks'

export interface TableColumn<Item> {
  readonly head: string
  readonly id?: string
  readonly cell: (item: Item) => ComponentChildren
  readonly class?: string
  readonly isName?: true
  /** Shown in place of `head`. */
  readonly headCell?: ComponentChildren
  readonly headAttributes?: ThHTMLAttributes
  readonly attributes?: (item: Item) => TdHTMLAttributes
}

export interface Selection {
  readonly keys: readonly string[]
  readonly set: (keys: readonly string[]) => void
  readonly label: string
}

interface TableProps<Item> {
  readonly class: string
  readonly columns: readonly TableColumn<Item>[]
  readonly items: readonly Item[]
  readonly keyOf?: (item: Item, index: number) => string
  readonly open?: string | undefined
  readonly selection?: Selection
}

export function Table<Item>(props: TableProps<Item>) {
  const { class: own, columns, items, keyOf = (_, index) => String(index), open, selection } = props
  const { keys = [], set, label = '' } = selection ?? {}
  const all = items.map(keyOf)
  const isWhole = all.length > 0 && all.every((key) => keys.includes(key))
  const checkCell = (Cell: 'th' | 'td', name: string, isOn: boolean, chosen: readonly string[]) =>
    selection && (
      <Cell class="check" scope={Cell === 'th' ? 'col' : undefined}>
        <input type="checkbox" aria-label={name} checked={isOn} onChange={() => set?.(chosen)} />
      </Cell>
    )
  const rowOf = (item: Item, index: number) => {
    const key = all[index] ?? ''
    const isOn = keys.includes(key)
    const others = keys.filter((each) => each !== key)
    return (
      <tr key={key} class={key === open || isOn ? 'is-open' : ''}>
        {checkCell('td', `Select ${key}`, isOn, isOn ? others : [...keys, key])}
        {columns.map(({ head, id = head, cell, isName, class: of = '', attributes }) => {
          const Cell = isName ? 'th' : 'td'
          return (
            <Cell key={id} class={of} scope={isName && 'row'} {...attributes?.(item)}>
              {cell(item)}
            </Cell>
          )
        })}
      </tr>
    )
  }
  return (
    <table class={`grid ${own}`}>
      <thead>
        <tr>
          {checkCell('th', label, isWhole, isWhole ? [] : all)}
          {columns.map(({ head, id = head, headCell = head, headAttributes, class: of = '' }) => (
            <th key={id} scope="col" class={of} {...headAttributes}>
              {headCell}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{items.map(rowOf)}</tbody>
    </table>
  )
}

export function ScrollBox(props: RenderableProps<{ label: string; class?: string }>) {
  const { label, class: own = '', children } = props
  const [isScrolled, setScrolled] = useState(false)
  return (
    <div
      class={`sheet scroll ${own} ${isScrolled ? 'is-scrolled' : ''}`}
      {...{ tabIndex: 0, role: 'region', 'aria-label': label }}
      onScroll={({ currentTarget }) => setScrolled(currentTarget.scrollLeft > 0)}
    >
      {children}
    </div>
  )
}
