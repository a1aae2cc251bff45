// Parses CSV, and converts its cells to column values.
import type { Column } from './client.ts'

/** Splits CSV into records of fields. Handles quotes, doubled quotes and line breaks within quotes. */
function parseCsv(text: string): string[][] {
  const records: string[][] = []
  let record: string[] = []
  let field = ''
  let isQuoted = false
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at)
    if (isQuoted) {
      if (character !== '"') field += character
      else if (text[at + 1] === '"') field += text.charAt((at += 1))
      else isQuoted = false
    } else if (character === '"') isQuoted = true
    else if (character === ',' || character === '\n') {
      record.push(field.replace(/\r$/, ''))
      field = ''
      if (character === '\n') {
        records.push(record)
        record = []
      }
    } else field += character
  }
  if (field !== '' || record.length > 0) records.push([...record, field])
  return records.filter((fields) => fields.some((text_) => text_ !== ''))
}

const numberTypes = new Set(['number', 'currency', 'slider'])

function valueOf(column: Column, text: string): unknown {
  // Text that is not a number is sent unchanged, and the service refuses it.
  if (numberTypes.has(column.type)) return Number.isNaN(Number(text)) ? text : Number(text)
  if (column.type === 'checkbox') return /^(?:true|yes|1)$/i.test(text)
  if (column.type === 'date') return Math.floor(Date.parse(text) / 1000)
  if (column.type === 'dropdown') return column.options?.find(({ label }) => label === text)?.id ?? text
  return text
}

export interface Sheet {
  readonly rows: readonly Readonly<Record<string, unknown>>[]
  /** The file's columns that the table has and clients may write. */
  readonly used: readonly string[]
  readonly ignored: readonly string[]
}

/** Rows keyed by column id, from a file whose first line names columns. */
export function readSheet(text: string, columns: readonly Column[]): Sheet {
  const [head = [], ...records] = parseCsv(text)
  const targets = head.map((name) => columns.find((column) => column.name === name && !column.readonly))
  const rows = records.map((fields) => {
    const entries = targets.flatMap((column, index) => {
      const field = fields[index] ?? ''
      return column && field !== '' ? [[column.id, valueOf(column, field)] as const] : []
    })
    return Object.fromEntries(entries)
  })
  return {
    rows,
    used: head.filter((_, index) => targets[index]),
    ignored: head.filter((_, index) => !targets[index]),
  }
}
