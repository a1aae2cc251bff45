// Plan and keys of a workspace: its plan, billing, limits with their usage, and keys.
import { useState } from 'preact/hooks'
import { type LimitName, limitNames } from '../../../contract/errors.ts'
import { Plan as Plans } from '../../../contract/identity.ts'
import type { WorkspaceChange } from '../../../controls/remote/own.ts'
import type { WorkspaceOverview } from '../../../controls/inspect/inspect.ts'
import { limitText, limitTexts, momentText, numberText } from '../format.ts'
import { memberName, useConsole, useWorkspace } from '../parts/context.ts'
import { Button, CopyButton, SegmentedControl, Switch } from '../parts/controls.tsx'
import { focusOnce, Form, Input, WorkspaceSelect } from '../parts/fields.tsx'
import { Mark, Table } from '../parts/blocks.tsx'

interface LimitProps {
  readonly name: LimitName
  readonly workspace: WorkspaceOverview
}

/** The usage of a limit over several requests, and when it resets. */
function Used({ name, workspace: { usage, limits } }: LimitProps) {
  const of = usage[name]
  const { limit } = limits[name]
  if (!of) return <span class="aside">per request</span>
  const { used, resetsAtMs } = of
  return (
    <>
      {limit !== null && limit > 0 && (
        <meter
          max={limit}
          high={limit - 1}
          optimum={0}
          value={used}
          aria-label={`Used of ${limitTexts[name]}`}
        />
      )}
      <span>{numberText(used)} used</span>
      {resetsAtMs !== undefined && used > 0 && (
        <span class="aside">
          {name === 'concurrentBulkJobs' ? 'next job ends' : 'resets'} {momentText(resetsAtMs)}
        </span>
      )}
    </>
  )
}

interface LimitFormProps {
  readonly name: LimitName
  readonly limit: number | null
  readonly set: (limit: number | null) => void
  readonly close: () => void
}

function LimitForm({ name, limit, set, close }: LimitFormProps) {
  const [draft, setDraft] = useState(String(limit ?? ''))
  return (
    <Form class="inline tight" onSubmit={() => set(Number(draft))}>
      <Input type="number" min="0" required label={name} ref={focusOnce} value={draft} set={setDraft} />
      <Button>Set</Button>
      <Button kind="quiet" onClick={() => set(null)}>
        Unlimited
      </Button>
      <Button kind="quiet" onClick={close}>
        Cancel
      </Button>
    </Form>
  )
}

function LimitRow({ name, workspace }: LimitProps) {
  const { controls, act } = useConsole()
  const [isOpen, setOpen] = useState(false)
  const { limit, overridden } = workspace.limits[name]
  const set = (to: number | null | 'plan') => {
    const limits = { [name]: to }
    setOpen(false)
    void act(() => controls.changeWorkspace({ workspaceId: workspace.id, limits }), `Limit ${name} set.`)
  }
  return (
    <tr>
      <th scope="row">
        {limitTexts[name]} <code class="aside">{name}</code>
      </th>
      <td class="used soft">
        <Used name={name} workspace={workspace} />
      </td>
      <td class="number">
        {limitText(name, limit)} {overridden && <Mark tone="accent">changed</Mark>}
      </td>
      <td class="acts">
        {isOpen ? (
          <LimitForm name={name} limit={limit} set={set} close={() => setOpen(false)} />
        ) : (
          <>
            {overridden && (
              <Button kind="quiet" label={`Reset to the plan: ${name}`} onClick={() => set('plan')}>
                Reset to the plan
              </Button>
            )}
            <Button kind="quiet" label={`Change ${name}`} onClick={() => setOpen(true)}>
              Change
            </Button>
          </>
        )}
      </td>
    </tr>
  )
}

function Keys({ workspace }: { readonly workspace: WorkspaceOverview }) {
  const { controls, act } = useConsole()
  return (
    <Table class="sheet stacked" heads={['Key', 'Kind', 'Member', 'Access']}>
      {workspace.keys.map((key) => (
        <tr key={key.id}>
          <th scope="row">
            <CopyButton kind="quiet" text={() => key.id} label={`Copy key ${key.id}`}>
              <code>{key.id}</code>
            </CopyButton>
            <span class="aside">{key.name}</span>
          </th>
          <td>
            {key.kind === 'master' ? (
              'master'
            ) : (
              <span title={key.scopes.join(', ')}>scoped, {key.scopes.length} scopes</span>
            )}
          </td>
          <td>{memberName(workspace, key.member_id)}</td>
          <td>
            <Switch
              label="Suspended (402)"
              isOn={key.suspended}
              onChange={(suspended) => act(() => controls.suspendKey(key.id, suspended))}
            />
          </td>
        </tr>
      ))}
    </Table>
  )
}

export function PlanView() {
  const { controls, act } = useConsole()
  const workspace = useWorkspace()
  if (!workspace) return null
  const change = (to: WorkspaceChange, done?: string) =>
    act(() => controls.changeWorkspace({ workspaceId: workspace.id, ...to }), done)
  return (
    <>
      <div class="toolbar">
        <h2>{workspace.name}</h2>
        <span class="aside">{workspace.timezone}</span>
        <span class="spacer" />
        <WorkspaceSelect />
      </div>
      <div class="sheet padded row">
        <SegmentedControl
          legend="Plan"
          choices={Plans.def.entries}
          value={workspace.plan}
          onChange={(plan) => change({ plan }, `Plan changed to ${plan}.`)}
        />
        <Switch
          label="Billing lapsed: every request gets 403"
          isOn={workspace.billing === 'lapsed'}
          onChange={(isOn) => change({ billing: isOn ? 'lapsed' : 'ok' })}
        />
      </div>
      <h3 class="section">Limits</h3>
      <Table class="sheet stacked limits" heads={['Limit', 'Used', 'Current', 'Change']}>
        {limitNames.map((name) => (
          <LimitRow key={name} name={name} workspace={workspace} />
        ))}
      </Table>
      <h3 class="section">Keys</h3>
      <Keys workspace={workspace} />
    </>
  )
}
