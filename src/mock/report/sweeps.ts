// Rules about reading a listing page by page. Source: contract, Limits (page sizes).
import type { RuleId } from '../../contract/client-rules.ts'
import { isObject } from '../../contract/data/objects.ts'
import { parseQueryText } from '../../contract/data/query-text.ts'
import type { OperationId } from '../../contract/index.ts'
import { mostPerPage } from '../../contract/limits.ts'
import type { Paging } from '../../contract/operation.ts'
import { listItems } from '../../contract/text/quote.ts'
import { parsePaging } from '../../service/rows/query.ts'
import { ignoreBreach } from '../../service/store/store.ts'
import type { ListedPage, OpenExchange } from '../requests/exchange.ts'
import type { Findings } from './findings.ts'
import { hasSeen, History } from './history.ts'
import { idOf } from './request.ts'

const pagesRemembered = 40

/** A page of a listing: records from `start` up to `end`, counted from 0. */
interface Page {
  readonly start: number
  readonly end: number
  /** The index after the last record it contained. */
  readonly readEnd: number
  /** The index where a client continues if it assumes the page was as long as requested. */
  readonly askedEnd: number
  readonly readIds: ListedPage['readIds']
  readonly findAll: ListedPage['findAll']
}

/** Converts a listing's response to a page. */
function toPage(
  exchange: OpenExchange,
  { items, by }: Paging,
  { count, readIds, findAll }: ListedPage,
): Page {
  const { call, query, json, answers, operation } = exchange
  const isBody = operation === 'queryRows'
  const given = (isBody ? json : query) as Readonly<Record<string, unknown>>
  // The query has already been parsed, the body of `queryRows` has not.
  const read = (name: 'page' | 'limit') =>
    isBody ? parsePaging(answers, name, given[name], ignoreBreach) : Number(given[name])
  const size = read('limit')
  const start = by === 'offset' ? Number(given.offset) : (read('page') - 1) * size
  // A client advances an offset by the limit it asked for, even if the limit was above the maximum and the page was cut.
  const isCut = by === 'offset' && size === mostPerPage[items]
  const asked = isCut ? Number(parseQueryText(call.query).get('limit') ?? size) : size
  return { start, end: start + size, readEnd: start + count, askedEnd: start + asked, readIds, findAll }
}

const isPaging = (parameter: string) => /^(?:page|limit|pageSize|offset)(?:=|$)/.test(parameter)
const isOrder = (parameter: string) => /^(?:sort|select)(?:=|$)/.test(parameter)

/** The parameters that distinguish sweeps through a listing, and those among them that filter records. */
function parametersOf({ operation, call, json }: OpenExchange) {
  if (operation === 'queryRows' && isObject(json)) {
    const { page: _page, limit: _limit, ...others } = json
    const { filters, match } = others
    const hasFilters = Array.isArray(filters) && filters.length > 0
    return {
      parameters: JSON.stringify(others),
      filter: hasFilters ? JSON.stringify([filters, match]) : '',
    }
  }
  if (call.query === '') return { parameters: '', filter: '' }
  const query = call.query
    .split('&')
    .filter((each) => each !== '' && !isPaging(each))
    .sort()
  return { parameters: query.join('&'), filter: query.filter((each) => !isOrder(each)).join('&') }
}

/** The pages of a listing that a client has read, from the first on and in ascending order. */
class Sweep {
  readonly kind = 'open'
  readonly operation: OperationId
  /** The parameters that filter records; empty if there are none. */
  readonly filter: string
  page: Page
  /** The request for the last page. */
  last: number
  pages = 1
  /** Whether the second page skipped whole pages. This is a gap if the client reads the next page, otherwise a jump. */
  hasJumped = false
  /** The rules that the last page broke. */
  broken: readonly RuleId[] = []
  /** Records from pages already read that the client deleted or moved out since the last page, each with the request. */
  gone: Map<string, number> | undefined
  /** Whether, since the last page, the client failed to get another page or created a record. */
  hasMoved = false
  /** Ids on the latest pages, combined only once the client has changed or deleted a record. */
  readonly #unread: ListedPage['readIds'][]
  #ids: Set<string> | undefined

  constructor(operation: OperationId, filter: string, page: Page, last: number) {
    this.operation = operation
    this.filter = filter
    this.page = page
    this.last = last
    this.#unread = [page.readIds]
  }

  goOn(last: number, page: Page, hasJumped: boolean, broken: readonly RuleId[]): void {
    Object.assign(this, { page, last, hasJumped, broken, hasMoved: false, gone: undefined })
    this.pages += 1
    this.#unread.push(page.readIds)
    if (this.#unread.length > pagesRemembered) this.#unread.shift()
  }

  /** Notes a record that the client changed or deleted. */
  addChange(id: string, request: number): void {
    this.#ids ??= new Set()
    for (const readIds of this.#unread.splice(0)) for (const each of readIds()) this.#ids.add(each)
    if (!this.#ids.has(id)) return
    if (this.#findAll()?.has(id) ?? true) this.gone?.delete(id)
    else (this.gone ??= new Map()).set(id, request)
  }

  /** Whether the listing now has more than `count` records. */
  hasMoreThan(count: number): boolean {
    return (this.#findAll()?.count() ?? 0) > count
  }

  #findAll() {
    try {
      return this.page.findAll()
    } catch {
      return undefined
    }
  }
}

const listingsRemembered = 100
/** Number of sweeps of one listing to remember. */
const sweepsRemembered = 20

/**
 * A sweep that has ended, or one that did not start at the first page; `reportedFor` is the request reported for that.
 */
interface EndedSweep {
  readonly kind: 'ended'
  readonly reportedFor?: number
}

/** One client's sweeps through one listing. */
class Sweeps {
  /** Keyed by operation and parameters. */
  readonly byKey = new Map<string, Sweep | EndedSweep>()
  /** Whether the oldest sweeps were dropped. */
  hasForgotten = false

  get open(): readonly Sweep[] {
    return [...this.byKey.values()].filter((sweep) => sweep.kind === 'open')
  }

  set(key: string, sweep: Sweep | EndedSweep): void {
    this.byKey.set(key, sweep)
    if (this.byKey.size <= sweepsRemembered) return
    const [oldest = key] = this.byKey.keys()
    this.byKey.delete(oldest)
    this.hasForgotten = true
  }
}

/** A listing's table, list or form; a row's table. */
const ownerOf = (exchange: OpenExchange) =>
  idOf(exchange, 'tableId') || idOf(exchange, 'listId') || idOf(exchange, 'formId')

/** Rules paging-gap, paging-overlap, paging-stopped and delete-while-paging. A first page begins a new sweep. */
export class SweepRules {
  readonly #findings: Findings
  readonly #listings = new History<Sweeps>(listingsRemembered)

  constructor(findings: Findings) {
    this.#findings = findings
  }

  add(exchange: OpenExchange): void {
    const { route, status, effects, page } = exchange
    if (!route) return
    const { id, paging } = route.operation
    const hasSucceeded = status >= 200 && status < 300
    if (hasSucceeded && paging && page) this.#addPage(exchange, id, toPage(exchange, paging, page))
    if (this.#listings.isEmpty) return
    if (hasSucceeded && effects.length > 0) this.#addChanges(exchange)
    if (hasSucceeded || !paging) return
    for (const sweep of this.#listings.get(exchange, ownerOf(exchange))?.open ?? []) sweep.hasMoved = true
  }

  /** Rule paging-stopped. If the client reads the next page, the finding disappears. */
  addStopped(findings: Findings): void {
    for (const sweeps of this.#listings.entries())
      for (const sweep of sweeps.open) {
        if (sweep.pages === 1 || sweep.hasMoved) continue
        const { operation, last: id, page } = sweep
        if (page.readEnd < page.end || !sweep.hasMoreThan(page.end)) continue
        const text = `${operation} read nothing after a full page that ended with record ${String(page.end)}, although there are more`
        findings.add({ id, operation }, 'paging-stopped', operation, text)
      }
  }

  #addChanges(exchange: OpenExchange): void {
    const { store, effects } = exchange
    const ofTable = this.#listings.get(exchange, ownerOf(exchange))
    for (const { resource, id, change } of effects) {
      const list = resource === 'tasks' ? store.tasks.get(id)?.list_id : undefined
      const ofRow = resource === 'row' ? ofTable : undefined
      const sweeps = list === undefined ? ofRow : this.#listings.get(exchange, list)
      for (const sweep of sweeps?.open ?? [])
        if (change === 'created') sweep.hasMoved = true
        else sweep.addChange(id, exchange.id)
    }
  }

  #addPage(exchange: OpenExchange, operation: OperationId, page: Page): void {
    if (!Number.isSafeInteger(page.end)) return
    const owner = ownerOf(exchange)
    const { parameters, filter } = parametersOf(exchange)
    const key = `${operation} ${parameters}`
    const known = this.#listings.get(exchange, owner)
    const sweeps = known ?? new Sweeps()
    if (!known) this.#listings.set(exchange, owner, sweeps)
    const former = sweeps.byKey.get(key)
    if (page.start === 0) {
      if (former?.kind === 'ended' && former.reportedFor !== undefined)
        this.#findings.withdraw('paging-gap', operation, former.reportedFor)
      // Moves the latest sweep to the end.
      sweeps.byKey.delete(key)
      sweeps.set(key, new Sweep(operation, filter, page, exchange.id))
    } else if (former?.kind === 'open') {
      if (!this.#goOn(exchange, former, page)) sweeps.set(key, { kind: 'ended' })
    } else if (!former) {
      const other = sweeps.open.find((each) => isKept(each, operation, filter, page))
      if (!other || sweeps.hasForgotten) return
      const begun = `${operation} of ${owner} began at record ${String(page.start + 1)}`
      const text = `${begun} after the filter had changed, and was never read from its beginning`
      this.#findings.add(exchange, 'paging-gap', operation, text, [other.last])
      sweeps.set(key, { kind: 'ended', reportedFor: exchange.id })
    }
  }

  /** Judges the next page of a sweep. @returns false if it is not in ascending order, which ends the sweep */
  #goOn(exchange: OpenExchange, former: Sweep, page: Page): boolean {
    const { operation, last, gone = new Map<string, number>() } = former
    const { start, end, readEnd, askedEnd } = former.page
    const next = end - gone.size
    if (!hasSeen(exchange, last)) {
      // Pages requested in parallel have no order.
      for (const rule of former.broken) this.#findings.withdraw(rule, operation, last)
      return false
    }
    if (page.start <= start && page.start !== next) return false
    const broken: RuleId[] = []
    const add = (rule: RuleId, how: string, context: Iterable<number> = []) => {
      const text = `${operation} of ${ownerOf(exchange)} continued at record ${String(page.start + 1)} ${how}`
      this.#findings.add(exchange, rule, operation, text, [last, ...context])
      broken.push(rule)
    }
    const gap = page.start - end
    const isJump = former.pages === 1 && gap > 0 && gap % (end - start) === 0 && page.start !== askedEnd
    // An empty page beyond the end, although the listing has more: the client used a record's number as the page
    // number.
    const isSameSize = page.end - page.start === end - start
    const isBeyond = isJump && isSameSize && page.readEnd === page.start && former.hasMoreThan(end)
    if (former.hasJumped || isBeyond || (gap > 0 && !isJump))
      add('paging-gap', `after a page that ended with record ${String(end)}`)
    if (gone.size > 0 && page.start > next && former.hasMoreThan(next)) {
      const records = `${String(gone.size)} of the records read had been deleted or moved out of it`
      const how = `after ${records} (${listItems([...gone.keys()], String)}), which makes record ${String(next + 1)} the next one`
      add('delete-while-paging', how, gone.values())
    } else if (page.start < readEnd - gone.size)
      add('paging-overlap', `after a page that ended with record ${String(readEnd)}`)
    former.goOn(exchange.id, page, isJump && !isBeyond, broken)
    return true
  }
}

/**
 * Whether a page with another filter continues where this sweep stopped: the client kept the offset when it changed the
 * filter.
 */
function isKept(
  { operation, filter, pages, page }: Sweep,
  other: OperationId,
  itsFilter: string,
  { start }: Page,
) {
  if (operation !== other || itsFilter === '' || filter === itsFilter) return false
  return pages > 1 || [page.end, page.readEnd, page.askedEnd].includes(start)
}
