// Whatever clients send, the control API keeps responding in JSON.
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createWorkspaceMock } from '../../src/index.ts'
import { serve, type RunningServer } from '../../src/node.ts'
import { sampled } from '../fidelity/sampled.ts'

const mock = createWorkspaceMock({ fixture: 'demo' })
let server: RunningServer
beforeAll(async () => {
  server = await serve(mock, { port: 0 })
})
afterAll(() => server.close())

const readings = [
  '/health',
  '/requests',
  '/requests?summary=true',
  '/requests.har',
  '/report?assumptions=true',
  '/state',
  '/snapshot',
  '/overview',
  '/faults',
  '/sandboxes?summary=true',
  '/tables/tbl_orders/rows',
]

const nested = (depth: number, open: string, close: string) =>
  `{"data":${open.repeat(depth)}1${close.repeat(depth)}}`
const hostile = fc.oneof(
  fc
    .tuple(fc.constantFrom(5, 255, 256, 257, 5000, 20_000), fc.boolean())
    .map(([depth, isList]) => (isList ? nested(depth, '[', ']') : nested(depth, '{"a":', '}'))),
  fc.integer({ min: 1, max: 60_000 }).map((length) => '['.repeat(length)),
  fc.constantFrom('{"data":{"col_customer":1e999}}', '{"name":-1e400}', '{"name":9007199254740993}'),
  fc.constantFrom(
    '{"name":"\\ud800"}',
    '{"data":{"\\udfff":"\\ud83d"}}',
    '{"__proto__":{"x":1},"constructor":1}',
  ),
  fc.constantFrom('{"custom_data":{"__proto__":[]}}', '{"settings":{"toJSON":"x"}}', '{"data":{"toJSON":1}}'),
  fc.json({ maxDepth: 6 }),
  fc.string({ unit: 'binary' }),
)
const paths = fc.constantFrom(
  '/spaces',
  '/tasks/tsk_none',
  '/datatables/tbl_orders/rows',
  '/datatables/tbl_orders/rows/bulk',
  '/datatables/tbl_orders/jobs/insert',
  '/lists/lst_launch/tasks',
  '/none?a=%ff&__proto__=1&b=%ud800',
  '/%ff/%00?%=',
)

describe('the control API', () => {
  it.each([256, 5000, 20_000])(
    'keeps a body that nests %i levels so that it can be written again',
    async (depth) => {
      mock.reset()
      const body = nested(depth, '[', ']')
      const headers = { 'content-type': 'application/json' }
      await fetch(`${server.baseUrl}/spaces`, { method: 'POST', headers, body })
      expect(mock.requests()[0]?.requestBody).toEqual({ text: body })
      expect(() => JSON.stringify([mock.requests(), mock.har()])).not.toThrow()
      expect((await fetch(`${server.url}/__mock/requests`)).status).toBe(200)
    },
  )

  it('answers 200 and JSON to every GET after any requests', async () => {
    const send = fc.record({
      path: paths,
      method: fc.constantFrom('POST', 'PATCH', 'PUT'),
      type: fc.constantFrom('application/json', 'text/plain', 'multipart/form-data; boundary=x', ''),
      body: hostile,
    })
    await fc.assert(
      fc.asyncProperty(fc.array(send, { minLength: 1, maxLength: 6 }), async (requests) => {
        mock.reset()
        for (const { path, method, type, body } of requests) {
          const headers = {
            authorization: 'Bearer wm_demo_master',
            'content-type': type,
            'x-mock-label': '\u00ff',
          }
          const response = await fetch(`${server.baseUrl}${path}`, { method, headers, body })
          expect(response.status, `${method} ${path} ${body.slice(0, 100)}`).not.toBe(500)
        }
        for (const path of readings) {
          const response = await fetch(`${server.url}/__mock${path}`)
          const text = await response.text()
          expect(response.status, `${path}: ${text.slice(0, 200)}`).toBe(200)
          JSON.parse(text)
        }
        const state = (await (await fetch(`${server.url}/__mock/state`)).json()) as unknown
        const put = await fetch(`${server.url}/__mock/state`, { method: 'PUT', body: JSON.stringify(state) })
        expect(put.status).toBe(200)
      }),
      { numRuns: 15 },
    )
  })

  it('answers 400 or 404, never 500, to any request', async () => {
    const routes = fc.constantFrom(
      'PUT /clock',
      'POST /clock/advance',
      'POST /faults',
      'PUT /answers',
      'PUT /state',
      'POST /seed',
      'PUT /snapshot',
      'PATCH /workspace',
      'PATCH /keys/master',
      'PATCH /tables/tbl_orders',
      'PATCH /forms/frm_intake',
      'POST /forms/frm_intake/submissions',
      'POST /reset',
    )
    const fields = fc.constantFrom(
      'now',
      'by',
      'ms',
      'mode',
      'plan',
      'limits',
      'locked',
      'data',
      'status',
      'match',
      'version',
    )
    const values = fc.oneof(fc.jsonValue(), fc.constantFrom(1e15, 253_402_300_800, -0, 'x'.repeat(1000)))
    const body = fc.oneof(
      hostile,
      fc.dictionary(fields, values).map((value) => JSON.stringify(value)),
    )
    await fc.assert(
      fc.asyncProperty(routes, body, async (route, sent) => {
        const [method = '', path = ''] = route.split(' ')
        const response = await fetch(`${server.url}/__mock${path}`, { method, body: sent })
        const text = await response.text()
        expect([200, 400, 404], `${route} ${sent.slice(0, 100)}: ${text.slice(0, 200)}`).toContain(
          response.status,
        )
        JSON.parse(text)
        mock.reset()
      }),
      sampled(200),
    )
  })
})
