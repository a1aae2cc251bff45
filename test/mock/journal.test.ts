// The journal as a list: order, clearing, filters, and the addresses in its HAR.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createWorkspaceMock, type WorkspaceMock } from '../../src/index.ts'

const send = (mock: WorkspaceMock, path: string) =>
  mock.fetch(
    new Request(`${mock.baseUrl}${path}`, {
      headers: { authorization: `Bearer ${mock.keys.master ?? ''}` },
    }),
  )

const step = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('/me', '/spaces', '/nowhere') },
  { weight: 1, arbitrary: fc.constantFrom('clear', '1s', '500ms') },
)

describe('mock.requests', () => {
  it.each([0, 1, 3, 1000])(
    'returns the latest of %i in order, after clearing in between',
    async (journalSize) => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(step, { maxLength: 25 }),
          fc.nat(12),
          fc.nat(12),
          fc.nat(4),
          async (steps, after, before, limit) => {
            const mock = createWorkspaceMock({ fixture: 'empty', journalSize })
            let plain: { id: number; atMs: number; path: string }[] = []
            let lastId = 0
            for (const one of steps) {
              if (one === 'clear') {
                mock.clearRequests()
                plain = []
              } else if (one.startsWith('/')) {
                const atMs = mock.clock.nowMs()
                await send(mock, one)
                plain.push({ id: (lastId += 1), atMs, path: one })
                plain = plain.slice(Math.max(0, plain.length - journalSize))
              } else mock.clock.advance(one as '1s' | '500ms')
            }
            const ids = (filter = {}) => mock.requests(filter).map(({ id, path }) => [id, path])
            const expected = (entries: typeof plain) => entries.map(({ id, path }) => [id, path])
            expect(ids()).toEqual(expected(plain))
            expect(ids({ after })).toEqual(expected(plain.filter(({ id }) => id > after)))
            expect(ids({ before })).toEqual(expected(plain.filter(({ id }) => id < before)))
            const between = plain.filter(({ id }) => id > after && id < before)
            expect(ids({ after, before, limit })).toEqual(
              expected(between.slice(Math.max(0, between.length - limit))),
            )
            expect(ids({ limit })).toEqual(expected(plain.slice(Math.max(0, plain.length - limit))))
            for (const since of [mock.clock.now(), mock.clock.now() - 1])
              expect(ids({ since })).toEqual(expected(plain.filter(({ atMs }) => atMs >= since * 1000)))
            expect(mock.har().log.entries.map(({ request }) => request.url)).toEqual(
              plain.map(({ path }) => mock.baseUrl + path),
            )
          },
        ),
        { numRuns: 25, seed: 4010 },
      )
    },
  )
})

describe('bodies in mock.requests', () => {
  const kept = 64 * 1024

  it.each([
    [kept, undefined],
    [kept + 1, true],
  ])('of %i bytes are kept, or marked as truncated: %j', async (size, truncated) => {
    const mock = createWorkspaceMock({ fixture: 'demo' })
    const { task_id } = mock.db.attachments.all()[0]!
    const headers = { authorization: `Bearer ${mock.keys.master ?? ''}` }
    const path = `/tasks/${task_id}/attachments`
    const body = new FormData()
    body.set('file', new File([new Uint8Array(size)], 'a.bin'))
    const uploaded = await mock.fetch(new Request(mock.baseUrl + path, { method: 'POST', headers, body }))
    const { attachment } = (await uploaded.json()) as { attachment: { id: string } }
    await send(mock, `${path}/${attachment.id}`)
    const text = 'x'.repeat(size)
    await mock.fetch(new Request(`${mock.baseUrl}/spaces`, { method: 'POST', headers, body: text }))
    const [, download, creation] = mock.requests()
    const sizes = { sizeBytes: size, ...(truncated && { truncated }) }
    expect(download?.responseBody).toStrictEqual({ ...sizes, contentType: 'application/octet-stream' })
    const [, , har] = mock.har().log.entries
    expect(har?.request.bodySize).toBe(size)
    expect(creation?.requestBody).toEqual(
      truncated ? { ...sizes, contentType: 'text/plain;charset=UTF-8' } : { text },
    )
  })
})

describe('mock.har', () => {
  it('has the bytes of a file and the sizes of bodies in bytes', async () => {
    const mock = createWorkspaceMock()
    const headers = { authorization: `Bearer ${mock.keys.master ?? ''}` }
    const [file] = mock.db.attachments.findMany()
    const path = `/tasks/${file?.task_id ?? ''}/attachments/${file?.id ?? ''}`
    const body = JSON.stringify({ name: 'Überblick ☕' })
    const spaces = mock.baseUrl + '/spaces'
    const created = await mock.fetch(new Request(spaces, { method: 'POST', headers, body }))
    const sizes = [Buffer.byteLength(body), Buffer.byteLength(await created.text())]
    const bytes = await (await mock.fetch(new Request(mock.baseUrl + path, { headers }))).arrayBuffer()
    const [creation, download] = mock.har().log.entries
    expect([creation?.request.bodySize, creation?.response.bodySize]).toEqual(sizes)
    expect(creation?.response.content).toMatchObject({ size: sizes[1] })
    expect(download?.response).toMatchObject({
      bodySize: bytes.byteLength,
      content: {
        size: bytes.byteLength,
        encoding: 'base64',
        text: Buffer.from(bytes).toString('base64'),
      },
    })
  })

  it.each([
    ['/me', []],
    [
      '/lists/lst_1/tasks?limit=5&offset=10',
      [
        ['limit', '5'],
        ['offset', '10'],
      ],
    ],
    [
      '/lists/lst_1/tasks?q=a%20b%26c&q=d+e',
      [
        ['q', 'a b&c'],
        ['q', 'd e'],
      ],
    ],
    [
      '/nowhere?flag&x=',
      [
        ['flag', ''],
        ['x', ''],
      ],
    ],
  ])('has the address of %s as it was sent, and its query in parts', async (path, query) => {
    const mock = createWorkspaceMock({ fixture: 'empty' })
    await send(mock, path)
    expect(mock.har().log.entries[0]?.request).toMatchObject({
      url: mock.baseUrl + path,
      queryString: query.map(([name, value]) => ({ name, value })),
    })
  })
})

describe('mock.requests by status', () => {
  const mock = createWorkspaceMock()
  const statusesOf = (status: unknown) => mock.requests({ status } as never).map((request) => request.status)

  it('takes a status, a class, or 0 for a broken connection', async () => {
    const headers = { authorization: `Bearer ${mock.keys.master}` }
    mock.fault({ operation: 'listForms', network: true })
    mock.fault({ operation: 'listSpaces', status: 503 })
    for (const path of ['/me', '/nowhere', '/forms', '/spaces', '/tasks/none'])
      await mock.fetch(path, { headers }).catch(() => undefined)
    expect([200, '2xx', '4xx', '5xx', '3xx', 0, 404].map(statusesOf)).toEqual([
      [200],
      [200],
      [404, 404],
      [503],
      [],
      [0],
      [404, 404],
    ])
  })

  it.each([1_767_607_200_000, '2026-01-05', -1, 1.5])(
    'refuses since %j, which is not in Unix seconds',
    (since) => {
      expect(() => createWorkspaceMock().requests({ since: since as number })).toThrow(
        expect.objectContaining({
          name: 'ControlError',
          message: expect.stringMatching(/^since must be whole Unix seconds; received .*/),
        }),
      )
    },
  )

  it.each(['404', '4x', '6xx', '4XX', 'error', 99, 600, 4.5, -1, null, ['4xx'], {}])(
    'refuses %j',
    (status) => {
      expect(() => statusesOf(status)).toThrow(
        /^status must be a status such as 404, a class such as "4xx", or 0 for a broken connection; received/,
      )
    },
  )
})
