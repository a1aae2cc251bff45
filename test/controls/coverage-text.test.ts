// Coverage as text, JSON and HTML: what the reporter, `serve --coverage` and `explore` print and write.
import { describe, expect, test, vi } from 'vitest'
import { CoverageReporter } from 'workspace-api-mock/coverage'
import { operationIds } from '../../src/contract/scopes.ts'
import { sumReports } from '../../src/mock/journal/coverage.ts'
import { renderCoveragePage } from '../../src/tools/coverage/page.ts'
import { toCoverageJson, toCoverageText, figuresOf, formatFigure } from '../../src/tools/coverage/text.ts'
import { exampleMock } from './support/example-requests.ts'

/** The coverage of creating a task, once with success and once refused, and of a fault. */
async function someCoverage() {
  const { mock, send } = exampleMock()
  await send('createTask')
  await send('createTask', { as: 'no-such-key' })
  mock.fault({ operation: 'getIdentity', status: 503 })
  await send('getIdentity')
  return mock.coverage()
}

/** The cells of a text's first table, without the header. */
const tableOf = (text: string) =>
  text
    .split('\n\n')[1]!
    .split('\n')
    .slice(1)
    .map((line) => line.trim().split(/ {2,}/))

describe('coverageText', () => {
  test('rounds percentages down, so that 100 % is all', () => {
    expect(formatFigure({ met: 199, all: 200 })).toBe('199 of 200 (99 %)')
    expect(formatFigure({ met: 200, all: 200 })).toBe('200 of 200 (100 %)')
  })

  test('counts operations, outcomes, and outcomes without a fault', async () => {
    const { operations, outcomes, natural } = figuresOf(await someCoverage())
    expect([operations.met, operations.all, outcomes.met, natural]).toEqual([2, operationIds.length, 3, 2])
  })

  test('lists what was called, each status as hit or as never hit', async () => {
    const rows = tableOf(toCoverageText(await someCoverage()))
    expect(rows.map(([operation, requests]) => [operation, requests])).toEqual([
      ['getIdentity', '1'],
      ['createTask', '2'],
    ])
    for (const [operation, , met = '', never = ''] of rows) {
      const statuses = [...met.split(' '), ...never.split(' ')]
      expect(new Set(statuses).size, operation).toBe(statuses.length)
    }
  })

  test('lists a status as hit where one of its causes was', async () => {
    const { mock, send } = exampleMock()
    mock.setLimits({ requestsPerMonth: 0 })
    await send('bulkInsertRows')
    const [[, , met, never = ''] = []] = tableOf(toCoverageText(mock.coverage()))
    expect(met).toBe('429')
    expect(never.split(' ')).not.toContain('429')
  })

  test('names six operations that were never called, and how many more', async () => {
    const text = toCoverageText(await someCoverage())
    const names = operationIds.filter((id) => id !== 'getIdentity' && id !== 'createTask')
    const more = String(names.length - 6)
    expect(text).toContain(`\nNever called: ${names.slice(0, 6).join(', ')} and ${more} more\n`)
  })

  test('proposes lines for operations in use alone, what every client has to bear first', async () => {
    const text = toCoverageText(await someCoverage())
    const lines = text.split('a line that produces it:\n')[1]!.trimEnd().split('\n')
    const cells = lines.map((line) => line.trim().split(/ {2,}/))
    expect(cells).toHaveLength(8)
    expect(cells.map(([operation]) => operation)).toEqual(
      expect.not.arrayContaining(operationIds.filter((id) => id !== 'getIdentity' && id !== 'createTask')),
    )
    expect(cells.map(([, status]) => status).slice(0, 3)).toEqual(['503', '429', '429'])
  })

  test('names no operations and lines when every outcome was hit', async () => {
    const report = await someCoverage()
    const whole = report.operations.map((operation) => ({
      ...operation,
      requests: 1,
      outcomes: operation.outcomes.map((outcome) => ({ ...outcome, natural: 1 })),
    }))
    const text = toCoverageText({ operations: whole })
    expect(text).not.toMatch(/Never/)
    expect(text).toContain(
      `${String(operationIds.length)} of ${String(operationIds.length)} (100 %) operations`,
    )
  })
})

describe('coveragePage', () => {
  test('has a line for each outcome that was not met, and for no other', async () => {
    const report = await someCoverage()
    const { outcomes } = figuresOf(report)
    expect(renderCoveragePage(report).match(/<code>/g)).toHaveLength(outcomes.all - outcomes.met)
    expect(renderCoveragePage(report)).toContain('<b>createTask</b><span>2 requests, 2 of')
  })
})

describe('coverage of several mocks', () => {
  test('is the sum of theirs', async () => {
    const report = await someCoverage()
    const { operations } = sumReports([report, report, exampleMock().mock.coverage()])
    expect(operations).toEqual(
      report.operations.map((operation) => ({
        ...operation,
        requests: 2 * operation.requests,
        outcomes: operation.outcomes.map((outcome) => ({
          ...outcome,
          natural: 2 * outcome.natural,
          byFault: 2 * outcome.byFault,
        })),
      })),
    )
  })

  test('has the outcomes of an operation by status, success first', async () => {
    for (const { outcomes } of (await someCoverage()).operations) {
      const [success, ...errors] = outcomes.map(({ status }) => status)
      expect(success).toBeLessThan(300)
      expect(errors).toEqual(errors.toSorted((a, b) => a - b))
    }
  })

  test('as JSON has what is missing next to all of it', async () => {
    const report = await someCoverage()
    const { missing, ...rest } = JSON.parse(toCoverageJson(report))
    expect(rest).toEqual(report)
    const { outcomes } = figuresOf(report)
    expect(missing).toHaveLength(outcomes.all - outcomes.met)
  })
})

test('the reporter passes a run that reaches the least it asks for exactly', () => {
  const reporter = new CoverageReporter({ folder: false, min: { operations: 0, outcomes: 0 } })
  const before = process.exitCode
  const written = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  reporter.onTestRunEnd([])
  written.mockRestore()
  expect(process.exitCode).toBe(before)
})
