// The option `serve --rows TABLE=FILE`: rows of a table from CSV, part of the state in which the mock begins.
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { describeNearestRecord, listNearestFirst } from '../../../contract/text/nearest.ts'
import { quote } from '../../../contract/text/quote.ts'
import type { WorkspaceMock } from '../../../mock.ts'
import { addCsvRows } from '../../../adapters/control-api/csv.ts'
import type { RowsFile } from '../arguments.ts'
import { prefixErrors } from '../files.ts'

/** Adds the rows to the state. @throws {Error} naming the file, the line and the column of what is wrong */
export function addRowsOf({ table: wanted, file }: RowsFile, mock: WorkspaceMock): void {
  const tables = mock.db.tables.findMany()
  const table = tables.find(({ id, name }) => id === wanted || name === wanted)
  if (!table)
    throw new Error(
      `--rows must name a table, one of ${listNearestFirst(wanted, tables)}; received ${quote(wanted)}${describeNearestRecord(wanted, tables)}`,
    )
  const text = prefixErrors(`${file} cannot be read`, () => readFileSync(file, 'utf8'))
  addCsvRows(mock, table, basename(file), text, true)
}
