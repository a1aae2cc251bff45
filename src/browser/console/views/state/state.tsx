// The state browser: tables with their rows, tasks by status, jobs and forms.
import { DirectoryContext, useViewState, useWorkspace } from '../../parts/context.ts'
import { Panel, type Tab, Tabs } from '../../parts/tabs.tsx'
import { WorkspaceSelect } from '../../parts/fields.tsx'
import { Forms } from './forms.tsx'
import { Jobs } from './jobs.tsx'
import { Tables } from './tables.tsx'
import { Tasks } from './tasks.tsx'

const parts = { tables: Tables, tasks: Tasks, jobs: Jobs, forms: Forms }

export function StateView() {
  const workspace = useWorkspace()
  const [wanted, setPart] = useViewState('part')
  const part = Object.hasOwn(parts, wanted) ? (wanted as keyof typeof parts) : 'tables'
  if (!workspace) return null
  const { tables, lists, jobs, forms } = workspace
  const running = jobs.filter(({ completed_ms }) => completed_ms === null).length
  const tabs: readonly Tab[] = [
    { id: 'tables', label: 'Tables', count: tables.length },
    { id: 'tasks', label: 'Tasks', count: lists.reduce((sum, { task_count }) => sum + task_count, 0) },
    { id: 'jobs', label: 'Jobs', count: jobs.length, tone: running > 0 ? 'accent' : undefined },
    { id: 'forms', label: 'Forms', count: forms.length },
  ]
  const View = parts[part]
  return (
    <div class="state">
      <div class="toolbar">
        <Tabs class="row" label="Kinds of resources" tabs={tabs} current={part} onChange={setPart} />
        <span class="spacer" />
        <WorkspaceSelect />
      </div>
      <DirectoryContext.Provider value={workspace}>
        <Panel id={part}>
          <View key={workspace.id} workspace={workspace} />
        </Panel>
      </DirectoryContext.Provider>
    </div>
  )
}
