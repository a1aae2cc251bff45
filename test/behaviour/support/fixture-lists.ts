// The lists and tasks of the suite's fixture, with everything that belongs to them.
import { DAY, NOW } from './fixture-moments.ts'
import { stageOptions, tagOptions } from './fixture-tables.ts'

export const statuses = [
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
  {
    id: 'fld_link_one',
    name: 'Client',
    type: 'datatable',
    mode: 'select',
    table_id: 'tbl_linked',
    readonly: false,
  },
  {
    id: 'fld_link_many',
    name: 'Parts',
    type: 'datatable',
    mode: 'items',
    table_id: 'tbl_linked',
    readonly: false,
  },
]

export const task = (id: string, title: string, more: Record<string, unknown> = {}) => ({
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

export const comment = (
  id: string,
  author: string,
  content: unknown,
  more: Record<string, unknown> = {},
) => ({
  id,
  author_id: author,
  content,
  content_type: typeof content === 'string' ? 'text' : 'tiptap',
  created_at: NOW - 3600,
  updated_at: null,
  key: null,
  ...more,
})

export const entry = (id: string, user: string, more: Record<string, unknown> = {}) => ({
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

export const fullTask = task('tsk_full', 'Write the proposal', {
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
  time_entries: [
    entry('ent_ada', 'mem_ada'),
    entry('ent_bo', 'mem_bo', { duration: 60, date_end: NOW - 7140 }),
  ],
  attachments: [{ id: 'att_brief', filename: 'brief.txt', mime_type: 'text/plain', size_bytes: 5 }],
})

export const list = (id: string, name: string, more: Record<string, unknown> = {}) => ({
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
