// Checks that every request in process gets a documented response, and that a refusal leaves no trace.
import { handlerOf } from '../../../src/mock/internals.ts'
import type { Call } from '../../../src/mock/requests/call.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createWorkspaceMock, type AnswersInput, type WorkspaceMock } from '../../../src/index.ts'
import { count } from '../meta.ts'
import { sampled } from '../sampled.ts'
import { differences } from '../targets/support/differences.ts'
import { smallFixture, wholeState } from './support/fixture.ts'
import { hostileRequest, type HostileRequest } from './support/request.ts'
import { flawOf, type ReceivedResponse } from './support/verdict.ts'

const otherAnswers: fc.Arbitrary<AnswersInput> = fc
  .array(fc.constantFrom(...Object.entries(differences)), { maxLength: 4 })
  .map((chosen) => Object.fromEntries(chosen.map(([id, { others }]) => [id, others.at(-1)])))

const pause = fc.constantFrom(0, 0, 0, 0, 500, 60_000, 86_400_000, 31 * 86_400_000)

function headersOf({ authorization, body, headers }: HostileRequest): Map<string, string> {
  return new Map([
    ...headers,
    ...(authorization === null ? [] : [['authorization', authorization] as const]),
    ...(body?.contentType == null ? [] : [['content-type', body.contentType] as const]),
  ])
}

const byHandle = async (mock: WorkspaceMock, request: HostileRequest): Promise<ReceivedResponse> => {
  const headers = headersOf(request)
  const call: Call = {
    method: request.method,
    path: request.path,
    query: request.query,
    baseUrl: mock.baseUrl,
    header: (name) => headers.get(name) ?? null,
    body: request.body?.bytes ?? null,
  }
  const { status, headers: sent, body } = await handlerOf(mock).handle(call)
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body ?? undefined)
  return { status, header: (name) => sent[name] ?? null, text }
}

/** Undefined if no Request can express this. */
const byFetch = async (
  mock: WorkspaceMock,
  request: HostileRequest,
): Promise<ReceivedResponse | undefined> => {
  let made: Request
  try {
    const { method, path, query, body } = request
    made = new Request(`${mock.baseUrl}${path}${query === '' ? '' : `?${query}`}`, {
      method,
      headers: [...headersOf(request)],
      body: method === 'GET' || method === 'HEAD' ? null : ((body?.bytes as BodyInit | undefined) ?? null),
    })
  } catch {
    return undefined
  }
  const { status, headers, ...rest } = await mock.fetch(made).then(async (response) => ({
    status: response.status,
    headers: response.headers,
    text: await response.text(),
  }))
  return { status, header: (name) => headers.get(name), text: rest.text }
}

describe.each([
  ['mock.handle', byHandle],
  ['mock.fetch', byFetch],
] as const)('hostile requests to %s', (_, send) => {
  it('get an answer of the contract, and change all or nothing', async ({ task }) => {
    const mock = createWorkspaceMock({ fixture: smallFixture(), selfCheck: true })
    const sequence = fc.array(fc.tuple(hostileRequest, pause), { minLength: 1, maxLength: 10 })
    let survived = 0
    await fc.assert(
      fc.asyncProperty(otherAnswers, sequence, async (answers, requests) => {
        mock.reset()
        mock.setAnswers(answers)
        for (const [request, pauseMs] of requests) {
          mock.clock.advance(pauseMs)
          mock.clearRequests()
          const before = wholeState(mock)
          const received = await send(mock, request)
          if (!received) continue
          survived += 1
          const [entry] = mock.requests()
          if (!entry) {
            expect([request.method, received.status]).toEqual(['OPTIONS', 204])
            continue
          }
          // A response to HEAD has no body to check.
          if (request.method === 'HEAD' && received.text === '') expect([400, 404]).toContain(received.status)
          else expect(flawOf(received, entry), received.text.slice(0, 300)).toBeUndefined()
          if (received.status >= 400) expect(wholeState(mock)).toBe(before)
        }
        const last = mock.state()
        mock.loadState(last)
        expect(mock.state()).toEqual(last)
      }),
      sampled(120),
    )
    count(task.meta, 'hostile', survived)
  })
})
