// Snapshots that were edited: each is refused with a path, or its state works as any other.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createWorkspaceMock, type Fixture, type Snapshot, type WorkspaceMock } from '../../src/index.ts'
import { testFixture } from '../behaviour/support/fixture.ts'
import { call, change } from './support/changes.ts'

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

/** Replaces, removes or doubles a part, chosen by numbers of any size. */
function mutate(
  snapshot: Snapshot,
  { at, key, value, other }: ReturnType<typeof edit.generate>['value'],
): void {
  const all = [...containers(snapshot)].filter((each) => Object.keys(each).length > 0)
  const target = all[at % all.length]!
  const keys = Object.keys(target).filter((name) => !['version', 'base', 'mark'].includes(name))
  const name = keys[key % keys.length]
  if (name === undefined) return
  if (Array.isArray(target) && other % 3 === 0) target.push(structuredClone(target[Number(name)]))
  else if (value === undefined && Array.isArray(target)) target.splice(Number(name), 1)
  else if (value === undefined) Reflect.deleteProperty(target, name)
  else Reflect.set(target, name, structuredClone(value))
}

const paths = [
  '/me',
  '/datatables',
  '/datatables/tbl_all/schema',
  '/datatables/tbl_all/rows?sort=Name',
  '/datatables/tbl_empty/rows',
  '/spaces',
  '/lists/lst_main',
  '/lists/lst_main/schema',
  '/lists/lst_main/tasks',
  '/tasks/tsk_plain',
  '/tasks/tsk_plain/comments',
  '/tasks/tsk_plain/time',
  '/tasks/tsk_plain/attachments',
  '/forms',
  '/jobs/job_000001',
]

/** Nothing fails in the mock itself: requests, time that passes, export and import. */
async function expectWorking(mock: WorkspaceMock): Promise<void> {
  const expectNone = async () => {
    for (const path of paths) expect(await call(mock, 'GET', path)).not.toMatch(/^5/)
  }
  await expectNone()
  expect(await call(mock, 'POST', '/lists/lst_main/tasks', { title: 'New' })).not.toMatch(/^5/)
  expect(await call(mock, 'POST', '/datatables/tbl_empty/rows', { data: {} })).not.toMatch(/^5/)
  mock.clock.advance('40d')
  await expectNone()
  const state = mock.state()
  mock.loadState(state)
  expect(mock.state()).toEqual(state)
}

describe('mock.restore', () => {
  it('refuses an edited snapshot and changes nothing, or the state works', async () => {
    const source = start()
    await change(source)
    const taken = JSON.stringify(source.snapshot())
    const counts = { refused: 0, works: 0 }
    const mock = start()
    await fc.assert(
      fc.asyncProperty(fc.array(edit, { minLength: 1, maxLength: 3 }), async (edits) => {
        const snapshot = JSON.parse(taken) as Snapshot
        for (const each of edits) mutate(snapshot, each)
        mock.reset()
        const before = mock.state()
        try {
          mock.restore(snapshot)
        } catch (error) {
          expect((error as Error).name).toMatch(/^(FixtureError|AnswerError|RangeError)$/)
          expect(mock.state()).toEqual(before)
          counts.refused += 1
          return
        }
        counts.works += 1
        await expectWorking(mock)
      }),
      { numRuns: 120 },
    )
    expect(counts.refused).toBeGreaterThan(0)
    expect(counts.works).toBeGreaterThan(0)
  })

  const edited: [string, (records: any, snapshot: any) => unknown, RegExp][] = [
    [
      'an id that differs from its slot',
      ({ tasks }) => (tasks.changed[0][1].id = 'tsk_other'),
      /records\.tasks: tsk_other\.id must be the id of the record in its place/,
    ],
    [
      'a list that is removed, its tasks not',
      ({ lists }) => lists.changed.push([0, null]),
      /records\.tasks: tsk_\w+\.list_id must be the id of a list/,
    ],
    [
      'a row that is a number',
      (_, { rows }) => (rows[0][1].added[0] = 7),
      /rows\[0\]\[1\]\.added\[0\] must be/,
    ],
    [
      'a title that is a number',
      ({ tasks }) => (tasks.changed[0][1].title = 7),
      /records\.tasks\.changed\[0\]\[1\]\.title must be/,
    ],
    [
      'a file that is not base64',
      (_, { files }) => files.push(['att_x', '?']),
      /files\[\d+\]\[1\] must be base64/,
    ],
    ['a time beyond the year 9999', (_, { clock }) => (clock.nowMs = 1e18), /clock\.nowMs must be/],
  ]

  it.each(edited)('refuses %s, naming the path', async (_, edits, message) => {
    const mock = start()
    await change(mock)
    const snapshot = JSON.parse(JSON.stringify(mock.snapshot()))
    edits(snapshot.records, snapshot)
    expect(() => mock.restore(snapshot)).toThrow(message)
    expect(() => mock.snapshots.add('edited', snapshot)).toThrow(message)
  })

  it('takes an edited snapshot whose state is valid', async () => {
    const mock = start()
    await change(mock)
    const snapshot = JSON.parse(JSON.stringify(mock.snapshot()))
    snapshot.records.tasks.changed[0][1].title = 'Edited'
    mock.reset()
    mock.restore(snapshot)
    expect(mock.db.tasks.count((query) => query.where({ title: 'Edited' }))).toBe(1)
  })

  it('refuses a snapshot that was edited in place, and takes it once the edit is undone', async () => {
    const mock = start()
    await change(mock)
    const snapshot = mock.snapshot()
    const taken = mock.state()
    const { tasks } = snapshot.records as {
      readonly tasks: { readonly changed: [number, { title: unknown }][] }
    }
    const record = tasks.changed[0]![1]
    const { title } = record
    record.title = 7
    expect(() => mock.restore(snapshot)).toThrow(/title must be a string; received 7/)
    record.title = title
    mock.reset()
    mock.restore(snapshot)
    expect(mock.state()).toEqual(taken)
  })

  it('restores the same state again after changes since the first restore', async () => {
    const mock = start()
    await change(mock)
    const snapshot = mock.snapshot()
    const taken = mock.state()
    for (let round = 0; round < 2; round++) {
      mock.restore(snapshot)
      expect(mock.state()).toEqual(taken)
      await change(mock)
      mock.clock.set(taken.clock! + 1_000_000)
    }
  })
})
