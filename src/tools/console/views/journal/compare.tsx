// Two whole requests and their responses side by side; lines that differ are marked. `diffArrays` has its own module;
// the package's index would add a dozen kilobytes of other comparisons.
import { diffArrays } from 'diff/lib/diff/array.js'
import type { WholeBody, WholeRequest } from '../../../../adapters/control-api/console-controls.ts'
import type { JournalBody, JournalEntry } from '../../../../mock/journal/entry.ts'
import { formatSize } from '../../format.ts'
import { StatusCode } from '../../parts/blocks.tsx'
import { useConsole, useLoaded } from '../../parts/context.ts'
import { Button } from '../../parts/controls.tsx'
import { formatQuery } from './request-text.ts'

/** Text to read or edit: JSON is indented. Undefined if the body is not text, or is not kept. */
export function textOf(body: WholeBody): string | undefined {
  if (body === null) return ''
  if (!('text' in body)) return undefined
  try {
    return JSON.stringify(JSON.parse(body.text), null, 2)
  } catch {
    return body.text
  }
}

/** Headers that the mock sends with every response. */
const isSentAlways = (name: string) => name.startsWith('access-control-')

const toWholeText = (body: WholeBody): string => {
  if (body && 'sizeBytes' in body) return `(${formatSize(body.sizeBytes)}, not kept)`
  return body && 'base64' in body ? body.base64 : (textOf(body) ?? '')
}

/** The text of a body as the journal keeps it. */
export function toBodyText(body: JournalBody): string {
  if (body === null) return ''
  if ('json' in body) return JSON.stringify(body.json, null, 2)
  return 'text' in body ? body.text : `(${formatSize(body.sizeBytes)} of ${body.contentType})`
}

const toLines = (text: string) => (text === '' ? [] : ['', ...text.split('\n')])

export const toRequestLines = (entry: JournalEntry, body: string): readonly string[] => [
  `${entry.method} ${entry.path}${formatQuery(entry)}`,
  `key: ${entry.key ?? '–'}`,
  ...toLines(body),
]

export function toResponseLines({ status, responseHeaders }: JournalEntry, body: string): readonly string[] {
  const headers = Object.entries(responseHeaders).filter(([name]) => !isSentAlways(name))
  const outcome = status === 0 ? 'connection broken' : String(status)
  return [outcome, ...headers.map(([name, value]) => `${name}: ${value}`), ...toLines(body)]
}

export const isSameText = (before: readonly string[], after: readonly string[]) =>
  before.length === after.length && before.every((line, index) => line === after[index])

interface LineRun {
  readonly isDifferent: boolean
  readonly text: string
}

/** Beyond this many edits all lines are shown as different: searching further would block the page. */
const maxEditLength = 4000

/** Runs of equal and of different lines on each side, so that a large body needs only a few elements. */
function findRuns(
  before: readonly string[],
  after: readonly string[],
): readonly [readonly LineRun[], readonly LineRun[]] {
  const toRun = (lines: readonly string[], isDifferent: boolean): LineRun => ({
    isDifferent,
    text: lines.join('\n'),
  })
  // Undefined beyond `maxEditLength`.
  const changes = diffArrays([...before], [...after], { maxEditLength })
  if (!changes) return [[toRun(before, true)], [toRun(after, true)]]
  const isOf = (side: 'removed' | 'added') => (change: (typeof changes)[number]) =>
    side === 'removed' ? !change.added : !change.removed
  const runsOf = (side: 'removed' | 'added') =>
    changes.filter(isOf(side)).map((change) => toRun(change.value, change[side]))
  return [runsOf('removed'), runsOf('added')]
}

function Side({ name, runs }: { name: string; runs: readonly LineRun[] }) {
  return (
    <pre tabIndex={0} aria-label={name}>
      {runs.map(({ isDifferent, text }, index) =>
        isDifferent ? <mark key={index}>{text || ' '}</mark> : <span key={index}>{text}</span>,
      )}
    </pre>
  )
}

interface SidesProps {
  readonly names: readonly [before: string, after: string]
  readonly before: readonly string[]
  readonly after: readonly string[]
}

/** Two texts side by side; lines that differ are marked. */
export function Sides({ names, before, after }: SidesProps) {
  const [lost, added] = findRuns(before, after)
  return (
    <div class="sides">
      <Side name={names[0]} runs={lost} />
      <Side name={names[1]} runs={added} />
    </div>
  )
}

export function Comparison({ entry, whole, id }: { entry: JournalEntry; whole: WholeRequest; id: number }) {
  const { controls, sandbox, openEntry } = useConsole()
  const load = () => Promise.all([controls.request(id), controls.console.whole(id, { of: sandbox ?? '' })])
  const { value, failure } = useLoaded(load, [id])
  if (failure !== null) return <p class="faint">{`Request ${String(id)} is gone.`}</p>
  if (!value) return null
  const [other, otherWhole] = value
  const requests = {
    before: toRequestLines(other, toWholeText(otherWhole.requestBody)),
    after: toRequestLines(entry, toWholeText(whole.requestBody)),
  }
  const responses = {
    before: toResponseLines(other, toWholeText(otherWhole.responseBody)),
    after: toResponseLines(entry, toWholeText(whole.responseBody)),
  }
  const isSameRequest = isSameText(requests.before, requests.after)
  const isSameResponse = isSameText(responses.before, responses.after)
  const verdict = isSameRequest
    ? 'Both responses are the same.'
    : 'The requests differ; the responses are the same.'
  const namesOf = (what: string) => [`${what} ${String(id)}`, `${what} ${String(entry.id)}`] as const
  return (
    <section class="block compared" aria-label={`Compared with request ${String(id)}`}>
      <h4>
        Compared with{' '}
        <Button class="link" onClick={() => openEntry({ id, sandbox })} text={`request ${String(id)}`} />{' '}
        <StatusCode status={other.status} /> → #{entry.id} <StatusCode status={entry.status} />{' '}
        {isSameResponse && <span class="aside">{verdict}</span>}
      </h4>
      {!isSameRequest && <Sides names={namesOf('Request')} {...requests} />}
      <Sides names={namesOf('Response of request')} {...responses} />
    </section>
  )
}
