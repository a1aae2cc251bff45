// Every drift mutant is named by its operation, or by the one that shows it.
import { afterAll, expect, test } from 'vitest'
import { createWorkspaceMock } from 'workspace-api-mock'
import { operations, type OperationId } from '../../src/contract/index.ts'
import { genericNames } from '../../src/verify/engine/generic-rules.ts'
import { scenarios } from '../../src/verify/scenarios/all.ts'
import { verify } from 'workspace-api-mock/verify'
import { count } from '../fidelity/meta.ts'
import { deployment } from './support/deployment.ts'
import type { Mutant } from './support/mutant.ts'
import { mutants } from './support/mutants.ts'

// A small limit, so that no run has to send ten megabytes.
const answers = { maxFileBytes: { pro: 4096 } }
const mock = createWorkspaceMock({ answers, advanceOnPoll: false, journalSize: 0 })

const named: Mutant[] = []

afterAll(() => {
  console.log(`mutants named: ${String(named.length)}/${String(mutants.length)}`)
})

/** What reading shows is looked for by reading alone; jobs are there only where they can be submitted. */
const needsWriting = ({ operation, write = false }: Mutant) =>
  write || operation === 'getJob' || (operations[operation].method !== 'GET' && operation !== 'queryRows')

/** The scenarios that are about an operation, and the rules for all of its responses. */
const namesAbout = (operation: OperationId) => [
  ...scenarios.filter(({ operations: [first] }) => first === operation).map(({ id }) => `${operation}/${id}`),
  ...genericNames.filter((name) => name.operation === operation).map(({ rule }) => `${operation}/${rule}`),
]

async function drifts(mutant: Mutant, only?: readonly string[]) {
  mock.reset()
  const report = await verify({
    baseUrl: mock.baseUrl,
    apiKey: mock.keys.master,
    fetch: deployment(mock, mutant.operation, mutant.make()),
    write: needsWriting(mutant),
    answers,
    only,
    marker: 'verify-mutant',
    wait: async (ms) => mock.clock.advance(ms),
    nowMs: () => mock.clock.nowMs(),
  })
  return report.findings
    .filter(({ outcome }) => outcome === 'drift')
    .flatMap(({ operation, operations = [operation] }) => operations)
}

test('there are 588 mutants of all kinds, none twice', () => {
  expect(mutants.length).toBeGreaterThanOrEqual(588)
  expect(new Set(mutants.map(({ operation, wrong }) => `${operation} ${wrong}`)).size).toBe(mutants.length)
  expect(new Set(mutants.map(({ kind }) => kind)).size).toBe(8)
})

test.for(mutants)('$operation: $wrong', async (mutant, { task }) => {
  const { operation, shownBy = operation } = mutant
  // The scenarios that are about the operation name most, in a tenth of the time.
  const found = await drifts(mutant, namesAbout(shownBy))
  if (!found.includes(shownBy)) expect(await drifts(mutant)).toContain(shownBy)
  named.push(mutant)
  count(task.meta, 'mutants', 1)
})
