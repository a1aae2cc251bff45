// Runs the client's suite on the mock's handlers and records its requests and responses as a pact.
import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, test } from 'node:test'
import { setupPactMswAdapter } from '@pactflow/pact-msw-adapter'
import { setupServer } from 'msw/node'
import { createWorkspaceMock } from 'workspace-api-mock'
import { pactFolder, provider, consumer, writePact } from './pact.js'
import { Board } from './board.js'

const mock = createWorkspaceMock()
const server = setupServer(...mock.handlers)
const board = () => new Board(mock.baseUrl, mock.keys.master)
let pact

before(() => {
  server.listen({ onUnhandledRequest: 'error' })
  pact = setupPactMswAdapter({
    server,
    options: {
      consumer,
      providers: { [provider]: [new URL(mock.baseUrl).origin] },
      pactOutDir: pactFolder,
      // The verifier sends its own key.
      excludeHeaders: ['authorization'],
    },
  })
})
beforeEach(() => {
  mock.reset()
  pact.newTest()
})
afterEach(() => pact.verifyTest())
after(async () => {
  await pact.writeToFile(writePact)
  pact.clear()
  server.close()
})

test('shows the first tasks of a list', async () => {
  assert.equal((await board().tasks('lst_launch')).length, 3)
})

test('adds a task', async () => {
  const { id } = await board().add('lst_launch', 'Call the new supplier')
  assert.equal(mock.db.tasks.findFirst((tasks) => tasks.where({ id })).title, 'Call the new supplier')
})

test('renames a task', async () => {
  await board().rename('tsk_label', 'Print the label')
  assert.deepEqual(mock.report(), [])
})

test('reports that the plan has no jobs', async () => {
  mock.setPlan('free')
  await assert.rejects(board().startJob('tbl_cuppings', [{}]), /plan/)
})
