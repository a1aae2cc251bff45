import { describe, expect } from 'vitest'
import { test as base } from 'workspace-api-mock/vitest'
import { importRows } from './import-rows.ts'

// A test fails if the client breaks one of the contract's rules for clients.
const test = base.extend({ strict: true })

test('imports rows in the background', async ({ mock, call }) => {
  const tableId =
    mock.seed({ tables: [{ name: 'Leads', columns: [{ id: 'col_n', name: 'N', type: 'number' }] }] })
      .tables[0] ?? ''
  const rows = Array.from({ length: 3000 }, (_, n) => ({ col_n: n }))
  const job = await importRows({ baseUrl: mock.baseUrl, key: mock.keys.master ?? '' }, tableId, rows, 0)
  expect(job).toMatchObject({ status: 'done', metadata: { row_count: 3000 } })
  expect(mock).toHaveRequested('submitInsertJob', { status: 202, times: 1 })
  const { body } = await call('listRows', { params: { tableId }, query: { limit: 1 } })
  expect(body.total).toBe(3000)
})

test('tries again after a 503', async ({ mock }) => {
  const tableId = mock.db.tables.findFirst((tables) => tables.where({ locked: false }))?.id ?? ''
  mock.fault({ operation: 'submitInsertJob', status: 503 })
  const rows = Array.from({ length: 300 }, () => ({}))
  await importRows({ baseUrl: mock.baseUrl, key: mock.keys.master ?? '' }, tableId, rows, 0)
  expect(mock).toHaveRequested('submitInsertJob', { times: 2 })
})

describe('on the plan free', () => {
  test.override({ mockOptions: { plan: 'free' } })

  test('says why there are no jobs', async ({ mock }) => {
    const tableId = mock.db.tables.all()[0]?.id ?? ''
    const rows = Array.from({ length: 300 }, () => ({}))
    const connection = { baseUrl: mock.baseUrl, key: mock.keys.master ?? '' }
    await expect(importRows(connection, tableId, rows, 0)).rejects.toThrow(/plan/)
  })
})
