import { setupServer } from 'msw/node'
import { createWorkspaceMock } from 'workspace-api-mock'

const mock = createWorkspaceMock()
const server = setupServer(...mock.handlers)
const headers = { authorization: `Bearer ${mock.keys.master}` }

beforeAll(() => server.listen(mock.listenOptions))
beforeEach(() => mock.reset())
afterAll(() => server.close())

test('a form with a file arrives', async () => {
  document.body.innerHTML = '<p>Hello</p>'
  const { lists } = await (await fetch(`${mock.baseUrl}/lists`, { headers })).json()
  const form = new FormData()
  form.set('data', JSON.stringify({ title: 'With a file' }))
  form.append('file', new File(['hello'], 'hello.txt', { type: 'text/plain' }))
  const answer = await fetch(`${mock.baseUrl}/lists/${lists[0].id}/tasks`, {
    method: 'POST',
    headers,
    body: form,
  })
  expect(await answer.json()).toMatchObject({ attachments: [{ filename: 'hello.txt', size_bytes: 5 }] })
})
