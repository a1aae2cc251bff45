// Contract of spaces.
import * as z from 'zod/mini'
import { Id, Text, patchResponse } from './schema/common.ts'
import { createOf, field, patchOf, shownOf } from './schema/fields.ts'
import { List, isPrivate } from './lists.ts'
import { Color, colorNote, neutralColor } from './schema/colors.ts'
import { operationsOf } from './operation.ts'
import type * as types from './types.d.ts'

export const spaceFields = {
  id: field(Id),
  workspace_id: field(Id, { shown: false, fixture: false }),
  name: field(Text, { sent: 'required' }),
  color: field(Text, { sent: 'optional', fixture: Color, initial: neutralColor, note: colorNote }),
  icon: field(Text, { sent: 'optional', initial: 'folder', note: 'Icon class name.' }),
  default_list_id: field(Id, { byDefault: 'the first list', fixtureNote: 'Need not be among `lists`.' }),
  is_private: isPrivate,
  lists: field(z.array(List), { kept: false, fixture: false, note: 'The lists that are not private.' }),
}
export type SpaceRecord = types.SpaceRecord
export const Space = shownOf(spaceFields)
export type Space = types.Space
export const SpaceCreate = createOf(spaceFields)
export const SpacePatch = patchOf(spaceFields)

export const spaceOperations = operationsOf('Spaces and lists', {
  listSpaces: {
    route: 'GET /spaces',
    summary: 'List the spaces that are not private, with their lists',
    success: { schema: () => z.object({ spaces: z.array(Space) }), description: 'The spaces.' },
  },
  createSpace: {
    route: 'POST /spaces',
    summary: 'Create a space with its default statuses and a list named Tasks',
    body: { json: SpaceCreate },
    success: { schema: Space, description: 'The new space.' },
    documentedErrors: [403],
    errors: ['spacesLimit'],
  },
  updateSpace: {
    route: 'PATCH /spaces/{spaceId}',
    summary: 'Change the name, colour or icon of a space',
    body: { json: SpacePatch },
    success: { schema: patchResponse(Space), description: 'The space was changed.' },
    documentedErrors: [404],
  },
})
