// Decides which differences of a scenario count, as a pure function of what its rounds showed.
import { isByOthers, signatureOf, type Difference } from '../compare/difference.ts'

/** How many rounds must show a difference when nobody else writes, and when others do. */
const fewestRounds = 2
const roundsAmongOthers = 3
/** Maximum rounds for an intermittent difference. */
const mostRounds = 8

/** Differences a round showed that were not certain before. */
export type Round = readonly Difference[]

export interface Circumstances {
  readonly areOthersWriting: boolean
  /** Whether requests failed or pulls differ; one round then proves nothing. */
  readonly isUnsteady: boolean
  /** Whether the run can afford another round. */
  readonly mayRepeat: boolean
}

export type Decision =
  /** Play again, after a new pull if others could have caused an undecided difference. */
  | { readonly kind: 'again'; readonly afterPull: boolean }
  /** Differences seen in every round, and intermittent ones with `seen`. */
  | { readonly kind: 'certain'; readonly always: Round; readonly sometimes: Round }
  /** There were too few rounds to tell. */
  | { readonly kind: 'unsteady' }

/** Counts the rounds that showed each difference. */
function tallyOf(rounds: readonly Round[]) {
  const tally = new Map<string, { readonly difference: Difference; readonly times: number }>()
  for (const round of rounds)
    for (const [signature, difference] of new Map(
      round.map((one) => [`${one.rule} ${signatureOf(one)}`, one]),
    ))
      tally.set(signature, { difference, times: (tally.get(signature)?.times ?? 0) + 1 })
  return [...tally.values()]
}

export function decide(
  rounds: readonly Round[],
  { areOthersWriting, isUnsteady, mayRepeat }: Circumstances,
): Decision {
  const open = tallyOf(rounds)
  const areByOthers = open.some(({ difference }) => isByOthers(difference))
  const always = open.filter(({ times }) => times === rounds.length)
  const rare = open.filter(({ difference, times }) => times < rounds.length && !isByOthers(difference))
  const often = rare.filter(({ times }) => times > 1)
  const needed = open.length === 0 ? 1 : areByOthers && areOthersWriting ? roundsAmongOthers : fewestRounds
  const isClear = always.length > 0 || rare.length === often.length || rounds.length >= mostRounds
  if (mayRepeat && !(rounds.length >= needed && isClear)) return { kind: 'again', afterPull: areByOthers }
  if (rounds.length < needed && isUnsteady) return { kind: 'unsteady' }
  return {
    kind: 'certain',
    always: always.map(({ difference }) => difference),
    sometimes: often.map(({ difference, times }) => ({
      ...difference,
      seen: `${String(times)} of ${String(rounds.length)}`,
    })),
  }
}
