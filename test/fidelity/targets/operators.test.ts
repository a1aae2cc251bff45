// Proves that every operator treats every column type as the naive reference does.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { columnTypes } from '../../../src/contract/datatables.ts'
import { operators, type Operator } from '../../../src/contract/rows.ts'
import { allColumns, allRows, testFixture } from '../../behaviour/support/fixture.ts'
import { multipart, useMock } from '../../behaviour/support/harness.ts'
import { cover } from '../meta.ts'
import { sampled } from '../sampled.ts'
import { refused, satisfies, type OracleColumn } from './support/operator-oracle.ts'

const formula = (id: string, expression: string) => ({
  id,
  name: id,
  type: 'formula',
  formula: expression,
  readonly: true,
})
const columns = [
  ...allColumns,
  formula('col_text_formula', '{Title} + "!"'),
  formula('col_mixed_formula', '{Active} ? {Quantity} : {Quantity} > 5'),
]

/** Rows with similar values, which are hard to tell apart in comparisons. */
function moreRows() {
  const word = fc.constantFrom(
    '',
    'a',
    'A',
    'b',
    'ab',
    'Ab',
    'bA',
    'é',
    'É',
    '5',
    '10',
    '-1',
    'true',
    '\u0000',
    '😀',
  )
  const number = fc.constantFrom(-1, 0, 1, 5, 10, 10.5, 1e21, 0.1)
  const some = <T>(value: fc.Arbitrary<T>) => fc.option(value, { freq: 4 })
  const row = fc.record({
    col_text: some(word),
    col_longtext: some(word),
    col_email: some(word),
    col_phone: some(word),
    col_link: some(word),
    col_number: some(number),
    col_currency: some(number),
    col_slider: some(number),
    col_checkbox: some(fc.boolean()),
    col_date: some(fc.integer({ min: -2, max: 3 })),
    col_dropdown: some(fc.constantFrom('opt_lead', 'opt_won', 'opt_lost')),
    col_tags: some(fc.subarray(['tag_red', 'tag_blue', 'tag_green'])),
    col_people: some(fc.subarray(['mem_ada', 'mem_bo', 'mem_cy'])),
    col_datatable: some(fc.subarray(['lin_1', 'lin_2'])),
    col_autonumber: some(fc.constantFrom('INV-0005', 'INV-0010', 'inv-7')),
  })
  return fc.sample(row, { seed: 11, numRuns: 40 }).map((data, index) => ({
    id: `more_${String(index)}`,
    version: 1,
    created_at: 1000 + (index % 7),
    updated_at: 2000 + (index % 5),
    data: Object.fromEntries(Object.entries(data).filter(([, value]) => value !== null)),
  }))
}

function withMoreRows() {
  const fixture = structuredClone(testFixture) as unknown as {
    workspaces: { tables: Record<string, unknown>[] }[]
  }
  const table = fixture.workspaces[0]!.tables[0]!
  Object.assign(table, { columns, rows: [...allRows, ...moreRows()] })
  return fixture
}

function namesOf({ type, ...column }: { type: string }): ReadonlyMap<unknown, string> {
  if (type === 'people')
    return new Map([
      ['mem_ada', 'Ada Quill'],
      ['mem_bo', 'Bo Lindqvist'],
      ['mem_cy', 'Cy Marlow'],
    ])
  const { options = [] } = column as { options?: { id: string; label: string }[] }
  return new Map(options.map(({ id, label }) => [id, label]))
}

describe('operators', () => {
  const { api } = useMock({ fixture: withMoreRows() })

  async function upload(): Promise<void> {
    for (const [row, filename] of [
      ['row_1', 'a.txt'],
      ['row_1', 'B.pdf'],
      ['row_3', 'A.txt'],
    ] as const)
      await api.call('POST', `/datatables/tbl_all/rows/${row}/attachments`, {
        body: multipart([{ filename, content: 'x' }]),
      })
  }

  /** Values of a column by row id, as a client reads them. */
  async function valuesOf(id: string): Promise<[string, unknown][]> {
    const reply = await api.get('/datatables/tbl_all/rows', { query: { limit: 500 } })
    return (reply.list('rows') as { id: string; data: Record<string, unknown> }[]).map((row) => [
      row.id,
      row.data[id],
    ])
  }

  /** Single operands: values in the column, their names, and values that are never in it. */
  function operandsFor(values: readonly [string, unknown][], { names }: OracleColumn): fc.Arbitrary<unknown> {
    const held = values.flatMap(([, value]) => value).filter((value) => typeof value !== 'object')
    const texts = held
      .filter((value) => typeof value === 'string')
      .flatMap((text) => [text.slice(1), text.slice(0, 1)])
    const spelt = held.filter((value) => typeof value !== 'string').map(String)
    const odd = ['', 'zz', 'TRUE', 'true', false, 0, 7, null, {}, '__proto__', 'a.txt', '.PDF']
    const pool = [...held, ...held, ...texts, ...spelt, ...names.values(), ...names.keys(), ...odd]
    return fc.constantFrom(...new Set(pool))
  }

  const operandFor = (operator: Operator, single: fc.Arbitrary<unknown>) =>
    operator === 'between'
      ? fc.oneof(
          { weight: 9, arbitrary: fc.tuple(single, single) },
          { weight: 1, arbitrary: fc.array(single) },
        )
      : operator === 'in' || operator === 'not_in'
        ? fc.oneof(
            { weight: 9, arbitrary: fc.array(single, { maxLength: 3 }) },
            { weight: 1, arbitrary: single },
          )
        : fc.oneof({ weight: 19, arbitrary: single }, { weight: 1, arbitrary: fc.constant([]) })

  it.for(columns.map((column) => [column.id, column] as const))('%s', async ([id, declared], { task }) => {
    const type = columnTypes.find((known) => known === declared.type)!
    const { format = '' } = declared as { format?: string }
    const column: OracleColumn = { type, names: namesOf(declared), prefix: format.split('{')[0] ?? '' }
    if (type === 'attachment') await upload()
    const values = await valuesOf(id)
    const single = operandsFor(values, column)
    for (const operator of operators) {
      await fc.assert(
        fc.asyncProperty(operandFor(operator, single), async (value) => {
          const filters = [{ column: id, operator, ...(value === undefined ? {} : { value }) }]
          const reply = await api.post('/datatables/tbl_all/query', { filters, limit: 500 })
          const verdicts = values.map(
            ([row, held]) => [row, satisfies(column, operator, held, value)] as const,
          )
          if (verdicts.some(([, verdict]) => verdict === refused)) {
            expect(reply.status).toBe(400)
            expect(reply.error).toContain('filters[0].value')
          } else {
            expect(reply.status).toBe(200)
            expect(reply.pluck('rows', 'id')).toEqual(verdicts.filter(([, is]) => is).map(([row]) => row))
          }
        }),
        sampled(operator.startsWith('is_') ? 1 : 5),
      )
      cover(task.meta, 'operators', [`${type} ${operator}`])
    }
  })
})
