// The state browser: tables with their rows, tasks by status, jobs, forms.
import { usePlace, useWorkspace } from '../parts/context.ts'
import { Panel, Tabs, type Tab } from '../parts/tabs.tsx'
import { WorkspaceSelect } from '../parts/workspace-select.tsx'
import { Forms } from './state-forms.tsx'
import { Jobs } from './state-jobs.tsx'
import { Tables } from './state-tables.tsx'
import { Tasks } from './state-tasks.tsx'

const parts = ['tables', 'tasks', 'jobs', 'forms'] as const
type Part = (typeof parts)[number]

const isPart = (text: string): text is Part => parts.some((part) => part === text)

export function State() {
  const workspace = useWorkspace()
  const [wanted, setPart] = usePlace('part')
  const part = isPart(wanted) ? wanted : 'tables'
  if (!workspace) return null
  const { tables, lists, jobs, forms } = workspace
  const running = jobs.filter(({ completed_ms }) => completed_ms === null).length
  const tabs: readonly Tab<Part>[] = [
    { id: 'tables', label: 'Tables', count: tables.length },
    { id: 'tasks', label: 'Tasks', count: lists.reduce((sum, { task_count }) => sum + task_count, 0) },
    { id: 'jobs', label: 'Jobs', count: jobs.length, tone: running > 0 ? 'accent' : undefined },
    { id: 'forms', label: 'Forms', count: forms.length },
  ]
  return (
    <div class="state">
      <div class="toolbar">
        <Tabs look="row" label="Kinds of resources" tabs={tabs} current={part} onChange={setPart} />
        <span class="spacer" />
        <WorkspaceSelect />
      </div>
      <Panel id={part}>
        {part === 'tables' && <Tables key={workspace.id} workspace={workspace} />}
        {part === 'tasks' && <Tasks key={workspace.id} workspace={workspace} />}
        {part === 'jobs' && <Jobs workspace={workspace} />}
        {part === 'forms' && <Forms key={workspace.id} workspace={workspace} />}
      </Panel>
    </div>
  )
}
