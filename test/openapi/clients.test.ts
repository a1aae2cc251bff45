// Checks that clients from other generators compile and work against the mock.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createWorkspaceMock } from '../../src/index.ts'
import { openApiDocument } from '../../src/openapi.ts'
import { note } from './support/trail.ts'
import { clientNames, generateClients, type GeneratedClients } from './support/generate-clients.ts'

let clients: GeneratedClients

beforeAll(async () => {
  clients = await generateClients(openApiDocument())
})
afterAll(() => clients.remove())

describe('generated clients', () => {
  it('compile under strict', () => {
    expect(clients.diagnostics).toEqual([])
  })

  it.each(clientNames)('of %s get from the identity to the submissions of a form', async (client) => {
    const mock = createWorkspaceMock({ selfCheck: true })
    const key = mock.keys.master ?? ''
    const trail = await clients.journey(client, {
      baseUrl: mock.baseUrl,
      key,
      fetch: (request) => mock.fetch(request),
    })
    expect(trail).toMatchObject({
      plan: 'pro',
      versions: [1, 2],
      found: 1,
      job: { rows: 300 },
      files: ['note.txt'],
      text: note,
      comments: [note],
      seconds: 900,
      absent: { status: 404, error: expect.stringContaining('nowhere') as unknown },
    })
    expect(trail.columnTypes).toContain('formula')
    expect(trail.page[0]).toBe(2)
    expect(trail.page[1]).toBeGreaterThan(2)
    expect(trail.namesakes).toBeGreaterThan(0)
    expect(trail.namesakes).toBeLessThan(trail.page[1])
    expect(trail.job.states[0]).toBe('queued')
    expect(trail.job.states.at(-1)).toBe('done')
    expect(trail.submissions).toBeGreaterThan(0)
    expect(mock.requests({ status: 400 })).toEqual([])
    expect(mock.report().filter(({ severity }) => severity === 'error')).toEqual([])
  })
})
