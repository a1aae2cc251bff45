// Compares two response bodies field by field; ids are paired on the way.
import { getOrInsert } from '../../../contract/data/maps.ts'
import { isObject } from '../../../contract/data/objects.ts'
import type { JsonObject } from '../../../contract/schema/maps.ts'
import type { Difference, DifferenceKind } from '../engine/drift.ts'
import type { IdPairs } from './ids.ts'

interface BodyComparison {
  readonly ids: IdPairs
  /** In every record that the run made, where its texts are stored as they were written. */
  readonly marker: string
  /** Whether others write to the workspace: records of theirs are not compared. */
  readonly areOthersWriting: boolean
  /** The current time of our side in Unix seconds: times around it can differ by `nearSeconds`. */
  readonly now: number
  /** Fields of numbers in which the sides can differ: only the type counts. */
  readonly loose: ReadonlySet<string>
  /** Fields that can differ by `nearSeconds`, whatever their value. */
  readonly near: ReadonlySet<string>
  /** Columns and custom fields, by whose ids the values of rows and tasks are keyed. */
  readonly columns: ReadonlyMap<string, { readonly type: string }>
  /** Whether fields that the contract does not name are differences. */
  readonly isStrict: boolean
  /** Names of fields that our side has shown so far, by path; grows. */
  readonly names: Map<string, Set<string>>
  /** Names of fields that their side adds to objects of the contract, and so maybe to free ones; grows. */
  readonly added: Set<string>
}

const nearSeconds = 2
/** Times within this distance of the current time were made by the run. */
const recentSeconds = 3 * 86_400
/** Texts for people, of which only the type counts. */
const messages = new Set(['error', 'message', 'error_message'])

const typeOf = (value: unknown) => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value)
const lastName = (path: string) => /([^.]*?)(?:\[\])*$/.exec(path)?.[1] ?? ''
const formOf = (text: string) => text.replaceAll(/\d+/g, '0')
interface Identified extends JsonObject {
  readonly id: string
}
const isIdentified = (value: unknown): value is Identified => isObject(value) && typeof value.id === 'string'

/** `record` is the id of the record around the value. */
export function compareBodies(
  given: BodyComparison,
  ours: unknown,
  theirs: unknown,
  path = '',
  record = '',
): Difference[] {
  const differ = (kind: DifferenceKind) => [
    { path, kind, expected: given.ids.toTheirs(ours), got: theirs, ...foreignRecord(given, record) },
  ]
  if (typeOf(ours) !== typeOf(theirs)) return differ(theirs === undefined ? 'missing' : 'type')
  if (Array.isArray(ours)) return compareArrays(given, ours, theirs as unknown[], path, record)
  if (isObject(ours)) return compareObjects(given, ours, theirs as JsonObject, path, record)
  if (typeof ours === 'number')
    return isSameNumber(given, ours, theirs as number, path) ? [] : differ('value')
  if (typeof ours !== 'string') return ours === theirs ? [] : differ('value')
  return compareTexts(given, ours, theirs as string, path, record)
}

/** The record of a difference in a value, if the run did not make it. */
function foreignRecord({ ids }: BodyComparison, record: string) {
  const id = ids.toTheirs(record)
  return record !== '' && ids.isForeign(id) ? { records: [id] } : {}
}

function isSameNumber({ now, loose, near }: BodyComparison, ours: number, theirs: number, path: string) {
  const name = lastName(path)
  if (ours === theirs || loose.has(name)) return true
  const isRecent = Number.isInteger(theirs) && Math.abs(ours - now) < recentSeconds
  return Math.abs(ours - theirs) <= nearSeconds && (isRecent || near.has(name))
}

function compareTexts(
  given: BodyComparison,
  ours: string,
  theirs: string,
  path: string,
  record: string,
): Difference[] {
  const { ids, columns } = given
  const name = lastName(path)
  const expected = ids.toTheirs(ours)
  const differ = (kind: DifferenceKind) => [
    { path, kind, expected, got: theirs, ...foreignRecord(given, record) },
  ]
  if (messages.has(name)) return theirs.trim() === '' ? differ('value') : []
  if (columns.get(name)?.type === 'autonumber') {
    if (formOf(ours) !== formOf(theirs)) return differ('value')
    return ids.pairNumber(name, record, theirs) ? [] : differ('number')
  }
  if (ids.isUnpaired(ours)) return theirs !== '' && ids.pair(ours, theirs) ? [] : differ('id')
  // Each side has its own addresses of files.
  const isSame = expected === theirs || (name === 'url' && URL.canParse(theirs))
  return isSame ? [] : differ('value')
}

function compareObjects(
  given: BodyComparison,
  ours: JsonObject,
  theirs: JsonObject,
  path: string,
  around: string,
): Difference[] {
  const { names, columns, added, isStrict } = given
  const known = getOrInsert(names, path, () => new Set())
  const at = (name: string) => (path === '' ? name : `${path}.${name}`)
  const record = typeof ours.id === 'string' ? ours.id : around
  for (const name of Object.keys(ours)) known.add(name)
  const isKnown = (name: string) => isStrict || known.has(name) || columns.has(name)
  const extra = Object.keys(theirs).filter(
    (name) => !Object.hasOwn(ours, name) && (isStrict || !added.has(name)),
  )
  for (const name of extra) if (!isKnown(name)) added.add(name)
  const differences: Difference[] = [
    ...Object.keys(ours).flatMap((name) => compareBodies(given, ours[name], theirs[name], at(name), record)),
    ...extra.filter(isKnown).map((name) => ({
      path: at(name),
      kind: 'extra' as const,
      expected: undefined,
      got: theirs[name],
    })),
  ]
  // A record that stays is pulled again as one of the workspace; with the marker it is that of the run in every round.
  const isOwn = differences.length > 0 && typeof ours.id === 'string' && isMarked(given, ours as Identified)
  return isOwn ? differences.map(({ records: _, ...difference }): Difference => difference) : differences
}

function compareArrays(
  given: BodyComparison,
  ours: readonly unknown[],
  theirs: readonly unknown[],
  path: string,
  record: string,
): Difference[] {
  if (!path.endsWith('options') && ours.every(isIdentified) && theirs.every(isIdentified))
    return compareRecords(given, ours, theirs, path)
  const isSameLength = ours.length === theirs.length
  const expected = given.ids.toTheirs(ours)
  return [
    ...(isSameLength ? [] : [{ path, kind: 'length' as const, expected, got: theirs }]),
    ...ours
      .slice(0, theirs.length)
      .flatMap((item, index) => compareBodies(given, item, theirs[index], `${path}[]`, record)),
  ]
}

const contentOf = ({ ids, columns }: BodyComparison, { id: _, ...rest }: Identified) =>
  JSON.stringify(ids.toTheirs(rest), (name, value: unknown) =>
    columns.get(name)?.type === 'autonumber' ? '' : value,
  ).replaceAll(/\d{9,}/g, '0')

const isMarked = ({ marker }: BodyComparison, record: Identified) => JSON.stringify(record).includes(marker)

/**
 * Pairs records that both sides made: first those with the same content, then in their order. Where others write, a record
 * without the marker of the run is one of theirs.
 */
function pairRecords(
  given: BodyComparison,
  ours: readonly Identified[],
  theirs: readonly Identified[],
): void {
  const { ids, areOthersWriting } = given
  const left = ours.filter(({ id }) => ids.isUnpaired(id))
  if (left.length === 0) return
  const free = theirs.filter(({ id }) => !ids.isKnown(id))
  for (const isAlike of [
    (one: Identified, other: Identified) => contentOf(given, one) === contentOf(given, other),
    (one: Identified, other: Identified) =>
      !areOthersWriting || isMarked(given, other) || !isMarked(given, one),
  ])
    for (const one of left.filter(({ id }) => ids.isUnpaired(id))) {
      const index = free.findIndex((other) => isAlike(one, other))
      const [found] = index < 0 ? [] : free.splice(index, 1)
      if (found) ids.pair(one.id, found.id)
    }
}

/** Unknown records are those of others who write, unless they have the marker of the run or the content of one of its records. */
function withoutStrangers(
  given: BodyComparison,
  ours: readonly Identified[],
  theirs: readonly Identified[],
): readonly Identified[] {
  const { ids, areOthersWriting } = given
  if (!areOthersWriting || theirs.every(({ id }) => ids.isKnown(id))) return theirs
  const own = new Set(
    ours.filter(({ id }) => !ids.isForeign(ids.toTheirs(id))).map((one) => contentOf(given, one)),
  )
  return theirs.filter((one) => ids.isKnown(one.id) || isMarked(given, one) || own.has(contentOf(given, one)))
}

function compareRecords(
  given: BodyComparison,
  ours: readonly Identified[],
  all: readonly Identified[],
  path: string,
): Difference[] {
  const { ids } = given
  pairRecords(given, ours, all)
  const theirs = withoutStrangers(given, ours, all)
  const expected = ours.map(({ id }) => ids.toTheirs(id))
  const got = theirs.map(({ id }) => id)
  // What a request left behind without being asked to, or before it was refused, has the marker of the run.
  const marked = new Set(theirs.flatMap((one) => (isMarked(given, one) ? [one.id] : [])))
  const isOfWorkspace = (id: string) => ids.isForeign(id) && !marked.has(id)
  const differ = (kind: DifferenceKind, records: readonly string[]) => [
    { path, kind, expected, got, records: records.filter(isOfWorkspace) },
  ]
  const isSameSet = JSON.stringify([...expected].sort()) === JSON.stringify([...got].sort())
  const isSameOrder = expected.join() === got.join()
  // A record that one side has twice counts, too.
  const oneSided = [
    ...expected.filter((id) => !got.includes(id)),
    ...got.filter((id, index) => !expected.includes(id) || got.indexOf(id) < index),
  ]
  return [
    ...(isSameSet ? (isSameOrder ? [] : differ('order', [])) : differ('records', oneSided)),
    ...ours.flatMap((one, index) => {
      const other = theirs[got.indexOf(expected[index] ?? '')]
      return other ? compareBodies(given, one, other, `${path}[]`) : []
    }),
  ]
}
