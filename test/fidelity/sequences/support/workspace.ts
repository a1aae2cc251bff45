// The fixture of the sequences on tasks and time entries: one list, three members.
import { NOW } from '../../../behaviour/support/fixture.ts'
import { task as givenTask } from '../../../behaviour/support/fixture-lists.ts'

export const members = ['mem_a', 'mem_b', 'mem_c'] as const
export const statuses = [
  { id: 'st_todo', name: 'To do', color: '#888888', type: 'active' },
  { id: 'st_doing', name: 'Doing', color: '#0000ff', type: 'active' },
  { id: 'st_done', name: 'Done', color: '#00ff00', type: 'done' },
  { id: 'st_archived', name: 'Archived', color: '#000000', type: 'archived' },
] as const

const task = (id: string) => givenTask(id, `Given ${id}`, { created_at: NOW - 100, updated_at: NOW - 100 })

/** A workspace with one list that contains these tasks. */
export const workspaceWith = (...taskIds: readonly string[]) => ({
  name: 'tasks',
  clock: NOW,
  workspaces: [
    {
      id: 'ws',
      name: 'Tasks',
      plan: 'pro',
      timezone: 'UTC',
      members: members.map((id) => ({ id, name: id.toUpperCase() })),
      keys: [{ key: 'wm_test_master', name: 'master', kind: 'master', member_id: 'mem_a' }],
      tables: [],
      spaces: [
        {
          id: 'spc',
          name: 'Space',
          color: '#123456',
          icon: 'folder',
          default_list_id: 'lst',
          lists: [
            {
              id: 'lst',
              name: 'List',
              folder_id: null,
              color: null,
              icon: null,
              is_private: false,
              statuses,
              fields: [{ id: 'fld', name: 'Field', type: 'number', readonly: false }],
              tasks: taskIds.map(task),
            },
          ],
        },
      ],
      forms: [],
      jobs: [],
    },
  ],
  files: {},
})
