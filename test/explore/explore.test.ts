import { runInNewContext } from 'node:vm'
import { describe, expect, test } from 'vitest'
import {
  createWorkspaceMock,
  type ExploreContext,
  type MockOptions,
  type WorkspaceMock,
} from 'workspace-api-mock'
import 'workspace-api-mock/vitest'
import { type Api, apiOf, Client, listOf } from './support/clients.ts'

type Context = ExploreContext<WorkspaceMock>

const careful = async (context: Context) => {
  const client = new Client(context)
  const [list] = await client.lists()
  const { id } = await client.task(list!.id, 'Cupping', { due_date: 1767700000 })
  await client.comment(id, `see ${id}`)
  await client.update(id, { priority: 'high' })
}
/** Repeats every failed request at once. */
const blind = async (context: Context) => {
  const api = apiOf(context)
  const stubborn: Api = (...given) => api(...given).catch(() => api(...given))
  const { id } = await stubborn('POST', `/lists/${listOf(context.mock)}/tasks`, { title: 'Cupping' })
  await stubborn('POST', `/tasks/${id}/comments`, { content: `see ${id}` })
}
const kindsOf = ({ findings }: { findings: readonly { kind: string; operation: string | null }[] }) =>
  findings.map(({ kind, operation }) => `${kind} ${operation}`)

test('explore finds nothing in a careful client', async () => {
  const result = await createWorkspaceMock().explore(careful, { families: ['errors'] })
  expect(result).toHaveNoFindings()
  expect(result.covered.tried).toBe(result.covered.possible)
  expect(result.runs).toBe(result.covered.tried + 2)
})

test('explore finds what a client makes twice, as one finding a cause', async () => {
  const result = await createWorkspaceMock().explore(
    async (context) => {
      await blind(context)
      await blind(context)
    },
    { families: ['errors'], maxRuns: 300 },
  )
  const states = result.findings.filter(({ kind }) => kind === 'state')
  expect(states.map(({ difference }) => difference)).toEqual([
    { resource: 'task', change: 'twice', record: 'Cupping', undisturbed: 2, disturbed: 3 },
    { resource: 'comment', change: 'twice', record: 'see task_000001', undisturbed: 2, disturbed: 3 },
  ])
  expect(states.every(({ count }) => count > 1)).toBe(true)
  expect(states[0]!.requests.length).toBeGreaterThan(2)
})

describe('explore reports', () => {
  const explore = (scenario: (context: Context) => unknown, options = {}, mockOptions: MockOptions = {}) =>
    createWorkspaceMock(mockOptions).explore(scenario, { families: ['errors'], ...options })

  test('gave up, and what is lost', async () => {
    const result = await explore(async (context) => {
      const api = apiOf(context)
      const { id } = await api('POST', `/lists/${listOf(context.mock)}/tasks`, { title: 'Cupping' })
      await api('POST', `/tasks/${id}/comments`, { content: 'x' })
    })
    expect(kindsOf(result)).toEqual(['gave up createTask', 'gave up createTask', 'lost createTask'])
    const requests = result.findings[0]!.shownBy.map(
      ({ operation, family, request }) => `${family} ${operation} ${request}`,
    )
    expect(new Set(requests)).toEqual(new Set(['errors createTask 1', 'errors createComment 1']))
    const severities = result.findings
      .filter(({ kind }) => kind === 'gave up')
      .map(({ fault, severity }) => [fault?.network === true, severity])
    expect(severities).toContainEqual([true, 'assumption'])
    expect(severities).not.toContainEqual([true, 'error'])
    expect(severities).not.toContainEqual([false, 'assumption'])
  })

  test('state: a write that is missing, and a field that differs', async () => {
    const result = await explore(async (context) => {
      const api = apiOf(context)
      const { id } = await api('POST', `/lists/${listOf(context.mock)}/tasks`, { title: 'A' }).catch(
        () => ({}),
      )
      if (id === undefined) return
      await api('PATCH', `/tasks/${id}`, { title: 'B' }).catch(() => undefined)
    })
    expect(result.findings.map(({ cause }) => cause)).toEqual([
      'state task changed title',
      'state task missing',
    ])
    const found = result.findings.map(({ operation, difference }) => [
      operation,
      difference?.change,
      difference?.field,
      difference?.disturbed,
    ])
    expect(found).toContainEqual(['createTask', 'missing', undefined, 0])
    expect(found).toContainEqual(['createTask', 'changed', 'title', 'A'])
    expect(result.findings[0]!.shownBy.map(({ operation }) => operation)).toContain('updateTask')
  })

  test('hang: of a promise that never settles, and of retries without end', async () => {
    const never = await explore(
      async (context) => {
        await apiOf(context)('GET', '/me').catch(() => new Promise(() => undefined))
      },
      { maxRuns: 3 },
    )
    expect(kindsOf(never)).toEqual(['hang getIdentity'])
    const endless = await explore(
      async (context) => {
        try {
          await apiOf(context)('GET', '/me')
        } catch {
          for (;;) await context.sleep(1000)
        }
      },
      { maxRuns: 3 },
    )
    expect(kindsOf(endless)).toEqual(['hang getIdentity'])
  })

  test('check: an invariant of the user', async () => {
    const result = await explore(blind, {
      check: ({ mock, outcome }: { mock: WorkspaceMock; outcome: string }) => {
        const tasks = mock.requests({ operation: 'createTask', status: 201 })
        if (outcome === 'resolved' && tasks.length > 1) throw new Error('two tasks')
      },
    })
    expect(result.findings.map(({ kind }) => kind)).not.toContain('check')
    const strict = await explore(blind, {
      check: ({ mock }: { mock: WorkspaceMock }) => {
        if (mock.requests({ operation: 'createTask' }).length > 1) throw new Error('asked twice')
      },
    })
    expect(strict.findings.find(({ kind }) => kind === 'check')?.message).toContain('asked twice')
  })

  test('late requests, which reach neither the mock nor another run', async () => {
    const mock = createWorkspaceMock()
    const before = mock.snapshot()
    const result = await mock.explore(
      ({ fetch, baseUrl, key }) => {
        const send = () =>
          fetch(`${baseUrl}/spaces`, {
            method: 'POST',
            headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
            body: '{"name":"late"}',
          }).catch(() => undefined)
        void Promise.resolve()
          .then(() => new Promise((resolve) => setTimeout(resolve)))
          .then(send)
        return fetch(`${baseUrl}/me`, { headers: { authorization: `Bearer ${key}` } })
      },
      { families: ['errors'] },
    )
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(kindsOf(result)).toContain('late request createSpace')
    expect(mock.snapshot()).toEqual(before)
  })

  test('late requests of one operation as one', async () => {
    const result = await explore(({ fetch, baseUrl, key }) => {
      const send = (path: string) =>
        fetch(baseUrl + path, { headers: { authorization: `Bearer ${key}` } }).catch(() => undefined)
      setTimeout(() => void send('/lists/a'))
      setTimeout(() => void send('/lists/b'))
      return send('/me')
    })
    const late = result.findings.filter(({ kind }) => kind === 'late request')
    expect(late).toMatchObject([{ operation: 'getList', severity: 'warning', fault: null, name: null }])
    expect(late[0]!.count).toBeGreaterThan(1)
    expect(String(result)).toMatch(
      /warning, late request, getList: GET \/lists\/a .*\n.*\n   It occurs without a fault\./,
    )
  })

  test('the differences of two undisturbed runs, as a note', async () => {
    let runs = 0
    const result = await explore(async (context) => {
      const client = new Client(context)
      runs += 1
      await client.task(listOf(context.mock), `Cupping ${runs}`)
    })
    expect(result.findings).toEqual([])
    expect(result.notes).toEqual([
      expect.stringMatching(
        /^two undisturbed runs leave different states: title of task "Cupping 1" .* not compared$/,
      ),
    ])
  })

  test('with faults "all", what a client swallows', async () => {
    const result = await explore(
      async (context) => {
        const api = apiOf(context)
        await api('PATCH', `/lists/${listOf(context.mock)}`, { name: 'Renamed' }).catch((error: unknown) => {
          if (!/40[134]/.test(String(error))) throw error
        })
      },
      { faults: 'all' },
    )
    const { columns, rows } = result.matrix
    expect(columns.filter((column) => rows[0]!.cells[column] === 'differs')).toEqual(['401', '403', '404'])
    expect(result.findings.filter(({ kind }) => kind === 'state')).toMatchObject([{ count: 3 }])
  })
})

describe('explore', () => {
  test('leaves the mock as it was, also when it rejects', async () => {
    const mock = createWorkspaceMock()
    await mock.fetch(new Request(`${mock.baseUrl}/me`))
    mock.clock.advance('1h')
    mock.fault({ operation: 'listTasks', times: 3 })
    mock.snapshots.save('mine')
    const all = () => [
      mock.snapshot(),
      mock.requests(),
      mock.faults(),
      mock.report(),
      mock.clock.nowMs(),
      mock.snapshots.list().map(({ name }) => name),
    ]
    const before = all()
    await mock.explore(blind, { families: ['errors'] })
    await mock.explore(
      async (context) => {
        context.mock.reset()
        await blind(context)
      },
      { families: ['errors'] },
    )
    await expect(
      mock.explore(() => Promise.reject(new Error('no beans')), { families: ['errors'] }),
    ).rejects.toThrow('no beans')
    expect(all()).toEqual(before)
  })

  test('says that no request reached an operation', async () => {
    const result = await createWorkspaceMock().explore(() => undefined, { families: ['errors'], maxRuns: 1 })
    expect(String(result)).toBe(
      "None of the scenario's requests matches an operation.\n\n1 run, 0 of 0 failures tried: no findings",
    )
  })

  test('describes what a client rejects with, whatever it is', async () => {
    const circular: { self?: object } = {}
    circular.self = circular
    for (const reason of [circular, 1n, undefined]) {
      // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- as careless clients do
      const rejected = () => Promise.reject(reason)
      const result = await createWorkspaceMock().explore(
        (context) => apiOf(context)('GET', '/me').catch(rejected),
        { families: ['errors'] },
      )
      expect(kindsOf(result)).toContain('gave up getIdentity')
    }
  })

  test('rejects with the error of an undisturbed run that hangs, or whose check throws', async () => {
    const mock = createWorkspaceMock()
    await expect(mock.explore(() => new Promise(() => undefined), { families: ['errors'] })).rejects.toThrow(
      /did not settle/,
    )
    const check = () => {
      throw new Error('never')
    }
    await expect(mock.explore(blind, { families: ['errors'], check })).rejects.toThrow('never')
  })

  test('survives a scenario that resets the mock', async () => {
    const result = await createWorkspaceMock().explore(
      async (context) => {
        context.mock.reset()
        await blind(context)
      },
      { families: ['errors'] },
    )
    expect(result.findings.map(({ difference }) => difference?.resource)).toContain('task')
  })

  test.for([
    [{ deep: 2 }, /deep/],
    [{ depth: 2 }, /options has unknown fields: depth; allowed: families,/],
    [{ families: ['crash'], faults: 'all' }, /faults needs the family errors; received "all"/],
    [{ maxRuns: 0 }, /maxRuns/],
    [{ faults: 'some' }, /faults/],
    [{ check: 1 }, /check/],
  ] as [any, RegExp][])('rejects the options %j', async ([options, message]) => {
    await expect(createWorkspaceMock().explore(blind, { families: ['errors'], ...options })).rejects.toThrow(
      message,
    )
  })

  test('rejects what is not a function, and a call within a scenario', async () => {
    const mock = createWorkspaceMock()
    await expect(mock.explore('client' as never, { families: ['errors'] })).rejects.toThrow(/function/)
    await expect(
      mock.explore(() => mock.explore(blind, { families: ['errors'] }), { families: ['errors'] }),
    ).rejects.toThrow(/in progress/)
  })

  test('uses the key called master, a manual clock and the snapshots of the mock, and leaves its coverage alone', async () => {
    const keys = [
      { key: 'wm_first', name: 'first' },
      { key: 'wm_second', name: 'master' },
    ]
    const members = [{ name: 'Ada' }]
    const mock = createWorkspaceMock({
      fixture: { workspaces: [{ keys, members, spaces: [{ name: 'A' }] }] },
      clock: 'system',
      journalSize: 0,
    })
    mock.snapshots.save('mine')
    const before = mock.coverage()
    const seen = new Set<string>()
    const moments = new Set<number>()
    const { covered } = await mock.explore(
      async (context) => {
        seen.add(
          `${context.key} ${context.mock.clock.mode} ${context.mock.snapshots
            .list()
            .map(({ name }) => name)
            .join()}`,
        )
        moments.add(context.mock.clock.nowMs())
        context.mock.snapshots.restore('mine')
        await apiOf(context)('GET', '/me').catch(() => undefined)
      },
      { families: ['errors'] },
    )
    expect([...seen]).toEqual(['wm_second manual mine'])
    expect(moments.size).toBe(1)
    expect(covered).toEqual({ tried: 4, possible: 4 })
    expect(mock.coverage()).toEqual(before)
    expect(mock.clock.mode).toBe('system')
  })

  test.for([
    ['transient', 'GET', '/me', '429,500,503,connection broken'],
    ['transient', 'POST', '/spaces', '429,500,503,connection broken,connection broken after the write'],
    ['all', 'GET', '/me', '401,402,403,429,500,503,connection broken'],
    [
      'all',
      'DELETE',
      '/tasks/tsk_replace_burrs',
      '401,402,403,404,429,500,500 after the write,503,503 after the write,connection broken,connection broken after the write',
    ],
  ] as const)('with faults "%s" tries on %s %s: %s', async ([faults, method, path, expected]) => {
    const { matrix, covered } = await createWorkspaceMock().explore(
      async (context) => {
        await apiOf(context)(method, path, method === 'POST' ? { name: 'Lab' } : undefined).catch(
          () => undefined,
        )
      },
      { families: ['errors'], faults },
    )
    expect(matrix.columns).toEqual(expected.split(','))
    expect(covered).toEqual({ tried: matrix.columns.length, possible: matrix.columns.length })
  })

  test('does not report rules that the undisturbed run breaks', async () => {
    const result = await createWorkspaceMock().explore(
      async (context) => {
        const api = apiOf(context)
        await api('GET', '/nowhere').catch(() => undefined)
        await api('GET', '/me').catch(async () => {
          await context.sleep(3000)
          await api('GET', '/me')
        })
      },
      { families: ['errors'] },
    )
    expect(result).toHaveNoFindings()
    expect(result.covered.tried).toBe(4)
    expect(String(result)).toMatch(/, \d+ of \d+ failures tried: no findings$/)
  })

  test.for([
    [404, 'Repeat a failed request, or report its failure to the caller.'],
    [
      503,
      'Repeat a failed request, or report its failure to the caller. Contract, Errors, rule 2: repeat the request, even a write, at once, then after 1, 2, 4 and 8 s; give up after five retries.',
    ],
    [
      429,
      'Repeat a failed request, or report its failure to the caller. Contract, Errors, rule 2: wait as long as Retry-After says, then repeat the request.',
    ],
  ] as const)(
    'advises a client that swallows %i to repeat or report it, by what passes',
    async ([status, advice]) => {
      const { findings } = await createWorkspaceMock().explore(
        async (context) => {
          const { baseUrl, key, fetch } = context
          const send = () =>
            fetch(`${baseUrl}/tasks/tsk_replace_burrs`, {
              method: 'PATCH',
              headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
              body: '{"title":"B"}',
            })
          const response = await send()
          if (!response.ok && response.status !== status) throw new Error('reported')
        },
        { families: ['errors'], faults: 'all' },
      )
      expect(findings.find(({ kind }) => kind === 'state')?.advice).toBe(advice)
    },
  )

  test('prints requests with the same outcomes in one line, pairs and counts in words', async () => {
    const result = await createWorkspaceMock().explore(
      async (context) => {
        const api = apiOf(context)
        for (const title of ['A', 'B', 'C'])
          await api('POST', `/lists/${listOf(context.mock)}/tasks`, { title }).catch(() => undefined)
        await api('GET', '/me')
      },
      { families: ['errors'], maxRuns: 60 },
    )
    const text = String(result)
    expect(text).toMatch(/^createTask 1-3 +missing +missing/m)
    expect(text).toMatch(/^getIdentity 1 +gave up/m)
    expect(text).toMatch(/ \[\d+ times\]$/m)
    expect(text).not.toContain('[1 times]')
  })

  test('counts a fault as tried where its request came', async () => {
    let runs = 0
    const { covered, findings } = await createWorkspaceMock().explore(
      async (context) => {
        const api = apiOf(context)
        await api('GET', '/me').catch(() => undefined)
        if ((runs += 1) <= 2) await api('GET', '/spaces')
      },
      { families: ['errors'] },
    )
    expect(covered).toEqual({ tried: 4, possible: 8 })
    expect(findings).toEqual([])
  })

  test('stops at maxRuns', async () => {
    const result = await createWorkspaceMock().explore(blind, { families: ['errors'], maxRuns: 4 })
    expect(result.runs).toBe(4)
    expect(result.covered).toEqual({ tried: 2, possible: expect.any(Number) })
  })

  test('gives lines that show each finding of a state again', async () => {
    const { findings } = await createWorkspaceMock().explore(
      async (context) => {
        await blind(context)
        await blind(context)
      },
      { families: ['errors'], faults: 'all' },
    )
    const states = findings.filter(({ kind }) => kind === 'state')
    expect(states.length).toBeGreaterThan(0)
    const titles = async (lines: string) => {
      const mock = createWorkspaceMock()
      const fetch: typeof globalThis.fetch = (input, init) => mock.fetch(new Request(input, init))
      runInNewContext(lines, { mock })
      const context = {
        mock,
        baseUrl: mock.baseUrl,
        key: mock.keys.master,
        fetch,
        sleep: mock.clock.sleep,
        storage: new Map(),
      }
      await blind(context)
      await blind(context)
      return mock.requests().flatMap(({ changes }) => changes.map(({ resource }) => resource))
    }
    for (const { reproduction } of states)
      expect((await titles(reproduction)).length, reproduction).toBeGreaterThan((await titles('')).length)
  })

  test('prints a table of requests by faults, and three lines a finding', async () => {
    const text = String(await createWorkspaceMock().explore(blind, { families: ['errors'] }))
    expect(text).toMatch(/createTask 1 +retry-after/)
    expect(text).toContain(
      [
        '. error, state, createTask: connection broken after the write: it resolved, but task "Cupping" exists 2 times instead of 1',
        '   After a broken connection, first check whether the write was carried out, and repeat it only if it was not. The contract does not cover broken connections.',
        "   mock.fault({ operation: 'createTask', network: true, phase: 'after' })",
      ].join('\n'),
    )
  })
})

test('explore wakes sleepers by time, those of one moment in the order of their calls', async () => {
  const orders = new Set<string>()
  await createWorkspaceMock().explore(
    async (context) => {
      const order: string[] = []
      const wake = async (name: string, ms: number) => {
        await context.sleep(ms)
        order.push(name)
      }
      // Like timers, treats a wait that is too long as no wait.
      await Promise.all([wake('c', 20), wake('a', 10), wake('b', 10), wake('0', 2 ** 31), wake('d', 20)])
      orders.add(order.join(''))
      await apiOf(context)('GET', '/me').catch(() => undefined)
    },
    { families: ['errors'] },
  )
  expect([...orders]).toEqual(['0abcd'])
})

test('explore puts errors first, and reports an assumption where a service commits and then fails', async () => {
  const { findings } = await createWorkspaceMock().explore(
    async (context) => {
      const api = apiOf(context)
      const again: Api = (...given) =>
        api(...given).catch((error: unknown) => {
          if (error instanceof TypeError) throw error
          return api(...given)
        })
      await again('POST', `/lists/${listOf(context.mock)}/tasks`, { title: 'Cupping' })
    },
    { families: ['errors'], faults: 'all' },
  )
  const severities = findings.map(({ severity }) => severity)
  const order = ['error', 'warning', 'assumption', 'info']
  expect(severities).toEqual(severities.toSorted((a, b) => order.indexOf(a) - order.indexOf(b)))
  expect(findings.find(({ kind }) => kind === 'state')).toMatchObject({
    severity: 'assumption',
    fault: { operation: 'createTask', status: 503, phase: 'after' },
    count: 2,
  })
})
