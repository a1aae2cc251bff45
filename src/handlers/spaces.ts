// Handlers for spaces.
import type { OperationHandler } from '../core/context.ts'
import { patchedResponse } from '../core/mutation.ts'
import * as spaces from '../resources/spaces.ts'

export const listSpaces: OperationHandler<'listSpaces'> = ({ store, workspace }) => ({
  spaces: spaces.publicSpaces(store, workspace).map((space) => spaces.toSpace(store, space)),
})

export const createSpace: OperationHandler<'createSpace'> = {
  permit: ({ store, workspace }) => spaces.assertSpaceAllowed(store, workspace),
  run: ({ store, workspace, body }) => spaces.toSpace(store, spaces.createSpace(store, workspace, body)),
}

export const updateSpace: OperationHandler<'updateSpace'> = ({ store, answers, at, body }) => {
  const space = spaces.updateSpace(store, at.spaceId, body)
  return patchedResponse(answers, () => spaces.toSpace(store, space))
}
