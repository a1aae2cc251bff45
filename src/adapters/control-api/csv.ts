// Rows of a table from CSV, whose first line names columns by name or id, and messages that name its lines.
import { isMomentType, isNumberType } from '../../contract/column-types.ts'
import type { Column } from '../../contract/datatables.ts'
import type { Member } from '../../contract/schema/common.ts'
import { parseMomentMs } from '../../contract/text/moments.ts'
import { describeNearestName } from '../../contract/text/nearest.ts'
import { listItems, quote } from '../../contract/text/quote.ts'
import type { TableRecord } from '../../contract/types.d.ts'
import { ControlError } from '../../mock/control-error.ts'
import type { MockControls } from '../../mock/controls/mock-controls.ts'
import { FixtureError } from '../../service/fixture/error.ts'

interface CsvRecord {
  /** The line where it begins, from 1. */
  readonly line: number
  readonly fields: readonly string[]
}

/** @throws {ControlError} for a quote that is not closed */
function parseCsv(file: string, text: string): CsvRecord[] {
  // Spreadsheets write semicolons where a comma is the decimal sign.
  const [head = ''] = /^[^\r\n]*/.exec(text) ?? []
  const delimiter = [';', '\t', ','].find((each) => head.includes(each)) ?? ','
  // One field, with what ends it: quotes can contain anything, a quote in them is doubled.
  const field = new RegExp(`(?:"((?:[^"]|"")*)"|([^${delimiter}\\r\\n]*))(${delimiter}|\\r?\\n|$)`, 'g')
  const records: CsvRecord[] = []
  let fields: string[] = []
  let line = 1
  let start = 1
  for (const [whole, quoted, plain = '', end] of text.matchAll(field)) {
    if (whole === '' && fields.length === 0) break
    if (plain.startsWith('"'))
      throw new ControlError(
        `${file}, line ${String(line)}: the quote before ${quote(plain.slice(1))} is not closed, or text follows it; a quote within quotes is doubled`,
      )
    fields.push((quoted?.replaceAll('""', '"') ?? plain).trim())
    line += whole.split('\n').length - 1
    if (end === delimiter) continue
    if (fields.some((each) => each !== '')) records.push({ line: start, fields })
    fields = []
    start = line
  }
  return records
}

const computedByMock = ['formula', 'autonumber', 'created_at', 'updated_at']

/** The value for a text; an invalid one is returned as it is, for the mock to refuse. */
function parseValue({ type, options = [] }: Column, text: string, members: readonly Member[]): unknown {
  const named = type === 'people' ? members.map(({ id, name }) => [name, id] as const) : []
  const ids = new Map([...named, ...options.map(({ id, label }) => [label, id] as const)])
  const idOf = (name: string) => ids.get(name) ?? name
  if (type === 'checkbox')
    return /^(?:true|yes|1)$/i.test(text) || (/^(?:false|no|0)$/i.test(text) ? false : text)
  if (isNumberType(type) || (isMomentType(type) && /^-?\d+$/.test(text))) {
    const number = Number(/^-?\d+,\d+$/.test(text) ? text.replace(',', '.') : text)
    return Number.isFinite(number) ? number : text
  }
  if (isMomentType(type)) {
    const ms = parseMomentMs(text)
    return Number.isNaN(ms) ? text : Math.floor(ms / 1000)
  }
  if (type === 'dropdown') return idOf(text)
  if (!['tags', 'people', 'datatable'].includes(type)) return text
  // A name can contain commas.
  const names = ids.has(text) ? [text] : text.split(/\s*,\s*/).filter((name) => name !== '')
  return names.map(idOf)
}

/** A wrong value of a row, as the mock reports it. */
interface RowProblem {
  readonly message: string
  /** The rule that is broken, without the place. */
  readonly text?: string
  /** The paths of the values, such as `tables[0].rows[3].data.col_bags`. */
  readonly places?: readonly string[]
}

interface CsvRows {
  readonly rows: readonly { readonly data: Record<string, unknown> }[]
  /** Names in the first line that are not written: unknown columns, and those whose values the mock computes. */
  readonly ignored: readonly string[]
  /** The message about unknown columns; undefined without any. */
  readonly unknown: string | undefined
  /** A problem in the words of the file: `coffees.csv, line 4, Bags in stock must be …`. */
  readonly describe: (problem: RowProblem) => string
}

/** @throws {ControlError} for a file without columns, with one twice, with more values in a line, or an open quote */
export function readCsvRows(
  file: string,
  text: string,
  columns: readonly Column[],
  members: readonly Member[],
): CsvRows {
  const [head, ...records] = parseCsv(file, text.replace(/^\uFEFF/, ''))
  const heads = head?.fields ?? []
  const found = heads.map((name) => columns.find((column) => column.id === name || column.name === name))
  const unknown = heads.filter((name, index) => name !== '' && !found[index])
  const names = columns.map(({ name }) => name)
  if (heads.length === 0)
    throw new ControlError(`${file}, line 1 must name columns: ${listItems(names, quote)}`)
  const repeated = heads.find((_, index) => found[index] && found.indexOf(found[index]) < index)
  if (repeated !== undefined)
    throw new ControlError(`${file}, line 1 names the column ${quote(repeated)} twice`)
  const tooLong = records.filter(({ fields }) => fields.length > heads.length)
  if (tooLong[0])
    throw new ControlError(
      `${file}, line ${listItems(tooLong, ({ line }) => String(line))} has ${String(tooLong[0].fields.length)} values for ${String(heads.length)} columns`,
    )
  const isWritten = (column: Column | undefined) =>
    column !== undefined && !computedByMock.includes(column.type)
  const rows = records.map(({ fields }) => {
    const values = fields.flatMap((field, index) => {
      const column = found[index]
      return field !== '' && column && isWritten(column)
        ? [[column.id, parseValue(column, field, members)]]
        : []
    })
    return { data: Object.fromEntries(values) as Record<string, unknown> }
  })
  const describe = ({ message, text: rule, places = [] }: RowProblem): string => {
    const lines = places.map((place) => {
      const [, index = '', id] = /rows\[(\d+)\](?:\.data\.(.*))?$/s.exec(place) ?? []
      const column = columns.find((each) => each.id === id)
      return { line: records[Number(index)]?.line, column: column?.name ?? id ?? 'row' }
    })
    const [first, ...others] = lines
    if (rule === undefined || first?.line === undefined) return `${file}: ${message}`
    const also = others.length === 0 ? '' : `; also in line ${listItems(others, ({ line }) => String(line))}`
    return `${file}, line ${String(first.line)}, ${first.column} ${rule}${also}`
  }
  const note = `${file}, line 1 names ${listItems(unknown, quote)}, but the columns are ${listItems(names, quote)}`
  return {
    rows,
    ignored: heads.filter((_, index) => !isWritten(found[index])),
    unknown: unknown.length === 0 ? undefined : note + describeNearestName(unknown[0], names),
    describe,
  }
}

/**
 * Adds rows to a table. @returns how many, and the names in the first line that are not written
 * @param file its name, for messages
 * @param isStrict whether unknown columns are refused
 * @throws {ControlError} naming the file, the line and the column of what is wrong
 */
export function addCsvRows(
  { db, seed }: Pick<MockControls, 'db' | 'seed'>,
  { id, workspace_id, columns }: TableRecord,
  file: string,
  text: string,
  isStrict = false,
): { readonly added: number; readonly ignored: readonly string[] } {
  const { members = [] } = db.workspaces.findFirst((query) => query.where({ id: workspace_id })) ?? {}
  const { rows, ignored, unknown, describe } = readCsvRows(file, text, columns, members)
  if (isStrict && unknown !== undefined) throw new ControlError(unknown)
  try {
    seed({ workspaces: [{ id: workspace_id, tables: [{ id, rows: [...rows] }] }] })
  } catch (error) {
    if (!(error instanceof FixtureError)) throw error
    throw new ControlError(error.problems.map(describe).join('\n'), { cause: error })
  }
  return { added: rows.length, ignored }
}
