// Command `mcp`: the tools of a mock on stdin and stdout, for an agent.
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import type { SendControl } from '../../adapters/control-api/send-control.ts'
import { messageOf } from '../../contract/text/format.ts'
import { serve } from '../../node.ts'
import { createMcpServer } from '../mcp/server.ts'
import { createMockWith } from './fixture.ts'
import { printError } from './terminal.ts'

export interface McpFlags {
  readonly url?: URL
  readonly fixture: string
  readonly controlToken?: string
}

export async function mcpCommand({ url, fixture, controlToken }: McpFlags): Promise<void> {
  const started = url === undefined ? await serve(createMockWith(fixture)) : undefined
  const origin = started?.url ?? url?.origin ?? ''
  const token = controlToken ?? process.env.WORKSPACE_MOCK_TOKEN ?? ''
  const send: SendControl = async ({ method, path, body, sandbox }) => {
    const headers = {
      ...(token !== '' && { 'x-mock-token': token }),
      ...(sandbox !== undefined && { 'x-mock-sandbox': sandbox }),
    }
    const sent = body === undefined ? null : JSON.stringify(body)
    try {
      const response = await fetch(`${origin}/__mock${path}`, { method, headers, body: sent })
      return { status: response.status, text: await response.text() }
    } catch (error) {
      const { cause = error } = error as Error
      const text = `no server responds at ${origin} (${messageOf(cause)}); start one: npx workspace-api-mock serve`
      return { status: 503, text }
    }
  }
  // stdout is reserved for the protocol.
  if (started) printError(`The API is at ${started.baseUrl}, the console at ${started.consoleUrl}\n`)
  serveStdio(() => createMcpServer(send))
  process.stdin.on('end', () => void started?.close())
}
