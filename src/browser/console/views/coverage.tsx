// Coverage: which documented outcomes of each operation were met, naturally or by a fault, and which never.
import { errorKinds } from '../../../contract/errors.ts'
import type { OperationCoverage, OutcomeCoverage } from '../../../core/coverage.ts'
import { countText, numberText, wordsOf } from '../format.ts'
import { useConsole, usePlace } from '../parts/context.ts'
import { Segmented, typed } from '../parts/controls.tsx'
import { useLoaded } from '../parts/loaded.ts'
import { Empty, Failure } from '../parts/marks.tsx'

const filters = [
  { value: '', label: 'All' },
  { value: 'called', label: 'Called' },
  { value: 'missing', label: 'Never called' },
] as const

const isMet = ({ natural, byFault }: OutcomeCoverage) => natural + byFault > 0

function Outcome({ operation, outcome }: { readonly operation: string; readonly outcome: OutcomeCoverage }) {
  const { show } = useConsole()
  const { status, case: kind, natural, byFault } = outcome
  const look = natural > 0 ? 'good' : byFault > 0 ? 'accent' : 'never'
  const counts = [
    natural > 0 && `${numberText(natural)} natural`,
    byFault > 0 && `${numberText(byFault)} by fault`,
  ]
  const met = counts.filter(Boolean).join(', ') || 'never met'
  const what = `${String(status)} ${wordsOf(kind)}`
  if (kind === 'success' || isMet(outcome))
    return (
      <span class={`mark ${look}`} title={met}>
        {what}
        <span class="unseen"> {met}</span>
      </span>
    )
  return (
    <button
      type="button"
      class={`mark ${look}`}
      title={`Never met: ${errorKinds[kind].when}. Set a fault`}
      onClick={() => show('faults', { operation, status: String(status) })}
    >
      {what}
    </button>
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

export function Coverage() {
  const { controls, live } = useConsole()
  const [text, setText] = usePlace('q')
  const [only, setOnly] = usePlace('only')
  const { value, failure } = useLoaded(() => controls.coverage(), [controls, live.overview])
  if (failure !== null) return <Failure>{failure}</Failure>
  if (!value) return null
  const outcomes = value.operations.flatMap((operation) => operation.outcomes)
  const called = value.operations.filter(({ requests }) => requests > 0)
  const shown = value.operations.filter(
    ({ operation, requests }) =>
      operation.toLowerCase().includes(text.toLowerCase()) &&
      (only === '' || requests > 0 === (only === 'called')),
  )
  return (
    <div class="coverage">
      <p class="lead">
        {called.length} of {value.operations.length} operations called, {outcomes.filter(isMet).length} of{' '}
        {outcomes.length} documented outcomes met since the mock was created; a reset does not clear them.
      </p>
      <div class="toolbar">
        <input
          type="search"
          class="grow"
          placeholder="Operation …"
          aria-label="Filter the operations"
          value={text}
          onInput={(event) => setText(typed(event) || undefined, false)}
        />
        <Segmented
          legend="Operations"
          choices={filters}
          value={only as (typeof filters)[number]['value']}
          onChange={(value_) => setOnly(value_ || undefined)}
        />
        <span class="legend">
          <span class="mark good">natural</span> <span class="mark accent">by fault only</span>{' '}
          <span class="mark never">never met: click to set a fault</span>
        </span>
      </div>
      {shown.length > 0 ? (
        <Operations operations={shown} />
      ) : (
        <div class="sheet">
          <Empty title="No operation matches" />
        </div>
      )}
    </div>
  )
}
