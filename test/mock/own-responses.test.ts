// Responses set by a test, in the coverage, in explain() and in copies.
import { expect, it } from 'vitest'
import { createWorkspaceMock } from '../../src/index.ts'

function useOwn(response: object, operation: 'getIdentity' | 'getTask' = 'getIdentity') {
  const mock = createWorkspaceMock()
  mock.fault({ operation, effect: { respond: response as never } })
  const path = operation === 'getIdentity' ? '/me' : '/tasks/tsk_label'
  const send = () => mock.fetch(path, { headers: { authorization: `Bearer ${mock.keys.master}` } })
  const outcomes = () => {
    const found = mock.coverage().operations.find((each) => each.operation === operation)
    return {
      requests: found?.requests,
      met: found?.outcomes
        .filter(({ natural, byFault }) => natural + byFault > 0)
        .map((outcome) => [outcome.case, outcome.natural, outcome.byFault]),
    }
  }
  return { mock, send, outcomes }
}

it.each([
  [{ status: 418, body: { error: 'x' } }, []],
  [{ status: 200, body: {} }, []],
  [{ status: 200, body: 'text' }, []],
  [{ status: 503 }, []],
  [{ status: 503, body: { message: 'x' } }, []],
  // Several kinds of errors have this status.
  [{ status: 403, body: { error: 'x' } }, []],
  [{ status: 503, body: { error: 'x' } }, [['unavailable', 0, 1]]],
  [{ status: 429, body: { error: 'x', resource: 'requestsPerMonth' } }, [['monthlyRequests', 0, 1]]],
])('mock.coverage() counts the response %j as a documented outcome only if it is one', async (...row) => {
  const [response, met] = row
  const { send, outcomes } = useOwn(response)
  await send()
  expect(outcomes()).toEqual({ requests: 1, met })
})

it('mock.coverage() counts a response of its own with the documented body as a success by a fault', async () => {
  const usual: unknown = await (await useOwn({ status: 418 }, 'getTask').mock.fetch('/me')).json()
  expect(usual).toHaveProperty('error')
  const mock = createWorkspaceMock()
  const headers = { authorization: `Bearer ${mock.keys.master}` }
  const body: unknown = await (await mock.fetch('/tasks/tsk_label', { headers })).json()
  const { send, outcomes } = useOwn({ status: 200, body }, 'getTask')
  await send()
  expect(outcomes()).toEqual({ requests: 1, met: [['success', 0, 1]] })
})

it('mock.explain() says that the response was injected', async () => {
  const { mock, send } = useOwn({ status: 418, body: { error: 'short' } })
  await send()
  expect(mock.explain()).toContain(
    '#1 GET /me 418 (getIdentity)\n    error: short\n    response injected by fault_1',
  )
})

it.each([
  [{ status: 418, body: { error: 'short' } }, 'application/json', `'{"error":"short"}'`],
  [{ status: 200, body: '{' }, 'text/plain; charset=utf-8', `'{'`],
  [{ status: 502, body: '<p>' }, 'text/plain; charset=utf-8', `'<p>'`],
])('mock.copyAs() gives the fault that sends %j again', async (response, type, body) => {
  const { mock, send } = useOwn(response)
  await send()
  const status = String(response.status)
  const parts = ["operation: 'getIdentity'", 'respond: {', `status: ${status}`, `'content-type': '${type}'`]
  for (const part of [...parts, `body: ${body}`]) expect(mock.copyAs('fault')).toContain(part)
  expect(mock.copyAs('vitest')).toContain(`expect(response.status).toBe(${status})`)
})

it.each([
  [() => 1, 'effect.respond.body must'],
  [{ at: new Date(0) }, 'effect.respond.body.at must'],
  [[NaN], 'effect.respond.body.0 must'],
  [new Uint8Array(2), 'effect.respond.body must'],
  [10n, 'effect.respond.body must'],
])('mock.fault() rejects the body %s, which is neither JSON nor a text', (body, message) => {
  const mock = createWorkspaceMock()
  expect(() => mock.fault({ effect: { respond: { status: 200, body } } })).toThrow(message)
})
