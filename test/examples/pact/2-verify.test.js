// Pact's verifier checks a provider against the recorded pact: here the served mock, and in the provider's CI the real API.
import { test } from 'node:test'
import { Verifier } from '@pact-foundation/pact'
import { createWorkspaceMock } from 'workspace-api-mock'
import { serve } from 'workspace-api-mock/node'
import { pactFile, provider } from './pact.js'

test('the provider keeps the pact', async () => {
  const { url, close } = await serve(createWorkspaceMock(), { port: 0 })
  // A separate sandbox, set up over HTTP, which works from any language.
  const sandbox = `${url}/sandboxes/pact`
  const control = async (method, path, body) => {
    const answer = await fetch(`${sandbox}/__mock${path}`, { method, body: JSON.stringify(body) })
    if (!answer.ok) throw new Error(await answer.text())
  }
  try {
    await new Verifier({
      provider,
      providerBaseUrl: sandbox,
      pactUrls: [pactFile],
      logLevel: 'error',
      beforeEach: () => control('POST', '/reset'),
      stateHandlers: {
        'the demo data': () =>
          control('POST', '/seed', { tasks: [{ list_id: 'lst_launch', title: 'Taste' }] }),
        'a plan without jobs': () => control('PATCH', '/workspace', { plan: 'free' }),
      },
      requestFilter: (request, _, next) => {
        request.headers.authorization = 'Bearer wm_demo_master'
        next()
      },
    }).verifyProvider()
  } finally {
    await close()
  }
})
