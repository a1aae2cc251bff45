// The data that most behaviour tests start from: few records, each with a purpose, and explicit ids.
import { allFields, entry, comment, fullTask, list, statuses, task } from './fixture-lists.ts'
import { DAY, NOW } from './fixture-moments.ts'
import { allColumns, allRows } from './fixture-tables.ts'
import { times } from './times.ts'

export { allFields } from './fixture-lists.ts'
export { DAY, NOW } from './fixture-moments.ts'
export { allColumns, allRows } from './fixture-tables.ts'

const operationScopes = [
  'workspace:read',
  'datatables:read',
  'rows:read',
  'rows:write',
  'jobs:write',
  'jobs:read',
  'attachments:write',
  'attachments:read',
  'spaces:read',
  'spaces:write',
  'tasks:read',
  'tasks:write',
  'comments:read',
  'comments:write',
  'time:read',
  'time:write',
  'forms:read',
] as const

const nameAndNumber = [
  { id: 'col_name', name: 'Name', type: 'text', readonly: false },
  { id: 'col_count', name: 'Count', type: 'number', readonly: false },
]

const member = (id: string, name: string) => ({ id, name })
const masterKey = (key: string, name: string, memberId: string) => ({
  key,
  name,
  kind: 'master',
  member_id: memberId,
})

const item = (id: string, label: string, type: string, required: boolean) => ({ id, label, type, required })
const form = (id: string, more: Record<string, unknown>) => ({
  id,
  name: `Form ${id}`,
  slug: id.replace('_', '-'),
  is_published: 1,
  submission_count: 0,
  field_config: [],
  rules: [],
  settings: {},
  created_at: NOW - 10 * DAY,
  updated_at: NOW - 10 * DAY,
  submissions: [],
  ...more,
})

const submission = (number: number) => ({
  id: `sub_${String(number)}`,
  data: { title: `Request ${String(number)}` },
  created_entity_type: 'task',
  created_entity_id: 'tsk_plain',
  created_at: NOW - 1000 + 100 * number,
})

const otherWorkspace = (plan: string, name: string, more: Record<string, unknown> = {}) => ({
  id: `ws_${name}`,
  name: `Workspace ${name}`,
  plan,
  members: [member(`mem_${name}`, `Member of ${name}`)],
  keys: [masterKey(`wm_test_${name}`, name, `mem_${name}`)],
  tables: [
    {
      id: `tbl_${name}`,
      name: 'Things',
      columns: nameAndNumber,
      rows: [{ id: `row_${name}`, data: { col_name: name } }],
    },
  ],
  spaces: [
    {
      id: `spc_${name}`,
      name: 'Work',
      color: '#123456',
      icon: 'folder',
      default_list_id: `lst_${name}`,
      lists: [
        list(`lst_${name}`, 'Tasks', {
          tasks: [
            task(`tsk_${name}`, 'A task', {
              status_id: `st_todo_lst_${name}`,
              comments: [comment(`cmt_${name}`, `mem_${name}`, 'Hello')],
              time_entries: [entry(`ent_${name}`, `mem_${name}`)],
              attachments: [{ id: `att_${name}`, filename: 'a.txt', mime_type: 'text/plain', size_bytes: 1 }],
            }),
          ],
        }),
      ],
    },
  ],
  forms: [form(`frm_${name}`, { target_type: 'task', target_id: `lst_${name}` })],
  jobs: [],
  ...more,
})

const mainWorkspace = {
  id: 'ws_main',
  name: 'Main',
  plan: 'pro',
  timezone: 'UTC',
  members: [member('mem_ada', 'Ada Quill'), member('mem_bo', 'Bo Lindqvist'), member('mem_cy', 'Cy Marlow')],
  keys: [
    masterKey('wm_test_master', 'master', 'mem_ada'),
    {
      key: 'wm_test_scoped',
      name: 'scoped',
      kind: 'scoped',
      scopes: [...operationScopes],
      member_id: 'mem_bo',
    },
    { key: 'wm_test_suspended', name: 'suspended', kind: 'master', member_id: 'mem_ada', suspended: true },
    ...operationScopes.map((scope) => ({
      key: `wm_without_${scope.replace(':', '_')}`,
      name: `without ${scope}`,
      kind: 'scoped',
      scopes: operationScopes.filter((other) => other !== scope),
      member_id: 'mem_bo',
    })),
  ],
  tables: [
    { id: 'tbl_all', name: 'Everything', columns: allColumns, rows: allRows },
    {
      id: 'tbl_linked',
      name: 'Linked',
      columns: nameAndNumber,
      rows: [
        { id: 'lin_1', data: { col_name: 'One', col_count: 1 } },
        { id: 'lin_2', data: { col_name: 'Two', col_count: 2 } },
      ],
    },
    { id: 'tbl_empty', name: 'Empty', columns: nameAndNumber, rows: [] },
    {
      id: 'tbl_many',
      name: 'Many',
      columns: nameAndNumber,
      rows: times(501, (index) => ({
        id: `many_${String(index + 1)}`,
        data: { col_name: `Row ${String(index + 1)}`, col_count: index + 1 },
      })),
    },
    {
      id: 'tbl_locked',
      name: 'Locked',
      locked: true,
      columns: [...nameAndNumber, { id: 'col_file', name: 'File', type: 'attachment', readonly: false }],
      rows: [{ id: 'row_locked', data: { col_name: 'Fixed' } }],
    },
  ],
  spaces: [
    {
      id: 'spc_main',
      name: 'Delivery',
      color: '#336699',
      icon: 'briefcase',
      default_list_id: 'lst_main',
      lists: [
        list('lst_main', 'Projects', {
          folder_id: 'fol_1',
          color: '#112233',
          icon: 'star',
          statuses,
          fields: allFields,
          tasks: [
            fullTask,
            task('tsk_plain', 'Call the printer'),
            task('tsk_doing', 'Proofread the brochure', { status_id: 'st_doing' }),
            task('tsk_done', 'Send the invoice', { status_id: 'st_done' }),
            task('tsk_deleted', 'Throw away', { deleted_at: NOW - DAY }),
          ],
        }),
        list('lst_second', 'Ideas'),
        list('lst_private', 'Salaries', {
          is_private: true,
          tasks: [task('tsk_private', 'Raise', { status_id: 'st_todo_lst_private' })],
        }),
      ],
    },
    {
      id: 'spc_private',
      name: 'Board',
      color: '#000000',
      icon: 'lock',
      is_private: true,
      default_list_id: 'lst_board',
      lists: [
        list('lst_board', 'Agenda', {
          tasks: [task('tsk_board', 'Vote', { status_id: 'st_todo_lst_board' })],
        }),
      ],
    },
  ],
  forms: [
    form('frm_task', {
      target_type: 'task',
      target_id: 'lst_main',
      field_config: [
        item('title', 'What is it?', 'text', true),
        item('fld_number', 'Effort', 'number', false),
      ],
      settings: { thanks: 'Thank you' },
      submission_count: 6,
      submissions: times(6, (index) => submission(index + 1)),
    }),
    form('frm_row', {
      target_type: 'datatable',
      target_id: 'tbl_empty',
      field_config: [item('col_name', 'Name', 'text', true), item('col_count', 'Count', 'number', false)],
      rules: { any: [{ json: true }] },
    }),
    form('frm_draft', {
      target_type: 'task',
      target_id: 'lst_main',
      is_published: 0,
      field_config: [item('title', 'Title', 'text', true)],
    }),
  ],
  jobs: [
    {
      id: 'job_old',
      table_id: 'tbl_all',
      table_name: 'Everything',
      status: 'done',
      created_ms: (NOW - DAY) * 1000,
      updated_ms: (NOW - DAY + 1) * 1000,
      completed_ms: (NOW - DAY + 1) * 1000,
      submitted: 3,
      handled: 3,
      row_count: 3,
      errors: 0,
      messages: [],
    },
  ],
}

/** The fixture of the suite. The main workspace is on plan pro. */
export const testFixture = {
  name: 'behaviour',
  clock: NOW,
  workspaces: [
    mainWorkspace,
    otherWorkspace('free', 'free'),
    otherWorkspace('business', 'business'),
    otherWorkspace('scale', 'scale'),
    otherWorkspace('pro', 'lapsed', { billing: 'lapsed' }),
  ],
  files: {
    att_brief: 'aGVsbG8=',
    att_free: 'YQ==',
    att_business: 'YQ==',
    att_scale: 'YQ==',
    att_lapsed: 'YQ==',
  },
}
