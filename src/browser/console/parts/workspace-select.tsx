// The choice of the workspace that is shown.
import { useConsole, useWorkspace } from './context.ts'
import { Select } from './fields.tsx'

export function WorkspaceSelect() {
  const { live, go } = useConsole()
  const current = useWorkspace()
  const workspaces = live.overview.workspaces
  if (!current || workspaces.length < 2) return null
  return (
    <Select
      label="Workspace"
      empty={null}
      choices={workspaces.map(({ id, name, plan }) => ({ id, label: `${name} (${plan})` }))}
      value={current.id}
      set={(id) => go({ workspace: id })}
    />
  )
}
