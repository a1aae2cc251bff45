// Workspaces with their keys and members.
import type { WorkspaceRecord } from '../contract/workspaces.ts'
import { Member } from '../contract/schema/common.ts'

export function memberOf(workspace: WorkspaceRecord, id: string): Member | undefined {
  return workspace.members.find((member) => member.id === id)
}
