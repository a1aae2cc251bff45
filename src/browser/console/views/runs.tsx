// The runs: a row for each sandbox, the worst first, with what happened in it; several can be selected to act on them.
import { useState } from 'preact/hooks'
import { countText, momentText, numberText } from '../format.ts'
import type { Run, SandboxName } from '../live-state.ts'
import { Button } from '../parts/button.tsx'
import { useConsole, useViewState } from '../parts/context.ts'
import { useCopy } from '../parts/controls.tsx'
import { Search } from '../parts/fields.tsx'
import { download } from '../parts/files.tsx'
import { EmptyState, Mark } from '../parts/blocks.tsx'
import { findRuns, sandboxText, scopeState } from '../parts/scope.tsx'
import { copyTests, joinHars } from './journal/exports.ts'
import { markdownOf } from './report/report-markdown.ts'

const order: readonly ((run: Run) => number)[] = [
  ({ findings }) => findings,
  ({ errors }) => errors,
  ({ faults }) => faults,
  ({ lastAtMs }) => lastAtMs ?? -1,
]

/** The most findings first, then errors, faults that were met, and the latest. */
function compareRuns(a: Run, b: Run): number {
  for (const figureOf of order) if (figureOf(a) !== figureOf(b)) return figureOf(b) - figureOf(a)
  return sandboxText(a.name).localeCompare(sandboxText(b.name))
}

/** Runs that are rendered; the search finds the others. */
const shownRuns = 200

interface RunRowProps {
  readonly run: Run
  readonly isSelected: boolean
  readonly toggle: () => void
}

function RunRow({ run, isSelected, toggle }: RunRowProps) {
  const { show } = useConsole()
  const { name, label, requests, errors, findings, faults, lastAtMs } = run
  const open = (view: 'journal' | 'report' | 'faults') => () => show(view, scopeState(name))
  const figure = (count: number, tone: 'bad' | 'warn' | 'accent', view: 'journal' | 'report' | 'faults') =>
    count === 0 ? (
      <span class="faint">0</span>
    ) : (
      <Button
        class="bare"
        label={`${String(count)}: open the ${view} of ${sandboxText(name)}`}
        onClick={open(view)}
      >
        <Mark tone={tone}>{numberText(count)}</Mark>
      </Button>
    )
  return (
    <tr class={isSelected ? 'is-open' : ''}>
      <td class="check">
        <input
          type="checkbox"
          aria-label={`Select ${sandboxText(name)}`}
          checked={isSelected}
          onChange={toggle}
        />
      </td>
      <th scope="row">
        <Button class="link" onClick={open('journal')}>
          {sandboxText(name)}
        </Button>
        {label !== null && (
          <span class="aside" dir="auto">
            {' '}
            {label}
          </span>
        )}
      </th>
      <td class="number">{numberText(requests)}</td>
      <td class="number">{figure(errors, 'warn', 'journal')}</td>
      <td class="number">{figure(findings, 'bad', 'report')}</td>
      <td class="number">{figure(faults, 'accent', 'faults')}</td>
      <td class="number soft">{lastAtMs === null ? '–' : momentText(lastAtMs)}</td>
    </tr>
  )
}

/** Buttons that act on the selected sandboxes. */
function RunActions({
  names,
  clear,
}: {
  readonly names: readonly SandboxName[]
  readonly clear: () => void
}) {
  const { source, act, live } = useConsole()
  const copy = useCopy()
  const [isAsking, setAsking] = useState(false)
  const all = names.map((name) => source.controls(name))
  const others = names.filter((name) => name !== null)
  const remove = async () => {
    setAsking(!isAsking)
    if (!isAsking) return
    clear()
    await act(
      async () => {
        for (const name of others) await source.controls(null).deleteSandbox(name)
      },
      `Deleted ${countText(others.length, 'sandbox', 'sandboxes')}.`,
    )
  }
  const report = async () =>
    markdownOf((await Promise.all(all.map((one) => one.report({ assumptions: false })))).flat())
  const tests = () =>
    copyTests(
      live.requests.filter(({ sandbox }) => names.includes(sandbox)),
      source,
    )
  const har = () =>
    act(async () =>
      download('workspace-api-mock.har', joinHars(await Promise.all(all.map((one) => one.har())))),
    )
  const isNone = names.length === 0
  return (
    <div class="actions">
      <span class="aside" aria-live="polite">
        {isNone ? 'Select sandboxes to act on them' : `${String(names.length)} selected`}
      </span>
      <Button kind="quiet" disabled={isNone} onClick={() => copy(report)}>
        Copy report
      </Button>
      <Button kind="quiet" disabled={isNone} onClick={har}>
        Save as HAR
      </Button>
      <Button kind="quiet" disabled={isNone} onClick={() => copy(tests)}>
        Copy as tests
      </Button>
      <Button kind={isAsking ? 'danger' : 'quiet'} disabled={others.length === 0} onClick={remove}>
        {isAsking ? `Delete ${countText(others.length, 'sandbox', 'sandboxes')}?` : 'Delete'}
      </Button>
    </div>
  )
}

export function RunsView() {
  const { live } = useConsole()
  const [text] = useViewState('q')
  const [selected, setSelected] = useState<ReadonlySet<SandboxName>>(new Set())
  const found = findRuns(live.runs, text).toSorted(compareRuns)
  const shown = found.slice(0, shownRuns)
  const names = found.map(({ name }) => name).filter((name) => selected.has(name))
  const toggle = (name: SandboxName) =>
    setSelected(
      new Set(selected.has(name) ? [...selected].filter((each) => each !== name) : [...selected, name]),
    )
  const isWhole = names.length === found.length && found.length > 0
  return (
    <>
      <div class="toolbar">
        <Search label="Find a sandbox" placeholder="Sandbox or label …" />
        <span class="aside">{countText(found.length, 'sandbox', 'sandboxes')}</span>
        <span class="spacer" />
        <RunActions names={names} clear={() => setSelected(new Set())} />
      </div>
      {found.length === 0 ? (
        <EmptyState title="No sandbox matches" />
      ) : (
        <div class="sheet scroll" tabIndex={0} role="region" aria-label="Sandboxes">
          <table class="grid runs">
            <thead>
              <tr>
                <th scope="col" class="check">
                  <input
                    type="checkbox"
                    aria-label="Select all"
                    checked={isWhole}
                    onChange={() => setSelected(new Set(isWhole ? [] : found.map(({ name }) => name)))}
                  />
                </th>
                <th scope="col">Sandbox</th>
                {['Requests', 'Errors', 'Findings', 'Faults met', 'Last request'].map((head) => (
                  <th scope="col" class="number" key={head}>
                    {head}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {shown.map((run) => (
                <RunRow
                  key={run.name}
                  run={run}
                  isSelected={selected.has(run.name)}
                  toggle={() => toggle(run.name)}
                />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {found.length > shownRuns && (
        <p class="aside">{numberText(found.length - shownRuns)} more: search for them.</p>
      )}
    </>
  )
}
