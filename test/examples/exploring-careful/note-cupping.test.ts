import { expect } from 'vitest'
import { test } from 'workspace-api-mock/vitest'
import { noteCupping } from './note-cupping.ts'

test('notes a cupping whatever fails', async ({ mock, call }) => {
  const { body } = await call('listLists')
  const listId = body.lists[0]?.id ?? ''
  const result = await mock.exploreFaults((context) =>
    noteCupping(context, listId, 'Yirgacheffe', ['floral', 'bergamot']),
  )
  expect(result).toHaveNoFindings()
  expect(result.covered.tried).toBe(result.covered.possible)
}, 60_000)
