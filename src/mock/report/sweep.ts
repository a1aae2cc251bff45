// A sweep: the pages that one client read of a listing, from the first on and in ascending order.
import { parseQueryText } from '../../contract/data/query-text.ts'
import type { RuleId } from '../../contract/client-rules.ts'
import type { OperationId } from '../../contract/index.ts'
import { isObject } from '../../contract/data/objects.ts'
import { mostPerPage } from '../../contract/limits.ts'
import type { Paging } from '../../contract/operation.ts'
import { parsePaging } from '../../service/rows/query.ts'
import { ignoreBreach } from '../../service/store/store.ts'
import type { ListedPage, OpenExchange } from '../requests/exchange.ts'

const pagesRemembered = 40

/** A page of a listing: the records from `start` up to `end`, counted from 0. */
export interface Page {
  readonly start: number
  readonly end: number
  /** The index after the last record that it had. */
  readonly readEnd: number
  /** The index at which a client continues that takes the page to be as long as it asked for. */
  readonly askedEnd: number
  readonly readIds: ListedPage['readIds']
  readonly findAll: ListedPage['findAll']
}

/** The page that a listing returned. */
export function toPage(
  exchange: OpenExchange,
  { items, by }: Paging,
  { count, readIds, findAll }: ListedPage,
): Page {
  const { call, query, json, answers, operation } = exchange
  const isBody = operation === 'queryRows'
  const given = (isBody ? json : query) as Readonly<Record<string, unknown>>
  // The parameters of an address have been read already.
  const read = (name: 'page' | 'limit') =>
    isBody ? parsePaging(answers, name, given[name], ignoreBreach) : Number(given[name])
  const size = read('limit')
  const start = by === 'offset' ? Number(given.offset) : (read('page') - 1) * size
  // An offset goes on by what was asked for, a limit above the maximum too, which was cut to it.
  const isCut = by === 'offset' && size === mostPerPage[items]
  const asked = isCut ? Number(parseQueryText(call.query).get('limit') ?? size) : size
  return { start, end: start + size, readEnd: start + count, askedEnd: start + asked, readIds, findAll }
}

const isPaging = (parameter: string) => /^(?:page|limit|pageSize|offset)(?:=|$)/.test(parameter)
const isOrder = (parameter: string) => /^(?:sort|select)(?:=|$)/.test(parameter)

/** What tells sweeps through a listing apart, and the part of it that leaves records out. */
export function parametersOf({ operation, call, json }: OpenExchange) {
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

export class Sweep {
  readonly operation: OperationId
  /** The parameters that leave records out; empty without. */
  readonly filter: string
  page: Page
  /** The request of the last page. */
  last: number
  pages = 1
  /** Whether the second page left out whole pages: a jump, or a gap if the client reads on from there. */
  hasJumped = false
  /** The rules that the last page broke. */
  broken: readonly RuleId[] = []
  /** The records of pages read that the client deleted or moved out since the last page, with the request. */
  gone: Map<string, number> | undefined
  /** Whether the client asked for another page in vain, or made a record, since the last page. */
  hasMoved = false
  /** Ids of the latest pages; put together where a record has left the listing, and not before. */
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

  /** Takes note of a record that the client wrote. */
  addChange(id: string, request: number): void {
    this.#ids ??= new Set()
    for (const readIds of this.#unread.splice(0)) for (const each of readIds()) this.#ids.add(each)
    if (!this.#ids.has(id)) return
    if (this.#findAll()?.has(id) ?? true) this.gone?.delete(id)
    else (this.gone ??= new Map()).set(id, request)
  }

  /** Whether the listing has more than so many records now. */
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
