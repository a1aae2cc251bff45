// Rows of a table from CSV, whose first line names columns by name or id.
import { isMomentType } from '../../../../contract/column-types.ts'
import type { Column } from '../../../../contract/datatables.ts'
import { choicesOf, isComputedType, valueOf } from '../../parts/record-form.tsx'
import type { Directory } from '../../parts/context.ts'

/** One field, with what ends it: quotes can contain anything, a quote in them is doubled. */
const createFieldPattern = (delimiter: string) =>
  new RegExp(`(?:"((?:[^"]|"")*)"|([^${delimiter}\\r\\n]*))(${delimiter}|\\r?\\n|$)`, 'g')

function parseCsv(text: string): string[][] {
  const [head = ''] = text.split(/\r?\n/, 1)
  // Spreadsheets write semicolons where a comma is the decimal sign.
  const delimiter = [';', '\t', ','].find((each) => head.includes(each)) ?? ','
  const records: string[][] = [[]]
  for (const [whole, quoted, plain = '', end] of text.matchAll(createFieldPattern(delimiter))) {
    if (whole === '') break
    records.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain)
    if (end !== delimiter) records.push([])
  }
  return records.filter((fields) => fields.some((field) => field !== ''))
}

/** The value for a text; an invalid one is returned as it is, for the mock to refuse. */
function parseValue(column: Column, text: string, directory: Directory): unknown {
  const { type } = column
  if (text === '') return null
  if (type === 'checkbox') return /^(?:true|yes|1)$/i.test(text)
  if (isMomentType(type)) return Number.isNaN(Date.parse(text)) ? text : Math.floor(Date.parse(text) / 1000)
  const choices = choicesOf(column, directory)
  const idOf = (label: string) => choices.find((choice) => choice.label === label)?.id ?? label
  if (type === 'dropdown') return idOf(text)
  return type === 'tags' || type === 'people' ? text.split(/\s*,\s*/).map(idOf) : valueOf(column, text)
}

interface CsvRows {
  readonly rows: readonly { readonly data: Readonly<Record<string, unknown>> }[]
  readonly ignored: readonly string[]
}

export function readCsvRows(text: string, columns: readonly Column[], directory: Directory): CsvRows {
  const [heads = [], ...records] = parseCsv(text.replace(/^\uFEFF/, ''))
  const found = heads.map((head) =>
    columns.find(({ id, name, type }) => [id, name].includes(head.trim()) && !isComputedType(type)),
  )
  const rows = records.map((fields) => {
    const entries = found.flatMap((column, index) =>
      column ? [[column.id, parseValue(column, fields[index]?.trim() ?? '', directory)] as const] : [],
    )
    return { data: Object.fromEntries(entries.filter(([, value]) => value !== null)) }
  })
  return { rows, ignored: heads.filter((_, index) => !found[index]) }
}
