// Contract of lists, their statuses and custom fields.
import { statusTypes } from './limits.ts'
import * as z from 'zod/mini'
import { Color, colorNote, neutralColor } from './schema/colors.ts'
import {
  Bool,
  FixtureId,
  Id,
  NullableId,
  NullableText,
  OptionalId,
  OptionalText,
  Text,
  objectOf,
  patchResponse,
} from './schema/common.ts'
import { Option } from './datatables.ts'
import { createOf, field, patchOf, recordOf, shownOf } from './schema/fields.ts'
import { operationsOf, type Schema } from './operation.ts'
import type { Answers } from './questions/register.ts'
import type * as types from './types.d.ts'

export const isPrivate = field(Bool, {
  shown: false,
  initial: false,
  note: 'Never listed, and by default not accessible by id.',
})

export const statusFields = {
  id: field(Id),
  name: field(Text, { fixture: 'required' }),
  color: field(Text, { fixture: Color, initial: neutralColor, note: colorNote }),
  type: field(z.enum(statusTypes), { fixture: 'required' }),
}
export const Status = recordOf(statusFields)
export type Status = types.Status
export type StatusType = Status['type']

export const fieldFields = {
  id: field(Id),
  name: field(Text, { fixture: 'required' }),
  /** Assumption: customFieldTypes */
  type: field(Text, { fixture: 'required' }),
  options: field(z.optional(z.array(Option)), { note: 'Choices of a dropdown or tags field.' }),
  /** Assumption: relationValues */
  mode: field(z.optional(z.enum(['select', 'items'])), {
    note: 'Whether a link field holds one row (`select`) or several (`items`).',
    byDefault: '`select`',
  }),
  table_id: field(OptionalId, {
    fixture: z.optional(FixtureId),
    note: 'The datatable that a link field refers to.',
  }),
  readonly: field(Bool, { byDefault: 'true for formulas' }),
  formula: field(OptionalText, { shown: false, note: 'The expression of a formula field.' }),
}
export const FieldRecord = recordOf(fieldFields)
export type FieldRecord = types.FieldRecord

/** Items of `options`: full options, or only labels. Assumption: customFieldOptions */
const FullCustomField = shownOf(fieldFields)
export type ServedCustomField = types.CustomField
const LabelCustomField = objectOf(() => ({
  ...FullCustomField.shape,
  options: z.optional(z.array(z.object({ label: Text }))),
}))
export const CustomField = (answers: Answers): Schema<ServedCustomField> =>
  answers.customFieldOptions === 'label' ? LabelCustomField : FullCustomField

export const listFields = {
  id: field(Id),
  workspace_id: field(Id, { shown: false, fixture: false }),
  name: field(Text, { sent: 'required' }),
  space_id: field(Id, { fixture: false }),
  space_name: field(Text, { kept: false, fixture: false }),
  folder_id: field(NullableId, { fixture: z.nullable(FixtureId), initial: null }),
  color: field(NullableText, {
    sent: 'optional',
    fixture: z.nullable(Color),
    initial: null,
    note: colorNote,
  }),
  icon: field(NullableText, { sent: 'optional', initial: null, note: 'Icon class name.' }),
  is_private: isPrivate,
  statuses: field(z.array(Status), {
    shown: false,
    byDefault: 'those of a new list: To do, In progress, Done, Archived',
  }),
  fields: field(z.array(FieldRecord), { shown: false, initial: [] }),
}
export type ListRecord = types.ListRecord
export const List = shownOf(listFields)
export type List = types.List
/** Assumption: colors, emptyNames */
export const ListCreate = createOf(listFields)
export const ListPatch = patchOf(listFields)

export const listOperations = operationsOf('Spaces and lists', {
  createList: {
    route: 'POST /spaces/{spaceId}/lists',
    summary: 'Create a list in a space',
    body: { json: ListCreate },
    success: { status: 201, schema: List, description: 'The new list.' },
    documentedErrors: [403],
    errors: ['listsLimit'],
  },
  listLists: {
    route: 'GET /lists',
    summary: 'List the lists that are not private',
    success: { schema: () => z.object({ lists: z.array(List) }), description: 'The lists.' },
  },
  getList: {
    route: 'GET /lists/{listId}',
    summary: 'Read a list',
    success: { schema: List, description: 'The list.' },
    documentedErrors: [404],
  },
  updateList: {
    route: 'PATCH /lists/{listId}',
    summary: 'Change the name, colour or icon of a list',
    body: { json: ListPatch },
    success: { schema: patchResponse(List), description: 'The list was changed.' },
    documentedErrors: [404],
  },
  getListSchema: {
    route: 'GET /lists/{listId}/schema',
    summary: "Read a list's statuses and custom fields",
    success: {
      schema: (answers) => z.object({ statuses: z.array(Status), fields: z.array(CustomField(answers)) }),
      description: 'Statuses and custom fields.',
    },
  },
})
