// Handlers for lists and their schemas.
import type { OperationHandler } from '../core/context.ts'
import { patchedResponse } from '../core/mutation.ts'
import { toField } from '../resources/custom-fields.ts'
import * as lists from '../resources/lists.ts'

export const listLists: OperationHandler<'listLists'> = ({ store, workspace }) => ({
  lists: lists.publicLists(store, workspace).map((list) => lists.toList(store, list)),
})

export const createList: OperationHandler<'createList'> = {
  permit: ({ store, workspace, at }) => lists.assertListAllowed(store, workspace, at.spaceId),
  run: ({ store, at, body }) => lists.toList(store, lists.createList(store, at.spaceId, body)),
}

export const getList: OperationHandler<'getList'> = ({ store, at }) => lists.toList(store, at.listId)

export const updateList: OperationHandler<'updateList'> = ({ store, answers, at, body }) => {
  const list = lists.updateList(store, at.listId, body)
  return patchedResponse(answers, () => lists.toList(store, list))
}

export const getListSchema: OperationHandler<'getListSchema'> = ({ answers, at }) => ({
  statuses: at.listId.statuses,
  fields: at.listId.fields.map((field) => toField(answers, field)),
})
