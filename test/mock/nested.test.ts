// Deeply nested input from users is accepted or refused with a message, and never overflows the stack.
import { expect, test } from 'vitest'
import { createWorkspaceMock } from '../../src/index.ts'
import { parseJsonFile } from '../../src/adapters/control-api/decode.ts'

const mock = createWorkspaceMock()
function nest(levels: number) {
  let value: object = {}
  for (let level = 0; level < levels; level++) value = level % 2 === 0 ? { value } : [value]
  return value as never
}
const deep = nest(100_000)
const seed = { tasks: [{ list_id: 'lst_support', title: 'T', custom_data: { x: deep } }] }
const extend = { path: '/lists/lst_support/tasks', count: 1, values: { title: deep } }

test.each<[string, () => unknown]>([
  ['a fixture', () => createWorkspaceMock({ fixture: deep })],
  ['an option', () => createWorkspaceMock({ answers: { queryText: deep } })],
  ['a state', () => mock.loadState(deep)],
  ['a seed', () => mock.seed(seed)],
  ['a snapshot', () => mock.restore({ ...mock.snapshot(), more: deep })],
  ['a saved snapshot', () => mock.snapshots.add('deep', deep)],
  ['a fault', () => mock.fault(deep)],
  ['a response', () => mock.fault({ effect: { respond: { status: 200, body: deep } } })],
  ['a match', () => mock.fault({ operation: 'createTask', status: 503, match: { body: deep } })],
  ['further tasks', () => mock.fault({ effect: { extend } })],
  ['a record', () => mock.db.tasks.create({ list_id: 'lst_support', title: 'T', custom_data: deep })],
  ['a row', () => mock.db.rows('tbl_coffees').create({ data: { col_name: deep } })],
  ['a submission', () => mock.submitForm('frm_sample', deep)],
  ['a file', () => parseJsonFile('deep.json', `${'['.repeat(100_000)}${']'.repeat(100_000)}`)],
])('%s nested 100,000 deep is refused in words', async (_, give) => {
  const before = JSON.stringify(mock.state())
  const error: unknown = await Promise.resolve()
    .then(give)
    .then(() => undefined)
    .catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(Error)
  expect((error as Error).message).toMatch(/must|not|received/)
  expect((error as Error).message).not.toMatch(/call stack/i)
  expect(JSON.stringify(mock.state())).toBe(before)
})
