// Reads of a deployment, one at a time: each is kept, so that an interrupted pull resumes where it stopped.
import { operations, type OperationId } from '../../../contract/index.ts'
import { mostPerPage } from '../../../contract/limits.ts'
import { fillPath } from '../../../contract/operation.ts'
import { isObject } from '../../../contract/data/objects.ts'
import type { JsonObject } from '../../../contract/schema/maps.ts'
import { toBase64 } from '../../../contract/data/base64.ts'
import { formatCount, messageOf } from '../../../contract/text/format.ts'
import { quote } from '../../../contract/text/quote.ts'
import type { Client } from '../engine/client.ts'
import { Interrupted } from '../engine/stop.ts'
import type { Params } from '../engine/ledger.ts'
import type { Reply } from '../engine/reply.ts'
import type { RunOptions } from '../engine/start.ts'
import {
  isId,
  contentFieldOf,
  contentFields,
  describeExpected,
  readBody,
  type Listed,
  type Shown,
} from './lenient.ts'
import { toPlainNote, toNote, type Note, type Notes } from './notes.ts'
import { Recording } from './recording.ts'

/** Where response bodies are kept by request; a `Map` is one. They hold what the deployment holds, never the key. */
export interface KeptReads {
  get(request: string): unknown
  set(request: string, body: unknown): unknown
}

export interface ReaderOptions extends Pick<RunOptions, 'onProgress'> {
  readonly kept?: KeptReads | undefined
  readonly followRedirects?: boolean | undefined
}

type PageQuery = Readonly<Record<string, number>>

/** After so many failures in a row an operation is not called again. */
const mostFailures = 3
/** A listing of more pages does not end: no mock could hold it. */
const mostPages = 1000
const mostRedirects = 5

const toRequestNote = (operation: OperationId, params: Params): Note => {
  const { method, path } = operations[operation]
  const text = `${method} ${fillPath(path, (name) => params[name] ?? '')}`
  return { text, anonymous: `${method} ${path}` }
}

export class Reader {
  readonly #source: Client | Recording
  readonly #options: ReaderOptions
  readonly #kept: KeptReads
  readonly notes: Notes
  /** Failures in a row, of each operation and of all. */
  readonly #failures = new Map<OperationId, number>()
  #outages = 0
  #done = 0
  #planned = 0
  /** Number of records that were deleted before they were read. */
  vanished = 0

  constructor(source: Client | Recording, notes: Notes, options: ReaderOptions = {}) {
    this.#source = source
    this.notes = notes
    this.#options = options
    this.#kept = options.kept ?? new Map<string, unknown>()
  }

  /** Whether it reads a recording, which need not be whole. */
  get isRecorded(): boolean {
    return this.#source instanceof Recording
  }

  /** Announces further requests, for the progress. */
  planRequests(requests: number): void {
    this.#planned += requests
  }

  /** The valid part of a body; undefined where there is none, which is noted. */
  async get(operation: OperationId, params: Params = {}): Promise<JsonObject | undefined> {
    return (await this.#read(operation, params, {}))?.body
  }

  async list<Id extends keyof typeof contentFields>(operation: Id, params: Params = {}) {
    return findRecords<Listed<Id>>(await this.get(operation, params), contentFields[operation])
  }

  /** The first records of a listing, each once, with its total. `isCut`: there are more, which are not read. */
  async readPages<Id extends 'listRows' | 'listTasks' | 'listFormSubmissions'>(
    operation: Id,
    params: Params,
    most = Infinity,
  ) {
    const { by, items } = operations[operation].paging
    const limit = Math.min(mostPerPage[items], Math.max(most, 1))
    const found = new Map<string, Shown<Listed<Id>>>()
    let total: number | undefined
    const result = (isWhole: boolean, isCut = false) => ({
      records: [...found.values()].slice(0, most),
      total,
      isWhole,
      isCut,
    })
    for (let page = 0, before = 0; found.size < most; page += 1) {
      const start = by === 'page' ? { page: page + 1 } : { offset: before }
      const read = await this.#read(operation, params, { limit, ...start })
      if (!read) break
      const { body, size, isCut } = read
      const known = found.size
      for (const record of findRecords<Listed<Id>>(body, contentFields[operation]))
        found.set(record.id, record)
      const shown = body.limit ?? body.pageSize
      const pageSize = Math.min(limit, typeof shown === 'number' && shown > 0 ? shown : limit)
      before += size
      total = typeof body.total === 'number' ? body.total : undefined
      // Records that were left out count: they are on a page all the same.
      if (total === undefined ? size < pageSize : size === 0 || (page + 1) * pageSize >= total)
        return result(true)
      if (found.size === known && size > 0 && !isCut) {
        this.#fail(operation, params, toNote`repeats the records of its pages; what comes after is not read`)
        break
      }
      if (page >= mostPages) {
        this.#fail(operation, params, toNote`does not end after ${page} pages; what comes after is not read`)
        return result(false, true)
      }
      this.planRequests(1)
    }
    return result(false, found.size >= most)
  }

  /** The bytes of a task's attachment in base64. */
  async readFile(params: Params, mostBytes: number): Promise<string | undefined> {
    const operation = 'downloadTaskAttachment'
    const bytes = await this.#once(operation, params, {}, async (api) => {
      const { transport } = api
      const limits = { ...transport.limits, bytes: mostBytes, isFile: true }
      let reply = await api.call(operation, { params, limits })
      let target = redirectOf(reply, transport.baseUrl)
      for (let hop = 0; hop < mostRedirects && target; hop += 1) {
        if (transport.isForeign(target.href) && this.#options.followRedirects !== true) break
        reply = await transport.send('GET', target.href, { limits })
        target = redirectOf(reply, target.href)
      }
      if (reply.isSuccess) return toBase64(reply.bytes)
      const advice = toNote`which is followed only if asked for (--follow-redirects; in code, followRedirects)`
      if (target) this.#fail(operation, params, toNote`redirects to ${target.origin}, ${advice}`)
      else this.#judgeFailure(operation, params, reply)
      return undefined
    })
    return typeof bytes === 'string' ? bytes : undefined
  }

  async #read(operation: OperationId, params: Params, query: PageQuery) {
    const raw = await this.#once(operation, params, query, async (api) => {
      // The evidence is not used, and bodies are large.
      api.transport.trace = []
      const reply = await api.call(operation, { params, query })
      const { isSuccess, json, text } = reply
      const expected = describeExpected(operation, json)
      if (isSuccess && expected === undefined) return json
      const why = toNote`answered ${quote(json === undefined ? text : json)}, expected ${toPlainNote(expected ?? '')}`
      if (!isSuccess) this.#judgeFailure(operation, params, reply)
      // A page that is not JSON stands for a deployment that is not there.
      else this.#fail(operation, params, why, json === undefined)
      return undefined
    })
    if (!isObject(raw) || describeExpected(operation, raw) !== undefined) return undefined
    const content = raw[contentFieldOf(operation) ?? '']
    const size = Array.isArray(content) ? content.length : 0
    return { ...readBody(operation, raw, toRequestNote(operation, params), this.notes), size }
  }

  async #once(
    operation: OperationId,
    params: Params,
    query: PageQuery,
    request: (api: Client) => Promise<unknown>,
  ): Promise<unknown> {
    const source = this.#source
    if (source instanceof Recording) return source.bodyOf(operation, Object.values(params), query)
    const name = [operation, ...Object.values(params), ...Object.entries(query).flat()].join(' ')
    const known = this.#kept.get(name)
    this.#done += 1
    this.#planned = Math.max(this.#planned, this.#done)
    if (known !== undefined || (this.#failures.get(operation) ?? 0) >= mostFailures) return known
    const { anonymous: next } = toRequestNote(operation, params)
    this.#options.onProgress?.({ done: this.#done - 1, total: this.#planned, next })
    let body: unknown
    try {
      body = await request(source)
    } catch (error) {
      if (error instanceof Interrupted) throw error
      this.#fail(operation, params, toNote`${messageOf(error)}`, true)
    }
    if (body === undefined) return undefined
    this.#outages = 0
    this.#failures.delete(operation)
    try {
      this.#kept.set(name, body)
    } catch (error) {
      throw new Interrupted(messageOf(error))
    }
    return body
  }

  #judgeFailure(operation: OperationId, params: Params, { status, summary }: Reply): void {
    if (status === 429) throw new Interrupted(`the rate limit was met: ${summary}`)
    if (status === 401 || status === 402)
      throw new Interrupted(`the API key is not accepted any more: ${summary}`)
    if (status === 404 && Object.keys(params).length > 0) this.vanished += 1
    else if (status === 403) {
      this.#failures.set(operation, mostFailures)
      const sentence = toNote`${toPlainNote(operation)} is refused to this key: ${summary}`
      this.notes.lose(sentence, { kind: 'permission', operation })
    } else {
      const isOutage = status === 500 || status === 503
      this.#fail(operation, params, toNote`answered ${summary}, expected status 200`, isOutage)
    }
  }

  /** @param isOutage no response of the API: after some in a row the operation is not called again, or the pull stops */
  #fail(operation: OperationId, params: Params, why: Note, isOutage = false): void {
    const failures = (this.#failures.get(operation) ?? 0) + 1
    if (isOutage) this.#failures.set(operation, failures)
    this.#outages = isOutage ? this.#outages + 1 : 0
    const ends = toPlainNote(`, ${formatCount(mostFailures)} times in a row: it was not called again`)
    const request = toRequestNote(operation, params)
    const id = Object.values(params).at(-1)
    const isLast = isOutage && failures >= mostFailures
    this.notes.lose(toNote`${request} ${why}${isLast ? ends : toNote``}`, { kind: 'response', operation, id })
    if (this.#outages >= mostFailures)
      throw new Interrupted(`the deployment does not respond as it should: ${request.text}: ${why.text}`)
  }
}

const redirectOf = (reply: Reply, from: string): URL | null =>
  reply.isRedirect ? URL.parse(reply.headers.get('location') ?? '', from) : null

/** Records without a valid id are left out. */
export function findRecords<T>(body: unknown, name: string): Shown<T>[] {
  const list: unknown = isObject(body) ? body[name] : undefined
  if (!Array.isArray(list)) return []
  return list.filter((record): record is Shown<T> => isObject(record) && isId(record.id))
}
