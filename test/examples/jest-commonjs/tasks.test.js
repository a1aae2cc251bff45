// In a CommonJS project jest takes the package by import() alone, and not msw: the client is given the mock's fetch.
let mock
beforeAll(async () => {
  const { createWorkspaceMock } = await import('workspace-api-mock')
  mock = createWorkspaceMock()
})
beforeEach(() => mock.reset())

const readPlan = async (fetch, baseUrl, key) => {
  const answer = await fetch(`${baseUrl}/me`, { headers: { authorization: `Bearer ${key}` } })
  return (await answer.json()).workspace.plan
}

test('reads the workspace of the key', async () => {
  expect(await readPlan(mock.fetch, mock.baseUrl, mock.keys.master)).toBe('pro')
  expect(mock.requests({ operation: 'getIdentity' })).toHaveLength(1)
})
