// Learns an answer by agreement: replays a probe's requests on mocks with every answer, and takes the answer whose
// responses differ least from the deployment's.
import { listAnswers, type JsonValue, type QuestionId } from '../../../contract/questions/register.ts'
import { quote } from '../../../contract/text/quote.ts'
import { Stop } from '../../deployment/stop.ts'
import type { Difference } from '../compare/difference.ts'
import { weigh } from '../verdict/explain.ts'
import type { Exchange } from '../twin/transcript.ts'
import type { Learner, SendProbe } from './learner.ts'
import type { Observation } from './observer.ts'

/** Describes what the deployment did at the point where answers differ. */
function describe(
  title: string,
  { about: { operation }, theirs }: Exchange,
  { kind, path, got }: Difference,
): string {
  const start = title.startsWith(operation) ? `${title}: ` : `${title}: ${operation} `
  if (kind === 'status' || !theirs.isSuccess) return start + theirs.summary
  const what = path === '' ? 'the body' : path
  return start + (kind === 'missing' ? `shows no ${what}` : `shows ${what} as ${quote(got)}`)
}

interface Candidate {
  readonly answer: JsonValue
  readonly shown: readonly (readonly Difference[])[]
  readonly weight: number
}

/** @throws {Stop} if two answers expect different values of a field and the deployment shows neither */
function assertCovered(
  title: string,
  exchanges: readonly Exchange[],
  { shown }: Candidate,
  next: Candidate,
): void {
  for (const [index, exchange] of exchanges.entries())
    for (const one of shown[index] ?? []) {
      const expectedBy = (all: Candidate['shown']) =>
        JSON.stringify(all[index]?.flatMap(({ path, expected }) => (path === one.path ? [expected] : [])))
      const others = expectedBy(next.shown)
      if (others === '[]' || others === expectedBy(shown)) continue
      const { theirs, about } = exchange
      if (theirs.status === 402 || theirs.status === 403)
        throw new Stop(`${about.operation}: ${theirs.summary}`)
      throw new Stop(`${describe(title, exchange, one)}, which no answer covers`)
    }
}

/** @param title the operation that is tried, and how */
export async function agree(
  learner: Learner,
  question: QuestionId,
  title: string,
  send: SendProbe,
): Promise<Observation> {
  const { probe, stopped } = await learner.send(send)
  const { transcript } = probe
  const { exchanges } = transcript
  const candidates: Candidate[] = []
  for (const answer of listAnswers(question)) {
    const answers = { ...learner.known, [question]: answer }
    const shown = await learner.twin.replay(transcript, answers, true)
    candidates.push({ answer, shown, weight: weigh(shown) })
  }
  const [best, ...others] = candidates.toSorted((a, b) => a.weight - b.weight)
  const [next] = others
  if (!best || !next) throw new Stop('the question has only one answer')
  for (const other of others) assertCovered(title, exchanges, best, other)
  const at = exchanges.findIndex(
    (_, index) => weigh([best.shown[index] ?? []]) < weigh([next.shown[index] ?? []]),
  )
  const decisive = next.shown[at]?.find(
    ({ path, kind }) => !best.shown[at]?.some((one) => one.path === path && one.kind === kind),
  )
  const exchange = exchanges[at]
  if (best.weight === next.weight || !exchange || !decisive)
    throw stopped ?? new Stop(`${title}: the responses fit every answer equally well`)
  return [best.answer, describe(title, exchange, decisive)]
}
