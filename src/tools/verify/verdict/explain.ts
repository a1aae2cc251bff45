// Which answers to open questions explain differences: those under which a replay differs less.
import { isEmpty } from '../../../contract/data/objects.ts'
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

/** Another status hides all other differences, another shape those of values. */
const weights: Readonly<Partial<Record<DifferenceKind, number>>> = {
  status: 1e6,
  ...{ records: 1e3, length: 1e3, order: 1e3, type: 1e3, missing: 1e3, extra: 1e3 },
}

/** A field without a value that is left out says as much as one that is null. */
const weightOf = ({ kind, expected, got }: Difference) =>
  (kind === 'missing' || kind === 'extra') && isEmpty(expected) && isEmpty(got) ? 1 : (weights[kind] ?? 1)

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
  let open = differences.filter((one) => compared.has(signatureOf(one)))
  let taken: AnswersInput = {}
  let least = weigh(shown)
  for (let count = 0; count < mostTogether && open.length > 0; count += 1) {
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
    const still = new Set(left.flat().map(signatureOf))
    for (const one of open) if (!still.has(signatureOf(one))) explained.set(one, other)
    open = open.filter((one) => !explained.has(one))
  }
  return explained
}
