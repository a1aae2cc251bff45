// Lists and their schema.
import { describe, expect, it } from 'vitest'
import { allFields } from '../support/fixture.ts'
import { useMock } from '../support/harness.ts'

const projects = {
  id: 'lst_main',
  name: 'Projects',
  space_id: 'spc_main',
  space_name: 'Delivery',
  folder_id: 'fol_1',
  color: '#112233',
  icon: 'star',
}

describe('lists', () => {
  const { api } = useMock()

  it('listLists answers 200 without private lists when there are some', async () => {
    const reply = await api.get('/lists')
    expect(reply.status).toBe(200)
    expect(reply.pluck('lists', 'id')).toEqual(['lst_main', 'lst_second'])
    expect(reply.at('lists.0')).toEqual(projects)
  })

  it('getList answers 200 with the list when it exists', async () => {
    const reply = await api.get('/lists/lst_main')
    expect(reply.status).toBe(200)
    expect(reply.json).toEqual(projects)
  })

  it('createList answers 201 with the list when all fields are sent, and it is listed from then on', async () => {
    const created = await api.post('/spaces/spc_main/lists', { name: 'Backlog', color: '#abc', icon: 'box' })
    expect(created.status).toBe(201)
    expect(created.json).toEqual({
      id: created.string('id'),
      name: 'Backlog',
      space_id: 'spc_main',
      space_name: 'Delivery',
      folder_id: null,
      color: '#abc',
      icon: 'box',
    })
    expect((await api.get('/lists')).at('lists.2')).toEqual(created.json)
    expect((await api.get('/spaces')).at('spaces.0.lists.2')).toEqual(created.json)
  })

  it('createList answers 201 with null colour and icon and statuses of its own when only a name is sent', async () => {
    const first = await api.post('/spaces/spc_main/lists', { name: 'One' })
    const second = await api.post('/spaces/spc_main/lists', { name: 'Two' })
    expect(first.json).toMatchObject({ color: null, icon: null })
    const schemas = await Promise.all(
      [first, second].map((list) => api.get(`/lists/${list.string('id')}/schema`)),
    )
    const ids = schemas.flatMap((schema) => schema.pluck('statuses', 'id'))
    expect(new Set(ids).size).toBe(8)
    expect(schemas[0]?.pluck('statuses', 'type')).toEqual(['active', 'active', 'done', 'archived'])
  })

  it.each([
    ['no body', undefined, ''],
    ['no name', {}, 'name'],
    ['a blank name', { name: '  ' }, 'name'],
    ['a name that is no string', { name: {} }, 'name'],
    ['a wrong colour', { name: 'x', color: '#12' }, 'color'],
    ['an icon that is no string', { name: 'x', icon: [] }, 'icon'],
  ])('createList answers 400 when there is %s', async (_, json, field) => {
    const reply = await api.post('/spaces/spc_main/lists', json)
    expect(reply.status).toBe(400)
    expect(reply.error).toContain(field)
    expect((await api.get('/lists')).list('lists')).toHaveLength(2)
  })

  it.each(['spc_none', 'spc_business', 'spc_private'])(
    'createList answers 404 when the space is %s',
    async (id) => {
      expect((await api.post(`/spaces/${id}/lists`, { name: 'x' })).status).toBe(404)
    },
  )

  it('updateList answers 200 and changes them when fields are sent', async () => {
    const reply = await api.patch('/lists/lst_second', { name: 'Thoughts', color: '#00ff00', icon: 'bulb' })
    expect(reply.status).toBe(200)
    expect(reply.json).toEqual({ success: true })
    expect((await api.get('/lists/lst_second')).json).toMatchObject({
      name: 'Thoughts',
      color: '#00ff00',
      icon: 'bulb',
      space_name: 'Delivery',
    })
  })

  it('updateList answers 200 and leaves the others when one field is sent', async () => {
    await api.patch('/lists/lst_main', { name: 'Jobs' })
    expect((await api.get('/lists/lst_main')).json).toEqual({ ...projects, name: 'Jobs' })
  })

  it.each([{ name: '' }, { name: 5 }, { color: 'green' }, { icon: false }])(
    'updateList answers 400 and changes nothing when the body has %j',
    async (json) => {
      const reply = await api.patch('/lists/lst_main', { icon: 'moon', ...json })
      expect(reply.status).toBe(400)
      expect((await api.get('/lists/lst_main')).json).toEqual(projects)
    },
  )

  it('getListSchema answers 200 with statuses and custom fields in their order when the list has them', async () => {
    const reply = await api.get('/lists/lst_main/schema')
    expect(reply.status).toBe(200)
    const shown = allFields.map(({ formula: _hidden, ...field }: Record<string, unknown>) => field)
    expect(reply.json).toEqual({
      statuses: [
        { id: 'st_todo', name: 'To do', color: '#888888', type: 'active' },
        { id: 'st_doing', name: 'Doing', color: '#0000ff', type: 'active' },
        { id: 'st_done', name: 'Done', color: '#00ff00', type: 'done' },
        { id: 'st_archived', name: 'Archived', color: '#000000', type: 'archived' },
      ],
      fields: shown,
    })
  })

  it.each(['lst_none', 'lst_business', 'lst_private', 'lst_board'])(
    'every operation answers 404 when the list it names is %s',
    async (id) => {
      expect((await api.get(`/lists/${id}`)).status).toBe(404)
      expect((await api.get(`/lists/${id}/schema`)).status).toBe(404)
      expect((await api.get(`/lists/${id}/tasks`)).status).toBe(404)
      expect((await api.patch(`/lists/${id}`, { name: 'x' })).status).toBe(404)
      expect((await api.post(`/lists/${id}/tasks`, { title: 'x' })).status).toBe(404)
    },
  )
})

describe('statuses of new lists', () => {
  const { api, control } = useMock()
  const statusIds = async (list: string) =>
    (await api.get(`/lists/${list}/schema`)).pluck('statuses', 'id') as string[]
  const create = async () => (await api.post('/spaces/spc_main/lists', { name: 'New' })).string('id')

  it.each(['as counted', 'counted anew from a state without counters'])(
    'createList answers 201 with status ids that no other list has when they are %s',
    async (counted) => {
      const lists = ['lst_main', 'lst_second', await create()]
      if (counted !== 'as counted') {
        const { runtime, ...state } = (await control.state()) as Record<string, unknown>
        await control.loadState({ ...state, runtime: { ...(runtime as object), ids: {} } })
      }
      const space = await api.post('/spaces', { name: 'Space' })
      lists.push(await create(), space.string('default_list_id'))
      const all = (await Promise.all(lists.map(statusIds))).flat()
      expect(new Set(all).size).toBe(all.length)
    },
  )

  it('updateTask answers 200 when the status is one of the new list, 400 when it is of another', async () => {
    const [one, other] = [await create(), await create()]
    const [first = '', , done] = await statusIds(one)
    const [foreign] = await statusIds(other)
    const id = (await api.post(`/lists/${one}/tasks`, { title: 'Task' })).string('id')
    const inFirst = await api.get(`/lists/${one}/tasks`, { query: { status: first } })
    expect(inFirst.pluck('tasks', 'id')).toEqual([id])
    const moved = (status_id?: string) => api.patch(`/tasks/${id}`, { status_id })
    expect((await moved(done)).status).toBe(200)
    expect((await moved(foreign)).status).toBe(400)
  })
})
