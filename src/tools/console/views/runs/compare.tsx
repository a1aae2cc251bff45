// Compares two sandboxes request by request: the first difference is open, equal requests are folded.
import { diffArrays } from 'diff/lib/diff/array.js'
import type { JournalEntry } from '../../../../mock/journal/entry.ts'
import { formatQuantity } from '../../format.ts'
import { isOfClient, type SandboxName } from '../../live-state.ts'
import { EmptyState, Failure, Mark, StatusCode } from '../../parts/blocks.tsx'
import { useConsole, useLoaded } from '../../parts/context.ts'
import { Button } from '../../parts/controls.tsx'
import { InSandboxes, nameOfSandbox } from '../../parts/scope.tsx'
import type { SandboxControls } from '../../source.ts'
import { isSameText, Sides, toBodyText, toRequestLines, toResponseLines } from '../journal/compare.tsx'

/** Only the latest requests of each journal are compared. */
const mostCompared = 500

interface Pair {
  readonly before: JournalEntry | undefined
  readonly after: JournalEntry | undefined
  /** What differs: the request, its response, or what it changed. */
  readonly differences: readonly Difference[]
}

const differenceKinds = { request: 'Request', response: 'Response', state: 'Changes' }

interface Difference {
  readonly kind: keyof typeof differenceKinds
  readonly sides: readonly [before: readonly string[], after: readonly string[]]
}

/** The compared parts of a request; empty if the other run has no such request. */
function linesOf(entry: JournalEntry | undefined): Record<keyof typeof differenceKinds, readonly string[]> {
  if (!entry) return { request: [], response: [], state: [] }
  return {
    request: toRequestLines(entry, toBodyText(entry.requestBody)),
    response: toResponseLines(entry, toBodyText(entry.responseBody)),
    state: entry.changes.flatMap(({ change, resource, id, fields = [] }) => [
      `${change} ${resource} ${id}`,
      ...fields.map(({ field, ...sides }) => {
        const values = Object.values(sides).map((value) => JSON.stringify(value))
        return `  ${field}: ${values.join(' → ')}`
      }),
    ]),
  }
}

function toPair(before: JournalEntry | undefined, after: JournalEntry | undefined): Pair {
  const [left, right] = [linesOf(before), linesOf(after)]
  const names = Object.keys(differenceKinds) as (keyof typeof differenceKinds)[]
  const differences = names.flatMap((kind): Difference[] => {
    const sides = [left[kind], right[kind]] as const
    return isSameText(...sides) ? [] : [{ kind, sides }]
  })
  return { before, after, differences }
}

/** The requests of two runs in order. Requests with equal method and path are paired; the rest stand alone. */
function pairRequests(before: readonly JournalEntry[], after: readonly JournalEntry[]): readonly Pair[] {
  const comparator = (a: JournalEntry, b: JournalEntry) => a.method === b.method && a.path === b.path
  const pairs: Pair[] = []
  let [at, other] = [0, 0]
  for (const { value, added, removed } of diffArrays([...before], [...after], { comparator }))
    value.forEach(() =>
      pairs.push(toPair(added ? undefined : before[at++], removed ? undefined : after[other++])),
    )
  return pairs
}

const isEqual = ({ differences }: Pair) => differences.length === 0

function PairItem({
  pair,
  isOpen,
  names,
}: {
  pair: Pair
  isOpen: boolean
  names: readonly [SandboxName, SandboxName]
}) {
  const { openEntry } = useConsole()
  const { before, after, differences } = pair
  const shown = before ?? after
  const place = (side: 0 | 1) => nameOfSandbox(names[side])
  const link = (entry: JournalEntry | undefined, side: 0 | 1) =>
    entry ? (
      <span>
        <Button
          class="chip"
          label={`Request ${String(entry.id)} of ${place(side)}`}
          onClick={() => openEntry({ id: entry.id, sandbox: names[side] })}
          text={`${place(side)} #${String(entry.id)}`}
        />{' '}
        <StatusCode status={entry.status} />
      </span>
    ) : (
      <span class="aside">not in {place(side)}</span>
    )
  return (
    <li>
      <details open={isOpen}>
        <summary>
          <code>{`${shown?.method ?? ''} ${shown?.path ?? ''}`}</code>{' '}
          {differences
            .map(({ kind }) => (
              <Mark key={kind} tone="warn">
                {before && after ? kind : 'only in one'}
              </Mark>
            ))
            .slice(0, before && after ? undefined : 1)}
        </summary>
        <p class="row">
          {link(before, 0)} {link(after, 1)}
        </p>
        {differences.map(({ kind, sides: [left, right] }) => (
          <section key={kind}>
            <h4>{differenceKinds[kind]}</h4>
            <Sides
              names={[`${differenceKinds[kind]} in ${place(0)}`, `${differenceKinds[kind]} in ${place(1)}`]}
              before={left}
              after={right}
            />
          </section>
        ))}
      </details>
    </li>
  )
}

export function RunComparison({ names }: { names: readonly [SandboxName, SandboxName] }) {
  const { source, live, go } = useConsole()
  const read = async (controls: SandboxControls) =>
    (await controls.requests({ limit: mostCompared })).filter(isOfClient)
  const load = () => Promise.all([read(source.controls(names[0])), read(source.controls(names[1]))])
  const { value, failure } = useLoaded(load, [...names, live.requests.length])
  const back = <Button onClick={() => go({ compare: undefined })} text="Back to the runs" />
  if (!value) return <Failure message={failure} />
  const pairs = pairRequests(...value)
  const first = pairs.findIndex((pair) => !isEqual(pair))
  const [left, right] = names.map(nameOfSandbox)
  /** Consecutive equal requests form one item. */
  const groups = pairs.reduce<Pair[][]>((sum, pair) => {
    const last = sum.at(-1)
    if (last?.[0] && isEqual(last[0]) && isEqual(pair)) last.push(pair)
    else sum.push([pair])
    return sum
  }, [])
  const different = pairs.filter((pair) => !isEqual(pair)).length
  return (
    <InSandboxes names={names}>
      <div class="toolbar">
        <h3>{`${left ?? ''} and ${right ?? ''}`}</h3>
        <span class="aside" aria-live="polite">
          {first < 0
            ? 'No difference'
            : `${formatQuantity(different, 'difference')}, the first in request ${String(first + 1)}`}
        </span>
        <span class="spacer" />
        {back}
      </div>
      {pairs.length === 0 && <EmptyState title="Neither run has a request" />}
      <ol class="sheet item-list compared-runs" aria-label="Requests of both">
        {groups.map((group) => {
          const [pair] = group
          if (!pair) return null
          const key = `${String(pair.before?.id)} ${String(pair.after?.id)}`
          if (!isEqual(pair))
            return <PairItem key={key} pair={pair} isOpen={pair === pairs[first]} names={names} />
          return (
            <li key={key}>
              <details>
                <summary>{formatQuantity(group.length, 'equal request')}</summary>
                <ul>
                  {group.map(({ before }) => (
                    <li key={before?.id}>
                      <code>{`#${String(before?.id)} ${before?.method ?? ''} ${before?.path ?? ''}`}</code>
                    </li>
                  ))}
                </ul>
              </details>
            </li>
          )
        })}
      </ol>
    </InSandboxes>
  )
}
