// Members changed through mock.db: their current name appears everywhere, and a member that a record names cannot be
// removed.
import { beforeEach, describe, expect, it } from 'vitest'
import { createWorkspaceMock } from '../../src/index.ts'

const mock = createWorkspaceMock({
  fixture: {
    workspaces: [
      {
        id: 'ws',
        name: 'Workspace',
        members: [
          { id: 'm_ada', name: 'Ada' },
          { id: 'm_bo', name: 'Bo' },
          { id: 'm_none', name: 'Nobody' },
        ],
        keys: [{ key: 'wm_ada', name: 'master', kind: 'master', member_id: 'm_ada' }],
        tables: [
          {
            id: 'tbl',
            name: 'Table',
            columns: [{ id: 'col', name: 'Owners', type: 'people' }],
            rows: [
              { id: 'r1', data: { col: ['m_bo'] } },
              { id: 'r2', data: { col: ['m_ada'] } },
            ],
          },
        ],
        spaces: [
          {
            name: 'Space',
            default_list_id: 'lst',
            lists: [
              {
                id: 'lst',
                name: 'List',
                tasks: [
                  {
                    id: 'tsk',
                    title: 'Task',
                    assignees: ['m_bo', 'm_ada'],
                    comments: [{ author_id: 'm_bo', content: 'Hello' }],
                    time_entries: [{ user_id: 'm_bo', duration: 60 }],
                  },
                ],
              },
            ],
          },
        ],
      },
    ],
  },
})

async function get(path: string) {
  const headers = { authorization: 'Bearer wm_ada' }
  return await (await mock.fetch(new Request(mock.baseUrl + path, { headers }))).json()
}

const ids = async (query: string) =>
  (await get(`/datatables/tbl/rows?${query}`)).rows.map(({ id }: { id: string }) => id)

const change = (write: (members: { id: string; name: string }[]) => { id: string; name: string }[]) =>
  mock.db.workspaces.update((q) => q.where({ id: 'ws' }), {
    data: (workspace) => {
      workspace.members = write(workspace.members)
    },
  })

describe('mock.db.workspaces.update of members', () => {
  beforeEach(() => mock.reset())

  it('shows the new name of a member everywhere', async () => {
    expect(await ids('sort=Owners')).toEqual(['r2', 'r1'])
    expect(await ids('Owners=Bo')).toEqual(['r1'])
    await change((members) => members.map(({ id, name }) => ({ id, name: id === 'm_bo' ? 'Aaron' : name })))
    expect((await get('/tasks/tsk')).assignees).toEqual([
      { id: 'm_bo', name: 'Aaron' },
      { id: 'm_ada', name: 'Ada' },
    ])
    expect((await get('/lists/lst/tasks')).tasks[0].assignees[0].name).toBe('Aaron')
    expect((await get('/tasks/tsk/comments')).comments[0].author_name).toBe('Aaron')
    expect((await get('/tasks/tsk/time-entries')).users).toEqual([
      { id: 'm_bo', name: 'Aaron', total_seconds: 60 },
    ])
    expect((await get('/me')).members).toContainEqual({ id: 'm_bo', name: 'Aaron' })
    expect(await ids('Owners=Bo')).toEqual([])
    expect(await ids('Owners=Aaron')).toEqual(['r1'])
    expect(await ids('sort=Owners')).toEqual(['r1', 'r2'])
  })

  it('lets a member leave whom no record names', async () => {
    await change((members) => members.filter(({ id }) => id !== 'm_none'))
    expect((await get('/me')).members).toHaveLength(2)
    await expect(
      mock.db.tasks.create({ list_id: 'lst', title: 'New', assignees: ['m_none'] }),
    ).rejects.toThrow('m_none')
  })

  it.each([
    ['m_bo', ['assignees[0]', 'author_id', 'user_id', 'rows.r1.data.col']],
    ['m_ada', ['assignees[1]', 'keys.wm_ada.member_id', 'rows.r2.data.col']],
  ])('rejects the removal of %s and changes nothing, naming each place', async (left, places) => {
    const before = mock.state()
    const leaving = change((members) => members.filter(({ id }) => id !== left))
    for (const place of places) await expect(leaving).rejects.toThrow(place)
    expect(mock.state()).toEqual(before)
  })
})
