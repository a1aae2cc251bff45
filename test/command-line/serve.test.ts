// What `serve` does beyond serving: its log as JSON, and restarting when its files change.
import { readFileSync, renameSync, rmSync } from 'node:fs'
import { Agent, request as httpRequest } from 'node:http'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { directory, fileOf, printed, run, type Run } from './support/command-line.ts'

interface Line {
  readonly event: string
  readonly url?: string
}

const linesOf = ({ out }: Run): Line[] =>
  out
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line))

/** The address at which a process with `--json` listens, from its first line. */
async function urlOf(process: Run): Promise<string> {
  await printed(process, 'out', /\n/)
  return linesOf(process)[0]?.url ?? ''
}

const authorization = (key: string) => ({ authorization: `Bearer ${key}` })

describe('serve --json', () => {
  it('prints a line for its address, for each request with operation and refusal, and for its end', async () => {
    const process = run('serve', '--port', '0', '--clock', 'manual', '--json')
    const url = await urlOf(process)
    const headers = authorization('wm_demo_scoped')
    await fetch(`${url}/v1/me?page=1?2`, { headers })
    await fetch(`${url}/v1/me`)
    await fetch(`${url}/v1/spaces`, { method: 'POST', headers, body: '{}' })
    await fetch(`${url}/v1/task/tsk_label`, { headers: { ...headers, 'x-mock-sandbox': 'other' } })
    await fetch(`${url}/__mock/faults`, { method: 'POST', body: '{"network":true}' })
    await expect(fetch(`${url}/v1/me`, { headers })).rejects.toThrow()
    await fetch(`${url}/__mock/health`)
    process.child.kill('SIGTERM')
    expect(await process.ended).toBe(0)

    const request = {
      event: 'request',
      method: 'GET',
      path: '/v1/me',
      query: '',
      sandbox: null,
      operation: 'getIdentity',
      status: 200,
      refusal: null,
      error: null,
      hint: null,
    }
    const text = expect.any(String)
    expect(linesOf(process)).toEqual([
      {
        event: 'listening',
        url,
        baseUrl: `${url}/v1`,
        fixture: 'demo',
        clock: { now: 1767607200, mode: 'manual' },
      },
      { ...request, query: 'page=1?2' },
      { ...request, status: 401, refusal: 'unauthenticated', error: text },
      {
        ...request,
        method: 'POST',
        path: '/v1/spaces',
        operation: 'createSpace',
        status: 403,
        refusal: 'scope',
        error: text,
      },
      {
        ...request,
        path: '/v1/task/tsk_label',
        sandbox: 'other',
        operation: null,
        status: 404,
        refusal: 'unknownOperation',
        error: text,
        hint: expect.stringContaining('getTask'),
      },
      { ...request, method: 'POST', path: '/__mock/faults', operation: null },
      { ...request, status: null },
      { event: 'closed' },
    ])
    expect(process.out).not.toContain('wm_demo')
    expect(process.err).toBe('')
  })

  it('leaves out the requests with --quiet', async () => {
    const process = run('serve', '--port', '0', '--fixture', 'empty', '--json', '--quiet')
    await fetch(`${await urlOf(process)}/v1/me`)
    process.child.kill('SIGINT')
    expect(await process.ended).toBe(0)
    expect(linesOf(process).map(({ event }) => event)).toEqual(['listening', 'closed'])
  })
})

describe('the end of serve', () => {
  it.each([
    ['SIGINT', 'SIGINT'],
    ['SIGINT', 'SIGTERM'],
    ['SIGTERM', 'SIGTERM'],
  ] as const)('happens once, after the last response, on %s and %s', async (first, second) => {
    const file = join(directory, `ended-${first}-${second}.json`)
    const process = run('serve', '--port', '0', '--json', '--coverage', file)
    const url = await urlOf(process)
    const headers = authorization('wm_demo_master')
    await fetch(`${url}/__mock/faults`, { method: 'POST', body: '{"delayMs":500,"status":503}' })
    const delayed = fetch(`${url}/v1/me`, { headers })
    const hits = async () => {
      const { faults } = (await (await fetch(`${url}/__mock/faults`)).json()) as { faults: unknown[] }
      return faults.length
    }
    while ((await hits()) > 0) await setTimeout(10)
    process.child.kill(first)
    await setTimeout(100)
    process.child.kill(second)
    expect((await delayed).status).toBe(503)
    expect(await process.ended).toBe(0)
    expect(linesOf(process).map(({ event }) => event)).toEqual(['listening', 'request', 'request', 'closed'])
    const { operations } = JSON.parse(readFileSync(file, 'utf8'))
    expect(operations[0]).toMatchObject({ operation: 'getIdentity', requests: 1 })
  })
})

describe('serve', () => {
  it('lists no sandbox, request or finding before the first request', async () => {
    const process = run('serve', '--port', '0')
    const [url = ''] = await printed(process, 'out', /http:\/\/127\.0\.0\.1:\d+(?=\/v1\n)[^]*Try:/)
    const origin = new URL(url.split('\n')[0] ?? '').origin
    for (const [path, expected] of [
      ['sandboxes', { sandboxes: [] }],
      ['requests', { requests: [] }],
      ['report', { findings: [] }],
    ] as const)
      expect(await (await fetch(`${origin}/__mock/${path}`)).json()).toEqual(expected)
    const { operations } = await (await fetch(`${origin}/__mock/coverage`)).json()
    expect(operations.filter(({ requests }: any) => requests > 0)).toEqual([])
  })

  it('admits the hosts of --allow-host to the control API, repeated or separated by commas', async () => {
    const hosts = ['--allow-host', 'one, two', '--allow-host', 'three']
    const process = run('serve', '--port', '0', '--fixture', 'empty', '--json', '--quiet', ...hosts)
    const url = await urlOf(process)
    const status = (host: string) =>
      new Promise((resolve, reject) => {
        const sent = httpRequest(`${url}/__mock/health`, { headers: { host } }, (response) => {
          response.resume()
          resolve(response.statusCode)
        })
        sent.on('error', reject).end()
      })
    for (const host of ['one', 'two', 'three']) expect([host, await status(host)]).toEqual([host, 200])
    expect(await status('four')).toBe(403)
  })

  it('runs the clock on unless it is manual, from the moment of the fixture', async () => {
    const process = run('serve', '--port', '0', '--json', '--quiet')
    const url = await urlOf(process)
    expect(linesOf(process)[0]).toMatchObject({ fixture: 'demo', clock: { mode: 'system' } })
    expect(new URL(url).hostname).toBe('127.0.0.1')
  })

  it('warns on stderr, and logs on stdout, where the network can reach it', async () => {
    const process = run('serve', '--port', '0', '--host', '0.0.0.0', '--json', '--quiet')
    await urlOf(process)
    expect(linesOf(process)).toHaveLength(1)
    expect(process.err).toMatch(/^warning: with --host 0\.0\.0\.0, anyone on the network can use \/v1/)
  })

  it('names its own address in the HAR, also where it is given a port', async () => {
    const first = run('serve', '--port', '0', '--fixture', 'empty', '--json', '--quiet')
    const { port } = new URL(await urlOf(first))
    first.child.kill('SIGTERM')
    await first.ended
    const process = run('serve', '--port', port, '--fixture', 'empty', '--json', '--quiet')
    const url = await urlOf(process)
    await fetch(`${url}/v1/me`)
    const har = await (await fetch(`${url}/__mock/requests.har`)).json()
    expect(har.log.entries[0].request.url).toBe(`${url}/v1/me`)
  })
})

/** A workspace with one key that contains the fixture's name. */
const company = (name: string, plan = 'free') => ({
  name,
  clock: 1_000_000,
  workspaces: [
    { name, plan, members: [{ name: 'Kim' }], keys: [{ key: `wm_${name}`, name: 'master' }], spaces: [] },
  ],
})

describe('serve --watch', () => {
  it('getIdentity answers 200 on the same connection from a file that took the place of the fixture', async () => {
    const fixture = fileOf('exchanged.json', company('old'))
    const flags = ['--fixture', fixture, '--plan', 'scale', '--clock', 'manual']
    const process = run('serve', '--port', '0', '--json', '--watch', ...flags)
    const url = await urlOf(process)
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const onOneConnection = (path: string, key: string, method = 'GET', more = {}) =>
      new Promise<{ status: number; port: number; json: unknown }>((resolve, reject) => {
        const request = httpRequest(
          `${url}${path}`,
          { agent, method, headers: { ...authorization(key), ...more } },
          (response) => {
            const port = response.socket.localPort ?? 0
            response.toArray().then((chunks: Uint8Array[]) => {
              const json = JSON.parse(Buffer.concat(chunks).toString())
              resolve({ status: response.statusCode ?? 0, port, json })
            }, reject)
          },
        )
        request.on('error', reject)
        request.end()
      })
    const before = await onOneConnection('/v1/me', 'wm_old')
    const elsewhere = { 'x-mock-sandbox': 'other' }
    await onOneConnection('/__mock/clock', 'wm_old', 'GET', elsewhere)

    renameSync(fileOf('exchanged.json.new', company('new')), fixture)
    await printed(process, 'out', /"reloaded"/)
    expect(linesOf(process).at(-1)).toEqual({
      event: 'reloaded',
      fixture: 'new',
      clock: { now: 1_000_000, mode: 'manual' },
    })
    const after = await onOneConnection('/v1/me', 'wm_new')
    expect(after).toMatchObject({ status: 200, json: { workspace: { name: 'new', plan: 'scale' } } })
    expect(after.port).toBe(before.port)
    expect(await onOneConnection('/v1/me', 'wm_old')).toMatchObject({ status: 401 })
    expect(await onOneConnection('/__mock/sandboxes', 'wm_new')).toMatchObject({ json: { sandboxes: [] } })
    expect(await onOneConnection('/v1/me', 'wm_new', 'GET', elsewhere)).toMatchObject({ status: 200 })
    expect(await onOneConnection('/__mock/reset', 'wm_new', 'POST')).toMatchObject({
      json: { fixture: 'new' },
    })
    expect(await onOneConnection('/v1/me', 'wm_new')).toMatchObject({
      status: 200,
      json: { workspace: { plan: 'scale' } },
    })
    agent.destroy()
  })

  it('listSpaces answers 200 from the state before while the file is wrong or gone, then from the right one', async () => {
    const fixture = fileOf('faulty.json', company('old'))
    const process = run('serve', '--port', '0', '--json', '--watch', '--fixture', fixture)
    const url = await urlOf(process)
    const spaces = async (key: string, init: RequestInit = {}) => {
      const headers = { ...authorization(key), 'content-type': 'application/json' }
      const response = await fetch(`${url}/v1/spaces`, { ...init, headers })
      return { status: response.status, json: await response.json() }
    }
    await spaces('wm_old', { method: 'POST', body: '{"name":"Made before"}' })

    const faults: readonly (readonly [change: () => void, problem: RegExp])[] = [
      [() => fileOf('faulty.json', '{"workspaces":'), /faulty\.json is not JSON/],
      [() => fileOf('faulty.json', company('new', 'gold')), /faulty\.json: workspaces\[0\]\.plan.*gold/],
      [() => rmSync(fixture), /a JSON file that exists; received .*faulty\.json/],
    ]
    for (const [change, problem] of faults) {
      change()
      await printed(process, 'err', problem)
      await printed(process, 'out', new RegExp(`"reload-failed".*${problem.source}`))
      expect(await spaces('wm_old')).toMatchObject({
        status: 200,
        json: { spaces: [{ name: 'Made before' }] },
      })
    }

    fileOf('faulty.json', company('new'))
    await printed(process, 'out', /"reloaded"/)
    expect(await spaces('wm_new')).toMatchObject({ status: 200, json: { spaces: [] } })
  })

  it('getIdentity answers 200 when nobody reads what serve prints', async () => {
    const fixture = fileOf('unread.json', company('old'))
    const process = run('serve', '--port', '0', '--watch', '--fixture', fixture)
    const [url = ''] = await printed(process, 'out', /http:\/\/127\.0\.0\.1:\d+(?=\/v1\n)/)
    process.child.stderr?.destroy()
    process.child.stdout?.destroy()
    // The invalid file is an error on stderr, the valid one a line on stdout.
    fileOf('unread.json', '{')
    await setTimeout(400)
    fileOf('unread.json', company('new'))
    const me = () => fetch(`${url}/v1/me`, { headers: authorization('wm_new') })
    while ((await me()).status !== 200) await setTimeout(50)
    expect(process.child.exitCode).toBeNull()
  })

  it('getIdentity answers 200 with the fixture as it was when the answers file alone changes', async () => {
    const answers = fileOf('changing-answers.json', { rowShape: 'data' })
    const process = run('serve', '--port', '0', '--watch', '--answers', answers)
    const [url = ''] = await printed(process, 'out', /http:\/\/127\.0\.0\.1:\d+(?=\/v1\n)/)
    fileOf('changing-answers.json', { rowShape: 'flat' })
    await printed(process, 'out', /started over: fixture demo, keys wm_demo_master,/)
    expect(await (await fetch(`${url}/__mock/answers`)).json()).toMatchObject({ rowShape: 'flat' })
    const me = await fetch(`${url}/v1/me`, { headers: authorization('wm_demo_master') })
    expect(me.status).toBe(200)
  })
})
