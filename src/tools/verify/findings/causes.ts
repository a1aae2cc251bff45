// Groups drift by cause: an answer, a header, a field of a record, a behaviour in a scenario.
import type { OperationId } from '../../../contract/index.ts'
import { operators } from '../../../contract/rows.ts'
import { isWrite } from '../../../contract/scopes.ts'
import { getOrInsert } from '../../../contract/data/maps.ts'
import { isEmpty, isObject } from '../../../contract/data/objects.ts'
import { lastName, placeOf, resourceOf } from '../compare/difference.ts'
import type { Difference, OtherAnswer, Subject } from '../compare/difference.ts'
import type { Verdict } from '../verdict/verdict.ts'

/**
 * What several differences have in common. Omitted fields widen a cause: a status without an operation concerns
 * several operations.
 */
export type Cause =
  | ({ readonly kind: 'answer' } & OtherAnswer)
  | {
      readonly kind: 'header'
      readonly name: string
      readonly isMissing: boolean
      readonly expected: unknown
    }
  | {
      readonly kind: 'rule'
      readonly rule: string
      readonly expected: unknown
      readonly got: unknown
      readonly operation?: Subject
    }
  | {
      readonly kind: 'status'
      readonly expected: unknown
      readonly got: unknown
      readonly operation?: Subject
      readonly theme?: string
    }
  | { readonly kind: 'body'; readonly got: string }
  /** A field that is missing, extra or of another type wherever its resource appears. */
  | { readonly kind: 'form'; readonly resource: string; readonly field: string; readonly is: string }
  | {
      readonly kind: 'value'
      readonly resource: string
      readonly field: string
      readonly values: readonly unknown[]
    }
  /** A write stores, or an operation shows, a wrong value in `field`; without a field, a write stores nothing. */
  | { readonly kind: 'effect'; readonly operation: Subject; readonly field?: string; readonly rule?: string }
  | { readonly kind: 'place'; readonly place: string; readonly after?: OperationId; readonly theme?: string }

/** Statuses the deployment and the mock agreed on, by operation. */
export type AgreedStatuses = ReadonlyMap<OperationId, ReadonlySet<number>>

export function toAgreed(verdicts: readonly Verdict[]): AgreedStatuses {
  const agreed = new Map<OperationId, Set<number>>()
  for (const [operation, status] of verdicts.flatMap((one) => one.agreed))
    getOrInsert(agreed, operation, () => new Set<number>()).add(status)
  return agreed
}

/** A status that is wrong in this many operations and never right has one cause. */
const fewestOperations = 3
/** A status that is wrong in this many operations has one cause, even if it is right elsewhere. */
const manyOperations = 5
/** If an operation shows a drift in more scenarios, or for more query operators, than this, it has one cause. */
const mostThemes = 3
/** Cells that differ in the same way in this many columns have one cause. */
const fewestColumns = 3
/** If a scenario finds this many fields empty, one cause emptied them. */
const fewestEmptied = 4

const operationsOf = (drifts: readonly Difference[]) => new Set(drifts.map(({ operation }) => operation))
const urlOf = ({ sent }: Difference) => new URL(sent.at(-1)?.url ?? 'http://x/')
/** Rules that an operation breaks together if it does not check the key. */
const keyRules = new Set(['missing-key', 'wrong-key', 'key-forms'])
/** `sort-1` and `sort-2` are parts of one scenario. */
const themeOf = (rule: string) => (keyRules.has(rule) ? 'key' : rule.replace(/-\d+$/, ''))
/** Whether a read has no parameters except `limit`, which makes its drift independent of the scenario. */
const isPlain = (drift: Difference) => [...urlOf(drift).searchParams.keys()].every((name) => name === 'limit')

/** Rules about single query operators. */
const operatorNames: ReadonlySet<string> = new Set(operators)

/** Whether a query has only one filter, so its operator must have caused the drift. */
function hasOneFilter({ operation, sent }: Difference): boolean {
  const body = sent.at(-1)?.body
  return operation === 'queryRows' && typeof body === 'string' && body.split('"operator":').length === 2
}

/** The write whose effect a difference shows, either in the write's response or in a read after it. */
const writeOf = ({ operation, after }: Difference) => after ?? (isWriteOf(operation) ? operation : undefined)

/** Whether any request so far sent the field in its body. */
const wasSent = ({ path, sent }: Difference) =>
  sent.some(({ body }) => typeof body === 'string' && body.includes(`"${lastName(path)}":`))

/** Whether a field is missing, present where it does not belong, or of another type. */
const isOfForm = ({ kind, expected, got }: Difference) =>
  kind === 'missing' || kind === 'extra' || (kind === 'type' && expected !== null && got !== null)

/** Whether the values that differ include the id of a record missing from a listing. */
function namesMissingRecord({ kind, expected, got }: Difference, listing: Difference): boolean {
  const [ids, listed] = [listing.expected, listing.got].map((all) => new Set(Array.isArray(all) ? all : []))
  const values = [expected, got].map((value) => (isObject(value) ? value.id : value))
  return ['value', 'rule'].includes(kind) && values.some((id) => ids?.has(id) && !listed?.has(id))
}

/** Columns and custom fields, by id. */
type Columns = ReadonlyMap<string, { readonly type: string }>

class Causes {
  readonly #drifts: readonly Difference[]
  readonly #agreed: AgreedStatuses
  readonly #byPlace: ReadonlyMap<string, readonly Difference[]>

  readonly #columns: Columns

  constructor(drifts: readonly Difference[], agreed: AgreedStatuses, columns: Columns) {
    this.#columns = columns
    this.#drifts = drifts
    this.#agreed = agreed
    const byPlace = new Map<string, Difference[]>()
    for (const drift of drifts) getOrInsert(byPlace, placeOf(drift), () => [] as Difference[]).push(drift)
    this.#byPlace = byPlace
  }

  of(drift: Difference): Cause {
    const { operation, path, kind, expected, got, explained } = drift
    if (explained) return { kind: 'answer', ...explained }
    const membership = this.#drifts.find((one) => one.kind === 'records' && one.path === 'members')
    if (membership && membership !== drift && namesMissingRecord(drift, membership))
      return this.of(membership)
    // A field that breaks the `values` rule differs in comparisons too, for the same reason.
    const field = lastName(path)
    const isWrong = this.#drifts.some((one) => one.rule === 'values' && one.path === field && field !== '')
    if (isWrong) return { kind: 'form', resource: resourceOf(operation), field, is: 'wrong' }
    if (kind === 'header') return { kind, name: path, isMissing: got === null, expected }
    if (kind === 'rule') return this.#ofRule(drift)
    if (kind === 'status') return this.#ofStatus(drift)
    // If the page is wrong, so are its records.
    const isOfPage = (path: string) => /^(?:limit|offset|page|pageSize)$/.test(path)
    const isOfSame = (one: Difference) => one.rule === drift.rule && one.operation === operation
    const page =
      (kind === 'records' || isOfPage(path)) &&
      this.#drifts.find((one) => one.kind === 'value' && isOfPage(one.path) && isOfSame(one))
    if (page && page !== drift) return this.of(page)
    // If a listing's records differ, so does its total.
    const lists = this.#drifts.filter((one) => one.kind === 'records' && one.operation === drift.operation)
    const listed = path === 'total' && (lists.find(({ sent }) => sent === drift.sent) ?? lists[0])
    if (listed) return this.of(listed)
    if (path === '' && kind === 'type') return { kind: 'body', got: JSON.stringify(got).slice(0, 100) }
    return this.#ofForm(drift) ?? this.#ofCells(drift) ?? this.#ofContent(drift)
  }

  /** The cause if a record's form differs, not its content. */
  #ofForm(drift: Difference): Cause | undefined {
    const { operation, path, kind, got, sent } = drift
    if (!isOfForm(drift)) return undefined
    const isError = (sent.at(-1)?.reply?.status ?? 0) >= 400
    const is = kind === 'type' ? `type ${typeof got}` : kind
    const type = this.#columns.get(lastName(path))?.type
    const isAlike = (one: Difference) => one.kind === kind && typeof one.got === typeof got && isOfForm(one)
    const field = type === undefined ? lastName(path) : this.#isOfCells(isAlike) ? 'cells' : `${type} cells`
    return { kind: 'form', resource: isError ? 'error' : resourceOf(operation), field, is }
  }

  /** The cause if empty cells are shown differently. */
  #ofCells({ operation, path, kind, expected, got }: Difference): Cause | undefined {
    const isShownOtherwise = (one: Difference) =>
      one.kind === kind && isEmpty(one.expected) && JSON.stringify(one.got) === JSON.stringify(got)
    if (!this.#columns.has(lastName(path)) || !isEmpty(expected) || !this.#isOfCells(isShownOtherwise))
      return undefined
    return { kind: 'value', resource: resourceOf(operation), field: 'cells', values: [null, got] }
  }

  /** Whether cells of several columns differ in the same way. */
  #isOfCells(isAlike: (drift: Difference) => boolean): boolean {
    const names = this.#drifts.filter(isAlike).map(({ path }) => lastName(path))
    return new Set(names.filter((name) => this.#columns.has(name))).size >= fewestColumns
  }

  #ofRule({ operation, rule, expected, got: shown }: Difference): Cause {
    // Strips the request from `GET /forms: no response (…)`.
    const gotOf = (one: Difference | { readonly got: unknown }) =>
      String(one.got).replace(/^[A-Z]+ \S+: /, '')
    const got = gotOf({ got: shown })
    const same = this.#drifts.filter(
      (one) => one.kind === 'rule' && one.rule === rule && one.expected === expected && gotOf(one) === got,
    )
    const isOfAll = operationsOf(same).size >= fewestOperations
    return { kind: 'rule', rule, expected, got, ...(!isOfAll && { operation }) }
  }

  #ofStatus(drift: Difference): Cause {
    const { operation, rule, expected, got } = drift
    const status = { kind: 'status', expected, got } as const
    const alike = this.#drifts.filter(
      (one) => one.kind === 'status' && one.expected === expected && one.got === got,
    )
    const isRightIn = (id: Subject) =>
      id !== 'general' && this.#agreed.get(id)?.has(Number(expected)) === true
    const isNowhereRight = [...this.#agreed.keys()].every((id) => !isRightIn(id))
    const all = operationsOf(alike)
    const isNeverRight = ![...all].some(isRightIn)
    if (all.size >= fewestOperations && (isNowhereRight || isNeverRight || all.size >= manyOperations))
      return status
    const ofOperation = alike.filter((one) => one.operation === operation)
    const themes = new Set(ofOperation.map((one) => themeOf(one.rule)))
    // An operation that accepts too much may lack several validations.
    const isTaken = Number(expected) >= 400 && Number(got) < 300
    const isByTheme = isTaken && themes.size <= mostThemes
    return { ...status, operation, ...(isByTheme && { theme: themeOf(rule) }) }
  }

  #ofContent(drift: Difference): Cause {
    const { operation, rule, path, kind, after, expected, got } = drift
    const field = lastName(path)
    const place = placeOf(drift)
    const isEmptied = (one: Difference) =>
      isEmpty(one.got) && !isEmpty(one.expected) && one.rule === rule && one.after === after
    if (isEmptied(drift) && new Set(this.#drifts.filter(isEmptied).map(placeOf)).size >= fewestEmptied)
      return { kind: 'effect', operation: after ?? operation, rule }
    const there = this.#byPlace.get(place) ?? []
    const write = writeOf(drift)
    const writes = new Set(there.map(writeOf))
    const themes = new Set(there.flatMap((one) => (writeOf(one) === undefined ? [themeOf(one.rule)] : [])))
    if (there.some((one) => writeOf(one) === undefined && isPlain(one)) || writes.size >= fewestOperations)
      return { kind: 'place', place }
    if (themes.size >= fewestOperations && write === undefined) return { kind: 'place', place }
    const value = valueOf(drift)
    const isSame = (one: Difference) =>
      one.kind === 'value' && JSON.stringify(valueOf(one)) === JSON.stringify(value)
    if (kind === 'value' && new Set(this.#drifts.filter(isSame).map(writeOf)).size > 1) return value
    // Covers both what a write returns and what is read after it.
    const isOfValue = kind === 'value' || (kind === 'type' && (expected === null || got === null))
    if (write !== undefined && isOfValue)
      return { kind: 'effect', operation: write, field: lastName(this.#findSentOf(drift).path) }
    if (kind === 'order') return { kind: 'place', place }
    if (after !== undefined) {
      const rules = new Set(there.filter((one) => one.after === after).map((one) => one.rule))
      const isOfOperator = [...rules].every((one) => operatorNames.has(one)) && rules.size <= mostThemes
      return { kind: 'place', place, after, ...(isOfOperator && { theme: rule }) }
    }
    return kind === 'value' && new Set(there.map((one) => one.rule)).size > 1
      ? { kind: 'effect', operation, field }
      : { kind: 'place', place, theme: themeOf(rule) }
  }

  /**
   * For a number that no request sent, such as a sum of durations, finds a sent number that differs; otherwise
   * returns `drift` itself.
   */
  #findSentOf(drift: Difference): Difference {
    const isNumber = ({ kind, expected }: Difference) => kind === 'value' && typeof expected === 'number'
    if (!isNumber(drift) || wasSent(drift)) return drift
    const isOfWrite = (one: Difference) => one.rule === drift.rule && writeOf(one) === writeOf(drift)
    return this.#drifts.find((one) => isNumber(one) && isOfWrite(one) && wasSent(one)) ?? drift
  }
}

/** A field of a resource with the values that differ. */
const valueOf = ({ operation, path, expected, got }: Difference) =>
  ({
    kind: 'value',
    resource: resourceOf(operation),
    field: lastName(path),
    values: [expected, got],
  }) as const

/** Groups drift by cause, in the order of the run. */
export function groupByCause(drifts: readonly Difference[], agreed: AgreedStatuses, columns: Columns) {
  const causes = new Causes(drifts, agreed, columns)
  const groups = new Map<string, { readonly cause: Cause; readonly group: Difference[] }>()
  for (const drift of drifts) {
    const cause = causes.of(drift)
    getOrInsert(groups, JSON.stringify(cause), () => ({ cause, group: [] as Difference[] })).group.push(drift)
  }
  return [...groups.values()]
}

/** Fields that pagination scenarios are about. */
const paging = /^(?:limit|offset|page|pageSize|total)$/

const isOfList = ({ kind }: Difference) => ['records', 'order', 'length'].includes(kind)

/** Whether the scenario is about the field that differs. */
function isAboutField(drift: Difference): boolean {
  const { path, rule, says } = drift
  const field = paging.test(path) ? 'pages' : lastName(path)
  return !isOfList(drift) && field !== '' && [...rule.split('-'), ...says.split(/\W+/)].includes(field)
}

/** Describes the broken rule: the scenario's sentence, unless the scenario is not about the field that differs. */
export function describeRule(drift: Difference, field: string, columns: Columns): string {
  const { operation, path, kind, expected, after, rule, says } = drift
  const type = columns.get(lastName(path))?.type ?? ''
  const isOfScenario = isAboutField(drift) || rule.split('-').includes(type) || path === ''
  const isOfWrite = after !== undefined || isWriteOf(operation)
  if (isOfList(drift) || kind === 'status' || kind === 'header' || kind === 'rule') return says
  if (isOfScenario || (isOfWrite && !isOfForm(drift))) return says
  if (kind === 'missing') return `${operation} returns ${field}`
  if (kind === 'extra') return `${operation} does not return ${field} here`
  if (kind === 'type') return `${operation} returns ${field} as ${withArticle(expected)}`
  return `${operation} returns the right ${field}`
}

const isWriteOf = (operation: Subject): operation is OperationId =>
  operation !== 'general' && isWrite(operation)

export function withArticle(value: unknown): string {
  if (value === null) return 'null'
  const type = Array.isArray(value) ? 'array' : typeof value
  return `${/^[aeio]/.test(type) ? 'an' : 'a'} ${type}`
}

/**
 * Chooses the difference that says most about the cause: preferably one from a scenario about the field or the
 * preceding write, under a rule with few other differences.
 */
export function chooseMostSpecific(group: readonly Difference[], all: readonly Difference[]): Difference {
  const scoreOf = (drift: Difference) => {
    const { operation, after, rule, main } = drift
    const ofRule = all.filter((one) => one.rule === rule).length
    return (
      (isAboutField(drift) ? 4 : 0) +
      (main === (after ?? operation) ? 2 : 0) +
      (isPlain(drift) ? 1 : 0) +
      (hasOneFilter(drift) ? 1 : 0) +
      1 / ofRule
    )
  }
  return group.reduce((best, drift) => (scoreOf(drift) > scoreOf(best) ? drift : best))
}
