// Snapshots are opaque: an edited one, or one from another version, is refused and changes nothing.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createWorkspaceMock, type Fixture, type Snapshot } from '../../src/index.ts'
import { testFixture } from '../behaviour/support/fixture.ts'
import { change } from './support/changes.ts'

const start = () =>
  createWorkspaceMock({ fixture: structuredClone(testFixture) as unknown as Fixture, advanceOnPoll: false })

type Json = Record<string, unknown> | unknown[]
const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null

/** Every object and array of a value. */
function* containers(value: unknown): Generator<Json> {
  if (!isJson(value)) return
  yield value
  for (const inner of Object.values(value)) yield* containers(inner)
}

const values = [undefined, 7, -1, 1.5, 1e12, 'x', '', null, true, [], {}, [7], { id: 'x' }]
const edit = fc.record({ at: fc.nat(), key: fc.nat(), value: fc.constantFrom(...values), other: fc.nat() })

/** Replaces, removes or duplicates a part, chosen by numbers of any size. */
function mutate(
  snapshot: Snapshot,
  { at, key, value, other }: ReturnType<typeof edit.generate>['value'],
): void {
  const all = [...containers(snapshot)].filter((each) => Object.keys(each).length > 0)
  const target = all[at % all.length]!
  const keys = Object.keys(target)
  const name = keys[key % keys.length]!
  if (Array.isArray(target) && other % 3 === 0) target.push(structuredClone(target[Number(name)]))
  else if (value === undefined && Array.isArray(target)) target.splice(Number(name), 1)
  else if (value === undefined) Reflect.deleteProperty(target, name)
  else Reflect.set(target, name, structuredClone(value))
}

/** The same JSON with its keys in reverse order. */
const reverseKeys = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(reverseKeys)
    : isJson(value)
      ? Object.fromEntries(
          Object.entries(value)
            .toReversed()
            .map(([key, part]) => [key, reverseKeys(part)]),
        )
      : value

async function takeSnapshot() {
  const mock = start()
  await change(mock)
  return { mock, snapshot: mock.snapshot(), state: mock.state() }
}
const copyOf = (snapshot: Snapshot) => JSON.parse(JSON.stringify(snapshot))

describe('mock.restore', () => {
  it('refuses a snapshot with any edit, and changes nothing', async () => {
    const { snapshot } = await takeSnapshot()
    const taken = JSON.stringify(snapshot)
    const mock = start()
    const before = mock.state()
    fc.assert(
      fc.property(fc.array(edit, { minLength: 1, maxLength: 3 }), (edits) => {
        const edited = JSON.parse(taken) as Snapshot
        for (const each of edits) mutate(edited, each)
        fc.pre(JSON.stringify(edited) !== taken)
        expect(() => mock.restore(edited)).toThrow(TypeError)
        expect(() => mock.snapshots.add('edited', edited)).toThrow(TypeError)
        expect(mock.state()).toEqual(before)
        expect(mock.snapshots.list()).toEqual([])
      }),
      { numRuns: 120 },
    )
  })

  it.each<[string, (snapshot: any) => unknown, string]>([
    [
      'a changed title',
      (snapshot) => (snapshot.records.tasks.changed[0][1].title = 'Edited'),
      'was changed since mock.snapshot() returned it: instead, edit what mock.state() returns',
    ],
    ['another base', (snapshot) => (snapshot.base = 'other:1.2.3'), 'was taken with fixture other'],
    [
      'the base of another state, and a changed clock',
      (snapshot) => {
        snapshot.base = snapshot.base.replace(/.$/, 'x')
        snapshot.clock.nowMs++
      },
      'this mock uses another state of fixture',
    ],
    ['no mark', (snapshot) => delete snapshot.mark, 'was taken by another version of workspace-api-mock'],
    [
      'the mark of version 0.4',
      (snapshot) => (snapshot.mark = '9.8.7'),
      'was taken by another version of workspace-api-mock',
    ],
  ])('says why a snapshot with %s is refused', async (_, edits, message) => {
    const { mock, snapshot } = await takeSnapshot()
    const edited = copyOf(snapshot)
    edits(edited)
    expect(() => mock.restore(edited)).toThrow(message)
    expect(() => mock.snapshots.add('edited', edited)).toThrow(message)
  })

  it('takes a snapshot whose keys were sorted by a tool or a database', async () => {
    const { snapshot, state } = await takeSnapshot()
    const mock = start()
    mock.restore(reverseKeys(copyOf(snapshot)) as Snapshot)
    expect(mock.state()).toEqual(state)
  })

  it('refuses a snapshot that was edited in place, and takes it once the edit is undone', async () => {
    const { mock, snapshot, state } = await takeSnapshot()
    const { tasks } = snapshot.records as {
      readonly tasks: { readonly changed: [number, { title: unknown }][] }
    }
    const record = tasks.changed[0]![1]
    const { title } = record
    record.title = 7
    expect(() => mock.restore(snapshot)).toThrow('was changed since mock.snapshot() returned it')
    record.title = title
    mock.reset()
    mock.restore(snapshot)
    expect(mock.state()).toEqual(state)
  })

  it('restores the same state again after changes since the first restore', async () => {
    const { mock, snapshot, state } = await takeSnapshot()
    for (let round = 0; round < 2; round++) {
      mock.restore(snapshot)
      expect(mock.state()).toEqual(state)
      await change(mock)
      mock.clock.set(state.clock! + 1_000_000)
    }
  })
})
