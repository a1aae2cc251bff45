// A matrix: a row for each operation or request, a column for each outcome or disturbance, and what a click on a cell does.
import type { Tone } from '../../parts/blocks.tsx'
import { Button } from '../../parts/controls.tsx'
import { ScrollBox, Table, type TableColumn } from '../../parts/table.tsx'

export interface MatrixCell {
  readonly text: string
  readonly tone: Tone | 'never'
  readonly title: string
  readonly onClick?: (() => void) | undefined
}

export interface MatrixRow {
  readonly head: string
  readonly aside?: string | undefined
  /** By column; absent where the column does not apply. */
  readonly cells: ReadonlyMap<string, MatrixCell>
}

interface MatrixProps {
  readonly label: string
  /** The head of the column of heads. */
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
