// Owns the contract of spaces.
import * as z from 'zod/mini'
import { Id, patched } from './common.ts'
import { List } from './lists.ts'
import { defineOperation } from './operation.ts'

export const Space = z.object({
  id: Id,
  name: z.string(),
  color: z.string(),
  icon: z.string(),
  default_list_id: Id,
  lists: z.array(List),
})
export type Space = z.infer<typeof Space>

export const SpaceRecord = z.object({
  id: Id,
  workspace_id: Id,
  name: z.string(),
  color: z.string(),
  icon: z.string(),
  is_private: z.boolean(),
  default_list_id: Id,
})
export type SpaceRecord = z.infer<typeof SpaceRecord>

export const SpacePatch = z.object({
  name: z.optional(z.string()),
  color: z.optional(z.string()),
  icon: z.optional(z.string()),
})
export const SpaceCreate = z.object({ ...SpacePatch.shape, name: z.string() })

export const listSpaces = defineOperation({
  id: 'listSpaces',
  method: 'GET',
  path: '/spaces',
  tag: 'Spaces and lists',
  summary: 'List the spaces that are not private, with their lists',
  success: { status: 200, schema: z.object({ spaces: z.array(Space) }), description: 'The spaces.' },
  documentedErrors: [],
})

export const createSpace = defineOperation({
  id: 'createSpace',
  method: 'POST',
  path: '/spaces',
  tag: 'Spaces and lists',
  summary: 'Create a space with its default statuses and a list named Tasks',
  body: { json: SpaceCreate },
  success: { status: 200, schema: Space, description: 'The new space.' },
  documentedErrors: [403],
  errors: ['spacesLimit'],
})

export const updateSpace = defineOperation({
  id: 'updateSpace',
  method: 'PATCH',
  path: '/spaces/{spaceId}',
  tag: 'Spaces and lists',
  summary: 'Change name, colour or icon of a space',
  body: { json: SpacePatch },
  success: { status: 200, schema: patched(Space), description: 'The space is changed.' },
  documentedErrors: [404],
})
