// Errors about what a user passed have stacks that begin at the user's call.
import { expect, test } from 'vitest'
import { createWorkspaceMock, type WorkspaceMock } from '../../src/index.ts'

const wrongCalls: Readonly<Record<string, (mock: WorkspaceMock) => unknown>> = {
  createWorkspaceMock: () => createWorkspaceMock({ plan: 'enterprise' as never }),
  'createWorkspaceMock with a fixture': () => createWorkspaceMock({ fixture: {} as never }),
  'createWorkspaceMock with an answer': () =>
    createWorkspaceMock({ answers: { rowShape: 'round' } as never }),
  'mock.lockTable': (mock) => mock.lockTable('tbl_nowhere'),
  'mock.restoreTask': (mock) => mock.restoreTask('tsk_nowhere'),
  'mock.clock.advance': (mock) => mock.clock.advance('soon' as never),
  'mock.clock.set': (mock) => mock.clock.set(-1),
  'mock.db.rows': (mock) => mock.db.rows('tbl_nowhere'),
  'mock.db.rows().findFirst': (mock) =>
    mock.db.rows('tbl_shipments').findFirst((q) => q.where({ id: 'row_nowhere' }), { strict: true }),
  'mock.db.tasks.findMany': (mock) => mock.db.tasks.findMany((q) => q.where({ titel: 'x' } as never)),
  'mock.db.tasks.findMany with conditions': (mock) => mock.db.tasks.findMany({} as never),
  'mock.db.tasks.findMany with options': (mock) => mock.db.tasks.findMany(undefined, { take: 1.5 }),
  'mock.restore': (mock) => mock.restore({} as never),
  'mock.setAnswers': (mock) => mock.setAnswers({ rowShape: 'round' } as never),
  'mock.seed': (mock) => mock.seed({ tables: [{ id: 'tbl_nowhere', rows: [{ id: 5 }] }] } as never),
  'mock.events.on': (mock) => mock.events.on('row.deleted' as never, () => undefined),
  'mock.snapshots.restore': (mock) => mock.snapshots.restore('nowhere'),
  'mock.sandbox': (mock) => mock.sandbox('no name'),
  'mock.sandbox().fault': (mock) => mock.sandbox('side').fault({ operation: 'getNothing' as never }),
  'mock.sandbox().db.tasks.findMany': (mock) =>
    mock.sandbox('side').db.tasks.findMany((q) => q.where({ titel: 'x' } as never)),
  'mock.fault': (mock) => mock.fault({ operation: 'getNothing' as never }),
}

test.each(Object.entries(wrongCalls))('%s throws an error whose stack begins at its caller', (_, call) => {
  const mock = createWorkspaceMock()
  let thrown: unknown
  try {
    call(mock)
  } catch (error) {
    thrown = error
  }
  expect(thrown).toBeInstanceOf(Error)
  const { stack = '', message } = thrown as Error
  expect(stack.slice(stack.indexOf(message) + message.length).split('\n')[1]).toContain(
    'caller-stack.test.ts',
  )
})

test.each([
  ['create', (mock: WorkspaceMock) => mock.db.tasks.create({ title: 5 as never })],
  ['createMany', (mock: WorkspaceMock) => mock.db.tasks.createMany(-1, () => ({}))],
  [
    'update',
    (mock: WorkspaceMock) =>
      mock.db.tasks.update((q) => q.where({ id: 'tsk_label' }), {
        data: (task) => void (task.priority = 'soon' as never),
      }),
  ],
  [
    'updateMany',
    (mock: WorkspaceMock) => mock.db.tasks.updateMany((q) => q.where({ titel: 'x' } as never), {} as never),
  ],
])('mock.db.tasks.%s rejects with a stack that begins at its caller', async (_, call) => {
  const { stack = '', message } = (await call(createWorkspaceMock()).catch(
    (error: unknown) => error,
  )) as Error
  const [first] = stack
    .slice(stack.indexOf(message) + message.length)
    .split('\n')
    .slice(1)
  expect(first).toContain('caller-stack.test.ts')
})

test('the stack of an error in a function of the caller names its line in that function', async () => {
  const change = (task: object) => {
    ;(task as { none: { x: number } }).none.x = 1
  }
  const error = await createWorkspaceMock()
    .db.tasks.update((q) => q.where({ id: 'tsk_label' }), { data: change })
    .catch((thrown: unknown) => thrown as Error)
  expect((error as Error).stack).toMatch(/^TypeError: .*\n +at (?:.*\.)?change \(/)
})
