// What explore finds in clients with a bug in one family, and that correct clients have no finding.
import { consoleControlsOf } from '../../src/adapters/control-api/console-controls.ts'
import { runInNewContext } from 'node:vm'
import { describe, expect, test, vi } from 'vitest'
import {
  createWorkspaceMock,
  type ExploreContext,
  type ExploreOptions,
  type WorkspaceMock,
} from 'workspace-api-mock'
import 'workspace-api-mock/vitest'
import { apiOf, Client, listOf } from './support/clients.ts'

type Context = ExploreContext<WorkspaceMock>
type Scenario = (context: Context) => unknown

const explore = (scenario: Scenario, options: ExploreOptions<WorkspaceMock> = {}) =>
  createWorkspaceMock().explore(scenario, options)
const foundBy = async (scenario: Scenario, options: ExploreOptions<WorkspaceMock>) =>
  (await explore(scenario, options)).findings.map(({ severity, cause, name }) =>
    [severity, cause, name].join(': '),
  )

/** Creates a task only once, whatever fails and however often the client runs. */
async function madeOnce(context: Context, title = 'Cupping'): Promise<string> {
  const client = new Client(context)
  const list = listOf(context.mock)
  const find = async () => (await client.tasks(list)).find((task) => task.title === title)
  const { id } = (await find()) ?? (await client.task(list, title))
  return id
}

const rows = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ col_customer: `Customer ${index}` }))
const orders = '/datatables/tbl_orders'

/** Polls a job until it has ended. */
async function endedJob(client: Client, context: Context, id: string) {
  for (;;) {
    const job = await client.request('GET', `/jobs/${id}`)
    if (job.status === 'done' || job.status === 'failed') return job
    await context.sleep(500)
  }
}

describe('explore finds nothing in a correct client', () => {
  const correct: Record<string, Scenario> = {
    'that makes a task once, and can run again': (context) => madeOnce(context),
    'that saves what it has done': async ({ storage, ...context }) => {
      const client = new Client(context)
      const comments = async () =>
        (await client.request('GET', '/tasks/tsk_replace_burrs/comments')).comments as { content: string }[]
      for (const content of ['First', 'Second']) {
        if (storage.has(content)) continue
        if (!(await comments()).some((one) => one.content === content))
          await client.comment('tsk_replace_burrs', content)
        storage.set(content, true)
      }
    },
    'that reports the rows that failed': async (context) => {
      const client = new Client(context)
      const all = rows(3).map((row) => ({ ...row, col_notes: 'Imported' }))
      const query = { filters: [{ column: 'col_notes', operator: 'eq', value: 'Imported' }] }
      const known = (await client.request('POST', `${orders}/query`, query)).rows.length
      if (known > 0) return { failed: all.length - known }
      const find = async () => {
        const { rows: found } = await client.request('POST', `${orders}/query`, query)
        return found.length > 0 ? { count: found.length, errors: [] } : undefined
      }
      const { errors = [] } = await client.request('POST', `${orders}/rows/bulk`, { rows: all }, find)
      return { failed: errors.length }
    },
    'that sends only what it changes': async (context) => {
      const client = new Client(context)
      await client.request('GET', '/tasks/tsk_replace_burrs')
      await client.update('tsk_replace_burrs', { priority: 'high' })
    },
    'that degrades where an optional read fails': async (context) => {
      const me = await apiOf(context)('GET', '/me').catch(() => null)
      await madeOnce(context)
      return me
    },
    'that writes the time and a random marker': async (context) => {
      const client = new Client(context)
      const marker = crypto.randomUUID()
      const find = async () =>
        (await client.tasks(listOf(context.mock))).find(({ title }) => title.endsWith(marker))
      const path = `/lists/${listOf(context.mock)}/tasks`
      await client.request('POST', path, { title: `At ${new Date().toISOString()} ${marker}` }, find)
    },
    'with parallel workers': async (context) => {
      await Promise.all(['A', 'B', 'C'].map((title) => madeOnce(context, title)))
    },
  }
  test.for(Object.entries(correct))('%s', async ([, scenario]) => {
    const result = await explore(scenario, { families: 'all' })
    expect(result).toHaveNoFindings()
    expect(result.covered.tried).toBeGreaterThan(5)
  })
})

describe('explore finds in an outage', () => {
  test('a client that never gives up', async () => {
    const found = await foundBy(
      async (context) => {
        for (;;) {
          try {
            return await apiOf(context)('GET', '/me')
          } catch {
            await context.sleep(8000)
          }
        }
      },
      { families: ['outage'] },
    )
    expect(found).toContain('error: hang: 503 for good')
  })

  test('a sixth retry, and one that comes too soon', async () => {
    const retrying = (waits: readonly number[]) => async (context: Context) => {
      for (const ms of waits) {
        const me = await apiOf(context)('GET', '/me').catch(() => undefined)
        if (me) return
        await context.sleep(ms)
      }
      throw new Error('gave up')
    }
    expect(
      await foundBy(retrying([0, 1000, 2000, 4000, 8000, 16_000, 32_000]), { families: ['outage'] }),
    ).toEqual(['error: rule backoff: 503 for good'])
    expect(await foundBy(retrying([0, 0, 0]), { families: ['outage'] })).toContain(
      'error: rule backoff: 503 for good',
    )
    expect(await foundBy(retrying([0, 1000, 2000, 4000, 8000, 0]), { families: ['outage'] })).toEqual([])
  })

  test('a client that gives up early, as an info, once', async () => {
    const found = await foundBy(
      (context) => apiOf(context)('GET', '/me').then(() => apiOf(context)('GET', '/spaces')),
      {
        families: ['outage'],
      },
    )
    expect(found).toEqual(['info: gave up early: 503 for good'])
  })

  test('a client that goes on as if nothing had happened', async () => {
    const found = await foundBy(
      async (context) => {
        await apiOf(context)('PATCH', '/tasks/tsk_replace_burrs', { title: 'B' }).catch(() => undefined)
      },
      { families: ['outage'] },
    )
    expect(found).toEqual(['error: state task changed title: 503 for good'])
  })

  test('what a client makes again when it runs again', async () => {
    const found = await foundBy(
      async (context) => {
        const { storage } = context
        const api = apiOf(context)
        if (storage.has('done')) return
        await api('POST', '/tasks/tsk_replace_burrs/comments', { content: 'First' })
        await api('POST', '/tasks/tsk_replace_burrs/comments', { content: 'Second' })
        storage.set('done', true)
      },
      { families: ['outage'] },
    )
    expect(found).toContain('error: state comment twice: 503 for good')
  })
})

describe('explore finds where responses are late', () => {
  const limited = (isCareful: boolean) => async (context: Context) => {
    const fetch: typeof globalThis.fetch = (input, init) =>
      context.fetch(input, { ...init, signal: AbortSignal.timeout(10_000) })
    const client = new Client({ ...context, fetch }, isCareful)
    await client.comment('tsk_replace_burrs', 'Once')
  }

  test('a client that sends a request again which was carried out', async () => {
    expect(await foundBy(limited(false), { families: ['latency'] })).toEqual([
      'error: state comment twice: response after 120 s',
    ])
  })

  test('nothing in a client that looks before it repeats, or waits', async () => {
    expect(await foundBy(limited(true), { families: ['latency'] })).toEqual([])
    expect(await foundBy((context) => madeOnce(context), { families: ['latency'] })).toEqual([])
  })

  test('nothing where no response is late, whatever limits are set', async () => {
    const { timeout } = AbortSignal
    const reasons: unknown[] = []
    await explore(
      async (context) => {
        const signal = AbortSignal.timeout(1000)
        signal.addEventListener('abort', () => reasons.push(signal.reason))
        await context.sleep(500)
        await apiOf(context)('GET', '/me').catch(() => undefined)
      },
      { families: ['errors'] },
    )
    expect(reasons).toEqual([])
    expect(AbortSignal.timeout).toBe(timeout)
  })
})

describe('explore finds where rows and jobs fail', () => {
  const bulk = (report: (errors: readonly unknown[]) => unknown) => async (context: Context) => {
    const { errors = [] } = await apiOf(context)('POST', `${orders}/rows/bulk`, { rows: rows(3) })
    return report(errors)
  }
  const job = (report: (job: any) => unknown) => async (context: Context) => {
    const client = new Client(context)
    const { job_id } = await apiOf(context)('POST', `${orders}/jobs/insert`, { rows: rows(300) })
    return report(await endedJob(client, context, job_id))
  }

  test('a client that ignores the errors of a bulk request', async () => {
    const found = await foundBy(
      bulk(() => undefined),
      { families: ['outcomes'] },
    )
    expect(found).toEqual(['error: state row missing: one row invalid'])
  })

  test('a client that takes a failed job for a done one, and ignores its errors', async () => {
    const result = await explore(
      job(() => 'imported'),
      { families: ['outcomes'] },
    )
    expect(result.findings).toMatchObject([
      { severity: 'error', kind: 'state', difference: { resource: 'row' } },
    ])
    expect(new Set(result.matrix.rows.flatMap(({ cells }) => Object.entries(cells).map(String)))).toEqual(
      new Set(['one row invalid,missing', 'job failed,missing', 'whole run,ok']),
    )
    expect(result.findings[0]!.reproduction).toMatch(/^mock\.fault\(\{ operation: 'submitInsertJob', job: '/)
  })

  test.for([
    ['returns them', bulk((errors) => errors.length)],
    [
      'rejects with them',
      bulk((errors) => {
        if (errors.length > 0) throw new Error('rows failed')
      }),
    ],
    ['returns what became of its job', job(({ status, metadata }) => ({ status, errors: metadata.errors }))],
  ] as const)('nothing in a client that %s', async ([, scenario]) => {
    expect(await foundBy(scenario, { families: ['outcomes'] })).toEqual([])
  })

  test('nothing in a client whose value differs in every run, but says so', async () => {
    const scenario = bulk((errors) => ({
      marker: crypto.randomUUID(),
      at: Date.now(),
      failed: errors.length,
    }))
    expect(await foundBy(scenario, { families: ['outcomes'] })).toEqual([])
    const silent = bulk(() => ({ marker: crypto.randomUUID() }))
    expect(await foundBy(silent, { families: ['outcomes'] })).toHaveLength(1)
  })
})

describe('explore finds when a client is stopped and runs again', () => {
  test('what it makes again, since it saves too late', async () => {
    const late = async (context: Context) => {
      const { storage } = context
      for (const content of ['First', 'Second']) {
        if (storage.has(content)) continue
        await apiOf(context)('POST', '/tasks/tsk_replace_burrs/comments', { content })
        await apiOf(context)('GET', '/me')
        storage.set(content, true)
      }
    }
    const { findings, notes } = await explore(late, { families: ['crash'] })
    expect(notes).toEqual([])
    expect(findings).toMatchObject([
      {
        kind: 'state',
        severity: 'error',
        family: 'crash',
        difference: { resource: 'comment', change: 'twice' },
      },
    ])
    expect(findings[0]!.count).toBeGreaterThan(2)
  })

  test('what is missing, since it saves too early', async () => {
    const early = async (context: Context) => {
      if (context.storage.has('done')) return
      context.storage.set('done', true)
      await apiOf(context)('POST', '/tasks/tsk_replace_burrs/comments', { content: 'Once' })
    }
    expect(await foundBy(early, { families: ['crash'] })).toEqual([
      'error: state comment missing: stopped before',
    ])
  })

  test('that it cannot run again', async () => {
    const brittle = async (context: Context) => {
      if (context.storage.get('state') === 'running') throw new Error('a lock file exists')
      context.storage.set('state', 'running')
      await apiOf(context)('GET', '/me')
      context.storage.set('state', 'idle')
    }
    const { findings, notes } = await explore(brittle, { families: ['crash'] })
    expect(findings).toEqual([])
    expect(notes).toEqual([expect.stringContaining('ran again, it rejected: a lock file exists')])
    const withWork = async (context: Context) => {
      await brittle(context)
      await apiOf(context)('PATCH', '/tasks/tsk_replace_burrs', { priority: 'high' })
    }
    expect(await foundBy(withWork, { families: ['crash'] })).toEqual([
      'error: state task changed priority: stopped before',
    ])
  })

  test('nothing where a second run makes things again anyway, unless that is not meant', async () => {
    const once = (context: Context) =>
      apiOf(context)('POST', '/tasks/tsk_replace_burrs/comments', { content: 'Once' })
    const { findings, notes, covered } = await explore(once, { families: ['crash'] })
    expect({ findings, covered }).toEqual({ findings: [], covered: { tried: 0, possible: 0 } })
    expect(notes).toEqual([
      expect.stringContaining(
        'a second undisturbed run leaves a different state: comment "Once" exists 2 times instead of 1',
      ),
    ])
    const insisted = await foundBy(once, { families: ['crash'], restartable: true })
    expect(insisted).toEqual(['error: state comment twice: stopped after'])
  })

  test('nothing of the timers that the stopped client left behind', async () => {
    const scenario = async (context: Context) => {
      const { storage } = context
      setTimeout(
        () =>
          void apiOf(context)('POST', '/tasks/tsk_replace_burrs/comments', { content: 'Left' }).catch(
            () => undefined,
          ),
        1,
      )
      await madeOnce(context)
      storage.set('done', true)
    }
    const { findings } = await explore(scenario, { families: ['crash'] })
    expect(findings.filter(({ kind }) => kind === 'state')).toEqual([])
  })
})

describe('explore finds where others write meanwhile', () => {
  test('a client that sends back a record as it read it', async () => {
    const found = await foundBy(
      async (context) => {
        const api = apiOf(context)
        const { title, description, due_date } = await api('GET', '/tasks/tsk_replace_burrs')
        await api('PATCH', '/tasks/tsk_replace_burrs', { title: `${title}!`, description, due_date })
      },
      { families: ['concurrency'] },
    )
    expect(found).toContain('error: state task changed due_date: another field edited')
  })

  test('a same-field edit as an assumption, since the contract has no conditional writes', async () => {
    const found = await foundBy(
      async (context) => {
        const api = apiOf(context)
        const { title } = await api('GET', '/tasks/tsk_replace_burrs')
        await api('GET', '/me')
        await api('PATCH', '/tasks/tsk_replace_burrs', { title: `${title}!` })
      },
      { families: ['concurrency'] },
    )
    expect(found).toEqual(['assumption: state task changed title: the same field edited'])
  })

  test('a record that is made again after another user deleted it, as a warning', async () => {
    const found = await foundBy(
      async (context) => {
        const api = apiOf(context)
        await api('GET', '/tasks/tsk_replace_burrs')
        await api('PATCH', '/tasks/tsk_replace_burrs', { priority: 'high' }).catch(() =>
          api('POST', `/lists/${listOf(context.mock)}/tasks`, { title: 'Replace the grinder burrs' }),
        )
      },
      { families: ['concurrency'] },
    )
    expect(found).toContain('warning: state task added: record deleted')
  })

  test.for<[name: string, queryOf: (poll: number, newest: number) => string, found: string[]]>([
    [
      'whose cursor is ahead of what it has read',
      (poll, newest) => (poll === 0 ? '' : `&since=${newest + 7_200_000}`),
      ['error: state submission missing: a submission after it'],
    ],
    [
      'whose cursor is the last that it has read',
      (poll, newest) => (poll === 0 ? '' : `&since=${newest}`),
      [],
    ],
    ['which reads all each time', () => '', []],
    [
      'which reads what is new first, and then all',
      (poll, newest) => (poll === 0 ? `&since=${newest}` : ''),
      [],
    ],
  ])('a submission that a client passes over: one %s', async ([, queryOf, found]) => {
    const poll = async (context: Context) => {
      const { sleep, mock } = context
      const newest = Math.max(
        ...mock.db.submissions
          .findMany((query) => query.where({ form_id: 'frm_samples' }))
          .map(({ created_at }) => created_at),
      )
      for (let round = 0; round < 2; round++) {
        await apiOf(context)('GET', `/forms/frm_samples/submissions?limit=200${queryOf(round, newest)}`)
        await sleep(60_000)
      }
    }
    expect(await foundBy(poll, { families: ['concurrency'] })).toEqual(found)
  })

  test('nothing of the records of others when undisturbed runs write different texts', async () => {
    const found = await foundBy(
      async (context) => {
        await new Client(context).tasks('lst_production')
        await apiOf(context)('POST', '/lists/lst_production/tasks', { title: crypto.randomUUID() })
      },
      { families: ['concurrency'] },
    )
    expect(found.filter((text) => text.includes('of others'))).toEqual([])
  })

  test('a client that goes on where its key is suspended', async () => {
    const found = await foundBy(
      async (context) => {
        const api = apiOf(context)
        await api('GET', '/me')
        await api('PATCH', '/tasks/tsk_replace_burrs', { priority: 'high' }).catch(() => undefined)
      },
      { families: ['concurrency'] },
    )
    expect(found).toEqual(['error: state task changed priority: key suspended'])
  })
})

describe('explore looks for what a client that rejected leaves behind:', () => {
  const beatEvery = (isCleared: boolean) => async (context: Context) => {
    const beat = setInterval(() => void apiOf(context)('GET', '/me').catch(() => undefined), 20_000)
    try {
      await apiOf(context)('PATCH', '/tasks/tsk_label', { priority: 'high' })
      clearInterval(beat)
    } finally {
      if (isCleared) clearInterval(beat)
    }
  }
  /** When one worker of a pool fails, the others continue for a while. */
  const inParallel = (rounds: number) => async (context: Context) => {
    const work = async (id: string) => {
      for (let round = 0; round < rounds; round++) {
        await apiOf(context)('GET', `/tasks/${id}`)
        await context.sleep(1000)
      }
    }
    await Promise.all(['tsk_label', 'tsk_replace_burrs'].map(work))
  }
  test.for<[name: string, scenario: Scenario, found: readonly string[]]>([
    ['an interval', beatEvery(false), ['warning: late request getIdentity: 503 for good']],
    ['nothing where it is cleared', beatEvery(true), []],
    ['nothing where others of a pool end what they had begun', inParallel(3), []],
  ])('%s', async ([, scenario, found]) => {
    vi.useFakeTimers()
    try {
      const all = await foundBy(scenario, { families: ['outage'] })
      expect(all.filter((text) => text.includes('late request'))).toEqual(found)
    } finally {
      vi.useRealTimers()
    }
  })
})

describe('explore finds of other services', () => {
  test('a client that takes the page of a gateway for success', async () => {
    const found = await foundBy(
      async ({ fetch, baseUrl, key }) => {
        const response = await fetch(`${baseUrl}/tasks/tsk_replace_burrs`, {
          method: 'PATCH',
          headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
          body: '{"title":"B"}',
        })
        if (response.status < 500 || response.status === 502) return
        throw new Error(`answered ${response.status}`)
      },
      { families: ['compatibility'] },
    )
    expect(found).toContain('error: state task changed title: HTML 502')
  })

  test('nothing in a client that refuses several matches of a search', async () => {
    const found = await foundBy(
      async (context) => {
        const { tasks } = await new Client(context).request(
          'GET',
          `/lists/lst_production/tasks?q=Count&limit=9`,
        )
        if (tasks.length !== 1) throw new Error('the name is not unique')
        await new Client(context).update(tasks[0].id, { priority: 'low' })
      },
      { families: ['compatibility'] },
    )
    expect(found.filter((text) => !text.startsWith('info'))).toEqual([])
  })

  test('a client that takes the first of a listing for its own, as an assumption', async () => {
    const found = await foundBy(
      async (context) => {
        const api = apiOf(context)
        const path = `/lists/${listOf(context.mock)}/tasks`
        await api('POST', path, { title: 'First' })
        await api('POST', path, { title: 'Second' })
        const { tasks } = await api('GET', `${path}?limit=200`)
        await api('PATCH', `/tasks/${tasks.at(-1).id}`, { priority: 'urgent' })
      },
      { families: ['compatibility'] },
    )
    expect(found).toContainEqual(
      expect.stringMatching(/^assumption: state task changed priority: new items first/),
    )
    expect(found.some((text) => text.startsWith('error'))).toBe(false)
  })

  test('a client that reads two pages and no more, and one that reads the first alone as an assumption', async () => {
    const reading = (pages: number) => async (context: Context) => {
      const path = '/datatables/tbl_shipments/rows'
      for (let page = 1; page <= pages; page++) await apiOf(context)('GET', `${path}?limit=500&page=${page}`)
    }
    expect(await foundBy(reading(3), { families: ['compatibility'] })).toContainEqual(
      expect.stringMatching(/^error: depends pages: one page more: /),
    )
    const tasks = async (context: Context) => {
      await new Client(context).tasks(listOf(context.mock))
    }
    const found = await foundBy(tasks, { families: ['compatibility'] })
    expect(found.filter((text) => !text.startsWith('info'))).toEqual([
      expect.stringMatching(/^assumption: depends pages: /),
    ])
  })

  test.for([
    ['whose last page is full', '/lists/lst_website/tasks', 'tasks', 2],
    ['of submissions', '/forms/frm_samples/submissions', 'submissions', 4],
    ['of submissions whose last page is full', '/forms/frm_samples/submissions', 'submissions', 7],
  ] as const)('a client that reads too few pages of a listing %s', async ([, path, name, size]) => {
    const readPages = (most: number) => async (context: Context) => {
      for (let page = 0; page < most; page++) {
        const body = await apiOf(context)('GET', `${path}?limit=${size}&offset=${page * size}`)
        if (body[name].length < size) return
      }
    }
    const found = await foundBy(readPages(2), { families: ['compatibility'] })
    expect(found.join()).toMatch(/^error: depends pages: one page more: /)
    expect(await foundBy(readPages(99), { families: ['compatibility'] })).toEqual([])
  })

  test('what depends on an open question, as infos', async () => {
    const found = await foundBy(
      async (context) => {
        const { rows: all } = await apiOf(context)('GET', `${orders}/rows?limit=1`)
        if (all[0].data.col_customer === undefined) throw new Error('no data')
      },
      { families: ['answers'] },
    )
    expect(found.filter((text) => text.startsWith('info'))).toEqual([
      expect.stringMatching(/^info: depends rowShape: "flat": rowShape: "flat"$/),
      expect.stringMatching(/^info: depends rowShape: "flatInLists"/),
    ])
  })
})

test('explore gives lines and faults that a plain test replays, in process and as JSON', async () => {
  const client = async (context: Context) => {
    const api = apiOf(context)
    const go = (...given: Parameters<typeof api>) => api(...given).catch(() => ({}))
    const { tasks = [] } = await go('GET', `/lists/${listOf(context.mock)}/tasks?limit=1`)
    await go('PATCH', '/tasks/tsk_replace_burrs', {
      title: 'B',
      description: 'C',
      due_date: tasks[0]?.due_date,
    })
    await go('POST', '/tasks/tsk_replace_burrs/comments', { content: 'Once' })
    await go('POST', `${orders}/rows/bulk`, { rows: rows(3) })
    await go('POST', `${orders}/jobs/insert`, { rows: rows(3) })
  }
  const findings = []
  for (const family of ['errors', 'outcomes', 'crash', 'concurrency', 'compatibility'] as const) {
    const result = await explore(client, { families: [family], restartable: true })
    expect(result.findings.length, family).toBeGreaterThan(0)
    findings.push(...result.findings)
  }
  const hitsOf = async (set: (mock: WorkspaceMock) => unknown) => {
    const mock = createWorkspaceMock()
    set(mock)
    const fetch: typeof globalThis.fetch = (input, init) => mock.fetch(new Request(input, init))
    await client({
      mock,
      fetch,
      baseUrl: mock.baseUrl,
      key: mock.keys.master,
      sleep: mock.clock.sleep,
      storage: new Map(),
    })
    return [...mock.faults(), ...consoleControlsOf(mock).usedFaults()].reduce(
      (sum, { hits }) => sum + hits,
      0,
    )
  }
  for (const { reproduction, fault, cause } of findings) {
    expect(await hitsOf((mock) => runInNewContext(reproduction, { mock })), reproduction).toBeGreaterThan(0)
    const json = JSON.parse(JSON.stringify(fault))
    expect(await hitsOf((mock) => mock.fault(json)), cause).toBeGreaterThan(0)
  }
})

test('explore has a row for each request, a column for each family, the worst in each cell, and one finding a cause', async () => {
  const careless = async (context: Context) => {
    const api = apiOf(context)
    const stubborn = (...given: Parameters<typeof api>) => api(...given).catch(() => api(...given))
    await stubborn('GET', '/me')
    await stubborn('POST', '/tasks/tsk_replace_burrs/comments', { content: 'Once' })
  }
  const result = await explore(careless, { restartable: true })
  expect(result.matrix.columns).toEqual([
    'errors',
    'outage',
    'repeated',
    'latency',
    'crash',
    'concurrency',
    'compatibility',
  ])
  expect(result.matrix.rows).toMatchObject([
    { operation: 'getIdentity', request: 1, cells: { errors: 'retry-after', crash: 'ok' } },
    { operation: 'createComment', request: 1, cells: { errors: 'twice', crash: 'twice' } },
    { operation: null, request: null, cells: { repeated: 'retry-after' } },
  ])
  const twice = result.findings.filter(({ cause }) => cause === 'state comment twice')
  expect(twice).toHaveLength(1)
  expect(new Set(twice[0]!.shownBy.map(({ family }) => family))).toEqual(
    new Set(['errors', 'crash', 'compatibility']),
  )
  expect(twice[0]!.shownBy).toHaveLength(twice[0]!.count)
  expect(twice[0]!.shownBy[0]).toEqual({ operation: 'createComment', family: 'errors', request: 1 })
  expect(String(result)).toMatch(
    /request +errors +outage +repeated +latency +crash +concurrency +compatibility\n/,
  )
})
