// Checks that the standalone server survives any bytes: it sends a documented response or closes the connection.
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createWorkspaceMock } from '../../../src/index.ts'
import { serve, type RunningServer } from '../../../src/node.ts'
import { count } from '../meta.ts'
import { sampled } from '../sampled.ts'
import { smallFixture, wholeState } from './support/fixture.ts'
import { hostileRequest } from './support/request.ts'
import { flawOf, flawOfError } from './support/verdict.ts'
import { responsesIn, bytesOf, exchange, framing, neverEnds } from './support/wire.ts'

describe('hostile bytes to the standalone server', () => {
  const mock = createWorkspaceMock({ fixture: smallFixture(), selfCheck: true })
  let server: RunningServer
  beforeAll(async () => {
    server = await serve(mock)
  })
  afterAll(() => server.close())

  const isAlive = async () => {
    const headers = { authorization: 'Bearer wm_test_master' }
    expect((await fetch(`${server.baseUrl}/me`, { headers })).status).toBe(200)
  }

  it('requests get an answer of the contract, or none where they never end', async ({ task }) => {
    let survived = 0
    await fc.assert(
      fc.asyncProperty(hostileRequest, framing, async (request, how) => {
        mock.reset()
        const before = wholeState(mock)
        const awaitsResponse = !neverEnds(how) && how.version === 'HTTP/1.1' && how.lineEnd === '\r\n'
        const received = await exchange(server.port, bytesOf(request, how), how.cutAt, awaitsResponse)
        survived += 1
        const responses = responsesIn(received, request.method)
        const entries = mock.requests()
        for (const response of responses) {
          const { status, method } = response
          if (status === 204) continue
          const entry = entries.find((known) => known.status === status)
          if (method === 'HEAD') expect([400, 404]).toContain(status)
          else if (entry) expect(flawOf(response, entry)).toBeUndefined()
          // Without a journal entry: the parser gave up, or the request was refused before it reached the mock.
          else
            expect([[400, 404], flawOfError(response)]).toEqual([expect.arrayContaining([status]), undefined])
        }
        if (awaitsResponse) expect(responses).not.toEqual([])
        if (entries.every(({ status }) => status >= 400)) expect(wholeState(mock)).toBe(before)
      }),
      sampled(150),
    )
    await isAlive()
    count(task.meta, 'hostile', survived)
  })

  it('bytes that are no HTTP at all are answered with 400 or nothing', async ({ task }) => {
    const noise = fc.oneof(
      fc.uint8Array({ minLength: 1, maxLength: 200 }),
      fc.string({ minLength: 1 }).map((text) => Buffer.from(`${text}\r\n\r\n`)),
      fc
        .constantFrom(
          '\u0016\u0003\u0001',
          'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
          'GET\r\n\r\n',
          '\r\n\r\n',
          'GET /v1/me',
        )
        .map((text) => Buffer.from(text, 'latin1')),
    )
    let survived = 0
    await fc.assert(
      fc.asyncProperty(noise, async (bytes) => {
        mock.reset()
        for (const response of responsesIn(
          await exchange(server.port, Buffer.from(bytes), 0, false),
          'any',
        )) {
          expect([400, 404]).toContain(response.status)
          expect(flawOfError(response)).toBeUndefined()
        }
        survived += 1
      }),
      sampled(60),
    )
    await isAlive()
    count(task.meta, 'hostile', survived)
  })
})
