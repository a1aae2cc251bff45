// Property test of the cached JSON of rows: whatever was read before, reads show the current state.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createWorkspaceMock, type AnswersInput } from '../../src/index.ts'
import type { ColumnType } from '../../src/contract/datatables.ts'
import { tableOf } from './support/table.ts'

const headers = { authorization: 'Bearer wm_a', 'content-type': 'application/json' }
const path = '/datatables/tbl_a/rows'
const ids = ['r0', 'r1', 'r2']

const steps = fc.oneof(
  fc.record({
    change: fc.constantFrom(...ids),
    data: fc.record(
      { col_text: fc.option(fc.string()), col_number: fc.option(fc.integer()) },
      { requiredKeys: [] },
    ),
  }),
  fc.record({
    answers: fc.record({
      rowShape: fc.constantFrom('data', 'flat', 'flatInLists'),
      emptyColumns: fc.constantFrom('null', 'absent'),
    }),
  }),
  fc.constant({ reset: true }),
  fc.record({ column: fc.constantFrom('text', 'number', 'checkbox') }),
)

const fresh = (answers: AnswersInput = {}) =>
  createWorkspaceMock({
    fixture: tableOf([{ col_text: 'a', col_number: 1 }, { col_number: 2 }, {}]),
    answers,
  })

async function addColumn(mock: ReturnType<typeof fresh>, type: ColumnType): Promise<void> {
  await mock.db.tables.update((query) => query.where({ id: 'tbl_a' }), {
    data: (table) => {
      const number = String(table.columns.length)
      table.columns = [
        ...table.columns,
        { id: `col_${number}`, name: `More ${number}`, type, readonly: false },
      ]
    },
  })
}

async function read(mock: ReturnType<typeof fresh>): Promise<string[]> {
  const paths = [...ids.map((id) => `${path}/${id}`), path, `${path}?sort=Number:desc`]
  return Promise.all(paths.map(async (one) => (await mock.fetch(one, { headers })).text()))
}

describe('getRow and listRows', () => {
  it('listRows answers 200 with the rows of a mock that was never read when rows or answers changed or it was reset', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(steps, { maxLength: 8 }), async (given) => {
        const mock = fresh()
        for (const step of given) {
          await read(mock)
          if ('reset' in step) mock.reset()
          else if ('column' in step) await addColumn(mock, step.column)
          else if ('answers' in step) mock.setAnswers(step.answers)
          else
            await mock.fetch(`${path}/${step.change}`, {
              method: 'PATCH',
              headers,
              body: JSON.stringify({ data: step.data }),
            })
        }
        const unread = fresh(mock.answers)
        unread.loadState(mock.state())
        expect(await read(mock)).toEqual(await read(unread))
      }),
      { numRuns: 40 },
    )
  })
})
