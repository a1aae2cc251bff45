// Property test of the id index, compared with a plain search, while ids are added, repeated and removed at the end.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { SlotIndex } from '../../src/service/store/slot-index.ts'

const id = fc.oneof(
  fc.nat(12).map((number) => `row_${String(number)}`),
  fc.nat(12).map((number) => `row_${String(number).padStart(6, '0')}`),
  fc.constantFrom('', 'a', 'row_', '9', 'r9007199254740993', '0001', '1'),
)
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ add: id }) },
  { weight: 6, arbitrary: fc.constant('next' as const) },
  fc.constant('remove' as const),
  { weight: 2, arbitrary: fc.record({ find: id }) },
)

it('SlotIndex.of returns the last place of an id while rows are added and removed at the end', () => {
  fc.assert(
    fc.property(fc.nat(12), fc.array(step, { maxLength: 40 }), (first, steps) => {
      const rows: { readonly id: string }[] = []
      const removed = new Set<string>()
      const index = new SlotIndex(rows)
      const placeOf = (given: string) => {
        const slot = rows.findLastIndex((row) => row.id === given)
        return slot === -1 ? undefined : slot
      }
      const add = (given: string) => void rows.push({ id: given })
      for (const each of steps) {
        if (each === 'next') add(`row_${String(first + rows.length).padStart(6, '0')}`)
        else if (each === 'remove') {
          const last = rows.pop()
          if (last) {
            index.removed(last)
            removed.add(last.id)
          }
        } else if ('add' in each) add(each.add)
        else expect(index.of(each.find)).toBe(placeOf(each.find))
      }
      for (const given of [...removed, ...rows.map((row) => row.id)])
        expect(index.of(given)).toBe(placeOf(given))
    }),
    { numRuns: 2000 },
  )
})
