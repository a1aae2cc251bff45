// Options, columns, statuses and members that share a name: which one is used, by id and by name.
import { beforeEach, describe, expect, it } from 'vitest'
import { useMock } from '../support/harness.ts'

const option = (id: string, label: string) => ({ id, label, color: '#123456' })
/** Two options share a label, and one option's label is another's id. */
const options = [
  option('o_a', 'Open'),
  option('o_b', 'Open'),
  option('o_c', 'Done'),
  option('o_d', 'o_a'),
  option('o_e', 'Also'),
]
const status = (id: string, name: string, type: string) => ({ id, name, color: '#123456', type })
const stages = ['o_b', 'o_c', 'o_a', 'o_d', null]

const fixture = {
  name: 'equal names',
  clock: 1_767_607_200,
  workspaces: [
    {
      id: 'ws_a',
      name: 'Equal names',
      plan: 'pro',
      members: [
        { id: 'm_1', name: 'Kim' },
        { id: 'm_2', name: 'Kim' },
        { id: 'm_3', name: 'Lee' },
      ],
      keys: [{ key: 'wm_a', name: 'master', kind: 'master', member_id: 'm_1' }],
      tables: [
        {
          id: 'tbl_a',
          name: 'Rows',
          columns: [
            { id: 'c_stage', name: 'Stage', type: 'dropdown', options, readonly: false },
            { id: 'c_tags', name: 'Tags', type: 'tags', options, readonly: false },
            { id: 'c_first', name: 'Twice', type: 'text', readonly: false },
            { id: 'c_second', name: 'Twice', type: 'text', readonly: false },
            { id: 'c_owner', name: 'Owner', type: 'people', readonly: false },
            {
              id: 'c_sum',
              name: 'Sum',
              type: 'formula',
              formula: '{Stage} + " " + {Twice}',
              readonly: true,
            },
          ],
          rows: stages.map((stage, index) => ({
            id: `r${String(index + 1)}`,
            data: {
              ...(stage !== null && { c_stage: stage, c_tags: [stage] }),
              c_first: `f${String(index + 1)}`,
              c_second: `s${String(5 - index)}`,
              c_owner: [`m_${String((index % 3) + 1)}`],
            },
          })),
        },
      ],
      spaces: [
        {
          id: 'spc_a',
          name: 'Space',
          default_list_id: 'lst_a',
          lists: [
            {
              id: 'lst_a',
              name: 'List',
              statuses: [
                status('st_1', 'To do', 'active'),
                status('st_2', 'To do', 'active'),
                status('st_3', 'Done', 'done'),
              ],
              fields: [
                { id: 'f_stage', name: 'Stage', type: 'dropdown', options },
                { id: 'f_tags', name: 'Tags', type: 'tags', options },
                { id: 'f_first', name: 'Twice', type: 'text' },
                { id: 'f_second', name: 'Twice', type: 'text' },
                { id: 'f_sum', name: 'Sum', type: 'formula', formula: '{Stage} + " " + {Twice}' },
              ],
              tasks: ['st_2', 'st_3', 'st_1'].map((status_id, index) => ({
                id: `t${String(index + 1)}`,
                title: 'Task',
                status_id,
                custom_data: { f_stage: 'o_b', f_first: 'one', f_second: 'two' },
              })),
            },
          ],
        },
      ],
      forms: ['tbl_a', 'lst_a'].map((target_id) => ({
        id: `form_${target_id}`,
        name: 'Form',
        slug: `form-${target_id.replace('_', '-')}`,
        is_published: 1,
        target_type: target_id === 'tbl_a' ? 'datatable' : 'task',
        target_id,
        field_config: (target_id === 'tbl_a' ? ['c_stage', 'c_tags'] : ['f_stage', 'f_tags']).map((id) => ({
          id,
          label: id,
          type: 'dropdown',
          required: false,
        })),
      })),
    },
  ],
  // Exported states may contain duplicate names.
  runtime: {},
}

describe('equal names', () => {
  const { api, control } = useMock({ fixture, key: 'wm_a' })
  const rows = '/datatables/tbl_a/rows'
  const ids = async (query: Readonly<Record<string, string>>) =>
    (await api.get(rows, { query })).pluck('rows', 'id')
  const queried = async (json: object) =>
    (await api.post('/datatables/tbl_a/query', json)).pluck('rows', 'id')
  const filtered = (operator: string, value: unknown, column = 'Stage') =>
    queried({ filters: [{ column, operator, value }] })

  it.each(['o_a', 'o_b', 'o_d'])(
    'createRow answers 200 with the option as it was sent when it is %s',
    async (id) => {
      const created = await api.post(rows, { data: { c_stage: id, c_tags: [id, 'o_c'] } })
      expect(created.at('data')).toMatchObject({ c_stage: id, c_tags: [id, 'o_c'] })
    },
  )

  it.each(['Stage', 'Tags'])(
    'listRows answers 200 with every option of a label when the column %s has equal labels',
    async (column) => {
      expect(await ids({ [column]: 'Open' })).toEqual(['r1', 'r3'])
      expect(await ids({ [column]: 'o_b' })).toEqual(['r1'])
      expect(await ids({ [column]: 'o_a' })).toEqual(['r3', 'r4'])
    },
  )

  it.each(['Stage', 'Tags'])(
    'queryRows answers 200 with every option of a label when the column %s has equal labels',
    async (column) => {
      expect(await filtered('eq', 'Open', column)).toEqual(['r1', 'r3'])
      expect(await filtered('neq', 'Open', column)).toEqual(['r2', 'r4', 'r5'])
      expect(await filtered('in', ['Open', 'Done'], column)).toEqual(['r1', 'r2', 'r3'])
      expect(await filtered('in', ['o_b', 'Done'], column)).toEqual(['r1', 'r2'])
      expect(await filtered('contains', 'OPE', column)).toEqual(['r1', 'r3'])
      expect(await filtered('contains', 'o_b', column)).toEqual(['r1'])
      expect(await filtered('lt', 'Open', column)).toEqual(['r2', 'r4'])
    },
  )

  it.each([
    ['asc', ['r2', 'r4', 'r1', 'r3', 'r5']],
    ['desc', ['r1', 'r3', 'r4', 'r2', 'r5']],
  ])(
    'listRows answers 200 with options of one label in order of insertion when sorted %s',
    async (direction, order) => {
      expect(await ids({ sort: `Stage:${direction}` })).toEqual(order)
      expect(await ids({ sort: `Tags:${direction}` })).toEqual(order)
    },
  )

  it('listRows answers 200 with the rows of every member of a name when people have equal names', async () => {
    expect(await ids({ Owner: 'Kim' })).toEqual(['r1', 'r2', 'r4', 'r5'])
    expect(await ids({ Owner: 'm_2' })).toEqual(['r2', 'r5'])
    expect(await ids({ sort: 'Owner:desc' })).toEqual(['r3', 'r1', 'r2', 'r4', 'r5'])
  })

  it('listRows answers 200 taking the first column when two have one name', async () => {
    expect(await ids({ Twice: 'f2' })).toEqual(['r2'])
    expect(await ids({ Twice: 's2' })).toEqual([])
    expect(await ids({ sort: 'Twice' })).toEqual(['r1', 'r2', 'r3', 'r4', 'r5'])
    const selected = await api.get(rows, { query: { select: 'Twice', limit: 1 } })
    expect(selected.at('rows.0.data')).toEqual({ c_first: 'f1' })
    expect(await filtered('eq', 's2', 'c_second')).toEqual(['r4'])
  })

  it('getRow answers 200 with the very option and the first column in a formula when labels and names are equal', async () => {
    expect((await api.get(`${rows}/r1`)).at('data.c_sum')).toBe('Open f1')
    expect((await api.get(`${rows}/r4`)).at('data.c_sum')).toBe('o_a f4')
    expect((await api.get(`${rows}/r5`)).at('data.c_sum')).toBeNull()
  })

  it('getTask answers 200 with the very option and the first field in a formula when labels and names are equal', async () => {
    expect((await api.get('/tasks/t1')).at('custom_data')).toEqual({
      f_stage: 'o_b',
      f_first: 'one',
      f_second: 'two',
      f_sum: 'Open one',
    })
  })

  it('listTasks answers 200 with the tasks of every status of a name when statuses have equal names', async () => {
    const tasks = async (status: string) =>
      (await api.get('/lists/lst_a/tasks', { query: { status } })).pluck('tasks', 'id')
    expect(await tasks('To do')).toEqual(['t1', 't3'])
    expect(await tasks('st_1')).toEqual(['t3'])
  })

  it('bulkInsertRows answers 200 matching the very option when its label is that of another', async () => {
    const upsert = (c_stage: string) =>
      api.post(`${rows}/bulk`, {
        rows: [{ c_stage, c_first: 'new' }],
        mode: 'upsert',
        key_column: 'c_stage',
      })
    expect((await upsert('o_a')).json).toMatchObject({ inserted: 0, updated: 1 })
    expect((await upsert('o_e')).json).toMatchObject({ inserted: 1, updated: 0 })
    expect(await ids({ Twice: 'new' })).toEqual(['r3', expect.any(String)])
  })

  it.each(['Open', 'o_a'])('mock.submitForm() stores the first option for %s', async (value) => {
    await control.submitForm('form_tbl_a', { c_stage: value, c_tags: value })
    const row = (await api.get(rows, { query: { limit: 10 } })).at('rows.5.data')
    expect(row).toMatchObject({ c_stage: 'o_a', c_tags: ['o_a'] })
    await control.submitForm('form_lst_a', { f_stage: value, f_tags: [value, 'Done'] })
    const task = (await api.get('/lists/lst_a/tasks')).at('tasks.3.custom_data')
    expect(task).toMatchObject({ f_stage: 'o_a', f_tags: ['o_a', 'o_c'] })
  })

  describe('where labels are taken', () => {
    beforeEach(() => control.setAnswers({ typeChecks: 'dropdownLabels' }))

    it.each([
      ['Open', 'o_a'],
      ['o_b', 'o_b'],
      ['o_a', 'o_a'],
      ['Also', 'o_e'],
    ])(
      'createRow and createTask answer 2xx when labels are taken and %s is sent, stored as %s',
      async (sent, stored) => {
        const row = await api.post(rows, { data: { c_stage: sent, c_tags: ['Done', sent] } })
        expect(row.at('data')).toMatchObject({ c_stage: stored, c_tags: ['o_c', stored] })
        const custom_data = { f_stage: sent, f_tags: [sent] }
        const { json } = await api.post('/lists/lst_a/tasks', { title: 'New', custom_data })
        const task = await api.get(`/tasks/${(json as { id: string }).id}`)
        expect(task.at('custom_data')).toMatchObject({ f_stage: stored, f_tags: [stored] })
      },
    )

    it('bulkInsertRows answers 200 matching the first option when several have the label', async () => {
      const body = {
        rows: [{ c_stage: 'Open', c_first: 'new' }],
        mode: 'upsert',
        key_column: 'Stage',
      }
      expect((await api.post(`${rows}/bulk`, body)).json).toMatchObject({ inserted: 0, updated: 1 })
      expect(await ids({ Twice: 'new' })).toEqual(['r3'])
    })
  })
})
