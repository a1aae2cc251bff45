// Everything that takes a name refuses a misspelled one, and the message names the one that was meant.
import { consoleControlsOf } from '../../src/adapters/control-api/console-controls.ts'
import { describe, expect, it } from 'vitest'
import fc from 'fast-check'
import { createWorkspaceMock, type Fixture, type MockOptions } from '../../src/index.ts'
import { openApiDocument } from '../../src/openapi.ts'
import { serve } from '../../src/node.ts'
import { verify } from '../../src/verify.ts'
import { createApiCall } from '../../src/adapters/vitest/api-call.ts'
import { withCheckedNames } from '../../src/adapters/vitest/fixture-names.ts'

/** Allows calls that the types would refuse, as from JavaScript. */
type Anything = Record<string, (...given: unknown[]) => unknown>

const fixture = {
  name: 'named',
  workspaces: [
    {
      id: 'wsp_1',
      name: 'Roastery',
      members: [{ id: 'mbr_ada', name: 'Ada' }],
      keys: [{ key: 'wm_one', name: 'master', kind: 'master', member_id: 'mbr_ada' }],
      tables: [
        { id: 'tbl_1', name: 'Cuppings', columns: [{ id: 'col_score', name: 'Score', type: 'number' }] },
      ],
      spaces: [
        {
          name: 'Ops',
          lists: [
            {
              id: 'lst_1',
              name: 'Inbox',
              fields: [{ id: 'fld_area', name: 'Area', type: 'text' }],
              tasks: [{ title: 'Pay rent' }],
            },
          ],
        },
      ],
      forms: [{ id: 'frm_1', name: 'Enquiry', target_type: 'task', target_id: 'lst_1' }],
    },
  ],
} as const satisfies Fixture

const made = () => createWorkspaceMock({ fixture })
const controls = () => made() as unknown as Anything

const call = (name: string, ...given: unknown[]) => [name, () => controls()[name]?.(...given)] as const
const seed = (part: object) => ['seed', () => controls().seed?.(part)] as const
const create = (options: object) =>
  ['createWorkspaceMock', () => createWorkspaceMock(options as MockOptions)] as const
const answers = (given: object) => ['setAnswers', () => controls().setAnswers?.(given)] as const
const found = (selection: unknown, options?: unknown) =>
  ['db', () => (made().db.tasks as unknown as Anything).findMany?.(selection, options)] as const
const where = (condition: object) =>
  found((query: { where(given: object): unknown }) => query.where(condition))
const apiCall = (...given: unknown[]) =>
  ['call', () => (createApiCall(made()) as unknown as (...args: unknown[]) => unknown)(...given)] as const
const inTable = (column: object) => seed({ tables: [{ name: 'T', columns: [{ name: 'A', ...column }] }] })
const inList = (list: object) => seed({ lists: [{ name: 'L', ...list }] })
const inTask = (task: object) => seed({ tasks: [{ title: 'T', ...task }] })

/** A misspelled name, and the name that was meant. */
const misspelled: readonly (readonly [meant: string, ...(readonly [string, () => unknown])])[] = [
  ['limits', ...create({ limts: {} })],
  ['empty', ...create({ fixture: 'emtpy' })],
  ['pro', ...create({ plan: 'por' })],
  ['system', ...create({ clock: 'sytem' })],
  ['maxFileBytes', ...create({ limits: { maxFileByte: 1 } })],
  ['rowShape', ...create({ answers: { rowShap: 'flat' } })],
  ['workspaces', ...create({ fixture: { workspace: [] } })],
  [
    'title',
    ...create({
      fixture: { workspaces: [{ spaces: [{ name: 'S', lists: [{ name: 'L', tasks: [{ titel: 'T' }] }] }] }] },
    }),
  ],
  ['spaces', ...create({ fixture: { workspaces: [{ limits: { spacs: 1 } }] } })],
  ['flat', ...answers({ rowShape: 'flta' })],
  ['urgent', ...answers({ taskPriority: { urgnet: 7 } })],
  ['getIdentity', ...answers({ scopes: { getIdentty: 'me' } })],
  ['scale', ...call('setPlan', 'scael')],
  ['bulkRowsPerJob', ...call('setLimits', { bulkRowPerJob: 1 })],
  ['master', ...call('suspendKey', 'mastre')],
  ['Cuppings', ...call('lockTable', 'Cupping')],
  ['tbl_1', ...call('lockTable', 'tbl1')],
  ['Enquiry', ...call('publishForm', 'Inquiry')],
  ['Enquiry', ...call('submitForm', 'Inquiry', {})],
  ['operation', ...call('fault', { opration: 'createTask' })],
  ['createTask', ...call('fault', { operation: 'createTsk' })],
  ['after', ...call('fault', { phase: 'atfer' })],
  ['spaces', ...call('fault', { status: 403, resource: 'spcaes' })],
  ['path', ...call('fault', { match: { pth: '/me' } })],
  ['createTask', ...call('requests', { operation: 'createTaks' })],
  ['status', ...call('requests', { staus: 200 })],
  ['curl', ...call('copyAs', 'crul')],
  ['assumptions', ...call('report', { assumption: true })],
  ['pending', ...call('watch', () => undefined, { pendng: true })],
  ['strict', 'db', () => made().db.tasks.findFirst(undefined, { strct: true } as never)],
  ['take', 'db', () => made().db.tasks.findMany(undefined, { tke: 1 } as never)],
  ['strict', 'db', () => made().db.tasks.delete((q) => q.where({ id: 'x' }), { strikt: true } as never)],
  ['maxRuns', ...call('explore', () => undefined, { maxRun: 1 })],
  ['transient', ...call('explore', () => undefined, { families: ['errors'], faults: 'transiant' })],
  ['task.created', 'events', () => (made().events as unknown as Anything).on?.('task.craeted', () => 0)],
  ['manual', 'clock', () => Object.assign(made().clock, { mode: 'manaul' })],
  ['Cuppings', 'db', () => made().db.rows('Cupings')],
  ['Cuppings', 'inspect', () => consoleControlsOf(made()).inspect.rows('cupings')],
  [
    'offset',
    'inspect',
    () => (consoleControlsOf(made()).inspect as unknown as Anything).rows?.('tbl_1', { ofset: 1 }),
  ],
  ['Inbox', 'inspect', () => consoleControlsOf(made()).inspect.tasks('Inbx')],
  ['Enquiry', 'inspect', () => consoleControlsOf(made()).inspect.submissions('Enqiry')],
  ['before', 'snapshot', () => restoreNamed('befor')],
  ['title', ...where({ titel: 'Pay rent' })],
  ['frequency', ...where({ repeat_config: { frequncy: 'daily' } })],
  ['created_at', ...found(undefined, { orderBy: { createdAt: 'asc' } })],
  [
    'data',
    'rows',
    () =>
      (made().db.rows('tbl_1') as unknown as Anything).findMany?.(undefined, { orderBy: [{ dta: 'asc' }] }),
  ],
  ['title', 'create', () => made().db.tasks.create({ titel: 'T' } as object)],
  [
    'priority',
    'update',
    () =>
      made().db.tasks.update((q) => q.where({ title: 'Pay rent' }), {
        data: (task) => void Object.assign(task, { prioritty: 'low' }),
      }),
  ],
  ['tasks', ...seed({ task: [] })],
  ['title', ...inTask({ titel: 'T' })],
  ['urgent', ...inTask({ priority: 'urgnt' })],
  ['mbr_ada', ...inTask({ assignees: ['mbr_adda'] })],
  ['fld_area', ...inTask({ custom_data: { Aera: 'x' } })],
  ['Pay rent', ...inTask({ parent_task_id: 'Pay rant' })],
  ['on_complete', ...inTask({ repeat_config: { trigger: 'on_completed' } })],
  ['filename', ...inTask({ attachments: [{ filname: 'a.txt' }] })],
  ['number', ...inTable({ type: 'nubmer' })],
  ['readonly', ...inTable({ readonyl: true })],
  ['col_score', ...seed({ tables: [{ id: 'tbl_1', rows: [{ data: { scroe: 1 } }] }] })],
  ['version', ...seed({ tables: [{ id: 'tbl_1', rows: [{ verison: 1 }] }] })],
  ['active', ...inList({ statuses: [{ name: 'Open', type: 'actve' }] })],
  ['checkbox', ...inList({ fields: [{ name: 'F', type: 'chekbox' }] })],
  ['tbl_1', ...inList({ fields: [{ name: 'F', type: 'datatable', table_id: 'tbl1' }] })],
  ['tasks:read', ...seed({ keys: [{ key: 'wm_x', scopes: ['task:read'] }] })],
  ['scoped', ...seed({ keys: [{ key: 'wm_x', kind: 'scopd' }] })],
  ['lst_1', ...seed({ forms: [{ name: 'F', target_type: 'task', target_id: 'lst1' }] })],
  ['port', 'serve', () => serve(made(), { prot: 0 } as object)],
  ['baseUrl', 'openApiDocument', () => openApiDocument({ baseURL: 'https://a.test/v1' } as object)],
  ['apiKey', 'verify', () => verify({ baseUrl: 'https://a.test/v1', apikey: 'x' } as never)],
  ['createTask', ...apiCall('createTsk')],
  ['params', ...apiCall('getTask', { parms: { taskId: 'tsk_1' } })],
  ['taskId', ...apiCall('getTask', { params: { taskid: 'tsk_1' } })],
]

function restoreNamed(name: string): void {
  const mock = made()
  mock.snapshots.save('before')
  mock.snapshots.restore(name)
}

const messageOf = async (run: () => unknown): Promise<string> => {
  try {
    await run()
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
  return 'no error'
}

describe('a misspelled name', () => {
  it.each(misspelled)('is answered with %s by %s, case %$', async (meant, _, run) => {
    const message = await messageOf(run)
    const [, suggestion = ''] = /(?:the nearest (?:to \S+ )?is|did you mean) (.*)$/m.exec(message) ?? []
    expect(suggestion, message).toContain(meant)
  })

  const swapped = (name: string) =>
    fc
      .nat(name.length - 2)
      .map((at) => `${name.slice(0, at)}${name[at + 1] ?? ''}${name[at] ?? ''}${name.slice(at + 2)}`)

  it.each([...createWorkspaceMock().questions.map(({ id }) => id)])('of the question %s finds it', (id) => {
    fc.assert(
      fc.property(swapped(id), (name) => {
        fc.pre(name !== id)
        expect(() => made().setAnswers({ [name]: 1 })).toThrow(`the nearest is "${id}"`)
      }),
      { numRuns: 3 },
    )
  })
})

describe('answers to taskPriority that clash', () => {
  const names = ['none', 'low', 'normal', 'high', 'urgent'] as const

  it.each(names.flatMap((first, index) => names.slice(index + 1).map((second) => [first, second] as const)))(
    '%s and %s are named',
    (first, second) => {
      expect(() => made().setAnswers({ taskPriority: { [first]: 9, [second]: 9 } })).toThrow(
        `${first} and ${second} are both 9`,
      )
    },
  )
})

describe('fixtures of vitest', () => {
  const taken: unknown[] = []
  const method = (...given: unknown[]) => {
    taken.push(given[0])
    return Object.assign(() => undefined, { extend: method, override: method })
  }
  const test = withCheckedNames(
    method() as never,
    ['mockOptions', 'passthrough'],
    ['mockOptions', 'passthrough', 'mock'],
  )
  const { extend, override } = test as unknown as Anything

  it.each(['mockOption', 'mockOptoins', 'mockoptions', 'passtrough'])('extend refuses %s', (name) => {
    expect(() => extend?.({ [name]: {} })).toThrow(/did you mean (mockOptions|passthrough)\?/)
    expect(() => extend?.(name, {})).toThrow(/did you mean (mockOptions|passthrough)\?/)
  })

  it.each(['mockOption', 'mock2', 'mok'])('override refuses %s', (name) => {
    expect(() => override?.({ [name]: {} })).toThrow(`the nearest to ${name} is mock`)
  })

  it('take fixtures of the test itself, which can be overridden then', () => {
    const own = extend?.({ user: 'ada', mockOptions: {} }) as Anything
    own.override?.({ user: 'bob', mock: {} })
    expect(taken.slice(-2)).toEqual([
      { user: 'ada', mockOptions: {} },
      { user: 'bob', mock: {} },
    ])
    expect(() => own.override?.({ usr: 1 })).toThrow('the nearest to usr is user')
  })
})
