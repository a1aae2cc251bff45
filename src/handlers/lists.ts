// Answers the operations on lists and their schemas.
import type { OperationHandler } from '../core/context.ts'
import { patchedAnswer } from '../core/mutation.ts'
import { presentField } from '../resources/custom-fields.ts'
import * as lists from '../resources/lists.ts'

export const listLists: OperationHandler<'listLists'> = async ({ world, workspace }) => ({
  lists: (await lists.publicLists(world, workspace)).map((list) => lists.presentList(world, list)),
})

export const createList: OperationHandler<'createList'> = {
  permit: ({ world, workspace, at }) => lists.assertListAllowed(world, workspace, at.spaceId),
  run: ({ world, at, body }) => lists.presentList(world, lists.createList(world, at.spaceId, body)),
}

export const getList: OperationHandler<'getList'> = ({ world, at }) => lists.presentList(world, at.listId)

export const updateList: OperationHandler<'updateList'> = ({ world, answers, at, body }) => {
  const list = lists.updateList(world, at.listId, body)
  return patchedAnswer(answers, () => lists.presentList(world, list))
}

export const getListSchema: OperationHandler<'getListSchema'> = ({ answers, at }) => ({
  statuses: at.listId.statuses,
  fields: at.listId.fields.map((field) => presentField(answers, field)),
})
