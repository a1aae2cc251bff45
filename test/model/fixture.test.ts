// Owns the other fixtures, and that a wrong fixture is refused with the path of what is wrong.
import { describe, expect, it } from 'vitest'
import { createWorkspaceMock, defineFixture, FixtureError, type Fixture } from '../../src/index.ts'
import { testFixture } from '../behaviour/fixture.ts'
import { get } from './get.ts'

type Fields = Record<string, unknown>

describe('the other fixtures', () => {
  it('empty has one workspace, one key and one member', async () => {
    const mock = createWorkspaceMock({ fixture: 'empty' })
    expect(Object.values(mock.keys)).toEqual(['wm_empty_master'])
    expect((await get(mock, '/me', 'wm_empty_master')).list('members')).toHaveLength(1)
    for (const name of ['datatables', 'spaces', 'lists', 'forms'])
      expect((await get(mock, `/${name}`, 'wm_empty_master')).list(name)).toEqual([])
  })

  it('large has 50,000 rows, the same ones every time', async () => {
    const listing = async () => {
      const mock = createWorkspaceMock({ fixture: 'large' })
      const tables = (await get(mock, '/datatables', 'wm_large_master')).list('datatables') as {
        id: string
        row_count: number
      }[]
      const table = tables.find(({ row_count }) => row_count === 50_000)
      return (await get(mock, `/datatables/${String(table?.id)}/rows?page=100&limit=500`, 'wm_large_master'))
        .text
    }
    const first = await listing()
    expect(await listing()).toBe(first)
    expect(JSON.parse(first)).toMatchObject({ total: 50_000, page: 100 })
  })

  it('a fixture of one’s own is used as it is, and is not changed', async () => {
    const fixture = defineFixture(structuredClone(testFixture) as unknown as Fixture)
    const mock = createWorkspaceMock({ fixture })
    const response = await mock.fetch(
      new Request(`${mock.baseUrl}/datatables/tbl_all/rows/row_1`, {
        method: 'PATCH',
        headers: { authorization: 'Bearer wm_test_master' },
        body: '{"data":{"col_text":"changed"}}',
      }),
    )
    expect(response.status).toBe(200)
    expect(fixture).toEqual(testFixture)
  })
})

/** The suite's fixture, changed at one place. */
const changed = (change: (fixture: { workspaces: Fields[] } & Fields) => void): Fixture => {
  const fixture = structuredClone(testFixture) as unknown as { workspaces: Fields[] } & Fields
  change(fixture)
  return fixture
}
const first = (value: unknown, ...path: (string | number)[]): Fields =>
  path.reduce<unknown>((inner, name) => (inner as Fields)[name], value) as Fields

describe('a wrong fixture is refused', () => {
  const wrong: [string, (fixture: { workspaces: Fields[] } & Fields) => void, string][] = [
    ['clock', (fixture) => (fixture.clock = 'noon'), 'clock'],
    ['an unknown plan', ({ workspaces }) => (first(workspaces, 0).plan = 'gold'), 'workspaces[0].plan'],
    ['an unknown field', ({ workspaces }) => (first(workspaces, 0).tabels = []), 'workspaces[0].tabels'],
    [
      'an unknown column type',
      ({ workspaces }) => (first(workspaces, 0, 'tables', 1, 'columns', 0).type = 'texts'),
      'workspaces[0].tables[1].columns[0].type',
    ],
    [
      'a value that does not fit its column',
      ({ workspaces }) => (first(workspaces, 0, 'tables', 0, 'rows', 2, 'data').col_number = 'x'),
      'workspaces[0].tables[0].rows[2].data.col_number',
    ],
    [
      'a value for no column',
      ({ workspaces }) => (first(workspaces, 0, 'tables', 0, 'rows', 2, 'data').col_none = 1),
      'workspaces[0].tables[0].rows[2].data.col_none',
    ],
    [
      'two rows of one id',
      ({ workspaces }) => (first(workspaces, 0, 'tables', 0, 'rows', 2).id = 'row_1'),
      'workspaces[0].tables[0].rows[2].id',
    ],
    [
      'two keys alike',
      ({ workspaces }) => (first(workspaces, 1, 'keys', 0).key = 'wm_test_master'),
      'workspaces[1].keys[0].key',
    ],
    [
      'a key of no member',
      ({ workspaces }) => (first(workspaces, 0, 'keys', 0).member_id = 'mem_none'),
      'workspaces[0].keys[0].member_id',
    ],
    [
      'a task in no status',
      ({ workspaces }) => (first(workspaces, 0, 'spaces', 0, 'lists', 0, 'tasks', 0).status_id = 'st_none'),
      'workspaces[0].spaces[0].lists[0].tasks[0].status_id',
    ],
    [
      'an assignee who is no member',
      ({ workspaces }) =>
        (first(workspaces, 0, 'spaces', 0, 'lists', 0, 'tasks', 0).assignees = ['mem_none']),
      'workspaces[0].spaces[0].lists[0].tasks[0].assignees',
    ],
    [
      'a default list of another space',
      ({ workspaces }) => (first(workspaces, 0, 'spaces', 0).default_list_id = 'lst_board'),
      'workspaces[0].spaces[0].default_list_id',
    ],
    [
      'a form for nothing',
      ({ workspaces }) => (first(workspaces, 0, 'forms', 0).target_id = 'lst_none'),
      'workspaces[0].forms[0].target_id',
    ],
    [
      'an unknown time zone',
      ({ workspaces }) => (first(workspaces, 0).timezone = 'Mars/Base'),
      'workspaces[0].timezone',
    ],
  ]

  it.each(wrong)('when it has %s, naming the path', (_, change, path) => {
    const fixture = changed(change)
    expect(() => createWorkspaceMock({ fixture })).toThrow(FixtureError)
    expect(() => createWorkspaceMock({ fixture })).toThrow(path)
  })
})
