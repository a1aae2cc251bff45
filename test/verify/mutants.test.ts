// Every drift mutant is named by its operation, or by the operation that reveals it.
import { afterAll, expect, test } from 'vitest'
import { createWorkspaceMock, type MockOptions, type WorkspaceMock } from 'workspace-api-mock'
import { operations, type OperationId } from '../../src/contract/index.ts'
import { ruleNames } from '../../src/tools/verify/findings/judge.ts'
import { scenarios } from '../../src/tools/verify/scenarios/all.ts'
import { verify } from 'workspace-api-mock/verify'
import { count } from '../fidelity/meta.ts'
import { someOf } from '../fidelity/sampled.ts'
import { deployment } from './support/deployment.ts'
import type { Mutant } from './support/mutant.ts'
import { mutants } from './support/mutants.ts'
import { smallMock } from './support/whole-run.ts'

// A small limit, so that no run sends ten megabytes.
const answers = { maxFileBytes: { pro: 4096 } }
const options: MockOptions = { answers, advanceOnPoll: false, journalSize: 0 }
const small = smallMock(options)
const demo = createWorkspaceMock(options)

const named: Mutant[] = []
let tried = 0

afterAll(() => {
  console.log(`mutants named: ${String(named.length)}/${String(tried)}`)
})

/** Mutants that reading can show are tested with reads only. Jobs exist only if the run submits them. */
const needsWriting = ({ operation, write = false }: Mutant) =>
  write || operation === 'getJob' || (operations[operation].method !== 'GET' && operation !== 'queryRows')

/** The scenarios that are about an operation, and the rules for all of its responses. */
const namesAbout = (operation: OperationId) => [
  ...scenarios.filter(({ operations: [first] }) => first === operation).map(({ id }) => `${operation}/${id}`),
  ...ruleNames.filter((name) => name.operation === operation).map(({ rule }) => `${operation}/${rule}`),
]

async function drifts(mock: WorkspaceMock, mutant: Mutant, only?: readonly string[]) {
  mock.reset()
  const report = await verify({
    baseUrl: mock.baseUrl,
    apiKey: mock.keys.master ?? '',
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

test('there are 615 mutants of all kinds, none twice', () => {
  expect(mutants.length).toBe(615)
  expect(new Set(mutants.map(({ operation, wrong }) => `${operation} ${wrong}`)).size).toBe(mutants.length)
  expect(new Set(mutants.map(({ kind }) => kind)).size).toBe(8)
})

/**
 * Whether a run names a mutant. Its operation's scenarios on a small workspace come first: they name most mutants in a
 * fraction of the time.
 */
async function isNamed(mutant: Mutant): Promise<boolean> {
  const { operation, shownBy = operation } = mutant
  const about = namesAbout(shownBy)
  const runs = [
    [small, about],
    [small, undefined],
    [demo, about],
    [demo, undefined],
  ] as const
  for (const [mock, only] of runs) {
    const found = await drifts(mock, mutant, only)
    if (found.includes(shownBy) || found.includes(operation)) return true
  }
  return false
}

/** The share of each kind that may be missed: the comparison must name 97 % of unknown drifts. */
const mostMissed = 0.03
const kinds = [...new Set(mutants.map(({ kind }) => kind))]

test.for(kinds)('mutants of kind %s are named', { timeout: 3_600_000 }, async (kind, { task }) => {
  const ofKind = someOf(mutants.filter((mutant) => mutant.kind === kind))
  const missed: string[] = []
  tried += ofKind.length
  for (const mutant of ofKind) {
    if (await isNamed(mutant)) named.push(mutant)
    else missed.push(`${mutant.operation}: ${mutant.wrong}`)
  }
  count(task.meta, 'mutants', ofKind.length - missed.length)
  if (missed.length > 0) console.log(`missed: ${missed.join('; ')}`)
  expect(missed.length, missed.join('\n')).toBeLessThanOrEqual(Math.ceil(mostMissed * ofKind.length))
})
