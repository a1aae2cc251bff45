// Coverage: which documented outcomes of each operation were met, naturally or by a fault only.
import { errorKinds } from '../../../contract/errors.ts'
import type { OperationCoverage, OutcomeCoverage } from '../../../core/coverage.ts'
import { isMet } from '../../../explore/coverage/lines.ts'
import { figuresOf } from '../../../explore/coverage/text.ts'
import { countText, numberText, wordsOf } from '../format.ts'
import { useConsole, useLoaded } from '../parts/context.ts'
import { Button, SegmentedFilter } from '../parts/controls.tsx'
import { Search } from '../parts/fields.tsx'
import { EmptyState, Failure } from '../parts/blocks.tsx'

const filters = { called: 'Called', missing: 'Never called' }

function Outcome({ operation, outcome }: { readonly operation: string; readonly outcome: OutcomeCoverage }) {
  const { show } = useConsole()
  const { status, case: kind, natural, byFault } = outcome
  const counts = [
    natural > 0 && `${numberText(natural)} natural`,
    byFault > 0 && `${numberText(byFault)} by fault`,
  ]
  const met = counts.filter(Boolean).join(', ') || 'never met'
  const what = `${String(status)} ${wordsOf(kind)}`
  if (kind === 'success' || isMet(outcome))
    return (
      <span class={`mark ${natural > 0 ? 'good' : byFault > 0 ? 'accent' : 'never'}`} title={met}>
        {what}
        <span class="visually-hidden"> {met}</span>
      </span>
    )
  return (
    <Button
      class="mark never"
      title={`Never met: ${errorKinds[kind].when}. Set a fault`}
      onClick={() => show('faults', { operation, status: String(status) })}
    >
      {what}
    </Button>
  )
}

function Operations({ operations }: { readonly operations: readonly OperationCoverage[] }) {
  return (
    <ul class="sheet covered">
      {operations.map(({ operation, requests, outcomes }) => (
        <li key={operation}>
          <span class="name">
            {operation}
            <span class="aside"> {countText(requests, 'request')}</span>
          </span>
          <span class="outcomes">
            {outcomes.map((outcome) => (
              <Outcome key={outcome.case} operation={operation} outcome={outcome} />
            ))}
          </span>
        </li>
      ))}
    </ul>
  )
}

export function CoverageView() {
  const { controls, live, viewState } = useConsole()
  const { q = '', only } = viewState
  const { value, failure } = useLoaded(() => controls.coverage(), [live.overview])
  if (!value) return <Failure message={failure} />
  const { operations, outcomes } = figuresOf(value)
  const shown = value.operations.filter(
    ({ operation, requests }) =>
      operation.toLowerCase().includes(q.toLowerCase()) &&
      (only === undefined || requests > 0 === (only === 'called')),
  )
  return (
    <>
      <p class="lead">
        {operations.met} of {operations.all} operations called, {outcomes.met} of {outcomes.all} documented
        outcomes met since the mock was created; a reset does not clear them.
      </p>
      <div class="toolbar">
        <Search label="Filter the operations" placeholder="Operation …" />
        <SegmentedFilter name="only" legend="Operations" empty="All" choices={filters} />
        <span class="legend">
          <span class="mark good">natural</span> <span class="mark accent">by fault only</span>{' '}
          <span class="mark never">never met: click to set a fault</span>
        </span>
      </div>
      {shown.length > 0 ? <Operations operations={shown} /> : <EmptyState title="No operation matches" />}
    </>
  )
}
