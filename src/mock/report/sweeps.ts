// Rules for reading a listing page by page. Source: contract, Limits (page sizes).
import { operations, type OperationId } from '../../contract/index.ts'
import { isObject } from '../../contract/data/objects.ts'
import type { OperationSpec } from '../../contract/operation.ts'
import type { OpenExchange } from '../requests/exchange.ts'
import { parsePaging } from '../../service/rows/query.ts'
import { hasSeen, History, HistoryRules } from './history.ts'
import { idOf } from './request.ts'

const sweepsRemembered = 100
const idsRemembered = 2000

/** A page of a listing: the records from `start` up to `end`, counted from 0. */
interface Page {
  readonly start: number
  readonly end: number
  /** Where a client continues that takes the page to be as long as it asked for. */
  readonly askedEnd: number
}

/** The pages that one client read of a listing from the first on, in ascending order. */
interface Sweep extends Page {
  readonly last: number
  readonly pages: number
  /** The records that were read, the latest ones. */
  readonly ids: readonly string[]
  /** Whether the second page left out whole pages: a jump, or a gap if the client reads on from there. */
  readonly hasJumped: boolean
  /** The requests that deleted records which were read, since the latest page. */
  readonly deletedBy: readonly number[]
}

const pagingNames = new Set(['page', 'limit', 'pageSize', 'offset'])

/** The page that a listing returned; undefined for other operations. */
function pageOf({ operation, query, queryText, json, answers }: OpenExchange): Page | undefined {
  const spec: OperationSpec | undefined = operation ? operations[operation] : undefined
  if (!spec?.paging) return undefined
  if (spec.body) {
    const { page, limit } = isObject(json) ? json : {}
    return toPage(parsePaging(answers, 'page', page), parsePaging(answers, 'limit', limit))
  }
  const { page, limit, offset } = query as Readonly<Record<string, unknown>>
  if (typeof limit !== 'number') return undefined
  if (typeof offset !== 'number') return toPage(Number(page), limit)
  const asked = Number(new URLSearchParams(queryText).get('limit') ?? limit)
  return { start: offset, end: offset + limit, askedEnd: offset + asked }
}

function toPage(page: number, limit: number): Page {
  const end = page * limit
  return { start: end - limit, end, askedEnd: end }
}

/** Identifies a listing: its address and parameters without those that select the page. */
function listingOf({ operation, path, queryText, json }: OpenExchange): string {
  const others = [...new URLSearchParams(queryText)].filter(([name]) => !pagingNames.has(name))
  const body = isObject(json) ? Object.entries(json).filter(([name]) => !pagingNames.has(name)) : []
  return JSON.stringify([operation, path, others, body])
}

const idStart = '"id":"'

/** The ids in a response, also of nested records. Parsing it would cost as much as writing it did. */
function findIds(text: OpenExchange['responseBody']): string[] {
  const ids: string[] = []
  if (typeof text !== 'string') return ids
  for (let at = text.indexOf(idStart); at !== -1; at = text.indexOf(idStart, at)) {
    at += idStart.length
    // A slice alone would keep the whole text in memory.
    ids.push(` ${text.slice(at, text.indexOf('"', at))}`.slice(1))
  }
  return ids
}

/** The path parameter that names what an operation deletes from a listing. */
const deletions: Partial<Record<OperationId, string>> = { deleteRow: 'rowId', deleteTask: 'taskId' }

/** Rules paging-gap and delete-while-paging. Each request for a first page begins another sweep. */
export class SweepRules extends HistoryRules {
  readonly #sweeps = new History<Sweep>(sweepsRemembered)

  add(exchange: OpenExchange): void {
    const { operation, status } = exchange
    if (status < 200 || status >= 300 || operation === null) return
    const parameter = deletions[operation]
    if (parameter !== undefined) this.#addDeletion(exchange, idOf(exchange, parameter))
    const page = pageOf(exchange)
    if (page && Number.isSafeInteger(page.end)) this.#addPage(exchange, page)
  }

  #addDeletion(exchange: OpenExchange, id: string): void {
    for (const [listing, sweep] of this.#sweeps.of(exchange))
      if (sweep.ids.includes(id))
        this.#sweeps.set(exchange, listing, { ...sweep, deletedBy: [...sweep.deletedBy, exchange.id] })
  }

  #addPage(exchange: OpenExchange, page: Page): void {
    const listing = listingOf(exchange)
    const former = page.start === 0 ? undefined : this.#sweeps.get(exchange, listing)
    if (page.start > 0 && !former) return
    // A sweep ends where pages are read together or backwards.
    if (former && (!hasSeen(exchange, former.last) || page.start < former.start)) {
      this.#sweeps.delete(exchange, listing)
      return
    }
    if (former?.start === page.start) return
    const isJump = former !== undefined && this.#judge(exchange, listing, former, page)
    const ids = [...(former?.ids ?? []), ...findIds(exchange.responseBody)].slice(-idsRemembered)
    const pages = (former?.pages ?? 0) + 1
    this.#sweeps.set(exchange, listing, {
      ...page,
      last: exchange.id,
      pages,
      ids,
      hasJumped: isJump,
      deletedBy: [],
    })
  }

  /** @returns whether the page can be a single jump */
  #judge(exchange: OpenExchange, listing: string, former: Sweep, { start }: Page): boolean {
    const { operation } = exchange
    const gap = start - former.end
    const isJump =
      former.pages === 1 && gap > 0 && gap % (former.end - former.start) === 0 && start !== former.askedEnd
    if (former.hasJumped || (gap > 0 && !isJump)) {
      const what = () =>
        `${String(operation)} went on at record ${String(start + 1)} after a page that ended with record ${String(former.end)}`
      this.findings.add(exchange, 'paging-gap', listing, what, [former.last])
    }
    if (former.deletedBy.length > 0 && start > former.end - former.deletedBy.length) {
      const what = () =>
        `${String(operation)} went on at record ${String(start + 1)} after ${String(former.deletedBy.length)} of the records read had been deleted`
      this.findings.add(exchange, 'delete-while-paging', listing, what, [former.last, ...former.deletedBy])
    }
    return isJump
  }
}
