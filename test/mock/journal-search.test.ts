// What the journal says about a request in addition to its status: text in its bodies, and failed rows despite a 200.
import { consoleControlsOf } from '../../src/adapters/control-api/console-controls.ts'
import { describe, expect, it } from 'vitest'
import { createWorkspaceMock } from '../../src/index.ts'

const headers = { authorization: 'Bearer wm_demo_master', 'content-type': 'application/json' }
const newMock = () => {
  const mock = createWorkspaceMock({ fixture: 'demo' })
  const send = (method: string, path: string, json?: unknown) =>
    mock.fetch(path, { method, headers, body: json === undefined ? null : JSON.stringify(json) })
  return { mock, send }
}

describe('requests', () => {
  it('answers those with a text in a body, in any letter case, when a text is given', async () => {
    const { mock, send } = newMock()
    await send('GET', '/me')
    await send('POST', '/datatables/tbl_orders/rows', { data: { col_customer: 'Grüner Süden' } })
    await send('GET', '/tasks/tsk_none')
    const found = (text: string) =>
      consoleControlsOf(mock)
        .requestSummaries({ text })
        .map(({ id }) => id)
    expect(found('grüner SÜD')).toEqual([2])
    expect(found('TSK_NONE')).toEqual([3])
    expect(found('hafenrost')).toEqual([1])
    expect(found('nowhere')).toEqual([])
  })
})

describe('requestSummaries', () => {
  const bad = { col_quantity: 'many' }
  const good = { col_customer: 'A' }

  it.each(['indexed', 'numbered'] as const)(
    'answers how many rows failed when a bulk request is 200 and the errors are %s',
    async (bulkErrors) => {
      const { mock, send } = newMock()
      mock.setAnswers({ bulkErrors })
      const bulk = '/datatables/tbl_orders/rows/bulk'
      await send('POST', bulk, { rows: [good, bad, good] })
      await send('POST', bulk, { rows: [good, bad], mode: 'upsert', key_column: 'col_customer' })
      await send('POST', bulk, { rows: [good] })
      await send('POST', bulk, { rows: [bad] })
      expect(
        consoleControlsOf(mock)
          .requestSummaries()
          .map(({ status, partial }) => [status, partial]),
      ).toEqual([
        [200, { failed: 1, of: 3 }],
        [200, { failed: 1, of: 2 }],
        [200, undefined],
        [400, undefined],
      ])
    },
  )

  it('answers how many rows failed when a job with errors has ended', async () => {
    const { mock, send } = newMock()
    await send('POST', '/datatables/tbl_orders/jobs/insert', { rows: [good, bad, bad] })
    const partial = () => consoleControlsOf(mock).requestSummaries().at(-1)?.partial
    await send('GET', '/jobs/job_000001')
    expect(partial()).toBeUndefined()
    mock.clock.advance('1m')
    await send('GET', '/jobs/job_000001')
    expect(partial()).toEqual({ failed: 2, of: 3 })
  })
})
