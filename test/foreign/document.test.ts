// Checks that Spectral, Dredd and six client generators accept the document unchanged.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createWorkspaceMock } from '../../src/index.ts'
import { serve, type RunningServer } from '../../src/node.ts'
import { run, writeDocument } from './support/tools.ts'

const mock = createWorkspaceMock({ clock: 'manual' })
let server: RunningServer
let document: string

beforeAll(async () => {
  server = await serve(mock, { port: 0 })
  document = writeDocument(server.baseUrl)
})
afterAll(() => server.close())

it('Spectral has nothing to say', async () => {
  const { stdout, output, code } = await run('spectral', 'lint', document, '--format', 'json')
  expect(stdout.trim(), output).toMatch(/^\[\]/)
  expect(code).toBe(0)
})

it('Dredd passes more than 95 % with a hook for the key and the status', async () => {
  mock.reset()
  const { output } = await run(
    'dredd',
    document,
    server.baseUrl,
    '--hookfiles=./dredd-hooks.cjs',
    '--loglevel=warning',
  )
  const [, passing, failing, errors] = /(\d+) passing, (\d+) failing, (\d+) errors/.exec(output) ?? [output]
  expect(Number(passing) / (Number(passing) + Number(failing))).toBeGreaterThan(0.95)
  expect(Number(passing)).toBeGreaterThan(300)
  expect(Number(errors)).toBe(0)
})

describe('the clients of openapi-typescript, hey-api, orval, kubb, swagger-typescript-api and openapi-zod-client', () => {
  it('compile under strict', async () => {
    const generated = await run('./generate.sh')
    expect(generated.code, generated.output).toBe(0)
    const { output } = await run('tsc', '-p', '.')
    expect(output).toBe('')
  })

  it('make, read and list a task, and get an error', async () => {
    mock.reset()
    const { stdout, output } = await run(
      'node',
      '--import',
      'tsx',
      'use-clients.ts',
      server.baseUrl,
      mock.keys.master,
    )
    expect(stdout, output).toMatch(/^\{/)
    const got = Object.values(JSON.parse(stdout) as Record<string, unknown>)
    expect(got).toHaveLength(6)
    for (const seen of got)
      expect(seen).toEqual({
        created: expect.stringMatching(/^task_/) as unknown,
        title: 'Made by a client',
        listed: 3,
        status: 404,
        error: expect.stringContaining('tsk_nowhere') as unknown,
      })
    expect(mock.requests({ operation: 'createTask', status: 201 })).toHaveLength(6)
  })
})
