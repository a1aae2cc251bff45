// Splits CSV into records with line numbers. Detects the separator and the line ending.
import { CsvError, parse, type Options } from 'csv-parse/browser/esm/sync'
import { quote } from '../../../contract/text/quote.ts'

export interface CsvRecord {
  /** The number of its first line, from 1. */
  readonly line: number
  readonly fields: readonly string[]
}

export interface CsvRecords {
  readonly separator: string
  /** Excludes blank records; ends at the first misplaced quote. */
  readonly records: readonly CsvRecord[]
  /** A quote that is never closed, or is followed by text. Nothing after it can be read. */
  readonly wrongQuote: { readonly line: number; readonly text: string } | undefined
}

const separators = [',', ';', '\t', '|']

/** The parts of a text outside quotes. */
function* partsOutsideQuotes(text: string): Generator<string> {
  for (let at = 0; ;) {
    const open = text.indexOf('"', at)
    yield text.slice(at, open < 0 ? undefined : open)
    const close = open < 0 ? -1 : text.indexOf('"', open + 1)
    if (close < 0) return
    at = close + 1
  }
}

/** A carriage return ends a line only in files without line feeds; otherwise it is part of a value. */
function findLineEnds(text: string): string[] {
  for (const part of partsOutsideQuotes(text)) if (part.includes('\n')) return ['\r\n', '\n']
  return ['\r']
}

interface Split {
  readonly fields: string[][]
  readonly error: CsvError | undefined
}

function splitRecords(bytes: Uint8Array, given: Options): Split {
  const options: Options = { ...given, trim: true, relax_column_count: true }
  // The types require a Buffer, but any bytes work, and encoding a string here would be slow.
  const input = bytes as Buffer
  try {
    return { fields: parse(input, options), error: undefined }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    // A quote inside an unquoted value, as in 5" pipe, is literal.
    if (error.code === 'INVALID_OPENING_QUOTE' && options.relax_quotes !== true)
      return splitRecords(bytes, { ...options, relax_quotes: true })
    return { fields: recordsBeforeError(input, options), error }
  }
}

/** Parses a second time, because a callback per record would slow down every parse by half. */
function recordsBeforeError(input: Buffer, options: Options): string[][] {
  const fields: string[][] = []
  const on_record = (record: string[]) => {
    fields.push(record)
    return null
  }
  try {
    parse(input, { ...options, on_record })
  } catch {
    // The caller got this error from the first parse.
  }
  return fields
}

/** Chooses the separator that yields the most known names, then the most columns. */
function chooseSeparator(bytes: Uint8Array, record_delimiter: string[], isKnown: (name: string) => boolean) {
  const choices = separators.map((separator) => {
    const { fields } = splitRecords(bytes, { delimiter: separator, record_delimiter, to: 1 })
    const names = fields[0] ?? []
    return { separator, known: names.filter(isKnown).length, count: names.length }
  })
  return choices.sort((a, b) => b.known - a.known || b.count - a.count)[0]?.separator ?? ','
}

/** Guesses the text after the misplaced quote in a line. */
function textAfterQuote(line: string, separator: string): string {
  const fields = line.split(separator).map((field) => field.trim())
  const open = fields.find((field) => field.startsWith('"') && !/^"(?:[^"]|"")*"$/.test(field))
  return (open ?? line).replace(/^"/, '')
}

/** @param isKnown tests whether a name in the first line is a column's name or id */
export function readCsvRecords(text: string, isKnown: (name: string) => boolean): CsvRecords {
  const [first = '', named] = /^"?sep=([^\r\n])"?(?:\r\n|\r|\n|$)/i.exec(text) ?? []
  const rest = text.slice(first.length)
  const bytes = new TextEncoder().encode(rest)
  const record_delimiter = findLineEnds(rest)
  const separator = named ?? chooseSeparator(bytes, record_delimiter, isKnown)
  const { fields, error } = splitRecords(bytes, { delimiter: separator, record_delimiter })
  const lineBreak = record_delimiter.length === 1 ? /\r/g : /\n/g
  const records: CsvRecord[] = []
  let line = first === '' ? 1 : 2
  for (const each of fields) {
    if (each.some((field) => field !== '')) records.push({ line, fields: each })
    line += 1
    for (const field of each) if (/[\r\n]/.test(field)) line += field.match(lineBreak)?.length ?? 0
  }
  if (!error) return { separator, records, wrongQuote: undefined }
  const wrong = Number(error.lines) + (first === '' ? 0 : 1)
  const lines = text.split(record_delimiter.length === 1 ? '\r' : '\n')
  return {
    separator,
    records,
    wrongQuote: { line: wrong, text: quote(textAfterQuote(lines[wrong - 1] ?? '', separator)) },
  }
}
