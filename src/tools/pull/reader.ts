// Reads a deployment into a bag, one request at a time. Each response is kept so that an interrupted pull can resume.
import { operations, type OperationId } from '../../contract/index.ts'
import { sizeOfBase64, toBase64 } from '../../contract/data/base64.ts'
import { isObject } from '../../contract/data/objects.ts'
import { mostPerPage } from '../../contract/limits.ts'
import type { OperationSpec, Paging } from '../../contract/operation.ts'
import type { JsonObject } from '../../contract/schema/maps.ts'
import { formatCount, messageOf } from '../../contract/text/format.ts'
import { quote } from '../../contract/text/quote.ts'
import type { Client } from '../deployment/client.ts'
import { Interrupted } from '../deployment/stop.ts'
import type { Reply } from '../deployment/reply.ts'
import type { RunOptions } from '../deployment/start.ts'
import { retriedStatuses } from '../deployment/transport.ts'
import { mostFileBytes, toRequestNote, type Bag } from './bag.ts'
import { describeExpected, findListing, idNamesOf, listingIds, type ListingId } from './listings.ts'
import { toPlainNote, toNote, type Note } from './notes.ts'

/** Stores response bodies by request; a `Map` will do. They contain the deployment's data, never the key. */
export interface KeptReads {
  get(request: string): unknown
  set(request: string, body: unknown): unknown
}

export interface ReaderOptions extends Pick<RunOptions, 'onProgress'> {
  readonly kept?: KeptReads | undefined
  readonly followRedirects?: boolean | undefined
}

type PageQuery = Readonly<Record<string, number>>

/** An operation is not called again after this many failures in a row. */
const mostFailures = 3
const mostRedirects = 5
/** A listing with more pages is considered endless: no mock could hold it. */
const mostPages = 1000

const paramsOf = (operation: OperationId, ids: readonly string[]) =>
  Object.fromEntries(idNamesOf(operation).map((name, index) => [name, ids[index] ?? '']))

export class Reader {
  readonly #api: Client
  readonly #bag: Bag
  readonly #options: ReaderOptions
  readonly #kept: KeptReads
  /** Consecutive failures, per operation and overall. */
  readonly #failures = new Map<OperationId, number>()
  #outages = 0
  #done = 0
  /** The total number of requests, as far as known, for progress. */
  #planned = 0

  constructor(api: Client, bag: Bag, options: ReaderOptions) {
    this.#api = api
    this.#bag = bag
    this.#options = options
    this.#kept = options.kept ?? new Map<string, unknown>()
  }

  /** Reads the records of each listing, then what each record owns. @throws {Interrupted} */
  async readAll(): Promise<void> {
    const { wanted, owners = Infinity, details = [Infinity, Infinity] } = this.#bag.bounds
    for (const listing of new Set(listingIds.map((id) => findListing(id)?.of))) {
      const group = listingIds.filter((id) => {
        const { of, for: paths = /^/ } = findListing(id) ?? {}
        return of === listing && (!wanted || [...wanted].some((one) => paths.test(operations[one].path)))
      })
      const all = listing
        ? [...this.#bag.contentsOf(listing).values()].map(({ records }) => [...records.keys()])
        : []
      const [most, ofAll] = listing === 'listTasks' ? details : [owners, Infinity]
      const chosen = group.length > 0 ? all.flatMap((ids) => ids.slice(0, most)).slice(0, ofAll) : []
      // Tables, lists and forms that were not chosen are only listed.
      if (listing !== 'listTasks')
        for (const id of all.flat()) if (!chosen.includes(id)) this.#bag.partial.add(id)
      const read = listing ? chosen : [undefined]
      this.#planned += group.length * read.length
      for (const owner of read) for (const operation of group) await this.#readListing(operation, owner)
    }
  }

  async #readListing(operation: ListingId, owner?: string): Promise<void> {
    const { paging }: OperationSpec = operations[operation]
    const ids = owner === undefined ? [] : [owner]
    if (owner !== undefined && paging) {
      if (await this.#readPages(operation, ids, paging)) this.#bag.partial.add(owner)
    } else {
      const body = await this.#read(operation, ids)
      if (body) this.#bag.add(operation, ids, body)
    }
    if (owner === undefined) return
    const { alone } = findListing(operation) ?? {}
    if (alone) await this.#readAlone(operation, alone, owner)
    if (operation !== 'listTaskAttachments' || this.#bag.bounds.files !== true) return
    const files = this.#bag.recordsOf(operation, owner)
    this.#planned += files.length
    for (const { id } of files) {
      const held = [...this.#bag.files.values()].reduce((sum, file) => sum + sizeOfBase64(file), 0)
      const file = await this.#readFile([owner, id], mostFileBytes - held)
      if (file !== undefined) this.#bag.files.set(id, file)
    }
  }

  /** Reads each record alone if doing so for the first one shows more than the listing. Assumption: taskReadExtras */
  async #readAlone(listing: ListingId, alone: OperationId, owner: string) {
    const all: readonly { readonly id: string }[] = this.#bag.recordsOf(listing, owner)
    for (const [index, record] of all.entries()) {
      const ids = [owner, record.id].slice(-idNamesOf(alone).length)
      const shown = await this.#read(alone, ids)
      // Rows share one shape, so the first is enough.
      if (alone === 'getRow') return shown && this.#bag.rowsAlone.set(record.id, shown)
      const isMore = shown && Object.keys(shown).length > Object.keys(record).length
      if (index === 0 && !isMore) return
      if (index === 0) this.#planned += all.length - 1
      if (shown) this.#bag.add(alone, ids, shown)
    }
  }

  /** Reads the first records of a listing. @returns whether there are more */
  async #readPages(operation: ListingId, ids: readonly string[], { by, items }: Paging): Promise<boolean> {
    const most = this.#bag.bounds[items] ?? Infinity
    const limit = Math.min(mostPerPage[items], Math.max(most, 1))
    const known = new Set<string>()
    for (let page = 0, before = 0; known.size < most; page += 1) {
      const start = by === 'page' ? { page: page + 1 } : { offset: before }
      const body = await this.#read(operation, ids, { limit, ...start })
      if (!body) return false
      const { records, isCut } = this.#bag.add(operation, ids, body)
      const size = (body[items] as unknown[]).length
      const { size: knownBefore } = known
      for (const { id } of records) known.add(id)
      const shown = body.limit ?? body.pageSize
      const pageSize = Math.min(limit, typeof shown === 'number' && shown > 0 ? shown : limit)
      before += size
      const { total } = body
      // `size` includes records that were left out, because they take up space on the page.
      if (typeof total === 'number' ? size === 0 || (page + 1) * pageSize >= total : size < pageSize)
        return false
      if (known.size === knownBefore && size > 0 && !isCut) {
        this.#fail(operation, ids, toNote`repeats records on later pages; the rest was not read`)
        return false
      }
      if (page >= mostPages) {
        this.#fail(operation, ids, toNote`does not end after ${page} pages; the rest was not read`)
        return true
      }
      const isCounted = typeof total === 'number'
      if (page === 0 || !isCounted)
        this.#planned += isCounted ? Math.ceil(Math.min(total, most) / pageSize) - 1 : 1
    }
    return true
  }

  /** Reads a body with the operation's content. If there is none, notes that and returns undefined. */
  async #read(
    operation: OperationId,
    ids: readonly string[],
    query: PageQuery = {},
  ): Promise<JsonObject | undefined> {
    const raw = await this.#once(operation, ids, query, async () => {
      // Discards the exchanges so far: a pull needs no evidence, and bodies are large.
      this.#api.transport.trace = []
      const reply = await this.#api.call(operation, { params: paramsOf(operation, ids), query })
      const { isSuccess, json, text } = reply
      const expected = describeExpected(operation, json)
      if (isSuccess && expected === undefined) return json
      const why = toNote`responded with ${quote(json === undefined ? text : json)}, expected ${toPlainNote(expected ?? '')}`
      if (!isSuccess) this.#judgeFailure(operation, ids, reply)
      // A body that is not JSON comes from something other than the API.
      else this.#fail(operation, ids, why, json === undefined)
      return undefined
    })
    return isObject(raw) && describeExpected(operation, raw) === undefined ? raw : undefined
  }

  /** Downloads a task attachment. @returns its bytes in base64 */
  async #readFile(ids: readonly string[], mostBytes: number): Promise<string | undefined> {
    const operation = 'downloadTaskAttachment'
    const { transport } = this.#api
    const bytes = await this.#once(operation, ids, {}, async () => {
      const limits = { ...transport.limits, bytes: mostBytes, isFile: true }
      let reply = await this.#api.call(operation, { params: paramsOf(operation, ids), limits })
      let target = redirectOf(reply, transport.baseUrl)
      for (let hop = 0; hop < mostRedirects && target; hop += 1) {
        if (transport.isForeign(target.href) && this.#options.followRedirects !== true) break
        reply = await transport.send('GET', target.href, { limits })
        target = redirectOf(reply, target.href)
      }
      if (reply.isSuccess) return toBase64(reply.bytes)
      const advice = toNote`which is followed only if asked for (--follow-redirects; in code, followRedirects)`
      if (target) this.#fail(operation, ids, toNote`redirects to ${target.origin}, ${advice}`)
      else this.#judgeFailure(operation, ids, reply)
      return undefined
    })
    return typeof bytes === 'string' ? bytes : undefined
  }

  async #once(
    operation: OperationId,
    ids: readonly string[],
    query: PageQuery,
    request: () => Promise<unknown>,
  ): Promise<unknown> {
    const name = [operation, ...ids, ...Object.entries(query).flat()].join(' ')
    const known = this.#kept.get(name)
    this.#done += 1
    this.#planned = Math.max(this.#planned, this.#done)
    if (known !== undefined || (this.#failures.get(operation) ?? 0) >= mostFailures) return known
    const { method, path } = operations[operation]
    this.#options.onProgress?.({ done: this.#done - 1, total: this.#planned, next: `${method} ${path}` })
    let body: unknown
    try {
      body = await request()
    } catch (error) {
      if (error instanceof Interrupted) throw error
      this.#fail(operation, ids, toNote`${messageOf(error)}`, true)
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

  #judgeFailure(operation: OperationId, ids: readonly string[], { status, summary }: Reply): void {
    if (status === 429) throw new Interrupted(`the rate limit was reached: ${summary}`)
    if (status === 401 || status === 402)
      throw new Interrupted(`the API key is no longer accepted: ${summary}`)
    if (status === 404 && ids.length > 0) this.#bag.vanished += 1
    else if (status === 403) {
      this.#failures.set(operation, mostFailures)
      const sentence = toNote`This key may not call ${toPlainNote(operation)}: ${summary}`
      this.#bag.notes.lose(sentence, { kind: 'permission', operation })
    } else {
      const isOutage = retriedStatuses.has(status)
      this.#fail(operation, ids, toNote`responded with ${summary}, expected status 200`, isOutage)
    }
  }

  /** @param isOutage whether the API did not respond; several in a row stop the operation or the pull */
  #fail(operation: OperationId, ids: readonly string[], why: Note, isOutage = false): void {
    const failures = (this.#failures.get(operation) ?? 0) + 1
    if (isOutage) this.#failures.set(operation, failures)
    this.#outages = isOutage ? this.#outages + 1 : 0
    const isLast = isOutage && failures >= mostFailures
    const ends = isLast ? `, ${formatCount(mostFailures)} times in a row: it was not called again` : ''
    const request = toRequestNote(operation, ids)
    const sentence = toNote`${request} ${why}${toPlainNote(ends)}`
    this.#bag.notes.lose(sentence, { kind: 'response', operation, id: ids.at(-1) })
    if (this.#outages >= mostFailures)
      throw new Interrupted(`the deployment keeps failing: ${request.text}: ${why.text}`)
  }
}

const redirectOf = (reply: Reply, from: string): URL | null =>
  reply.isRedirect ? URL.parse(reply.headers.get('location') ?? '', from) : null
