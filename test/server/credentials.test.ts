// Whatever header carries a credential, nothing that shows requests reveals its value.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createWorkspaceMock, type Signal } from '../../src/index.ts'
import { saveRun } from '../../src/mock/run.ts'
import { authorization, served } from './support/served.ts'

const mock = createWorkspaceMock()
const server = served(mock)
const client = new Client({ name: 'test', version: '1.0.0' })
beforeAll(() => client.connect(new StreamableHTTPClientTransport(new URL(`${server.url}/__mock/mcp`))))
afterAll(() => client.close())

const secret = 's3cr3t-0f-a-client'
const names = [
  ...['x-access-key', 'dpop', 'private-key', 'x-session-id', 'x-api-key', 'api-key', 'cookie', 'x-auth'],
  ...[
    'proxy-authorization',
    'x-csrf-token',
    'x-amz-security-token',
    'x-goog-api-key',
    'ocp-apim-subscription-key',
  ],
  ...[
    'x-vault-token',
    'x-signature',
    'x-hub-signature-256',
    'idempotency-key',
    'x-forwarded-access-token',
    'jwt',
  ],
  ...[
    'x-refresh',
    'password',
    'x-pin',
    'client-id',
    'x-my-own-thing',
    'referer',
    'forwarded',
    'x-request-id',
  ],
]
const open = [...names, 'authorization', 'x-mock-token']

it.each(open)('a value of %s stands nowhere', async (name) => {
  const signals: Signal[] = []
  const stop = mock.watch((signal) => void signals.push(signal), { pending: true })
  const controller = new AbortController()
  const events = await fetch(`${server.url}/__mock/events`, { signal: controller.signal })
  const headers = { authorization, [name]: name === 'authorization' ? `Bearer ${secret}` : secret }
  await fetch(`${server.baseUrl}/me`, { headers })
  await fetch(`${server.baseUrl}/nothing`, { headers })
  stop()
  const reader = events.body!.pipeThrough(new TextDecoderStream()).getReader()
  let streamed = ''
  while (streamed.split('event: request').length < 3) streamed += (await reader.read()).value ?? ''
  controller.abort()
  const read = async (path: string) => (await fetch(`${server.url}/__mock${path}`)).text()
  const tool = async (tool: string, given = {}) =>
    JSON.stringify(await client.callTool({ name: tool, arguments: given }))
  const ids = mock.requests().map(({ id }) => id)
  const shown = {
    streamed,
    signals: JSON.stringify(signals),
    run: JSON.stringify(saveRun(mock)),
    requests: await read('/requests'),
    summaries: await read('/requests?summary=true'),
    har: await read('/requests.har'),
    journals: await read('/console/journals'),
    whole: (await Promise.all(ids.map((id) => read(`/console/requests/${String(id)}`)))).join(''),
    curl: await read(`/requests.copy?as=curl&ids=${ids.join()}`),
    vitest: await read(`/requests.copy?as=vitest&ids=${ids.join()}`),
    explain: await read('/explain'),
    report: await read('/report'),
    tools: (await Promise.all([tool('explain'), tool('requests'), tool('request', { id: ids[0] })])).join(''),
  }
  expect(ids).toHaveLength(2)
  expect(shown.whole).toContain(name === 'x-mock-token' ? 'Bearer master' : 'hidden (')
  expect(shown.requests).toContain('/me')
  for (const [where, text] of Object.entries(shown)) expect(text, where).not.toContain(secret)
})
