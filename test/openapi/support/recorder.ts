// Sends recorded requests: one call of an operation against the demo mock, kept as an example.
import { operations } from '../../../src/contract/index.ts'
import type { OperationSpec } from '../../../src/contract/operation.ts'
import type { JsonValue } from '../../../src/contract/questions/register.ts'
import type { OperationId } from '../../../src/contract/scopes.ts'
import { createWorkspaceMock, type WorkspaceMock } from '../../../src/index.ts'
import type { Example } from '../../../src/tools/openapi/examples.ts'
import { Reply } from '../../behaviour/support/reply.ts'

export interface RecordedFile {
  readonly filename: string
  readonly type: string
  readonly text: string
}

export interface RecordedRequest extends Pick<Example, 'path' | 'query' | 'json'> {
  /** For a multipart request: the JSON in `data`, if any, and the files. */
  readonly data?: JsonValue
  readonly files?: readonly RecordedFile[]
  /** Whether several files are allowed. */
  readonly several?: boolean
}

function formOf({ data, files = [] }: RecordedRequest): FormData {
  const form = new FormData()
  if (data !== undefined) form.append('data', JSON.stringify(data))
  for (const { filename, type, text } of files) form.append('file', new Blob([text], { type }), filename)
  return form
}

/** The parts of a multipart request, as an example shows them. */
function partsOf({ data, files = [], several = false }: RecordedRequest): JsonValue {
  const texts = files.map(({ text }) => text)
  return { ...(data !== undefined && { data }), file: several ? texts : (texts[0] ?? '') }
}

/** A mock of the demo fixture that validates its own responses. */
export class Recorder {
  readonly mock: WorkspaceMock = createWorkspaceMock({ fixture: 'demo', selfCheck: true })

  /** Sends a request with the master key; anything but the operation's success throws. */
  async send(id: OperationId, request: RecordedRequest = {}): Promise<Reply> {
    const spec: OperationSpec = operations[id]
    const path = spec.path.replace(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent(request.path?.[name] ?? ''),
    )
    const url = new URL(`${this.mock.baseUrl}${path}`)
    for (const [name, value] of Object.entries(request.query ?? {})) url.searchParams.set(name, String(value))
    const headers = new Headers({ authorization: `Bearer ${this.mock.keys.master ?? ''}` })
    const multipart = request.files && formOf(request)
    const json = request.json === undefined ? null : JSON.stringify(request.json)
    if (!multipart && json !== null) headers.set('content-type', 'application/json')
    const body = multipart ?? json
    const response = await this.mock.fetch(new Request(url, { method: spec.method, headers, body }))
    const reply = new Reply(response.status, response.headers, new Uint8Array(await response.arrayBuffer()))
    if (reply.status !== spec.success.status)
      throw new Error(`${id} answered ${String(reply.status)}: ${reply.text.slice(0, 500)}`)
    return reply
  }

  /** Sends a request and records it with its response. */
  async record(id: OperationId, request: RecordedRequest = {}): Promise<Example> {
    const reply = await this.send(id, request)
    const { path, query, json, files } = request
    return {
      ...(path && { path }),
      ...(query && { query }),
      ...(json !== undefined && { json }),
      ...(files && { multipart: partsOf(request) }),
      response: 'binary' in operations[id].success ? reply.text : (reply.json as JsonValue),
    }
  }
}
