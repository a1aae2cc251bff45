// Rows of the run's own with values that expose wrong filters: texts within texts, missing values, ends of ranges.
import type { WholeTable } from '../../engine/discovery.ts'
import type { OwnTable } from '../../engine/own.ts'
import type { Context } from '../../engine/rule.ts'
import { isNumeric, writtenCells } from './cells.ts'
import { cellsOf, type Cells } from './shapes.ts'

/** The table that the run writes to, with the rows of the sample alone. */
export interface Sample extends OwnTable, WholeTable {
  /** Held by the text of every row of the sample. */
  readonly marker: string
}

/** Five rows: all columns filled in the first, numbers that differ, nothing but the text in the last. */
async function sampleCells(context: Context, marker: string): Promise<Cells[]> {
  const { columns, text } = await context.own.table()
  const full = await writtenCells(context, 'sample')
  const numbers = columns.filter((column) => isNumeric(column) && column.id in full)
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
  const table = await own.table()
  const marker = `${own.text()}s`
  const rows = []
  for (const cells of await sampleCells(context, marker)) {
    const made = await own.row(cells)
    const row = await own.readRow(made.id)
    rows.push({ id: row.id, version: row.version, cells: cellsOf(row) })
  }
  return { ...table, rows, marker }
}

/** How often the sample is made anew where a request was sent twice on the way: a row may be there twice. */
const mostSamples = 5

/** Makes the sample, once. */
export const ownSample = (c: Context): Promise<Sample> =>
  c.own.once('sample', async () => {
    for (let round = 1; ; round += 1) {
      const { retries } = c.api.transport
      const sample = await makeSample(c)
      if (c.api.transport.retries === retries || round === mostSamples) return sample
    }
  })
