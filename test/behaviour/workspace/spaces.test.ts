// Spaces.
import { describe, expect, it } from 'vitest'
import { useMock } from '../support/harness.ts'

const space = {
  id: 'spc_main',
  name: 'Delivery',
  color: '#336699',
  icon: 'briefcase',
  default_list_id: 'lst_main',
  lists: [
    {
      id: 'lst_main',
      name: 'Projects',
      space_id: 'spc_main',
      space_name: 'Delivery',
      folder_id: 'fol_1',
      color: '#112233',
      icon: 'star',
    },
    {
      id: 'lst_second',
      name: 'Ideas',
      space_id: 'spc_main',
      space_name: 'Delivery',
      folder_id: null,
      color: null,
      icon: null,
    },
  ],
}

describe('spaces', () => {
  const { api } = useMock()

  it('listSpaces answers 200 without private spaces and private lists when there are some', async () => {
    const reply = await api.get('/spaces')
    expect(reply.status).toBe(200)
    expect(reply.json).toEqual({ spaces: [space] })
  })

  it('createSpace answers 200 with the space, a list named Tasks and defaults when only a name is sent', async () => {
    const created = await api.post('/spaces', { name: 'New space' })
    expect(created.status).toBe(200)
    const id = created.string('id')
    const listId = created.string('default_list_id')
    const expected = {
      id,
      name: 'New space',
      color: '#6b7280',
      icon: 'folder',
      default_list_id: listId,
      lists: [
        {
          id: listId,
          name: 'Tasks',
          space_id: id,
          space_name: 'New space',
          folder_id: null,
          color: null,
          icon: null,
        },
      ],
    }
    expect(created.json).toEqual(expected)
    expect((await api.get('/spaces')).json).toEqual({ spaces: [space, expected] })
  })

  it('createSpace answers 200 with a list of default statuses, usable at once, when a name is sent', async () => {
    const listId = (await api.post('/spaces', { name: 'New' })).string('default_list_id')
    const schema = await api.get(`/lists/${listId}/schema`)
    expect(schema.pluck('statuses', 'name')).toEqual(['To do', 'In progress', 'Done', 'Archived'])
    expect(schema.pluck('statuses', 'type')).toEqual(['active', 'active', 'done', 'archived'])
    expect(schema.list('fields')).toEqual([])
    const task = await api.post(`/lists/${listId}/tasks`, { title: 'First' })
    expect(task.status).toBe(201)
    expect((await api.get(`/tasks/${task.string('id')}`)).at('status_id')).toBe(schema.at('statuses.0.id'))
  })

  it.each(['#fff', '#A1b2C3'])('createSpace answers 200 when the colour is %s', async (color) => {
    const created = await api.post('/spaces', { name: 'Coloured', color, icon: 'rocket' })
    expect(created.status).toBe(200)
    expect(created.json).toMatchObject({ color, icon: 'rocket' })
  })

  it.each([
    ['no body', undefined, 'name'],
    ['no name', {}, 'name'],
    ['an empty name', { name: '' }, 'name'],
    ['a blank name', { name: ' \t' }, 'name'],
    ['a name that is no string', { name: 1 }, 'name'],
    ['a colour by name', { name: 'x', color: 'red' }, 'color'],
    ['a colour of four digits', { name: 'x', color: '#ffff' }, 'color'],
    ['a colour that is no string', { name: 'x', color: 7 }, 'color'],
    ['an icon that is no string', { name: 'x', icon: 7 }, 'icon'],
  ])('createSpace answers 400 naming the field when there is %s', async (_, json, field) => {
    const reply = await api.post('/spaces', json)
    expect(reply.status).toBe(400)
    if (json) expect(reply.error).toContain(field)
    expect((await api.get('/spaces')).list('spaces')).toHaveLength(1)
  })

  it('updateSpace answers 200 and changes them, in its lists too, when fields are sent', async () => {
    const reply = await api.patch('/spaces/spc_main', { name: 'Renamed', color: '#000', icon: 'sun' })
    expect(reply.status).toBe(200)
    expect(reply.json).toEqual({ success: true })
    const spaces = await api.get('/spaces')
    expect(spaces.at('spaces.0')).toMatchObject({
      id: 'spc_main',
      name: 'Renamed',
      color: '#000',
      icon: 'sun',
    })
    expect(spaces.at('spaces.0.lists.0.space_name')).toBe('Renamed')
    expect((await api.get('/lists/lst_second')).at('space_name')).toBe('Renamed')
  })

  it('updateSpace answers 200 and leaves the others when one field is sent', async () => {
    await api.patch('/spaces/spc_main', { icon: 'sun' })
    await api.patch('/spaces/spc_main', {})
    expect((await api.get('/spaces')).json).toEqual({ spaces: [{ ...space, icon: 'sun' }] })
  })

  it.each([{ name: '' }, { name: null }, { color: 'blue' }, { icon: 5 }])(
    'updateSpace answers 400 and changes nothing when the body is %j',
    async (json) => {
      const reply = await api.patch('/spaces/spc_main', { icon: 'sun', ...json })
      expect(reply.status).toBe(400)
      expect(reply.error).toContain(Object.keys(json)[0])
      expect((await api.get('/spaces')).json).toEqual({ spaces: [space] })
    },
  )

  it.each(['spc_none', 'spc_business', 'spc_private'])(
    'updateSpace answers 404 when the space is %s',
    async (id) => {
      expect((await api.patch(`/spaces/${id}`, { name: 'x' })).status).toBe(404)
    },
  )
})

describe('a limited number of spaces and lists', () => {
  const { api } = useMock({ limits: { spaces: 3, lists: 4 } })

  it('createSpace answers 403 with the facts when the limit of spaces is in use', async () => {
    expect((await api.post('/spaces', { name: 'Third' })).status).toBe(200)
    const reply = await api.post('/spaces', { name: 'Fourth' })
    expect(reply.status).toBe(403)
    expect(reply.json).toEqual({
      error: reply.error,
      limitReached: true,
      resource: 'spaces',
      limit: 3,
      current: 3,
    })
    expect((await api.get('/spaces')).list('spaces')).toHaveLength(2)
  })

  it('createList answers 403 with the facts when the limit of lists of the space is in use', async () => {
    expect((await api.post('/spaces/spc_main/lists', { name: 'Fourth' })).status).toBe(201)
    const reply = await api.post('/spaces/spc_main/lists', { name: 'Fifth' })
    expect(reply.status).toBe(403)
    expect(reply.json).toEqual({
      error: reply.error,
      limitReached: true,
      resource: 'lists',
      limit: 4,
      current: 4,
    })
  })
})
