// Answers the operations on spaces.
import type { OperationHandler } from '../core/context.ts'
import { patchedAnswer } from '../core/mutation.ts'
import { publicLists } from '../resources/lists.ts'
import * as spaces from '../resources/spaces.ts'

export const listSpaces: OperationHandler<'listSpaces'> = async ({ world, workspace }) => {
  const lists = await publicLists(world, workspace)
  const found = await spaces.publicSpaces(world, workspace)
  return { spaces: found.map((space) => spaces.presentSpace(world, space, lists)) }
}

export const createSpace: OperationHandler<'createSpace'> = {
  permit: ({ world, workspace }) => spaces.assertSpaceAllowed(world, workspace),
  run: ({ world, workspace, body }) => {
    const { space, list } = spaces.createSpace(world, workspace, body)
    return spaces.presentSpace(world, space, [list])
  },
}

export const updateSpace: OperationHandler<'updateSpace'> = async ({ world, answers, at, body }) => {
  const space = spaces.updateSpace(world, at.spaceId, body)
  const lists = await world.lists.findMany((list) => list.space_id === space.id)
  return patchedAnswer(answers, () => spaces.presentSpace(world, space, lists))
}
