// A mock's reports in process: which journal entries findings name.
import { consoleControlsOf } from '../../src/adapters/control-api/console-controls.ts'
import { describe, expect, it } from 'vitest'
import { operationList } from '../../src/contract/index.ts'
import { listFieldNames } from '../../src/contract/schema/field-names.ts'
import { createWorkspaceMock } from '../../src/index.ts'
import { testFixture } from '../behaviour/support/fixture.ts'
import { goodRequests } from '../behaviour/support/requests.ts'

type Mock = ReturnType<typeof createWorkspaceMock>

const get = (mock: Mock, path: string) =>
  mock.fetch(
    new Request(mock.baseUrl + path, { headers: { authorization: `Bearer ${mock.keys.master ?? ''}` } }),
  )

describe('report', () => {
  it('report names no requests when the journal was cleared', async () => {
    const mock = createWorkspaceMock()
    for (let turn = 0; turn < 2; turn++) await get(mock, '/nowhere')
    mock.clearRequests()
    expect(mock.report()).toMatchObject([
      { rule: 'client-error', requests: [], offending: [], count: 2 },
      { rule: 'retry-unsafe', requests: [], offending: [], count: 1 },
    ])
    await get(mock, '/nowhere')
    expect(mock.report()).toMatchObject([
      { requests: [3], offending: [3], count: 3 },
      { requests: [3], offending: [3], count: 2 },
    ])
  })

  it.each([
    ['system', 100],
    ['manual', 100],
  ] as const)('report stays empty when the clock has become a %s one between two polls', async (mode, ms) => {
    const mock = createWorkspaceMock({ clock: mode === 'system' ? 'manual' : 'system', advanceOnPoll: false })
    const [table] = mock.db.tables.all()
    const authorization = `Bearer ${mock.keys.master}`
    const headers = { authorization, 'content-type': 'application/json' }
    const body = JSON.stringify({ rows: Array.from({ length: 300 }, () => ({})) })
    const path = `/datatables/${table?.id ?? ''}/jobs/insert`
    const submitted = await mock.fetch(path, { method: 'POST', headers, body })
    const { job_id: id } = (await submitted.json()) as { job_id: string }
    await get(mock, `/jobs/${id}`)
    mock.clock.mode = mode
    mock.clock.advance(ms)
    await get(mock, `/jobs/${id}`)
    expect(mock.report()).toEqual([])
  })

  it.each([0, 1, 3])('report names only requests of the journal when that holds %i', async (journalSize) => {
    const mock = createWorkspaceMock({ journalSize })
    for (let turn = 0; turn < 6; turn++) await get(mock, '/tasks/tsk_none')
    await get(mock, '/me')
    const kept = mock.requests().map(({ id }) => id)
    const named = mock.report({ assumptions: true }).flatMap(({ requests }) => requests)
    expect(named.filter((id) => !kept.includes(id))).toEqual([])
    expect(mock.report()).toMatchObject([{ rule: 'retry-unsafe', count: 5 }])
  })

  it('report names every request that the journal holds, the one at fault and what came before', async () => {
    const mock = createWorkspaceMock({ limits: { bulkInsertPerMinute: null } })
    const body = JSON.stringify({ rows: Array.from({ length: 9 }, () => ({})) })
    const { id } = consoleControlsOf(mock).inspect.overview().workspaces[0]?.tables[0] ?? { id: '' }
    const headers = {
      authorization: `Bearer ${mock.keys.master ?? ''}`,
      'content-type': 'application/json',
    }
    for (let turn = 0; turn < 28; turn++)
      await mock.fetch(
        new Request(`${mock.baseUrl}/datatables/${id}/rows/bulk`, { method: 'POST', headers, body }),
      )
    const [finding] = mock.report()
    expect(finding).toMatchObject({ rule: 'bulk-for-job', count: 1, offending: [28] })
    expect(finding?.requests).toEqual(Array.from({ length: 28 }, (_, index) => index + 1))
  })

  // JSON that `String` cannot convert.
  const withoutText = { toString: 1, valueOf: null }
  const bodies = goodRequests.flatMap((request) => {
    const operation = operationList.find(({ id }) => id === request.id)
    const fields = listFieldNames(operation?.body?.json)
    return fields.length > 0 ? [[request.id, request, fields] as const] : []
  })
  it.each(bodies)(
    'report can be made when a field of %s is an object without a text',
    async (_, { method, path, json }, fields) => {
      const mock = createWorkspaceMock({ fixture: testFixture as never })
      const headers = { authorization: 'Bearer wm_test_master', 'content-type': 'application/json' }
      for (const value of [withoutText, [withoutText]]) {
        for (const field of fields) {
          const body = JSON.stringify({ ...Object(json), [field]: value })
          expect((await mock.fetch(path, { method, headers, body })).status).toBeLessThan(500)
        }
      }
      const named = mock.report({ assumptions: true }).flatMap(({ requests }) => requests)
      expect(named.length).toBeGreaterThan(0)
    },
  )
})
