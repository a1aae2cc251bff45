// Text is only for people: replacing every sentence in the sources changes nothing but text.
import { consoleControlsOf } from '../../src/adapters/control-api/console-controls.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ViteDevServer } from 'vite'
import * as source from '../../src/tools/console/page-source.ts'
import { callNamed } from '../../src/adapters/control-api/wire.ts'
import { createWorkspaceMock, type WorkspaceMock as Mock } from '../../src/index.ts'
import { serveOtherWords } from './support/other-words.ts'

const own = { create: createWorkspaceMock, source }
type Loaded = typeof own

let server: ViteDevServer
/** The sources, unchanged and with their sentences replaced. */
let loaded: readonly Loaded[]

const loadOther = async (): Promise<Loaded> => ({
  create: ((await server.ssrLoadModule('/src/index.ts')) as { createWorkspaceMock: Loaded['create'] })
    .createWorkspaceMock,
  source: (await server.ssrLoadModule('/src/tools/console/page-source.ts')) as typeof source,
})

beforeAll(async () => {
  server = await serveOtherWords()
  loaded = [own, await loadOther()]
})
afterAll(() => server.close())

/** Replaces every text of several words with the same text, so that only other values can differ. */
const withoutText = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (_, each: unknown) =>
      typeof each === 'string' && /\s/.test(each) ? 'text' : each,
    ),
  )

interface Sent {
  readonly method?: string
  readonly path: string
  readonly json?: unknown
  readonly key?: string
}

const send = (mock: Mock, { method = 'GET', path, json, key = 'wm_demo_master' }: Sent) =>
  mock
    .fetch(path, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: json === undefined ? null : JSON.stringify(json),
    })
    .then(
      ({ status }) => status,
      () => 0,
    )

const rows = (count: number) => ({ rows: Array.from({ length: count }, () => ({ col_customer: 'A' })) })
const bulk = { method: 'POST', path: '/datatables/tbl_orders/rows/bulk', json: rows(1) }
const job = { method: 'POST', path: '/datatables/tbl_orders/jobs/insert', json: rows(1) }
const space = { method: 'POST', path: '/spaces', json: { name: 'Second' } }
const tasks = '/lists/lst_launch/tasks'
const submissions = '/forms/frm_cupping/submissions'

/** Requests that are refused or break rules, preceded by the steps that lead there. */
const scenes: Readonly<
  Record<
    string,
    readonly [Sent, ...(Sent | ((mock: Mock) => unknown))[]] | readonly (Sent | ((mock: Mock) => unknown))[]
  >
> = {
  'an unknown key': [{ path: '/me', key: 'wm_none' }],
  'a suspended key': [{ path: '/me', key: 'wm_demo_suspended' }],
  'lapsed billing': [{ path: '/me', key: 'wm_lapsed_master' }],
  'a missing scope': [{ ...space, key: 'wm_demo_scoped' }],
  'a plan without jobs': [(mock) => mock.setPlan('free'), job],
  'a limit of spaces': [(mock) => mock.setLimits({ spaces: 2 }), space],
  'a locked table': [(mock) => mock.lockTable('tbl_orders'), bulk],
  'too many rows': [{ ...bulk, json: rows(251) }],
  'a limit of rate': [(mock) => mock.setLimits({ bulkInsertPerMinute: 1 }), bulk, bulk],
  'a job too many': [job, job],
  'an edit of a running entry': [
    { method: 'POST', path: '/tasks/tsk_label/time-entries', json: { action: 'start' } },
    (mock) => {
      const { id } = mock.db.timeEntries.findFirst((q) => q.where({ is_running: 1, task_id: 'tsk_label' }))!
      return send(mock, { method: 'PATCH', path: `/tasks/tsk_label/time-entries/${id}`, json: { note: 'x' } })
    },
  ],
  'a deleted task': [{ method: 'DELETE', path: '/tasks/tsk_label' }, { path: '/tasks/tsk_label' }],
  'an unknown path': [{ path: '/task/tsk_label' }, { path: '/task/tsk_label' }],
  'an unknown id': [{ path: '/tasks/tsk_labels' }],
  'a foreign id': [{ path: '/tasks/tsk_label', key: 'wm_free_master' }],
  'a wrong body': [
    { method: 'POST', path: tasks, json: { titel: 'x' } },
    { method: 'POST', path: tasks, json: { title: 5, due_date: 1_767_607_200_000 } },
    { method: 'POST', path: tasks, json: { title: ' ' } },
    { method: 'PATCH', path: '/tasks/tsk_label', json: { repeat_config: { trigger: 'on_schedule' } } },
  ],
  'wrong keys': [
    { method: 'POST', path: '/datatables/tbl_orders/rows', json: { data: { Customer: 'A' } } },
    { method: 'POST', path: '/datatables/tbl_orders/rows', json: { data: { none: 'A' } } },
    { ...bulk, json: { rows: [{ col_customer: 'A' }, { none: 'B' }] } },
  ],
  'wrong pages': [
    { path: `${tasks}?limit=1000` },
    { path: `${tasks}?limit=1&offset=0` },
    { path: `${tasks}?limit=1&offset=1` },
    { path: `${tasks}?limit=1&offset=4` },
    { path: '/me?x=1' },
  ],
  'listings again': [{ path: submissions }, { path: submissions }, { path: `${submissions}?since=x` }],
  'polls of a finished job': [
    job,
    (mock) => mock.clock.advance('1h'),
    (mock) =>
      send(mock, {
        path: `/jobs/${consoleControlsOf(mock).inspect.overview().workspaces[0]!.jobs.at(-1)!.id}`,
      }),
    (mock) =>
      send(mock, {
        path: `/jobs/${consoleControlsOf(mock).inspect.overview().workspaces[0]!.jobs.at(-1)!.id}`,
      }),
  ],
  'repeats after faults': [
    (mock) => mock.fault({ operation: 'getIdentity', status: 503, times: 7 }),
    ...Array.from({ length: 8 }, () => ({ path: '/me' })),
    (mock) => mock.fault({ operation: 'listForms', network: true }),
    { path: '/forms' },
    (mock) => mock.fault({ operation: 'listSpaces', status: 429, retryAfter: 5 }),
    { path: '/spaces' },
    { path: '/spaces' },
  ],
}

/** Plays a scene and returns what the mock and its console conclude. */
async function decide({ create, source }: Loaded, steps: (typeof scenes)[string]): Promise<unknown> {
  const mock = create()
  const controls = source.createPageSource(mock).controls(null)
  for (const step of steps) await (typeof step === 'function' ? step(mock) : send(mock, step))
  const explained = await Promise.all(mock.requests().map(({ id }) => controls.reason(id)))
  const decided = {
    requests: mock.requests(),
    report: mock.report({ assumptions: true }),
    coverage: mock.coverage(),
    explained,
    faults: mock.copyAs('fault').split('\n').length,
    paragraphs: mock.explain().split('\n\n').length,
    state: mock.state(),
  }
  const remedies = explained.flatMap((reason) => reason?.remedies ?? [])
  const after: unknown[] = []
  for (const remedy of remedies) {
    const { control, args } = remedy
    if (control !== undefined)
      await Promise.resolve(callNamed(controls, control.split('.'), args)).catch(() => after.push('rejected'))
    const last = steps.findLast((step) => typeof step === 'object')
    if (last) after.push(await send(mock, { ...last, ...(remedy.key !== undefined && { key: remedy.key }) }))
  }
  return withoutText({ ...decided, after })
}

/** Calls of controls that must be refused. */
const calls: readonly ((mock: Mock) => unknown)[] = [
  (mock) => mock.setPlan('enterprise' as 'free'),
  (mock) => mock.lockTable('tbl_none'),
  (mock) => mock.fault({ status: 418 } as never),
  (mock) => mock.failJob('job_none'),
  (mock) => mock.submitForm('frm_cupping', { none: 1 }),
  (mock) => mock.setAnswers({ rowShape: 'round' } as never),
  (mock) => mock.restore({ version: 1, base: 'none' } as never),
  (mock) => mock.loadState({ name: 'x', clock: 0, workspaces: [{ id: 5 }] } as never),
  (mock) => mock.clock.advance('a while' as '1s'),
  (mock) => {
    const state = structuredClone(mock.state()) as unknown as {
      workspaces: { spaces: { lists: { tasks: Record<string, unknown>[] }[] }[] }[]
    }
    state.workspaces[0]!.spaces[0]!.lists[0]!.tasks[0]!.repeat_config = { trigger: 'on_schedule' }
    mock.loadState(state as never)
  },
]

function refusalOf({ create }: Loaded, call: (mock: Mock) => unknown): unknown {
  try {
    return ['nothing was refused', call(create())]
  } catch (error) {
    const { name, problems = [] } = error as Error & { readonly problems?: readonly { path: string }[] }
    return [name, problems.map(({ path }) => path)]
  }
}

describe('with other words in every sentence', () => {
  it('messages have other words', async () => {
    const [one, other] = await Promise.all(
      loaded.map(
        async ({ create }) => (await create().fetch('/nowhere')).json() as Promise<{ error: string }>,
      ),
    )
    expect(one?.error).toContain('operation matches')
    expect(other?.error).not.toContain('operation matches')
  })

  it.each(Object.entries(scenes))('the mock and its console decide the same about %s', async (_, steps) => {
    const [one, other] = await Promise.all(loaded.map((each) => decide(each, steps)))
    expect(other).toEqual(one)
  })

  it.each(calls)('a control refuses the same: %s', (call) => {
    const [one, other] = loaded.map((each) => refusalOf(each, call))
    expect(one).not.toContain('nothing was refused')
    expect(other).toEqual(one)
  })

  it('an exploration finds the same', async () => {
    const explored = await Promise.all(
      loaded.map(async ({ create }) => {
        const { findings } = await create().explore(
          async ({ baseUrl, key, fetch }) => {
            const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
            const create = () =>
              fetch(`${baseUrl}${tasks}`, { method: 'POST', headers, body: JSON.stringify({ title: 'A' }) })
            for (let attempt = 0; attempt < 3; attempt++) {
              const response = await create().catch(() => undefined)
              if (response?.ok === true) return
            }
          },
          { families: ['errors'] },
        )
        return findings
      }),
    )
    const [one, other] = explored.map(withoutText)
    expect(explored[0]?.length).toBeGreaterThan(0)
    expect(other).toEqual(one)
  })
})
