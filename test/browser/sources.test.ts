// The two data sources of the console, HTTP and the page, behave the same.
import { consoleControlsOf } from '../../src/adapters/control-api/console-controls.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createHttpSource } from '../../src/tools/console/http-source.ts'
import { createPageSource } from '../../src/tools/console/page-source.ts'
import { type ConsoleSource, type SandboxControls } from '../../src/tools/console/source.ts'
import { settings, type NamedSetting } from '../../src/adapters/control-api/table.ts'
import { changeSetting } from '../../src/adapters/control-api/wire.ts'
import { createWorkspaceMock } from '../../src/index.ts'
import { serve, type RunningServer } from '../../src/node.ts'

const mock = createWorkspaceMock({ fixture: 'demo' })
let server: RunningServer
let sources: { readonly page: ConsoleSource; readonly http: ConsoleSource }

beforeAll(async () => {
  server = await serve(mock)
  sources = { page: createPageSource(mock), http: createHttpSource(server.url) }
})
beforeEach(() => {
  mock.reset()
  for (const name of mock.sandboxes()) mock.deleteSandbox(name)
})
afterAll(() => server.close())

const call = (method: string, path: string, json?: unknown) =>
  fetch(`${server.baseUrl}${path}`, {
    method,
    headers: { authorization: 'Bearer wm_demo_master', 'content-type': 'application/json' },
    body: json === undefined ? null : JSON.stringify(json),
  })

/** The records of all workspaces that have a setting. */
function recordsWith({ of }: NamedSetting): readonly { readonly id: string }[] {
  const { workspaces } = consoleControlsOf(mock).inspect.overview()
  return of === 'workspace'
    ? workspaces
    : workspaces.flatMap((workspace): readonly { readonly id: string }[] => workspace[of])
}

const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

/** Reads from both sources. */
async function both(read: (controls: SandboxControls) => Promise<unknown>) {
  return [
    asJson(await read(sources.page.controls(null))),
    asJson(await read(sources.http.controls(null))),
  ] as const
}

describe.each(['page', 'http'] as const)('the source: %s', (kind) => {
  const controls = () => sources[kind].controls(null)
  const workspace = () => consoleControlsOf(mock).inspect.overview().workspaces[0]!
  const workspaceIs = () => workspace().id

  it('names the mock', async () => {
    expect((await sources[kind].controls(null).health()).fixture).toBe('demo')
    expect(sources[kind].baseUrl).toBe(kind === 'http' ? server.baseUrl : mock.baseUrl)
    expect(asJson(await sources[kind].controls(null).questions())).toEqual(asJson(mock.questions))
  })

  it('returns the end of the journal', async () => {
    for (const path of ['/me', '/spaces', '/forms']) await call('GET', path)
    const paths = async (after: number, limit: number) =>
      (await controls().requests({ after, limit })).map(({ path }) => path)
    expect(await paths(0, 10)).toEqual(['/me', '/spaces', '/forms'])
    expect(await paths(2, 10)).toEqual(['/forms'])
    expect(await paths(0, 2)).toEqual(['/spaces', '/forms'])
    await controls().clearRequests()
    expect(await paths(0, 10)).toEqual([])
  })

  it('sets the clock, its mode, and moves it', async () => {
    await controls().clock.change({ now: 1_800_000_000, mode: 'system' })
    expect(mock.clock.mode).toBe('system')
    await controls().clock.change({ mode: 'manual', now: 1_800_000_000 })
    await controls().clock.advance({ by: '1d' })
    expect(mock.clock.now()).toBe(1_800_000_000 + 86_400)
    await expect(controls().clock.advance({ by: 'a while' })).rejects.toThrow('a while')
  })

  it('sets and removes faults', async () => {
    await controls().fault({ operation: 'listRows', status: 503, times: 3 })
    await controls().fault({ network: true })
    const [first] = await controls().faults()
    expect(first).toMatchObject({ operation: 'listRows', status: 503, times: 3, hits: 0 })
    await controls().removeFault(first?.id ?? '')
    await expect(controls().removeFault(first?.id ?? '')).rejects.toThrow('does not exist')
    expect(mock.faults()).toHaveLength(1)
    await controls().resetFaults()
    expect(mock.faults()).toEqual([])
    // @ts-expect-error no operation documents it
    await expect(controls().fault({ status: 418 })).rejects.toThrow('status must be one of')
  })

  it('changes plan, billing and limits of the named workspace', async () => {
    const free = consoleControlsOf(mock)
      .inspect.overview()
      .workspaces.find(({ plan }) => plan === 'free')!
    await controls().changeWorkspace({
      workspaceId: free.id,
      plan: 'scale',
      billing: 'lapsed',
      limits: { spaces: 2 },
    })
    const changed = consoleControlsOf(mock)
      .inspect.overview()
      .workspaces.find(({ id }) => id === free.id)
    expect(changed).toMatchObject({ plan: 'scale', billing: 'lapsed' })
    expect(changed?.limits.spaces).toEqual({ limit: 2, overridden: true })
    expect(workspace().plan).toBe('pro')
  })

  it.each(settings)(
    'changes the setting $label of $of, of the record that is meant alone',
    async (setting) => {
      const { field, values } = setting
      const valueOf = (record: object) => (record as Readonly<Record<string, unknown>>)[field]
      for (const { id } of recordsWith(setting)) {
        const before = recordsWith(setting)
        const others = before.filter((record) => record.id !== id).map(valueOf)
        for (const value of values) {
          await changeSetting(controls(), setting, id, value)
          const after = recordsWith(setting)
          expect(valueOf(after.find((record) => record.id === id)!)).toEqual(value)
          expect(after.filter((record) => record.id !== id).map(valueOf)).toEqual(others)
        }
      }
      expect(recordsWith(setting).length).toBeGreaterThan(1)
    },
  )

  it('suspends keys, locks tables, publishes and submits forms, restores tasks', async () => {
    await controls().suspendKey('wm_demo_master', true)
    expect((await call('GET', '/me')).status).toBe(402)
    await controls().suspendKey('wm_demo_master', false)
    const [table] = workspace().tables
    await controls().lockTable(table!.id, true)
    expect(workspace().tables[0]?.locked).toBe(true)
    const draft = workspace().forms.find(({ is_published }) => is_published === 0)!
    await expect(controls().submitForm(draft.id, {})).rejects.toThrow()
    await controls().publishForm(draft.id, true)
    expect(workspace().forms.find(({ id }) => id === draft.id)?.is_published).toBe(1)
    const deleted = workspace()
      .lists.flatMap(({ id }) => consoleControlsOf(mock).inspect.tasks(id))
      .find(({ deleted_at }) => deleted_at !== null)!
    await controls().restoreTask(deleted.id)
    expect(
      consoleControlsOf(mock)
        .inspect.tasks(deleted.list_id)
        .find(({ id }) => id === deleted.id)?.deleted_at,
    ).toBeNull()
  })

  it('changes answers, or says why not', async () => {
    await controls().setAnswers({ rowShape: 'flat' })
    expect((await controls().answers()).rowShape).toBe('flat')
    await expect(controls().setAnswers({ rowShape: 'round' as never })).rejects.toThrow('rowShape')
  })

  it('saves, restores and deletes snapshots, and resets', async () => {
    await controls().snapshots.save('one')
    mock.setPlan('business')
    expect(await controls().snapshots.names()).toEqual(['one'])
    await controls().snapshots.restore('one')
    expect(workspace().plan).toBe('pro')
    await controls().snapshots.delete('one')
    expect(await controls().snapshots.names()).toEqual([])
    await expect(controls().snapshots.restore('one')).rejects.toThrow('does not exist')
    mock.setPlan('business')
    await controls().reset()
    expect(workspace().plan).toBe('pro')
  })

  it('remembers faults that met a request and are gone, until a reset', async () => {
    await controls().fault({ operation: 'getIdentity', status: 503 })
    await controls().fault({ operation: 'listForms', status: 503, times: 2 })
    await controls().fault({ operation: 'listSpaces', status: 503 })
    expect(await controls().usedFaults()).toEqual([])
    for (const path of ['/me', '/forms']) await call('GET', path)
    await controls().resetFaults()
    expect(await controls().usedFaults()).toMatchObject([
      { id: 'fault_1', operation: 'getIdentity', hits: 1 },
      { id: 'fault_2', operation: 'listForms', hits: 1, times: 2 },
    ])
    await controls().reset()
    expect(await controls().usedFaults()).toEqual([])
  })

  it('reports the usage of limits, and resets them to those of the plan', async () => {
    const rows = [{ col_customer: 'A' }]
    await call('POST', '/datatables/tbl_orders/rows/bulk', { rows })
    await call('POST', '/datatables/tbl_orders/jobs/insert', { rows })
    const { usage, limits } = (await controls().inspect.overview()).workspaces[0]!
    const nowMs = mock.clock.nowMs()
    expect(usage).toMatchObject({
      concurrentBulkJobs: { used: 1 },
      bulkInsertPerMinute: { used: 1, resetsAtMs: nowMs + 60_000 },
      requestsPerMonth: { used: 2, resetsAtMs: Date.UTC(2026, 1) },
      spaces: { used: mock.db.spaces.count((q) => q.where({ workspace_id: workspaceIs() })) },
    })
    expect(usage.concurrentBulkJobs?.resetsAtMs).toBeGreaterThan(nowMs)
    await controls().changeWorkspace({ limits: { spaces: 5, lists: null } })
    await controls().changeWorkspace({ limits: { spaces: 'plan' } })
    expect(workspace().limits.spaces).toEqual(limits.spaces)
    expect(workspace().limits.lists).toEqual({ limit: null, overridden: true })
    await expect(controls().changeWorkspace({ limits: { spaces: 'free' as never } })).rejects.toThrow(
      'spaces',
    )
  })

  it('fails a running job half-way, whose rows stay', async () => {
    const rows = Array.from({ length: 2500 }, () => ({ col_customer: 'A' }))
    await call('POST', '/datatables/tbl_orders/jobs/insert', { rows })
    mock.clock.advance('1s')
    const { id, row_count: inserted } = workspace().jobs.find(({ completed_ms }) => completed_ms === null)!
    expect(inserted).toBeGreaterThan(0)
    expect(inserted).toBeLessThan(rows.length)
    await controls().failJob(id)
    mock.clock.advance('1h')
    const job = (await (await call('GET', `/jobs/${id}`)).json()) as Record<string, unknown>
    expect(job).toMatchObject({ status: 'failed', metadata: { row_count: inserted } })
    await expect(controls().failJob(id)).rejects.toThrow('has ended')
    await expect(controls().failJob('job_none')).rejects.toThrow('does not exist')
  })

  it('compares snapshots with the current state, and takes one that was read before', async () => {
    await call('POST', '/datatables/tbl_orders/rows', { data: { col_customer: 'kept' } })
    await controls().snapshots.save('one')
    const [same] = await controls().snapshots.list()
    expect(same).toMatchObject({ name: 'one', clock: mock.clock.now(), changes: [] })
    expect(same?.sizeBytes).toBe(JSON.stringify(mock.snapshots.read('one')).length)
    mock.clock.advance('1h')
    await call('POST', '/datatables/tbl_orders/rows', { data: { col_customer: 'new' } })
    await call('PATCH', '/datatables/tbl_orders/rows/row_000001', { data: { col_customer: 'other' } })
    await call('DELETE', '/tasks/tsk_label')
    const [other] = await controls().snapshots.list()
    expect(other?.clock).toBe(mock.clock.now() - 3600)
    expect(other?.changes).toContainEqual({ resource: 'rows', created: 0, changed: 1, deleted: 1 })
    expect(other?.changes).toContainEqual({ resource: 'tasks', created: 0, changed: 1, deleted: 0 })
    const read = asJson(await controls().snapshots.read('one')) as Awaited<
      ReturnType<SandboxControls['snapshot']>
    >
    await controls().snapshots.delete('one')
    await controls().snapshots.add('two', read)
    await controls().snapshots.restore('two')
    expect(asJson(await controls().snapshot())).toEqual(read)
    await expect(controls().snapshots.add('a b', read)).rejects.toThrow('name must be')
    await expect(controls().snapshots.add('bad', { version: 1, base: 'none' })).rejects.toThrow('snapshot')
    await controls().snapshots.delete('two')
  })

  it('acts on its own sandbox only', async () => {
    const { clock } = sources[kind].controls('side')
    await expect(clock.read()).rejects.toThrow('sandbox "side" does not exist')
    expect(mock.sandboxes()).toEqual([])
    mock.sandbox('side')
    await clock.change({ now: 5 })
    expect(await sources[kind].controls(null).sandboxes()).toEqual(['side'])
    expect(mock.sandbox('side').clock.now()).toBe(5)
    expect(mock.clock.now()).not.toBe(5)
    expect(workspaceIs()).toBeTruthy()
  })
})

describe('both sources', () => {
  it('read the same', async () => {
    await call('POST', '/datatables/tbl_orders/rows', { data: { col_customer: 5 } })
    await call('POST', '/datatables/tbl_orders/jobs/insert', { rows: [{ col_customer: 'A' }] })
    const { tables, lists, forms } = consoleControlsOf(mock).inspect.overview().workspaces[0]!
    const readings: ((controls: SandboxControls) => Promise<unknown>)[] = [
      (controls) => controls.inspect.overview(),
      (controls) => controls.requests({ after: 0, limit: 100 }),
      (controls) =>
        controls.har().then((har) => JSON.stringify(har).replaceAll(mock.baseUrl, server.baseUrl).length > 0),
      (controls) => controls.report({ assumptions: true }),
      ...tables.map(
        ({ id }) =>
          (controls: SandboxControls) =>
            controls.inspect.rows(id, { offset: 2, limit: 40 }),
      ),
      ...lists.map(
        ({ id }) =>
          (controls: SandboxControls) =>
            controls.inspect.tasks(id),
      ),
      ...forms.map(
        ({ id }) =>
          (controls: SandboxControls) =>
            controls.inspect.submissions(id),
      ),
      (controls) => controls.answers(),
    ]
    for (const read of readings) {
      const [page, http] = await both(read)
      expect(http).toEqual(page)
    }
    await expect(
      sources.http.controls(null).inspect.rows('tbl_none', { offset: 0, limit: 1 }),
    ).rejects.toThrow('tbl_none')
  })
})
