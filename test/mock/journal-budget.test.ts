// The total size of a mock's journals, and the removal of sandboxes beyond the maximum.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createWorkspaceMock, type JournalEntry, type WorkspaceMock } from '../../src/index.ts'
import { times } from '../behaviour/support/times.ts'

const send = (mock: WorkspaceMock, path: string, { sandbox, key = 'wm_demo_master', body }: Sending = {}) =>
  mock.fetch(
    new Request(`${mock.baseUrl}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        ...(key === null ? {} : { authorization: `Bearer ${key}` }),
        ...(sandbox === undefined ? {} : { 'x-mock-sandbox': sandbox }),
      },
      body: body ?? null,
    }),
  )

interface Sending {
  readonly sandbox?: string
  readonly key?: string | null
  readonly body?: string
}

/** The number of characters of request bodies still in the journal; responses are small. */
const keptCharacters = (requests: readonly JournalEntry[]) =>
  requests.reduce(
    (sum, { requestBody }) => sum + (requestBody && 'text' in requestBody ? requestBody.text.length : 0),
    0,
  )

describe('journalBytes', () => {
  it('counts all sandboxes: no entry is dropped, and the oldest bodies of the fullest journal are dropped first', async () => {
    const bodies = fc.array(
      fc.record({ sandbox: fc.constantFrom('a', 'b', 'c', 'd'), size: fc.integer({ min: 1, max: 900 }) }),
      {
        minLength: 1,
        maxLength: 60,
      },
    )
    await fc.assert(
      fc.asyncProperty(bodies, fc.integer({ min: 0, max: 20_000 }), async (sent, journalBytes) => {
        const mock = createWorkspaceMock({ journalBytes })
        for (const { sandbox, size } of sent)
          await send(mock, '/spaces', { sandbox, key: null, body: 'x'.repeat(size) })
        const journals = mock.sandboxes().map((name) => mock.sandbox(name).requests())
        expect(journals.flat()).toHaveLength(sent.length)
        expect(journals.reduce((sum, requests) => sum + keptCharacters(requests), 0)).toBeLessThanOrEqual(
          journalBytes,
        )
        for (const requests of journals) {
          const isKept = requests.map(({ requestBody }) => requestBody !== null && 'text' in requestBody)
          const first = isKept.indexOf(true)
          if (first !== -1) expect(isKept.slice(first)).not.toContain(false)
        }
        const [lightest] = [...journals].sort((a, b) => sizeSent(a) - sizeSent(b))
        const share = journalBytes / 2 / journals.length
        if (lightest && sizeSent(lightest) < share)
          expect(keptCharacters(lightest)).toBe(charactersSent(lightest))
      }),
      { numRuns: 60 },
    )
  })

  it('drops the oldest bodies still kept, after a short journal has dropped entries or was cleared', async () => {
    const step = fc.oneof(
      { weight: 8, arbitrary: fc.integer({ min: 1, max: 900 }) },
      { weight: 1, arbitrary: fc.constant('clear' as const) },
    )
    const journalSizes = fc.constantFrom(2, 3, 7)
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), journalSizes, async (steps, journalSize) => {
        const journalBytes = 1500
        const mock = createWorkspaceMock({ journalBytes, journalSize })
        for (const one of steps) {
          if (one === 'clear') mock.clearRequests()
          else await send(mock, '/spaces', { key: null, body: 'x'.repeat(one) })
        }
        const isKept = mock.requests().map(({ requestBody }) => requestBody !== null && 'text' in requestBody)
        if (isKept.length > 0) expect(isKept.at(-1)).toBe(true)
        expect(isKept.slice(isKept.indexOf(true))).not.toContain(false)
        expect(keptCharacters(mock.requests())).toBeLessThanOrEqual(journalBytes)
      }),
      { numRuns: 150 },
    )
  })

  it('marks a dropped body as truncated, with its size', async () => {
    const mock = createWorkspaceMock({ journalBytes: 1500 })
    for (const letter of ['a', 'b']) await send(mock, '/spaces', { key: null, body: letter.repeat(1000) })
    expect(mock.requests()).toMatchObject([
      { status: 401, requestBody: { sizeBytes: 1000, truncated: true } },
      { status: 401, requestBody: { text: 'b'.repeat(1000) } },
    ])
  })

  it('cuts long addresses and keeps their parameters', async () => {
    const mock = createWorkspaceMock({ journalBytes: 1000 })
    const id = 'x'.repeat(3000)
    await send(mock, `/datatables/${id}/rows?${'q'.repeat(3000)}=1`)
    const [entry] = mock.requests()
    expect(entry).toMatchObject({ operation: 'listRows', params: { tableId: 'x'.repeat(1000) } })
    expect([entry?.path.length, Object.keys(entry?.query ?? {})]).toEqual([1000, ['q'.repeat(1000)]])
  })

  it('takes from the fullest journals alone, down to the next one at most', async () => {
    const mock = createWorkspaceMock({ journalBytes: 21_000 })
    const fill = async (sandbox: string, bodies: number) => {
      for (let sent = 0; sent < bodies; sent++)
        await send(mock, '/spaces', { key: null, sandbox, body: 'x'.repeat(1000) })
    }
    await fill('small', 1)
    await fill('middle', 7)
    await fill('full', 12)
    const kept = (name: string) => keptCharacters(mock.sandbox(name).requests())
    expect([kept('small'), kept('middle')]).toEqual([1000, 7000])
    expect(kept('full')).toBeLessThan(12_000)
    expect(kept('full')).toBeGreaterThanOrEqual(7000)
  })

  it('stops counting bodies that were cleared, reset, deleted or left with a boundary', async () => {
    const mock = createWorkspaceMock({ journalBytes: 10_000 })
    const fill = (sandbox?: string) =>
      send(mock, '/spaces', {
        key: null,
        body: 'x'.repeat(8000),
        ...(sandbox === undefined ? {} : { sandbox }),
      })
    const ends: (() => void)[] = [
      () => {
        mock.clearRequests()
      },
      () => {
        mock.reset()
      },
    ]
    for (const end of ends) {
      await fill()
      end()
    }
    await fill('one')
    mock.deleteSandbox('one')
    await mock.boundary(() => fill())()
    await fill('two')
    expect(keptCharacters(mock.sandbox('two').requests())).toBe(8000)
  })

  it('bounds what requests with many unknown fields leave behind', async () => {
    const mock = createWorkspaceMock({ journalBytes: 100_000 })
    const fields = Object.fromEntries(times(2000, (index) => [`field_${String(index)}`, 1]))
    for (let sent = 0; sent < 20; sent++)
      await send(mock, '/spaces', { body: JSON.stringify({ name: 'x', ...fields }) })
    expect(mock.requests()).toHaveLength(20)
    expect(mock.report().find(({ rule }) => rule === 'unknown-field')).toBeDefined()
  })

  it('is free again after a sandbox was deleted', async () => {
    const mock = createWorkspaceMock({ journalBytes: 300_000 })
    const body = JSON.stringify({ name: 'x'.repeat(60_000) })
    for (const name of ['a', 'b', 'c']) {
      await send(mock, '/spaces', { body, sandbox: name })
      mock.deleteSandbox(name)
    }
    await send(mock, '/spaces', { body })
    expect(mock.requests()[0]?.requestBody).toEqual({ json: JSON.parse(body) })
  })

  it.each([-1, 1.5])('%d is refused', (journalBytes) => {
    expect(() => createWorkspaceMock({ journalBytes })).toThrow('journalBytes')
  })
})

const sizeSent = (requests: readonly JournalEntry[]) => charactersSent(requests) + 200 * requests.length

const charactersSent = (requests: readonly JournalEntry[]) =>
  requests.reduce(
    (sum, { requestBody: body }) =>
      sum +
      (body === null ? 0 : 'text' in body ? body.text.length : 'sizeBytes' in body ? body.sizeBytes : 0),
    0,
  )

describe('maxSandboxes', () => {
  it('counts a sandbox that no valid key used only until another is needed', async () => {
    const mock = createWorkspaceMock({ maxSandboxes: 3 })
    expect((await send(mock, '/me', { sandbox: 'kept' })).status).toBe(200)
    expect((await send(mock, '/me', { sandbox: 'asked', key: null })).status).toBe(401)
    mock.sandbox('asked').requests()
    for (const name of times(20, (index) => `junk_${String(index)}`)) {
      expect((await send(mock, '/me', { sandbox: name, key: null })).status).toBe(401)
      expect(mock.sandboxes()).toEqual(['kept', 'asked', name])
    }
    expect(mock.sandbox('junk_19').requests()).toMatchObject([{ status: 401 }])
    // Reading that journal counted as use, so no sandbox can be removed to make room.
    expect((await send(mock, '/me', { sandbox: 'one_more' })).status).toBe(400)
    expect(mock.sandbox('kept').requests()).toHaveLength(1)
  })

  it('counts a sandbox for good once a valid key used it, at first or later', async () => {
    const mock = createWorkspaceMock({ maxSandboxes: 2 })
    for (const name of ['a', 'b']) await send(mock, '/me', { sandbox: name, key: null })
    for (const name of ['a', 'b']) await send(mock, '/me', { sandbox: name })
    expect((await send(mock, '/me', { sandbox: 'c' })).status).toBe(400)
    expect(mock.sandboxes()).toEqual(['a', 'b'])
  })
})
