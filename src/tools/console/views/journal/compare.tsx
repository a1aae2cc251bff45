// Two responses side by side, whole, with the lines marked in which they differ.
import type { WholeBody, WholeRequest } from '../../../../adapters/control-api/console-controls.ts'
import type { JournalEntry } from '../../../../mock/journal/entry.ts'
import { formatSize } from '../../format.ts'
import { StatusCode } from '../../parts/blocks.tsx'
import { useConsole, useLoaded } from '../../parts/context.ts'
import { Button } from '../../parts/controls.tsx'

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

function toLines({ responseHeaders }: JournalEntry, { responseBody: body }: WholeRequest): readonly string[] {
  const headers = Object.entries(responseHeaders).map(([name, value]) => `${name}: ${value}`)
  if (body && 'sizeBytes' in body) return [...headers, '', `(${formatSize(body.sizeBytes)}, not kept)`]
  const text = body && 'base64' in body ? body.base64 : (textOf(body) ?? '')
  return [...headers, '', ...text.split('\n')]
}

/** Beyond as many pairs of lines, all lines between the first and the last difference count as different. */
const mostPairs = 1_000_000

/** Which lines of either side the other one has not, by the longest common subsequence. */
function findDifferentLines(a: readonly string[], b: readonly string[]) {
  let from = 0
  while (from < a.length && from < b.length && a[from] === b[from]) from++
  let end = 0
  const isLeft = () => end < a.length - from && end < b.length - from
  while (isLeft() && a.at(-1 - end) === b.at(-1 - end)) end++
  const [inA, inB] = [a.slice(from, a.length - end), b.slice(from, b.length - end)]
  const different = [
    new Set(inA.map((_, index) => from + index)),
    new Set(inB.map((_, index) => from + index)),
  ] as const
  if (inA.length * inB.length > mostPairs) return different
  const width = inB.length + 1
  /** The longest common subsequence of the rest of both sides, by the lines where the rests begin. */
  const longest = new Uint32Array((inA.length + 1) * width)
  const at = (i: number, j: number) => longest[i * width + j] ?? 0
  for (let i = inA.length - 1; i >= 0; i--)
    for (let j = inB.length - 1; j >= 0; j--)
      longest[i * width + j] = inA[i] === inB[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
  for (let i = 0, j = 0; i < inA.length && j < inB.length;)
    if (inA[i] === inB[j]) {
      different[0].delete(from + i++)
      different[1].delete(from + j++)
    } else if (at(i + 1, j) >= at(i, j + 1)) i++
    else j++
  return different
}

type SideProps = Readonly<{ name: string; lines: readonly string[]; different: ReadonlySet<number> }>

function Side({ name, lines, different }: SideProps) {
  // Runs of equal and of different lines, so that a large body stays a few elements.
  const runs: { isDifferent: boolean; text: string }[] = []
  for (const [index, line] of lines.entries()) {
    const isDifferent = different.has(index)
    const last = runs.at(-1)
    if (last?.isDifferent === isDifferent) last.text += `\n${line}`
    else runs.push({ isDifferent, text: line })
  }
  return (
    <pre tabIndex={0} aria-label={name}>
      {runs.map(({ isDifferent, text }, index) =>
        isDifferent ? <mark key={index}>{text || ' '}</mark> : <span key={index}>{text}</span>,
      )}
    </pre>
  )
}

export function Comparison({ entry, whole, id }: { entry: JournalEntry; whole: WholeRequest; id: number }) {
  const { controls, sandbox, openEntry } = useConsole()
  const load = () => Promise.all([controls.request(id), controls.console.whole(id, { of: sandbox ?? '' })])
  const { value, failure } = useLoaded(load, [id])
  if (failure !== null) return <p class="faint">{`Request ${String(id)} is gone.`}</p>
  if (!value) return null
  const [before, after] = [toLines(...value), toLines(entry, whole)]
  const [lost, added] = findDifferentLines(before, after)
  const isSame = lost.size + added.size === 0
  return (
    <section class="block compared" aria-label={`Compared with request ${String(id)}`}>
      <h4>
        Compared with{' '}
        <Button class="link" onClick={() => openEntry({ id, sandbox })} text={`request ${String(id)}`} />{' '}
        <StatusCode status={value[0].status} /> → #{entry.id} <StatusCode status={entry.status} />{' '}
        {isSame && <span class="aside">Both responses are the same.</span>}
      </h4>
      <div class="sides">
        <Side name={`Response of request ${String(id)}`} lines={before} different={lost} />
        <Side name={`Response of request ${String(entry.id)}`} lines={after} different={added} />
      </div>
    </section>
  )
}
