// Finds answers to open questions that explain differences: answers under which a replay differs less.
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

type RoundDifferences = readonly (readonly Difference[])[]

/**
 * A different status hides all other differences; a missing record and a different shape hide the differences inside.
 */
const weights: Readonly<Partial<Record<DifferenceKind, number>>> = {
  status: 1e6,
  ...{ records: 1e5, length: 1e5, order: 1e3, type: 1e3, missing: 1e3, extra: 1e3 },
}

/** A missing field and an empty one mean the same, so that such a difference weighs little. */
const weightOf = ({ kind, expected, got }: Difference) =>
  (kind === 'missing' || kind === 'extra') && isUnset(expected) && isUnset(got) ? 1 : (weights[kind] ?? 1)

/** Measures how much responses differ; a place counts once per request, however many records show it. */
export const weigh = (shown: RoundDifferences): number =>
  shown
    .flatMap((all) => [...new Map(all.map((one) => [placeOf(one), weightOf(one)])).values()])
    .reduce((sum, weight) => sum + weight, 0)

/** Lists other answers to the questions that concern the operations. */
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

const fieldNameOf = ({ operation, path }: Difference) => `${operation} ${path}`

/** Whether a replay shows neither the difference nor a new one in any response that had it. */
export function isGone(one: Difference, shown: RoundDifferences, left: RoundDifferences): boolean {
  const signature = signatureOf(one)
  return shown.every((before, index) => {
    if (!before.some((other) => signatureOf(other) === signature)) return true
    const others = new Set(before.map(fieldNameOf))
    others.delete(fieldNameOf(one))
    return (left[index] ?? []).every((other) => others.has(fieldNameOf(other)))
  })
}

/** Maximum answers that together explain one scenario. */
const mostTogether = 4

/**
 * Repeatedly takes the answer under which a replay differs least; it explains what no longer differs.
 * @param shown how the exchanges differ @param replay finds how they differ with these answers in addition to the run's
 */
export async function explain(
  differences: readonly Difference[],
  shown: RoundDifferences,
  others: readonly OtherAnswer[],
  replay: (answers: AnswersInput) => Promise<RoundDifferences>,
): Promise<ReadonlyMap<Difference, OtherAnswer>> {
  const explained = new Map<Difference, OtherAnswer>()
  const compared = new Set(shown.flat().map(signatureOf))
  const all = differences.filter((one) => compared.has(signatureOf(one)))
  let taken: AnswersInput = {}
  let least = weigh(shown)
  let last = shown
  for (let count = 0; count < mostTogether && !all.every((one) => isGone(one, shown, last)); count += 1) {
    let best: { readonly other: OtherAnswer; readonly left: RoundDifferences } | undefined
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
    const still = new Set(left.flat().map(fieldNameOf))
    for (const one of all) if (!explained.has(one) && !still.has(fieldNameOf(one))) explained.set(one, other)
  }
  // An answer does not explain a difference that merely changes under it.
  for (const one of explained.keys()) if (!isGone(one, shown, last)) explained.delete(one)
  return explained
}
