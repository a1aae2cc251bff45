// The board of runs: one row per sandbox, worst first. Selected sandboxes can be acted on together.
import { useState } from 'preact/hooks'
import { formatQuantity, formatMoment, hasText, numberText } from '../../format.ts'
import type { Run } from '../../live-state.ts'
import { EmptyState, Mark, type Tone } from '../../parts/blocks.tsx'
import { type ScopedRun, useConsole, useParam, type ViewId } from '../../parts/context.ts'
import { Action, Button, CopyButton } from '../../parts/controls.tsx'
import { Search } from '../../parts/fields.tsx'
import { InSandboxes, nameOfSandbox, scopeStateOf } from '../../parts/scope.tsx'
import { ScrollBox, Table, type TableColumn } from '../../parts/table.tsx'
import { ExportButtons } from '../journal/index.tsx'
import { markdownOf } from '../report/index.tsx'
import { RunComparison } from './compare.tsx'

const shownRuns = 200

const figures = [
  ['Errors', 'errors', 'warn', 'journal'],
  ['Findings', 'findings', 'bad', 'report'],
  ['Faults hit', 'faults', 'accent', 'faults'],
] as const satisfies readonly (readonly [string, keyof Run, Tone, ViewId])[]

function RunActions({ clear }: { clear: () => void }) {
  const { source, names, requests, each, go } = useConsole()
  const others = names.filter((name) => name !== null)
  const count = formatQuantity(others.length, 'sandbox', 'sandboxes')
  const deletion = { text: 'Delete', confirm: `Delete ${count}?`, done: `Deleted ${count}.` }
  const report = async () => {
    const findings = await each((one) => one.report({ assumptions: false }))
    return markdownOf(findings.flat(), await source.controls(null).console.rules())
  }
  const remove: ScopedRun = async (_, name) => {
    await source.controls(null).deleteSandbox(name ?? '')
    if (name === others.at(-1)) clear()
  }
  return (
    <div class="actions">
      <span class="aside" aria-live="polite">
        {names.length === 0 ? 'Select sandboxes to act on them' : `${String(names.length)} selected`}
      </span>
      <Button
        kind="quiet"
        disabled={names.length !== 2}
        onClick={() => go({ compare: names.map((name) => name ?? '').join() })}
        text="Compare"
      />
      <CopyButton disabled={names.length === 0} copied={report} text="Copy report" />
      <ExportButtons rows={requests} />
      <InSandboxes names={others}>
        <Action kind="quiet" disabled={others.length === 0} {...deletion} run={remove} />
      </InSandboxes>
    </div>
  )
}

/** A click on a sandbox opens the view `target`. */
export function RunsView({ target }: { target: ViewId }) {
  const { live, show, viewState } = useConsole()
  const { compare } = viewState
  const name = ({ name: sandbox, label }: Run) => {
    const open = () => show(target, { ...scopeStateOf(sandbox), q: undefined })
    return [
      <Button class="link" onClick={open} text={nameOfSandbox(sandbox)} />,
      label !== null && <span class="aside" dir="auto">{` ${label}`}</span>,
    ]
  }
  const figureColumns = figures.map(([head, field, tone, view]): TableColumn<Run> => {
    const cell = ({ name: sandbox, [field]: count }: Run) => {
      const label = `${String(count)}: open the ${view} of ${nameOfSandbox(sandbox)}`
      if (count === 0) return <span class="faint">0</span>
      return (
        <Button class="bare" label={label} onClick={() => show(view, scopeStateOf(sandbox))}>
          <Mark tone={tone}>{numberText(count)}</Mark>
        </Button>
      )
    }
    return { head, class: 'number', cell }
  })
  const last = ({ lastAtMs }: Run) => (lastAtMs === null ? '–' : formatMoment(lastAtMs))
  const columns: readonly TableColumn<Run>[] = [
    { head: 'Sandbox', isName: true, cell: name },
    { head: 'Requests', class: 'number', cell: ({ requests }) => numberText(requests) },
    ...figureColumns,
    { head: 'Last request', class: 'number', cell: last },
  ]
  const { value: text } = useParam('q')
  const [selected, set] = useState<readonly string[]>([])
  const keyOf = ({ name }: Run) => nameOfSandbox(name)
  const found = live.runs
    .filter((run) => hasText(`${keyOf(run)} ${run.label ?? ''}`, text))
    .sort(
      (a, b) =>
        b.findings - a.findings ||
        b.errors - a.errors ||
        b.faults - a.faults ||
        (b.lastAtMs ?? -1) - (a.lastAtMs ?? -1) ||
        keyOf(a).localeCompare(keyOf(b)),
    )
  const names = found.filter((run) => selected.includes(keyOf(run))).map(({ name }) => name)
  const selection = { keys: selected, set, label: 'Select all' }
  const more = found.length - shownRuns
  const [first, second] = compare?.split(',').map((name) => (name === '' ? null : name)) ?? []
  if (first !== undefined && second !== undefined) return <RunComparison names={[first, second]} />
  return (
    <>
      <div class="toolbar">
        <Search label="Find a sandbox" placeholder="Sandbox or label …" />
        <span class="aside">{formatQuantity(found.length, 'sandbox', 'sandboxes')}</span>
        <span class="spacer" />
        <InSandboxes names={names}>
          <RunActions clear={() => set([])} />
        </InSandboxes>
      </div>
      {found.length === 0 ? (
        <EmptyState title="No sandbox matches" />
      ) : (
        <ScrollBox label="Sandboxes">
          <Table class="runs" columns={columns} items={found.slice(0, shownRuns)} {...{ keyOf, selection }} />
        </ScrollBox>
      )}
      {more > 0 && <p class="aside">{numberText(more)} more: search for them.</p>}
    </>
  )
}
