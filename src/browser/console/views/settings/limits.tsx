// The limits of a workspace with their usage, to change or reset to those of the plan.
import { useState } from 'preact/hooks'
import { type LimitName, limitNames } from '../../../../contract/errors.ts'
import type { WorkspaceOverview } from '../../../../controls/inspect/inspect.ts'
import { limitText, limitTexts, momentText, numberText } from '../../format.ts'
import { Button } from '../../parts/button.tsx'
import { useConsole } from '../../parts/context.ts'
import { focusOnce, Form, Input } from '../../parts/fields.tsx'
import { Block, Mark, Table } from '../../parts/blocks.tsx'

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
  readonly set: (limit: number | null) => unknown
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
    return act(async () => {
      await controls.changeWorkspace({ workspaceId: workspace.id, limits })
      setOpen(false)
    }, `Limit ${name} set.`)
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

export function Limits({ workspace }: { readonly workspace: WorkspaceOverview }) {
  return (
    <Block title="Limits">
      <Table class="sheet stacked limits" heads={['Limit', 'Used', 'Current', 'Change']}>
        {limitNames.map((name) => (
          <LimitRow key={name} name={name} workspace={workspace} />
        ))}
      </Table>
    </Block>
  )
}
