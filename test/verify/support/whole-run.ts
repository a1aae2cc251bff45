// Complete runs of verify on a mock: in process, shared by the tests of a file, and over HTTP.
import { expect } from 'vitest'
import { createWorkspaceMock, type MockOptions, type WorkspaceMock } from 'workspace-api-mock'
import { serve } from 'workspace-api-mock/node'
import { verify, type VerifyReport } from 'workspace-api-mock/verify'
import { contentOf, contentWithout, withoutTimers } from './content.ts'
import { inProcess } from './scrambles.ts'

export const newMock = () => createWorkspaceMock({ advanceOnPoll: false })

/** The demo with a part of its largest table and list, for tests whose subject is not size. */
export function smallMock(options: MockOptions = {}): WorkspaceMock {
  const state: any = newMock().state()
  for (const { tables, spaces } of state.workspaces) {
    for (const table of tables) table.rows = table.rows.slice(0, 20)
    for (const { lists } of spaces) for (const list of lists) list.tasks = list.tasks.slice(0, 20)
  }
  return createWorkspaceMock({ fixture: state, advanceOnPoll: false, ...options })
}

export const drifts = ({ findings }: VerifyReport) => findings.filter(({ outcome }) => outcome === 'drift')
export const reasons = ({ findings }: VerifyReport) =>
  findings.flatMap(({ why = '' }) => (why === '' ? [] : [why]))

interface Made {
  readonly report: VerifyReport
  readonly mock: WorkspaceMock
  /** The mock's content before the run. */
  readonly before: unknown
  /** How many requests each step of the run sent. */
  readonly steps: ReadonlyMap<string, number>
}
const runs = new Map<string, Promise<Made>>()

/** A run with a key, shared by all tests that read its result. */
export function runOnce(key: string, write: boolean, fixture: 'demo' | 'empty' = 'demo'): Promise<Made> {
  const name = `${fixture} ${key} ${String(write)}`
  const run = async () => {
    const mock = createWorkspaceMock({ fixture, advanceOnPoll: false })
    const before = contentOf(mock)
    const { fetch, ...options } = inProcess(mock, key)
    const steps = new Map<string, number>()
    let step = ''
    const counting = (request: Request) => {
      steps.set(step, (steps.get(step) ?? 0) + 1)
      return fetch(request)
    }
    const onProgress = ({ next }: { readonly next: string }) => void (step = next)
    const report = await verify({ ...options, fetch: counting, write, onProgress })
    return { report, mock, before, steps }
  }
  let known = runs.get(name)
  if (!known) runs.set(name, (known = run()))
  return known
}
export const written = (key: string, fixture?: 'demo' | 'empty') => runOnce(key, true, fixture)

/** A run that writes finds no drift and leaves only its space behind, whatever the key's plan. */
export async function expectNoTrace(key: string): Promise<void> {
  const { report, mock, before } = await written(key)
  expect(drifts(report)).toEqual([])
  expect(reasons(report).filter((why) => /lacks the fields|needs to write/.test(why))).toEqual([])
  expect(withoutTimers(contentWithout(mock, 'verify-test'))).toEqual(withoutTimers(before))
  expect(report.leftBehind.every(({ why }) => why.includes('no operation that deletes'))).toBe(true)
}

export async function overHttp(mock: WorkspaceMock, key: string, write: boolean) {
  const before = withoutTimers(contentOf(mock))
  const { baseUrl, close } = await serve(mock, { port: 0 })
  const { apiKey, marker, wait, nowMs } = inProcess(mock, key)
  const report = await verify({ baseUrl, apiKey, marker, wait, nowMs, write }).finally(close)
  return { report, before, after: withoutTimers(contentWithout(mock, 'verify-test')) }
}
