// Optimized reading of names and queries gives the same result as the plain way.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { parseQueryText } from '../../src/contract/data/query-text.ts'
import { findNear, suggestNearest } from '../../src/contract/text/nearest.ts'

/** Insertions, deletions, replacements and swaps of neighbours, counted without any shortcut. */
function distance(left: string, right: string): number {
  const rows = Array.from({ length: left.length + 1 }, (_, i) =>
    Array.from({ length: right.length + 1 }, (_, j) => (i === 0 ? j : j === 0 ? i : 0)),
  )
  const at = (i: number, j: number) => rows[i]?.[j] ?? Infinity
  for (let i = 1; i <= left.length; i++)
    for (let j = 1; j <= right.length; j++) {
      const isSame = left[i - 1] === right[j - 1]
      const isSwap = left[i - 1] === right[j - 2] && left[i - 2] === right[j - 1]
      const ways = [at(i - 1, j) + 1, at(i, j - 1) + 1, at(i - 1, j - 1) + (isSame ? 0 : 1)]
      if (i > 1 && j > 1 && isSwap) ways.push(at(i - 2, j - 2) + 1)
      rows[i]![j] = Math.min(...ways)
    }
  return at(left.length, right.length)
}

const name = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '_', 'd'), minLength: 1, maxLength: 8 })

it('the name nearest to another is one with the fewest edits of those near enough', () => {
  fc.assert(
    fc.property(name, fc.array(name, { maxLength: 8 }), (received, names) => {
      const edits = (text: string) => distance(received, text)
      const near = names.filter((text) => 2 * edits(text) <= Math.max(received.length, text.length))
      const found = findNear(received, names)
      expect(found === undefined).toBe(near.length === 0)
      if (found !== undefined) expect(edits(found)).toBe(Math.min(...near.map(edits)))
      const meant = names.filter((text) => 4 * edits(text) <= text.length + 1)
      expect(suggestNearest(received, names) === undefined).toBe(meant.length === 0)
    }),
    { numRuns: 2000 },
  )
})

it('a query is read as the platform reads it', () => {
  const query = fc.string({
    unit: fc.constantFrom('+', '%', '2', 'B', '0', '&', '=', 'a', ' '),
    maxLength: 20,
  })
  fc.assert(
    fc.property(query, (text) => {
      expect([...parseQueryText(text)]).toEqual([...new URLSearchParams(text)])
    }),
    { numRuns: 2000 },
  )
})
