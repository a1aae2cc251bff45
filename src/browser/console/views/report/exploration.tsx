// Exploration: the result of `explore` or `mock.explore`, opened from a file, as a matrix and a card for each cause.
import { useState } from 'preact/hooks'
import type { ExploreFinding } from '../../../../explore/types.ts'
import { countText } from '../../format.ts'
import { useConsole } from '../../parts/context.ts'
import { Action, CopyButton } from '../../parts/controls.tsx'
import { JsonFile } from '../../parts/files.tsx'
import { FindingCard } from '../../parts/finding.tsx'
import { Mark, toneOfSeverity } from '../../parts/blocks.tsx'
import type { SandboxControls } from '../../source.ts'
import { faultText } from '../faults/fault-text.ts'
import { plainText } from '../state/cell.tsx'
import { Matrix, type MatrixCell } from './matrix.tsx'

type Finding = Omit<ExploreFinding, 'requests' | 'report'> & {
  readonly cause?: string
  readonly family?: string | null
}

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
const line = 'const result = await mock.exploreFaults((context) => runMyClient(context))'

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
  const { kind, severity, operation, faults, message, advice, reproduction, difference } = finding
  const set = async (controls: SandboxControls) => {
    for (const fault of faults) await controls.fault(fault)
  }
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
        ...others.map((other) => ['Also', other.message] as const),
      ]}
    >
      {faults.length > 0 && (
        <Action run={set} done="Faults set. Now run the client.">
          Set {faults.length === 1 ? 'this fault' : 'these faults'}
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

function Disturbances({
  matrix,
  findings,
}: { readonly matrix: NonNullable<Result['matrix']> } & Pick<Result, 'findings'>) {
  const { show } = useConsole()
  const rows = matrix.rows.map(({ operation, request, cells }) => ({
    head: operation ?? 'the whole run',
    aside: request === null ? undefined : `#${String(request)}`,
    cells: new Map(
      Object.entries(cells).map(([column, text]): [string, MatrixCell] => {
        const tone = quietCells[text] ?? 'bad'
        const isHarm = tone === 'bad'
        const own = findings.find((one) => one.operation === operation && one.family === column)
        const status = own?.fault?.status
        const open = () =>
          show('faults', {
            operation: operation ?? undefined,
            status: status === undefined ? undefined : String(status),
          })
        return [column, { text, tone, title: own?.message ?? text, onClick: isHarm ? open : undefined }]
      }),
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

export function Exploration() {
  const [result, setResult] = useState(storedResult)
  const read = (json: unknown, name: string) => {
    const next = parseResult(json, name)
    storeResult(next)
    setResult(next)
  }
  const causes = Map.groupBy(
    result?.findings ?? [],
    ({ cause, message, reproduction }) => cause ?? `${message} ${reproduction}`,
  )
  return (
    <>
      <p class="lead">
        What does a client do when one request fails? An exploration runs the client once for each request and
        each way in which that request can fail, and reports what goes wrong. Run it in a test or from the
        command line; open its result here.
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
          {result.matrix && <Disturbances matrix={result.matrix} findings={result.findings} />}
          <ul class="findings">
            {[...causes].map(([cause, findings]) => (
              <Cause key={cause} findings={findings} />
            ))}
          </ul>
        </section>
      )}
    </>
  )
}
