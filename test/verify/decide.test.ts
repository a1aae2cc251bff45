// Which differences in a scenario count, judging by what its rounds have shown.
import { expect, test } from 'vitest'
import type { Difference } from '../../src/tools/verify/compare/difference.ts'
import { decide, type Circumstances } from '../../src/tools/verify/verdict/decide.ts'

const differenceOf = (path: string, operation: Difference['operation']): Difference => ({
  operation,
  rule: 'text',
  says: 'a text is read as written',
  source: { contract: 'Task' },
  sent: [],
  path,
  kind: 'value',
  expected: 1,
  got: 2,
})
/** Other users' writes can cause difference `a`, but not `b`, which a write of the run shows. */
const a = differenceOf('a', 'getTask')
const b = differenceOf('b', 'createTask')
const quiet: Circumstances = { areOthersWriting: false, isUnsteady: false, mayRepeat: true }
const busy = { ...quiet, areOthersWriting: true }
const spent = { ...quiet, mayRepeat: false }

test.for([
  ['nothing differs', [[]], quiet, 'certain:'],
  ['one round shows something that others could have caused', [[a]], quiet, 'again after a pull'],
  ['one round shows something that they could not', [[b]], quiet, 'again'],
  ['two rounds show it', [[b], [b]], quiet, 'certain: b'],
  ['two rounds show it, and others write', [[a], [a]], busy, 'again after a pull'],
  ['three rounds show it, and others write', [[a], [a], [a]], busy, 'certain: a'],
  ['others could have caused what is gone', [[a], []], quiet, 'certain:'],
  ['one round of two shows what a write shows', [[b], []], quiet, 'again'],
  ['two rounds of three show what a write shows', [[b], [], [b]], quiet, 'certain: b 2 of 3'],
  ['there can be no second round', [[b]], spent, 'certain: b'],
  ['there can be no second round, and requests failed', [[b]], { ...spent, isUnsteady: true }, 'unsteady'],
] as const)('decide, when %s', ([, rounds, circumstances, expected]) => {
  const decision = decide(rounds, circumstances)
  const texts = {
    again: () => (decision.kind === 'again' && decision.afterPull ? 'again after a pull' : 'again'),
    unsteady: () => 'unsteady',
    certain: () => {
      const { always = [], sometimes = [] } = decision.kind === 'certain' ? decision : {}
      const seen = sometimes.map(({ path, seen: times = '' }) => `${path} ${times}`)
      return ['certain:', ...always.map(({ path }) => path), ...seen].join(' ')
    },
  }
  expect(texts[decision.kind]()).toBe(expected)
})
