// Spaces of a workspace.
import { newRecord, patchRecord, toShown } from '../../contract/schema/field-values.ts'
import { spaceFields, type SpaceRecord, type Space } from '../../contract/spaces.ts'
import { addList, assertFields, toList } from './lists.ts'
import { assertWithin } from '../../contract/plan-limits.ts'
import type { Store } from '../store/store.ts'
import { toPatchResponse, type Handlers } from './request.ts'

/** Private lists are not shown. */
function toSpace(store: Store, space: SpaceRecord): Space {
  const lists = store.lists.ownedBy(space.id).filter(({ is_private }) => !is_private)
  return toShown(spaceFields, space, { lists: lists.map((list) => toList(store, list)) })
}

export const spaceHandlers = {
  listSpaces: ({ store, workspace }) => ({
    spaces: store.spaces
      .ownedBy(workspace.id)
      .filter(({ is_private }) => !is_private)
      .map((space) => toSpace(store, space)),
  }),

  createSpace: {
    /** Private spaces count too. Assumption: spacesLimit */
    permit({ store, answers, workspace }) {
      const current = store.spaces.ownedBy(workspace.id).length
      const message = (limit: string) =>
        `plan ${workspace.plan} allows ${limit} spaces; ${String(current)} are in use`
      assertWithin(answers, workspace, 'spacesLimit', current, message)
    },
    /** The first list is named Tasks. Source: contract, Spaces and lists. */
    run({ store, workspace, body }) {
      assertFields(store, body)
      const space = store.spaces.put(
        newRecord(spaceFields, body, {
          id: store.newId('spaces'),
          workspace_id: workspace.id,
          default_list_id: store.newId('lists'),
        }),
      )
      addList(store, space, { name: 'Tasks' }, space.default_list_id)
      return toSpace(store, space)
    },
  },

  updateSpace({ store, answers, at, body }) {
    assertFields(store, body)
    const space = store.spaces.put(patchRecord(spaceFields, at.space, body))
    return toPatchResponse(answers, () => toSpace(store, space))
  },
} satisfies Partial<Handlers>
