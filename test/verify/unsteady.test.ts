// Checks that verify completes its report whatever a deployment sends, stays bounded when connections break, and names
// intermittent faults.
import { describe, expect, test } from 'vitest'
import { CannotRun, verify } from 'workspace-api-mock/verify'
import { expectReport, hostile, report, small, type Wrap } from './support/hostile.ts'
import { inProcess } from './support/scrambles.ts'

/** One listing and one write of each kind; the others are in hostile-deployments.test.ts. */
const some = {
  only: [
    ...[
      'listDatatables/tables',
      'listForms/forms',
      'listLists/structure',
      'listRows/preflight',
      'queryRows/eq',
    ],
    ...['createRow/bodies', 'updateTask/parent', 'listTaskAttachments/url', 'createComment/no-json'],
    ...['submitInsertJob/job-inserts', 'createTimeEntry/start-stop', 'createSpace/readable'],
  ],
}

describe('verify reports', () => {
  test.for(hostile)('where a deployment sends %s', ([, wrap]) => expectReport(wrap, some))

  test('what breaks within a run as a fault of verify, with its cause, and such a run does not count', async () => {
    const wait = async (ms: number) => {
      if (ms === 6000) throw new TypeError('of its own')
    }
    const { problem, findings } = await report((mock) => mock.fetch, { wait, only: ['updateRow/updated'] })
    expect(findings).toMatchObject([{ outcome: 'inconclusive', reason: 'failure' }])
    expect(problem).toMatch(/^verify itself failed: TypeError: of its own \(updateRow\/updated\)/)
  })

  test('only CannotRun is thrown, also for an option of another function', async () => {
    const mock = small()
    const run = verify({ ...inProcess(mock, 'master'), anonymize: true } as Parameters<typeof verify>[0])
    await expect(run).rejects.toThrow(CannotRun)
    await expect(run).rejects.toThrow('options of verify has unknown fields: anonymize')
  })
})

interface Sent {
  readonly text: string
  readonly status: number
  readonly headers: Headers
}

describe('a deployment that is unsteady', () => {
  const quiet = report((mock) => mock.fetch)
  /** Ways to lose a response after the deployment has acted. */
  const losses = {
    'its connection': async () => Response.error(),
    'half of its body': async ({ text, ...init }: Sent) => new Response(text.slice(0, text.length / 2), init),
    'its body from within a text': async ({ text, ...init }: Sent) =>
      new Response(text.slice(0, text.lastIndexOf(':"') + 3), init),
    'all but the status 502 of a proxy': async () => new Response('<h1>Bad Gateway</h1>', { status: 502 }),
  }
  test.for([
    [5, 'its connection'],
    [5, 'half of its body'],
    [6, 'its body from within a text'],
    [7, 'all but the status 502 of a proxy'],
    [11, 'half of its body'],
  ] as const)(
    'has no drift and costs three times a quiet run at most: one response in %i loses %s',
    async ([every, lost]) => {
      const { requests, findings, problem } = await report((mock) => {
        let sent = 0
        return async (request) => {
          const response = await mock.fetch(request)
          if ((sent += 1) % every !== 0 || response.status === 204) return response
          const { status, headers } = response
          return losses[lost]({ text: await response.text(), status, headers })
        }
      })
      expect(findings.filter(({ outcome }) => outcome === 'drift')).toEqual([])
      expect(requests).toBeLessThanOrEqual(3 * (await quiet).requests)
      expect(problem).toMatch(/^The deployment was too unstable for \d+ checks/)
    },
  )

  test('names a listing that lacks its first row one time in five', async () => {
    const { findings } = await report((mock) => {
      let sent = 0
      return async (request) => {
        const response = await mock.fetch(request)
        if (!/\/rows(?:\?|$)/.test(request.url) || request.method !== 'GET' || (sent += 1) % 5 !== 0)
          return response
        const body = await response.json()
        body.rows?.shift()
        return Response.json(body, { status: response.status, headers: response.headers })
      }
    })
    const drift = findings.find(({ outcome, field }) => outcome === 'drift' && field === 'rows')
    expect(drift).toMatchObject({ operation: 'listRows', seen: expect.stringMatching(/^\d of \d$/) })
  })
})

describe('a drift costs in proportion', () => {
  const edited =
    (pattern: RegExp, edit: (json: any) => void): Wrap =>
    (mock) =>
    async (request) => {
      const response = await mock.fetch(request)
      if (request.method !== 'GET' || !pattern.test(new URL(request.url).pathname)) return response
      const json = await response.json()
      edit(json)
      return Response.json(json, { status: response.status, headers: response.headers })
    }

  test('a job with a status that the contract does not name is not polled any more', async () => {
    const wrap = edited(/\/jobs\/[^/]+$/, (json) => {
      if (json.status === 'done') json.status = 'completed'
    })
    const { findings, requests } = await report(wrap, { only: ['getJob', 'submitInsertJob'] })
    expect(findings.filter(({ outcome }) => outcome === 'drift')).toMatchObject([
      { operation: 'getJob', field: 'status', got: '"completed"' },
    ])
    expect(requests).toBeLessThan(400)
  })

  test('of jobs that never end, the first alone is polled for long', async () => {
    const wrap = edited(/\/jobs\/[^/]+$/, (json) => {
      if (json.status !== undefined) Object.assign(json, { status: 'queued', completed_at: null })
    })
    const { requests } = await report(wrap, { only: ['getJob', 'submitInsertJob'] })
    expect(requests).toBeLessThan(1500)
  })

  test('every title changed costs at most twice what a run without it does', async () => {
    const only = ['getTask', 'listTasks', 'createTask', 'updateTask']
    const quiet = await report((mock) => mock.fetch, { only })
    const wrap = edited(/\/tasks\/[^/]+$/, (json) => {
      if (json.title !== undefined) json.title = json.title.toLowerCase()
    })
    const { findings, requests } = await report(wrap, { only })
    expect(findings.filter(({ outcome }) => outcome === 'drift')).toMatchObject([{ operation: 'getTask' }])
    expect(requests).toBeLessThanOrEqual(2 * quiet.requests)
  })
})
