// Reads of a deployment, one at a time: each is kept, so that an interrupted pull resumes where it stopped.
import type { OperationId } from '../../contract/index.ts'
import { mostPerPage } from '../../contract/limits.ts'
import { pathText } from '../../contract/schema/issues.ts'
import { isObject } from '../../contract/data/objects.ts'
import type { JsonObject } from '../../contract/schema/maps.ts'
import { toBase64 } from '../../contract/data/base64.ts'
import { formatCount, messageOf } from '../../contract/text/format.ts'
import { quote } from '../../contract/text/quote.ts'
import { Interrupted } from '../engine/drift.ts'
import type { Params } from '../engine/ledger.ts'
import type { Reply } from '../engine/reply.ts'
import type { Progress } from '../engine/start.ts'
import { fixed, note, type Losses, type Note } from './losses.ts'
import { contentFields, expectedBody, readBody, type Shown } from './shown.ts'
import { requestNote, type KeptReads, type Query, type Source } from './source.ts'

/** Thrown where a pull ends before all is read. What was read is in `kept`. */
export class PullStopped extends Error {
  override readonly name = 'PullStopped'
}

/** Requests in a row without a response of the API, after which an operation is not called again. */
const mostFailures = 3
/** Pages of a listing: one that has more does not end. */
const mostPages = 10_000

const isTransient = ({ status }: Reply) => status === 500 || status === 503

export class Reader {
  readonly #source: Source
  readonly #kept: KeptReads
  readonly #losses: Losses
  readonly #onProgress: ((progress: Progress) => void) | undefined
  /** Requests in a row that failed, by operation and of all. */
  readonly #failures = new Map<OperationId, number>()
  #outages = 0
  #done = 0
  #planned = 0
  /** Operations that the key may not call. */
  readonly #refused = new Set<OperationId>()
  /** Records that were deleted while they were read. */
  vanished = 0
  /** How many responses a recording does not have, by operation. */
  readonly unrecorded = new Map<OperationId, number>()

  constructor(source: Source, losses: Losses, kept: KeptReads, onProgress?: (progress: Progress) => void) {
    this.#source = source
    this.#losses = losses
    this.#kept = kept
    this.#onProgress = onProgress
  }

  /** Whether it reads a recording, which need not be whole. */
  get isRecorded(): boolean {
    return this.#source.isRecorded
  }

  /** Announces further requests, for the progress. */
  plan(requests: number): void {
    this.#planned += requests
  }

  /** What is usable of the body of a read; undefined where nothing is, which is recorded. */
  async get(operation: OperationId, params: Params = {}, query: Query = {}): Promise<JsonObject | undefined> {
    return (await this.#read(operation, params, query))?.body
  }

  /** The records that a listing holds under a name. */
  async list<T>(operation: OperationId, name: string, params: Params = {}): Promise<Shown<T>[]> {
    return recordsIn(await this.get(operation, params), name)
  }

  /**
   * The records of a listing with pages, each once, and the body of the last page.
   * @param queryOf for a page, from 0, and the number of records of the pages before it
   */
  async pages<T>(
    operation: OperationId,
    params: Params,
    {
      name,
      limit,
      most = Infinity,
    }: { readonly name: string; readonly limit: number; readonly most?: number },
    queryOf: (page: number, before: number) => Query,
  ): Promise<{ records: Shown<T>[]; last: JsonObject; isWhole: boolean }> {
    const found = new Map<string, Shown<T>>()
    let last: JsonObject = {}
    for (let page = 0, before = 0; found.size < most; page += 1) {
      const read = await this.#read(operation, params, { limit, ...queryOf(page, before) })
      if (!read) break
      last = read.body
      const known = found.size
      for (const record of recordsIn<T>(last, name)) found.set(record.id, record)
      const shown = last.limit ?? last.pageSize
      const pageSize = Math.min(limit, typeof shown === 'number' && shown > 0 ? shown : limit)
      before += read.size
      const total = typeof last.total === 'number' ? last.total : undefined
      // Records that were left out count: they are on a page all the same.
      if (total === undefined ? read.size < pageSize : read.size === 0 || (page + 1) * pageSize >= total)
        return { records: [...found.values()], last, isWhole: true }
      if ((found.size === known && read.size > 0 && !read.isCut) || page >= mostPages) {
        this.#lose(operation, params, fixed('repeats the records of its pages; what comes after is not read'))
        break
      }
      this.plan(1)
    }
    return { records: [...found.values()], last, isWhole: false }
  }

  /** The bytes of a task's attachment in base64; undefined where they cannot be had. */
  async file(params: Params, mostBytes: number): Promise<string | undefined> {
    const operation = 'downloadTaskAttachment'
    const bytes = await this.#once(operation, params, {}, async () => {
      const reply = await this.#source.download(params, mostBytes)
      if (reply?.isSuccess) return toBase64(reply.bytes)
      const target = reply?.isRedirect ? URL.parse(reply.headers.get('location') ?? '') : null
      const advice = 'which is followed only if asked for (--follow-redirects; in code, followRedirects)'
      if (target) this.#lose(operation, params, note`redirects to ${target.origin}, ${fixed(advice)}`)
      else this.#judgeFailure(operation, params, reply)
      return undefined
    })
    return typeof bytes === 'string' ? bytes : undefined
  }

  async #read(operation: OperationId, params: Params, query: Query) {
    const raw = await this.#once(operation, params, query, async () => {
      const reply = await this.#source.read(operation, params, query)
      const expected = reply?.isSuccess ? expectedBody(operation, reply.json) : undefined
      if (!reply?.isSuccess) this.#judgeFailure(operation, params, reply)
      else if (expected === undefined) return reply.json
      else this.#judgeShape(operation, params, reply, expected)
      return undefined
    })
    if (!isObject(raw) || expectedBody(operation, raw) !== undefined) return undefined
    const { body, leftOut } = readBody(operation, raw)
    for (const { path, why, id } of leftOut) {
      const request = requestNote(operation, params)
      const [name = '', ...below] = path
      const where = fixed(pathText(path.filter((key) => typeof key !== 'number')))
      const sentence = note`${request}: ${where}${id === undefined ? '' : note` of ${id}`} left out: ${why}`
      const kind = below.length > 1 ? 'value' : 'record'
      this.#losses.add(`${operation} ${String(name)} ${where.text} ${why}`, {
        kind,
        operation,
        note: sentence,
        id,
      })
    }
    const content = raw[contentFields[operation] ?? '']
    return { body, size: Array.isArray(content) ? content.length : 0, isCut: leftOut.length > 0 }
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
    const isGivenUp = (this.#failures.get(operation) ?? 0) >= mostFailures
    if (known !== undefined || this.#refused.has(operation) || isGivenUp) return known
    const { anonymous: next } = requestNote(operation, params)
    this.#onProgress?.({ done: this.#done - 1, total: this.#planned, next })
    let body: unknown
    try {
      body = await ask()
    } catch (error) {
      if (error instanceof Interrupted || error instanceof PullStopped) throw error
      this.#countOutage(operation, params, note`${messageOf(error)}`)
    }
    if (body === undefined) return undefined
    this.#outages = 0
    this.#failures.delete(operation)
    this.#kept.set(request, body)
    return body
  }

  /** Records why a response has nothing to read. */
  #judgeFailure(operation: OperationId, params: Params, reply: Reply | undefined): void {
    if (reply && isTransient(reply)) {
      this.#countOutage(operation, params, note`${reply.summary}`)
      return
    }
    this.#outages = 0
    if (!reply) this.unrecorded.set(operation, (this.unrecorded.get(operation) ?? 0) + 1)
    else if (reply.status === 429) throw new Interrupted(`the rate limit was met: ${reply.summary}`)
    else if (reply.status === 401 || reply.status === 402)
      throw new Interrupted(`the API key is not accepted any more: ${reply.summary}`)
    else if (reply.status === 404 && Object.keys(params).length > 0) this.vanished += 1
    else if (reply.status === 403) {
      this.#refused.add(operation)
      const sentence = note`${fixed(operation)} is refused to this key: ${reply.summary}`
      this.#losses.add(operation, { kind: 'permission', operation, note: sentence })
    } else this.#lose(operation, params, note`answered ${reply.summary}, expected status 200`)
  }

  #judgeShape(operation: OperationId, params: Params, { json, text }: Reply, expected: string): void {
    const why = note`answered ${quote(json === undefined ? text : json)}, expected ${fixed(expected)}`
    // A page that is no JSON stands for a deployment that is not there.
    if (json === undefined) this.#countOutage(operation, params, why)
    else {
      this.#outages = 0
      this.#lose(operation, params, why)
    }
  }

  #countOutage(operation: OperationId, params: Params, why: Note): void {
    const failures = (this.#failures.get(operation) ?? 0) + 1
    this.#failures.set(operation, failures)
    this.#outages += 1
    const ends = fixed(`${formatCount(mostFailures)} times in a row: it was not called again`)
    this.#lose(operation, params, failures < mostFailures ? why : note`${why}, ${ends}`)
    if (this.#outages < mostFailures) return
    const { text } = requestNote(operation, params)
    throw new PullStopped(`the deployment does not respond as it should: ${text}: ${why.text}`)
  }

  #lose(operation: OperationId, params: Params, why: Note): void {
    const sentence = note`${requestNote(operation, params)} ${why}`
    const id = Object.values(params).at(-1)
    this.#losses.add(`${operation} ${why.text}`, { kind: 'response', operation, note: sentence, id })
  }
}

/** The records under a name that have an id. */
export function recordsIn<T>(body: unknown, name: string): Shown<T>[] {
  const list: unknown = isObject(body) ? body[name] : undefined
  if (!Array.isArray(list)) return []
  return list.filter((record): record is Shown<T> => isObject(record) && typeof record.id === 'string')
}

/** Pages of a listing with `limit` and `offset`. */
export const byOffset = (name: string, limit: number, most?: number) =>
  [{ name, limit, ...(most !== undefined && { most }) }, (_: number, offset: number) => ({ offset })] as const

/** Pages of rows. */
export const byPage = (name: string, most: number) =>
  [
    { name, limit: Math.min(mostPerPage.rows, Math.max(most, 1)), most },
    (page: number) => ({ page: page + 1 }),
  ] as const
