// Effects of faults: impossible ones, lasting ones, and how they interact with answers, limits and states.
import { describe, expect, it } from 'vitest'
import { createWorkspaceMock, type FaultEffect, type WorkspaceMock } from '../../src/index.ts'
import { times } from '../behaviour/support/times.ts'

const get = async (mock: WorkspaceMock, path = '/me') => {
  const headers = { authorization: `Bearer ${mock.keys.master ?? ''}` }
  return (await mock.fetch(path, { headers })).status
}

describe('an effect that cannot be carried out', () => {
  const form = 'frm_enquiry'
  const draft = { extend: { path: '/forms/frm_cupping/submissions', count: 3 } }
  const submit = { act: { control: 'submitForm', argument: form } } as const
  const deleteTask = { act: { method: 'DELETE', path: '/tasks/tsk_none' } } as const
  it.each<[string, FaultEffect, (mock: WorkspaceMock) => unknown, RegExp]>([
    ['a form is a draft', draft, () => undefined, /frm_cupping is a draft/],
    ['a form was unpublished', submit, (mock) => mock.publishForm(form, false), /frm_enquiry is a draft/],
    [
      'a form was deleted',
      submit,
      (mock) => mock.db.forms.delete((query) => query.where({ id: form })),
      /form "frm_enquiry" does not exist/,
    ],
    ['a task does not exist', deleteTask, () => undefined, /DELETE \/tasks\/tsk_none got 404: .*"tsk_none"/],
  ])('leaves getIdentity 200 when %s, and says why', async (_, effect, change, problem) => {
    const mock = createWorkspaceMock()
    mock.fault({ effect })
    change(mock)
    expect(mock.faults()).toMatchObject([{ problem: null }])
    expect([await get(mock), await get(mock)]).toEqual([200, 200])
    expect(mock.faults()).toMatchObject([{ problem: expect.stringMatching(problem) as unknown }])
    expect(mock.explain()).toMatch(problem)
    expect(mock.requests()).toHaveLength(2)
  })

  it('is tried again while it lasts, and then has no problem', async () => {
    const mock = createWorkspaceMock()
    mock.publishForm(form, false)
    mock.fault({ effect: { extend: { path: `/forms/${form}/submissions`, count: 2 } } })
    const before = mock.db.submissions.count((query) => query.where({ form_id: form }))
    await get(mock)
    mock.publishForm(form)
    await get(mock)
    expect(mock.faults()).toMatchObject([{ problem: null, hits: 2 }])
    expect(mock.db.submissions.count((query) => query.where({ form_id: form }))).toBe(before + 2)
  })

  it('is a match that throws: it matches nothing', async () => {
    const mock = createWorkspaceMock()
    const match = () => {
      throw new Error('no such field')
    }
    mock.fault({ status: 503, match })
    expect(await get(mock)).toBe(200)
    expect(mock.faults()).toMatchObject([{ hits: 0, problem: 'match threw: no such field' }])
  })
})

describe('effects on answers', () => {
  const accept = { effect: { answers: { emptyNames: 'accept' } } } as const
  const reject = { effect: { answers: { emptyNames: 'reject', limitAboveMax: 'reject' } } } as const
  const answersOf = ({ answers: { emptyNames, limitAboveMax } }: WorkspaceMock) => [emptyNames, limitAboveMax]

  it.each([
    ['first', 0, ['reject', 'reject']],
    ['last', 1, ['accept', 'clamp']],
  ] as const)('end each by itself: after the %s of two the other is in effect', async (_, index, left) => {
    const mock = createWorkspaceMock()
    const faults = [mock.fault(accept), mock.fault(reject)]
    await get(mock)
    expect(answersOf(mock)).toEqual(['reject', 'reject'])
    faults[index]?.remove()
    expect(answersOf(mock)).toEqual(left)
    faults[1 - index]?.remove()
    expect(answersOf(mock)).toEqual(['reject', 'clamp'])
  })

  it('merge objects, and end with what is left of them', async () => {
    const mock = createWorkspaceMock()
    const { jobTimeline } = mock.answers
    const first = mock.fault({ effect: { answers: { jobTimeline: { queuedMs: 9 } } } })
    const last = mock.fault({ effect: { answers: { jobTimeline: { chunkMs: 900 } } } })
    await get(mock)
    expect(mock.answers.jobTimeline).toEqual({ ...jobTimeline, queuedMs: 9, chunkMs: 900 })
    first.remove()
    expect(mock.answers.jobTimeline).toEqual({ ...jobTimeline, chunkMs: 900 })
    last.remove()
    expect(mock.answers.jobTimeline).toEqual(jobTimeline)
  })

  it('leave what setAnswers set meanwhile', async () => {
    const mock = createWorkspaceMock()
    const fault = mock.fault(reject)
    await get(mock)
    mock.setAnswers({ emptyNames: 'accept', columnNames: 'namesAndIds' })
    expect(answersOf(mock)).toEqual(['accept', 'reject'])
    fault.remove()
    expect(answersOf(mock)).toEqual(['accept', 'clamp'])
    expect(mock.answers.columnNames).toBe('namesAndIds')
  })

  it('are in effect in a state that is restored or loaded, and no part of a snapshot', async () => {
    const mock = createWorkspaceMock()
    const before = mock.snapshot()
    const fault = mock.fault(accept)
    await get(mock)
    const during = mock.snapshot()
    mock.snapshots.save('during')
    mock.restore(before)
    expect(answersOf(mock)).toEqual(['accept', 'clamp'])
    mock.loadState(mock.state())
    expect(answersOf(mock)).toEqual(['accept', 'clamp'])
    fault.remove()
    expect(answersOf(mock)).toEqual(['reject', 'clamp'])
    mock.restore(during)
    expect(answersOf(mock)).toEqual(['reject', 'clamp'])
    mock.snapshots.restore('during')
    expect(answersOf(mock)).toEqual(['reject', 'clamp'])
  })
})

describe('effects that add or act', () => {
  const limits = { requestsPerMonth: 3, bulkRowsPerRequest: 10, bulkInsertPerMinute: 1 }
  const path = '/datatables/tbl_samples/rows'

  it('add what was asked for whatever limits and locks there are, and count nowhere', async () => {
    const mock = createWorkspaceMock({ limits })
    mock.lockTable('tbl_samples')
    mock.setAnswers({ lockedTable: 'writes' })
    const before = mock.db.rows('tbl_samples').count()
    mock.fault({ effect: { extend: { path, count: 300 } } })
    const act = { method: 'POST', path: `${path}/bulk`, body: { rows: times(20, () => ({})) } } as const
    mock.fault({ operation: 'getIdentity', times: 2, effect: { act } })
    expect(await get(mock)).toBe(200)
    expect(mock.db.rows('tbl_samples').count()).toBe(before + 300)
    mock.lockTable('tbl_samples', false)
    expect(await get(mock)).toBe(200)
    expect(mock.db.rows('tbl_samples').count()).toBe(before + 320)
    expect(mock.snapshot().runtime).toMatchObject({
      windows: { minute: {}, month: expect.anything() as unknown },
    })
    expect([await get(mock), await get(mock)]).toEqual([200, 429])
    expect(mock.requests()).toHaveLength(4)
  })

  it('extend a listing again in a state in which it is not extended', async () => {
    const mock = createWorkspaceMock()
    const before = mock.snapshot()
    const count = () => mock.db.rows('tbl_samples').count()
    const start = count()
    mock.fault({ effect: { extend: { path, count: 3 } } })
    await get(mock)
    const after = mock.snapshot()
    for (const snapshot of [before, after, before]) {
      mock.restore(snapshot)
      await get(mock)
      expect(count()).toBe(start + 3)
    }
  })
})

describe('many faults', () => {
  it('are removed one by one, in any order', async () => {
    const mock = createWorkspaceMock()
    const faults = times(200, () => mock.fault({ effect: { answers: { emptyNames: 'accept' } } }))
    await get(mock)
    for (const fault of [...faults.slice(100).reverse(), ...faults.slice(0, 99)]) fault.remove()
    expect(mock.answers.emptyNames).toBe('accept')
    faults[99]?.remove()
    expect(mock.answers.emptyNames).toBe('reject')
    expect(mock.faults()).toEqual([])
  })
})
