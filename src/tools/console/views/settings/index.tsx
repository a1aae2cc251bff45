// Settings: a workspace's plan, keys, switches and limits, and the open questions.
import { useState } from 'preact/hooks'
import { type LimitName, limitNames } from '../../../../contract/errors.ts'
import type { WorkspaceOverview } from '../../../../adapters/control-api/inspect.ts'
import { settings, type NamedSetting } from '../../../../adapters/control-api/table.ts'
import { changeSetting } from '../../../../adapters/control-api/wire.ts'
import { formatMoment, formatSize, numberText } from '../../format.ts'
import { Block, Mark } from '../../parts/blocks.tsx'
import { nameOfMember, type ScopedRun, useConsole, useWorkspace } from '../../parts/context.ts'
import { Action, Button, CopyButton, SegmentedControl, Switch } from '../../parts/controls.tsx'
import { focusOnce, Form, Input, WorkspaceSelect } from '../../parts/fields.tsx'
import { Table, type TableColumn } from '../../parts/table.tsx'
import { Parts } from '../../parts/tabs.tsx'
import { Questions } from './questions.tsx'

type Subject = Readonly<Record<string, unknown> & { id: string; name: string }>

function SettingControl({ setting, record }: { setting: NamedSetting; record: Subject }) {
  const { act } = useConsole()
  const { label, field } = setting
  const values: readonly unknown[] = setting.values
  const set = (value: unknown) => {
    const done = `${record.name}: ${field} is ${String(value)}.`
    return act((controls) => changeSetting(controls, setting, record.id, value), { done })
  }
  const [off, on] = values
  if (values.length === 2)
    return <Switch label={label} isOn={record[field] === on} set={(isOn) => set(isOn ? on : off)} />
  const choices = Object.fromEntries(values.map((value) => [String(value), String(value)]))
  return <SegmentedControl legend={label} choices={choices} value={String(record[field])} set={set} />
}

const controlsOf = (of: NamedSetting['of'], record: Subject) =>
  settings
    .filter((setting) => setting.of === of)
    .map((setting) => <SettingControl key={setting.field} setting={setting} record={record} />)

const titles = { keys: 'Keys', tables: 'Tables', forms: 'Forms' } as const

function Subjects({ of, workspace }: { of: keyof typeof titles; workspace: WorkspaceOverview }) {
  const records: readonly object[] = workspace[of]
  const items = records as readonly Subject[]
  const name = ({ name: text, kind, scopes, member_id: member }: Subject) => {
    if (!Array.isArray(scopes)) return text
    const scope = kind === 'master' ? kind : `scoped to ${scopes.join(', ')}`
    return [`${text} `, <span class="aside">{`${scope}; ${nameOfMember(workspace, member)}`}</span>]
  }
  const copy = ({ id }: Subject) => (
    <CopyButton copied={() => id} label={`Copy ${id}`}>
      <code>{id}</code>
    </CopyButton>
  )
  const columns: readonly TableColumn<Subject>[] = [
    { head: 'Name', isName: true, cell: name },
    { head: 'Id', cell: copy },
    { head: 'Setting', class: 'acts', cell: (record) => controlsOf(of, record) },
  ]
  return (
    <Block title={titles[of]} count={items.length}>
      <Table class="sheet stacked" {...{ items, columns }} keyOf={({ id }) => id} />
    </Block>
  )
}

const limitTexts: Readonly<Record<LimitName, string>> = {
  bulkRowsPerRequest: 'Rows in one bulk request',
  bulkRowsPerJob: 'Rows in one job',
  concurrentBulkJobs: 'Jobs at a time',
  bulkInsertPerMinute: 'Bulk requests per minute',
  requestsPerMonth: 'Requests per month',
  spaces: 'Spaces',
  lists: 'Lists in a space',
  maxFileBytes: 'Size of a file',
}

function LimitForm({ name, workspace }: { name: LimitName; workspace: WorkspaceOverview }) {
  const { limit, overridden } = workspace.limits[name]
  const [draft, setDraft] = useState<string | null>(null)
  const done = `Limit ${name} set.`
  const set =
    (to: number | null | 'plan'): ScopedRun =>
    async (controls) => {
      await controls.changeWorkspace({ workspaceId: workspace.id, limits: { [name]: to } })
      setDraft(null)
    }
  const quiet = { kind: 'quiet', done } as const
  const reset = { text: 'Reset to plan default', label: `Reset to plan default: ${name}` }
  const change = { kind: 'quiet', text: 'Change', label: `Change ${name}` } as const
  if (draft === null)
    return (
      <>
        {overridden && <Action {...quiet} {...reset} run={set('plan')} />}
        <Button {...change} onClick={() => setDraft(String(limit ?? ''))} />
      </>
    )
  return (
    <Form class="inline tight" run={set(Number(draft))} done={done}>
      <Input type="number" min="0" required label={name} ref={focusOnce} value={draft} set={setDraft} />
      <Button text="Set" />
      <Action {...quiet} text="Unlimited" run={set(null)} />
      <Button kind="quiet" onClick={() => setDraft(null)} text="Cancel" />
    </Form>
  )
}

function Limits({ workspace }: { workspace: WorkspaceOverview }) {
  const { usage, limits } = workspace
  const used = (name: LimitName) => {
    const { used: count, resetsAtMs: endMs } = usage[name] ?? {}
    const max = limits[name].limit ?? 0
    if (count === undefined) return <span class="aside">per request</span>
    const end = name === 'concurrentBulkJobs' ? 'next job ends' : 'resets'
    const meter = {
      max,
      high: max - 1,
      optimum: 0,
      value: count,
      'aria-label': `Used of ${limitTexts[name]}`,
    }
    return (
      <>
        {max > 0 && <meter {...meter} />}
        <span>{numberText(count)} used</span>
        {endMs !== undefined && count > 0 && <span class="aside">{`${end} ${formatMoment(endMs)}`}</span>}
      </>
    )
  }
  const current = (name: LimitName) => {
    const { limit, overridden } = limits[name]
    const size = name === 'maxFileBytes' ? formatSize : numberText
    return [
      `${limit === null ? 'unlimited' : size(limit)} `,
      overridden && <Mark tone="accent">changed</Mark>,
    ]
  }
  const nameCell = (name: LimitName) => [`${limitTexts[name]} `, <code class="aside">{name}</code>]
  const columns: readonly TableColumn<LimitName>[] = [
    { head: 'Limit', isName: true, cell: nameCell },
    { head: 'Used', class: 'used soft', cell: used },
    { head: 'Current', class: 'number', cell: current },
    { head: 'Change', class: 'acts', cell: (name) => <LimitForm {...{ name, workspace }} /> },
  ]
  return (
    <Block title="Limits">
      <Table class="sheet stacked limits" items={limitNames} columns={columns} keyOf={(name) => name} />
    </Block>
  )
}

function Workspace() {
  const workspace = useWorkspace()
  if (!workspace) return null
  return (
    <>
      <div class="toolbar">
        <h3>{workspace.name}</h3>
        <span class="aside">{workspace.timezone}</span>
      </div>
      <div class="sheet padded row">{controlsOf('workspace', { ...workspace })}</div>
      <Limits workspace={workspace} />
      {(['keys', 'tables', 'forms'] as const).map((of) => (
        <Subjects key={of} of={of} workspace={workspace} />
      ))}
    </>
  )
}

const sections = { workspace: ['Plan and keys', Workspace], questions: ['Questions', Questions] } as const

export function SettingsView() {
  const { changedAnswers } = useConsole().live.overview
  const counts = { questions: changedAnswers.length }
  return <Parts label="Settings" parts={sections} counts={counts} aside={<WorkspaceSelect />} />
}
