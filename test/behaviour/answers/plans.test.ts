// What the other answers to each open question change: numbers and features of plans.
import { describe, expect, it } from 'vitest'
import { multipart, times, useMock } from '../support/harness.ts'

describe('answers that are numbers of plans', () => {
  const { api, control } = useMock()
  const free = { key: 'wm_test_free' }

  it('bulkInsertRows answers 429 by its number when question bulkInsertPerMinute gives the plan another, 200 when it gives none', async () => {
    await control.setAnswers({ bulkInsertPerMinute: { free: 1, pro: null } })
    const bulk = (name: string, options = {}) =>
      api.post(`/datatables/tbl_${name}/rows/bulk`, { rows: [{}] }, options)
    expect((await bulk('free', free)).status).toBe(200)
    expect((await bulk('free', free)).json).toMatchObject({ limit: 1, current: 2 })
    for (let count = 0; count < 65; count++) expect((await bulk('empty')).status).toBe(200)
  })

  it('getIdentity answers 429 when question requestsPerMonth gives the plan a number and it is used up', async () => {
    await control.setAnswers({ requestsPerMonth: { free: 1 } })
    expect((await api.get('/me', free)).status).toBe(200)
    expect((await api.get('/me', free)).json).toMatchObject({
      resource: 'requestsPerMonth',
      limit: 1,
      current: 2,
    })
    expect((await api.get('/me')).status).toBe(200)
  })

  it('uploadTaskAttachment answers 413 when question maxFileBytes gives the plan a smaller number', async () => {
    await control.setAnswers({ maxFileBytes: { pro: 3 } })
    const upload = (content: string) =>
      api.call('POST', '/tasks/tsk_plain/attachments', { body: multipart([{ filename: 'a', content }]) })
    expect((await upload('abc')).status).toBe(201)
    expect((await upload('abcd')).json).toMatchObject({ resource: 'maxFileBytes', limit: 3, current: 4 })
  })

  it('submitInsertJob answers 413 or 429 by its numbers when question scalePlan has others', async () => {
    await control.setAnswers({ scalePlan: { bulkRowsPerJob: 2, concurrentBulkJobs: 1 } })
    const job = (count: number) =>
      api.post(
        '/datatables/tbl_scale/jobs/insert',
        { rows: times(count, () => ({})) },
        { key: 'wm_test_scale' },
      )
    expect((await job(3)).json).toMatchObject({ resource: 'bulkRowsPerJob', limit: 2, current: 3 })
    expect((await job(2)).status).toBe(202)
    expect((await job(2)).json).toMatchObject({ resource: 'concurrentBulkJobs', limit: 1 })
  })

  it('submitInsertJob answers 202 or 403 when question planFeatures moves async bulk to another plan', async () => {
    await control.setAnswers({ planFeatures: { free: ['api', 'asyncBulk'], pro: ['api'] } })
    await control.setLimits({ bulkRowsPerJob: 5, concurrentBulkJobs: 1 }, 'ws_free')
    expect((await api.post('/datatables/tbl_free/jobs/insert', { rows: [{}] }, free)).status).toBe(202)
    expect((await api.post('/datatables/tbl_empty/jobs/insert', { rows: [{}] })).status).toBe(403)
  })

  it('createSpace and createList answer 403 when questions spacesLimit and listsLimit give numbers, for lists in each space', async () => {
    await control.setAnswers({ spacesLimit: { free: 2 }, listsLimit: { free: 2 } })
    const created = await api.post('/spaces', { name: 'Second' }, free)
    expect(created.status).toBe(200)
    expect((await api.post('/spaces', { name: 'Third' }, free)).json).toMatchObject({
      limitReached: true,
      resource: 'spaces',
      limit: 2,
      current: 2,
    })
    for (const space of ['spc_free', created.string('id')]) {
      expect((await api.post(`/spaces/${space}/lists`, { name: 'Second' }, free)).status).toBe(201)
      const refused = await api.post(`/spaces/${space}/lists`, { name: 'Third' }, free)
      expect(refused.status).toBe(403)
      expect(refused.json).toMatchObject({ resource: 'lists', limit: 2, current: 2 })
    }
  })
})
