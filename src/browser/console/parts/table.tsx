// A table from its columns: rows that can be selected, and that become stacks of cells where it is narrow.
import type { ComponentChildren, TdHTMLAttributes, ThHTMLAttributes } from 'preact'
import { useState } from 'preact/hooks'

export interface TableColumn<Item> {
  readonly head: string
  /** What tells it from other columns; default its head. */
  readonly id?: string
  readonly cell: (item: Item) => ComponentChildren
  readonly class?: string
  readonly isName?: true
  /** What its head shows in place of its text, and the attributes of the head. */
  readonly headCell?: ComponentChildren
  readonly headAttributes?: ThHTMLAttributes
  readonly attributes?: (item: Item) => TdHTMLAttributes
}

export interface Selection {
  readonly keys: readonly string[]
  readonly set: (keys: readonly string[]) => void
  /** The accessible name of the box that selects all. */
  readonly label: string
}

interface TableProps<Item> {
  readonly class: string
  readonly columns: readonly TableColumn<Item>[]
  readonly items: readonly Item[]
  /** Default: its index. */
  readonly keyOf?: (item: Item, index: number) => string
  readonly open?: string | undefined
  readonly selection?: Selection
}

export function Table<Item>(props: TableProps<Item>) {
  const { class: own, columns, items, keyOf = (_, index) => String(index), open, selection } = props
  const { keys = [], set, label } = selection ?? {}
  const all = items.map(keyOf)
  const isWhole = all.length > 0 && all.every((key) => keys.includes(key))
  const checkbox = (name: string, isOn: boolean, toggle: () => void) => (
    <input type="checkbox" aria-label={name} checked={isOn} onChange={toggle} />
  )
  const box = (key: string) =>
    checkbox(`Select ${key}`, keys.includes(key), () =>
      set?.(keys.includes(key) ? keys.filter((each) => each !== key) : [...keys, key]),
    )
  const rowClass = (key: string) => (key === open || keys.includes(key) ? 'is-open' : '')
  return (
    <table class={`grid ${own}`}>
      <thead>
        <tr>
          {label !== undefined && (
            <th scope="col" class="check">
              {checkbox(label, isWhole, () => set?.(isWhole ? [] : all))}
            </th>
          )}
          {columns.map(({ head, id = head, headCell, headAttributes, class: of }) => (
            <th key={id} scope="col" class={of ?? ''} {...headAttributes}>
              {headCell ?? head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {items.map((item, index) => (
          <tr key={all[index]} class={rowClass(all[index] ?? '')}>
            {selection && <td class="check">{box(all[index] ?? '')}</td>}
            {columns.map(({ head, id = head, cell, isName, class: of, attributes }) => {
              const Cell = isName ? 'th' : 'td'
              const given = {
                class: of ?? '',
                ...(isName && { scope: 'row' as const }),
                ...attributes?.(item),
              }
              return (
                <Cell key={id} {...given}>
                  {cell(item)}
                </Cell>
              )
            })}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

interface ScrollBoxProps {
  readonly label: string
  readonly class?: string
  readonly children: ComponentChildren
}

/** A box in which a wide table scrolls; its children can be of any width. */
export function ScrollBox({ label, class: own = '', children }: ScrollBoxProps) {
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
