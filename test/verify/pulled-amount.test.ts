// How much verify reads: a bounded part of any deployment, and with --only just what the scenarios need.
import { expect, test } from 'vitest'
import { createWorkspaceMock, type Fixture, type WorkspaceMock } from 'workspace-api-mock'
import { learn, verify } from 'workspace-api-mock/verify'
import { deployment } from './support/deployment.ts'
import type { Edit } from './support/mutant.ts'
import { inProcess } from './support/scrambles.ts'

const newMock = (fixture: Fixture | 'demo' = 'demo') => createWorkspaceMock({ fixture, advanceOnPoll: false })

function withManyLists(count: number): Fixture {
  const fixture = newMock().state() as any
  const { lists } = fixture.workspaces[0].spaces[0]
  for (let index = 0; index < count; index += 1) {
    const statuses = [{ id: `st_${String(index)}`, name: 'To do', type: 'active' }]
    const tasks = [
      { id: `tsk_${String(index)}`, title: `Task ${String(index)}`, status_id: `st_${String(index)}` },
    ]
    lists.push({ id: `lst_${String(index)}`, name: `List ${String(index)}`, statuses, tasks })
  }
  return fixture
}

const drifts = ({ findings }: Awaited<ReturnType<typeof verify>>) =>
  findings.filter(({ outcome }) => outcome === 'drift')

test('verify of 400 lists sends at most 1,000 requests, and 100 with --only listSpaces; neither has drift', async () => {
  const fixture = withManyLists(400)
  const some = await verify({ ...inProcess(newMock(fixture), 'master'), only: ['listSpaces'] })
  expect([some.requests < 100, drifts(some)]).toEqual([true, []])
  const all = await verify(inProcess(newMock(fixture), 'master'))
  expect([all.requests < 1000, drifts(all)]).toEqual([true, []])
})

test.for(['getTask', 'createRow', 'listForms', 'listTimeEntries', 'getListSchema'] as const)(
  'verify --only %s has no drift although it reads a part of the workspace alone',
  async (operation) => {
    const options = { ...inProcess(newMock(), 'master'), write: true }
    const report = await verify({ ...options, only: [operation] })
    expect(drifts(report)).toEqual([])
    expect(report.requests).toBeLessThan(600)
  },
)

let made = 0
/** A page that is always full of new records, with a growing total. */
const endless =
  (name: string): Edit =>
  (json, { query }) => {
    const [first] = json[name]
    if (first === undefined) return
    const limit = Number(query.get('limit') ?? 50)
    json[name] = Array.from({ length: limit }, () => ({ ...first, id: `more_${String((made += 1))}` }))
    if ('total' in json) json.total = made + 1000
  }

const endlessOf = (
  mock: WorkspaceMock,
  ...[operation, name]: readonly [Parameters<typeof deployment>[1], string]
) => {
  const edit = endless(name)
  return deployment(mock, operation, {
    reply: ({ status, json }, asked) => status === 200 && edit(json, asked),
  })
}

test.for([
  ['listRows', 'rows'],
  ['listTasks', 'tasks'],
  ['listFormSubmissions', 'submissions'],
] as const)('verify and learn end where the pages of %s do not', async ([operation, name]) => {
  const mock = newMock()
  const options = { ...inProcess(mock, 'master'), fetch: endlessOf(mock, operation, name) }
  expect((await verify({ ...options, only: [operation] })).requests).toBeLessThan(1500)
  const { notObserved } = await learn(options)
  for (const { why } of notObserved) expect(why).not.toMatch(/undefined|is not|Cannot/)
})
