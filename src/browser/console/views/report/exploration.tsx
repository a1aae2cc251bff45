// Exploration: the result of `explore` or `mock.explore`, opened from a file, as a matrix and a card for each cause.
import { useRef, useState } from 'preact/hooks'
import type { ExploreFinding } from '../../../../explore/types.ts'
import { disturbanceText } from '../../../../explore/texts.ts'
import { countText } from '../../format.ts'
import { Action, CopyButton } from '../../parts/controls.tsx'
import { JsonFile } from '../../parts/files.tsx'
import { FindingCard } from '../../parts/finding.tsx'
import { Mark, toneOfSeverity } from '../../parts/blocks.tsx'
import type { SandboxControls } from '../../source.ts'
import { faultText } from '../faults/fault-text.ts'
import { plainText } from '../state/cell.tsx'
import { Matrix, type MatrixCell } from './matrix.tsx'

/** Results of former versions have faults alone, and no cause. */
type Finding = Omit<ExploreFinding, 'requests' | 'report' | Added> & Partial<Pick<ExploreFinding, Added>>
type Added = 'cause' | 'disturbance' | 'family' | 'shownBy'

interface Result {
  readonly name: string
  readonly findings: readonly Finding[]
  readonly runs: number
  readonly covered: { readonly tried: number; readonly possible: number }
  /** Absent in results of former versions. */
  readonly matrix?: {
    readonly columns: readonly string[]
    readonly rows: readonly {
      readonly operation: string | null
      readonly request: number | null
      readonly cells: Readonly<Record<string, string>>
    }[]
  }
}

const storageName = 'workspace-api-mock exploration'

/** The latest result, kept over reloads of the page. Storage can be disabled or full. */
function storedResult(): Result | undefined {
  try {
    return (JSON.parse(sessionStorage.getItem(storageName) ?? 'null') ?? undefined) as Result | undefined
  } catch {
    return undefined
  }
}

function storeResult(result: Result): void {
  try {
    sessionStorage.setItem(storageName, JSON.stringify(result))
  } catch {
    // Without storage, the result lasts until the page is reloaded.
  }
}

const command = 'npx workspace-api-mock explore --json -- pytest tests/test_import.py > result.json'
const line = 'const result = await mock.explore((context) => runMyClient(context))'

/** @throws {Error} if it is not a result */
function parseResult(json: unknown, name: string): Result {
  const { findings, runs, covered, matrix } = (json ?? {}) as Partial<Result>
  if (!Array.isArray(findings) || typeof runs !== 'number' || typeof covered !== 'object')
    throw new Error(`${name} is not a result of explore --json`)
  return { findings: findings as Finding[], runs, covered, name, ...(matrix && { matrix }) }
}

function differenceText(difference: NonNullable<Finding['difference']>): string {
  const { resource, record, field, undisturbed, disturbed } = difference
  const where = `${resource} ${record}${field === undefined ? '' : `, ${field}`}`
  return `${where}: ${plainText(undisturbed)} undisturbed, ${plainText(disturbed)} disturbed`
}

/** The findings of one cause. */
function Cause({ findings: [finding, ...others] }: { readonly findings: readonly Finding[] }) {
  if (!finding) return null
  const { kind, severity, operation, faults, disturbance, message, advice, reproduction, difference } =
    finding
  const disturb = faults.length === 0 ? (disturbance ?? null) : null
  const set = async (controls: SandboxControls) => {
    for (const fault of faults) await controls.fault(fault)
    if (disturb) await controls.disturb(disturb)
  }
  const what = disturb ? 'this disturbance' : faults.length === 1 ? 'this fault' : 'these faults'
  return (
    <FindingCard
      head={<Mark tone={toneOfSeverity[severity]}>{kind}</Mark>}
      operation={operation}
      count={others.reduce((sum, { count }) => sum + count, finding.count)}
      message={message}
      notes={[
        ['What to do', advice],
        ...(difference ? [['Difference', differenceText(difference)] as const] : []),
        ...faults.map((fault) => ['Fault', faultText(fault)] as const),
        ...(disturb ? [['Disturbance', disturbanceText(disturb)] as const] : []),
        ...others.map((other) => ['Also', other.message] as const),
      ]}
    >
      {(disturb !== null || faults.length > 0) && (
        <Action run={set} done="Set. Now run the client.">
          Set {what}
        </Action>
      )}
      {reproduction !== '' && (
        <CopyButton kind="quiet" text={() => reproduction}>
          Copy as code
        </CopyButton>
      )}
    </FindingCard>
  )
}

const quietCells: Readonly<Record<string, MatrixCell['tone']>> = { ok: 'good', 'not tried': 'never' }

type ResultMatrix = NonNullable<Result['matrix']>

/** The worst finding of a cell: one that its disturbance showed first, else one that it shows too. */
function findingOf(
  findings: readonly Finding[],
  { operation, request }: ResultMatrix['rows'][number],
  column: string,
): Finding | undefined {
  const here = findings.filter(({ shownBy, operation: own }) =>
    shownBy
      ? shownBy.some((shown) => shown.operation === operation && shown.request === request)
      : own === operation,
  )
  const isShownBy = ({ shownBy = [] }: Finding) =>
    shownBy.some(
      (shown) => shown.family === column && shown.operation === operation && shown.request === request,
    )
  const isOfColumn = (one: Finding) => one.disturbance?.name === column || isShownBy(one)
  return here.find(isOfColumn) ?? here[0]
}

interface DisturbancesProps {
  readonly matrix: ResultMatrix
  readonly findings: readonly Finding[]
  readonly open: (finding: Finding) => void
}

function Disturbances({ matrix, findings, open }: DisturbancesProps) {
  const cellOf = (row: ResultMatrix['rows'][number], column: string, text: string): MatrixCell => {
    const quiet = quietCells[text]
    const own = quiet ? undefined : findingOf(findings, row, column)
    return {
      text,
      tone: quiet ?? (own ? toneOfSeverity[own.severity] : 'bad'),
      title: own?.message ?? text,
      onClick: own && (() => open(own)),
    }
  }
  const rows = matrix.rows.map((row) => ({
    head: row.operation ?? 'the whole run',
    aside: row.request === null ? undefined : `#${String(row.request)}`,
    cells: new Map(
      Object.entries(row.cells).map(([column, text]) => [column, cellOf(row, column, text)] as const),
    ),
  }))
  return <Matrix label="Disturbances by request" head="Request" columns={matrix.columns} rows={rows} />
}

function Code({ text }: { readonly text: string }) {
  return (
    <div class="row code">
      <pre tabIndex={0}>{text}</pre>
      <CopyButton kind="quiet" text={() => text} label={`Copy ${text}`}>
        Copy
      </CopyButton>
    </div>
  )
}

const causeOf = ({ cause, message, reproduction }: Finding) => cause ?? `${message} ${reproduction}`

export function Exploration() {
  const [result, setResult] = useState(storedResult)
  const read = (json: unknown, name: string) => {
    const next = parseResult(json, name)
    storeResult(next)
    setResult(next)
  }
  const causes = Map.groupBy(result?.findings ?? [], causeOf)
  const cards = useRef<HTMLUListElement>(null)
  const open = (finding: Finding) => {
    const card = cards.current?.children[[...causes.keys()].indexOf(causeOf(finding))] as HTMLElement
    card.focus()
  }
  return (
    <>
      <p class="lead">
        What does a client do when a request fails, comes late, or meets changed data? An exploration runs the
        client once for each disturbance of each request, and reports what goes wrong. Run it in a test or
        from the command line; open its result here.
      </p>
      <div class="sheet padded ways">
        <h3>A client in any language</h3>
        <Code text={command} />
        <h3>A client in JavaScript</h3>
        <Code text={line} />
        <JsonFile onRead={read}>Open a result</JsonFile>
      </div>
      {result && (
        <section>
          <h3 class="section">
            {result.name}{' '}
            <span class="aside">
              {countText(result.runs, 'run')}, {result.covered.tried} of {result.covered.possible} failures
              tried, {countText(causes.size, 'finding')}
            </span>
          </h3>
          {result.matrix && <Disturbances matrix={result.matrix} findings={result.findings} open={open} />}
          <ul class="findings" ref={cards}>
            {[...causes].map(([cause, findings]) => (
              <Cause key={cause} findings={findings} />
            ))}
          </ul>
        </section>
      )}
    </>
  )
}
