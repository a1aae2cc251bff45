// Which answers to open questions explain differences: those under which a replay differs less.
import { isUnset } from '../../../contract/data/objects.ts'
import {
  listAnswers,
  questionsOf,
  type Answers,
  type AnswersInput,
} from '../../../contract/questions/register.ts'
import {
  placeOf,
  signatureOf,
  type Difference,
  type DifferenceKind,
  type OtherAnswer,
} from '../compare/difference.ts'

type Shown = readonly (readonly Difference[])[]

/** Another status hides all other differences, a missing record those in it, another shape those of values. */
const weights: Readonly<Partial<Record<DifferenceKind, number>>> = {
  status: 1e6,
  ...{ records: 1e5, length: 1e5, order: 1e3, type: 1e3, missing: 1e3, extra: 1e3 },
}

/** A field without a value that is left out says as much as one that is null. */
const weightOf = ({ kind, expected, got }: Difference) =>
  (kind === 'missing' || kind === 'extra') && isUnset(expected) && isUnset(got) ? 1 : (weights[kind] ?? 1)

/** How much responses differ. What many records show counts once a request. */
export const weigh = (shown: Shown): number =>
  shown
    .flatMap((all) => [...new Map(all.map((one) => [placeOf(one), weightOf(one)])).values()])
    .reduce((sum, weight) => sum + weight, 0)

/** Other answers to the questions of the operations. */
export function listOtherAnswers(differences: readonly Difference[], answers: Answers): OtherAnswer[] {
  const operations = new Set(differences.flatMap(({ operation, after }) => [operation, after]))
  const ids = new Set(
    [...operations].flatMap((id) => (id === undefined || id === 'general' ? [] : questionsOf(id))),
  )
  return [...ids].flatMap((question) => {
    const own = JSON.stringify(answers[question])
    const others = listAnswers(question).filter((answer) => JSON.stringify(answer) !== own)
    return others.map((answer): OtherAnswer => ({ question, answer }))
  })
}

const fieldOf = ({ operation, path }: Difference) => `${operation} ${path}`

/** Whether each response that showed a difference shows neither it nor anything new in a replay. */
export function isGone(one: Difference, shown: Shown, left: Shown): boolean {
  const signature = signatureOf(one)
  return shown.every((before, index) => {
    if (!before.some((other) => signatureOf(other) === signature)) return true
    const others = new Set(before.map(fieldOf))
    others.delete(fieldOf(one))
    return (left[index] ?? []).every((other) => others.has(fieldOf(other)))
  })
}

/** So many answers together can explain what one scenario shows. */
const mostTogether = 4

/**
 * Takes, one after the other, the answer with which a replay differs least. What it no longer shows is explained by it.
 * @param shown how the exchanges differ @param replay the same with these answers besides those of the run
 */
export async function explain(
  differences: readonly Difference[],
  shown: Shown,
  others: readonly OtherAnswer[],
  replay: (answers: AnswersInput) => Promise<Shown>,
): Promise<ReadonlyMap<Difference, OtherAnswer>> {
  const explained = new Map<Difference, OtherAnswer>()
  const compared = new Set(shown.flat().map(signatureOf))
  const all = differences.filter((one) => compared.has(signatureOf(one)))
  let taken: AnswersInput = {}
  let least = weigh(shown)
  let last = shown
  for (let count = 0; count < mostTogether && !all.every((one) => isGone(one, shown, last)); count += 1) {
    let best: { readonly other: OtherAnswer; readonly left: Shown } | undefined
    for (const other of others) {
      const left = await replay({ ...taken, [other.question]: other.answer })
      const weight = weigh(left)
      if (weight >= least) continue
      least = weight
      best = { other, left }
      if (weight === 0) break
    }
    if (!best) break
    const { other, left } = best
    taken = { ...taken, [other.question]: other.answer }
    last = left
    const still = new Set(left.flat().map(fieldOf))
    for (const one of all) if (!explained.has(one) && !still.has(fieldOf(one))) explained.set(one, other)
  }
  // What differs in another way under the answers is not explained by them.
  for (const one of explained.keys()) if (!isGone(one, shown, last)) explained.delete(one)
  return explained
}
