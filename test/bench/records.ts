// Measures how listings, new spaces and exports grow with the number of records.
import type { Fixture, FixtureList, FixtureSpace, FixtureTask } from '../../fixtures/types.ts'
import type { Bench, Figure } from './measuring/figure.ts'
import { figureOf, ms } from './measuring/figure.ts'
import { compare, median, type Contender } from './measuring/measure.ts'
import { fixtureFile, packageEntry, printed } from './measuring/own-process.ts'
import { importPackage } from './package.ts'
import { call, type Mock } from './row-work.ts'

const few = 200
const many = 20_000
/** Number of records per response: a page, or an unpaged listing. */
const answered = 50
const key = 'wm_records_master'
const authorization = `Bearer ${key}`

const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index))

const task = (index: number, id?: string): FixtureTask => ({
  ...(id !== undefined && { id }),
  title: `Task ${String(index)}`,
  comments: times(answered, (n) => ({ content: `Comment ${String(n)}` })),
  time_entries: times(answered, (n) => ({ duration: 60 + n, note: 'Roasting' })),
  attachments: times(answered, (n) => ({ filename: `cup-${String(n)}.txt` })),
})
const list = (index: number): FixtureList => ({ name: `List ${String(index)}` })
const space = (index: number): FixtureSpace => ({ name: `Space ${String(index)}`, lists: [list(index)] })
const form = (index: number, count = 0) => ({
  id: `frm_${String(index)}`,
  name: `Form ${String(index)}`,
  target_type: 'task' as const,
  target_id: 'lst_tasks',
  submissions: times(count, (n) => ({ created_entity_id: 'tsk_first', data: { name: `Ada ${String(n)}` } })),
})

/**
 * `count` records of each kind. Records in paged listings all belong to one owner. Of the other records, 50 belong to the
 * owner whose records the benchmark lists, and the rest to other owners.
 */
function recordsFixture(count: number): Fixture {
  const owners = count / answered
  const tasks = [task(0, 'tsk_first'), ...times(owners - 1, (index) => task(index + 1))]
  return {
    name: 'records',
    clock: 1_767_225_600,
    workspaces: [
      {
        id: 'wsp_records',
        name: 'Records',
        plan: 'scale',
        members: [{ id: 'mem_owner', name: 'Robin Hale' }],
        keys: [{ key, name: 'master', kind: 'master', member_id: 'mem_owner' }],
        spaces: [
          {
            id: 'spc_records',
            name: 'Records',
            lists: [
              {
                id: 'lst_tasks',
                name: 'Tasks',
                tasks: [...tasks, ...times(count - owners, (index) => ({ title: `Plain ${String(index)}` }))],
              },
              ...times(answered - 1, list),
            ],
          },
          ...times(answered - 1, space),
        ],
        forms: [form(0, count), ...times(answered - 1, (index) => form(index + 1))],
      },
      {
        id: 'wsp_other',
        name: 'Other',
        plan: 'scale',
        members: [{ id: 'mem_other', name: 'Kim Abe' }],
        keys: [{ key: 'wm_other_master', name: 'other', kind: 'master', member_id: 'mem_other' }],
        spaces: [
          { id: 'spc_other', name: 'Other', lists: [{ id: 'lst_other', name: 'Other' }] },
          ...times(count - answered, space),
        ],
        forms: times(count - answered, (index) => ({
          ...form(answered + index),
          target_id: 'lst_other',
        })),
      },
    ],
  }
}

const ask = (mock: Mock, path: string, query = '') => call(mock, 'GET', path, query, undefined, authorization)

const listings: Readonly<Record<string, (mock: Mock, page: number) => Promise<string>>> = {
  tasks: (mock, page) => ask(mock, '/lists/lst_tasks/tasks', `limit=50&offset=${String(50 * page)}`),
  comments: (mock) => ask(mock, '/tasks/tsk_first/comments'),
  'time entries': (mock) => ask(mock, '/tasks/tsk_first/time-entries'),
  attachments: (mock) => ask(mock, '/tasks/tsk_first/attachments'),
  submissions: (mock, page) => ask(mock, '/forms/frm_0/submissions', `limit=50&offset=${String(50 * page)}`),
  forms: (mock) => ask(mock, '/forms'),
  spaces: (mock) => ask(mock, '/spaces'),
  lists: (mock) => ask(mock, '/lists'),
}

export const recordListings: Bench = {
  name: 'records',
  title: 'The listing that grows most from 200 records to 20,000, of eight',
  async run() {
    const { createWorkspaceMock } = await importPackage()
    const mocks = [few, many].map((count) => createWorkspaceMock({ fixture: recordsFixture(count) }))
    const figures: Figure[] = []
    for (const [what, run] of Object.entries(listings)) {
      let page = 0
      const contenders = mocks.map((mock, index) => ({
        name: String(index),
        run: () => run(mock, (page = (page + 1) % (few / answered))),
      }))
      const timings = await compare(contenders, { rounds: 15, calls: 60 })
      figures.push(
        figureOf(
          `listing of 50 ${what} among 20,000 (of eight kinds, the one that slows down most)`,
          '<= 1.2',
          'the same among 200',
          timings,
        ),
      )
    }
    const ratioOf = ({ figure }: Figure) => Number(figure)
    return figures.toSorted((a, b) => ratioOf(b) - ratioOf(a)).slice(0, 1)
  },
}

const plainTasks = (count: number): Fixture => ({
  name: 'tasks',
  workspaces: [
    {
      name: 'Tasks',
      plan: 'scale',
      members: [{ id: 'mem_owner', name: 'Robin Hale' }],
      keys: [{ key, name: 'master', kind: 'master', member_id: 'mem_owner' }],
      spaces: [
        {
          name: 'Tasks',
          lists: [
            { id: 'lst_tasks', name: 'Tasks', tasks: times(count, (n) => ({ title: `Task ${String(n)}` })) },
          ],
        },
      ],
    },
  ],
})

export const firstListing: Bench = {
  name: 'first-listing',
  title: 'The first listing after the start',
  run() {
    const script = `
      import { readFileSync } from 'node:fs'
      const { createWorkspaceMock } = await import(${packageEntry('index.js')})
      const mock = createWorkspaceMock({ fixture: ${fixtureFile('tasks', plainTasks(many))} })
      const headers = { authorization: '${authorization}' }
      // Node's own fetch is loaded before.
      await (await mock.fetch('/me', { headers })).text()
      const start = performance.now()
      await (await mock.fetch('/lists/lst_tasks/tasks?limit=50', { headers })).text()
      console.log(performance.now() - start)`
    const took = median(times(11, () => printed(script)))
    return Promise.resolve([
      {
        work: 'first listing in a fresh process, 20,000 tasks',
        figure: ms(took),
        target: '<= 20 ms',
      },
    ])
  },
}

export const spaceCreation: Bench = {
  name: 'space',
  title: 'Creating a space and exporting the state',
  async run() {
    const { createWorkspaceMock } = await importPackage()
    const withSpaces = (count: number): Contender => {
      const mock = createWorkspaceMock({ fixture: recordsFixture(few), limits: { spaces: null } })
      const create = () => call(mock, 'POST', '/spaces', '', { name: 'Roastery' }, authorization)
      const start = async () => {
        mock.reset()
        for (let made = 0; made < count; made++) await create()
      }
      return { name: String(count), start, run: create }
    }
    const exporting = (count: number): Contender => {
      const mock = createWorkspaceMock({ fixture: recordsFixture(count) })
      return { name: String(count), run: () => mock.state() }
    }
    const creations = await compare([withSpaces(0), withSpaces(1000)], { rounds: 15, calls: 40 })
    const exports = await compare([exporting(few), exporting(10 * few)], { rounds: 5, calls: 1 })
    return [
      figureOf('creating a space among 1,000 others', '<= 1.5', 'among 50', creations),
      figureOf('`state()` of 2,000 records of each kind', '<= 12', 'of 200', exports),
    ]
  },
}
