// Keys that every object inherits: refused by name where keys are checked, kept where any JSON is allowed.
import { describe, expect, it } from 'vitest'
import { testFixture } from '../support/fixture.ts'
import { useMock } from '../support/harness.ts'

const parse = (text: string): unknown => JSON.parse(text)
const proto = parse('{"__proto__":"own"}')
const inherited = ['__proto__', 'constructor', 'toString', 'hasOwnProperty'] as const
const keyed = (key: string, value: unknown) => parse(`{${JSON.stringify(key)}:${JSON.stringify(value)}}`)

describe('keys that every object inherits', () => {
  const { api, control } = useMock()

  it.each(inherited)('createRow answers 400 naming the key when it is %s', async (key) => {
    const reply = await api.post('/datatables/tbl_all/rows', { data: keyed(key, 'x') })
    expect(reply.status).toBe(400)
    expect(reply.at('error')).toContain(key)
  })

  it.each(inherited)('updateRow answers 400 naming the key when it is %s', async (key) => {
    const reply = await api.patch('/datatables/tbl_all/rows/row_1', { data: keyed(key, null) })
    expect(reply.status).toBe(400)
    expect(reply.at('error')).toContain(key)
  })

  it.each(inherited)(
    'bulkInsertRows answers 200 and names the key of the row that fails when it is %s',
    async (key) => {
      const rows = [{ col_name: 'fine' }, keyed(key, 'x')]
      const reply = await api.post('/datatables/tbl_empty/rows/bulk', { rows })
      expect(reply.status).toBe(200)
      expect(reply.at('errors.0.index')).toBe(1)
      expect(reply.at('errors.0.error')).toContain(key)
    },
  )

  it.each(inherited)('createTask answers 400 naming the key when custom_data has %s', async (key) => {
    const reply = await api.post('/lists/lst_main/tasks', { title: 'x', custom_data: keyed(key, 'x') })
    expect(reply.status).toBe(400)
    expect(reply.at('error')).toContain(key)
  })

  it.each(inherited)('updateTask answers 400 naming the key when custom_data has %s', async (key) => {
    const reply = await api.patch('/tasks/tsk_full', { custom_data: keyed(key, null) })
    expect(reply.status).toBe(400)
    expect(reply.at('error')).toContain(key)
  })

  it.each(inherited)('updateTask answers 200 and reports unknown-field when a body has %s', async (key) => {
    const reply = await api.patch('/tasks/tsk_full', keyed(key, 'x'))
    expect(reply.status).toBe(200)
    expect((await control.report()).map(({ rule, message }) => [rule, message.includes(key)])).toEqual([
      ['unknown-field', true],
    ])
  })

  it.each(inherited)(
    'updateTask answers 400 when a body has %s and unknown fields are refused',
    async (key) => {
      await control.setAnswers({ unknownBodyFields: 'reject' })
      const reply = await api.patch('/tasks/tsk_full', keyed(key, 'x'))
      expect(reply.status).toBe(400)
      expect(reply.at('error')).toContain(key)
    },
  )

  it('createComment answers 200 and keeps it, in state and snapshot too, when a document has __proto__', async () => {
    const content = { type: 'doc', attrs: proto, ...(proto as object) }
    const id = (await api.post('/tasks/tsk_plain/comments', { content })).at('id')
    const read = async () => {
      const reply = await api.get('/tasks/tsk_plain/comments')
      return JSON.stringify(
        (reply.list('comments') as { id: string; content: unknown }[]).find((one) => one.id === id)?.content,
      )
    }
    const before = await read()
    expect(parse(before ?? '')).toEqual(parse(JSON.stringify(content)))
    expect(before).toContain('"__proto__":"own"')
    await control.loadState(await control.state())
    expect(await read()).toBe(before)
    const snapshot = await control.snapshot()
    await control.reset()
    await control.restore(snapshot)
    expect(await read()).toBe(before)
  })

  it('updateTask answers 200 and keeps it when a description has __proto__', async () => {
    await control.setAnswers({ taskReadExtras: true })
    await api.patch('/tasks/tsk_plain', { description: proto })
    expect(JSON.stringify((await api.get('/tasks/tsk_plain')).at('description'))).toBe('{"__proto__":"own"}')
  })

  it('getForm answers 200 with them as they were given when settings, rules and items have __proto__', async () => {
    const form = {
      id: 'frm_proto',
      name: 'Proto',
      target_type: 'task',
      target_id: 'lst_main',
      settings: proto,
      rules: proto,
      field_config: [proto],
      submissions: [{ data: proto, created_entity_id: 'tsk_plain' }],
    }
    await control.seed({ forms: [form] })
    await control.loadState(await control.state())
    const read = await api.get('/forms/frm_proto')
    for (const field of ['settings', 'rules', 'field_config.0'])
      expect(JSON.stringify(read.at(`form.${field}`))).toBe('{"__proto__":"own"}')
    const submissions = await api.get('/forms/frm_proto/submissions')
    expect(JSON.stringify(submissions.at('submissions.0.data'))).toBe('{"__proto__":"own"}')
  })

  it.each(inherited)('mock.setLimits() refuses the limit %s', async (key) => {
    await expect(control.setLimits(keyed(key, 3) as Record<string, number>)).rejects.toThrow(key)
  })

  it.each(inherited)('mock.setAnswers() refuses the question %s', async (key) => {
    await expect(control.setAnswers(keyed(key, 'x'))).rejects.toThrow(key)
  })

  it.each(inherited)('mock.loadState() refuses the field, file and limit %s', async (key) => {
    const fixture = testFixture as unknown as { workspaces: object[]; files: object }
    const own = keyed(key, 3) as object
    const [first, ...others] = fixture.workspaces
    await expect(control.loadState({ ...fixture, ...own })).rejects.toThrow(key)
    await expect(
      control.loadState({ ...fixture, files: { ...fixture.files, ...(keyed(key, '') as object) } }),
    ).rejects.toThrow(key)
    await expect(control.loadState({ ...fixture, workspaces: [{ ...first, ...own }] })).rejects.toThrow(key)
    await expect(
      control.loadState({ ...fixture, workspaces: [{ ...first, limits: own }, ...others] }),
    ).rejects.toThrow(key)
  })

  it.each(inherited)('listRows answers 200 when a column is named %s and has that id', async (key) => {
    const id = key === '__proto__' ? 'col_x' : key
    const table = { id: 'tbl_odd', name: 'Odd', columns: [{ id, name: key, type: 'text' }] }
    await control.seed({ tables: [{ ...table, rows: [{ id: 'a' }, { id: 'b', data: { [id]: 'x' } }] }] })
    const rows = async (query: string) =>
      (await api.get('/datatables/tbl_odd/rows', { query })).pluck('rows', 'id')
    expect((await api.get('/datatables/tbl_odd/rows')).pluck('rows', 'data')).toEqual([
      { [id]: null },
      { [id]: 'x' },
    ])
    expect(await rows(`${key}=x`)).toEqual(['b'])
    expect(await rows(`sort=${key}:asc`)).toEqual(['b', 'a'])
    expect(await rows(`select=${key}`)).toEqual(['a', 'b'])
    await api.patch('/datatables/tbl_odd/rows/a', { data: { [id]: 'y' } })
    expect((await api.get('/datatables/tbl_odd/rows/a')).at(`data.${id}`)).toBe('y')
  })

  it.each(inherited)(
    'updateTask answers 200 when a custom field has the id %s, unless it is __proto__',
    async (key) => {
      const list = { id: 'lst_odd', name: 'Odd', fields: [{ id: key, name: key, type: 'text' }] }
      if (key === '__proto__') {
        await expect(control.seed({ lists: [list] })).rejects.toThrow(key)
        return
      }
      await control.seed({ lists: [{ ...list, tasks: [{ id: 'tsk_odd', title: 'x' }] }] })
      expect((await api.get('/tasks/tsk_odd')).at('custom_data')).toEqual({})
      await api.patch('/tasks/tsk_odd', { custom_data: { [key]: 'y' } })
      expect((await api.get('/tasks/tsk_odd')).at('custom_data')).toEqual({ [key]: 'y' })
    },
  )

  it.each(['constructor', 'toString'])(
    'bulkInsertRows answers 200 when the workspace has the id %s',
    async (id) => {
      await control.loadState({
        workspaces: [
          {
            id,
            members: [{ name: 'M' }],
            keys: [{ key: 'wm_test_master', name: id }],
            tables: [{ id: 'tbl_one', name: 'One', columns: [{ id: 'c', name: 'C', type: 'text' }] }],
          },
        ],
      })
      const reply = await api.post('/datatables/tbl_one/rows/bulk', { rows: [{ c: 'x' }] })
      expect(reply.status).toBe(200)
      await control.loadState(await control.state())
      expect((await api.get('/datatables')).at('datatables.0.row_count')).toBe(1)
    },
  )
})
