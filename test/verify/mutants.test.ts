// Whether verify sees what is wrong with a deployment: every drift mutant is named by its operation.
import { afterAll, expect, test } from 'vitest'
import { createWorkspaceMock } from 'workspace-api-mock'
import { operations } from '../../src/contract/index.ts'
import { verify } from '../../src/verify/index.ts'
import { deployment } from './deployment.ts'
import { mutants, type Mutant } from './mutants.ts'

// A small limit, so that no run has to send ten megabytes.
const answers = { maxFileBytes: { pro: 4096 } }
const mock = createWorkspaceMock({ answers, advanceOnPoll: false, journalSize: 0 })

const named: Mutant[] = []

afterAll(() => {
  console.log(`mutants named: ${String(named.length)}/${String(mutants.length)}`)
})

const readsAlone = ({ operation }: Mutant) =>
  operations[operation].method === 'GET' || operation === 'queryRows'

async function drifts(mutant: Mutant, write: boolean) {
  mock.reset()
  const report = await verify({
    baseUrl: mock.baseUrl,
    apiKey: mock.keys.master!,
    fetch: deployment(mock, mutant.operation, mutant.make()),
    write,
    answers,
    marker: 'verify-mutant',
    wait: async (ms) => mock.clock.advance(ms),
  })
  return report.findings.filter(({ outcome }) => outcome === 'drift')
}

test('there are 60 mutants of all kinds, none twice', () => {
  expect(mutants.length).toBeGreaterThanOrEqual(60)
  expect(new Set(mutants.map(({ operation, wrong }) => `${operation} ${wrong}`)).size).toBe(mutants.length)
  expect(new Set(mutants.map(({ kind }) => kind)).size).toBe(8)
})

test.for(mutants)('$operation: $wrong', async (mutant) => {
  // What reading alone shows is not looked for by writing.
  let found = readsAlone(mutant) ? await drifts(mutant, false) : []
  if (!found.some(({ operation }) => operation === mutant.operation)) found = await drifts(mutant, true)
  expect(found.map(({ operation }) => operation)).toContain(mutant.operation)
  named.push(mutant)
})
