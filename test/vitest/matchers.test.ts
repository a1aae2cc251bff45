// The vitest helper's matchers and options: what passes, and what failures say.
import { test } from 'workspace-api-mock/vitest'
import { describe, expect } from 'vitest'

describe('toHaveRequested', () => {
  test('counts the requests of an operation by status, number and a part of the body', async ({
    mock,
    call,
  }) => {
    await call('listSpaces')
    await call('listSpaces', { as: null })
    await call('createSpace', { body: { name: 'Ops', color: '#2a55c8' } })
    expect(mock).toHaveRequested('listSpaces')
    expect(mock).toHaveRequested('listSpaces', { times: 2 })
    expect(mock).toHaveRequested('listSpaces', { status: 401, times: 1 })
    expect(mock).toHaveRequested('deleteTask', { times: 0 })
    expect(mock).toHaveRequested('createSpace', { body: { name: expect.stringMatching(/^O/) } })
    expect(mock).not.toHaveRequested('createSpace', { body: { name: 'Finance' } })
    expect(mock).not.toHaveRequested('createSpace', { status: 403 })
    expect(mock).not.toHaveRequested('listSpaces', { times: 1 })
    expect(mock).not.toHaveRequested('listSpaces', { times: 3 })
    expect(mock).not.toHaveRequested('deleteTask')
  })

  test('says what was expected and what was requested', async ({ mock, call }) => {
    expect(() => expect(mock).toHaveRequested('listSpaces')).toThrow(
      'expected listSpaces to have been requested; matching requests: 0. All requests:\n  none',
    )
    await call('GET /none')
    await call('createSpace', { body: { name: 'Ops' } })
    expect(() => expect(mock).toHaveRequested('createSpace', { status: 200, times: 3 })).toThrow(
      'expected createSpace, status 200, times 3 to have been requested; matching requests: 1. All requests:\n' +
        '  #1 no operation: GET /none 404\n  #2 createSpace: POST /spaces 200 {"name":"Ops"}',
    )
    expect(() => expect(mock).not.toHaveRequested('createSpace')).toThrow(
      'expected createSpace not to have been requested; matching requests: 1.',
    )
  })

  test('refuses what is no mock, and unknown conditions', ({ mock }) => {
    expect(() => expect({ requests: 1 }).toHaveRequested('listSpaces')).toThrow(
      'toHaveRequested: expected expect(mock); received',
    )
    expect(() => expect(mock).toHaveRequested('listSpaces', { time: 1 } as object)).toThrow(/time.*times/)
  })
})

describe('toHaveCleanReport', () => {
  test('lists the findings, or says that there are none', async ({ mock, call }) => {
    expect(mock).toHaveCleanReport()
    expect(() => expect(mock).not.toHaveCleanReport()).toThrow('to have findings; it has none')
    await call('GET /none')
    expect(mock).not.toHaveCleanReport()
    expect(() => expect(mock).toHaveCleanReport()).toThrow(
      /it has findings:\n  error client-error: .*\(requests 1\)$/,
    )
    await call('GET /none')
    expect(() => expect(mock).toHaveCleanReport()).toThrow(/\(requests 1, 2, 2 times\)\n/)
    expect(() => expect(undefined).toHaveCleanReport()).toThrow(
      'toHaveCleanReport: expected expect(mock); received',
    )
  })
})

describe('toHaveNoFindings', () => {
  test('says what was found, or that there is nothing', async ({ mock }) => {
    const careful = await mock.explore(
      async ({ fetch, baseUrl }) => {
        await fetch(`${baseUrl}/me`).catch(() => undefined)
      },
      { families: ['errors'] },
    )
    expect(careful).toHaveNoFindings()
    expect(() => expect(careful).not.toHaveNoFindings()).toThrow('(error, warning); it has none')
    const careless = await mock.explore(
      async ({ fetch, baseUrl, key }) => {
        const { ok } = await fetch(`${baseUrl}/me`, { headers: { authorization: `Bearer ${key}` } })
        if (!ok) throw new Error('gave up')
      },
      { families: ['errors'] },
    )
    expect(careless).not.toHaveNoFindings()
    expect(() => expect(careless).toHaveNoFindings()).toThrow(String(careless))
    expect(() => expect(mock).toHaveNoFindings()).toThrow(
      'toHaveNoFindings: expected the result of mock.explore; received',
    )
  })

  test('counts errors and warnings, less severe findings where they are asked for', async ({ mock }) => {
    const result = await mock.explore(
      async ({ fetch, baseUrl }) => {
        await fetch(`${baseUrl}/me`).catch(() => undefined)
      },
      { families: ['errors'] },
    )
    const [finding] = (
      await mock.explore(
        async ({ fetch, baseUrl, key }) => {
          const { ok } = await fetch(`${baseUrl}/me`, { headers: { authorization: `Bearer ${key}` } })
          if (!ok) throw new Error('gave up')
        },
        { families: ['errors'] },
      )
    ).findings
    const severities = ['error', 'warning', 'assumption', 'info'] as const
    const failedBy = severities.map((severity) => {
      const found = { ...result, findings: [{ ...finding!, severity }] }
      const passes = (run: () => void) => {
        try {
          run()
          return true
        } catch {
          return false
        }
      }
      return [undefined, ...severities].map((least) =>
        passes(() => expect(found).toHaveNoFindings(least && { severity: least })) ? '-' : 'x',
      )
    })
    expect(failedBy.map((row) => row.join(''))).toEqual(['xxxxx', 'x-xxx', '---xx', '----x'])
    expect(() => expect(result).toHaveNoFindings({ severity: 'fatal' as never })).toThrow(
      'severity must be one of error, warning, assumption, info; received "fatal"',
    )
  })
})

describe('the time limit', () => {
  const limit = 600_000
  test('of a test that calls explore is enough for all runs', ({ task, mock }) => {
    expect(mock.explore).toBeTypeOf('function')
    expect(task.timeout).toBe(limit)
  })
  test('of a test that calls explore is its own if it has one', { timeout: 50_000 }, ({ task, mock }) => {
    expect(mock.explore).toBeTypeOf('function')
    expect(task.timeout).toBe(50_000)
  })
  test('of a test that calls explore can be the last argument', ({ task, mock }) => {
    expect(mock.explore).toBeTypeOf('function')
    expect(task.timeout).toBe(40_000)
  }, 40_000)
  test('of another test stays', ({ task }) => {
    expect(task.timeout).not.toBe(limit)
  })
})
