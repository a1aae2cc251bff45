// Rows of the run's own with values that expose wrong filters: texts within texts, missing values, ends of ranges.
import type { Column } from '../../../contract/datatables.ts'
import type { Context } from '../../engine/rule.ts'
import type { WholeTable } from '../../engine/discovery.ts'
import { cellsOf, type Cells } from './shapes.ts'

export interface Sample {
  /** The table with the rows of the sample alone. */
  readonly table: WholeTable
  readonly text: Column
  /** Held by the text of every row of the sample. */
  readonly marker: string
}

/** A value that a column of each type takes, or undefined for what the API does not write. */
export async function sampleValue({ seen }: Context, { type, options, readonly }: Column): Promise<unknown> {
  const [option] = options ?? []
  if (readonly) return undefined
  switch (type) {
    case 'longtext':
    case 'phone':
      return 'verify'
    case 'email':
      return 'verify@example.com'
    case 'link':
      return 'https://example.com/verify'
    case 'number':
    case 'currency':
    case 'slider':
      return 7
    case 'checkbox':
      return true
    case 'date':
      return 1_767_225_600
    case 'dropdown':
      return option?.id
    case 'tags':
      return option && [option.id]
    case 'people':
      return (await seen.identity()).members.slice(0, 1).map(({ id }) => id)
    default:
      return undefined
  }
}

/** A sample value for every column that is written, save the marking text. */
export async function fullCells(context: Context): Promise<Record<string, unknown>> {
  const { columns, text } = await context.own.table()
  const cells: Record<string, unknown> = {}
  for (const column of columns) {
    const value = column.id === text.id ? undefined : await sampleValue(context, column)
    if (value !== undefined) cells[column.id] = value
  }
  return cells
}

/** Five rows: all columns filled in the first, numbers that differ, nothing but the text in the last. */
async function sampleCells(context: Context, marker: string): Promise<Cells[]> {
  const { columns, text } = await context.own.table()
  const full = await fullCells(context)
  const numbers = columns.filter(
    ({ type, id }) => ['number', 'currency', 'slider', 'date'].includes(type) && id in full,
  )
  const checkbox = columns.find(({ type, id }) => type === 'checkbox' && id in full)
  const numbered = (value: number) => Object.fromEntries(numbers.map(({ id }) => [id, value]))
  return [
    { ...full, ...numbered(2), [text.id]: `${marker} alpha` },
    { ...numbered(10), ...(checkbox && { [checkbox.id]: false }), [text.id]: `${marker} alpha beta` },
    { ...numbered(5), [text.id]: `beta ${marker} alpha` },
    { ...numbered(7), [text.id]: `${marker} ALPHA` },
    { [text.id]: `alpha ${marker}` },
  ]
}

async function makeSample(context: Context): Promise<Sample> {
  const { own } = context
  const { text, ...seen } = await own.table()
  const marker = `${own.text()}s`
  const rows = []
  for (const cells of await sampleCells(context, marker)) {
    const made = await own.row(cells)
    const row = await own.readRow(made.id)
    rows.push({ id: row.id, version: row.version, cells: cellsOf(row) })
  }
  return { table: { ...seen, rows }, text, marker }
}

/** How often the sample is made anew where a request was sent twice on the way: a row may be there twice. */
const mostSamples = 5

/** Makes the sample, once. */
export const ownSample = (context: Context): Promise<Sample> =>
  context.own.once('sample', async () => {
    for (let round = 1; ; round += 1) {
      const { retries } = context.api.transport
      const sample = await makeSample(context)
      if (context.api.transport.retries === retries || round === mostSamples) return sample
    }
  })
