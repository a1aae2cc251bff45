// Checks that reset is complete, that state can be exported and loaded again, and that snapshots hold everything.
import { describe, expect, it } from 'vitest'
import { NOW, testFixture } from '../support/fixture.ts'
import { multipart, stateOf, times, useMock } from '../support/harness.ts'
import { runScript } from '../support/script.ts'

describe('reset', () => {
  const { api, control } = useMock()

  it('mock.reset() restores the fresh state after a long script, which then answers byte for byte the same', async () => {
    const fresh = await control.state()
    const answers = await control.answers()
    const first = await runScript(api, control)
    expect(await control.state()).not.toEqual(fresh)
    await control.reset()
    expect(await control.state()).toEqual(fresh)
    expect(JSON.stringify(await control.state())).toBe(JSON.stringify(fresh))
    expect(await control.answers()).toEqual(answers)
    expect(await control.nowMs()).toBe(NOW * 1000)
    expect(await runScript(api, control)).toEqual(first)
  })

  it('mock.reset() makes ids, autonumbers, windows and running jobs start anew', async () => {
    const use = async () => {
      const replies = [
        await api.post('/datatables/tbl_all/rows', { data: {} }),
        await api.post('/datatables/tbl_all/jobs/insert', { rows: [{}] }),
        await api.post('/datatables/tbl_all/rows/bulk', { rows: [{}] }),
      ]
      return replies.map(({ status, text }) => [status, text])
    }
    const first = await use()
    await control.reset()
    expect(await use()).toEqual(first)
  })
})

describe('state', () => {
  const { api, control } = useMock({ advanceOnPoll: false })

  it('mock.loadState() takes what mock.state() exports, which then exports the same again', async () => {
    for (const prepare of [() => Promise.resolve([]), () => runScript(api, control)]) {
      await prepare()
      const exported = await control.state()
      await control.reset()
      await control.loadState(exported)
      expect(JSON.stringify(await control.state())).toBe(JSON.stringify(exported))
    }
  })

  it('mock.loadState() gives an export the same future: jobs, repeats, windows, ids', async () => {
    await control.setLimits({ bulkInsertPerMinute: 2 })
    await api.post('/datatables/tbl_empty/jobs/insert', {
      rows: times(2500, (index) => ({ col_count: index })),
    })
    await api.patch('/tasks/tsk_plain', { repeat_config: { trigger: 'on_schedule', frequency: 'daily' } })
    await api.post('/datatables/tbl_all/rows/bulk', { rows: [{}] })
    await api.delete('/tasks/tsk_done')
    await control.advance(1200)
    const exported = await control.state()
    const future = async () => {
      const seen: unknown[] = []
      for (const by of [0, 300, '30s', '1d', '31d'] as const) {
        await control.advance(by)
        const bulk = await api.post('/datatables/tbl_all/rows/bulk', { rows: [{}] })
        seen.push([bulk.status, bulk.headers.get('retry-after'), await control.state()])
      }
      return seen
    }
    const first = await future()
    await control.reset()
    await control.loadState(exported)
    expect(await control.nowMs()).toBe(NOW * 1000 + 1200)
    expect(await future()).toEqual(first)
  })

  it('mock.state() exports what the fixture holds', async () => {
    const exported = (await control.state()) as typeof testFixture
    expect(exported).toMatchObject({ name: 'behaviour', clock: NOW, files: testFixture.files })
    expect(exported.workspaces.map(({ id }) => id)).toEqual(testFixture.workspaces.map(({ id }) => id))
  })

  it('mock.reset() goes back to the start after an import', async () => {
    const fresh = await stateOf(control)
    const files = Object.fromEntries(Object.entries(testFixture.files).filter(([id]) => id !== 'att_brief'))
    await control.loadState({ ...testFixture, clock: 5, workspaces: testFixture.workspaces.slice(1), files })
    expect((await api.get('/me')).status).toBe(401)
    await control.reset()
    expect((await api.get('/me')).status).toBe(200)
    expect(await stateOf(control)).toEqual(fresh)
  })

  it.each([
    [{}, 'workspaces'],
    [{ ...testFixture, clock: 'now' }, 'clock'],
    [{ workspaces: [{ name: 'x', plan: 'gold' }] }, 'workspaces[0].plan'],
    [[], 'object'],
  ])(
    'mock.loadState() refuses what is not a fixture naming the place, and nothing changes',
    async (fixture, place) => {
      const before = await control.state()
      await expect(control.loadState(fixture)).rejects.toThrow(place)
      expect(await control.state()).toEqual(before)
    },
  )
})

describe('snapshots', () => {
  const { api, control } = useMock()

  it('mock.restore() brings back state, clock, ids, windows, plan, limits and answers, as often as wanted', async () => {
    await runScript(api, control)
    const snapshot = await control.snapshot()
    const before = [await control.state(), await control.answers(), await control.nowMs()]
    const next = async () => (await api.post('/datatables/tbl_all/rows', { data: {} })).text
    const first = await next()
    for (let round = 0; round < 2; round++) {
      await control.advance('5d')
      await control.setAnswers({ rowShape: 'flat' })
      await control.setPlan('free')
      await api.delete('/datatables/tbl_all/rows/row_1')
      await control.restore(snapshot)
      expect([await control.state(), await control.answers(), await control.nowMs()]).toEqual(before)
    }
    expect(await next()).toBe(first)
  })

  it.each([null, {}, [], 'x', { world: 1 }])(
    'mock.restore(%j) is refused and nothing changes',
    async (snapshot) => {
      const before = await control.state()
      await expect(control.restore(snapshot)).rejects.toThrow()
      expect(await control.state()).toEqual(before)
    },
  )
})

describe('seed', () => {
  const { api, control } = useMock()

  it('mock.seed() adds to the state, and mock.reset() takes it away again', async () => {
    const fresh = await control.state()
    await control.seed({
      workspaces: [
        {
          id: 'ws_main',
          tables: [{ id: 'tbl_seeded', name: 'Seeded', columns: [{ name: 'A', type: 'text' }] }],
        },
      ],
    })
    expect((await api.get('/datatables')).pluck('datatables', 'id')).toContain('tbl_seeded')
    await control.reset()
    expect(await control.state()).toEqual(fresh)
  })

  it('mock.seed() takes only what matters, and the rest has defaults that are the same each time', async () => {
    const part = {
      tables: [
        {
          columns: [
            { type: 'dropdown', options: [{ label: 'A' }] },
            { name: 'Count', type: 'number' },
          ],
        },
      ],
      spaces: [
        { lists: [{ fields: [{}], tasks: [{ comments: [{}], attachments: [{}] }, { title: 'Mine' }] }] },
      ],
    }
    const seeded = await control.seed(part)
    const state = await control.state()
    expect(seeded).toMatchObject({
      tables: ['table_000001'],
      spaces: ['space_000001'],
      tasks: ['task_000001', 'task_000002'],
      comments: ['comment_000001'],
      attachments: ['attachment_000001'],
    })
    const schema = await api.get('/datatables/table_000001/schema')
    expect(schema.json).toMatchObject({
      columns: [
        { name: 'Column 1', type: 'dropdown', options: [{ label: 'A', color: '#6b7280' }] },
        { name: 'Count', type: 'number' },
      ],
    })
    expect((await api.get('/tasks/task_000001')).json).toMatchObject({ title: 'New task', priority: 0 })
    await control.reset()
    expect(await control.seed(part)).toEqual(seeded)
    expect(await control.state()).toEqual(state)
  })

  it('mock.seed() refuses what is new but named by an id, without a name of its own, and nothing changes', async () => {
    const before = await control.state()
    await expect(
      control.seed({ tasks: [{ title: 'Good' }, { id: 'tsk_none', comments: [] }] }),
    ).rejects.toThrow(/tasks\[1\]\.title is required, since nothing has the id "tsk_none"/)
    expect(await control.state()).toEqual(before)
  })
})

describe('ids in a state that tells no counters', () => {
  const { api, control } = useMock()

  it('mock.loadState() without counters gives what is created ids that are not taken', async () => {
    const create = async () => [
      (await api.post('/datatables/tbl_empty/rows', { data: {} })).string('id'),
      (await api.post('/spaces', { name: 'New' })).string('id'),
      (await api.post('/spaces/spc_main/lists', { name: 'New' })).string('id'),
      (await api.post('/lists/lst_main/tasks', { title: 'New' })).string('id'),
      (await api.post('/tasks/tsk_full/comments', { content: 'New' })).string('id'),
      (await api.post('/tasks/tsk_full/time-entries', { action: 'start' })).string('id'),
      (
        await api.call('POST', '/tasks/tsk_full/attachments', {
          body: multipart([{ filename: 'a', content: 'a' }]),
        })
      ).string('attachment.id'),
      (
        await api.post('/datatables/tbl_business/jobs/insert', { rows: [{}] }, { key: 'wm_test_business' })
      ).string('job_id'),
    ]
    const first = await create()
    const { runtime, ...state } = (await control.state()) as Record<string, unknown>
    await control.loadState({ ...state, runtime: { ...(runtime as object), ids: {} } })
    const second = await create()
    expect(new Set([...first, ...second]).size).toBe(first.length * 2)
    expect((await api.get('/tasks/tsk_full/comments')).list('comments')).toHaveLength(5)
  })
})
