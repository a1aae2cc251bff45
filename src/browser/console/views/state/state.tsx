// The state: tables with their rows, tasks by status, forms and snapshots. Files can be dropped anywhere on it.
import { DirectoryContext, useConsole, useWorkspace } from '../../parts/context.ts'
import { WorkspaceSelect } from '../../parts/fields.tsx'
import { DropZone } from '../../parts/files.tsx'
import { Parts } from '../../parts/tabs.tsx'
import { DataActions, useFiles } from './data.tsx'
import { Forms } from './forms.tsx'
import { openTable, Tables } from './rows.tsx'
import { Snapshots } from './snapshots.tsx'
import { Tasks } from './tasks.tsx'

const parts = {
  tables: ['Tables', Tables],
  tasks: ['Tasks', Tasks],
  forms: ['Forms', Forms],
  snapshots: ['Snapshots', Snapshots],
} as const

function Contents() {
  const { viewState } = useConsole()
  const { tables = [], lists = [], forms = [] } = useWorkspace() ?? {}
  const { read, question } = useFiles(openTable(tables, viewState))
  const tasks = lists.reduce((sum, { task_count }) => sum + task_count, 0)
  const counts = { tables: tables.length, tasks, forms: forms.length }
  const aside = (
    <>
      <WorkspaceSelect />
      <DataActions read={read} />
    </>
  )
  return (
    <DropZone class="state" read={read}>
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
