import { setupServer } from 'msw/node'
import { createWorkspaceMock } from 'workspace-api-mock'

const mock = createWorkspaceMock()
const server = setupServer(...mock.handlers)
const headers = { authorization: `Bearer ${mock.keys.scoped}`, 'content-type': 'application/json' }

beforeAll(() => server.listen({ onUnhandledRequest: 'error' }))
beforeEach(() => mock.reset())
afterAll(() => server.close())

const json = async (path, init) => (await fetch(`${mock.baseUrl}${path}`, { headers, ...init })).json()

test('a scoped key edits only its own comments', async () => {
  const { lists } = await json('/lists')
  const pages = await Promise.all(lists.map(({ id }) => json(`/lists/${id}/tasks`)))
  const [task] = pages.flatMap(({ tasks }) => tasks)
  const { id } = await json(`/tasks/${task.id}/comments`, {
    method: 'POST',
    body: JSON.stringify({ content: 'Looks good' }),
  })
  const own = await fetch(`${mock.baseUrl}/tasks/${task.id}/comments/${id}`, {
    method: 'PATCH',
    headers,
    body: JSON.stringify({ content: 'Looks great' }),
  })
  expect(own.status).toBe(200)
  expect(mock.report()).toEqual([])
})
