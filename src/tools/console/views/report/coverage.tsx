// Coverage: for each documented outcome of an operation, whether it was hit, hit only by a fault, or hit with a finding.
import type { OperationCoverage, OutcomeCoverage } from '../../../../mock/journal/coverage.ts'
import { errorKinds } from '../../../../contract/errors.ts'
import { isMet, whenOf } from '../../../coverage/lines.ts'
import { figuresOf } from '../../../coverage/text.ts'
import { formatQuantity, hasText, numberText, wordsOf } from '../../format.ts'
import { EmptyState, Failure } from '../../parts/blocks.tsx'
import { useConsole, useLoaded, useParam } from '../../parts/context.ts'
import { Button, CopyButton, SegmentedControl } from '../../parts/controls.tsx'
import { Search } from '../../parts/fields.tsx'
import { ScrollBox, Table, type TableColumn } from '../../parts/table.tsx'

const filters = { called: 'Called', missing: 'Never called', unmet: 'Outcomes never hit' }

const hasUnmet = (outcomes: readonly OutcomeCoverage[]) => outcomes.some((outcome) => !isMet(outcome))

/** The outcomes that a suite lacks, one heading per operation. */
function markdownOf(operations: readonly OperationCoverage[]): string {
  const sections = operations
    .filter(({ outcomes }) => hasUnmet(outcomes))
    .map(({ operation, outcomes }) => {
      const lines = outcomes
        .filter((outcome) => !isMet(outcome))
        .map(({ status, case: kind }) => `- [ ] ${String(status)}: ${whenOf(kind)}`)
      return [`## ${operation}`, '', ...lines].join('\n')
    })
  return `${['# Outcomes never hit', ...sections].join('\n\n')}\n`
}

const sumOf = (outcomes: readonly OutcomeCoverage[], name: 'natural' | 'byFault') =>
  outcomes.reduce((sum, outcome) => sum + outcome[name], 0)

function describeCell(outcomes: readonly OutcomeCoverage[], harm: number) {
  const [natural, byFault] = [sumOf(outcomes, 'natural'), sumOf(outcomes, 'byFault')]
  const all = outcomes.length
  const met = outcomes.filter(isMet).length
  const share = all > 1 && met > 0 ? `${String(met)} of ${String(all)}` : undefined
  const title = [
    share,
    ...(share === undefined ? [] : outcomes.filter(isMet).map(({ case: kind }) => `met: ${whenOf(kind)}`)),
    natural > 0 && `${numberText(natural)} natural`,
    byFault > 0 && `${numberText(byFault)} by fault`,
    harm > 0 && formatQuantity(harm, 'finding'),
    ...outcomes.filter((one) => !isMet(one)).map(({ case: kind }) => `never hit: ${whenOf(kind)}`),
  ]
  const tone = harm > 0 ? 'bad' : natural > 0 ? 'good' : byFault > 0 ? 'accent' : 'never'
  const text = met === 0 ? '–' : (share ?? numberText(natural + byFault))
  const unmet =
    share === undefined ? [] : outcomes.filter((one) => !isMet(one)).map(({ case: kind }) => wordsOf(kind))
  return {
    class: `mark ${tone}`,
    title: title.filter(Boolean).join('; '),
    children: [text, unmet.length > 0 && <small>{` not ${unmet.join(', ')}`}</small>],
  }
}

export function Coverage() {
  const { controls, live, viewState, sandbox, show, requests: rows } = useConsole()
  const { q = '' } = viewState
  const only = useParam('only')
  const { value, failure } = useLoaded(() => controls.coverage(), [live.overview])
  if (!value) return <Failure message={failure} />
  const isUnmet = only.value === 'unmet'
  const shown = value.operations.filter(
    ({ operation, requests, outcomes }) =>
      hasText(operation, q) &&
      (isUnmet ? hasUnmet(outcomes) : only.value === '' || requests > 0 === (only.value === 'called')),
  )
  const copyUnmet = () => markdownOf(shown)
  /** The number of findings by operation and status of the requests at fault. */
  const harm = new Map<string, number>()
  for (const { sandbox, offending, operation } of live.findings) {
    const own = rows.filter((row) => row.sandbox === sandbox && offending.includes(row.id))
    for (const key of new Set(own.map(({ status }) => `${operation ?? ''} ${String(status)}`)))
      harm.set(key, (harm.get(key) ?? 0) + 1)
  }
  const columnOf = (status: number): TableColumn<OperationCoverage> => ({
    head: String(status),
    cell: ({ operation, outcomes }) => {
      const own = outcomes.filter((outcome) => outcome.status === status)
      if (own.length === 0) return <span class="visually-hidden">does not apply</span>
      if (isUnmet && own.every(isMet)) return <span class="visually-hidden">hit</span>
      const cell = describeCell(own, harm.get(`${operation} ${String(status)}`) ?? 0)
      const isKnown = own.some(isMet)
      // A fault cannot cause a success.
      if (!isKnown && own.every(({ case: kind }) => !(kind in errorKinds)))
        return (
          <span class="faint" {...{ title: cell.title }}>
            never
          </span>
        )
      const open = () =>
        isKnown
          ? show('journal', { q: `operation:${operation} status:${String(status)}` })
          : show('faults', { operation, status: String(status) })
      return <Button {...cell} label={`${operation} ${String(status)}: ${cell.title}`} onClick={open} />
    },
  })
  const statuses = new Set(shown.flatMap(({ outcomes }) => outcomes.map(({ status }) => status)))
  const name = ({ operation, requests }: OperationCoverage) => [
    `${operation} `,
    <span class="aside">{requests > 0 && numberText(requests)}</span>,
  ]
  const columns: readonly TableColumn<OperationCoverage>[] = [
    { head: 'Operation', isName: true, cell: name },
    ...[...statuses].sort((a, b) => a - b).map(columnOf),
  ]
  const { operations, outcomes } = figuresOf(value)
  return (
    <>
      <p class="lead">
        {sandbox === null && live.runs.length > 1 && 'In all sandboxes together: '}
        {operations.met} of {operations.all} operations called, {outcomes.met} of {outcomes.all} documented
        outcomes hit; a reset does not clear them.
      </p>
      <div class="toolbar">
        <Search label="Filter the operations" placeholder="Operation …" />
        <SegmentedControl legend="Operations" empty="All" choices={filters} {...only} />
        <span class="legend">
          <span class="mark good">hit</span> <span class="mark accent">by fault only</span>{' '}
          <span class="mark bad">with a finding</span>{' '}
          <span class="mark never">error never hit: click to set a fault</span>
        </span>
        <span class="spacer" />
        <CopyButton copied={copyUnmet} text="Copy as Markdown" />
      </div>
      {shown.length > 0 ? (
        <ScrollBox label="Outcomes by operation" class="matrix">
          <Table class="" columns={columns} items={shown} />
        </ScrollBox>
      ) : (
        <EmptyState title="No operation matches" />
      )}
    </>
  )
}
