// What the console says about a client after a fault: only what the requests show.
import { beforeEach, describe, expect, it } from 'vitest'
import { consoleControlsOf } from '../../src/adapters/control-api/console-controls.ts'
import { createWorkspaceMock } from '../../src/index.ts'
import { describeFault, listDuplicates, verdictOf } from '../../src/tools/console/views/faults/fault-text.ts'

const mock = createWorkspaceMock({ fixture: 'demo' })
beforeEach(() => mock.reset())

const send = async (method: string, path: string, json?: unknown, headers = {}): Promise<number> => {
  const response = await mock.fetch(path, {
    method,
    headers: { authorization: 'Bearer wm_demo_master', 'content-type': 'application/json', ...headers },
    body: json === undefined ? null : JSON.stringify(json),
  })
  return response.status
}
const rows = () => consoleControlsOf(mock).console.journals({})
const verdict = () => {
  const { usedFaults } = consoleControlsOf(mock)
  return verdictOf([...usedFaults(), ...mock.faults()][0]!, rows())?.text
}
const tasks = '/lists/lst_launch/tasks'

describe('a request that failed although it was carried out', () => {
  it('and another create at the same address are no retry', async () => {
    mock.fault({ operation: 'createTask', status: 503, phase: 'after' })
    await send('POST', tasks, { title: 'One' })
    await send('POST', tasks, { title: 'Two' })
    expect(listDuplicates(rows())).toEqual([])
    expect(verdict()).toBe(
      'The client did not send it again; it sent 1 other request. The failed request had been carried out.',
    )
  })

  it('and its repetition by the console are no retry of the client', async () => {
    mock.fault({ operation: 'createTask', status: 503, phase: 'after' })
    await send('POST', tasks, { title: 'One' })
    await send('POST', tasks, { title: 'One' }, { 'x-mock-console': '1' })
    expect(listDuplicates(rows())).toEqual([])
    expect(verdict()).toBe('The client has sent nothing since. The failed request had been carried out.')
  })

  it('and its retry have made as many records as both of them', async () => {
    mock.fault({ operation: 'bulkInsertRows', status: 503, phase: 'after' })
    const body = { rows: [{ col_customer: 'A' }, { col_customer: 'B' }, null] }
    for (let sent = 0; sent < 2; sent++) await send('POST', '/datatables/tbl_orders/rows/bulk', body)
    const text = 'Created 4 rows: the failed request had been carried out.'
    expect(listDuplicates(rows())).toMatchObject([{ text, requests: [{ id: 1 }, { id: 2 }] }])
    expect(verdict()).toBe(text)
  })

  it('and was a deletion is not there to be deleted again', async () => {
    mock.fault({ operation: 'deleteTask', status: 503, phase: 'after' })
    const id = mock.db.tasks.all()[0]!.id
    await send('DELETE', `/tasks/${id}`)
    expect(await send('DELETE', `/tasks/${id}`)).toBe(404)
    expect(listDuplicates(rows())).toEqual([])
    expect(verdict()).toBe(
      'The client sent it again, without success: 1 time. The failed request had been carried out.',
    )
  })

  it('and was an update changes nothing more by its retry', async () => {
    mock.fault({ operation: 'updateTask', status: 503, phase: 'after' })
    const id = mock.db.tasks.all()[0]!.id
    for (let sent = 0; sent < 2; sent++) await send('PATCH', `/tasks/${id}`, { title: 'Same' })
    expect(listDuplicates(rows())).toEqual([])
    expect(verdict()).toBe(
      'The client sent it again, and it succeeded. The failed request had been carried out.',
    )
  })
})

it('the next page is another request than the one that failed', async () => {
  mock.fault({ operation: 'listRows', status: 503 })
  await send('GET', '/datatables/tbl_orders/rows?page=1')
  await send('GET', '/datatables/tbl_orders/rows?page=2')
  expect(verdict()).toBe('The client did not send it again; it sent 1 other request.')
})

it('a retry of an upload is a retry, whatever its boundary', async () => {
  mock.fault({ operation: 'uploadTaskAttachment', status: 503 })
  const id = mock.db.tasks.all()[0]!.id
  for (let sent = 0; sent < 2; sent++) {
    const body = new FormData()
    body.append('file', new File(['same'], 'a.txt', { type: 'text/plain' }))
    await mock.fetch(`/tasks/${id}/attachments`, {
      method: 'POST',
      headers: { authorization: 'Bearer wm_demo_master' },
      body,
    })
  }
  expect(verdict()).toBe('The client sent it again, and it succeeded.')
})

it('a used fault is not said to be about the next request', () => {
  expect(describeFault({ operation: 'getTask', status: 503 }, true)).toBe(
    'One request of getTask gets 503; nothing changes.',
  )
})
