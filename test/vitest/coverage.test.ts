// The coverage reporter, in vitest runs over the suites in coverage-suites.
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, inject, test } from 'vitest'
import { CoverageReporter, type CoverageReport } from 'workspace-api-mock/coverage'

const root = fileURLToPath(new URL('../..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'workspace-api-coverage-'))
afterAll(() => rmSync(folder, { recursive: true }))

interface Run {
  readonly code: number
  readonly output: string
}

function runSuites(options: object, ...flags: string[]): Promise<Run> {
  const kept = Object.entries(process.env).filter(([name]) => !/^(VITEST|TEST$|NODE_ENV)/.test(name))
  const env = {
    ...Object.fromEntries(kept),
    BUILT_PACKAGE: inject('built'),
    COVERAGE_OPTIONS: JSON.stringify(options),
    NO_COLOR: '1',
  }
  const config = ['--config', 'test/vitest/coverage-suites/vitest.config.ts']
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      ['node_modules/vitest/vitest.mjs', 'run', ...config, ...flags],
      { cwd: root, env },
      (error, stdout, stderr) => resolve({ code: Number(error?.code ?? 0), output: stdout + stderr }),
    )
  })
}

const counted = ({ operations }: CoverageReport) =>
  operations
    .filter(({ requests }) => requests > 0)
    .map(({ operation, requests, outcomes }) => [
      operation,
      requests,
      Object.fromEntries(
        outcomes
          .filter(({ natural, byFault }) => natural + byFault > 0)
          .map(({ case: kind, natural, byFault }) => [kind, [natural, byFault]]),
      ),
    ])

describe('workspace-api-mock/coverage', () => {
  test('judges the minimum of a run in shards when their reports are merged', async () => {
    const options = { folder: join(folder, 'merged'), min: { operations: 4 } }
    const reports = join(folder, 'blobs')
    const reporters = ['--reporter=blob', `--reporter=${inject('built')}/coverage.js`]
    const shards = [1, 2].map((index) => {
      const output = `--outputFile.blob=${join(reports, `blob-${index}.json`)}`
      return runSuites(options, ...reporters, `--shard=${index}/2`, output)
    })
    for (const { code, output } of await Promise.all(shards)) {
      expect(code, output).toBe(0)
      expect(output).toMatch(/API coverage: [12] of 42 .*[^]*vitest --merge-reports checks the minimum/)
    }
    const merge = `--merge-reports=${reports}`
    const merged = await runSuites(options, merge)
    expect(merged.code, merged.output).toBe(0)
    expect(merged.output).toContain('2 of 42 (4 %) operations')
    const refused = await runSuites({ ...options, min: { operations: 5 } }, merge)
    expect(refused.code).toBe(1)
    expect(refused.output).toContain('4.8 % of the operations covered; the minimum is 5 %')
  })

  test('says why merged reports have no counts', async () => {
    const reports = join(folder, 'bare')
    const bare = `--outputFile.blob=${join(reports, 'blob.json')}`
    await runSuites({ folder: false }, '--reporter=blob', bare)
    const { output } = await runSuites({ folder: false }, `--merge-reports=${reports}`)
    expect(output).toContain(
      'Shards need both reporters: vitest run --reporter=blob --reporter=workspace-api-mock/coverage',
    )
  })

  test.each([['--pool=forks'], ['--no-isolate', '--max-workers=1'], ['--pool=threads']])(
    'sums up all files of a run %s',
    async (...flags) => {
      const { code, output } = await runSuites({ folder: join(folder, 'a') }, ...flags.flat())
      expect(code, output).toBe(0)
      const report = JSON.parse(readFileSync(join(folder, 'a/coverage.json'), 'utf8'))
      expect(counted(report)).toEqual([
        ['getIdentity', 4, { success: [3, 0], unauthenticated: [1, 0] }],
        ['listLists', 2, { success: [1, 0], unavailable: [0, 1] }],
      ])
      expect(report.missing).toContainEqual({
        operation: 'listLists',
        status: 429,
        case: 'monthlyRequests',
        when: "the plan's requests for this month are used up",
        line: 'mock.setLimits({ requestsPerMonth: 0 })',
      })
      expect(output).toContain('2 of 42 (4 %) operations')
      expect(output).toMatch(/getIdentity +4 +200 401 +402 403 429 500 503/)
      expect(output).toMatch(/listLists +429 +mock\.setLimits\(\{ requestsPerMonth: 0 \}\)/)
      const page = readFileSync(join(folder, 'a/index.html'), 'utf8')
      expect(page).toContain("<code>mock.fault({ operation: 'getIdentity', status: 503 })</code>")
    },
  )

  test('fails a run below the least that is asked for', async () => {
    const { code, output } = await runSuites({ folder: false, min: { operations: 4, outcomes: 10 } })
    expect(code).toBe(1)
    expect(output).toContain('error: 0.8 % of the outcomes covered; the minimum is 10 %')
    expect(output).not.toContain('error: operations')
    expect(output).not.toContain('In full')
  })

  test('refuses unknown options', () => {
    expect(() => new CoverageReporter({ minimum: 1 } as never)).toThrow(/options.*minimum/)
  })
})
