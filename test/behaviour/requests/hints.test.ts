// Hints about what a client meant: misspelled fields and values, bodies that contradict their content type, lost files.
import { describe, expect, it } from 'vitest'
import { multipart, useMock } from '../support/harness.ts'
import { goodRequests } from '../support/requests.ts'

const hintOf = ({ headers }: { readonly headers: Headers }) => headers.get('x-mock-hint')
const taskWith = (filename: string, content: string) =>
  multipart([{ filename, content }], { data: '{"title":"T"}' })
const tasks = '/lists/lst_main/tasks'

describe('an id that no record has', () => {
  const { api } = useMock()

  it('getTask answers 404 and names the nearest id when tasks are made and deleted meanwhile', async () => {
    const hints: unknown[] = []
    const get = async (path: string) => hints.push(hintOf(await api.get(path)))
    await get('/tasks/task_00001')
    await get('/tasks/task_00001')
    const created: { json: unknown } = await api.post(tasks, { title: 'T' })
    const { id } = created.json as { id: string }
    await get('/tasks/task_00001')
    await get('/tasks/task_00001')
    await api.delete(`/tasks/${id}`)
    await get('/tasks/task_00001')
    expect(hints).toEqual([null, null, `did you mean ${id}?`, `did you mean ${id}?`, null])
  })
})

describe('a misspelled field', () => {
  const { api, control } = useMock()

  it.each([
    ['createTask', { titel: 'T' }, tasks, 'titel is not a field of this body; did you mean title?'],
    ['createTask', { name: 'T' }, tasks, 'name is not a field of this body, whose fields are title, '],
    ['createSpace', { nmae: 'S' }, '/spaces', 'did you mean name?'],
    ['createRow', { dta: {} }, '/datatables/tbl_all/rows', 'did you mean data?'],
    [
      'queryRows',
      { filters: [{ colum: 'Text', operator: 'eq', value: 'a' }] },
      '/datatables/tbl_all/query',
      'filters[0].colum is not a field of this body; did you mean column?',
    ],
  ])('%s answers 400 with a hint and a finding when the body is %j', async (_, json, path, hint) => {
    const reply = await api.post(path, json)
    expect(reply.status).toBe(400)
    expect(hintOf(reply)).toContain(hint)
    expect(reply.error).not.toContain('mean')
    const rules = (await control.report()).map(({ rule, message }) => `${rule}: ${message}`)
    expect(rules.join('\n')).toContain('unknown-field: ')
  })

  it('updateTask answers 200 and the report names the nearest field when a known one is misspelled', async () => {
    const reply = await api.patch('/tasks/tsk_full', { titel: 'T' })
    expect([reply.status, hintOf(reply)]).toEqual([200, null])
    expect((await control.report())[0]?.message).toContain('"titel" (the nearest is title)')
  })

  it.each([
    ['createTask', 400, { title: 'T', priority: 'hihg' }, tasks, 'the nearest is high'],
    ['createTask', 400, { title: 'T', parent_task_id: 'tsk_fulll' }, tasks, 'did you mean tsk_full?'],
    ['createTask', 400, { title: 'T', parent_task_id: 'another' }, tasks, null],
    ['queryRows', 200, { filterLogic: 'nad' }, '/datatables/tbl_all/query', null],
  ])(
    '%s answers %i with a hint at a nearby value alone when the body is %j',
    async (_, status, json, path, hint) => {
      const reply = await api.post(path, json)
      expect([reply.status, hintOf(reply)]).toEqual([status, hint])
    },
  )
})

describe('a key that is not known', () => {
  const { api } = useMock()

  it.each([
    ['undefined', 'the key is the text undefined; keys by name in mock.keys: '],
    ['mastre', 'the nearest is master'],
  ])('getIdentity answers 401 with a hint when the key is %s', async (key, hint) => {
    const reply = await api.get('/me', { key })
    expect(reply.status).toBe(401)
    expect(hintOf(reply)).toContain(hint)
  })
})

describe('a body of another kind', () => {
  const { api } = useMock()
  const parts = async (form: FormData) => new Uint8Array(await new Response(form).arrayBuffer())
  const form = () => taskWith('a.txt', 'text')

  it.each(['application/json', 'text/plain', 'multipart/form-data'])(
    'createTask answers 400 with a hint when multipart is sent as %s',
    async (type) => {
      const reply = await api.call('POST', tasks, {
        body: await parts(form()),
        headers: { 'content-type': type },
      })
      expect(reply.status).toBe(400)
      expect(hintOf(reply)).toContain('leave out the content-type header')
    },
  )

  it.each(['multipart/form-data', 'multipart/form-data; boundary=x'])(
    'createTask answers 400 with a hint when JSON is sent as %s',
    async (type) => {
      const reply = await api.call('POST', tasks, {
        body: '{"title":"T"}',
        headers: { 'content-type': type },
      })
      expect(reply.status).toBe(400)
      expect(hintOf(reply)).toContain('content-type application/json')
    },
  )

  const uploads = goodRequests.filter(({ id }) => id.startsWith('upload'))
  it.each(uploads.map((request) => [request.id, request] as const))(
    '%s answers 400 with a hint when JSON is sent',
    async (_, { method, path }) => {
      const reply = await api.call(method, path, { json: { file: 'text' } })
      expect(reply.status).toBe(400)
      expect(hintOf(reply)).toContain('send a FormData')
    },
  )

  it.each(['[object Object]', '[object FormData]'])(
    'createTask answers 400 with a hint when the body is %s',
    async (body) => {
      const reply = await api.call('POST', tasks, { body, headers: { 'content-type': 'application/json' } })
      expect(reply.status).toBe(400)
      expect(hintOf(reply)).toContain('JSON.stringify(body)')
    },
  )

  it('createTask answers 400 with a hint when its fields are parts of their own', async () => {
    const wrong = new FormData()
    wrong.set('title', 'T')
    const reply = await api.call('POST', tasks, { body: wrong })
    expect(reply.status).toBe(400)
    expect(hintOf(reply)).toContain('its parts are data (all fields as JSON) and file')
  })
})

describe('a file that was lost on its way', () => {
  const { api } = useMock()

  it.each(['undefined', 'null', '[object Object]', '[object File]', '[object Blob]'])(
    'createTask answers 201 with a hint when the file holds %s',
    async (text) => {
      const reply = await api.call('POST', tasks, { body: taskWith('blob', text) })
      expect(reply.status).toBe(201)
      expect(hintOf(reply)).toContain(`the file "blob" is the text ${text}`)
    },
  )

  it.each(['undefine', 'nullable', '[object Object] and more', 'x'])(
    'createTask answers 201 without a hint when the file holds %s',
    async (text) => {
      const reply = await api.call('POST', tasks, { body: taskWith('blob', text) })
      expect([reply.status, hintOf(reply)]).toEqual([201, null])
    },
  )

  it('createTask answers 400 with a hint when the file is a text', async () => {
    const form = multipart([], { data: '{"title":"T"}' })
    form.append('file', '[object File]')
    const reply = await api.call('POST', tasks, { body: form })
    expect(reply.status).toBe(400)
    expect(hintOf(reply)).toContain('is the text [object File]')
  })
})
