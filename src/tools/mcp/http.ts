// The tools over HTTP, for `/__mock/mcp`. Each request is served independently.
import { createMcpHandler } from '@modelcontextprotocol/server'
import { createMcpServer, type SendControl } from './server.ts'

export const respondToMcp = (request: Request, send: SendControl): Promise<Response> =>
  createMcpHandler(() => createMcpServer(send)).fetch(request)
