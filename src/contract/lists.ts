// Owns the contract of lists, their statuses and custom fields.
import * as z from 'zod/mini'
import { Id, patched } from './common.ts'
import { Option } from './datatables.ts'
import { defineOperation, type Schema } from './operation.ts'
import type { Answers } from './questions/register.ts'

export const List = z.object({
  id: Id,
  name: z.string(),
  space_id: Id,
  space_name: z.string(),
  folder_id: z.nullable(Id),
  color: z.nullable(z.string()),
  icon: z.nullable(z.string()),
})
export type List = z.infer<typeof List>

export const statusTypes = ['active', 'done', 'archived'] as const
export const Status = z.object({ id: Id, name: z.string(), color: z.string(), type: z.enum(statusTypes) })
export type Status = z.infer<typeof Status>
export type StatusType = Status['type']

const OptionLabel = z.object({ label: z.string() })

/** Items of `options`: whole options, or labels alone. Assumption: customFieldOptions */
const customField = <O extends z.ZodMiniType>(option: O) =>
  z.object({
    id: Id,
    name: z.string(),
    type: z.string(),
    options: z.optional(z.array(option)),
    mode: z.optional(z.enum(['select', 'items'])),
    table_id: z.optional(Id),
    readonly: z.boolean(),
  })
const FullCustomField = customField(Option)
export type CustomField = z.infer<typeof FullCustomField>
const LabelCustomField = customField(OptionLabel)
export type AnsweredCustomField = CustomField | z.infer<typeof LabelCustomField>
export const CustomField = (answers: Answers): Schema<AnsweredCustomField> =>
  answers.customFieldOptions === 'label' ? LabelCustomField : FullCustomField

export const FieldRecord = z.object({
  id: Id,
  name: z.string(),
  type: z.string(),
  options: z.optional(z.array(Option)),
  /** Of a datatable link: one row or several. Assumption: relationValues */
  mode: z.optional(z.enum(['select', 'items'])),
  table_id: z.optional(Id),
  /** Of a formula field. */
  formula: z.optional(z.string()),
  readonly: z.boolean(),
})
export type FieldRecord = z.infer<typeof FieldRecord>

export const ListRecord = z.object({
  id: Id,
  workspace_id: Id,
  space_id: Id,
  name: z.string(),
  folder_id: z.nullable(Id),
  color: z.nullable(z.string()),
  icon: z.nullable(z.string()),
  is_private: z.boolean(),
  statuses: z.array(Status),
  fields: z.array(FieldRecord),
})
export type ListRecord = z.infer<typeof ListRecord>

/** Name, colour and icon of a space or a list. Assumption: colors, emptyNames */
export const Appearance = z.object({
  name: z.optional(z.string()),
  color: z.optional(z.nullable(z.string())),
  icon: z.optional(z.nullable(z.string())),
})
export const ListCreate = z.object({ ...Appearance.shape, name: z.string() })

export const createList = defineOperation({
  id: 'createList',
  method: 'POST',
  path: '/spaces/{spaceId}/lists',
  tag: 'Spaces and lists',
  summary: 'Create a list in a space',
  body: { json: ListCreate },
  success: { status: 201, schema: List, description: 'The new list.' },
  documentedErrors: [403],
  errors: ['listsLimit'],
})

export const listLists = defineOperation({
  id: 'listLists',
  method: 'GET',
  path: '/lists',
  tag: 'Spaces and lists',
  summary: 'List the lists that are not private',
  success: { status: 200, schema: z.object({ lists: z.array(List) }), description: 'The lists.' },
  documentedErrors: [],
})

export const getList = defineOperation({
  id: 'getList',
  method: 'GET',
  path: '/lists/{listId}',
  tag: 'Spaces and lists',
  summary: 'Read a list',
  success: { status: 200, schema: List, description: 'The list.' },
  documentedErrors: [404],
})

export const updateList = defineOperation({
  id: 'updateList',
  method: 'PATCH',
  path: '/lists/{listId}',
  tag: 'Spaces and lists',
  summary: 'Change name, colour or icon of a list',
  body: { json: Appearance },
  success: { status: 200, schema: patched(List), description: 'The list is changed.' },
  documentedErrors: [404],
})

export const getListSchema = defineOperation({
  id: 'getListSchema',
  method: 'GET',
  path: '/lists/{listId}/schema',
  tag: 'Spaces and lists',
  summary: 'Read the statuses and custom fields of a list',
  success: {
    status: 200,
    schema: (answers) => z.object({ statuses: z.array(Status), fields: z.array(CustomField(answers)) }),
    description: 'Statuses and custom fields.',
  },
  documentedErrors: [],
})
