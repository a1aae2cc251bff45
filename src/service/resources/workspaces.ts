// Workspaces and their members.
import type { WorkspaceRecord } from '../../contract/workspaces.ts'
import { Member } from '../../contract/schema/common.ts'
import type { Handlers } from './request.ts'

export function memberOf(workspace: WorkspaceRecord, id: string): Member | undefined {
  return workspace.members.find((member) => member.id === id)
}

/** The name of a former member is no longer known: the id stands for it. */
export function nameOfMember(workspace: WorkspaceRecord, id: string): string {
  return memberOf(workspace, id)?.name ?? id
}

export const workspaceHandlers = {
  getIdentity: ({ workspace: { id, name, plan, members } }) => ({ workspace: { id, name, plan }, members }),
} satisfies Partial<Handlers>
