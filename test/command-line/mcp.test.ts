// The command mcp, with the official client over stdin and stdout.
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { expect, inject, test } from 'vitest'
import { printed, run } from './support/command-line.ts'

async function connect(...flags: string[]) {
  const client = new Client({ name: 'test', version: '1.0.0' })
  const args = [inject('cli'), 'mcp', ...flags]
  await client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: 'ignore' }))
  const call = async (name: string, given: Record<string, unknown> = {}) => {
    const { content, isError } = await client.callTool({ name, arguments: given })
    return { text: (content as unknown as [{ text: string }])[0].text, isError }
  }
  return { client, call }
}

test('mcp starts a server of its own, whose tools work', async () => {
  const { client, call } = await connect('--fixture', 'empty')
  expect((await call('explain')).text).toBe('No request has reached the mock.')
  expect((await call('describe_operation', { operation: 'getIdentity' })).text).toContain('"path":"/me"')
  await client.close()
})

test('mcp --url uses a server that runs, and says how to start one when it is gone', async () => {
  const server = run('serve', '--port', '0', '--quiet')
  const [, url = ''] = await printed(server, 'out', /API +(http\S+)\/v1/)
  const { client, call } = await connect('--url', url)
  await call('change_workspace', { plan: 'free' })
  const response = await fetch(`${url}/v1/me`, { headers: { authorization: 'Bearer wm_demo_master' } })
  expect((await response.json()).workspace.plan).toBe('free')
  await fetch(`${url}/__mock/stop`, { method: 'POST' })
  await server.ended
  const gone = await call('explain')
  expect(gone.isError).toBe(true)
  expect(gone.text).toContain('npx workspace-api-mock serve')
  await client.close()
})
