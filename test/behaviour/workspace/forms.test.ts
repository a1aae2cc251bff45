// Forms and their submissions.
import { describe, expect, it } from 'vitest'
import { DAY, NOW } from '../support/fixture.ts'
import { times, useMock } from '../support/harness.ts'

const submissions = '/forms/frm_task/submissions'
const ids = (numbers: readonly number[]) => numbers.map((number) => `sub_${String(number)}`)

const taskForm = {
  id: 'frm_task',
  name: 'Form frm_task',
  slug: 'frm-task',
  target_type: 'task',
  target_id: 'lst_main',
  is_published: 1,
  submission_count: 6,
  field_config: [
    { id: 'title', label: 'What is it?', type: 'text', required: true },
    { id: 'fld_number', label: 'Effort', type: 'number', required: false },
  ],
  rules: [],
  settings: { thanks: 'Thank you' },
  created_at: NOW - 10 * DAY,
  updated_at: NOW - 10 * DAY,
}

describe('forms', () => {
  const { api, control } = useMock()

  it('listForms answers 200 with whole forms when some are drafts', async () => {
    const reply = await api.get('/forms')
    expect(reply.status).toBe(200)
    expect(reply.pluck('forms', 'id')).toEqual(['frm_task', 'frm_row', 'frm_draft'])
    expect(reply.pluck('forms', 'is_published')).toEqual([1, 1, 0])
    expect(reply.pluck('forms', 'target_type')).toEqual(['task', 'datatable', 'task'])
    expect(reply.at('forms.0')).toEqual(taskForm)
  })

  it('getForm answers 200 with the form under the key form when it exists', async () => {
    const reply = await api.get('/forms/frm_task')
    expect(reply.status).toBe(200)
    expect(reply.json).toEqual({ form: taskForm })
    expect((await api.get('/forms/frm_row')).at('form.rules')).toEqual({ any: [{ json: true }] })
  })

  it.each(['frm_none', 'frm_business'])(
    'getForm and listFormSubmissions answer 404 when the form is %s',
    async (id) => {
      expect((await api.get(`/forms/${id}`)).status).toBe(404)
      expect((await api.get(`/forms/${id}/submissions`)).status).toBe(404)
    },
  )

  it('listFormSubmissions answers 200 with the submissions, oldest first, when there are several', async () => {
    const reply = await api.get(submissions)
    expect(reply.status).toBe(200)
    expect(reply.json).toEqual({
      submissions: times(6, (index) => ({
        id: `sub_${String(index + 1)}`,
        data: { title: `Request ${String(index + 1)}` },
        created_entity_type: 'task',
        created_entity_id: 'tsk_plain',
        created_at: NOW - 900 + 100 * index,
      })),
      limit: 50,
      offset: 0,
    })
    expect((await api.get('/forms/frm_row/submissions')).json).toEqual({
      submissions: [],
      limit: 50,
      offset: 0,
    })
  })

  it.each([
    ['limit=2', 2, 0, [1, 2]],
    ['limit=2&offset=5', 2, 5, [6]],
    ['offset=6', 50, 6, []],
    ['limit=200', 200, 0, [1, 2, 3, 4, 5, 6]],
    ['limit=201', 200, 0, [1, 2, 3, 4, 5, 6]],
    ['limit=0&offset=-3', 50, 0, [1, 2, 3, 4, 5, 6]],
    [`since=${String(NOW - 900)}`, 50, 0, [2, 3, 4, 5, 6]],
    [`since=${String(NOW - 901)}`, 50, 0, [1, 2, 3, 4, 5, 6]],
    [`since=${String(NOW - 400)}`, 50, 0, []],
    [`since=${String(NOW - 700)}&limit=1&offset=1`, 1, 1, [5]],
    ['since=yesterday', 50, 0, [1, 2, 3, 4, 5, 6]],
    ['since=', 50, 0, [1, 2, 3, 4, 5, 6]],
  ])('listFormSubmissions answers 200 when the query is %s', async (query, limit, offset, expected) => {
    const reply = await api.get(submissions, { query })
    expect(reply.status).toBe(200)
    expect(reply.pluck('submissions', 'id')).toEqual(ids(expected))
    expect(reply.at('limit')).toBe(limit)
    expect(reply.at('offset')).toBe(offset)
  })

  it('listFormSubmissions answers 200 with what is new when since is the last seen timestamp', async () => {
    const first = await api.get(submissions, { query: { limit: 200 } })
    const since = Math.max(...(first.pluck('submissions', 'created_at') as number[]))
    await control.advance('1m')
    await control.submitForm('frm_task', { title: 'A new request', fld_number: 4 })
    const next = await api.get(submissions, { query: { since } })
    expect(next.list('submissions')).toHaveLength(1)
    expect(next.at('submissions.0')).toMatchObject({
      data: { title: 'A new request', fld_number: 4 },
      created_entity_type: 'task',
      created_at: NOW + 60,
    })
    expect((await api.get('/forms/frm_task')).at('form.submission_count')).toBe(7)
  })

  it('getTask answers 200 with the task when a submission created it', async () => {
    await control.submitForm('frm_task', { title: 'A new request', fld_number: 4 })
    const { json } = await api.get(submissions, { query: { offset: 6 } })
    const { submissions: created } = json as { submissions: { created_entity_id: string }[] }
    const task = await api.get(`/tasks/${String(created[0]?.created_entity_id)}`)
    expect(task.json).toMatchObject({
      title: 'A new request',
      custom_data: { fld_number: 4 },
      status_id: 'st_todo',
    })
  })

  it.each([
    [{ item_first: 'One', item_second: 'Two' }, 'One'],
    [{ item_first: '', item_second: 'Two' }, 'Two'],
    [{ item_first: '  ', item_second: 'Two' }, 'Two'],
    [{ item_first: 5, item_second: 'Two' }, 'Two'],
    [{ item_number: 4 }, 'Intake'],
    [{}, 'Intake'],
  ])('getTask answers 200 with the first text as title when the submission is %j', async (data, title) => {
    const items = [
      { id: 'item_number', label: 'How many?', type: 'number' },
      { id: 'item_first', label: 'First', type: 'Short text' },
      { id: 'item_second', label: 'Second', type: 'long_text' },
    ]
    await control.seed({
      forms: [
        {
          id: 'frm_intake',
          name: 'Intake',
          target_type: 'task',
          target_id: 'lst_main',
          is_published: 1,
          field_config: items,
        },
      ],
    })
    await control.submitForm('frm_intake', data)
    const reply = await api.get('/forms/frm_intake/submissions')
    const task = await api.get(`/tasks/${reply.string('submissions.0.created_entity_id')}`)
    expect(task.at('title')).toBe(title)
  })

  it('getRow answers 200 with the row when a submission created it', async () => {
    await control.submitForm('frm_row', { col_name: 'Ada', col_count: 2 })
    const reply = await api.get('/forms/frm_row/submissions')
    expect(reply.at('submissions.0.created_entity_type')).toBe('datatable_row')
    const row = await api.get(`/datatables/tbl_empty/rows/${reply.string('submissions.0.created_entity_id')}`)
    expect(row.json).toMatchObject({ version: 1, data: { col_name: 'Ada', col_count: 2 } })
  })

  it('mock.submitForm() refuses data without a required value, and nothing is written', async () => {
    const before = await control.state()
    await expect(control.submitForm('frm_task', { fld_number: 4 })).rejects.toThrow('title')
    await expect(control.submitForm('frm_row', { col_count: 4 })).rejects.toThrow('col_name')
    expect(await control.state()).toEqual(before)
  })

  it('mock.submitForm() refuses a value of the wrong type, and nothing is written', async () => {
    const before = await control.state()
    await expect(control.submitForm('frm_row', { col_name: 'x', col_count: 'many' })).rejects.toThrow(
      'col_count',
    )
    expect(await control.state()).toEqual(before)
  })

  it('mock.submitForm() refuses a form that is a draft or absent, until mock.publishForm() publishes it', async () => {
    await expect(control.submitForm('frm_draft', { title: 'x' })).rejects.toThrow('frm_draft')
    await expect(control.submitForm('frm_none', { title: 'x' })).rejects.toThrow('frm_none')
    await control.publishForm('frm_draft')
    expect((await api.get('/forms/frm_draft')).at('form.is_published')).toBe(1)
    await control.submitForm('frm_draft', { title: 'x' })
    await control.publishForm('frm_draft', false)
    expect((await api.get('/forms/frm_draft')).at('form')).toMatchObject({
      is_published: 0,
      submission_count: 1,
    })
  })
})

describe('what a form does to itself and its target', () => {
  const { api, control } = useMock()

  it('getForm answers 200 with that moment as updated_at when the form was published or made a draft', async () => {
    const updatedAt = async () => (await api.get('/forms/frm_draft')).at('form.updated_at')
    const before = await updatedAt()
    await control.advance('1h')
    await control.publishForm('frm_draft', false)
    expect(await updatedAt()).toBe(before)
    await control.publishForm('frm_draft')
    expect(await updatedAt()).toBe(NOW + 3600)
    await control.advance('1h')
    await control.publishForm('frm_draft')
    expect(await updatedAt()).toBe(NOW + 3600)
    await control.publishForm('frm_draft', false)
    expect(await updatedAt()).toBe(NOW + 7200)
  })

  it.each([
    ['labels', { col_dropdown: 'Won', col_tags: ['Red', 'Blue'] }, 'opt_won', ['tag_red', 'tag_blue']],
    ['ids', { col_dropdown: 'opt_won', col_tags: ['tag_red'] }, 'opt_won', ['tag_red']],
    ['one label for a list', { col_tags: 'Green' }, null, ['tag_green']],
  ])('getRow answers 200 with the ids of options when a submission has %s', async (_, data, option, tags) => {
    const items = ['col_dropdown', 'col_tags'].map((id) => ({
      id,
      label: id,
      type: 'select',
      required: false,
    }))
    const target = { target_type: 'datatable', target_id: 'tbl_all', field_config: items }
    await control.seed({ forms: [{ id: 'frm_options', name: 'Options', is_published: 1, ...target }] })
    const submission = (await control.submitForm('frm_options', data)) as { created_entity_id: string }
    const row = await api.get(`/datatables/tbl_all/rows/${submission.created_entity_id}`)
    expect(row.at('data')).toMatchObject({ col_dropdown: option, col_tags: tags })
  })
})

describe('submissions of one second', () => {
  const { api, control } = useMock()
  const listed = async (query: Record<string, number> = {}) =>
    (await api.get('/forms/frm_row/submissions', { query: { limit: 100, ...query } })).pluck(
      'submissions',
      'id',
    )

  it('listFormSubmissions answers 200 by moment, then by id, when several were made in one second', async () => {
    const ids = ['sub_m', 'sub_z', 'sub_a', 'sub_k']
    const late = ids.map((id) => ({ id, created_at: NOW + 5, created_entity_id: 'row_any' }))
    const held = [...late, { ...late[0], id: 'sub_zz', created_at: NOW + 4 }]
    await control.seed({ forms: [{ id: 'frm_row', submissions: held }] })
    expect((await listed()).slice(-5)).toEqual(['sub_zz', ...ids.sort()])
    expect(await listed({ since: NOW + 4 })).toEqual(ids)
    expect(await listed({ since: NOW + 5 })).toEqual([])
  })

  it('listFormSubmissions answers 200 with each once when pages of one second follow each other', async () => {
    const before = await listed()
    const made: unknown[] = []
    for (let count = 0; count < 12; count++) {
      const submission = await control.submitForm('frm_row', { col_name: 'x' })
      made.push((submission as { id: string }).id)
    }
    expect(await listed()).toEqual([...before, ...made])
    const pages = []
    for (let offset = 0; offset < 12; offset += 5)
      pages.push(...(await listed({ since: NOW - 1, limit: 5, offset })))
    expect(pages).toEqual(made)
  })
})

describe('what a submission holds', () => {
  const { api, control } = useMock()
  const item = (id: string, type: string, required = false) => ({
    id,
    label: `Label of ${id}`,
    type,
    required,
  })
  const fields = [
    item('title', 'number'),
    item('mood', 'number'),
    item('why', 'longtext'),
    item('what', 'text', true),
  ]
  const submit = async (data: unknown, field_config: readonly unknown[] = fields) => {
    const target = { target_type: 'task' as const, target_id: 'lst_main' }
    const name = { id: 'frm_new', name: 'New form', slug: 'new', is_published: 1 as const }
    await control.seed({ forms: [{ ...name, ...target, field_config: [...field_config] as object[] }] })
    const { created_entity_id } = (await control.submitForm('frm_new', data as Record<string, unknown>)) as {
      created_entity_id: string
    }
    return (await api.get(`/tasks/${created_entity_id}`)).json as { title: string; custom_data: object }
  }

  it.each([
    [{ title: 'A title', what: 'x' }, 'A title'],
    [{ title: '  ', why: 'Because', what: 'x' }, 'Because'],
    [{ mood: 'text', why: ' ', what: 'The first text' }, 'The first text'],
  ])('getTask answers 200 when %j was submitted, with the title %s', async (data, title) => {
    expect((await submit(data)).title).toBe(title)
  })

  it('getTask answers 200 with the name of the form as title when it asks for no text', async () => {
    const task = await submit({ mood: 3 }, [item('mood', 'number'), 'no item', { label: 'without id' }])
    expect(task).toMatchObject({ title: 'New form', custom_data: {} })
    expect((await api.get('/forms/frm_new/submissions')).at('submissions.0.data')).toEqual({ mood: 3 })
  })

  it.each([
    [{ other: 1, what: 'x' }, 'data.other is not a field of the form (title, mood, why, what)'],
    [{ title: 5, what: 'x' }, 'data.title must be a string; received 5'],
    [{ what: '' }, 'data.what (Label of what) is required; received ""'],
    [{ what: null }, 'data.what (Label of what) is required; received null'],
    [{ what: ' \t\n\u00a0' }, 'data.what (Label of what) is required; received " \\t\\n\u00a0"'],
    [{ what: [] }, 'data.what (Label of what) is required; received []'],
    [{ what: [' ', null] }, 'data.what (Label of what) is required; received [" ",null]'],
    [
      { other: 1, what: '' },
      'data.other is not a field of the form (title, mood, why, what); received 1; data.what (Label of what) is required; received ""',
    ],
    [{ constructor: 'x', what: 'x' }, 'data.constructor is not a field of the form'],
  ])('mock.submitForm() refuses %j and nothing is written', async (data, says) => {
    await expect(submit(data)).rejects.toThrow(says)
    expect((await api.get('/forms/frm_new/submissions')).list('submissions')).toEqual([])
    expect((await api.get('/forms/frm_new')).at('form.submission_count')).toBe(0)
  })
})
