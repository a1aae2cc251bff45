// Exploration: the result of `explore` or `mock.exploreFaults`, opened from a file.
import { useState } from 'preact/hooks'
import type { ExploreFinding, ExploreResult } from '../../../explore/types.ts'
import { countText } from '../format.ts'
import { useConsole } from '../parts/context.ts'
import { Action, CopyButton } from '../parts/controls.tsx'
import { JsonFile } from '../parts/files.tsx'
import { FindingCard } from '../parts/finding.tsx'
import { Mark, toneOfSeverity } from '../parts/blocks.tsx'
import type { ConsoleSource, SandboxControls } from '../source.ts'
import { faultText } from './faults/fault-text.ts'
import { plainText } from './state/cell.tsx'

type Result = Pick<ExploreResult, 'findings' | 'runs' | 'covered'> & { readonly name: string }

/** The latest result of each mock, kept while other views are shown. */
const results = new WeakMap<ConsoleSource, Result>()

const command = 'npx workspace-api-mock explore --json -- pytest tests/test_import.py > result.json'
const line = 'const result = await mock.exploreFaults((context) => runMyClient(context))'

/** @throws {Error} if it is not a result */
function resultOf(json: unknown, name: string): Result {
  const { findings, runs, covered } = (json ?? {}) as Partial<Result>
  if (!Array.isArray(findings) || typeof runs !== 'number' || typeof covered !== 'object')
    throw new Error(`${name} is not a result of explore --json`)
  return { findings, runs, covered, name }
}

function differenceText(difference: NonNullable<ExploreFinding['difference']>): string {
  const { resource, record, field, undisturbed, disturbed } = difference
  const where = `${resource} ${record}${field === undefined ? '' : `, ${field}`}`
  return `${where}: ${plainText(undisturbed)} without the fault, ${plainText(disturbed)} with it`
}

function ExplorationFinding({ finding }: { readonly finding: ExploreFinding }) {
  const { kind, severity, operation, faults, message, advice, reproduction, difference, count } = finding
  const set = async (controls: SandboxControls) => {
    for (const fault of faults) await controls.fault(fault)
  }
  return (
    <FindingCard
      head={<Mark tone={toneOfSeverity[severity]}>{kind}</Mark>}
      operation={operation}
      count={count}
      message={message}
      notes={[
        ['What to do', advice],
        ...(difference ? [['Difference', differenceText(difference)] as const] : []),
        ...faults.map((fault) => ['Fault', faultText(fault)] as const),
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

export function ExplorationView() {
  const { source } = useConsole()
  const [result, setResult] = useState(results.get(source))
  const read = (json: unknown, name: string) => {
    const next = resultOf(json, name)
    results.set(source, next)
    setResult(next)
  }
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
              tried, {countText(result.findings.length, 'finding')}
            </span>
          </h3>
          <ul class="findings">
            {result.findings.map((finding) => (
              <ExplorationFinding
                key={`${finding.kind} ${finding.reproduction} ${finding.message}`}
                finding={finding}
              />
            ))}
          </ul>
        </section>
      )}
    </>
  )
}
