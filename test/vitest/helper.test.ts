// The vitest helper, tested by vitest itself: a separate run over the suites in its folder.
import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import { build } from 'tsdown'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import pageScripts from '../../.config/tsdown.console.config.ts'

interface Assertion {
  readonly title: string
  readonly status: string
  readonly failureMessages: readonly string[]
}
interface Run {
  readonly testResults: readonly { readonly assertionResults: readonly Assertion[] }[]
}

const root = fileURLToPath(new URL('../..', import.meta.url))

const runs = mkdtempSync(`${tmpdir()}/mock-runs-`)
// Builds the scripts that a saved run contains in addition to the data.
beforeAll(async () => {
  for (const script of pageScripts) await build({ ...script, outDir: inject('built'), config: false })
})
afterAll(() => rmSync(runs, { recursive: true }))

/** Runs suites. @returns what the reporter says about their tests */
function runSuites(...given: string[]): Promise<Assertion[]> {
  const config = ['--config', 'test/vitest/suites/vitest.config.ts']
  const kept = Object.entries(process.env).filter(([name]) => !/^(VITEST|TEST$|NODE_ENV)/.test(name))
  return new Promise((resolve, reject) => {
    execFile(
      process.execPath,
      ['node_modules/vitest/vitest.mjs', 'run', ...config, '--reporter=json', ...given],
      {
        cwd: root,
        env: { ...Object.fromEntries(kept), BUILT_PACKAGE: inject('built'), SAVED_RUNS: runs },
        maxBuffer: 2 ** 26,
      },
      (_, stdout, stderr) => {
        const start = stdout.indexOf('{"numTotal')
        if (start === -1) reject(new Error(`no report:\n${stdout}${stderr}`))
        else
          resolve(
            (JSON.parse(stdout.slice(start)) as Run).testResults.flatMap((file) => file.assertionResults),
          )
      },
    )
  })
}

const failures = (assertions: readonly Assertion[]) =>
  assertions
    .filter(({ status }) => status !== 'passed')
    .map(({ title, failureMessages }) => `${title}: ${failureMessages.join('\n')}`)

describe.concurrent('workspace-api-mock/vitest', () => {
  test('keeps tests apart, concurrent ones too', async ({ expect }) => {
    const assertions = await runSuites('passing', 'second')
    expect(failures(assertions)).toEqual([])
    expect(assertions).toHaveLength(28)
  })

  test('holds where files share a worker, and fails the tests that are to blame alone', async () => {
    const assertions = await runSuites('--no-isolate')
    const failed = new Map(
      assertions
        .filter(({ status }) => status !== 'passed')
        .map(({ title, failureMessages }) => [title, failureMessages.join('\n')]),
    )
    expect([...failed.keys()].sort()).toEqual([
      'fails as it waits for what a clock that stands still never brings',
      'fails as toHaveCleanReport lists the findings',
      'fails as toHaveRequested lists what was asked',
      'fails on a report with findings',
      'fails on a request that no handler answers',
      'fails on a request to a host that resembles a named one',
      'fails on a request to a named host by another scheme',
      'fails on a request to a server of its own that is not named, which is not reached',
      'fails on an origin without a scheme',
      'fails on another mock at the same address',
      'fails with what the mock knows after a hook failed',
      'fails with what the mock knows of a wrong path',
    ])
    expect(assertions).toHaveLength(45)
    const wrongPath = failed.get('fails with what the mock knows of a wrong path')
    expect(wrongPath).toMatch(/^AssertionError: expected 404 to be 200/)
    expect(wrongPath).toContain('did you mean GET /tasks/{taskId}')
    expect(wrongPath).toMatch(/Faults that were never triggered:\n.*'listTasks', status: 503/)
    expect(failed.get('fails with what the mock knows after a hook failed')).toMatch(
      /a hook of its own[^]*GET \/me 401/,
    )
    expect(failed.get('fails as it waits for what a clock that stands still never brings')).toMatch(
      /stands at 2026-01-05T10:00:00.000Z[^]*No request has reached the mock/,
    )
    expect(failed.get('fails on a request that no handler answers')).toContain(
      'GET https://elsewhere.test/ping',
    )
    expect(
      failed.get('fails on a request to a server of its own that is not named, which is not reached'),
    ).toContain("the test's own servers with test.extend({ passthrough: ['http://127.0.0.1:*'] })")
    expect(failed.get('fails on another mock at the same address')).toContain('give it its own baseUrl')
    expect(failed.get('fails on an origin without a scheme')).toContain(
      'passthrough: expected origins such as "http://127.0.0.1:*", where "*" is any port or part of a host; received "127.0.0.1:*"',
    )
    expect(failed.get('fails on a request that no handler answers')).toContain(
      "or allow origins with test.extend({ passthrough: ['https://cdn.example.com'] })",
    )
    expect([...failed.values()].filter((message) => message.startsWith('AssertionError'))).toEqual([
      wrongPath,
    ])
    expect(failed.get('fails on a report with findings')).toContain(
      'error client-error: GET /nowhere is not an operation',
    )
    for (const name of ['fails on a report with findings', 'fails as toHaveCleanReport lists the findings'])
      expect([name, failed.get(name)?.match(/client-error/g)?.length]).toEqual([name, 1])
    expect(failed.get('fails as toHaveRequested lists what was asked')).toContain(
      '#1 listSpaces: GET /spaces 200',
    )
    expect(failed.get('fails as toHaveCleanReport lists the findings')).toContain('it has findings:\n')
    const [, path = ''] = /The run as a page: (file:.*\.html)/.exec(wrongPath ?? '') ?? []
    const page = readFileSync(fileURLToPath(path), 'utf8')
    expect(page).toContain(
      'fails with what the mock knows of a wrong path: a saved run with a copy of its mock',
    )
    expect(page).toContain('GET /task/tsk_label 404')
    // Two fail before they have a mock. A test that succeeds on retry has the run of its failed attempt.
    const ofFailed = readdirSync(runs).filter((name) => !name.includes('a-retry-starts-afresh'))
    expect(ofFailed).toHaveLength(failed.size - 2)
  })
})
