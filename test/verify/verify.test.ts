// Checks that verify passes against the mock however it is reached, is polite, and leaves nothing behind.
import { execFileSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { createWorkspaceMock, type WorkspaceMock } from 'workspace-api-mock'
import { CannotRun, verify, type VerifyReport } from 'workspace-api-mock/verify'
import { contentOf, contentWithout, withoutTimers } from './support/content.ts'
import { deployment } from './support/deployment.ts'
import { mutants } from './support/mutants.ts'
import { inProcess } from './support/scrambles.ts'
import { drifts, newMock, overHttp, smallMock } from './support/whole-run.ts'

test('over HTTP, reading alone, a served mock has no drift and stays as it was', async () => {
  const mock = smallMock()
  const { report, before, after } = await overHttp(mock, 'business', false)
  expect(drifts(report)).toEqual([])
  expect(report).toMatchObject({ ok: true, mode: 'read', interrupted: false, notes: [], leftBehind: [] })
  expect(report.counts.pass).toBeGreaterThan(180)
  expect(after).toEqual(before)
  const sent = mock.requests().map(({ method, path }) => (path.endsWith('/query') ? 'query' : method))
  expect([...new Set(sent)].sort()).toEqual(['GET', 'PUT', 'query'])
})

describe('only', () => {
  /** What a run reports about the chosen checks. */
  async function judged(write: boolean, ...only: string[]) {
    const { counts, findings, problem } = await verify({ ...inProcess(smallMock(), 'master'), write, only })
    return { counts, problem, names: findings.map(({ operation, rule }) => `${operation}/${rule}`) }
  }

  test('a rule for all responses is checked in every scenario that sends the operation', async () => {
    for (const rule of ['readable', 'cors', 'content-type', 'values']) {
      const { counts, problem, names } = await judged(false, `listTasks/${rule}`)
      expect([names, counts.pass, problem]).toEqual([[`listTasks/${rule}`], 1, undefined])
    }
    const { names } = await judged(false, 'cors')
    expect(names.length).toBeGreaterThan(15)
    expect(names.every((name) => name.endsWith('/cors'))).toBe(true)
  })

  test('the scenario that makes the space can be chosen alone', async () => {
    const written = await judged(true, 'own-space')
    expect(written.names).toContain('createSpace/own-space')
    expect(written.names.every((name) => name.endsWith('/own-space'))).toBe(true)
    expect(written.counts).toMatchObject({ drift: 0, inconclusive: 0 })
    const read = await judged(false, 'createSpace/own-space')
    expect([read.names, read.counts.inconclusive]).toEqual([['createSpace/own-space'], 1])
    expect(read.problem).toMatch(/^Nothing was checked/)
  })

  test('a run that checked nothing has a problem', async () => {
    const { counts, problem } = await judged(false, 'createTask/cors')
    expect(counts).toEqual({ pass: 0, drift: 0, inconclusive: 0 })
    expect(problem).toMatch(/^Nothing was checked: .* Rules for writes need --write\.$/)
    expect((await judged(true, 'createTask/cors')).counts.pass).toBe(1)
  })
})

test('the wrapping of the mutants changes nothing by itself', async () => {
  const mock = smallMock()
  const fetch = deployment(mock, 'createTask', { ask: () => undefined, reply: () => undefined })
  const report = await verify({ ...inProcess(mock, 'master'), fetch, write: true, only: ['createTask'] })
  expect(drifts(report)).toEqual([])
  expect(report.counts.pass).toBeGreaterThan(15)
})

describe('manners', () => {
  test('a 429 is waited out as long as it says', async () => {
    const mock = smallMock()
    mock.fault({ operation: 'listSpaces', status: 429, retryAfter: 7 })
    const waits: number[] = []
    const options = { ...inProcess(mock, 'master'), only: ['listSpaces'] }
    const report = await verify({ ...options, wait: (ms) => (waits.push(ms), options.wait(ms)) })
    expect(drifts(report)).toEqual([])
    expect(waits).toEqual([7000])
  })

  test('what is beyond the contract is noted, and is no drift', async () => {
    const mock = smallMock()
    const fetch = deployment(mock, 'listTasks', {
      reply: ({ json }) => {
        for (const task of json.tasks ?? []) task.watchers = []
      },
    })
    const report = await verify({ ...inProcess(mock, 'master'), fetch, only: ['listTasks'] })
    expect(report.notes).toContainEqual({
      operation: 'listTasks',
      note: expect.stringContaining('tasks.*.watchers'),
    })
    expect(drifts(report).map(({ operation }) => operation)).not.toContain('listTasks')
  })
})

describe('cleaning up', () => {
  /** Runs one operation's scenarios, interrupted at a given write. */
  async function interrupted(mock: WorkspaceMock, operation: string, at: number): Promise<VerifyReport> {
    const controller = new AbortController()
    const { fetch, ...options } = inProcess(mock, 'master')
    let writes = 0
    const counting = (request: Request) => {
      const isWrite = request.method === 'POST' && !request.url.endsWith('/query')
      if (isWrite && (writes += 1) === at) controller.abort()
      return fetch(request)
    }
    const only = [operation]
    return verify({ ...options, fetch: counting, write: true, only, signal: controller.signal })
  }

  test.for([
    ['createTask', 40],
    ['bulkInsertRows', 30],
    ['createComment', 20],
    ['uploadTaskAttachment', 15],
    ['createTimeEntry', 30],
  ] as const)(
    'a run on %s that is interrupted at its %sth write leaves only its space',
    async ([operation, at]) => {
      const mock = smallMock()
      const before = withoutTimers(contentOf(mock))
      const report = await interrupted(mock, operation, at)
      expect(report.interrupted).toBe(true)
      expect(withoutTimers(contentWithout(mock, 'verify-test'))).toEqual(before)
    },
  )

  test('what a deployment does not delete is named', async () => {
    const mock = smallMock()
    const { make } = mutants.find(
      ({ operation, wrong }) => operation === 'deleteRow' && wrong.includes('stays'),
    )!
    const report = await verify({
      ...inProcess(mock, 'master'),
      fetch: deployment(mock, 'deleteRow', make()),
      write: true,
      only: ['createRow/same-twice'],
    })
    expect(
      report.leftBehind.some(({ what, why }) => what.startsWith('row ') && why.includes('still listed')),
    ).toBe(true)
  })
})

describe('findings', () => {
  test.for([
    ['only', ['creatTask'], 'no rule or operation is named "creatTask"; the nearest is "createTask"'],
    ['skip', ['creatTask'], 'no rule or operation is named "creatTask"; the nearest is "createTask"'],
    ['only', 'createTask', 'only must be a list of rules and operations; received "createTask"'],
    ['skip', null, 'skip must be a list of rules and operations; received null'],
    ['skip', [undefined], 'skip must be a list of rules and operations; received [null]'],
  ] as const)('verify rejects %s as %j, and sends nothing', async ([option, value, message]) => {
    const mock = smallMock()
    const run = verify({ ...inProcess(mock, 'master'), [option]: value })
    await expect(run).rejects.toThrow(CannotRun)
    await expect(run).rejects.toThrow(message)
    expect(mock.requests()).toEqual([])
  })

  test('the key is sent to no other origin', async () => {
    const mock = smallMock()
    const options = inProcess(mock, 'master')
    const foreign: string[] = []
    const rewriting = deployment(mock, 'listTaskAttachments', {
      reply: ({ json }) => {
        for (const file of json.attachments ?? []) file.url = 'https://files.example.com/1'
      },
    })
    const watched = async (request: Request) => {
      if (request.url.startsWith(mock.baseUrl)) return rewriting(request)
      foreign.push(request.headers.get('authorization') ?? '')
      return new Response('')
    }
    const report = await verify({ ...options, fetch: watched, write: true, only: ['listTaskAttachments'] })
    expect(foreign.filter((key) => key !== '')).toEqual([])
    expect(drifts(report).map(({ rule }) => rule)).toContain('url')
  })

  test.for([
    [401, 'inconclusive'],
    [200, 'drift'],
  ] as const)(
    'another port of this machine that responds with %s without a key: %s',
    async ([status, outcome]) => {
      const mock = createWorkspaceMock({ advanceOnPoll: false, baseUrl: 'http://127.0.0.1:4010/v1' })
      const rewriting = deployment(mock, 'listTaskAttachments', {
        reply: ({ json }) => {
          for (const file of json.attachments ?? []) file.url = 'http://127.0.0.1:4011/file'
        },
      })
      const fetch = async (request: Request) =>
        request.url.startsWith(mock.baseUrl) ? rewriting(request) : new Response('', { status })
      const only = ['listTaskAttachments/url']
      const { findings } = await verify({ ...inProcess(mock, 'master'), fetch, write: true, only })
      expect(findings.find(({ rule }) => rule === 'url')?.outcome).toBe(outcome)
    },
  )

  test('a drift comes with the request that shows it, as curl and as HAR, without the key', async () => {
    const mock = smallMock()
    const fetch = deployment(mock, 'uploadTaskAttachment', {
      reply: ({ status, json }) => {
        if (status < 300) json.attachment.size_bytes = 'large'
      },
    })
    const run = { ...inProcess(mock, 'master'), fetch, write: true, har: true }
    const { findings, har } = await verify({ ...run, only: ['uploadTaskAttachment'] })
    const drift = findings.find(({ field }) => field === 'attachment.size_bytes')
    expect(drift?.curl).toMatch(
      /\ncurl -i -X POST '.*' -H "authorization: Bearer \$WORKSPACE_API_KEY" -F 'file=@/,
    )
    const entry = har?.log.entries.find(
      ({ comment, request }) =>
        comment === `uploadTaskAttachment/${drift?.rule ?? ''}` && request.url.endsWith('/attachments'),
    )
    expect(entry).toMatchObject({
      request: {
        method: 'POST',
        postData: {
          mimeType: 'multipart/form-data',
          params: [{ name: 'file', fileName: expect.any(String) }],
        },
      },
      response: { status: 201, content: { text: expect.stringContaining('"size_bytes":"large"') } },
    })
    expect(JSON.stringify([findings, har])).not.toContain(mock.keys.master)
  })

  test.for([
    [
      'wrong-key',
      (key: string) => new RegExp(`^authorization: Bearer ${key.slice(0, -1)}(?!${key.slice(-1)}).$`),
    ],
    ['identity', (key: string) => new RegExp(`^authorization: Bearer ${key}$`)],
  ] as const)('the curl of a drift, in a shell, sends the key of its request: %s', async ([rule, wanted]) => {
    const mock = smallMock()
    const apiKey = mock.keys.master
    // Accepts every key, and names no members.
    const fetch = async ({ url }: Request) => {
      const asked = new Request(url, { headers: { authorization: `Bearer ${apiKey}` } })
      const { workspace } = await (await mock.fetch(asked)).json()
      return Response.json({ workspace }, { headers: { 'access-control-allow-origin': '*' } })
    }
    const only = [`getIdentity/${rule}`]
    const { findings } = await verify({
      ...inProcess(mock, 'master'),
      fetch,
      only: [...only, 'getIdentity/wrong-key'],
    })
    const { curl = '' } = findings.find((finding) => finding.rule === rule)!
    const shown = execFileSync('sh', ['-c', `curl() { printf '%s\\n' "$@"; }; ${curl}`], {
      env: { WORKSPACE_API_KEY: apiKey },
    })
    expect(String(shown).split('\n')).toContainEqual(expect.stringMatching(wanted(apiKey ?? '')))
  })

  test('the curl of a drift sends text parts as they are, whatever is in them', async () => {
    const mock = smallMock()
    const fetch = deployment(mock, 'createTask', {
      reply: ({ status, json }) => {
        if (status < 300) json.attachments = 'none'
      },
    })
    const { findings } = await verify({
      ...inProcess(mock, 'master'),
      fetch,
      write: true,
      only: ['createTask/with-files'],
    })
    const commands = findings.flatMap(({ curl = '' }) => (curl.includes('data={') ? [curl] : []))
    expect(commands).not.toEqual([])
    for (const command of commands) expect(command).toMatch(/ --form-string 'data=\{/)
  })

  test('jobs are left behind, and named', async () => {
    const report = await verify({ ...inProcess(smallMock(), 'master'), write: true, only: ['getJob'] })
    expect(report.leftBehind.some(({ what }) => what.startsWith('job '))).toBe(true)
  })

  test('a key that may only read has a problem, whatever may be inconclusive', async () => {
    const state: any = smallMock().state()
    for (const { keys } of state.workspaces)
      for (const key of keys)
        if (key.name === 'scoped') key.scopes = key.scopes.filter((scope: string) => scope.endsWith(':read'))
    const mock = createWorkspaceMock({ fixture: state })
    const run = { ...inProcess(mock, 'scoped'), write: true, only: ['createTask', 'createRow'] }
    const report = await verify({ ...run, maxInconclusive: 1 })
    expect(report.problem).toMatch(/may not write what this run needs.*without --write/)
  })
})

describe('a run that cannot be made', () => {
  const mock = newMock()

  test.for([
    ['an unknown key', { apiKey: 'nope' }],
    ['a suspended key', { apiKey: mock.keys.suspended }],
    ['an invalid address', { baseUrl: 'nowhere' }],
    ['no address', { baseUrl: undefined as unknown as string }],
    ['no key', { apiKey: '' }],
    ['an address that is not the API', { baseUrl: 'https://api.workspace.test/v1/nowhere' }],
    ['an answer that is no JSON', { fetch: async () => new Response('<html></html>') }],
    ['no answer', { fetch: async () => Response.error() }],
    ['another API', { fetch: async () => Response.json({ user: 1 }) }],
    ['a redirect', { fetch: async () => Response.redirect('https://elsewhere.example/v1', 308) }],
    ['an unknown rule', { only: ['listRow'] }],
  ] as const)('says why: %s', async ([, changes]) => {
    await expect(verify({ ...inProcess(mock, 'master'), ...changes })).rejects.toThrow(CannotRun)
  })

  test.for([
    ['a port that fetch refuses', { baseUrl: 'http://127.0.0.1:1/v1' }, 'blocks its port'],
    ['a port beyond 65535', { baseUrl: 'http://127.0.0.1:65536/v1' }, 'is not a valid address'],
    ['a user name', { baseUrl: 'http://ada:pw@127.0.0.1:4010/v1' }, 'user name or password'],
    ['a key of two lines', { apiKey: 'wm_one\nwm_two' }, 'not allowed in a header'],
    ['a key beyond Latin-1', { apiKey: 'wm_schlüssel_€' }, 'not allowed in a header'],
  ] as const)('says at once what no retry changes, without the key: %s', async ([, changes, named]) => {
    let waits = 0
    const wait = async () => void (waits += 1)
    const run = { ...inProcess(mock, 'master'), fetch: globalThis.fetch, wait, ...changes }
    const refusal = await verify(run).catch((error: unknown) => error)
    expect(refusal).toBeInstanceOf(CannotRun)
    expect(String(refusal)).toContain(named)
    expect(String(refusal)).not.toContain(run.apiKey)
    expect(waits).toBe(0)
  })

  test.for([
    ['ECONNREFUSED', 'connect', 'the connection was refused (ECONNREFUSED); nothing is listening there'],
    ['ENOTFOUND', 'getaddrinfo', 'the host name cannot be resolved (ENOTFOUND)'],
    [
      'ERR_SSL_WRONG_VERSION_NUMBER',
      'wrong',
      'does not speak TLS as expected (ERR_SSL_WRONG_VERSION_NUMBER)',
    ],
    [
      'DEPTH_ZERO_SELF_SIGNED_CERT',
      'self-signed',
      'its certificate is not trusted (self-signed); --insecure',
    ],
  ])('names what no retry changes after one request: %s', async ([code, message, named]) => {
    let sent = 0
    const fetch = async () => {
      sent += 1
      const inner = Object.assign(new Error(message), { code })
      throw new TypeError('fetch failed', { cause: Object.assign(new Error(''), { errors: [inner] }) })
    }
    await expect(verify({ ...inProcess(mock, 'master'), fetch })).rejects.toThrow(named)
    expect(sent).toBe(1)
  })
})
