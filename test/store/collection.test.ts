// Collections compared with a plain array: whatever is put, removed and undone, ids, groups and order are the same.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ResourceCollection } from '../../src/service/store/collection.ts'
import { findFirstIndex, type Index } from '../../src/service/store/collection.ts'
import { UndoLog } from '../../src/service/store/overlay.ts'
import { BaseTable } from '../../src/service/store/table.ts'

interface Note {
  readonly id: string
  readonly owner: string
  readonly at: number
}

const byOwner: Index<Note> = { keysOf: ({ owner }) => [owner] }
const byBoth: Index<Note> = { keysOf: ({ owner, at }) => (at > 2 ? [owner, 'late'] : []) }
const inTime: Index<Note> = {
  keysOf: ({ owner }) => [owner],
  compare: (a, b) => a.at - b.at || Number(a.id > b.id) - Number(a.id < b.id),
}
const indexes = [byOwner, byBoth, inTime]

const id = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g')
const owner = fc.constantFrom('x', 'y', 'z')
const note: fc.Arbitrary<Note> = fc.record({ id, owner, at: fc.integer({ min: 0, max: 4 }) })
type Step =
  | { readonly put: Note }
  | { readonly remove: string }
  | { readonly look: number }
  | { readonly slots: true }
  | { readonly take: readonly Step[] }
const write = fc.oneof(
  note.map((put): Step => ({ put })),
  id.map((remove): Step => ({ remove })),
)
const step = fc.oneof(
  { weight: 6, arbitrary: write },
  { weight: 2, arbitrary: fc.nat(2).map((look): Step => ({ look })) },
  { weight: 1, arbitrary: fc.constant<Step>({ slots: true }) },
  { weight: 1, arbitrary: fc.array(write, { maxLength: 4 }).map((take): Step => ({ take })) },
)

/** The base's records in their order, then the others in the order in which they were last added. */
class Naive {
  order: string[]
  readonly records: Map<string, Note>

  constructor(base: readonly Note[]) {
    this.order = base.map((record) => record.id)
    this.records = new Map(base.map((record) => [record.id, record]))
  }

  apply(each: Step): void {
    if ('put' in each) {
      const { id: added } = each.put
      if (!this.records.has(added)) this.order = [...this.order.filter((other) => other !== added), added]
      this.records.set(each.put.id, each.put)
    } else if ('remove' in each) this.records.delete(each.remove)
  }

  all(): Note[] {
    return this.order.flatMap((each) => this.records.get(each) ?? [])
  }

  of(index: Index<Note>, key: string): Note[] {
    const group = this.all().filter((record) => index.keysOf(record).includes(key))
    return index.compare ? group.sort(index.compare) : group
  }
}

function apply(collection: ResourceCollection<Note>, undo: UndoLog, each: Step): void {
  if ('put' in each) collection.put(each.put)
  else if ('remove' in each) collection.remove(each.remove)
  else if ('look' in each) collection.of(indexes[each.look] ?? byOwner, 'x')
  else if ('slots' in each) collection.slots()
  else {
    const outer = undo.begin()
    for (const inner of each.take) apply(collection, undo, inner)
    undo.rollback(outer)
  }
}

function expectSame(collection: ResourceCollection<Note>, naive: Naive): void {
  const all = naive.all()
  expect(collection.all()).toEqual(all)
  expect(collection.count).toBe(all.length)
  expect(collection.slots().filter((record) => record !== null)).toEqual(all)
  expect(collection.slice(1, 2)).toEqual(all.slice(1, 3))
  for (const each of ['a', 'b', 'c', 'd', 'e', 'f', 'g']) {
    expect(collection.get(each)).toEqual(naive.records.get(each))
    expect(collection.isDeleted(each)).toBe(naive.order.includes(each) && !naive.records.has(each))
  }
  for (const index of indexes)
    for (const key of ['x', 'y', 'z', 'late', 'none'])
      expect(collection.of(index, key)).toEqual(naive.of(index, key))
}

/** A record changes before another is removed and added again; all are read afterwards. */
const tiedBase = ['g', 'c', 'a', 'b', 'f', 'd'].map((id): Note => ({
  id,
  owner: 'x',
  at: id === 'f' ? 0 : 3,
}))
const changedAndAddedAgain: Step[] = [
  { put: { id: 'f', owner: 'x', at: 3 } },
  { remove: 'a' },
  { put: { id: 'a', owner: 'x', at: 0 } },
]

describe('a collection', () => {
  it('has the same records as an array after any writes, lookups and rollbacks', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(note, { selector: ({ id: each }) => each }),
        fc.array(step),
        (base, steps) => {
          const undo = new UndoLog()
          const records = new BaseTable<Note>(base)
          const collection = new ResourceCollection('notes', records, undo)
          const naive = new Naive(base)
          for (const each of steps) {
            apply(collection, undo, each)
            naive.apply(each)
          }
          expectSame(collection, naive)
          // A fork has the same records, and the base is unchanged.
          expectSame(new ResourceCollection('notes', records, new UndoLog(), collection.changes()), naive)
          expectSame(new ResourceCollection('notes', records, new UndoLog()), new Naive(base))
        },
      ),
      { numRuns: 400, examples: [[tiedBase, changedAndAddedAgain]] },
    )
  })
})

describe('findFirstIndex', () => {
  it('returns the first index from which a condition holds', () => {
    fc.assert(
      fc.property(fc.array(fc.integer()), fc.integer(), (values, least) => {
        const sorted = values.sort((a, b) => a - b)
        const found = sorted.findIndex((value) => value >= least)
        expect(findFirstIndex(sorted, (value) => value >= least)).toBe(found === -1 ? sorted.length : found)
      }),
    )
  })
})
