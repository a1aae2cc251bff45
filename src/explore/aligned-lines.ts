// Tables as text, for explorations and coverage.

/** Lines of cells, each column as wide as its widest cell. */
export function alignedLines(rows: readonly (readonly string[])[]): string[] {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length))) ?? []
  return rows.map((row) => {
    const cells = row.map((cell, column) => cell.padEnd(widths[column] ?? 0))
    return cells.join('  ').trimEnd()
  })
}
