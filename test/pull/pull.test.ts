// Checks that a mock of a pulled workspace responds to every read like its source, however the source is reached.
import { expect, test } from 'vitest'
import { createWorkspaceMock } from 'workspace-api-mock'
import { pull } from 'workspace-api-mock/verify'
import { inProcess, scrambled, scrambles } from '../verify/support/scrambles.ts'
import { readsOf } from './support/reads.ts'

const pulledKey = 'wm_pulled_master'

test('pull of the demo gives a fixture with which a mock responds alike to every read', async () => {
  const source = createWorkspaceMock()
  const pulled = await pull(inProcess(source, 'master'))
  const mock = createWorkspaceMock({
    fixture: JSON.parse(JSON.stringify(pulled.fixture)),
    answers: pulled.answers,
  })
  expect(mock.keys).toEqual({ master: pulledKey })
  const reads = await readsOf(mock, pulledKey)
  expect(Object.keys(reads).length).toBeGreaterThan(1000)
  expect(reads).toEqual(await readsOf(source, source.keys.master))
  expect(pulled.answers).toStrictEqual({})
  expect(JSON.stringify(pulled)).not.toContain('wm_demo')
})

test.for(scrambles.filter(({ name }) => name !== 'a month that is used up'))(
  'pull gives a fixture and answers whose mock answers alike: $name',
  async (scramble) => {
    const source = scrambled(scramble)
    const pulled = await pull(inProcess(source, scramble.key))
    const mock = createWorkspaceMock({
      fixture: pulled.fixture,
      answers: { ...scramble.answers, ...pulled.answers },
    })
    expect(await readsOf(mock, pulledKey)).toEqual(await readsOf(source, source.keys[scramble.key]!))
  },
)

test('pull gives every priority an integer of its own where a deployment uses others than the default', async () => {
  const { fixture, answers } = await pull(inProcess(urgentIsSeven(), 'master'))
  expect(answers).toStrictEqual({ taskPriority: { none: 0, low: 1, normal: 2, high: 3, urgent: 7 } })
  const mock = createWorkspaceMock({ fixture, answers })
  expect(mock.db.tasks.findMany().map(({ priority }) => priority)).toEqual([null, 'low', 'urgent'])
})

test('pull gives no answer to emptyColumns where no column is empty', async () => {
  const columns = [{ id: 'col_name', name: 'Name', type: 'text' }] as const
  const tables = [{ name: 'T', columns, rows: [{ data: { col_name: 'whole' } }] }]
  const keys = [{ key: 'wm_whole', name: 'master' }]
  const source = createWorkspaceMock({
    fixture: { workspaces: [{ keys, members: [{ name: 'Ada' }], tables }] },
  })
  expect((await pull(inProcess(source, 'master'))).answers).toStrictEqual({})
})

/** Tasks, one of which has a priority integer that the default answer lacks. */
function urgentIsSeven() {
  const tasks = [{ title: 'A' }, { title: 'B', priority: 'low' }, { title: 'C', priority: 'urgent' }] as const
  const lists = [{ name: 'L', tasks }]
  const keys = [{ key: 'wm_seven', name: 'master' }]
  return createWorkspaceMock({
    fixture: { workspaces: [{ keys, members: [{ name: 'Ada' }], spaces: [{ name: 'S', lists }] }] },
    answers: { taskPriority: { none: 0, low: 1, normal: 2, high: 3, urgent: 7 } },
  })
}
