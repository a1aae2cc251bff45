// Pact's own verifier holds a provider to the recorded pact: here the mock, served; in its own CI the real one.
import { test } from 'node:test'
import { Verifier } from '@pact-foundation/pact'
import { createWorkspaceMock } from 'workspace-api-mock'
import { serve } from 'workspace-api-mock/node'
import { pactFile, provider } from './pact.js'

test('the provider keeps the pact', async () => {
  const { url, close } = await serve(createWorkspaceMock(), { port: 0 })
  const enter = async (state) => {
    const body = JSON.stringify(state)
    const answer = await fetch(`${url}/__mock/provider-states`, { method: 'POST', body })
    if (!answer.ok) throw new Error(await answer.text())
  }
  try {
    await new Verifier({
      provider,
      providerBaseUrl: url,
      pactUrls: [pactFile],
      logLevel: 'error',
      beforeEach: () => enter({ state: 'reset' }),
      stateHandlers: {
        reset: () => enter({ state: 'reset' }),
        'plan free': () => enter({ state: 'plan free' }),
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
