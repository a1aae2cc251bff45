// Handler for the workspace of the key.
import type { OperationHandler } from '../core/context.ts'

export const getIdentity: OperationHandler<'getIdentity'> = ({ workspace }) => ({
  workspace: { id: workspace.id, name: workspace.name, plan: workspace.plan },
  members: workspace.members,
})
