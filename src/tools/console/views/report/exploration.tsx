// The result of an exploration, opened from a file: a matrix, and a card for each cause.
import { Fragment } from 'preact'
import { useRef } from 'preact/hooks'
import type { ExploreFinding, ExploreResult, ExploreRow } from '../../../explore/types.ts'
import { formatQuantity } from '../../format.ts'
import { FindingCard, Mark, toneOfSeverity } from '../../parts/blocks.tsx'
import { useStored } from '../../parts/context.ts'
import { Action, CopyButton } from '../../parts/controls.tsx'
import { DropZone, FileButton, parseJson } from '../../parts/fields.tsx'
import { Matrix, type MatrixCell } from '../../parts/table.tsx'
import type { SandboxControls } from '../../source.ts'
import { describeFault } from '../faults/fault-text.ts'

type Finding = Omit<ExploreFinding, 'requests' | 'report'>

interface Result extends Pick<ExploreResult, 'runs' | 'covered' | 'matrix'> {
  readonly name: string
  readonly findings: readonly Finding[]
}

async function readResult(file: File): Promise<Result> {
  const json = (await parseJson(file, `${file.name} is not a JSON file`)) as Partial<Result> | null
  const { findings, runs, covered, matrix } = json ?? {}
  if (!Array.isArray(findings) || runs === undefined || !covered || !matrix)
    throw new Error(`${file.name} is not a result of explore --json`)
  return { findings, runs, covered, matrix, name: file.name }
}

function Cause({ findings: [finding, ...others] }: { findings: readonly Finding[] }) {
  if (!finding) return null
  const { kind, severity, operation, fault, message, advice, reproduction } = finding
  const set = async (controls: SandboxControls) => {
    if (fault) await controls.fault(fault)
  }
  return (
    <FindingCard
      head={<Mark tone={toneOfSeverity[severity]}>{kind}</Mark>}
      operation={operation}
      count={others.reduce((sum, { count }) => sum + count, finding.count)}
      message={message}
      notes={[
        ['What to do', advice],
        ...(fault ? [['Fault', describeFault(fault)] as const] : []),
        ...others.map((other) => ['Also', other.message] as const),
      ]}
    >
      {fault && <Action run={set} done="Set. Now run the client." text="Set this fault" />}
      {reproduction !== '' && <CopyButton copied={() => reproduction} text="Copy as code" />}
    </FindingCard>
  )
}

const quietCells: Readonly<Record<string, MatrixCell['tone']>> = { ok: 'good', 'not tried': 'never' }

/** The finding of a cell: one that its fault showed first, else one that it shows too. */
function findingOf(findings: readonly Finding[], { operation, request }: ExploreRow, column: string) {
  const findShown = (finding: Finding) =>
    finding.shownBy.filter((shown) => shown.operation === operation && shown.request === request)
  const here = findings.filter((finding) => findShown(finding).length > 0)
  const isOfColumn = (finding: Finding) =>
    finding.name === column || findShown(finding).some(({ family }) => family === column)
  return here.find(isOfColumn) ?? here[0]
}

function FaultMatrix({ result, open }: { result: Result; open: (finding: Finding) => void }) {
  const { matrix, findings } = result
  const cellOf = (row: ExploreRow, column: string, text: string): MatrixCell => {
    const quiet = quietCells[text]
    const own = quiet ? undefined : findingOf(findings, row, column)
    const tone = quiet ?? (own ? toneOfSeverity[own.severity] : 'bad')
    return { text, tone, title: own?.message ?? text, onClick: own && (() => open(own)) }
  }
  const rows = matrix.rows.map((row) => ({
    head: row.operation ?? 'the whole run',
    aside: row.request === null ? undefined : `#${String(row.request)}`,
    cells: new Map(Object.entries(row.cells).map(([name, text]) => [name, cellOf(row, name, text)] as const)),
  }))
  return <Matrix label="Faults by request" head="Request" columns={matrix.columns} rows={rows} />
}

const ways = {
  'A client in any language':
    'npx workspace-api-mock explore --json -- pytest tests/test_import.py > result.json',
  'A client in JavaScript': 'const result = await mock.explore((context) => runMyClient(context))',
}

export function Exploration() {
  const [result, setResult] = useStored<Result | null>(() => sessionStorage, 'exploration', null)
  const cards = useRef<HTMLUListElement>(null)
  const read = async (file: File) => setResult(await readResult(file))
  const causes = Map.groupBy(result?.findings ?? [], ({ cause }) => cause)
  const open = ({ cause }: Finding) =>
    (cards.current?.children[[...causes.keys()].indexOf(cause)] as HTMLElement | undefined)?.focus()
  return (
    <>
      <p class="lead">
        An exploration runs a client once for each fault of each request, such as a failure or a late
        response, and reports what goes wrong. Run it in a test or from the command line; open its result
        here.
      </p>
      <div class="sheet padded ways">
        {Object.entries(ways).map(([title, code]) => (
          <Fragment key={title}>
            <h3>{title}</h3>
            <div class="row code">
              <pre tabIndex={0}>{code}</pre>
              <CopyButton copied={() => code} label={`Copy ${code}`} text="Copy" />
            </div>
          </Fragment>
        ))}
        <DropZone class="drop" read={read}>
          <FileButton accept=".json,application/json" read={read} text="Open a result" />
          <span class="aside">or drop it here</span>
        </DropZone>
      </div>
      {result && (
        <section>
          <h3 class="section">
            {result.name}{' '}
            <span class="aside">
              {formatQuantity(result.runs, 'run')}, {result.covered.tried} of {result.covered.possible}{' '}
              failures tried, {formatQuantity(causes.size, 'finding')}
            </span>
          </h3>
          <FaultMatrix result={result} open={open} />
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
