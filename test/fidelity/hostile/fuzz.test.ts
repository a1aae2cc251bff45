// Long sessions of hostile requests between control actions, in process and over HTTP. Responses must be documented ones,
// refusals leave no trace, the control API never fails, the state can always be restored, and the heap stays flat.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  ControlError,
  createWorkspaceMock,
  type JournalEntry,
  type WorkspaceMock,
} from '../../../src/index.ts'
import { serve, type RunningServer } from '../../../src/node.ts'
import { count } from '../meta.ts'
import { sampled } from '../sampled.ts'
import { smallFixture, wholeState } from './support/fixture.ts'
import { hostileRequest, type HostileRequest } from './support/request.ts'
import { flawOf } from './support/verdict.ts'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

function heapBytes(): number {
  collectGarbage()
  return process.memoryUsage().heapUsed
}

/** What a test does to its mock between two of the client's requests. */
interface Action {
  readonly name: string
  run(mock: WorkspaceMock): void
}

const action: fc.Arbitrary<Action> = fc.oneof(
  fc
    .constantFrom('1ms', '500ms', '61s', '9h', '31d', '400d')
    .map((by) => ({ name: `advance ${by}`, run: (mock: WorkspaceMock) => mock.clock.advance(by) })),
  fc.constantFrom(0, 1_767_607_200, 253_402_300_799).map((seconds) => ({
    name: `set ${String(seconds)}`,
    run: (mock: WorkspaceMock) => mock.clock.set(seconds),
  })),
  fc.constantFrom<Action>(
    { name: 'restore', run: (mock) => mock.restore(mock.snapshot()) },
    { name: 'loadState', run: (mock) => mock.loadState(mock.state()) },
    { name: 'setPlan', run: (mock) => void mock.setPlan('free') },
    { name: 'lockTable', run: (mock) => void mock.lockTable('tbl_all') },
    { name: 'clearRequests', run: (mock) => mock.clearRequests() },
    { name: 'setLimits', run: (mock) => void mock.setLimits({ maxFileBytes: 5, bulkRowsPerJob: 2 }) },
  ),
)

/** How the body of a request arrives: at once, in pieces, never, or broken off. */
const arrival = fc.constantFrom('whole', 'whole', 'whole', 'whole', 'in pieces', 'aborted', 'failing')
type Arrival = 'whole' | 'in pieces' | 'aborted' | 'failing'

function bodyOf(bytes: Uint8Array, how: Arrival): BodyInit {
  if (how === 'whole') return bytes as Uint8Array<ArrayBuffer>
  let at = 0
  return new ReadableStream<Uint8Array>({
    pull(controller) {
      if (how === 'failing' && (at > 0 || bytes.length === 0)) controller.error(new Error('the disk is gone'))
      else if (at >= bytes.length && how === 'in pieces') controller.close()
      else if (at >= bytes.length) return new Promise(() => undefined)
      else controller.enqueue(bytes.subarray(at, (at += 1000)))
      return undefined
    },
  })
}

/** Undefined if no Request can express this. */
function requestOf(baseUrl: string, sent: HostileRequest, how: Arrival): Request | undefined {
  const { method, path, query, body, authorization, headers } = sent
  const hasBody = body !== null && method !== 'GET' && method !== 'HEAD'
  const init = {
    method,
    headers: [
      // Node's fetch does not send it.
      ...headers.filter(([name]) => name !== 'expect'),
      ...(authorization === null ? [] : [['authorization', authorization] as [string, string]]),
      ...(body?.contentType == null ? [] : [['content-type', body.contentType] as [string, string]]),
    ] as [string, string][],
    ...(hasBody && { body: bodyOf(body.bytes, how), duplex: 'half' }),
    ...(hasBody && how === 'aborted' && { signal: AbortSignal.timeout(5) }),
  }
  try {
    return new Request(`${baseUrl}${path}${query === '' ? '' : `?${query}`}`, init)
  } catch {
    return undefined
  }
}

const isOf = ({ method, path }: JournalEntry, request: Request, baseUrl: string) =>
  method === request.method && new URL(`${baseUrl}${path}`).pathname === new URL(request.url).pathname

/** Resolves long after every request should have ended. */
const hangs = () =>
  new Promise<string>((resolve) => {
    setTimeout(() => resolve('no response'), 20_000).unref()
  })

type Step = readonly [HostileRequest, Arrival, Action | null]
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.tuple(hostileRequest, arrival, fc.option<Action>(action, { freq: 4 })),
  { minLength: 10, maxLength: 30 },
)

/** Plays a session. @returns how many requests got a response */
async function play(
  mock: WorkspaceMock,
  baseUrl: string,
  send: (request: Request) => Promise<Response>,
  session: readonly Step[],
): Promise<number> {
  let answered = 0
  mock.reset()
  for (const [sent, arrives, before] of session) {
    // A deletion does not wait for its body: broken off or not, it may be carried out.
    const how = sent.method === 'DELETE' ? 'whole' : arrives
    try {
      before?.run(mock)
    } catch (error) {
      // The clock ends with the year 9999.
      expect(error).toBeInstanceOf(ControlError)
    }
    const request = requestOf(baseUrl, sent, how)
    if (!request) continue
    const state = wholeState(mock)
    const last = mock.requests().at(-1)?.id ?? 0
    const isBroken = (how === 'aborted' || how === 'failing') && request.body !== null
    const response = await Promise.race([send(request).catch((error: unknown) => error), hangs()])
    expect(response, `${sent.method} ${sent.path}, ${how}`).not.toBe('no response')
    if (!(response instanceof Response)) {
      const { cause } = response as Error
      expect(isBroken, `${sent.method} ${sent.path}: ${String(response)}, ${String(cause)}`).toBe(true)
      expect(wholeState(mock)).toBe(state)
      continue
    }
    answered += 1
    const text = await response.text().catch((error: unknown) => error)
    // Over HTTP the response can begin before its request is broken off.
    if (typeof text !== 'string') {
      expect([isBroken, wholeState(mock)]).toEqual([true, state])
      continue
    }
    const seen = { status: response.status, header: (name: string) => response.headers.get(name), text }
    // Over HTTP a request that was broken off earlier can arrive after this one.
    const entries = mock.requests({ after: last }).filter((entry) => isOf(entry, request, baseUrl))
    const flaws = entries.map((entry) => flawOf(seen, entry))
    if (request.method !== 'HEAD' && !flaws.includes(undefined)) expect(flaws, text.slice(0, 300)).toEqual([])
    if (response.status >= 400) expect(wholeState(mock), `${sent.method} ${sent.path}`).toBe(state)
  }
  expect(mock.requests().length).toBeLessThanOrEqual(1000)
  expect(mock.har().log.entries.length).toBe(mock.requests().length)
  const ids = new Set(mock.requests().map(({ id }) => id))
  for (const { requests } of mock.report({ assumptions: true }))
    expect(requests.every((id) => ids.has(id))).toBe(true)
  const state = mock.state()
  mock.loadState(state)
  expect(mock.state()).toEqual(state)
  return answered
}

/** Plays sessions, and checks the heap after each tenth of them. */
async function fuzz(
  [runs, atLength]: readonly [number, number],
  mock: WorkspaceMock,
  baseUrl: string,
  send: (request: Request) => Promise<Response>,
): Promise<number> {
  const { numRuns, seed } = sampled(runs, atLength)
  const heaps: number[] = []
  let answered = 0
  let played = 0
  await fc.assert(
    fc.asyncProperty(steps, async (session) => {
      answered += await play(mock, baseUrl, send, session)
      if (++played % Math.ceil(numRuns / 10) === 0) heaps.push(heapBytes())
    }),
    { numRuns, seed: seed + 1 },
  )
  const [early = 0] = heaps.slice(2)
  expect(heaps.at(-1), `heap after each tenth: ${heaps.join(', ')}`).toBeLessThan(early * 1.2 + 2 ** 23)
  return answered
}

describe('hostile sessions', () => {
  it('mock.fetch answers as the contract says, whatever was done in between', async ({ task }) => {
    const mock = createWorkspaceMock({ fixture: smallFixture(), selfCheck: true })
    count(task.meta, 'hostile', await fuzz([40, 5300], mock, mock.baseUrl, mock.fetch))
  })

  describe('over HTTP', () => {
    const mock = createWorkspaceMock({ fixture: smallFixture(), selfCheck: true })
    let server: RunningServer
    beforeAll(async () => {
      server = await serve(mock)
    })
    afterAll(() => server.close())

    it('the server answers as the contract says, and so does the control API', async ({ task }) => {
      const send = async (request: Request) => {
        const response = await fetch(request)
        if (response.status >= 400)
          for (const route of ['requests?limit=3', 'report', 'requests.har', 'clock'])
            expect((await fetch(`${server.url}/__mock/${route}`)).status).toBe(200)
        return response
      }
      count(task.meta, 'hostile', await fuzz([20, 1600], mock, server.baseUrl, send))
    })
  })
})
