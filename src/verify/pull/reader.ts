// Reads of a deployment, one at a time: each is kept, so that an interrupted pull resumes where it stopped.
import { operations, type OperationId } from '../../contract/index.ts'
import { filledPath } from '../../contract/operation.ts'
import { isObject, type JsonObject } from '../../contract/data/objects.ts'
import { toBase64 } from '../../contract/data/base64.ts'
import type { Client } from '../engine/client.ts'
import type { Params } from '../engine/ledger.ts'
import type { Reply } from '../engine/reply.ts'
import { Interrupted } from '../engine/drift.ts'
import type { Progress } from '../engine/start.ts'
import { messageOf } from '../../contract/text/format.ts'

/** Where response bodies are kept by request; a `Map` is one. They hold what the deployment holds, never the key. */
export interface KeptReads {
  get(request: string): unknown
  set(request: string, body: unknown): unknown
}

/** Thrown where a pull ends before all is read. What was read is in `kept`. */
export class PullStopped extends Error {
  override readonly name = 'PullStopped'
}

/** Requests in a row without a usable response after which the pull stops. */
const mostFailures = 3

type Query = Readonly<Record<string, number>>

export class Reader {
  readonly #api: Client
  readonly #kept: KeptReads
  readonly #onProgress: ((progress: Progress) => void) | undefined
  #done = 0
  #planned = 0
  #failures = 0
  /** What the key may not read, with the words of the refusal. */
  readonly refused = new Map<OperationId, string>()
  /** Requests that got no usable response, in words. */
  readonly failed: string[] = []
  /** Records that were deleted while they were read. */
  vanished = 0

  constructor(api: Client, kept: KeptReads, onProgress?: (progress: Progress) => void) {
    this.#api = api
    this.#kept = kept
    this.#onProgress = onProgress
  }

  /** Announces further requests, for the progress. */
  plan(requests: number): void {
    this.#planned += requests
  }

  /** The body of a read; undefined where there is no usable one, which is recorded. */
  async get(
    operation: OperationId,
    params: Params = {},
    query: Query = {},
  ): Promise<Readonly<JsonObject> | undefined> {
    const body = await this.#once(operation, params, query, async () => {
      const reply = await this.#api.call(operation, { params, query })
      return this.#isUsable(operation, params, reply, isObject(reply.json)) ? reply.json : undefined
    })
    return isObject(body) ? body : undefined
  }

  /** The records that a listing holds under a name, every one an object with an id. */
  async list<T extends { readonly id: string }>(
    operation: OperationId,
    name: string,
    params: Params = {},
  ): Promise<T[]> {
    return recordsIn<T>(await this.get(operation, params), name)
  }

  /** All pages of a listing with `limit` and `offset`, each record once. */
  async pages<T extends { readonly id: string }>(
    operation: OperationId,
    name: string,
    params: Params,
  ): Promise<T[]> {
    const found = new Map<string, T>()
    for (let offset = 0; ;) {
      const body = await this.get(operation, params, { limit: 200, offset })
      const page = recordsIn<T>(body, name)
      for (const record of page) found.set(record.id, record)
      offset += page.length
      if (page.length === 0 || page.length < Math.min(200, Number(body?.limit ?? 200)))
        return [...found.values()]
      this.plan(1)
    }
  }

  /** The bytes of a task's attachment in base64; undefined where they cannot be had. */
  async file(params: Params): Promise<string | undefined> {
    const bytes = await this.#once('downloadTaskAttachment', params, {}, async () => {
      const { transport } = this.#api
      let reply = await this.#api.call('downloadTaskAttachment', { params })
      const to = reply.headers.get('location')
      // Storage elsewhere: the client sends the key to its own origin alone.
      if (reply.status >= 300 && reply.status < 400 && to !== null)
        reply = await transport.send('GET', new URL(to, transport.baseUrl).href)
      return this.#isUsable('downloadTaskAttachment', params, reply, true) ? toBase64(reply.bytes) : undefined
    })
    return typeof bytes === 'string' ? bytes : undefined
  }

  async #once(
    operation: OperationId,
    params: Params,
    query: Query,
    ask: () => Promise<unknown>,
  ): Promise<unknown> {
    const request = [operation, ...Object.values(params), ...Object.entries(query).flat()].join(' ')
    const known = this.#kept.get(request)
    this.#done += 1
    this.#planned = Math.max(this.#planned, this.#done)
    if (known !== undefined || this.refused.has(operation)) return known
    this.#onProgress?.({ done: this.#done - 1, total: this.#planned, next: request })
    try {
      const body = await ask()
      if (body !== undefined) this.#kept.set(request, body)
      return body
    } catch (error) {
      if (error instanceof Interrupted) throw error
      this.#fail(operation, params, messageOf(error))
      return undefined
    } finally {
      // The evidence is not used, and files are large.
      this.#api.transport.trace = []
    }
  }

  #isUsable(operation: OperationId, params: Params, reply: Reply, isReadable: boolean): boolean {
    if (reply.isSuccess && isReadable) {
      this.#failures = 0
      return true
    }
    if (reply.status === 429) throw new Interrupted(`the rate limit was met: ${reply.summary}`)
    if (reply.status === 401 || reply.status === 402)
      throw new Interrupted(`the API key is not accepted any more: ${reply.summary}`)
    if (reply.status === 403) this.refused.set(operation, reply.summary)
    else if (reply.status === 404) this.vanished += 1
    else this.#fail(operation, params, reply.isSuccess ? 'no JSON object' : reply.summary)
    return false
  }

  #fail(operation: OperationId, params: Params, why: string): void {
    const { method, path } = operations[operation]
    const failure = `${method} ${filledPath(path, (name) => params[name] ?? '')}: ${why}`
    this.failed.push(failure)
    this.#failures += 1
    if (this.#failures >= mostFailures)
      throw new PullStopped(`the deployment does not respond as it should: ${failure}`)
  }
}

export function recordsIn<T extends { readonly id: string }>(body: unknown, name: string): T[] {
  const list: unknown = isObject(body) ? body[name] : undefined
  if (!Array.isArray(list)) return []
  return list.filter((record): record is T => isObject(record) && typeof record.id === 'string')
}
