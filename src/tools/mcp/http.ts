// The tools over HTTP, for `/__mock/mcp`. Each request is served independently.
import { createMcpHandler } from '@modelcontextprotocol/server'
import type { SendControl } from '../../adapters/control-api/send-control.ts'
import { createMcpServer } from './server.ts'

export const respondToMcp = (request: Request, send: SendControl): Promise<Response> =>
  createMcpHandler(() => createMcpServer(send)).fetch(request)
