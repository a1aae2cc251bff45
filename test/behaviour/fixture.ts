// Owns the data most behaviour tests start from: few records, each there for a reason, all ids written out.
import { times } from './times.ts'

/** 2026-01-05T10:00:00Z, a Monday. */
export const NOW = 1_767_607_200
export const DAY = 86_400

export const operationScopes = [
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

const stageOptions = [
  { id: 'opt_lead', label: 'Lead', color: '#64748b' },
  { id: 'opt_won', label: 'Won', color: '#16a34a' },
  { id: 'opt_lost', label: 'Lost', color: '#dc2626' },
]
const tagOptions = [
  { id: 'tag_red', label: 'Red', color: '#ff0000' },
  { id: 'tag_blue', label: 'Blue', color: '#0000ff' },
  { id: 'tag_green', label: 'Green', color: '#00ff00' },
]

/** One column of every type, and a second attachment column. */
export const allColumns = [
  { id: 'col_text', name: 'Title', type: 'text', readonly: false },
  { id: 'col_longtext', name: 'Notes', type: 'longtext', readonly: false },
  { id: 'col_email', name: 'Email', type: 'email', readonly: false },
  { id: 'col_phone', name: 'Phone', type: 'phone', readonly: false },
  { id: 'col_link', name: 'Website', type: 'link', readonly: false },
  { id: 'col_number', name: 'Quantity', type: 'number', readonly: false },
  { id: 'col_currency', name: 'Unit price', type: 'currency', currency_code: 'EUR', readonly: false },
  { id: 'col_slider', name: 'Progress', type: 'slider', readonly: false },
  { id: 'col_checkbox', name: 'Active', type: 'checkbox', readonly: false },
  { id: 'col_date', name: 'Due', type: 'date', readonly: false },
  { id: 'col_dropdown', name: 'Stage', type: 'dropdown', options: stageOptions, readonly: false },
  { id: 'col_tags', name: 'Tags', type: 'tags', options: tagOptions, readonly: false },
  { id: 'col_people', name: 'Owners', type: 'people', readonly: false },
  { id: 'col_datatable', name: 'Related', type: 'datatable', table_id: 'tbl_linked', readonly: true },
  { id: 'col_formula', name: 'Total', type: 'formula', formula: '{Quantity} * {Unit price}', readonly: true },
  { id: 'col_autonumber', name: 'Number', type: 'autonumber', format: 'INV-{NNNN}', readonly: true },
  { id: 'col_attachment', name: 'Files', type: 'attachment', readonly: false },
  { id: 'col_contracts', name: 'Contracts', type: 'attachment', readonly: false },
  { id: 'col_created', name: 'Created', type: 'created_at', readonly: true },
  { id: 'col_updated', name: 'Updated', type: 'updated_at', readonly: true },
]

const row = (number: number, data: Record<string, unknown>) => ({
  id: `row_${String(number)}`,
  version: 1,
  created_at: NOW - 1000 + number,
  updated_at: NOW - 500 + number,
  data: { ...data, col_autonumber: `INV-000${String(number)}` },
})

/** Row 4 leaves half of its columns empty, row 5 all of them. */
export const allRows = [
  row(1, {
    col_text: 'Alpha',
    col_longtext: 'First note',
    col_email: 'ada@example.test',
    col_phone: '+44 1',
    col_link: 'https://alpha.test',
    col_number: 5,
    col_currency: 2.5,
    col_slider: 10,
    col_checkbox: true,
    col_date: 1000,
    col_dropdown: 'opt_lead',
    col_tags: ['tag_red', 'tag_blue'],
    col_people: ['mem_ada'],
    col_datatable: ['lin_1'],
  }),
  row(2, {
    col_text: 'beta',
    col_longtext: 'second note',
    col_email: 'bo@example.test',
    col_phone: '+44 2',
    col_link: 'https://beta.test',
    col_number: 10,
    col_currency: 1,
    col_slider: 50,
    col_checkbox: false,
    col_date: 2000,
    col_dropdown: 'opt_won',
    col_tags: ['tag_blue'],
    col_people: ['mem_bo', 'mem_ada'],
    col_datatable: ['lin_2'],
  }),
  row(3, {
    col_text: 'Gamma',
    col_longtext: 'Third Note',
    col_email: 'cy@example.test',
    col_phone: '+1 3',
    col_link: 'http://gamma.test',
    col_number: -1,
    col_currency: 100,
    col_slider: 100,
    col_checkbox: true,
    col_date: 3000,
    col_dropdown: 'opt_lost',
    col_tags: ['tag_green'],
  }),
  row(4, {
    col_text: 'alphabet',
    col_number: 10,
    col_date: 2000,
    col_dropdown: 'opt_lead',
    col_people: ['mem_cy'],
    col_datatable: ['lin_1', 'lin_2'],
  }),
  row(5, {}),
]

const nameAndNumber = [
  { id: 'col_name', name: 'Name', type: 'text', readonly: false },
  { id: 'col_count', name: 'Count', type: 'number', readonly: false },
]

const statuses = [
  { id: 'st_todo', name: 'To do', color: '#888888', type: 'active' },
  { id: 'st_doing', name: 'Doing', color: '#0000ff', type: 'active' },
  { id: 'st_done', name: 'Done', color: '#00ff00', type: 'done' },
  { id: 'st_archived', name: 'Archived', color: '#000000', type: 'archived' },
]

/** One custom field of every type, and the datatable link in both of its modes. */
export const allFields = [
  { id: 'fld_text', name: 'Reference', type: 'text', readonly: false },
  { id: 'fld_longtext', name: 'Brief', type: 'longtext', readonly: false },
  { id: 'fld_email', name: 'Contact', type: 'email', readonly: false },
  { id: 'fld_phone', name: 'Hotline', type: 'phone', readonly: false },
  { id: 'fld_link', name: 'Brief URL', type: 'link', readonly: false },
  { id: 'fld_number', name: 'Effort', type: 'number', readonly: false },
  { id: 'fld_currency', name: 'Budget', type: 'currency', readonly: false },
  { id: 'fld_slider', name: 'Confidence', type: 'slider', readonly: false },
  { id: 'fld_checkbox', name: 'Billable', type: 'checkbox', readonly: false },
  { id: 'fld_date', name: 'Kick-off', type: 'date', readonly: false },
  { id: 'fld_dropdown', name: 'Stage', type: 'dropdown', options: stageOptions, readonly: false },
  { id: 'fld_tags', name: 'Labels', type: 'tags', options: tagOptions, readonly: false },
  { id: 'fld_people', name: 'Reviewers', type: 'people', readonly: false },
  { id: 'fld_formula', name: 'Value', type: 'formula', formula: '{Effort} * {Budget}', readonly: true },
  { id: 'fld_link_one', name: 'Client', type: 'datatable', mode: 'select', table_id: 'tbl_linked', readonly: false },
  { id: 'fld_link_many', name: 'Parts', type: 'datatable', mode: 'items', table_id: 'tbl_linked', readonly: false },
]

const task = (id: string, title: string, more: Record<string, unknown> = {}) => ({
  id,
  title,
  status_id: 'st_todo',
  priority: null,
  due_date: null,
  date_start: null,
  assignees: [],
  custom_data: {},
  description: null,
  time_estimate: null,
  project_id: null,
  parent_task_id: null,
  type_id: null,
  repeat_config: null,
  created_at: NOW - DAY,
  updated_at: NOW - DAY,
  deleted_at: null,
  comments: [],
  time_entries: [],
  attachments: [],
  ...more,
})

const comment = (id: string, author: string, content: unknown, more: Record<string, unknown> = {}) => ({
  id,
  author_id: author,
  content,
  content_type: typeof content === 'string' ? 'text' : 'tiptap',
  created_at: NOW - 3600,
  updated_at: null,
  key: null,
  ...more,
})

const entry = (id: string, user: string, more: Record<string, unknown> = {}) => ({
  id,
  user_id: user,
  duration: 600,
  billable: 0,
  note: '',
  is_running: 0,
  date_start: NOW - 7200,
  date_end: NOW - 6600,
  ...more,
})

const fullTask = task('tsk_full', 'Write the proposal', {
  priority: 'high',
  due_date: NOW + DAY,
  date_start: NOW,
  assignees: ['mem_bo', 'mem_ada'],
  custom_data: { fld_text: 'REF-1', fld_number: 3, fld_currency: 2 },
  comments: [
    comment('cmt_ada', 'mem_ada', 'By Ada'),
    comment('cmt_rich', 'mem_bo', { type: 'doc', content: [] }),
    comment('cmt_scoped', 'mem_bo', 'By the scoped key', { key: 'wm_test_scoped' }),
  ],
  time_entries: [entry('ent_ada', 'mem_ada'), entry('ent_bo', 'mem_bo', { duration: 60, date_end: NOW - 7140 })],
  attachments: [{ id: 'att_brief', filename: 'brief.txt', mime_type: 'text/plain', size_bytes: 5 }],
})

const list = (id: string, name: string, more: Record<string, unknown> = {}) => ({
  id,
  name,
  folder_id: null,
  color: null,
  icon: null,
  is_private: false,
  statuses: statuses.map((status) => ({ ...status, id: `${status.id}_${id}` })),
  fields: [],
  tasks: [],
  ...more,
})

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
    { id: `tbl_${name}`, name: 'Things', columns: nameAndNumber, rows: [{ id: `row_${name}`, data: { col_name: name } }] },
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
    { key: 'wm_test_scoped', name: 'scoped', kind: 'scoped', scopes: [...operationScopes], member_id: 'mem_bo' },
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
      lists: [list('lst_board', 'Agenda', { tasks: [task('tsk_board', 'Vote', { status_id: 'st_todo_lst_board' })] })],
    },
  ],
  forms: [
    form('frm_task', {
      target_type: 'task',
      target_id: 'lst_main',
      field_config: [item('title', 'What is it?', 'text', true), item('fld_number', 'Effort', 'number', false)],
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
