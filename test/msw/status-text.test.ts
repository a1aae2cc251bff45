// The status text, wherever a client reads it, is what the standalone server sends.
import axios from 'axios'
import { setupServer } from 'msw/node'
// Not by name: interception replaces the functions of the module.
import http from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createWorkspaceMock } from '../../src/index.ts'
import { serve, type RunningServer } from '../../src/node.ts'

const mock = createWorkspaceMock({ baseUrl: 'http://api.workspace.test/v1' })
const server = setupServer(...mock.handlers)
const headers = { authorization: `Bearer ${mock.keys.master ?? ''}` }
let running: RunningServer

beforeAll(async () => {
  server.listen({ onUnhandledRequest: 'bypass' })
  running = await serve(mock, { port: 0 })
})
beforeEach(() => mock.reset())
afterAll(async () => {
  server.close()
  await running.close()
})

const readMessage = (url: string) =>
  new Promise((resolve, reject) => {
    http.get(url, { headers }, (response) => resolve(response.resume().statusMessage)).on('error', reject)
  })
const readers = {
  'mock.fetch': async () => (await mock.fetch('/me', { headers })).statusText,
  'a clone of a response': async () => (await mock.fetch('/me', { headers })).clone().statusText,
  fetch: async () => (await fetch(`${mock.baseUrl}/me`, { headers })).statusText,
  axios: async () => {
    const options = { headers, validateStatus: () => true, maxRedirects: 0 }
    return (await axios.get(`${mock.baseUrl}/me`, options)).statusText
  },
  'node:http': () => readMessage(`${mock.baseUrl}/me`),
  'the server': () => readMessage(`${running.url}/v1/me`),
  'mock.har': async () => {
    await mock.fetch('/me', { headers })
    return mock.har().log.entries.at(-1)?.response.statusText
  },
}

describe.each(Object.entries(readers))('%s', (_, read) => {
  it.each([
    [200, 'OK'],
    [401, 'Unauthorized'],
    [413, 'Payload Too Large'],
    [418, "I'm a Teapot"],
    [503, 'Service Unavailable'],
    [299, 'unknown'],
  ])('getIdentity answers %i with the text %s', async (status, text) => {
    if (status !== 200) mock.fault({ effect: { respond: { status, body: 'own' } } })
    expect(await read()).toBe(text)
  })
})

it('mock.fetch gives the text that Node has for each status', async () => {
  for (let status = 200; status < 600; status++) {
    mock.fault({ effect: { respond: { status } } })
    const { statusText } = await mock.fetch('/me', { headers })
    expect([status, statusText]).toEqual([status, http.STATUS_CODES[status] ?? 'unknown'])
  }
})

it('mock.har has no text where the connection was broken', async () => {
  mock.fault({ network: true })
  await expect(mock.fetch('/me', { headers })).rejects.toThrow()
  expect(mock.har().log.entries[0]?.response).toMatchObject({ status: 0, statusText: '' })
})
