// The report's rules about a request's contents: keys, fields, parameters, page sizes, content types.
import { describe, expect, it } from 'vitest'
import { multipart, times } from '../support/harness.ts'
import { clockModes, useReport } from '../support/report-mock.ts'

const rowsPath = '/datatables/tbl_all/rows'

describe.each(clockModes)('contents on a %s clock', (clock) => {
  const { api, control, pass, found } = useReport(clock)

  it('mock.report() finds read-only-write when a row holds a value for such a column', async () => {
    await api.post(rowsPath, { data: { col_text: 'A', col_formula: 5, col_attachment: [] } })
    await api.patch(`${rowsPath}/row_1`, { data: { col_formula: 5 } })
    await api.post(rowsPath, { data: { col_formula: 6 } })
    const [finding, ...others] = await control.report()
    expect(others).toEqual([])
    expect(finding).toMatchObject({
      rule: 'read-only-write',
      severity: 'warning',
      operation: 'createRow',
      operations: ['createRow', 'updateRow'],
      count: 3,
      requests: [1, 2, 3],
    })
    expect(finding?.message).toMatch(
      /^createRow to tbl_all sent values for col_formula \(Total\), col_attachment \(Files\), which had no effect; received 5; also in updateRow\. Leave such/,
    )
  })

  it('mock.report() finds read-only-write once a request when many rows of it do so', async () => {
    const rows = times(20, () => ({ col_text: 'A', col_autonumber: 'X' }))
    await api.post('/datatables/tbl_all/rows/bulk', { rows })
    expect(await found()).toEqual(['read-only-write 1'])
  })

  it.each(['col_autonumber', 'Number', 'col_attachment'])(
    'mock.report() stays empty when an upsert matches on the column %s, which it cannot write',
    async (key_column) => {
      const id = key_column === 'Number' ? 'col_autonumber' : key_column
      const rows = [{ [id]: id === 'col_attachment' ? [] : 'INV-0001', col_text: 'A' }]
      const sent = { rows, mode: 'upsert', key_column }
      expect((await api.post('/datatables/tbl_all/rows/bulk', sent)).status).toBe(200)
      expect(await found()).toEqual([])
    },
  )

  it('mock.report() finds read-only-write when an upsert holds a value for another such column than its key', async () => {
    const rows = [{ col_autonumber: 'INV-0001', col_formula: 5 }]
    const sent = { rows, mode: 'upsert', key_column: 'col_autonumber' }
    expect((await api.post('/datatables/tbl_all/rows/bulk', sent)).status).toBe(200)
    const [finding, ...others] = await control.report()
    expect(others).toEqual([])
    expect(finding?.message).toContain('sent a value for col_formula (Total)')
    await control.reset()
    await api.post('/datatables/tbl_all/rows/bulk', { rows: [{ col_autonumber: 'INV-0001', col_text: 'B' }] })
    expect(await found()).toEqual(['read-only-write 1'])
  })

  const moment = 1_767_607_200
  const entries = '/tasks/tsk_full/time-entries'
  const repeats = { trigger: 'on_schedule', frequency: 'daily', time: '08:00' }
  it.each<[string, string, string, (unit: number) => object]>([
    ['due_date', 'POST', '/lists/lst_main/tasks', (unit) => ({ title: 'A', due_date: moment * unit })],
    ['date_start', 'POST', '/lists/lst_main/tasks', (unit) => ({ title: 'A', date_start: moment * unit })],
    ['due_date', 'PATCH', '/tasks/tsk_plain', (unit) => ({ due_date: moment * unit })],
    ['date_start', 'PATCH', '/tasks/tsk_plain', (unit) => ({ date_start: moment * unit })],
    [
      'repeat_config.end_date',
      'PATCH',
      '/tasks/tsk_plain',
      (unit) => ({ repeat_config: { ...repeats, end_date: moment * unit } }),
    ],
    ['date_start', 'PATCH', `${entries}/ent_ada`, (unit) => ({ date_start: (moment - 9000) * unit })],
    [
      'date_end',
      'POST',
      entries,
      (unit) => ({ action: 'manual', date_start: moment, date_end: (moment + 60) * unit }),
    ],
  ])('mock.report() finds milliseconds when %s of a %s to %s has them', async (field, method, path, body) => {
    await api.call(method, path, { json: body(1) })
    expect(await found()).toEqual([])
    await api.call(method, path, { json: body(1000) })
    const findings = await control.report()
    const [finding] = findings.filter(({ rule }) => rule === 'milliseconds')
    expect(finding).toMatchObject({ severity: 'warning', count: 1, offending: [2] })
    expect(finding?.message).toContain(`${String(finding?.operation)} to `)
    expect(finding?.message).toMatch(
      new RegExp(`sent ${field} in milliseconds; received 17\\d{11}\\. Send whole Unix seconds`),
    )
  })

  it.each([
    ['finds milliseconds', moment * 1000, ['milliseconds 1']],
    ['finds milliseconds', 100_000_000_000, ['milliseconds 1']],
    ['stays empty', 99_999_999_999, []],
  ])('mock.report() %s when since is %i', async (_, since, expected) => {
    expect((await api.get('/forms/frm_task/submissions', { query: { since } })).status).toBe(200)
    expect(await found()).toEqual(expected)
  })

  it.each<[string, string, string, (value: unknown) => object]>([
    ['due_date', 'POST', '/lists/lst_main/tasks', (due_date) => ({ title: 'A', due_date })],
    ['date_start', 'POST', '/lists/lst_main/tasks', (date_start) => ({ title: 'A', date_start })],
    ['due_date', 'PATCH', '/tasks/tsk_plain', (due_date) => ({ due_date })],
    ['date_start', 'PATCH', '/tasks/tsk_plain', (date_start) => ({ date_start })],
    [
      'repeat_config.end_date',
      'PATCH',
      '/tasks/tsk_plain',
      (end_date) => ({ repeat_config: { ...repeats, end_date } }),
    ],
    ['date_start', 'PATCH', `${entries}/ent_ada`, (date_start) => ({ date_start })],
    ['date_start', 'POST', entries, (date_start) => ({ action: 'manual', date_start, date_end: moment })],
    ['date_end', 'POST', entries, (date_end) => ({ action: 'manual', date_start: 0, date_end })],
  ])(
    'mock.report() finds time-too-small when %s of a %s to %s is before 2001',
    async (field, method, path, body) => {
      for (const value of [0, 1_767_607, 999_999_999]) {
        await control.reset()
        await api.call(method, path, { json: body(value) })
        const [finding] = (await control.report()).filter(({ rule }) => rule === 'time-too-small')
        expect(finding).toMatchObject({ severity: 'warning', count: 1, offending: [1] })
        expect(finding?.message).toContain(field)
        expect(finding?.message).toMatch(/; received \d+\. Send whole Unix seconds/)
      }
    },
  )

  it('mock.report() finds time-too-small when a task is created with its data as a part', async () => {
    const body = multipart([], { data: '{"title":"A","due_date":0}' })
    await api.call('POST', '/lists/lst_main/tasks', { body })
    expect(await found()).toEqual(['time-too-small 1'])
  })

  it.each([
    [1, ['time-too-small 1']],
    [999_999_999, ['time-too-small 1']],
    [0, []],
    [1_000_000_000, []],
  ])('mock.report() judges since=%i as a moment', async (since, expected) => {
    await api.get('/forms/frm_task/submissions', { query: { since } })
    expect(await found()).toEqual(expected)
  })

  it('mock.report() stays empty when moments are cleared, or dates in rows are early', async () => {
    await api.patch('/tasks/tsk_plain', { due_date: null, date_start: 1_000_000_000 })
    await api.post(rowsPath, { data: { col_date: 0 } })
    await api.patch('/tasks/tsk_plain', { custom_data: { fld_date: 0 }, time_estimate: 0 })
    await control.setClock(900_000_000)
    await api.patch('/tasks/tsk_plain', { due_date: 900_000_000 })
    expect(await found()).toEqual([])
  })

  const noisy = [23.650000000000002, 1234567.8900000001, 0.1 + 0.2, -(0.1 + 0.2), 0.30000000000000004 * 3]
  const clean = [
    23.65,
    0.123456789,
    10 / 3,
    1000 / 3,
    1e6 / 7,
    -1.005,
    0,
    1e21,
    12345678901.12,
    99_999_999_999.99,
    5e-10 * 4,
    1.1,
    4.35,
  ]
  const places: [string, string, string, (value: number) => object][] = [
    ['createRow', 'POST', rowsPath, (col_currency) => ({ data: { col_currency } })],
    ['updateRow', 'PATCH', `${rowsPath}/row_1`, (col_currency) => ({ data: { col_currency } })],
    ['bulkInsertRows', 'POST', `${rowsPath}/bulk`, (col_currency) => ({ rows: [{}, { col_currency }] })],
    [
      'submitInsertJob',
      'POST',
      '/datatables/tbl_all/jobs/insert',
      (value) => ({ rows: times(300, (index) => ({ col_currency: index === 299 ? value : 1 })) }),
    ],
    [
      'createTask',
      'POST',
      '/lists/lst_main/tasks',
      (fld_currency) => ({ title: 'A', custom_data: { fld_currency } }),
    ],
    ['updateTask', 'PATCH', '/tasks/tsk_plain', (fld_currency) => ({ custom_data: { fld_currency } })],
  ]
  it.each(places)(
    'mock.report() finds float-noise when %s sends an amount with a rounding error',
    async (...row) => {
      const [operation, method, path, body] = row
      for (const value of noisy) {
        await control.reset()
        await api.call(method, path, { json: body(value) })
        const [finding, ...others] = await control.report()
        expect(others).toEqual([])
        expect(finding).toMatchObject({ rule: 'float-noise', severity: 'warning', operation, count: 1 })
        expect(finding?.message).toContain(
          `received ${String(value)}, which rounds to ${String(Number(value.toFixed(6)))}.`,
        )
      }
      await control.reset()
      for (const value of operation === 'submitInsertJob' ? clean.slice(0, 1) : clean)
        await api.call(method, path, { json: body(value) })
      expect(await found()).toEqual([])
    },
  )

  it('mock.report() stays empty when a number that is no amount has a rounding error', async () => {
    await api.post(rowsPath, { data: { col_number: 0.1 + 0.2, col_slider: 1 } })
    await api.patch('/tasks/tsk_plain', { custom_data: { fld_number: 0.1 + 0.2 } })
    await api.call('POST', '/lists/lst_main/tasks', {
      body: multipart([], { data: '{"title":"A","custom_data":{"fld_currency":23.65}}' }),
    })
    expect(await found()).toEqual([])
    await api.call('POST', '/lists/lst_main/tasks', {
      body: multipart([], { data: '{"title":"A","custom_data":{"fld_currency":23.650000000000002}}' }),
    })
    expect(await found()).toEqual(['float-noise 1'])
  })

  it.each([
    ['updateTask', '/tasks/tsk_plain'],
    ['updateSpace', '/spaces/spc_main'],
    ['updateList', '/lists/lst_main'],
    ['updateComment', '/tasks/tsk_full/comments/cmt_scoped'],
    ['updateTimeEntry', `${entries}/ent_ada`],
  ])('mock.report() finds empty-patch when %s has no field', async (operation, path) => {
    await api.patch(path, { title: undefined, name: undefined, content: undefined })
    const [finding, ...others] = await control.report()
    expect(others).toEqual([])
    expect(finding).toMatchObject({ rule: 'empty-patch', severity: 'warning', operation, count: 1 })
    expect(finding?.message).toContain(`${operation} to ${path.split('/').at(-1) ?? ''}`)
  })

  it('mock.report() finds empty-patch of a row as info, on request alone', async () => {
    expect((await api.patch(`${rowsPath}/row_1`, { data: {} })).status).toBe(200)
    expect(await found()).toEqual([])
    const findings = await control.report({ assumptions: true })
    expect(findings.filter(({ rule }) => rule === 'empty-patch')).toMatchObject([
      { severity: 'info', operation: 'updateRow', count: 1 },
    ])
    await api.patch('/tasks/tsk_plain', { title: 'New', due_date: undefined })
    await api.patch('/tasks/tsk_plain', { due_date: null })
    expect(await found()).toEqual([])
    expect((await api.patch(`${rowsPath}/row_1`, {})).status).toBe(400)
    expect(await found()).toEqual(['client-error 1'])
  })

  it('mock.report() stays empty when a number that is no moment is as large', async () => {
    await api.post(rowsPath, { data: { col_number: 1_767_607_200_000 } })
    await api.patch('/tasks/tsk_plain', { time_estimate: 1_767_607_200_000 })
    expect(await found()).toEqual([])
  })

  it('mock.report() finds row-key-name when a row is keyed by the name of a column', async () => {
    expect((await api.post(rowsPath, { data: { Title: 'A' } })).status).toBe(400)
    const [finding, ...others] = await control.report()
    expect(others).toEqual([])
    expect(finding).toMatchObject({ rule: 'row-key-name', severity: 'error', count: 1 })
    expect(finding?.message).toContain(
      'createRow to tbl_all keyed a row by the name "Title", whose key is col_text.',
    )
  })

  it('mock.report() finds unknown-key when a row or custom_data has a key that nothing is called', async () => {
    await api.post(rowsPath, { data: { col_none: 1 } })
    await api.patch('/tasks/tsk_plain', { custom_data: { fld_none: 1 } })
    expect(await found()).toEqual(['unknown-key 1', 'unknown-key 1'])
  })

  it('mock.report() finds row-key-name when custom_data is keyed by the name of a field', async () => {
    const { fields } = (await api.get('/lists/lst_main/schema')).json as {
      fields: { id: string; name: string }[]
    }
    const field = fields.find(({ id, name }) => id !== name)
    await api.patch('/tasks/tsk_plain', { custom_data: { [field?.name ?? '']: 1 } })
    const [finding, ...others] = await control.report()
    expect(others).toEqual([])
    expect(finding).toMatchObject({ rule: 'row-key-name', severity: 'error', operation: 'updateTask' })
    expect(finding?.message).toContain(
      `updateTask to tsk_plain keyed custom_data by the name "${field?.name ?? ''}"`,
    )
    await control.reset()
    await control.setAnswers({ unknownCustomFields: 'ignore' })
    expect((await api.patch('/tasks/tsk_plain', { custom_data: { [field?.name ?? '']: 1 } })).status).toBe(
      200,
    )
    expect(await found()).toEqual(['row-key-name 1'])
  })

  it('mock.report() finds wrong keys when they are in the rows of a job', async () => {
    const rows = times(300, (index): Record<string, unknown> =>
      index === 299 ? { Title: 'A', col_none: 1, col_formula: 2 } : { col_text: 'A' },
    )
    expect((await api.post('/datatables/tbl_all/jobs/insert', { rows })).status).toBe(202)
    await pass(5000)
    expect(await found()).toEqual(['row-key-name 1', 'unknown-key 1', 'read-only-write 1'])
    expect(await control.report()).toMatchObject(
      times(3, () => ({ operation: 'submitInsertJob', requests: [1] })),
    )
  })

  it('mock.report() finds read-only-write when rows of a job have values for attachments', async () => {
    const rows = times(300, () => ({ col_text: 'A', col_attachment: [] }))
    expect((await api.post('/datatables/tbl_all/jobs/insert', { rows })).status).toBe(202)
    expect(await found()).toEqual(['read-only-write 1'])
  })

  it('mock.report() finds wrong keys when question unknownRowKeys lets them be', async () => {
    await control.setAnswers({ unknownRowKeys: 'ignore' })
    expect((await api.post(rowsPath, { data: { Title: 'A', col_none: 1 } })).status).toBe(200)
    expect(await found()).toEqual(['row-key-name 1', 'unknown-key 1'])
  })

  it('mock.report() finds unknown-parameter when a query parameter is neither documented nor a column', async () => {
    await api.get('/lists/lst_main/tasks', { query: { page: 2 } })
    await api.get(rowsPath, { query: { col_text: 'Alpha', Title: 'Alpha' } })
    await api.get('/me', { query: { verbose: 1 } })
    expect((await control.report()).map(({ message }) => message.split('.')[0])).toEqual([
      'listTasks of lst_main had the query parameter "page"; its parameters are limit, offset, status, q',
      'listRows of tbl_all had the query parameter "col_text"; its parameters are page, limit, sort, select, names of columns',
      'getIdentity had the query parameter "verbose"; it takes no parameters',
    ])
    expect(await found()).toEqual(times(3, () => 'unknown-parameter 1'))
  })

  it('mock.report() finds unknown-field when a body has a field that the contract does not know', async () => {
    await api.patch('/tasks/tsk_plain', { title: 'New', colour: 'red' })
    await api.post('/tasks/tsk_plain/time-entries', { action: 'start', duration: 60 })
    await control.setAnswers({ unknownBodyFields: 'reject' })
    expect((await api.post(rowsPath, { data: {}, extra: 1 })).status).toBe(400)
    expect(await found()).toEqual(times(3, () => 'unknown-field 1'))
  })

  it.each([
    ['/lists/lst_main/tasks', 'limit=201'],
    ['/lists/lst_main/tasks', 'limit=0'],
    ['/lists/lst_main/tasks', 'limit=ten'],
    ['/lists/lst_main/tasks', 'limit='],
    [rowsPath, 'limit=501'],
    [rowsPath, 'pageSize=1.5'],
    [rowsPath, 'page=1&pageSize=-1'],
    ['/forms/frm_task/submissions', 'limit=201'],
    [rowsPath, 'page=0'],
    [rowsPath, 'page=-1&limit=5'],
    [rowsPath, 'page=1.5'],
    [rowsPath, 'page=undefined'],
    ['/lists/lst_main/tasks', 'offset=-1'],
    ['/lists/lst_main/tasks', 'offset='],
    ['/forms/frm_task/submissions', 'offset=NaN'],
  ])('mock.report() finds page-size when %s is asked for with %s', async (path, query) => {
    await api.get(path, { query })
    expect(await found()).toEqual(['page-size 1'])
    await control.reset()
    await control.setAnswers({ limitAboveMax: 'reject' })
    expect((await api.get(path, { query })).status).toBe(400)
    expect(await found()).toEqual(['page-size 1'])
  })

  it.each([0, -1, 1.5, 'ten', null])(
    'mock.report() finds page-size when a query has the page %j',
    async (page) => {
      await api.post('/datatables/tbl_all/query', { page })
      expect(await found()).toEqual(['page-size 1'])
    },
  )

  it.each([
    ['a part that nothing names', multipart([{ filename: 'a.txt', content: 'a' }], { note: 'x' }), 'note'],
    ['a file under another name', multipart([{ name: 'upload', filename: 'a.txt', content: 'a' }]), 'upload'],
    ['a second file', multipart(times(2, () => ({ filename: 'a.txt', content: 'a' }))), 'file[1]'],
    ['data', multipart([{ filename: 'a.txt', content: 'a' }], { data: '{}' }), 'data'],
  ])('mock.report() finds unknown-field when an upload of one file has %s', async (_, body, part) => {
    await api.call('POST', '/tasks/tsk_plain/attachments', { body })
    const findings = (await control.report()).filter(({ rule }) => rule === 'unknown-field')
    expect(findings).toMatchObject([{ operation: 'uploadTaskAttachment', count: 1 }])
    expect(findings[0]?.message).toContain(
      `uploadTaskAttachment to tsk_plain had the part ${JSON.stringify(part)}; its parts are file.`,
    )
  })

  it('mock.report() finds unknown-field when a task is created with parts that nothing names', async () => {
    const form = multipart(
      times(3, (index) => ({ name: index === 0 ? 'file' : 'files', filename: 'a.txt', content: 'a' })),
      { data: '{"title":"New"}' },
    )
    form.append('data', '{"title":"Newer"}')
    expect((await api.call('POST', '/lists/lst_main/tasks', { body: form })).status).toBe(201)
    expect(await found()).toEqual(['unknown-field 1'])
    expect((await control.report())[0]?.message).toContain(
      'had the parts "files", "data[1]"; its parts are file, data.',
    )
  })

  it.each([501, 0, -1, 1.5, 'ten', null])(
    'mock.report() finds page-size when a query has the limit %j',
    async (limit) => {
      await api.post('/datatables/tbl_all/query', { limit })
      const [finding, ...others] = await control.report()
      expect(others).toEqual([])
      expect(finding).toMatchObject({ rule: 'page-size', severity: 'warning', operation: 'queryRows' })
      expect(finding?.message).toContain(
        `queryRows to tbl_all asked for limit=${JSON.stringify(limit)}; it must be an integer from 1 to 500.`,
      )
    },
  )

  it('mock.report() finds content-type when a JSON body has none or another', async () => {
    const body = new TextEncoder().encode(JSON.stringify({ title: 'New' }))
    await api.call('PATCH', '/tasks/tsk_plain', { body })
    await api.call('PATCH', '/tasks/tsk_plain', { body, headers: { 'content-type': 'text/plain' } })
    await api.call('PATCH', '/tasks/tsk_doing', { body, headers: { 'content-type': 'text/plain' } })
    expect(await found()).toEqual(['content-type 1', 'content-type 2'])
    await control.setAnswers({ contentType: 'strict' })
    expect((await api.call('PATCH', '/tasks/tsk_done', { body })).status).toBe(400)
    expect(await found()).toEqual(['content-type 2', 'content-type 2'])
  })

  it('mock.report() stays empty when contents are as the contract has them', async () => {
    await api.post(rowsPath, { data: { col_text: 'A', col_number: 1 } })
    await api.patch(`${rowsPath}/row_1`, { data: { col_text: null } })
    await api.post('/datatables/tbl_all/rows/bulk', { rows: [{ col_text: 'B' }] })
    await api.post('/datatables/tbl_empty/jobs/insert', { rows: times(300, () => ({ col_name: 'C' })) })
    await api.get(rowsPath, {
      query: { limit: 500, page: 1, sort: 'Title:asc', select: 'Title', Quantity: 5 },
    })
    await api.get(rowsPath, { query: 'pageSize=500' })
    await api.get(rowsPath, { query: 'limit=5&pageSize=5000' })
    await api.post('/datatables/tbl_all/query', { limit: 500, page: 1 })
    await api.get('/lists/lst_main/tasks', { query: { limit: 200, offset: 0, status: 'To do', q: 'a' } })
    await api.get(rowsPath, { query: 'page=9007199254740993&limit=1' })
    await api.post('/datatables/tbl_all/query', { limit: '500', page: 1e21 })
    await api.call('POST', '/tasks/tsk_plain/attachments', {
      body: multipart([{ filename: 'a.txt', content: 'a' }]),
    })
    await api.call('PATCH', '/tasks/tsk_plain', {
      body: '{"custom_data":{"fld_text":"x"}}',
      headers: { 'content-type': 'application/json; charset=utf-8' },
    })
    expect(await found()).toEqual([])
  })

  it('mock.report() finds edit-running when a running entry is edited', async () => {
    const path = '/tasks/tsk_plain/time-entries'
    const id = (await api.post(path, { action: 'start' })).string('id')
    expect((await api.patch(`${path}/${id}`, { note: 'x' })).status).toBe(400)
    await control.setAnswers({ editRunning: 403 })
    expect((await api.patch(`${path}/${id}`, { note: 'x' })).status).toBe(403)
    const [finding, ...others] = await control.report()
    expect(others).toEqual([])
    expect(finding).toMatchObject({
      rule: 'edit-running',
      severity: 'error',
      operation: 'updateTimeEntry',
      count: 2,
    })
    expect(finding?.message).toContain(`Time entry ${id} was patched while it was running. Stop the entry`)
  })

  it('mock.report() stays empty when an entry is edited after it was stopped', async () => {
    const path = '/tasks/tsk_plain/time-entries'
    const id = (await api.post(path, { action: 'start' })).string('id')
    await pass(1000)
    await api.post(path, { action: 'stop' })
    expect((await api.patch(`${path}/${id}`, { note: 'x' })).status).toBe(200)
    expect(await found()).toEqual([])
  })

  it('mock.report() finds one cause in a record that is sent back as it was read', async () => {
    const { json } = await api.get('/tasks/tsk_plain')
    await api.patch('/tasks/tsk_plain', { ...Object(json), priority: 'low', assignees: [] })
    const { json: list } = await api.get('/lists/lst_main')
    await api.patch('/lists/lst_main', { ...Object(list) })
    const findings = (await control.report()).filter(({ rule }) => rule === 'unknown-field')
    expect(findings).toMatchObject([
      { operation: 'updateTask', operations: ['updateTask', 'updateList'], count: 2, requests: [2, 4] },
    ])
    expect(findings[0]?.message).toMatch(
      /^updateTask to tsk_plain had the body fields "id", .*; also in updateList\./,
    )
  })

  it('mock.report() finds one cause in a parameter of many operations, and another in another parameter', async () => {
    for (const path of ['/me', '/spaces', '/lists', '/tasks/tsk_plain'])
      await api.get(path, { query: { api_key: 'secret' } })
    await api.get('/me', { query: { verbose: 1 } })
    const [finding, other, ...others] = await control.report()
    expect(others).toEqual([])
    expect(finding).toMatchObject({
      rule: 'unknown-parameter',
      operation: 'getIdentity',
      operations: ['getIdentity', 'listSpaces', 'listLists', 'getTask'],
      count: 4,
      requests: [1, 2, 3, 4],
    })
    expect(finding?.message).toContain('; also in listSpaces, listLists, getTask.')
    expect(finding?.message).not.toContain('secret')
    expect(other).toMatchObject({ rule: 'unknown-parameter', count: 1, requests: [5] })
    expect(other).not.toHaveProperty('operations')
  })

  it('mock.report() finds two causes in two fields that different requests have', async () => {
    await api.patch('/tasks/tsk_plain', { colour: 'red' })
    await api.patch('/tasks/tsk_plain', { titel: 'New' })
    expect(await found()).toEqual(['unknown-field 1', 'unknown-field 1'])
  })
})
