// Pastes a finding's line before the scenario in a plain test, where it must show what the finding says.
import { runInNewContext } from 'node:vm'
import {
  createWorkspaceMock,
  type ExploreContext,
  type ExploreFinding,
  type WorkspaceMock,
} from 'workspace-api-mock'

type Scenario = (context: ExploreContext<WorkspaceMock>) => unknown

interface Ended {
  readonly mock: WorkspaceMock
  readonly key: string
  /** Absent while it is still running. */
  readonly end?: { readonly error?: unknown; readonly value?: unknown }
  readonly printed: string
  readonly storage: string
}

const longestMs = (reproduction: string) => (reproduction.includes("'system'") ? 4000 : 1000)

async function runPlain(scenario: Scenario, reproduction: string, isAdvanced: boolean): Promise<Ended> {
  const mock = createWorkspaceMock({ advanceOnPoll: !reproduction.includes('advanceOnPoll: false') })
  const { timeout } = AbortSignal
  runInNewContext(reproduction, { mock, AbortSignal, AbortController, DOMException })
  const context: ExploreContext<WorkspaceMock> = {
    mock,
    baseUrl: mock.baseUrl,
    key: mock.keys.master,
    fetch: (input, init) => mock.fetch(new Request(input, init)),
    sleep: mock.clock.sleep,
    storage: new Map(),
  }
  const printed: unknown[] = []
  const { error: print } = console
  console.error = (...values) => void printed.push(...values)
  let end: Ended['end']
  const run = async () => {
    try {
      end = { value: await scenario(context) }
    } catch (error) {
      end = { error }
    }
  }
  const running = run()
  const waitLong = () => new Promise((resolve) => setTimeout(resolve, longestMs(reproduction)))
  await Promise.race([running, waitLong()])
  const isHanging = end === undefined
  // Anything still running would keep the event loop busy for all later tests in this process.
  if (isHanging || reproduction.includes('resetFaults')) mock.resetFaults()
  if (isHanging) await Promise.race([running, waitLong()])
  else if (reproduction.includes('resetFaults')) await run()
  if (isAdvanced) mock.clock.advance('1h')
  console.error = print
  AbortSignal.timeout = timeout
  const storage = textOf(context.storage)
  const result = { mock, key: context.key, printed: JSON.stringify(printed), storage }
  return isHanging || !end ? result : { ...result, end }
}

function* objectsOf(value: unknown): Generator<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return
  yield value as Record<string, unknown>
  for (const one of Object.values(value)) yield* objectsOf(one)
}

/** How many records in a state have a name, excluding deleted ones. */
const countNamed = (mock: WorkspaceMock, name: string) =>
  [...objectsOf(mock.state())].filter(
    ({ deleted_at: deletedAt, ...record }) =>
      (deletedAt ?? null) === null &&
      Object.values(record).some((value) => typeof value === 'string' && value.slice(0, 60) === name),
  ).length

const hasValue = (mock: WorkspaceMock, id: string, field: string, value: unknown) => {
  const [name = '', inner] = field.split('.')
  return [...objectsOf(mock.state())].some((record) => {
    // In an undisturbed run, the record may have another id.
    if (record.id !== id && !('title' in record)) return false
    const outer = (record.data as typeof record | undefined)?.[name] ?? record[name]
    const found = inner === undefined ? outer : (outer as typeof record)[inner]
    return field === 'deleted'
      ? (record.deleted_at ?? null) !== null || value === false
      : JSON.stringify(found ?? null) === JSON.stringify(value ?? null)
  })
}

const textOf = (value: unknown): string =>
  value instanceof Error
    ? JSON.stringify([value.message, textOf(value.cause), value])
    : JSON.stringify(value ?? null, (_, one: unknown) => (one instanceof Map ? [...one] : one))

/** Whether a finding's `reproduction` reproduces it when the scenario runs as a plain test. */
export async function isShownByLine(finding: ExploreFinding, scenario: Scenario): Promise<boolean> {
  const { kind, rule, difference, reproduction, cause } = finding
  const isAdvanced = reproduction.includes("mock.clock.advance('1h')")
  const { mock, key, end, printed, storage } = await runPlain(scenario, reproduction, isAdvanced)
  if (kind === 'hang') return end === undefined
  if (kind === 'rule') return mock.report().some((one) => one.rule === rule)
  if (!end) return false
  if (kind === 'key shown') return (textOf(end.error) + textOf(end.value) + printed).includes(key)
  if (kind === 'result')
    return textOf(end.value) !== textOf((await runPlain(scenario, '', isAdvanced)).end?.value)
  if (kind === 'storage') return storage !== (await runPlain(scenario, '', isAdvanced)).storage
  if (cause === 'depends pages') {
    const pages = mock.requests().map(({ responseBody }) => (responseBody as { json?: any } | null)?.json)
    const ids = new Set(pages.flatMap((page) => page.rows).map(({ id }) => id))
    return ids.size < pages[0].total
  }
  if (kind !== 'state') return end.error !== undefined
  if (cause.endsWith('of others')) return countNamed(mock, 'Made by another user') === 0
  if (!difference) {
    const made = mock.db.submissions.findMany().at(-1)!
    return !mock.requests().some(({ responseBody }) => JSON.stringify(responseBody).includes(made.id))
  }
  const { change, record, id, field, disturbed } = difference
  const undisturbed = countNamed((await runPlain(scenario, '', isAdvanced)).mock, record)
  const count = countNamed(mock, record)
  if (change === 'missing') return count < undisturbed
  if (change === 'changed') return hasValue(mock, id ?? record, field ?? '', disturbed)
  return count > undisturbed
}
