// Tables as text.
/** Lays out cells in columns, each as wide as its widest cell. */
export function alignColumns(rows: readonly (readonly string[])[]): string[] {
  const widthOf = (column: number) =>
    rows.reduce((most, row) => Math.max(most, (row[column] ?? '').length), 0)
  const widths = rows[0]?.map((_, column) => widthOf(column)) ?? []
  return rows.map((row) => {
    const cells = row.map((cell, column) => cell.padEnd(widths[column] ?? 0))
    return cells.join('  ').trimEnd()
  })
}
