// Responses longer than the longest possible string, about 500 MB; these tests lower that limit to 20,000 characters.
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createWorkspaceMock } from '../../src/index.ts'
import { authorization, served } from './support/served.ts'

const longest = 20_000
const mock = createWorkspaceMock()
const server = served(mock)

beforeEach(() => {
  const { stringify } = JSON
  vi.spyOn(JSON, 'stringify').mockImplementation((...given: Parameters<typeof JSON.stringify>) => {
    const text = stringify(...given)
    if (typeof text === 'string' && text.length > longest) throw new RangeError('Invalid string length')
    return text
  })
})
afterEach(() => {
  vi.restoreAllMocks()
})

const headers = { authorization }
const ask = async (path: string, init: RequestInit = {}) => {
  const response = await fetch(`${server.url}${path}`, { headers, ...init })
  const body = (await response.json()) as Record<string, unknown>
  return { status: response.status, body }
}

const sizeOf = (list: string) => mock.db.tasks.count((query) => query.where({ list_id: list }))

/** Uploads files that together, but not individually, exceed the longest string. */
async function fill(): Promise<void> {
  const task = mock.db.tasks.findFirst()?.id ?? ''
  for (let turn = 0; turn < 3; turn++) {
    const form = new FormData()
    form.set('file', new File([new Uint8Array(12_000)], 'large.bin'))
    expect((await ask(`/v1/tasks/${task}/attachments`, { method: 'POST', body: form })).status).toBe(201)
  }
}

it('listTasks answers 500 with advice when the response is longer than the longest string', async () => {
  const { id } = mock.db.lists.all().reduce((most, next) => (sizeOf(next.id) > sizeOf(most.id) ? next : most))
  const before = mock.state().workspaces
  const long = await ask(`/v1/lists/${id}/tasks?limit=200`)
  expect(long).toEqual({
    status: 500,
    body: { error: expect.stringContaining('fewer items at a time') as string },
  })
  expect((await ask(`/v1/lists/${id}/tasks?limit=2`)).status).toBe(200)
  expect(mock.state().workspaces).toEqual(before)
})

it('the control API exports and imports a state longer than the longest string', async () => {
  await fill()
  const state = await ask('/__mock/state')
  expect(state.status).toBe(200)
  expect(state.body).toEqual(mock.state())
  expect((await ask('/__mock/snapshots/long', { method: 'PUT' })).status).toBe(200)
  mock.reset()
  expect((await ask('/__mock/snapshots/long/restore', { method: 'POST' })).status).toBe(200)
  expect(mock.state()).toEqual(state.body)
  const paths = [
    'requests',
    'requests.har',
    'coverage',
    'snapshots',
    'snapshots?summary=true',
    'snapshots/long',
  ]
  for (const path of paths) expect([path, (await ask(`/__mock/${path}`)).status]).toEqual([path, 200])
})
