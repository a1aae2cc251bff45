// The choice of the workspace that is shown.
import { useConsole, useWorkspace } from './context.ts'
import { typed } from './controls.tsx'

export function WorkspaceSelect() {
  const { live, go } = useConsole()
  const current = useWorkspace()
  const workspaces = live.overview?.workspaces ?? []
  if (workspaces.length < 2) return null
  return (
    <select aria-label="Workspace" value={current?.id} onChange={(event) => go({ workspace: typed(event) })}>
      {workspaces.map(({ id, name, plan }) => (
        <option key={id} value={id}>
          {name} ({plan})
        </option>
      ))}
    </select>
  )
}
