// A matrix: a row for each operation or request, a column for each outcome or disturbance, and what a click on a cell does.
import type { Tone } from '../../parts/blocks.tsx'
import { Button } from '../../parts/button.tsx'

export interface MatrixCell {
  readonly text: string
  readonly tone: Tone | 'never'
  /** What it means, in words. */
  readonly title: string
  readonly onClick?: (() => void) | undefined
}

export interface MatrixRow {
  readonly head: string
  /** After the head. */
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

function Cell({ cell, name }: { readonly cell: MatrixCell | undefined; readonly name: string }) {
  if (!cell)
    return (
      <td class="nothing">
        <span class="visually-hidden">does not apply</span>
      </td>
    )
  const { text, tone, title, onClick } = cell
  const given = { class: `mark ${tone}`, title }
  return (
    <td>
      {onClick ? (
        <Button {...given} label={`${name}: ${title}`} onClick={onClick}>
          {text}
        </Button>
      ) : (
        <span {...given}>{text}</span>
      )}
    </td>
  )
}

export function Matrix({ label, head, columns, rows }: MatrixProps) {
  return (
    <div class="sheet scroll matrix" tabIndex={0} role="region" aria-label={label}>
      <table class="grid">
        <thead>
          <tr>
            <th scope="col">{head}</th>
            {columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ head: name, aside, cells }) => (
            <tr key={`${name} ${aside ?? ''}`}>
              <th scope="row">
                {name}
                {aside !== undefined && <span class="aside"> {aside}</span>}
              </th>
              {columns.map((column) => (
                <Cell key={column} name={`${name} ${column}`} cell={cells.get(column)} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
