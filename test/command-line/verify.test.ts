// The command `verify` as users see it: what it prints, what it writes, and how it ends.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createWorkspaceMock } from 'workspace-api-mock'
import { serve, type RunningServer } from 'workspace-api-mock/node'
import { contentWithout } from '../verify/support/content.ts'
import { directory, run as runCommand } from './support/command-line.ts'

process.env.WORKSPACE_API_KEY = 'wm_demo_master'
// The clock runs, like a deployment's.
const mock = createWorkspaceMock({
  clock: 'system',
  answers: {
    rowShape: 'flat',
    mutationBody: 'empty',
    jobTimeline: { queuedMs: 1, chunkRows: 5000, chunkMs: 500 },
  },
})
let server: RunningServer
beforeAll(async () => {
  server = await serve(mock, { port: 0 })
})
afterAll(async () => {
  await server.close()
})

const start = (...flags: string[]) => runCommand('verify', ...flags)
async function run(...flags: string[]) {
  const process = start(...flags)
  const code = await process.ended
  return { code, out: process.out, err: process.err }
}

test('verify --learn writes the answers of a deployment; with them, verify ends with 0', async () => {
  const file = join(directory, 'answers.json')
  const learned = await run('--base-url', server.baseUrl, '--learn', file)
  expect(learned.out).toContain('answers learned')
  expect(learned.code).toBe(0)
  const json = JSON.parse(readFileSync(file, 'utf8'))
  expect(json).toMatchObject({
    date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
    answers: { rowShape: 'flat' },
  })
  expect(json.notObserved).toContainEqual({ question: 'mutationBody', why: expect.any(String) })

  const { code, out, err } = await run('--base-url', server.baseUrl, '--answers', file)
  expect(out).toMatch(/\d+ pass, no drift, \d+ inconclusive/)
  expect(err).toMatch(/^verify 0\//m)
  expect(code).toBe(0)

  writeFileSync(file, JSON.stringify(json.answers))
  const plain = await run('--base-url', server.baseUrl, '--answers', file, '--json', '--only', 'getRow')
  expect(JSON.parse(plain.out)).toMatchObject({ ok: true, mode: 'read' })
})

test('verify ends with 1 for drift, and names the assumption', async () => {
  const { code, out } = await run('--base-url', server.baseUrl)
  expect(out).toMatch(/listRows.*: rowShape is "flat"/)
  expect(out).toContain('assumption rowShape')
  expect(code).toBe(1)
})

test('verify reports drift for a CI; a baseline and skipped rules are no drift', async () => {
  const [baseline, har] = [join(directory, 'baseline.json'), join(directory, 'drift.har')]
  const about = ['--base-url', server.baseUrl, '--only', 'listRows/rows,getRow/rows']
  const [json, junit, github, skipped] = await Promise.all([
    run(...about, '--format', 'json', '--har', har),
    run(...about, '--format', 'junit'),
    run(...about, '--format', 'github'),
    run(...about, '--skip', 'rows'),
  ])
  writeFileSync(baseline, json.out)
  const { findings } = JSON.parse(json.out)
  expect(findings.find(({ outcome }: any) => outcome === 'drift')).toMatchObject({
    curl: expect.stringMatching(/^curl .*\$WORKSPACE_API_KEY/),
  })
  expect(readFileSync(har, 'utf8')).not.toContain('wm_demo_master')
  expect(JSON.parse(readFileSync(har, 'utf8')).log.entries.length).toBeGreaterThan(0)
  expect(junit.out).toMatch(/<testsuite name="getRow" .*failures="[1-9]/)
  expect(github.out).toMatch(/^::error title=.*rows::/m)
  expect([json, junit, github, skipped].map(({ code }) => code)).toEqual([1, 1, 1, 0])
  expect((await run(...about, '--baseline', baseline)).code).toBe(0)
  const other = await run('--base-url', server.baseUrl, '--only', 'getRow/rows', '--baseline', baseline)
  expect(other.out).not.toContain('No longer drift')

  const before = mock.requests().length
  const noReport = await run(...about, '--baseline', har)
  expect(noReport).toMatchObject({ code: 2, err: expect.stringContaining('is not a verify report') })
  for (const finding of ['null', '{"outcome":"drift","rules":[7]}', '{"outcome":"drift","rules":"rows"}']) {
    writeFileSync(baseline, `{"findings":[${finding}]}`)
    const noFinding = await run(...about, '--baseline', baseline)
    expect(noFinding).toMatchObject({ code: 2, err: expect.stringContaining('is not a verify report') })
  }
  expect(mock.requests()).toHaveLength(before)
})

test('verify names the rules of an earlier baseline that it does not have', async () => {
  // Written by 0.2.0 with --format json, against this file's deployment. Most findings other than drift are left out.
  const file = fileURLToPath(new URL('../fixture/of-0.2/baseline.json', import.meta.url))
  const about = ['--base-url', server.baseUrl, '--only', 'getRow/rows']
  const { err, out, code } = await run(...about, '--baseline', file)
  expect(err).toMatch(/^note: this version has no rule named listRows\/row-shape, /m)
  expect(err).toContain(`which ${file} lists as drift`)
  expect(err).toContain('create the baseline again with --format json')
  expect(out).toMatch(/^Drift:\n +1 +getRow rows/m)
  expect(code).toBe(1)
  const today = join(directory, 'today.json')
  const again = await run(...about, '--format', 'json')
  writeFileSync(today, again.out)
  const now = await run(...about, '--baseline', today)
  expect([now.code, now.err.includes('note:')]).toEqual([0, false])
  writeFileSync(today, again.out.replace('"inconclusive":', '"notReachable":'))
  expect((await run(...about, '--baseline', today)).err).toContain('is from an earlier version')
})

test('verify compares with a baseline rule by rule: a finding of several is known only where all are', async () => {
  const file = join(directory, 'rules.json')
  const only = 'listRows/rows,listRows/pages,getRow/rows,getIdentity/identity'
  /** Runs with a baseline that contains these rules. */
  const compared = async (outcome: string, ...rules: string[]) => {
    const findings = rules.map((name) => {
      const [operation, rule] = name.split('/')
      return { operation, rule, outcome }
    })
    writeFileSync(file, JSON.stringify({ findings }))
    const flags = ['--base-url', server.baseUrl, '--only', only, '--baseline', file]
    const { code, out } = await run(...flags)
    const [, fresh = '', known = '', mended = ''] =
      /^([^]*?)(?:Known drift([^]*?))?(?:No longer drift([^]*?))?\n(?:Inconclusive|\d+ pass)/.exec(out) ?? []
    return { code, fresh, known, mended }
  }
  const part = await compared('drift', 'listRows/rows', 'getRow/rows')
  expect(part.code).toBe(1)
  expect(part.fresh).toContain('rowShape is "flat"')
  expect(part.known).toBe('')
  const all = ['listRows/rows', 'listRows/pages', 'getRow/rows']
  expect((await compared('pass', ...all)).code).toBe(1)
  const whole = await compared('drift', ...all, 'getIdentity/identity')
  expect(whole.code).toBe(0)
  expect(whole.mended).toContain('getIdentity/identity')
  expect(whole.mended).not.toMatch(/listRows|getRow/)
})

test('verify ends with 2 where more is inconclusive than allowed', async () => {
  // The plan free has no jobs.
  const flags = ['--base-url', server.baseUrl, '--api-key', 'wm_free_master', '--write']
  flags.push('--max-inconclusive', '0', '--only', 'submitInsertJob')
  const { code, err } = await run(...flags)
  expect(err).toContain('are inconclusive, more than the 0 % allowed')
  expect(code).toBe(2)
})

test('verify cleans up and ends with 2 at SIGINT', async () => {
  const interrupted = start('--base-url', server.baseUrl, '--write')
  while (
    !/verify \d+\/\d+ (?!.*get)/.test(interrupted.err) ||
    mock.requests({ operation: 'createTask' }).length < 5
  )
    await new Promise((resolve) => setTimeout(resolve, 20))
  interrupted.child.kill('SIGINT')
  const code = await interrupted.ended
  const { out } = interrupted
  expect(out).toContain('interrupted; ')
  expect(out).toMatch(/^Left behind:\n  the API has no operation that deletes a space(?: \(\d+\))?: space /m)
  expect(code).toBe(2)
  expect(JSON.stringify(contentWithout(mock, 'verify-'))).not.toContain('"verify-')
})

test.for([
  ['without an address', [], '--base-url is required'],
  ['with an invalid key', ['--base-url', 'SERVER', '--api-key', 'nope'], 'status 401'],
  ['without a file of answers', ['--base-url', 'SERVER', '--answers', '/nowhere.json'], '/nowhere.json'],
] as const)('verify ends with 2 %s', async ([, flags, message]) => {
  const { code, err } = await run(...flags.map((flag) => (flag === 'SERVER' ? server.baseUrl : flag)))
  expect(err).toContain(message)
  expect(code).toBe(2)
})
