// What a run of verify removes, and what it reports as left behind, on deployments that hide what they stored or refuse
// to remove it.
import { expect, test } from 'vitest'
import { createWorkspaceMock, type WorkspaceMock } from 'workspace-api-mock'
import type { OperationId } from '../../src/contract/index.ts'
import { verify } from 'workspace-api-mock/verify'
import { deployment, type Rewriting } from './support/deployment.ts'
import { inProcess } from './support/scrambles.ts'

const columns = [{ id: 'col_name', name: 'Name', type: 'text' }] as const
const rows = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ data: { col_name: `Row ${String(index)}` } }))

/** A workspace with a list and a table of `count` rows. */
const newMock = (count: number) =>
  createWorkspaceMock({
    advanceOnPoll: false,
    fixture: {
      workspaces: [
        {
          keys: [{ key: 'wm_one', name: 'one' }],
          members: [{ name: 'Ada' }],
          tables: [{ id: 'tbl_one', name: 'One', columns, rows: rows(count) }],
          spaces: [{ name: 'One', lists: [{ name: 'One', tasks: [{ title: 'One' }] }] }],
        },
      ],
    },
  })

async function left(mock: WorkspaceMock, only: string[], operation: OperationId, rewriting: Rewriting) {
  const run = inProcess(mock, 'one')
  const fetch = deployment(mock, operation, rewriting)
  const { leftBehind } = await verify({ ...run, fetch, write: true, only })
  const whys = new Map(leftBehind.map(({ what, why }) => [what.replace(/ \S+( \(.*\))?$/, ''), why]))
  return { leftBehind, whys }
}

/** Deployments that store a record but do not say so. */
const silent: readonly (readonly [string, Rewriting])[] = [
  ['status 500', { reply: (response) => void (response.status = 500) }],
  ['a page', { reply: (response) => void (response.json = '<html>') }],
  [
    'no response',
    {
      reply: () => {
        throw new TypeError('terminated')
      },
    },
  ],
]

// Without a response to its request, the run does not continue with bulk rows.
const rowMakers = [
  ...silent.map(([what, rewriting]) => ['createRow', what, rewriting] as const),
  ...silent.slice(0, 2).map(([what, rewriting]) => ['bulkInsertRows', what, rewriting] as const),
]
test.for(rowMakers)(
  'verify removes rows that %s stored and answered with %s',
  async ([operation, , rewriting]) => {
    const mock = newMock(3)
    await left(mock, ['createRow/same-twice', 'bulkInsertRows/inserts'], operation, rewriting)
    expect(mock.requests({ operation }).some(({ status }) => status < 300)).toBe(true)
    expect(mock.db.rows('tbl_one').count()).toBe(3)
  },
)

test.for(silent)('verify removes tasks that were stored and answered with %s', async ([, rewriting]) => {
  const mock = newMock(3)
  await left(mock, ['createTask/title-alone'], 'createTask', rewriting)
  const made = mock.db.tasks.findMany().filter(({ title }) => title.startsWith('verify-test'))
  expect(made).not.toEqual([])
  expect(made.filter(({ deleted_at }) => deleted_at === null)).toEqual([])
})

test('verify finds its rows on any page of a large table', async () => {
  const mock = newMock(1100)
  await left(mock, ['bulkInsertRows/inserts'], 'getIdentity', {})
  expect(mock.db.rows('tbl_one').count()).toBe(1100)
})

test('verify finds its rows where a deployment shows their text in another type', async () => {
  const mock = newMock(3)
  const { leftBehind } = await left(mock, ['bulkInsertRows/inserts'], 'listRows', {
    reply: ({ json }) => {
      for (const { data } of json.rows) data.col_name = { text: [data.col_name] }
    },
  })
  expect(mock.db.rows('tbl_one').count()).toBe(3)
  expect(leftBehind.map(({ what }) => what).filter((what) => what.includes('row'))).toEqual([])
})

test('verify counts records that are gone already as removed', async () => {
  const gone: Rewriting = { reply: (response) => void (response.status = 404) }
  const { whys } = await left(newMock(3), ['createRow/same-twice'], 'deleteRow', gone)
  expect([...whys.keys()]).not.toContain('row')
})

test.for([
  ['deleteRow', 'createRow/same-twice', 'row'],
  ['deleteTask', 'createTask/title-alone', 'task'],
] as const)(
  'verify names what %s refuses to remove, with the words of the refusal',
  async ([operation, rule, what]) => {
    const refusing: Rewriting = {
      ask: (asked) => {
        asked.instead = { status: 409, json: { error: 'not now' }, headers: new Headers() }
      },
    }
    const { whys } = await left(newMock(3), [rule], operation, refusing)
    expect(whys.get(what)).toBe('it is still listed after it was removed')
    const { leftBehind } = await left(newMock(3), [rule], operation, refusing)
    expect(leftBehind.map(({ why }) => why)).toContain(`${operation} responds with status 409, "not now"`)
  },
)

test('verify names rows that a deployment keeps although it says that they are removed', async () => {
  const mock = newMock(3)
  const keeping: Rewriting = {
    ask: (asked) => {
      asked.instead = { status: 200, json: { success: true }, headers: new Headers() }
    },
  }
  const { leftBehind } = await left(mock, ['bulkInsertRows/inserts'], 'deleteRow', keeping)
  const kept = mock.db.rows('tbl_one').count() - 3
  expect(kept).toBeGreaterThan(0)
  const named = leftBehind.filter(({ why }) => why === 'it is still listed after it was removed')
  expect(named).toHaveLength(kept)
})

test('verify names the space and the lists that it made, which no operation deletes', async () => {
  const mock = newMock(3)
  const { leftBehind } = await left(mock, ['createList/lists'], 'getIdentity', {})
  const spaces = mock.db.spaces.findMany().filter(({ name }) => name.startsWith('verify-test'))
  const lists = mock.db.lists.findMany().filter(({ space_id }) => space_id === spaces[0]?.id)
  expect(lists.length).toBeGreaterThan(1)
  // Lists are named in the order of their creation.
  const named = leftBehind.map(({ what }) => what.split(' ').slice(0, 2).join(' '))
  expect(named).toEqual([`space ${spaces[0]!.id}`, ...lists.map(({ id }) => `list ${id}`)])
  expect(new Set(leftBehind.map(({ why }) => why))).toEqual(
    new Set(['space', 'list'].map((what) => `the API has no operation that deletes a ${what}`)),
  )
})

test.for(
  silent.flatMap(([what, rewriting]) =>
    (['createSpace', 'createList'] as const).map((operation) => [operation, what, rewriting] as const),
  ),
)('verify names what %s stored and answered with %s', async ([operation, , rewriting]) => {
  const mock = newMock(3)
  const only = ['createSpace/own-space', 'createList/lists']
  const { leftBehind } = await left(mock, only, operation, rewriting)
  const namesOf = ({ db }: WorkspaceMock) => [
    ...db.spaces.findMany().map(({ id }) => `space ${id}`),
    ...db.lists.findMany().map(({ id }) => `list ${id}`),
  ]
  const former = namesOf(newMock(3))
  const made = namesOf(mock).filter((name) => !former.includes(name))
  expect(made.filter((name) => name.startsWith('space')).length).toBeGreaterThan(0)
  const named = leftBehind.map(({ what }) => what.split(' ').slice(0, 2).join(' '))
  expect(named.filter((what) => /^(?:space|list) /.test(what)).sort()).toEqual(made.sort())
})

const unreadable: readonly (readonly [string, (json: any) => unknown])[] = [
  ['an object in place of rows', ({ rows: all, ...rest }) => ({ ...rest, rows: { ...all } })],
  ['null among rows', ({ rows: all, ...rest }) => ({ ...rest, rows: [null, ...all] })],
  ['null alone', () => null],
]
const withBodies = (change: (json: any) => unknown): Rewriting => ({
  reply: (response) => {
    if (response.status === 200) response.json = change(response.json)
  },
})
const bulkRows = ['bulkInsertRows/inserts', 'bulkInsertRows/some-fail']

test.for(unreadable)('verify removes its rows although listRows shows %s', async ([, change]) => {
  const mock = newMock(3)
  await left(mock, bulkRows, 'listRows', withBodies(change))
  expect(mock.db.rows('tbl_one').count()).toBe(3)
})

test('verify says which rows are its own where no operation lists them', async () => {
  const mock = newMock(3)
  const { reply } = withBodies(() => null)
  const fetch = deployment(mock, 'listRows', { reply: reply! })
  const query = deployment(mock, 'queryRows', { reply: reply! })
  const isQuery = (request: Request) => request.url.endsWith('/query')
  const { leftBehind } = await verify({
    ...inProcess(mock, 'one'),
    fetch: async (request) => (isQuery(request) ? query(request) : fetch(request)),
    write: true,
    only: bulkRows,
  })
  expect(leftBehind).toContainEqual({
    what: 'rows of table tbl_one',
    why: expect.stringMatching(
      /rows can be read with neither listRows nor queryRows .*begins with "verify-test"/,
    ),
  })
})

test('verify says which spaces are its own where listSpaces cannot be read', async () => {
  const mock = newMock(3)
  const isMade = () => mock.requests({ operation: 'createSpace' }).length > 0
  const lists = deployment(
    mock,
    'listSpaces',
    withBodies((json) => (isMade() ? null : json)),
  )
  const makes = deployment(mock, 'createSpace', { reply: (response) => void (response.status = 500) })
  const { leftBehind } = await verify({
    ...inProcess(mock, 'one'),
    fetch: async (request) => (request.method === 'GET' ? lists(request) : makes(request)),
    write: true,
    only: ['createSpace/own-space'],
  })
  expect(leftBehind).toContainEqual({
    what: 'any spaces and lists whose names begin with "verify-test"',
    why: expect.stringMatching(/^the search failed: /),
  })
})
