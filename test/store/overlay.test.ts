// The overlay, the counters and the schedule under the undo log: a rollback leaves no trace.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Counters } from '../../src/service/store/counters.ts'
import { OverlayMap, UndoLog } from '../../src/service/store/overlay.ts'
import { Schedule, type ScheduleEntry } from '../../src/service/store/schedule.ts'

const key: fc.Arbitrary<string> = fc.constantFrom('a', 'b', 'c', 'd')
const change = fc.tuple(key, fc.option(fc.nat(9)))

describe('OverlayMap', () => {
  it('has the same entries as a map, and after a rollback its former entries', () => {
    fc.assert(
      fc.property(fc.array(change), fc.array(change), fc.array(change), (given, kept, undone) => {
        const value = (number: number) => ({ number })
        const base = new Map(given.flatMap(([id, number]) => (number === null ? [] : [[id, value(number)]])))
        const undo = new UndoLog()
        const overlay = new OverlayMap(base, undo)
        const expected = new Map(base)
        const write = ([id, number]: readonly [string, number | null]) => {
          if (number === null) overlay.delete(id)
          else overlay.set(id, value(number))
        }
        for (const [id, number] of kept) {
          write([id, number])
          if (number === null) expected.delete(id)
          else expected.set(id, value(number))
        }
        const changes = [...overlay.changes]
        const outer = undo.begin()
        undone.forEach(write)
        undo.rollback(outer)
        expect([...overlay.changes]).toEqual(changes)
        expect(new Map(overlay.entries())).toEqual(expected)
        for (const id of ['a', 'b', 'c', 'd']) expect(overlay.get(id)).toEqual(expected.get(id))
      }),
    )
  })
})

describe('Schedule', () => {
  const kind = fc.constantFrom('job', 'repeat', 'purge')
  const entry: fc.Arbitrary<ScheduleEntry> = fc.record({ kind, id: key, dueMs: fc.nat(5) })
  const act = fc.oneof(
    entry,
    entry.map((each) => ({ ...each, dueMs: null })),
  )

  it('returns the entry due first, and of several due together the one scheduled first, rolled back or not', () => {
    fc.assert(
      fc.property(fc.array(act), fc.array(act), (kept, undone) => {
        const undo = new UndoLog()
        const schedule = new Schedule(undo)
        let expected: ScheduleEntry[] = []
        const apply = ({ kind: of, id, dueMs }: (typeof kept)[number]) => {
          schedule.set(of, id, dueMs)
        }
        for (const each of kept) {
          apply(each)
          expected = expected.filter((other) => other.kind !== each.kind || other.id !== each.id)
          if (each.dueMs !== null) expected.push({ ...each, dueMs: each.dueMs })
        }
        const outer = undo.begin()
        undone.forEach(apply)
        undo.rollback(outer)
        const first = Math.min(...expected.map(({ dueMs }) => dueMs))
        expect(schedule.next).toEqual(expected.find(({ dueMs }) => dueMs === first) ?? null)
        expect(schedule.entries()).toEqual(expected)
      }),
    )
  })
})

describe('Schedule.next', () => {
  it('returns entries in order while they are rescheduled and cancelled as time passes', () => {
    const entries = fc.array(fc.record({ id: fc.nat(200), dueMs: fc.nat(50), again: fc.option(fc.nat(9)) }), {
      size: 'large',
    })
    fc.assert(
      fc.property(entries, (planned) => {
        const schedule = new Schedule(new UndoLog())
        for (const { id, dueMs } of planned) schedule.set('job', String(id), dueMs)
        const again = planned.flatMap((each) => each.again ?? [])
        let last = 0
        for (let entry = schedule.next; entry; entry = schedule.next) {
          expect(entry.dueMs).toBe(Math.min(...schedule.entries().map(({ dueMs }) => dueMs)))
          expect(entry.dueMs).toBeGreaterThanOrEqual(last)
          last = entry.dueMs
          const later = again.pop()
          schedule.set('job', entry.id, later === undefined ? null : last + later)
        }
        expect(schedule.entries()).toEqual([])
      }),
      { numRuns: 20 },
    )
  })
})

describe('Counters', () => {
  it('give no id twice, and start over after the last exact integer', () => {
    fc.assert(
      fc.property(fc.constantFrom(0, 7, Number.MAX_SAFE_INTEGER - 2), fc.nat(6), (last, count) => {
        const counters = new Counters(new UndoLog(), {
          ...{ ids: {}, autonumbers: {}, windows: { minute: {}, month: {} } },
          ids: { task: last },
        })
        const taken = new Set<string>()
        for (let made = 0; made <= count; made++) {
          const id = counters.nextId('task', (each) => taken.has(each))
          expect(taken.has(id)).toBe(false)
          taken.add(id)
        }
        expect(Number.isSafeInteger(counters.state().ids.task)).toBe(true)
      }),
    )
  })
})
