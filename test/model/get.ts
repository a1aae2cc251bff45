// Owns reading from a mock without a target.
import type { WorkspaceMock } from '../../src/index.ts'
import { Reply } from '../behaviour/reply.ts'

export async function get(mock: WorkspaceMock, path: string, key: string): Promise<Reply> {
  const response = await mock.fetch(
    new Request(`${mock.baseUrl}${path}`, { headers: { authorization: `Bearer ${key}` } }),
  )
  return new Reply(response.status, response.headers, new Uint8Array(await response.arrayBuffer()))
}
