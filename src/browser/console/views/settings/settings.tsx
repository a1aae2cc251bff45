// Settings: plan, keys and switches of a workspace as the table of controls lists them, its limits, and the open questions.
import type { WorkspaceOverview } from '../../../../controls/inspect/inspect.ts'
import { settings, type NamedSetting } from '../../../../controls/table.ts'
import { memberName, useConsole, useWorkspace } from '../../parts/context.ts'
import { CopyButton, SegmentedControl, Switch } from '../../parts/controls.tsx'
import { WorkspaceSelect } from '../../parts/fields.tsx'
import { Block, Table } from '../../parts/blocks.tsx'
import { Parts } from '../../parts/tabs.tsx'
import type { SandboxControls } from '../../source.ts'
import { Limits } from './limits.tsx'
import { Questions } from './questions.tsx'

/** A record with settings. */
interface Subject {
  readonly id: string
  readonly name: string
  readonly [field: string]: unknown
}

/** Calls the control of a setting with the id of the record and a value. */
function change(
  controls: SandboxControls,
  { control, id, field }: NamedSetting,
  record: Subject,
  value: unknown,
) {
  const fields: Readonly<Record<string, unknown>> = { [id]: record.id, [field]: value }
  const args = control.args.map((arg) => {
    if (typeof arg === 'string') return fields[arg]
    const names: readonly string[] = 'body' in arg ? Object.keys(fields) : arg
    return Object.fromEntries(names.filter((name) => name in fields).map((name) => [name, fields[name]]))
  })
  let method: unknown = controls
  for (const name of control.names) method = (method as Readonly<Record<string, unknown>>)[name]
  return (method as (...args: readonly unknown[]) => Promise<unknown>)(...args)
}

interface SettingProps {
  readonly setting: NamedSetting
  readonly record: Subject
}

function SettingControl({ setting, record }: SettingProps) {
  const { controls, act } = useConsole()
  const { label, field } = setting
  const values: readonly unknown[] = setting.values
  const set = (value: unknown) =>
    act(() => change(controls, setting, record, value), `${record.name}: ${field} is ${String(value)}.`)
  const [off, on] = values
  if (values.length === 2)
    return <Switch label={label} isOn={record[field] === on} onChange={(isOn) => set(isOn ? on : off)} />
  return (
    <SegmentedControl
      legend={label}
      choices={Object.fromEntries(values.map((value) => [String(value), String(value)]))}
      value={String(record[field])}
      onChange={set}
    />
  )
}

/** The records of a workspace that have settings, by the name in the table of controls. */
const subjectsOf = (
  workspace: WorkspaceOverview,
): Readonly<Record<NamedSetting['of'], readonly object[]>> => ({
  workspace: [workspace],
  keys: workspace.keys,
  tables: workspace.tables,
  forms: workspace.forms,
})

const titles = { keys: 'Keys', tables: 'Tables', forms: 'Forms' } as const

function KeyFacts({
  record,
  workspace,
}: {
  readonly record: Subject
  readonly workspace: WorkspaceOverview
}) {
  const key = workspace.keys.find(({ id }) => id === record.id)
  if (!key) return null
  const kind = key.kind === 'master' ? 'master' : `scoped, ${String(key.scopes.length)} scopes`
  return (
    <span class="aside" title={key.kind === 'master' ? undefined : key.scopes.join(', ')}>
      {kind}, {memberName(workspace, key.member_id)}
    </span>
  )
}

/** The records of a kind, each with its settings. */
function Records({
  of,
  workspace,
}: {
  readonly of: keyof typeof titles
  readonly workspace: WorkspaceOverview
}) {
  const own = settings.filter((setting) => setting.of === of)
  const records = subjectsOf(workspace)[of] as readonly Subject[]
  return (
    <Block title={titles[of]} count={records.length}>
      <Table class="sheet stacked" heads={['Name', 'Id', 'Setting']}>
        {records.map((record) => (
          <tr key={record.id}>
            <th scope="row">
              {record.name} <KeyFacts record={record} workspace={workspace} />
            </th>
            <td>
              <CopyButton kind="quiet" text={() => record.id} label={`Copy ${record.id}`}>
                <code>{record.id}</code>
              </CopyButton>
            </td>
            <td class="acts">
              {own.map((setting) => (
                <SettingControl key={setting.field} setting={setting} record={record} />
              ))}
            </td>
          </tr>
        ))}
      </Table>
    </Block>
  )
}

function Workspace() {
  const workspace = useWorkspace()
  if (!workspace) return null
  const own = settings.filter(({ of }) => of === 'workspace')
  return (
    <>
      <div class="toolbar">
        <h3>{workspace.name}</h3>
        <span class="aside">{workspace.timezone}</span>
      </div>
      <div class="sheet padded row">
        {own.map((setting) => (
          <SettingControl key={setting.field} setting={setting} record={{ ...workspace }} />
        ))}
      </div>
      <Limits workspace={workspace} />
      {(['keys', 'tables', 'forms'] as const).map((of) => (
        <Records key={of} of={of} workspace={workspace} />
      ))}
    </>
  )
}

const parts = {
  workspace: { label: 'Plan and keys', View: Workspace },
  questions: { label: 'Questions', View: Questions },
}

export function SettingsView() {
  const { changedAnswers } = useConsole().live.overview
  return (
    <Parts
      label="Settings"
      parts={parts}
      counts={{ questions: changedAnswers.length }}
      aside={<WorkspaceSelect />}
    />
  )
}
