// Decides which differences of a scenario count: a pure function of what its rounds have shown.
import { isByOthers, signatureOf, type Difference } from '../compare/difference.ts'

/** Rounds that must show a difference, when nobody else writes and when others do. */
const fewestRounds = 2
const roundsAmongOthers = 3
/** Most rounds for a difference that only some of them show. */
const mostRounds = 8

/** What a round of a scenario has shown that was not certain before. */
export type Round = readonly Difference[]

export interface Circumstances {
  readonly areOthersWriting: boolean
  /** Whether requests failed or pulls differ, so that one round proves nothing. */
  readonly isUnsteady: boolean
  /** Whether the run can afford another round. */
  readonly mayRepeat: boolean
}

export type Decision =
  /** Play again, after a new pull if others could have caused what is open. */
  | { readonly kind: 'again'; readonly afterPull: boolean }
  /** Differences of every round, and those of several rounds, which say how often they were seen. */
  | { readonly kind: 'certain'; readonly always: Round; readonly sometimes: Round }
  /** There were too few rounds to tell. */
  | { readonly kind: 'unsteady' }

/** Counts in how many rounds each difference showed: at most once a round. */
function tallyOf(rounds: readonly Round[]) {
  const tally = new Map<string, { readonly difference: Difference; readonly times: number }>()
  for (const round of rounds)
    for (const [signature, difference] of new Map(round.map((one) => [signatureOf(one), one])))
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
