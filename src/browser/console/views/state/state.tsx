// The state: tables with their rows, tasks by status, forms and snapshots. Files can be dropped anywhere on it.
import { DirectoryContext, useConsole, useWorkspace } from '../../parts/context.ts'
import { WorkspaceSelect } from '../../parts/fields.tsx'
import { DropZone } from '../../parts/files.tsx'
import { Parts } from '../../parts/tabs.tsx'
import { DataActions, useFiles } from './data.tsx'
import { Forms } from './forms.tsx'
import { Snapshots } from './snapshots.tsx'
import { openTable, Tables } from './tables.tsx'
import { Tasks } from './tasks.tsx'

const parts = {
  tables: { label: 'Tables', View: Tables },
  tasks: { label: 'Tasks', View: Tasks },
  forms: { label: 'Forms', View: Forms },
  snapshots: { label: 'Snapshots', View: Snapshots },
}

function Contents() {
  const { viewState } = useConsole()
  const { tables = [], lists = [], forms = [] } = useWorkspace() ?? {}
  const { read, question } = useFiles(openTable(tables, viewState))
  const counts = {
    tables: tables.length,
    tasks: lists.reduce((sum, { task_count }) => sum + task_count, 0),
    forms: forms.length,
  }
  const aside = (
    <>
      <WorkspaceSelect />
      <DataActions read={read} />
    </>
  )
  return (
    <DropZone class="state" onRead={read}>
      {question}
      <Parts label="Kinds of resources" parts={parts} counts={counts} aside={aside} />
    </DropZone>
  )
}

export function StateView() {
  const workspace = useWorkspace()
  if (!workspace) return null
  return (
    <DirectoryContext.Provider value={workspace}>
      <Contents />
    </DirectoryContext.Provider>
  )
}
