import { expect } from 'vitest'
import { test } from 'workspace-api-mock/vitest'
import { noteCupping } from './note-cupping.ts'

test('notes a cupping whatever happens', async ({ mock, call }) => {
  const { body } = await call('listLists')
  const listId = body.lists[0]?.id ?? ''
  const result = await mock.explore(
    (context) => noteCupping(context, listId, 'Yirgacheffe', ['floral', 'bergamot']),
    { families: 'all' },
  )
  expect(result).toHaveNoFindings()
  expect(result.notes).toEqual([])
  expect(result.covered.tried).toBe(result.covered.possible)
})
