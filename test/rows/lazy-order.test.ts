// Property tests of the lazy order: parts read in any order equal the same parts of a full sort.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LazyOrder } from '../../src/service/rows/lazy-order.ts'

const keys = fc.oneof(
  fc.array(fc.integer({ min: 0, max: 5 }), { maxLength: 3000 }),
  fc.array(fc.integer(), { minLength: 200, maxLength: 3000 }),
  fc.integer({ min: 0, max: 3000 }).map((length) => Array.from({ length }, (_, index) => length - index)),
)
const reads = fc.array(fc.tuple(fc.nat(3500), fc.nat(600)), { minLength: 1, maxLength: 12 })

describe('LazyOrder', () => {
  it('slice returns the order of a stable sort when parts are read in any order', () => {
    fc.assert(
      fc.property(keys, reads, (values, parts) => {
        const compare = (a: number, b: number) => (values[a] ?? 0) - (values[b] ?? 0) || a - b
        const order = new LazyOrder(values.length, compare)
        const sorted = values.map((_, index) => index).sort(compare)
        for (const [from, size] of parts) {
          const start = Math.min(from, values.length)
          expect([...order.slice(start, from + size)]).toEqual(sorted.slice(start, from + size))
        }
      }),
      { numRuns: 150 },
    )
  })
})
