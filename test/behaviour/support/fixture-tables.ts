// The table of the suite's fixture that has every column type, and its rows.
import { NOW } from './fixture-moments.ts'

export const stageOptions = [
  { id: 'opt_lead', label: 'Lead', color: '#64748b' },
  { id: 'opt_won', label: 'Won', color: '#16a34a' },
  { id: 'opt_lost', label: 'Lost', color: '#dc2626' },
]
export const tagOptions = [
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
