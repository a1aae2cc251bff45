// Answers the operations on spaces.
import type { OperationHandler } from '../core/context.ts'
import { patchedAnswer } from '../core/mutation.ts'
import { publicLists } from '../resources/lists.ts'
import * as spaces from '../resources/spaces.ts'

export const listSpaces: OperationHandler<'listSpaces'> = async ({ store, workspace }) => {
  const lists = await publicLists(store, workspace)
  const found = await spaces.publicSpaces(store, workspace)
  return { spaces: found.map((space) => spaces.toSpace(store, space, lists)) }
}

export const createSpace: OperationHandler<'createSpace'> = {
  permit: ({ store, workspace }) => spaces.assertSpaceAllowed(store, workspace),
  run: ({ store, workspace, body }) => {
    const { space, list } = spaces.createSpace(store, workspace, body)
    return spaces.toSpace(store, space, [list])
  },
}

export const updateSpace: OperationHandler<'updateSpace'> = async ({ store, answers, at, body }) => {
  const space = spaces.updateSpace(store, at.spaceId, body)
  const lists = await store.lists.findMany((list) => list.space_id === space.id)
  return patchedAnswer(answers, () => spaces.toSpace(store, space, lists))
}
