// In a CommonJS project, jest transforms the package. The client gets the mock's fetch, because jest cannot load msw/node.
const { createWorkspaceMock } = require('workspace-api-mock')

const mock = createWorkspaceMock({ fixture: 'demo', plan: 'pro' })
const realFetch = globalThis.fetch
beforeAll(() => {
  globalThis.fetch = mock.fetch
})
beforeEach(() => mock.reset())
afterAll(() => {
  globalThis.fetch = realFetch
})

const readPlan = async (baseUrl, key) => {
  const response = await fetch(`${baseUrl}/me`, { headers: { authorization: `Bearer ${key}` } })
  return (await response.json()).workspace.plan
}

test('reads the workspace of the key', async () => {
  expect(await readPlan(mock.baseUrl, mock.keys.master)).toBe('pro')
  expect(mock.requests({ operation: 'getIdentity' })).toHaveLength(1)
})
