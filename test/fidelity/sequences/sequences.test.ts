// Checks that after each step of a long sequence of operations, the mock's state matches a naive reference model.
import { describe, it } from 'vitest'
import { count } from '../meta.ts'
import { sampled } from '../sampled.ts'
import { playAll, type Model, type Play } from './support/bench.ts'
import { rows } from './support/rows.ts'
import { tasks } from './support/tasks.ts'
import { timeEntries } from './support/time-entries.ts'

const plays: [string, Play<any>][] = [
  ['rows and jobs', rows],
  ['tasks', tasks],
  ['time entries', timeEntries],
]

const runs = 100

describe('sequences agree with a naive model', () => {
  it.for(plays)('%s', async ([, play], { task }) => {
    const amount = sampled(runs)
    count(task.meta, 'steps', await playAll(play as Play<Model>, amount))
    count(task.meta, 'sequences', amount.numRuns)
  })
})
