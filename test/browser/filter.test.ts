// Which requests a filter of the journal finds, and which rows a CSV file gives.
import { describe, expect, it } from 'vitest'
import { parseSearch } from '../../src/mock/controls/search.ts'
import { filterRows } from '../../src/tools/console/views/journal/filter.ts'
import { readCsvRows } from '../../src/tools/console/views/state/csv.ts'
import { createWorkspaceMock } from '../../src/index.ts'

const mock = createWorkspaceMock({ fixture: 'demo' })
const headers = { authorization: 'Bearer wm_demo_master', 'x-mock-label': 'Pays' }
await mock.fetch('/me', { headers })
await mock.fetch('/tasks/tsk_none?a=b', { headers })
await mock.fetch('/spaces', { method: 'POST', headers, body: '{"name":"New"}' })
mock.fault({ operation: 'listForms', network: true })
await mock.fetch('/forms', { headers }).catch(() => undefined)
const rows = mock.requestSummaries().map((row) => ({ ...row, sandbox: null }))

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

describe('rows from CSV', () => {
  const [workspace] = mock.inspect.overview().workspaces
  const columns = [
    { id: 'c_text', name: 'Text', type: 'text', readonly: false },
    { id: 'c_number', name: 'Number', type: 'number', readonly: false },
    { id: 'c_auto', name: 'Auto', type: 'autonumber', readonly: true },
    {
      id: 'c_tags',
      name: 'Tags',
      type: 'tags',
      readonly: false,
      options: [{ id: 'o1', label: 'One', color: '#fff' }],
    },
    { id: 'c_date', name: 'Date', type: 'date', readonly: false },
  ] as const
  const read = (text: string) => readCsvRows(text, columns as never, workspace!)

  it('have the values of their columns, whatever separates and quotes them', () => {
    const data = {
      c_text: 'a "quoted", b\nline',
      c_number: 1.5,
      c_tags: ['o1', 'Two'],
      c_date: 1_767_607_200,
    }
    const quoted = '"a ""quoted"", b\nline"'
    expect(read(`Text,c_number,Tags,Date\r\n${quoted},1.5,"One, Two",2026-01-05T10:00:00Z\r\n`).rows).toEqual(
      [{ data }],
    )
    expect(read(`\uFEFFText;c_number;Tags;Date\n${quoted};1.5;One, Two;2026-01-05T10:00:00Z`).rows).toEqual([
      { data },
    ])
  })

  it('leave out what is empty, computed or unknown, and keep what the mock has to refuse', () => {
    expect(read('Text,Number,Auto,Other\n,many,7,x\n\n')).toEqual({
      rows: [{ data: { c_number: 'many' } }],
      ignored: ['Auto', 'Other'],
    })
  })
})
