// Tables of records, whose rows can be selected, and matrices.
import type { ComponentChildren, RenderableProps, TdHTMLAttributes, ThHTMLAttributes } from 'preact'
import { useState } from 'preact/hooks'
import type { Tone } from './blocks.tsx'
import { Button } from './controls.tsx'

export interface TableColumn<Item> {
  readonly head: string
  readonly id?: string
  readonly cell: (item: Item) => ComponentChildren
  readonly class?: string
  readonly isName?: true
  /** Shown in place of its head. */
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

export interface MatrixCell {
  readonly text: string
  readonly tone: Tone | 'never'
  readonly title: string
  readonly onClick?: (() => void) | undefined
}

export interface MatrixRow {
  readonly head: string
  readonly aside?: string | undefined
  /** The cells by column; absent where the column does not apply. */
  readonly cells: ReadonlyMap<string, MatrixCell>
}

interface MatrixProps {
  readonly label: string
  readonly head: string
  readonly columns: readonly string[]
  readonly rows: readonly MatrixRow[]
}

const columnOf = (column: string): TableColumn<MatrixRow> => ({
  head: column,
  cell: ({ head, cells }) => {
    const cell = cells.get(column)
    if (!cell) return <span class="visually-hidden">does not apply</span>
    const { text, tone, title, onClick } = cell
    const given = { class: `mark ${tone}`, title, children: text }
    return onClick ? (
      <Button {...given} label={`${head} ${column}: ${title}`} onClick={onClick} />
    ) : (
      <span {...given} />
    )
  },
})

export function Matrix({ label, head, columns, rows }: MatrixProps) {
  const name = (row: MatrixRow) => (
    <>
      {row.head} <span class="aside">{row.aside}</span>
    </>
  )
  const named: TableColumn<MatrixRow> = { head, isName: true, cell: name }
  return (
    <ScrollBox label={label} class="matrix">
      <Table class="" columns={[named, ...columns.map(columnOf)]} items={rows} />
    </ScrollBox>
  )
}
