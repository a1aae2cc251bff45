// What explore reports about states that differ, and what it treats as equal.
import { consoleControlsOf } from '../../src/adapters/control-api/console-controls.ts'
import { describe, expect, test } from 'vitest'
import { createWorkspaceMock, type ExploreContext, type WorkspaceMock } from 'workspace-api-mock'
import 'workspace-api-mock/vitest'
import { type Api, apiOf, Client, listOf } from './support/clients.ts'

type Context = ExploreContext<WorkspaceMock>
type Scenario = (api: Api, context: Context) => unknown

/** How the final states of the runs differed. */
async function differencesOf(scenario: Scenario) {
  const { findings } = await createWorkspaceMock().explore((context) => scenario(apiOf(context), context), {
    families: ['errors'],
  })
  const states = findings.filter(({ kind }) => kind === 'state')
  return states.map(({ difference, message }) => ({ ...difference, message }))
}
/** Repeats every request that failed. */
const blind =
  (api: Api): Api =>
  (...given) =>
    api(...given).catch(() => api(...given))
/** Continues after a failed request. */
const heedless =
  (api: Api): Api =>
  (...given) =>
    api(...given).catch(() => ({}))

const task = '/tasks/tsk_replace_burrs'
const rows = '/datatables/tbl_orders/rows'

describe('explore reports as made twice', () => {
  const made: Record<string, [path: string, body: object, record: string]> = {
    space: ['/spaces', { name: 'Lab' }, 'Lab'],
    list: ['/spaces/spc_operations/lists', { name: 'Lab' }, 'Lab'],
    task: ['/lists/lst_production/tasks', { title: 'Lab' }, 'Lab'],
    comment: [`${task}/comments`, { content: 'Lab' }, 'Lab'],
    'time entry': [
      `${task}/time-entries`,
      { action: 'manual', date_start: 1767600000, duration: 60 },
      'time_entry_000001',
    ],
    row: [rows, { data: { col_customer: 'Lab', col_notes: 'see row_000001' } }, 'Lab'],
  }
  test.for(Object.entries(made))('a %s', async ([resource, [path, body, name]]) => {
    const found = await differencesOf((api) => blind(api)('POST', path, body))
    expect(found).toMatchObject([{ resource, change: 'twice', undisturbed: 1, disturbed: 2 }])
    expect([name, name.replace('1', '2')]).toContain(found[0]!.record)
    expect(found[0]!.message).not.toContain('more')
  })

  test('an attachment, with its file', async () => {
    const result = await createWorkspaceMock().explore(
      async ({ baseUrl, key, fetch }) => {
        const send = () => {
          const body = new FormData()
          body.append('file', new File(['see tsk_replace_burrs'], 'cupping.txt', { type: 'text/plain' }))
          return fetch(`${baseUrl}${task}/attachments`, {
            method: 'POST',
            headers: { authorization: `Bearer ${key}` },
            body,
          })
        }
        await send().catch(send)
      },
      { families: ['errors'] },
    )
    const found = result.findings.find(
      ({ kind, difference }) => kind === 'state' && difference?.change === 'twice',
    )
    expect(found?.difference).toEqual({
      resource: 'attachment',
      change: 'twice',
      record: 'cupping.txt',
      undisturbed: 1,
      disturbed: 2,
    })
    expect(found?.message).not.toContain('more')
  })
})

describe('explore names', () => {
  test('a record by its id and by the name it had at the start', async () => {
    const found = await differencesOf((api) => heedless(api)('PATCH', task, { title: 'Renamed' }))
    expect(found[0]).toMatchObject({ id: 'tsk_replace_burrs', record: 'Replace the grinder burrs' })
    expect(found[0]!.message).toContain('title of task "Replace the grinder burrs" (tsk_replace_burrs) is')
  })

  test('how many of equal records there are, where one of them is missing', async () => {
    const found = await differencesOf(async (api) => {
      for (let made = 0; made < 2; made++) await heedless(api)('POST', `${task}/comments`, { content: 'Lab' })
    })
    expect(found[0]).toMatchObject({ change: 'missing', undisturbed: 2, disturbed: 1 })
    expect(found[0]!.message).toBe('it resolved, but comment "Lab" exists once instead of 2')
  })

  test('a row in its own table', async () => {
    const found = await differencesOf(async (api) => {
      await heedless(api)('POST', rows, { data: { col_customer: 'Lab' } })
      await heedless(api)('POST', '/datatables/tbl_suppliers/rows', { data: { col_supplier: 'Lab' } })
    })
    expect(new Set(found.map(({ change }) => change))).toEqual(new Set(['missing']))
  })
})

test('explore leaves out what a run makes and deletes again', async () => {
  const found = await differencesOf(async (api) => {
    const { id } = await api('POST', '/lists/lst_production/tasks', { title: 'lock' })
    await heedless(api)('POST', `/tasks/${id}/comments`, { content: 'held' })
    await api('DELETE', `/tasks/${id}`)
  })
  expect(found).toEqual([])
})

describe('explore reports as changed', () => {
  const patched: Record<
    string,
    [path: string, body: object, field: string, undisturbed: unknown, disturbed: unknown]
  > = {
    'a text': [task, { title: 'Burrs' }, 'title', 'Burrs', 'Replace the grinder burrs'],
    'a moment': [task, { due_date: 1767800000 }, 'due_date', 1767800000, null],
    'a reference': [task, { assignees: ['mem_amira'] }, 'assignees', ['mem_amira'], ['mem_jonas']],
    'a rule of recurrence': [
      '/tasks/tsk_clean_afterburner',
      { repeat_config: null },
      'repeat_config',
      null,
      { trigger: 'on_schedule', frequency: 'weekly', day_of_week: 1, time: '08:00' },
    ],
  }
  test.for(Object.entries(patched))('%s', async ([, [path, body, field, undisturbed, disturbed]]) => {
    const found = await differencesOf((api) => heedless(api)('PATCH', path, body))
    expect(found.length).toBeGreaterThan(0)
    for (const difference of found)
      expect(difference).toMatchObject({ resource: 'task', change: 'changed', field, undisturbed, disturbed })
  })

  test('a task left in another status of a list that was made', async () => {
    const found = await differencesOf(async (api) => {
      const { id: list } = await api('POST', '/spaces/spc_operations/lists', { name: 'Lab' })
      const { statuses } = await api('GET', `/lists/${list}/schema`)
      const { id } = await api('POST', `/lists/${list}/tasks`, { title: 'Cupping' })
      await heedless(api)('PATCH', `/tasks/${id}`, { status_id: statuses[1].id })
    })
    expect(found.length).toBeGreaterThan(0)
    for (const difference of found)
      expect(difference).toMatchObject({ resource: 'task', change: 'changed', field: 'status_id' })
  })

  test('a record that is deleted in one of the runs', async () => {
    const deleted = await differencesOf((api) => heedless(api)('DELETE', task))
    expect(deleted[0]!.message).toBe(
      'it resolved, but task "Replace the grinder burrs" (tsk_replace_burrs) is not deleted',
    )
    const removed = await differencesOf(async (api) => {
      const { rows: all } = await api('GET', `${rows}?limit=1`)
      await heedless(api)('DELETE', `${rows}/${all[0].id}`)
    })
    expect(removed[0]).toMatchObject({ resource: 'row', change: 'added', undisturbed: 0, disturbed: 1 })
  })
})

describe('explore reports what only a client that met a fault does', () => {
  const whenItFails = (then: (api: Api, mock: WorkspaceMock) => unknown) =>
    differencesOf(async (api, { mock }) => {
      await api('GET', '/me').catch(() => then(api, mock))
    })

  test('made, however often: as added', async () => {
    const found = await whenItFails(async (api) => {
      for (let time = 0; time < 2; time++) await api('POST', `${task}/comments`, { content: 'It failed' })
    })
    expect(found.length).toBeGreaterThan(0)
    for (const difference of found)
      expect(difference).toMatchObject({
        resource: 'comment',
        change: 'added',
        record: 'It failed',
        undisturbed: 0,
        disturbed: 2,
      })
    expect(found[0]!.message).toMatch(/ \(and 1 more difference\)$/)
  })

  test('made without a name next to another record: as added', async () => {
    const entry = (note: string) => ({ action: 'manual', date_start: 1767600000, duration: 60, note })
    const found = await differencesOf(async (api) => {
      await api('GET', '/me').catch(() => api('POST', `${task}/time-entries`, entry('It failed')))
      await api('POST', `${task}/time-entries`, entry('As ever'))
    })
    expect(found[0]).toMatchObject({ resource: 'time entry', change: 'added', undisturbed: 0, disturbed: 1 })
  })

  test('three times: with the number of further differences', async () => {
    const found = await whenItFails(async (api) => {
      for (let time = 0; time < 3; time++) await api('POST', `${task}/comments`, { content: 'It failed' })
    })
    expect(found[0]!.message).toMatch(/ \(and 2 more differences\)$/)
  })

  test('changed: with the value of the start, cut at 120 characters', async () => {
    const description = 'x'.repeat(200)
    const [found] = await whenItFails((api) => api('PATCH', task, { description }))
    expect(found).toMatchObject({
      resource: 'task',
      change: 'changed',
      field: 'description',
      disturbed: description,
    })
    expect(found!.message).toContain(`is "${'x'.repeat(119)}… instead of `)
  })

  test('deleted: as missing', async () => {
    const [found] = await whenItFails(async (api) => {
      const { rows: all } = await api('GET', `${rows}?limit=1`)
      await api('DELETE', `${rows}/${all[0].id}`)
    })
    expect(found).toMatchObject({ resource: 'row', change: 'missing', undisturbed: 1, disturbed: 0 })
  })

  test('added to a row that all runs change: by the column', async () => {
    const found = await differencesOf(async (api, { mock }) => {
      const { id } = mock.db.rows('tbl_orders').findFirst()!
      const isFailed = await api('GET', '/me').then(
        () => false,
        () => true,
      )
      await api('PATCH', `${rows}/${id}`, { data: { col_notes: null, col_phone: null } })
      await api('PATCH', `${rows}/${id}`, {
        data: { col_customer: 'Changed', ...(isFailed && { col_notes: 'It failed' }) },
      })
    })
    expect(found[0]).toMatchObject({
      resource: 'row',
      change: 'changed',
      field: 'col_notes',
      disturbed: 'It failed',
    })
    expect(found[0]!.message).not.toContain('more')
  })

  test('a form submitted twice: as the task that it made', async () => {
    const found = await differencesOf(async (api, { mock }) => {
      const { id } = mock.db.forms.findFirst((query) => query.where({ is_published: Boolean }))!
      const { data } = mock.db.submissions.findFirst((query) => query.where({ form_id: id }))!
      const submit = () => mock.submitForm(id, data)
      await api('GET', '/me').catch(submit)
      submit()
    })
    expect(found.length).toBeGreaterThan(0)
    for (const { change, message } of found) {
      expect(change).toBe('twice')
      expect(message).not.toContain('more')
    }
  })

  test('the duration of an entry: without its end, which follows from it', async () => {
    const found = await differencesOf(async (api, { mock }) => {
      const entry = mock.db.timeEntries.findFirst((query) => query.where({ is_running: 0 }))!
      await heedless(api)('PATCH', `/tasks/${entry.task_id}/time-entries/${entry.id}`, { duration: 90_000 })
    })
    expect(found[0]).toMatchObject({ resource: 'time entry', change: 'changed', field: 'duration' })
    expect(found[0]!.message).not.toContain('more')
  })
})

test('explore leaves out a resource of which two undisturbed runs make more or less', async () => {
  let runs = 0
  const result = await createWorkspaceMock().explore(
    async (context) => {
      const client = new Client(context)
      runs += 1
      for (let made = 0; made < runs; made++) await client.comment('tsk_replace_burrs', `Comment ${made}`)
      await client.task(listOf(context.mock), 'Cupping')
    },
    { families: ['errors'] },
  )
  expect(result.findings).toEqual([])
  expect(result.notes).toEqual([expect.stringContaining('comment "Comment 1" exists')])
})

test('explore names the one that is missing among others of the same content', async () => {
  const found = await differencesOf(async (api) => {
    await api('POST', '/spaces', { name: 'B' })
    await heedless(api)('POST', '/spaces', { name: 'A' })
    await api('POST', '/spaces', { name: 'B' })
  })
  expect(found.length).toBeGreaterThan(0)
  for (const { message } of found) expect(message).toBe('it resolved, but space "A" is missing')
})

test('explore pairs tasks of one title by what refers to them, wherever their ids stand', async () => {
  const found = await differencesOf(async (api, { mock }) => {
    const tasks = `/lists/${listOf(mock)}/tasks`
    const { id } = await blind(api)('POST', tasks, { title: 'Cupping' })
    await api('POST', `/tasks/${id}/comments`, { content: `https://example.test/?task=${id}` })
    await api('POST', tasks, { title: `after ${id}`, description: `see ${id} and no_task` })
  })
  expect(found.map(({ message }) => message)).toEqual([
    'it resolved, but task "Cupping" exists 2 times instead of 1',
  ])
})

describe('explore treats as equal', () => {
  test('jobs as they end, and leaves times, versions and autonumbers apart', async () => {
    const result = await createWorkspaceMock().explore(
      async (context) => {
        const client = new Client(context)
        const { tables } = consoleControlsOf(context.mock).inspect.overview().workspaces[0]!
        const table = tables.find(({ locked }) => !locked)!
        const rows = Array.from({ length: 300 }, () => ({}))
        const total = async () => (await client.request('GET', `/datatables/${table.id}/rows?limit=1`)).total
        const before = await total()
        await client.request('POST', `/datatables/${table.id}/jobs/insert`, { rows }, async () => {
          await context.sleep(60_000)
          return (await total()) > before ? {} : undefined
        })
      },
      { families: ['errors'] },
    )
    expect(result).toHaveNoFindings()
  })

  test('timers whose durations differ by the waits of the run', async () => {
    const result = await createWorkspaceMock().explore(
      async (context) => {
        const client = new Client(context)
        const [task] = await client.tasks(listOf(context.mock))
        const entries = async () => (await client.request('GET', `/tasks/${task!.id}/time-entries`)).entries
        const count = (await entries()).length
        const path = `/tasks/${task!.id}/time-entries`
        await client.request('POST', path, { action: 'start' }, async () =>
          (await entries()).find(({ is_running }: { is_running: number }) => is_running === 1),
        )
        await client.request('GET', '/me')
        await client.request('POST', path, { action: 'stop' }, async () =>
          (await entries()).length > count && !(await entries()).some((entry: any) => entry.is_running === 1)
            ? {}
            : undefined,
        )
      },
      { families: ['errors'] },
    )
    expect(result).toHaveNoFindings()
  })

  test('what time brings: a task that repeats while the client waits', async () => {
    const result = await createWorkspaceMock().explore(
      async (context) => {
        const client = new Client(context)
        const repeat_config = { trigger: 'on_schedule', frequency: 'daily', time: '11:00' }
        const { id } = await client.task(listOf(context.mock), 'Weigh the beans', { repeat_config })
        await context.sleep(3_600_000)
        await client.comment(id, `see ${id}`)
      },
      { families: ['errors'] },
    )
    expect(result).toHaveNoFindings()
  })

  test('a list that is made once, its statuses, and the task in one of them', async () => {
    const result = await createWorkspaceMock().explore(
      async (context) => {
        const client = new Client(context)
        const find = async () => (await client.lists()).find(({ name }) => name === 'Lab')
        const path = '/spaces/spc_operations/lists'
        const { id } = await client.request('POST', path, { name: 'Lab' }, find)
        const { statuses } = await client.request('GET', `/lists/${id}/schema`)
        await client.task(id, 'Cupping', { status_id: statuses[1].id })
      },
      { families: ['errors'] },
    )
    expect(result).toHaveNoFindings()
  })
})
