// Which requests the journal's filter finds.
import { consoleControlsOf } from '../../src/adapters/control-api/console-controls.ts'
import { describe, expect, it } from 'vitest'
import { parseSearch } from '../../src/adapters/control-api/search.ts'
import { filterRows } from '../../src/tools/console/views/journal/filter.ts'
import { createWorkspaceMock } from '../../src/index.ts'

const mock = createWorkspaceMock({ fixture: 'demo' })
const headers = { authorization: 'Bearer wm_demo_master', 'x-mock-label': 'Pays' }
await mock.fetch('/me', { headers })
await mock.fetch('/tasks/tsk_none?a=b', { headers })
await mock.fetch('/spaces', { method: 'POST', headers, body: '{"name":"New"}' })
mock.fault({ operation: 'listForms', network: true })
await mock.fetch('/forms', { headers }).catch(() => undefined)
const rows = consoleControlsOf(mock)
  .requestSummaries()
  .map((row) => ({ ...row, sandbox: null }))

describe('the filter of the journal', () => {
  it.each([
    ['', [1, 2, 3, 4]],
    ['ME pays', [1]],
    ['status:4xx', [2]],
    ['status:404', [2]],
    ['status:5xx', [4]],
    ['-status:200', [2, 4]],
    ['-status:2xx -fault:fault', [2]],
    ['method:post', [3]],
    ['-method:GET', [3]],
    ['operation:getIdentity', [1]],
    ['sandbox:main key:master', [1, 2, 3]],
    ['space_000001', [3]],
    ['a=b', [2]],
    ['unknown:word', []],
    ['#2', [2]],
    ['-#2 -#3', [1, 4]],
    ['-me', [2, 3, 4]],
    ['"tasks/tsk_none" -method:post', [2]],
    ['"not found"', [2]],
    ['"found not"', []],
    ['label:"pays"', [1, 2, 3, 4]],
    ['status: - # ""', [1, 2, 3, 4]],
  ])('%j finds the requests %j', (text, ids) => {
    const found = filterRows(rows, parseSearch(text), undefined)
    expect(found.map(({ id }) => id)).toEqual(ids)
  })

  it('takes the word of the mock for all requests that the mock has searched', () => {
    const places = new Map([[null, { upTo: 3, ids: new Set([2]) }]])
    const found = filterRows(rows, parseSearch('in-a-body'), { q: '', places })
    expect(found.map(({ id }) => id)).toEqual([2])
  })
})
