// The report's rules about reading a listing page by page.
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
    ['by a page counted in records', rows, numbered(1, 1, 51)],
    ['by a limit above the maximum', tasks, offsets(1000, 0, 1000)],
    ['of submissions', submissions, offsets(1, 0, 1, 3)],
    ['under a filter', rows, numbered(1, 1, 2, 4).map((query) => ({ ...query, Quantity: 10 }))],
  ])('mock.report() finds paging-gap when records are left out %s', async (_, path, queries) => {
    await pages(path, queries)
    const findings = (await control.report()).filter(({ rule }) => rule === 'paging-gap')
    expect(findings).toMatchObject([{ severity: 'warning' }])
    expect(findings[0]?.offending).toContain(queries.length)
    expect(findings[0]?.message).toContain('continued at record')
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

  it.each([
    ['one kept of two', tasks, offsets(2, 0, 1, 2)],
    ['rows by pages of another size', rows, [...numbered(4, 1), ...numbered(2, 2)]],
    ['an offset counted from what was kept', submissions, offsets(2, 0, 2, 3)],
  ])(
    'mock.report() finds paging-overlap when a page begins before the end of the one before: %s',
    async (...row) => {
      const [, path, queries] = row
      await pages(path, queries)
      const findings = await control.report()
      expect(findings[0]?.severity).toBe('warning')
      expect(findings.map(({ rule }) => rule)).toEqual(['paging-overlap'])
      expect(findings[0]?.message).toMatch(
        /continued at record \d after a page that ended with record \d\. Begin/,
      )
    },
  )

  it('mock.report() finds paging-overlap when a query does so', async () => {
    for (const [page, limit] of [
      [1, 3],
      [2, 2],
    ])
      await api.post('/datatables/tbl_all/query', { page, limit })
    expect(await found()).toEqual(['paging-overlap 1'])
  })

  it.each([
    ['after a last page that was not full', submissions, offsets(4, 0, 4, 6)],
    ['a page again', tasks, offsets(2, 0, 2, 2, 4)],
    ['a page before', tasks, offsets(2, 0, 2, 1, 3)],
    ['the first page again in larger size', tasks, [...offsets(1, 0), ...offsets(2, 0, 2)]],
  ])('mock.report() stays empty when a client reads on %s', async (_, path, queries) => {
    await pages(path, queries)
    expect(await found()).toEqual([])
  })

  const titled = (q: string, ...starts: readonly number[]) =>
    starts.map((offset) => ({ limit: 1, offset, q }))
  const status = async (name: string) => {
    const { statuses } = (await api.get('/lists/lst_main/schema')).json as {
      statuses: { id: string; name: string }[]
    }
    return statuses.find((one) => one.name === name)?.id ?? ''
  }

  it.each([
    ['an offset kept from another filter', tasks, [...titled('', 0, 1, 2), ...titled('e', 2)]],
    ['the offset that one page led to', tasks, [...titled('o', 0), ...titled('e', 1)]],
    ['a page number kept', rows, [...numbered(1, 1, 2, 3), { limit: 1, page: 3, Active: 'true' }]],
    [
      'an offset kept with since',
      submissions,
      [...offsets(2, 0, 2), { limit: 2, offset: 2, since: 1_767_606_400 }],
    ],
  ])('mock.report() finds paging-gap when a filtered listing begins with %s', async (_, path, queries) => {
    await pages(path, queries)
    const findings = await control.report()
    expect(findings).toMatchObject([{ rule: 'paging-gap', offending: [queries.length] }])
    expect(findings[0]?.message).toContain(
      'after the filter had changed, and was never read from its beginning',
    )
  })

  it('mock.report() finds paging-gap when a filtered query begins beyond its beginning', async () => {
    const query = '/datatables/tbl_all/query'
    for (const page of [1, 2]) await api.post(query, { page, limit: 1 })
    const filters = [{ column: 'Quantity', operator: 'gt', value: 0 }]
    await api.post(query, { page: 2, limit: 1, filters })
    expect(await found()).toEqual(['paging-gap 1'])
    await api.post(query, { page: 1, limit: 1, filters })
    expect(await found()).toEqual([])
  })

  it.each([
    ['first', tasks, titled('e', 2)],
    ['and is read from its beginning after all', tasks, [...titled('', 0, 1, 2), ...titled('e', 2, 0, 1)]],
    [
      'and was read from its beginning before',
      tasks,
      [...titled('e', 0, 1), ...titled('', 0, 1), ...titled('e', 2)],
    ],
    ['in another order alone', rows, [...numbered(1, 1, 2), { limit: 1, page: 3, sort: 'Title' }]],
    ['of another list', '/lists/lst_private/tasks', titled('e', 2)],
    [
      'with its parameters in another order',
      tasks,
      ['q=e&limit=1', 'limit=1&offset=1&q=e', 'offset=2&q=e&limit=1'],
    ],
  ])('mock.report() stays empty when a filtered listing begins beyond its beginning %s', async (...row) => {
    const [, path, queries] = row
    for (const query of queries) await api.get(path, { query })
    expect(await found()).toEqual([])
  })

  it.each([
    ['a PATCH of its title', { title: 'Done with' }],
    ['a PATCH of its status', { status_id: 'Done' }],
  ])('mock.report() finds delete-while-paging when %s takes a task out of the filter', async (_, patch) => {
    for (let turn = 0; turn < 4; turn++) await api.post(tasks, { title: `Queue ${String(turn)}` })
    const body = 'status_id' in patch ? { status_id: await status('Done') } : patch
    const open = await status('To do')
    const query = { limit: 2, q: 'Queue', status: open }
    const first = await api.get(tasks, { query: { ...query, offset: 0 } })
    await api.patch(`/tasks/${first.string('tasks.0.id')}`, body)
    await api.get(tasks, { query: { ...query, offset: 2 } })
    const [finding, ...others] = await control.report()
    expect(others).toEqual([])
    expect(finding).toMatchObject({ rule: 'delete-while-paging', operation: 'listTasks', count: 1 })
    expect(finding?.requests).toHaveLength(3)
    expect(finding?.message).toContain(first.string('tasks.0.id'))
  })

  it.each([
    ['a PATCH', 'PATCH', `${rows}/row_1`, { data: { col_checkbox: false } }],
    [
      'an upsert',
      'POST',
      `${rows}/bulk`,
      { mode: 'upsert', key_column: 'col_text', rows: [{ col_text: 'Alpha', col_checkbox: false }] },
    ],
  ])(
    'mock.report() finds delete-while-paging when %s takes a row out of the filter',
    async (_, method, path, json) => {
      await api.patch(`${rows}/row_4`, { data: { col_checkbox: true } })
      const query = (page: number) => ({ limit: 1, page, Active: 'true' })
      await api.get(rows, { query: query(1) })
      expect((await api.call(method, path, { json })).status).toBe(200)
      await api.get(rows, { query: query(2) })
      expect(await found()).toEqual(['delete-while-paging 1'])
    },
  )

  it('mock.report() finds delete-while-paging when a row leaves the filter of a query', async () => {
    await api.patch(`${rows}/row_4`, { data: { col_checkbox: true } })
    const filters = [{ column: 'col_checkbox', operator: 'is_true' }]
    await api.post('/datatables/tbl_all/query', { page: 1, limit: 1, filters })
    await api.patch(`${rows}/row_1`, { data: { col_checkbox: false } })
    await api.post('/datatables/tbl_all/query', { page: 2, limit: 1, filters })
    expect(await found()).toEqual(['delete-while-paging 1'])
  })

  it.each([
    ['stays in the filter', async () => api.patch(`${rows}/row_1`, { data: { col_number: 9 } })],
    ['was not read yet', async () => api.patch(`${rows}/row_3`, { data: { col_checkbox: false } })],
    [
      'comes back',
      async () => {
        await api.patch(`${rows}/row_1`, { data: { col_checkbox: false } })
        return api.patch(`${rows}/row_1`, { data: { col_checkbox: true } })
      },
    ],
    [
      'belongs to another client',
      async () =>
        api.patch(`${rows}/row_1`, { data: { col_checkbox: false } }, { key: 'wm_test_full_scopes' }),
    ],
  ])('mock.report() stays empty when a row that is changed between two pages %s', async (_, change) => {
    await api.patch(`${rows}/row_4`, { data: { col_checkbox: true } })
    await api.get(rows, { query: { limit: 1, page: 1, Active: 'true' } })
    await change()
    await api.get(rows, { query: { limit: 1, page: 2, Active: 'true' } })
    expect(await found()).toEqual([])
  })

  it('mock.report() stays empty when the offset stands where all records of the page left the filter', async () => {
    for (let turn = 0; turn < 6; turn++) await api.post(tasks, { title: `Queue ${String(turn)}` })
    const read = (offset: number) => api.get(tasks, { query: { q: 'Queue', limit: 2, offset } })
    await read(0)
    const second = await read(2)
    for (const index of [0, 1])
      await api.patch(`/tasks/${second.string(`tasks.${String(index)}.id`)}`, { title: 'Worked' })
    await read(2)
    expect(await found()).toEqual([])
    await read(5)
    expect(await found()).toEqual(['paging-gap 1'])
  })

  it('mock.report() stays empty when records are deleted after the page behind which there is nothing', async () => {
    for (let turn = 0; turn < 2; turn++) await api.post(tasks, { title: `Queue ${String(turn)}` })
    const first = await api.get(tasks, { query: { q: 'Queue', limit: 2 } })
    await api.delete(`/tasks/${first.string('tasks.0.id')}`)
    await api.get(tasks, { query: { q: 'Queue', limit: 2, offset: 2 } })
    expect(await found()).toEqual([])
  })

  it.each([
    ['the later page first', [4, 3]],
    ['in order', [3, 4]],
  ])('mock.report() stays empty when pages are read together after two others, %s', async (_, numbers) => {
    await pages(rows, numbered(1, 1, 2))
    await control.fault({ operation: 'listRows', status: 200, delayMs: 100, times: 2 })
    await Promise.all(numbers.map((page) => api.get(rows, { query: { limit: 1, page } })))
    expect(await found()).toEqual([])
  })

  const stopped = async () => {
    const findings = await control.report({ assumptions: true })
    return findings.filter(({ rule }) => rule === 'paging-stopped')
  }

  it.each([
    ['rows', rows, numbered(1, 1, 2)],
    ['tasks', tasks, offsets(1, 0, 1)],
    ['tasks under a filter', tasks, titled('e', 0, 1)],
    ['submissions', submissions, offsets(2, 0, 2)],
  ])(
    'mock.report() finds paging-stopped, on request alone, when %s end at a full page',
    async (_, path, queries) => {
      await pages(path, queries)
      expect(await found()).toEqual([])
      const [finding, ...others] = await stopped()
      expect(others).toEqual([])
      expect(finding).toMatchObject({ severity: 'info', count: 1, requests: [2] })
      expect(finding?.message).toContain('read nothing after a full page that ended with record')
    },
  )

  it('mock.report() stays empty of paging-stopped when the next page is read, asked for, or not there', async () => {
    await pages(submissions, offsets(3, 0, 3))
    await pages(tasks, offsets(200, 0))
    await pages(rows, numbered(1, 1, 2))
    await control.fault({ operation: 'listRows', status: 503 })
    await pages(rows, numbered(1, 3))
    expect(await stopped()).toEqual([])
    expect((await api.get(rows, { query: { limit: 1 } })).status).toBe(200)
    expect(await stopped()).toEqual([])
  })
})
