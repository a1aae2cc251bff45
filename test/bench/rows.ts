// The rows that benchmarks use: those of the fixture `large`, or any number of similar ones.
import type { Fixture } from '../../fixtures/types.ts'
import type { StoredRow } from '../../src/service/store/table.ts'
import { customerRows, large } from '../../fixtures/large.ts'

export const tableId = 'tbl_customers'
const largeKey = 'wm_large_master'
export const authorization = `Bearer ${largeKey}`

const repeated = (rows: readonly StoredRow[], count: number) =>
  Array.from({ length: count }, (_, index) => {
    const row = rows[index % rows.length]
    return { ...row, id: `row_${String(index + 1).padStart(5, '0')}`, data: { ...row?.data } }
  })

/** The fixture `large` with another number of rows, as after reading it from a file. */
export function largeFixture(count = 50_000): Fixture {
  const fixture = { ...large(), generated: undefined }
  const [workspace] = fixture.workspaces
  const [customers] = workspace?.tables ?? []
  if (!workspace || !customers) throw new Error('the fixture large has no table')
  const rows = repeated(customerRows(), count)
  return JSON.parse(
    JSON.stringify({ ...fixture, workspaces: [{ ...workspace, tables: [{ ...customers, rows }] }] }),
  ) as Fixture
}

/** A fixture's rows as the API returns them. */
export function rowsOf(fixture: Fixture): { id: string; version: number; data: Record<string, unknown> }[] {
  const rows = fixture.workspaces[0]?.tables?.[0]?.rows ?? []
  return rows.map(({ id = '', data = {} }) => ({ id, version: 1, data }))
}

/** Numbers less than `below` in an irregular order, the same in every run. */
export function spread(below: number): () => number {
  let state = 1
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state % below
  }
}
