// Names that every object inherits, as arguments of controls: refused like any unknown name, or kept as data.
import { consoleControlsOf } from '../../src/adapters/control-api/console-controls.ts'
import { describe, expect, it } from 'vitest'
import { createWorkspaceMock, type Fixture, type WorkspaceMock } from '../../src/index.ts'
import { testFixture } from '../behaviour/support/fixture.ts'

const inherited = ['__proto__', 'constructor', 'toString'] as const
const other = 'any_other'
const small = () => createWorkspaceMock({ fixture: testFixture as unknown as Fixture })
const keyed = (key: string, value: unknown) =>
  JSON.parse(JSON.stringify({ x: value }).replace('"x"', `"${key}"`))

const controls: Record<string, (mock: any, name: string) => unknown> = {
  setPlan: (mock, name) => mock.setPlan(name),
  lockTable: (mock, name) => mock.lockTable(name),
  suspendKey: (mock, name) => mock.suspendKey(name),
  restoreTask: (mock, name) => mock.restoreTask(name),
  publishForm: (mock, name) => mock.publishForm(name),
  submitForm: (mock, name) => mock.submitForm(name, {}),
  setLimits: (mock, name) => mock.setLimits(keyed(name, 1)),
  setAnswers: (mock, name) => mock.setAnswers(keyed(name, 1)),
  'setAnswers, planFeatures': (mock, name) => mock.setAnswers({ planFeatures: keyed(name, []) }),
  'setAnswers, scopes': (mock, name) => mock.setAnswers({ scopes: keyed(name, 'x') }),
  'setAnswers, statusTransitions': (mock, name) =>
    mock.setAnswers({ statusTransitions: keyed(name, ['done']) }),
  'clock.advance': (mock, name) => mock.clock.advance(name),
  sandbox: (mock, name) => [mock.sandbox(name).requests(), mock.sandboxes(), mock.deleteSandbox(name)],
  deleteSandbox: (mock, name) => mock.deleteSandbox(name),
  saveSnapshot: (mock, name) => [
    mock.snapshots.save(name),
    mock.snapshots.list(),
    mock.snapshots.restore(name),
    mock.snapshots.delete(name),
    mock.snapshots.list(),
  ],
  restoreSnapshot: (mock, name) => mock.snapshots.restore(name),
  deleteSnapshot: (mock, name) => mock.snapshots.delete(name),
  fault: (mock, name) => mock.fault(keyed(name, 1)),
  'fault, operation': (mock, name) => mock.fault({ operation: name }),
  'fault, resource': (mock, name) => mock.fault({ status: 429, resource: name }),
  'fault, match': (mock, name) => mock.fault({ match: keyed(name, 'x') }),
  'fault, match.params': (mock, name) => [
    mock.fault({ match: { params: keyed(name, name), query: keyed(name, 'x'), body: keyed(name, 1) } }).id,
    JSON.stringify(mock.faults()),
  ],
  removeFault: (mock, name) => mock.removeFault(name),
  requests: (mock, name) => mock.requests({ operation: name }),
  'requests, filter': (mock, name) => mock.requests(keyed(name, 1)),
  request: (mock, name) => consoleControlsOf(mock).request(name as never),
  reason: (mock, name) => consoleControlsOf(mock).reason(name as never),
  report: (mock, name) => mock.report(keyed(name, true)),
  'events.on': (mock, name) => mock.events.on(name, () => undefined),
  seed: (mock, name) => mock.seed(keyed(name, [])),
  loadState: (mock, name) => mock.loadState({ ...mock.state(), ...keyed(name, []) }),
  'db.rows': (mock, name) => mock.db.rows(name),
  'db.tasks.findFirst': (mock, name) => mock.db.tasks.findFirst((query: any) => query.where({ id: name })),
  'db.tasks.create': (mock, name) => mock.db.tasks.create(keyed(name, 1)),
}

/** What a control returns, or its error without the names it suggests. */
async function outcome(mock: WorkspaceMock, control: string, name: string): Promise<string> {
  try {
    return JSON.stringify([await controls[control]?.(mock, name)]).replaceAll(name, other)
  } catch (error) {
    const { name: kind, message } = error as Error
    expect(message).toContain(name)
    return `${kind}: ${message.replaceAll(name, other).replace(/(the nearest |did you mean |there are |allowed: |existing: ).*/, '')}`
  }
}

describe.each(inherited)('%s', (name) => {
  it.each(Object.keys(controls))('is to %s as any other name', async (control) => {
    const mock = small()
    const before = JSON.stringify(mock.state())
    expect(await outcome(mock, control, name)).toBe(await outcome(small(), control, other))
    expect(JSON.stringify(mock.state())).toBe(before)
    expect(({} as Record<string, unknown>)[other]).toBeUndefined()
  })

  it('matches a fault by the id in a path, and is refused as the name of a parameter that no path has', async () => {
    const mock = createWorkspaceMock()
    mock.fault({ status: 503, match: { params: { rowId: name } } })
    expect(() => mock.fault({ status: 500, match: { params: keyed(name, name) } })).toThrow(
      `match.params.${name} is not a path parameter`,
    )
    const table = mock.db.tables.findFirst()?.id ?? ''
    const ask = async (id: string) => {
      const headers = { authorization: `Bearer ${mock.keys.master ?? ''}` }
      return (await mock.fetch(`/datatables/${table}/rows/${id}`, { headers })).status
    }
    expect([await ask(other), await ask(name), await ask(name)]).toEqual([404, 503, 404])
    expect(mock.faults()).toEqual([])
  })
})

describe('100,000 wrong values', () => {
  const count = 100_000
  const keys = (value: unknown) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`key_${String(index)}`, value]))
  const items = (value: unknown) => Array.from({ length: count }, () => value)
  const mock: any = createWorkspaceMock({ fixture: 'empty' })
  const state = mock.state()
  const [workspace] = state.workspaces
  const wrong: Record<string, () => unknown> = {
    'of files': () => mock.loadState({ ...state, files: keys(7) }),
    'of files to seed': () => mock.seed({ files: keys(null) }),
    'of ids in runtime': () => mock.loadState({ ...state, runtime: { ...state.runtime, ids: keys('x') } }),
    'of a fixture': () => mock.loadState({ ...state, ...keys(7) }),
    'of a workspace': () => mock.loadState({ ...state, workspaces: [{ ...workspace, ...keys(7) }] }),
    'of tables': () => mock.loadState({ ...state, workspaces: [{ ...workspace, tables: items(7) }] }),
    'of rows': () =>
      mock.seed({
        tables: [{ name: 'T', columns: [{ id: 'c', name: 'C', type: 'text' }], rows: items(7) }],
      }),
    'of a row': () =>
      mock.seed({
        tables: [{ name: 'T', columns: [{ id: 'c', name: 'C', type: 'text' }], rows: [{ data: keys(7) }] }],
      }),
    'of a row, with a long name': () =>
      mock.seed({
        tables: [
          {
            name: 'T',
            columns: [{ id: 'c', name: 'C', type: 'text' }],
            rows: [{ data: { ['x'.repeat(count)]: 7 } }, { ['y'.repeat(count)]: 7 }],
          },
        ],
      }),
    'of tasks to seed': () => mock.seed({ tasks: items('x') }),
    'of limits': () => mock.setLimits(keys(7)),
    'of answers': () => mock.setAnswers(keys(7)),
    'of scopes': () => mock.setAnswers({ scopes: keys(7) }),
    'of types': () => mock.setAnswers({ customFieldTypes: items(7) }),
    'of a fault': () => mock.fault(keys(7)),
    "of a fault's match": () => mock.fault({ match: { params: keys(7) } }),
    "of a snapshot's answers": () => mock.restore({ ...mock.snapshot(), answers: keys(7) }),
    "of a snapshot's records": () => mock.restore({ ...mock.snapshot(), records: keys(7) }),
  }

  const isOfFixture = (what: string) => ['of a fixture', 'of a workspace', 'of a row'].includes(what)

  it.each(Object.keys(wrong))('%s are refused in a few lines', (what) => {
    const before = JSON.stringify(mock.state())
    let message = ''
    try {
      wrong[what]?.()
    } catch (error) {
      message = (error as Error).message
    }
    expect(message).not.toBe('')
    // A check that stops early does not claim to have counted all problems.
    expect(message).not.toMatch(/has 10001 problems/)
    // An error about a fixture names at most 50 causes, each in one line.
    expect(message.split('\n').length).toBeLessThanOrEqual(52)
    expect(message.length).toBeLessThan(isOfFixture(what) ? 10_000 : 2500)
    expect(JSON.stringify(mock.state())).toBe(before)
  })
})
