import { expect } from 'vitest'
import { test } from 'workspace-api-mock/vitest'
import { noteCupping } from './note-cupping.ts'

test('notes a cupping', async ({ mock, call }) => {
  const { body } = await call('listLists')
  const connection = { baseUrl: mock.baseUrl, key: mock.keys.master ?? '', fetch, sleep: mock.clock.sleep }
  await noteCupping(connection, body.lists[0]?.id ?? '', 'Yirgacheffe', ['floral', 'bergamot'])
  expect(mock).toHaveRequested('createComment', { times: 2 })
})

test('exploration finds what that test does not', async ({ mock, call }) => {
  const { body } = await call('listLists')
  const listId = body.lists[0]?.id ?? ''
  const result = await mock.explore(
    (context) => noteCupping(context, listId, 'Yirgacheffe', ['floral', 'bergamot']),
    { restartable: true },
  )
  console.log(String(result))
  const found = result.findings.map(({ kind, operation, rule, difference }) =>
    [operation, rule ?? kind, difference?.resource, difference?.change].filter(Boolean).join(' '),
  )
  // Fault 1: Retry-After is ignored.
  expect(found).toContain('createTask retry-after')
  // Fault 2: records are created twice.
  expect(found).toContain('createTask state task twice')
  expect(found).toContain('createComment state comment twice')
  // Fault 3: a write is missing, without any error.
  expect(found).toContain('updateTask state task changed')
  // Fault 4: after a crash, the client starts over instead of looking up what it created.
  const twice = result.findings.find(({ cause }) => cause === 'state task twice')
  expect(twice?.shownBy).toContainEqual({ operation: 'createComment', family: 'crash', request: 1 })
})
