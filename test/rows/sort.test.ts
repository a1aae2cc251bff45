// Property tests of sorting: packed keys compared with plain comparison of lower-cased text.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createWorkspaceMock } from '../../src/index.ts'
import { tableOf } from './support/table.ts'

const letters = fc.constantFrom(
  'a',
  'A',
  'b',
  'z',
  'Z',
  '_',
  '~',
  ' ',
  '0',
  'é',
  'É',
  'İ',
  'ß',
  '\u007f',
  '\u0000',
  '😀',
  'ﬀ',
)
const texts = fc.string({ unit: letters, maxLength: 12 })
const values = fc.array(fc.oneof(fc.constant(null), texts), { maxLength: 60 })

/** Sorts as question emptyValues says: by lower-cased code units, empty values last, ties in insertion order. */
function naive(given: readonly (string | null)[], isDescending: boolean): (string | null)[] {
  const filled = given.filter((value): value is string => value !== null && value !== '')
  const folded = (value: string) => value.toLowerCase()
  const sign = isDescending ? -1 : 1
  const sorted = filled.toSorted((a, b) => (folded(a) < folded(b) ? -sign : folded(a) > folded(b) ? sign : 0))
  return [...sorted, ...given.filter((value) => value === null || value === '')]
}

describe('listRows', () => {
  it.each([false, true])(
    'listRows answers 200 in the order of lower-cased text, descending: %s',
    async (isDescending) => {
      await fc.assert(
        fc.asyncProperty(values, async (given) => {
          const mock = createWorkspaceMock({ fixture: tableOf(given.map((col_text) => ({ col_text }))) })
          const sort = encodeURIComponent(`Text:${isDescending ? 'desc' : 'asc'}`)
          const reply = await mock.fetch(
            new Request(`${mock.baseUrl}/datatables/tbl_a/rows?limit=500&sort=${sort}`, {
              headers: { authorization: 'Bearer wm_a' },
            }),
          )
          const { rows } = (await reply.json()) as { rows: { data: { col_text: string | null } }[] }
          expect(rows.map(({ data }) => data.col_text)).toEqual(naive(given, isDescending))
        }),
        { numRuns: 100 },
      )
    },
  )
})
