// A request for every operation that succeeds on the demo fixture, taken from the OpenAPI examples.
import { createWorkspaceMock, type OperationId, type WorkspaceMock } from 'workspace-api-mock'
import { createApiCall, type CallResponse, type ApiCall } from '../../../src/adapters/vitest/api-call.ts'
import examples from '../../../src/tools/openapi/examples.json' with { type: 'json' }

export interface ExampleRequest {
  readonly params: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly body?: unknown
  readonly files?: readonly File[]
}

export function exampleRequest(operation: OperationId): ExampleRequest {
  const {
    path = {},
    query,
    json,
    multipart,
  } = examples[operation] as {
    path?: Record<string, string>
    query?: Record<string, unknown>
    json?: unknown
    multipart?: { data?: unknown; file: string | string[] }
  }
  if (multipart === undefined || json !== undefined)
    return { params: path, ...(query && { query }), ...(json !== undefined && { body: json }) }
  const files = [multipart.file].flat().map((text) => new File([text], 'minutes.txt', { type: 'text/plain' }))
  return { params: path, ...(query && { query }), files }
}

/** A mock, and a function that sends it an operation's example. */
export function exampleMock(): {
  mock: WorkspaceMock
  call: ApiCall
  send(operation: OperationId, more?: object): Promise<CallResponse<unknown>>
} {
  const mock = createWorkspaceMock()
  const call = createApiCall(mock)
  const send = async (operation: OperationId, more: object = {}) => {
    if (operation === 'getJob') {
      const { body } = await call('submitInsertJob', exampleRequest('submitInsertJob') as never)
      return call('getJob', { params: { jobId: body?.job_id ?? 'none' }, ...more })
    }
    return (call as any)(operation, { ...exampleRequest(operation), ...more })
  }
  return { mock, call, send }
}
