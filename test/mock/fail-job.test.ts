// mock.failJob: a running job ends and keeps what it has inserted so far.
import { expect, it } from 'vitest'
import { createWorkspaceMock, type Fixture } from '../../src/index.ts'
import { NOW, testFixture } from '../behaviour/support/fixture.ts'
import { times } from '../behaviour/support/times.ts'

const headers = { authorization: 'Bearer wm_test_master', 'content-type': 'application/json' }

it('mock.failJob ends a running job: nothing more goes in, and another one can be submitted', async () => {
  const mock = createWorkspaceMock({ fixture: testFixture as unknown as Fixture, advanceOnPoll: false })
  const submit = async () => {
    const body = JSON.stringify({ rows: times(2500, (index) => ({ col_count: index })) })
    const reply = await mock.fetch('/datatables/tbl_empty/jobs/insert', { method: 'POST', headers, body })
    return { ...((await reply.json()) as { job_id: string }), status: reply.status }
  }
  const { job_id: id } = await submit()
  mock.clock.advance('1s')
  expect((await submit()).status).toBe(429)
  mock.clock.advance(200)
  const failed = mock.failJob(id)
  expect(failed).toMatchObject({
    status: 'failed',
    updated_at: NOW + 1,
    completed_at: NOW + 1,
    error_message: 'chunk 2: the job was stopped',
    metadata: { submitted: 2500, row_count: 1000, progress: 0.4, errors: 1 },
  })
  expect(await (await mock.fetch(`/jobs/${id}`, { headers })).json()).toEqual(failed)
  expect(mock.state().runtime?.agenda?.filter((entry) => entry.id === id)).toEqual([])
  expect(JSON.stringify(mock.db.jobs.all().at(-1))).not.toContain('col_count')
  mock.clock.advance('1d')
  expect(mock.db.rows('tbl_empty').count()).toBe(1000)
  expect(mock.requests().length).toBe(3)
  expect(() => mock.failJob(id)).toThrow(`job ${id} has ended: it is failed`)
  expect(() => mock.failJob('job_none')).toThrow('job_none')
  expect((await submit()).status).toBe(202)
})
