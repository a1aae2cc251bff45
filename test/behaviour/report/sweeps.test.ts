// The report's rules for reading a listing page by page.
import { describe, expect, it } from 'vitest'
import { useReport } from '../support/report-mock.ts'

const rows = '/datatables/tbl_all/rows'
const tasks = '/lists/lst_main/tasks'
const submissions = '/forms/frm_task/submissions'

describe('reading page by page', () => {
  const { api, control, found } = useReport('manual')

  const pages = async (path: string, queries: readonly Record<string, number | string>[]) => {
    for (const query of queries) await api.get(path, { query })
  }
  const offsets = (limit: number, ...starts: readonly number[]) => starts.map((offset) => ({ limit, offset }))
  const numbered = (limit: number, ...numbers: readonly number[]) => numbers.map((page) => ({ limit, page }))

  it.each([
    ['by an offset larger than the page', tasks, offsets(1, 0, 2, 4)],
    ['by every second page', rows, numbered(1, 1, 3, 5)],
    ['by a page left out', rows, numbered(1, 1, 2, 4)],
    ['by one record', tasks, offsets(2, 0, 3)],
    ['by a limit above the maximum', tasks, offsets(1000, 0, 1000)],
    ['of submissions', submissions, offsets(1, 0, 1, 3)],
    ['under a filter', rows, numbered(1, 1, 2, 4).map((query) => ({ ...query, Quantity: 10 }))],
  ])('mock.report() finds paging-gap when records are left out %s', async (_, path, queries) => {
    await pages(path, queries)
    const findings = (await control.report()).filter(({ rule }) => rule === 'paging-gap')
    expect(findings).toMatchObject([{ severity: 'warning' }])
    expect(findings[0]?.offending).toContain(queries.length)
    expect(findings[0]?.message).toContain('went on at record')
  })

  it('mock.report() finds paging-gap when a query leaves out a page', async () => {
    for (const page of [1, 2, 4])
      await api.post('/datatables/tbl_all/query', { page, limit: 1, sort: [{ column: 'col_text' }] })
    expect(await found()).toEqual(['paging-gap 1'])
  })

  it.each([
    ['one after the other', rows, numbered(2, 1, 2, 3)],
    ['by offset', tasks, offsets(1, 0, 1, 2, 3)],
    ['in pages of growing size', tasks, [...offsets(1, 0), ...offsets(2, 1), ...offsets(3, 3)]],
    ['with one of them twice', rows, numbered(2, 1, 2, 2, 3)],
    ['that overlap', tasks, offsets(2, 0, 1, 2)],
    ['in a single jump', rows, numbered(1, 1, 4)],
    ['in a single jump to the middle', rows, numbered(1, 4)],
    ['backwards', rows, numbered(1, 5, 3, 1)],
    ['of listings with other parameters', rows, [...numbered(1, 1, 2), { limit: 1, page: 4, sort: 'Title' }]],
    ['again from the first', rows, numbered(1, 1, 2, 1, 2)],
  ])('mock.report() stays empty when pages are read %s', async (_, path, queries) => {
    await pages(path, queries)
    expect(await found()).toEqual([])
  })

  it('mock.report() stays empty when pages are read together', async () => {
    await pages(rows, numbered(1, 1))
    await control.fault({ operation: 'listRows', status: 200, delayMs: 100, times: 3 })
    await Promise.all([2, 4, 3].map((page) => api.get(rows, { query: { limit: 1, page } })))
    expect(await found()).toEqual([])
  })

  it('mock.report() stays empty when another client reads the page between', async () => {
    await pages(tasks, offsets(1, 0, 1))
    await api.get(tasks, { query: { limit: 1, offset: 3 }, key: 'wm_test_scoped' })
    expect(await found()).toEqual([])
  })

  it('mock.report() stays empty when a page that failed is read again', async () => {
    await pages(rows, numbered(2, 1))
    await control.fault({ operation: 'listRows', status: 503 })
    await pages(rows, numbered(2, 2, 2, 3))
    expect(await found()).toEqual([])
  })

  it('mock.report() finds delete-while-paging when rows of a page are deleted before the next one', async () => {
    await pages(rows, numbered(2, 1))
    await api.delete(`${rows}/row_1`)
    await api.delete(`${rows}/row_2`)
    await pages(rows, numbered(2, 2))
    const [finding, ...others] = await control.report()
    expect(others).toEqual([])
    expect(finding).toMatchObject({
      rule: 'delete-while-paging',
      severity: 'warning',
      operation: 'listRows',
      count: 1,
      requests: [1, 2, 3, 4],
      offending: [4],
    })
    expect(finding?.message).toContain('after 2 of the records read had been deleted')
  })

  it('mock.report() finds delete-while-paging when a task of an earlier page is deleted', async () => {
    const first = await api.get(tasks, { query: { limit: 1, offset: 0 } })
    await pages(tasks, offsets(1, 1))
    await api.delete(`/tasks/${first.string('tasks.0.id')}`)
    await pages(tasks, offsets(1, 2))
    expect(await found()).toEqual(['delete-while-paging 1'])
  })

  it('mock.report() stays empty when a sweep begins again at the first page after each deletion', async () => {
    for (const id of ['row_1', 'row_2', 'row_3']) {
      await pages(rows, numbered(1, 1))
      await api.delete(`${rows}/${id}`)
    }
    await pages(rows, numbered(1, 1, 2))
    expect(await found()).toEqual([])
  })

  it('mock.report() stays empty when records are deleted after the last page, or before they are read', async () => {
    await pages(rows, numbered(2, 1))
    await api.delete(`${rows}/row_5`)
    await pages(rows, numbered(2, 2, 3))
    for (const id of ['row_1', 'row_2']) await api.delete(`${rows}/${id}`)
    expect(await found()).toEqual([])
  })

  it('mock.report() stays empty when the next page begins as much earlier as was deleted', async () => {
    const first = await api.get(tasks, { query: { limit: 2, offset: 0 } })
    await api.delete(`/tasks/${first.string('tasks.0.id')}`)
    await pages(tasks, offsets(2, 1, 3))
    expect(await found()).toEqual([])
  })

  it('mock.report() stays empty when another client deletes a record that was read', async () => {
    const first = await api.get(tasks, { query: { limit: 1, offset: 0 } })
    expect((await api.delete(`/tasks/${first.string('tasks.0.id')}`, { key: 'wm_test_scoped' })).status).toBe(
      200,
    )
    await pages(tasks, offsets(1, 1))
    expect(await found()).toEqual([])
  })
})
