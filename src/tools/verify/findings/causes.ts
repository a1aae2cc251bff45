// Which drifts have one cause: what an answer explains, one header, one field of a record, one behaviour of a scenario.
import type { OperationId } from '../../../contract/index.ts'
import { getOrInsert } from '../../../contract/data/maps.ts'
import { isEmpty } from '../../../contract/data/objects.ts'
import { placeOf, type Difference } from './difference.ts'

/** Statuses in which the deployment agreed with the mock, by operation. */
export type AgreedStatuses = ReadonlyMap<OperationId, ReadonlySet<number>>

/** An error status that comes as another one in so many operations, and never as it should, has one cause. */
const fewestOperations = 3
/** So many fields that a scenario finds empty have one cause: a write that keeps nothing else. */
const fewestEmptied = 4

const operationsOf = (drifts: readonly Difference[]) => new Set(drifts.map(({ operation }) => operation))
const fieldOf = (path: string) => /([^.]*?)(?:\[\])*$/.exec(path)?.[1] ?? ''
/** `sort-1` and `sort-2` are parts of one scenario. */
const themeOf = (rule: string) => rule.replace(/-\d+$/, '')
/** What an operation is about: `Task` for `getTask` and `listTasks`. */
const resourceOf = (operation: string) =>
  operation
    .replace(/^[a-z]+/, '')
    .replace(/ies$/, 'y')
    .replace(/s$/, '')
const addressOf = ({ sent }: Difference) => new URL(sent.at(-1)?.url ?? 'http://x/')
/** A field of a resource with the values that differ. */
const valueCauseOf = ({ operation, path, expected, got }: Difference) =>
  `${resourceOf(operation)} ${fieldOf(path)} ${JSON.stringify([expected, got])}`

/** Whether a read shows everything, by default or in one page: no scenario of its own is needed for what is wrong in it. */
const isPlain = (drift: Difference) =>
  [...addressOf(drift).searchParams.keys()].every((name) => name === 'limit')

function statusCause(drift: Difference, alike: readonly Difference[], agreed: AgreedStatuses): string {
  const { operation, rule, expected, got } = drift
  const wanted = Number(expected)
  const isNeverRight = [...operationsOf(alike)].every(
    (id) => agreed.get(id as OperationId)?.has(wanted) !== true,
  )
  const isSystematic =
    operationsOf(alike).size >= fewestOperations && [...agreed.values()].every((seen) => !seen.has(wanted))
  if (isSystematic) return `status ${String(expected)} ${String(got)}`
  if (wanted < 300 && isNeverRight) return `${operation} status ${String(expected)} ${String(got)}`
  const parameters = [...addressOf(drift).searchParams.keys()].sort().join(' ')
  return `${operation} ${themeOf(rule)} status ${String(expected)} ${String(got)} ${parameters}`
}

/** Sorts drifts by their causes; each cause has its drifts in the order of the run. */
export function groupByCause(drifts: readonly Difference[], agreed: AgreedStatuses): Difference[][] {
  const byPlace = new Map<string, Difference[]>()
  for (const drift of drifts) getOrInsert(byPlace, placeOf(drift), (): Difference[] => []).push(drift)
  /** The writes after which a field of a resource had the same wrong value. */
  const sameValues = new Map<string, Set<string | undefined>>()
  for (const drift of drifts.filter(({ kind }) => kind === 'value'))
    getOrInsert(sameValues, valueCauseOf(drift), () => new Set<string | undefined>()).add(drift.after)
  const causeOf = (drift: Difference): string => {
    const { operation, rule, path, kind, expected, got, after, explained } = drift
    if (explained) return `answer ${JSON.stringify(explained)}`
    if (kind === 'header') return `header ${path} ${got === null ? 'missing' : 'wrong'} ${String(expected)}`
    const alike = drifts.filter(
      (one) => one.kind === kind && one.path === path && one.expected === expected && one.got === got,
    )
    if (kind === 'rule') {
      // `GET /forms: no response (…)` without the request.
      const gotOf = (one: Difference) => String(one.got).replace(/^[A-Z]+ \S+: /, '')
      const textOf = (one: Difference) => `${one.rule} ${String(one.expected)} ${gotOf(one)}`
      const same = drifts.filter((one) => one.kind === 'rule' && textOf(one) === textOf(drift))
      return operationsOf(same).size >= fewestOperations ? textOf(drift) : `${operation} ${textOf(drift)}`
    }
    if (kind === 'status') return statusCause(drift, alike, agreed)
    // Other records in a listing change its total, too.
    const listed = path === 'total' && drifts.find((one) => one.kind === 'records' && one.sent === drift.sent)
    if (listed) return causeOf(listed)
    if (path === '' && kind === 'type') return `body ${JSON.stringify(got).slice(0, 100)}`
    const isOtherType = kind === 'type' && expected !== null && got !== null
    // The difference is in how a record is written, not in what it holds.
    if (kind === 'missing' || kind === 'extra' || isOtherType) {
      const isError = (drift.sent.at(-1)?.reply?.status ?? 0) >= 400
      return `${isError ? 'error' : resourceOf(operation)} ${fieldOf(path)} ${kind} ${isOtherType ? typeof got : ''}`
    }
    const isEmptied = (one: Difference) =>
      isEmpty(one.got) && !isEmpty(one.expected) && one.rule === rule && one.after === after
    if (isEmptied(drift) && new Set(drifts.filter(isEmptied).map(placeOf)).size >= fewestEmptied)
      return `${after ?? operation} ${rule} emptied`
    const there = byPlace.get(placeOf(drift)) ?? []
    const writes = new Set(there.map((one) => one.after))
    if (there.some((one) => one.after === undefined && isPlain(one)) || writes.size >= fewestOperations)
      return placeOf(drift)
    if (kind === 'value' && (sameValues.get(valueCauseOf(drift))?.size ?? 0) > 1) return valueCauseOf(drift)
    if (after !== undefined && kind === 'value') return `${after} ${fieldOf(path)} value`
    if (after !== undefined) return `${placeOf(drift)} after ${after}`
    return kind === 'value' && there.length > 1 && new Set(there.map((one) => one.rule)).size > 1
      ? `${operation} ${fieldOf(path)} value`
      : `${placeOf(drift)} ${themeOf(rule)}`
  }
  const groups = new Map<string, Difference[]>()
  for (const drift of drifts) getOrInsert(groups, causeOf(drift), (): Difference[] => []).push(drift)
  return [...groups.values()]
}

/** Fields that scenarios of pages are about. */
const paging = /^(?:limit|offset|page|pageSize|total)$/

/**
 * The drift that says most about its cause: of the scenario that is about the field, or about the write before the read, and
 * in which little else shows.
 */
export function chooseMostSpecific(
  group: readonly Difference[],
  all: readonly Difference[],
  mainOperation: (rule: string) => string | undefined,
): Difference {
  const scoreOf = (drift: Difference) => {
    const { operation, path, kind, after, rule, says } = drift
    const field = paging.test(path) ? 'pages' : fieldOf(path)
    const isOfList = ['records', 'order', 'length'].includes(kind)
    const isAbout = !isOfList && field !== '' && [...rule.split('-'), ...says.split(/\W+/)].includes(field)
    const isMain = mainOperation(rule) === (after ?? operation)
    const ofRule = all.filter((one) => one.rule === rule).length
    return (isAbout ? 4 : 0) + (isMain ? 2 : 0) + (isPlain(drift) ? 1 : 0) + 1 / ofRule
  }
  return group.reduce((best, drift) => (scoreOf(drift) > scoreOf(best) ? drift : best))
}
