// Spaces of a workspace.
import { made, patchedRecord, toShown } from '../contract/schema/field-values.ts'
import { spaceFields, type SpaceRecord, type Space } from '../contract/spaces.ts'
import type { BodyFor } from '../contract/index.ts'
import { assertColor, assertNotBlank } from '../contract/schema/checks.ts'
import { createList, listsOf, toList } from './lists.ts'
import { assertWithin } from '../contract/plan-limits.ts'
import type { WorkspaceRecord } from '../contract/workspaces.ts'
import type { Store } from '../store/store.ts'

/** The spaces of a workspace that are not private, in order of creation. */
export function publicSpaces(store: Store, workspace: WorkspaceRecord): readonly SpaceRecord[] {
  return store.spaces.ownedBy(workspace.id).filter(({ is_private }) => !is_private)
}

/** A space with those of its lists that are not private. */
export function toSpace(store: Store, space: SpaceRecord): Space {
  const lists = listsOf(store, space).filter(({ is_private }) => !is_private)
  return toShown(spaceFields, space, { lists: lists.map((list) => toList(store, list)) })
}

/**
 * Refuses one space more than the plan allows, private ones counted. Assumption: spacesLimit
 * @throws {ApiError} spacesLimit
 */
export function assertSpaceAllowed(store: Store, workspace: WorkspaceRecord): void {
  const current = store.spaces.ownedBy(workspace.id).length
  const message = (limit: string) =>
    `plan ${workspace.plan} allows ${limit} spaces; ${String(current)} are in use`
  assertWithin(store.answers, workspace, 'spacesLimit', current, message)
}

/**
 * Creates a space with its first list, named Tasks. Source: contract, Spaces and lists.
 * @throws {ApiError} validation
 */
export function createSpace(
  store: Store,
  workspace: WorkspaceRecord,
  fields: BodyFor<'createSpace'>,
): SpaceRecord {
  assertNotBlank(store.answers, 'name', fields.name)
  assertColor('color', fields.color)
  const space = store.spaces.put(
    made(spaceFields, fields, {
      id: store.newId('spaces'),
      workspace_id: workspace.id,
      default_list_id: store.newId('lists'),
    }),
  )
  createList(store, space, { name: 'Tasks' }, space.default_list_id)
  return space
}

/**
 * Changes what is sent.
 * @throws {ApiError} validation
 */
export function updateSpace(store: Store, space: SpaceRecord, patch: BodyFor<'updateSpace'>): SpaceRecord {
  assertNotBlank(store.answers, 'name', patch.name)
  assertColor('color', patch.color)
  return store.spaces.put(patchedRecord(spaceFields, space, patch))
}
