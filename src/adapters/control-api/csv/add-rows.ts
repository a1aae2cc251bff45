// Adds a CSV file's rows to a table. The first line has column names or ids. Every mistake is reported with its line.
import { countText } from '../../../contract/text/format.ts'
import { isNumberType } from '../../../contract/column-types.ts'
import type { Column } from '../../../contract/datatables.ts'
import { getOrInsert } from '../../../contract/data/maps.ts'
import type { Member } from '../../../contract/schema/common.ts'
import { describeNearestName } from '../../../contract/text/nearest.ts'
import { listItems, quote, toPlainText } from '../../../contract/text/quote.ts'
import type { TableRecord } from '../../../contract/types.d.ts'
import { ControlError } from '../../../mock/control-error.ts'
import type { MockControls } from '../../../mock/controls/mock-controls.ts'
import { internalsOf } from '../../../mock/internals.ts'
import { FixtureError } from '../../../service/fixture/error.ts'
import { seedStore } from '../../../service/fixture/load.ts'
import { findDecimalSign } from './numbers.ts'
import { readCsvRecords, type CsvRecord } from './records.ts'
import { Refusal } from './refusal.ts'
import { createCellReader, isFalseWord, type CellReader } from './values.ts'

/** Column types that CSV cannot set: the mock computes their values, or they hold files. */
const unwritten = new Set(['formula', 'autonumber', 'created_at', 'updated_at', 'attachment'])

interface CsvProblem {
  readonly line: number
  /** The text after the line number; problems with the same text are grouped. */
  readonly text: string
  /** The value received, which may differ within a group. */
  readonly received?: string
  /** How to fix the value. */
  readonly hint?: string
}

/** One problem per line: `coffees.csv, line 5, Bags must be a finite number; received "x"; also in line 7 ("y")`. */
function describeProblems(file: string, problems: readonly CsvProblem[]): string {
  const groups = new Map<string, CsvProblem[]>()
  for (const problem of problems) getOrInsert(groups, problem.text, () => []).push(problem)
  const sentences = [...groups.values()].map((group) => {
    const [first, ...others] = group.sort((a, b) => a.line - b.line)
    const { line = 0, text = '', received, hint = '' } = first ?? {}
    const shown = received === undefined ? '' : `; received ${quote(received)}`
    const lineOf = (other: CsvProblem) =>
      other.received === received ? String(other.line) : `${String(other.line)} (${quote(other.received)})`
    const also =
      others.length === 0
        ? ''
        : `; also in ${others.length === 1 ? 'line' : 'lines'} ${listItems(others, lineOf)}`
    return { line, sentence: `${toPlainText(`${file}, line ${String(line)}${text}`)}${shown}${hint}${also}` }
  })
  return sentences
    .sort((a, b) => a.line - b.line)
    .map(({ sentence }) => sentence)
    .join('\n')
}

interface Head {
  /** The column of each value in a line; undefined for values that are not written. */
  readonly written: readonly (Column | undefined)[]
  /** Names of columns that are not written. */
  readonly ignored: readonly string[]
}

/** @throws {ControlError} if the first line names no writable column, or names one twice */
function readHead(file: string, records: readonly CsvRecord[], columns: readonly Column[]): Head {
  const names = columns.map(({ name }) => name)
  const { line, fields } = records[0] ?? { line: 1, fields: [] }
  const heads = fields.map((name) => name.trim())
  const where = `${toPlainText(file)}, line ${String(line)}`
  const found = heads.map(
    (name) => columns.find(({ id }) => id === name) ?? columns.find((column) => column.name === name),
  )
  const shared = heads.find(
    (name, index) => found[index]?.id !== name && names.indexOf(name) !== names.lastIndexOf(name),
  )
  if (shared !== undefined)
    throw new ControlError(
      `${where} names ${quote(shared)}, but several columns have this name; use a column id`,
    )
  const repeated = heads.find((_, index) => found[index] && found.indexOf(found[index]) < index)
  if (repeated !== undefined) throw new ControlError(`${where} names the column ${quote(repeated)} twice`)
  const written = found.map((column) => (column && !unwritten.has(column.type) ? column : undefined))
  const hasValues = (index: number) =>
    records.some(({ fields: each }, at) => at > 0 && (each[index] ?? '') !== '')
  const ignored = heads.flatMap((name, index) => {
    if (written[index]) return []
    if (name !== '') return [name]
    return hasValues(index) ? [`column ${String(index + 1)}, which has no name`] : []
  })
  if (written.some((column) => column)) return { written, ignored }
  const writable = columns.filter(({ type }) => !unwritten.has(type)).map(({ name }) => name)
  throw new ControlError(
    heads.length === 0
      ? `${where} must have column names, such as ${listItems(writable, quote)}`
      : `${where} names ${listItems(heads, quote)}, but the columns are ${listItems(writable, quote)}${describeNearestName(heads[0], writable)}`,
  )
}

/** True if empty cells of a checkbox column mean unchecked. Some tools only write the checked cells. */
const marksChecked = (records: readonly CsvRecord[], index: number) =>
  records.some(({ fields }) => (fields[index] ?? '') !== '') &&
  !records.some(({ fields }) => isFalseWord(fields[index] ?? ''))

interface WrittenColumn {
  readonly index: number
  readonly column: Column
  readonly read: CellReader
  /** The value that an empty cell stands for. */
  readonly empty: unknown
}

function createReaders(
  records: readonly CsvRecord[],
  { written }: Head,
  separator: string,
  members: readonly Member[],
): WrittenColumn[] {
  const columns = written.flatMap((column, index) => (column ? [{ index, column }] : []))
  function* numberTexts() {
    for (const { index, column } of columns)
      if (isNumberType(column.type))
        for (const { fields } of records) yield [fields[index] ?? '', column.type === 'currency'] as const
  }
  const decimal = findDecimalSign(separator, numberTexts())
  return columns.map(({ index, column }) => ({
    index,
    column,
    read: createCellReader(column, members, decimal),
    empty: column.type === 'checkbox' && marksChecked(records, index) ? false : undefined,
  }))
}

interface CsvRow {
  readonly line: number
  readonly data: Readonly<Record<string, unknown>>
}

function readRow(
  { line, fields }: CsvRecord,
  columns: readonly WrittenColumn[],
  problems: CsvProblem[],
): CsvRow {
  const data: Record<string, unknown> = {}
  for (const { index, column, read, empty } of columns) {
    const text = fields[index] ?? ''
    const value = text.trim() === '' ? empty : read(text)
    if (value instanceof Refusal)
      problems.push({
        line,
        text: `, ${column.name} ${value.rule}`,
        received: value.part ?? text,
        hint: value.hint,
      })
    else if (value !== undefined) data[column.id] = value
  }
  return { line, data }
}

/** Reads a CSV file's rows, its problems, and the columns that are not written. */
export function readCsvRows(
  file: string,
  text: string,
  columns: readonly Column[],
  members: readonly Member[],
) {
  const names = new Set(columns.flatMap(({ id, name }) => [id, name]))
  const { separator, records, wrongQuote } = readCsvRecords(text, (name) => names.has(name))
  const problems: CsvProblem[] = []
  if (wrongQuote)
    problems.push({
      line: wrongQuote.line,
      text: `: the quote before ${wrongQuote.text} is not closed, or text follows it; write a quote within quotes twice`,
    })
  if (wrongQuote && records.length === 0) throw new ControlError(describeProblems(file, problems))
  const head = readHead(file, records, columns)
  const width = head.written.length
  const lines = records.slice(1)
  const readers = createReaders(lines, head, separator, members)
  const rows = lines.map((record) => {
    const count = record.fields.findLastIndex((field) => field !== '') + 1
    if (count > width)
      problems.push({
        line: record.line,
        text: ` has ${countText(count, 'value')} for ${countText(width, 'column')}; quote values that contain ${quote(separator)}`,
      })
    return readRow(record, readers, problems)
  })
  return { rows, ignored: head.ignored, problems }
}

/** Translates the mock's problems to lines and columns of the file. */
function toCsvProblems(
  error: FixtureError,
  rows: readonly CsvRow[],
  columns: readonly Column[],
): CsvProblem[] {
  return error.problems.flatMap(({ text, places }) =>
    places.map((place) => {
      const [, index = '', id] = /rows\[(\d+)\](?:\.data\.(.*))?$/s.exec(place) ?? []
      const name = columns.find((each) => each.id === id)?.name ?? id ?? 'the row'
      return { line: rows[Number(index)]?.line ?? 1, text: `, ${name} ${text}` }
    }),
  )
}

/**
 * Adds rows to a table, all or none. @returns the number of rows, and the columns that are not written
 * @param file the file's name, for messages
 * @throws {ControlError} naming the file, the line and the column of every mistake
 */
export function addCsvRows(
  controls: Pick<MockControls, 'db'>,
  { id, workspace_id, columns }: TableRecord,
  file: string,
  text: string,
): { readonly added: number; readonly ignored: readonly string[] } {
  const { members = [] } =
    controls.db.workspaces.findFirst((query) => query.where({ id: workspace_id })) ?? {}
  const { rows, ignored, problems } = readCsvRows(file, text, columns, members)
  const store = internalsOf(controls).sandboxOf().bringUpToDate()
  const seed = {
    workspaces: [{ id: workspace_id, tables: [{ id, rows: rows.map(({ data }) => ({ data })) }] }],
  }
  try {
    store.change(() => {
      // Seeds even if the file has problems, so that the mock can report its own as well. The error undoes the seeding.
      seedStore(store, seed)
      if (problems.length > 0) throw new ControlError(describeProblems(file, problems))
    })
  } catch (error) {
    if (!(error instanceof FixtureError)) throw error
    const all = [...problems, ...toCsvProblems(error, rows, columns)]
    throw new ControlError(describeProblems(file, all), { cause: error })
  }
  return { added: rows.length, ignored }
}
