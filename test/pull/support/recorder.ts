// Records a client's exchanges with a mock as browsers, Playwright and proxies do: a HAR with complete bodies.
import type { WorkspaceMock } from 'workspace-api-mock'

/** A recording fetch of the mock, and the recording so far. */
export function recorderOf(mock: WorkspaceMock) {
  const entries: any[] = []
  const fetch = async (request: Request): Promise<Response> => {
    const { method, url } = request
    const headers = [...request.headers].map(([name, value]) => ({ name, value }))
    const startedDateTime = new Date(Date.UTC(2026, 0, 5) + entries.length).toISOString()
    const response = await mock.fetch(request)
    const { status } = response
    const bytes = Buffer.from(await response.clone().arrayBuffer())
    const mimeType = response.headers.get('content-type') ?? ''
    // Every third body is base64, as devtools write what they consider binary.
    const content =
      mimeType.includes('json') && entries.length % 3 > 0
        ? { size: bytes.length, mimeType, text: bytes.toString('utf8') }
        : { size: bytes.length, mimeType, text: bytes.toString('base64'), encoding: 'base64' }
    entries.push({
      startedDateTime,
      request: { method, url, headers },
      response: { status, headers: [], content },
    })
    return response
  }
  return { fetch, entries, har: () => ({ log: { version: '1.2', entries: structuredClone(entries) } }) }
}
