// Responses of mock.fetch compared with the platform's, however they are read.
import fc from 'fast-check'
import { afterEach, expect, test, vi } from 'vitest'
import { createWorkspaceMock } from '../../src/index.ts'

const mock = createWorkspaceMock()
const me = () => mock.fetch('/me', { headers: { authorization: `Bearer ${mock.keys.master}` } })

afterEach(() => {
  vi.unstubAllGlobals()
})

async function readAll(response: Response): Promise<string> {
  const reader = response.body?.getReader()
  let text = ''
  for (let part = await reader?.read(); part?.value; part = await reader?.read())
    text += new TextDecoder().decode(part.value)
  reader?.releaseLock()
  return text
}

async function readIntoBuffer(response: Response): Promise<string> {
  const reader = response.body?.getReader({ mode: 'byob' })
  const part = await reader?.read(new Uint8Array(1 << 16))
  reader?.releaseLock()
  return new TextDecoder().decode(part?.value)
}

const operations = {
  text: (response: Response) => response.text(),
  json: (response: Response) => response.json() as Promise<unknown>,
  arrayBuffer: async (response: Response) => [...new Uint8Array(await response.arrayBuffer())],
  blob: async (response: Response) => {
    const blob = await response.blob()
    return [blob.type, await blob.text()]
  },
  formData: async (response: Response) => [...(await response.formData())],
  bodyUsed: (response: Response) => response.bodyUsed,
  isLocked: (response: Response) => response.body?.locked,
  readAll,
  readIntoBuffer,
  lock: (response: Response) => void response.body?.getReader(),
  // Not awaited, because cancelling one of two clones waits for the other.
  cancel: (response: Response) => void response.body?.cancel().catch(() => undefined),
  clone: (response: Response) => response.clone(),
  changeHeaders(response: Response) {
    response.headers.append('x-changed', 'yes')
    return response.headers === response.headers
  },
  head: (response: Response) => [response.status, response.ok, response.type, [...response.headers]],
}

async function outcome(run: () => unknown): Promise<unknown> {
  try {
    return { value: await run() }
  } catch (error) {
    return { error: (error as Error).constructor.name }
  }
}

/** Performs operations on a response and its clones, one after another. */
async function outcomes(first: Response, steps: readonly (readonly [keyof typeof operations, number])[]) {
  const responses = [first]
  const seen: unknown[] = []
  for (const [name, index] of steps) {
    const result = await outcome(() => operations[name](responses[index % responses.length] ?? first))
    const { value } = result as { value?: unknown }
    if (value instanceof Response) responses.push(value)
    seen.push([name, value instanceof Response ? 'a response' : result])
  }
  return seen
}

test("mock.fetch returns a response that reads as the platform's does, in any order", async () => {
  const text = await (await me()).text()
  const names = Object.keys(operations) as (keyof typeof operations)[]
  const steps = fc.array(fc.tuple(fc.constantFrom(...names), fc.nat(3)), { minLength: 1, maxLength: 8 })
  await fc.assert(
    fc.asyncProperty(steps, async (sequence) => {
      const response = await me()
      const { status, headers } = response
      const ofPlatform = new Response(text, { status, headers })
      expect(await outcomes(response, sequence)).toEqual(await outcomes(ofPlatform, sequence))
    }),
    { numRuns: 500 },
  )
})

test('mock.fetch returns a response whose clone has status and headers, before and after its body was read', async () => {
  for (const isAskedFor of [false, true]) {
    const response = await mock.fetch('/me')
    if (isAskedFor) expect(response.body).not.toBeNull()
    for (const copy of [response.clone(), response.clone().clone()]) {
      expect([copy.status, ...copy.headers]).toEqual([response.status, ...response.headers])
      expect(await copy.json()).toHaveProperty('error')
    }
    expect(await response.json()).toHaveProperty('error')
  }
})

test('mock.fetch answers an instance of Response, also of one that a test puts in its place', async () => {
  expect(await me()).toBeInstanceOf(Response)
  class OwnResponse extends Response {}
  vi.stubGlobal('Response', OwnResponse)
  const response = await me()
  expect(response).toBeInstanceOf(OwnResponse)
  expect(await response.json()).toMatchObject({ members: expect.any(Array) })
})

test('mock.fetch answers a text to a Response that keeps its body in a field', async () => {
  class FieldResponse {
    readonly body: unknown
    bodyUsed = false
    constructor(body: unknown) {
      this.body = body
    }
  }
  vi.stubGlobal('Response', FieldResponse)
  const response = await me()
  expect(response.body).toContain('"members"')
})
