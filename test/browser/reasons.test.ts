// Why a request was refused, and that each remedy makes it succeed: from the console, and as a line of a test.
import { consoleControlsOf } from '../../src/adapters/control-api/console-controls.ts'
import { beforeEach, describe, expect, it } from 'vitest'
import { createPageSource } from '../../src/tools/console/page-source.ts'
import type { Reason, Remedy } from '../../src/mock/explain/reasons.ts'
import { callNamed } from '../../src/adapters/control-api/wire.ts'
import { createWorkspaceMock } from '../../src/index.ts'
import type { ErrorKind } from '../../src/contract/errors.ts'

const mock = createWorkspaceMock({ fixture: 'demo' })
const controls = createPageSource(mock).controls(null)

interface Sent {
  readonly method?: string
  readonly path: string
  readonly json?: unknown
  readonly key?: string
}

const send = ({ method = 'GET', path, json, key = 'wm_demo_master' }: Sent) =>
  mock
    .fetch(path, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: json === undefined ? null : JSON.stringify(json),
    })
    .catch(() => new Response(null, { status: 599 }))

const reason = (): Reason | null => {
  const { id } = mock.requests().at(-1)!
  return consoleControlsOf(mock).reason(id)
}

const apply = async ({ control, args }: Remedy) => {
  if (control !== undefined) await callNamed(controls, control.split('.'), args)
}

/** Runs a remedy's line of test code. */
const runCode = async ({ code }: Remedy) => {
  // eslint-disable-next-line @typescript-eslint/no-implied-eval -- the text is ours
  await new Function('mock', `return (async () => { ${code} })()`)(mock)
}

beforeEach(() => {
  mock.reset()
})

interface Refused extends Sent {
  readonly kind: ErrorKind
  arrange?(): unknown
  readonly labels: readonly string[]
  readonly fact?: string
}

const rows = (count: number) => ({ rows: Array.from({ length: count }, () => ({ col_customer: 'A' })) })
const bulk = { method: 'POST', path: '/datatables/tbl_orders/rows/bulk', json: rows(1) }
const job = { method: 'POST', path: '/datatables/tbl_orders/jobs/insert', json: rows(1) }
const start = { method: 'POST', path: '/tasks/tsk_label/time-entries', json: { action: 'start' } }
const running = () => mock.db.timeEntries.findFirst((q) => q.where({ is_running: 1, task_id: 'tsk_label' }))!
const edit = { method: 'PATCH', json: { note: 'changed' } }
const aSpace = { method: 'POST', path: '/spaces', json: { name: 'Second' } }

const refusals: readonly Refused[] = [
  { kind: 'unauthenticated', path: '/me', key: 'wm_none', labels: ['Use key master'] },
  { kind: 'suspended', path: '/me', key: 'wm_demo_suspended', labels: ['Reactivate the key'] },
  { kind: 'billing', path: '/me', key: 'wm_lapsed_master', labels: ['Mark billing as current'] },
  { kind: 'scope', ...aSpace, key: 'wm_demo_scoped', labels: ['Use key master'] },
  {
    kind: 'asyncBulk',
    ...job,
    arrange: () => mock.setPlan('free'),
    labels: ['Change to plan pro', 'Change to plan business', 'Change to plan scale'],
  },
  {
    kind: 'spacesLimit',
    ...aSpace,
    arrange: () => mock.setLimits({ spaces: 2 }),
    labels: ['Raise the limit to 4'],
    fact: '2 counted, 2 allowed',
  },
  { kind: 'lockedTable', ...bulk, arrange: () => mock.lockTable('tbl_orders'), labels: ['Unlock the table'] },
  { kind: 'rowsPerRequest', ...bulk, json: rows(251), labels: ['Raise the limit to 500'] },
  {
    kind: 'rowsPerJob',
    ...job,
    json: rows(5),
    arrange: () => mock.setLimits({ bulkRowsPerJob: 4 }),
    labels: ['Raise the limit to 8'],
  },
  {
    kind: 'monthlyRequests',
    path: '/me',
    arrange: () => mock.setLimits({ requestsPerMonth: 0 }),
    labels: ['Raise the limit to 2'],
    fact: 'Resets at 2026-02-01 00:00:00.',
  },
  {
    kind: 'bulkRate',
    ...bulk,
    arrange: async () => {
      mock.setLimits({ bulkInsertPerMinute: 1 })
      await send(bulk)
      mock.clock.advance('20s')
    },
    labels: ['Raise the limit to 3', 'Advance the clock by 40 s'],
    fact: 'Resets at 2026-01-05 10:01:00.',
  },
  {
    kind: 'concurrentJobs',
    ...job,
    arrange: () => send(job),
    labels: ['Raise the limit to 2', 'Advance the clock by 1 s'],
    fact: 'The first job ends at 2026-01-05 10:00:01.',
  },
]

describe('the reason of a refusal', () => {
  it.each(refusals)(
    'names the rule of $kind, and each remedy helps: $labels',
    async ({ kind, arrange, labels, fact, ...sent }) => {
      const again = async () => {
        mock.reset()
        await arrange?.()
        await send(sent)
        expect(consoleControlsOf(mock).requestSummaries().at(-1)?.refusal).toBe(kind)
        return reason()
      }
      const first = await again()
      expect(first?.rule).toContain('Contract, ')
      expect(first?.remedies.map(({ label }) => label)).toEqual(labels)
      if (fact !== undefined) expect(first?.facts.join(' ')).toContain(fact)
      for (const { label } of first?.remedies ?? [])
        for (const run of [apply, runCode]) {
          const remedy = (await again())!.remedies.find((one) => one.label === label)!
          await run(remedy)
          const { status } = await send({ ...sent, ...(remedy.key !== undefined && { key: remedy.key }) })
          expect(status, remedy.code).toBeLessThan(300)
        }
    },
  )

  it('stops a running entry, whichever status its edit gets', async () => {
    for (const editRunning of [400, 403] as const) {
      mock.reset()
      mock.setAnswers({ editRunning })
      await send(start)
      mock.clock.advance('5m')
      const sent = { ...edit, path: `/tasks/tsk_label/time-entries/${running().id}` }
      expect((await send(sent)).status).toBe(editRunning)
      const [remedy] = reason()?.remedies ?? []
      expect(remedy?.label).toBe('Stop the time entry')
      await apply(remedy!)
      expect((await send(sent)).status).toBe(200)
      const stopped = mock.db.timeEntries.findFirst((q) => q.where({ id: sent.path.split('/').at(-1)! }))
      expect(stopped).toMatchObject({ is_running: 0, duration: 300, date_end: mock.clock.now() })
    }
  })

  it('edits the comment of another key with a master key', async () => {
    await send({ method: 'POST', path: '/tasks/tsk_label/comments', json: { content: 'mine' } })
    const { id } = mock.db.comments.findFirst((q) => q.where({ content: 'mine' }))!
    const sent = {
      method: 'PATCH',
      path: `/tasks/tsk_label/comments/${id}`,
      json: { content: 'x' },
      key: 'wm_demo_scoped',
    }
    expect((await send(sent)).status).toBe(403)
    const [remedy] = reason()?.remedies ?? []
    expect((await send({ ...sent, key: remedy?.key ?? '' })).status).toBe(200)
  })

  it('restores a task that a request deleted, and names that request', async () => {
    await send({ method: 'DELETE', path: '/tasks/tsk_label' })
    expect((await send({ path: '/tasks/tsk_label' })).status).toBe(404)
    const [remedy] = reason()?.remedies ?? []
    expect(remedy?.label).toBe('Restore tsk_label')
    await apply(remedy!)
    expect((await send({ path: '/tasks/tsk_label' })).status).toBe(200)
  })

  it('names the fault, used up or not, and removes it', async () => {
    mock.fault({ operation: 'getIdentity', status: 503 })
    await send({ path: '/me' })
    expect(reason()?.facts[0]).toBe('fault_1 is no longer set.')
    mock.fault({ operation: 'getIdentity', network: true, times: null })
    await send({ path: '/me' })
    const [remedy] = reason()?.remedies ?? []
    expect(remedy?.label).toBe('Remove fault_2')
    await apply(remedy!)
    expect((await send({ path: '/me' })).status).toBe(200)
  })

  it.each([
    [
      'table',
      bulk,
      () => mock.lockTable('tbl_orders'),
      () => mock.lockTable('tbl_orders', false),
      'is no longer locked.',
    ],
    [
      'key',
      { path: '/me', key: 'wm_demo_scoped' },
      () => mock.suspendKey('scoped'),
      () => mock.suspendKey('scoped', false),
      'is active now.',
    ],
    [
      'billing',
      { path: '/me' },
      () => mock.lapseBilling(),
      () => mock.lapseBilling(false),
      'is current now.',
    ],
  ])('says that the cause is gone, without a remedy: %s', async (_what, sent, cause, end, fact) => {
    cause()
    expect((await send(sent)).status).toBeGreaterThanOrEqual(400)
    expect(reason()?.remedies).toHaveLength(1)
    end()
    expect(reason()?.facts.join(' ')).toContain(fact)
    expect(reason()?.remedies).toEqual([])
  })

  it('names the current limit where it was changed since', async () => {
    mock.setLimits({ spaces: 2 })
    await send(aSpace)
    expect(reason()?.facts.join(' ')).not.toContain('The limit is')
    mock.setLimits({ spaces: 7 })
    expect(reason()?.facts.join(' ')).toContain('The limit is 7 now.')
    expect(reason()?.remedies).toEqual([])
  })

  it.each([
    ['/datatables/tbl_none/rows', 'tbl_none is not the id of a record.'],
    ['/datatables/tbl_orders/rows/row_none', 'tbl_orders exists.'],
  ])('says what became of each id: GET %s', async (path, fact) => {
    expect((await send({ path })).status).toBe(404)
    expect(reason()?.facts).toContain(fact)
  })

  it.each([
    ['tasks/tsk_label', 'was deleted'],
    ['datatables/tbl_orders/rows/row_order_1', 'was deleted'],
  ])('leaves what became of a deleted record to the hint: %s', async (path, hint) => {
    await send({ method: 'DELETE', path: `/${path}` })
    await send({ path: `/${path}` })
    const facts = reason()?.facts ?? []
    expect(facts).toHaveLength(2)
    expect(facts[1]).toMatch(new RegExp(`^Hint: .*${hint}`))
  })
})
