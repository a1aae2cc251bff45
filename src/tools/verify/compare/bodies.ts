// Compares two response bodies field by field; ids are paired on the way.
import { getOrInsert } from '../../../contract/data/maps.ts'
import { isObject } from '../../../contract/data/objects.ts'
import type { JsonObject } from '../../../contract/schema/maps.ts'
import { lastName, type About, type Difference, type DifferenceKind } from './difference.ts'
import type { IdPairs } from './ids.ts'

export interface BodyComparison {
  readonly about: About
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
const formOf = (text: string) => text.replaceAll(/\d+/g, '0')
interface Identified extends JsonObject {
  readonly id: string
}
const isIdentified = (value: unknown): value is Identified => isObject(value) && typeof value.id === 'string'

export function compareBodies(given: BodyComparison, ourBody: unknown, theirBody: unknown): Difference[] {
  const { about, ids, marker, areOthersWriting, now, loose, near, columns, isStrict, names, added } = given
  const isMarked = (record: Identified) => JSON.stringify(record).includes(marker)
  /** Ids of the records with the marker, and of what is within them. */
  const findMarked = (value: unknown, isInside = false, found = new Set<string>()): Set<string> => {
    if (typeof value !== 'object' || value === null) return found
    const isOfRun = isInside || (isIdentified(value) && isMarked(value))
    if (isOfRun && isIdentified(value)) found.add(ids.toTheirs(value.id))
    for (const inner of Object.values(value)) findMarked(inner, isOfRun, found)
    return found
  }

  const differ = (
    path: string,
    kind: DifferenceKind,
    expected: unknown,
    got: unknown,
    records?: readonly string[],
  ): Difference[] => [{ ...about, path, kind, expected, got, ...(records && { records }) }]

  /** `record` is the id of the record around the value. */
  const compareValues = (ours: unknown, theirs: unknown, path: string, record: string): Difference[] => {
    const isOther = (kind: DifferenceKind) =>
      differ(path, kind, ids.toTheirs(ours), theirs, record === '' ? undefined : [record])
    if (typeOf(ours) !== typeOf(theirs)) return isOther(theirs === undefined ? 'missing' : 'type')
    if (Array.isArray(ours)) return compareArrays(ours, theirs as unknown[], path, record)
    if (isObject(ours)) return compareObjects(ours, theirs as JsonObject, path, record)
    const name = lastName(path)
    if (typeof ours === 'string') {
      const kind = compareTexts(ours, theirs as string, name, record)
      return kind ? isOther(kind) : []
    }
    if (ours === theirs || loose.has(name)) return []
    const isNear = Math.abs(Number(ours) - Number(theirs)) <= nearSeconds
    const isRecent = Number.isInteger(theirs) && Math.abs(Number(ours) - now) < recentSeconds
    const isSame = typeof ours === 'number' && isNear && (isRecent || near.has(name))
    return isSame ? [] : isOther('value')
  }

  const compareTexts = (
    ours: string,
    theirs: string,
    name: string,
    record: string,
  ): DifferenceKind | undefined => {
    if (messages.has(name)) return theirs.trim() === '' ? 'value' : undefined
    if (columns.get(name)?.type === 'autonumber') {
      if (formOf(ours) !== formOf(theirs)) return 'value'
      return ids.pairNumber(name, record, theirs) ? undefined : 'number'
    }
    if (ids.isUnpaired(ours)) return theirs !== '' && ids.pair(ours, theirs) ? undefined : 'id'
    // Each side has its own addresses of files.
    const isSame = ids.toTheirs(ours) === theirs || (name === 'url' && URL.canParse(theirs))
    return isSame ? undefined : 'value'
  }

  const compareObjects = (
    ours: JsonObject,
    theirs: JsonObject,
    path: string,
    around: string,
  ): Difference[] => {
    const known = getOrInsert(names, path, () => new Set())
    const at = (name: string) => (path === '' ? name : `${path}.${name}`)
    const record = typeof ours.id === 'string' ? ours.id : around
    for (const name of Object.keys(ours)) known.add(name)
    const isKnown = (name: string) => isStrict || known.has(name) || columns.has(name)
    const extra = Object.keys(theirs).filter(
      (name) => !Object.hasOwn(ours, name) && (isStrict || !added.has(name)),
    )
    for (const name of extra) if (!isKnown(name)) added.add(name)
    return [
      ...Object.keys(ours).flatMap((name) => compareValues(ours[name], theirs[name], at(name), record)),
      ...extra.filter(isKnown).flatMap((name) => differ(at(name), 'extra', undefined, theirs[name])),
    ]
  }

  const compareArrays = (
    ours: readonly unknown[],
    theirs: readonly unknown[],
    path: string,
    record: string,
  ): Difference[] => {
    if (!path.endsWith('options') && ours.every(isIdentified) && theirs.every(isIdentified))
      return compareRecords(ours, theirs, path)
    const isSameLength = ours.length === theirs.length
    return [
      ...(isSameLength ? [] : differ(path, 'length', ids.toTheirs(ours), theirs)),
      ...ours
        .slice(0, theirs.length)
        .flatMap((item, index) => compareValues(item, theirs[index], `${path}[]`, record)),
    ]
  }

  const contentOf = ({ id: _, ...rest }: Identified) =>
    JSON.stringify(ids.toTheirs(rest), (name, value: unknown) =>
      columns.get(name)?.type === 'autonumber' ? '' : value,
    ).replaceAll(/\d{9,}/g, '0')

  /**
   * Pairs records that both sides made: first those with the same content, then in their order. When others write, a record
   * without the marker of the run is one of theirs.
   */
  const pairRecords = (ours: readonly Identified[], theirs: readonly Identified[]) => {
    const left = ours.filter(({ id }) => ids.isUnpaired(id))
    const free = theirs.filter(({ id }) => !ids.isKnown(id))
    if (left.length === 0 || free.length === 0) return
    const pairFirst = (one: Identified, isAlike: (other: Identified) => boolean) => {
      const index = free.findIndex(isAlike)
      const [found] = index < 0 ? [] : free.splice(index, 1)
      if (found) ids.pair(one.id, found.id)
    }
    const contents = new Map(free.map((other) => [other, contentOf(other)]))
    for (const one of left) {
      const content = contentOf(one)
      pairFirst(one, (other) => contents.get(other) === content)
    }
    for (const one of left.filter(({ id }) => ids.isUnpaired(id)))
      pairFirst(one, (other) => !areOthersWriting || isMarked(other) || !isMarked(one))
  }

  /** Unknown records are those of others who write, unless they have the marker of the run or the content of one of its records. */
  const withoutStrangers = (ours: readonly Identified[], theirs: readonly Identified[]) => {
    if (!areOthersWriting || theirs.every(({ id }) => ids.isKnown(id))) return theirs
    const own = new Set(ours.filter(({ id }) => !ids.isForeign(ids.toTheirs(id))).map(contentOf))
    return theirs.filter((one) => ids.isKnown(one.id) || isMarked(one) || own.has(contentOf(one)))
  }

  const compareRecords = (ours: readonly Identified[], all: readonly Identified[], path: string) => {
    pairRecords(ours, all)
    const theirs = withoutStrangers(ours, all)
    const expected = ours.map(({ id }) => ids.toTheirs(id))
    const got = theirs.map(({ id }) => id)
    const isSameSet = JSON.stringify([...expected].sort()) === JSON.stringify([...got].sort())
    const isSameOrder = expected.join() === got.join()
    // A record that one side has twice counts, too.
    const oneSided = [
      ...expected.filter((id) => !got.includes(id)),
      ...got.filter((id, index) => !expected.includes(id) || got.indexOf(id) < index),
    ]
    return [
      ...(isSameSet ? [] : differ(path, 'records', expected, got, oneSided)),
      ...(isSameSet && !isSameOrder ? differ(path, 'order', expected, got) : []),
      ...ours.flatMap((one, index) => {
        const other = theirs[got.indexOf(expected[index] ?? '')]
        return other ? compareValues(one, other, `${path}[]`, '') : []
      }),
    ]
  }

  const differences = compareValues(ourBody, theirBody, '', '')
  if (differences.length === 0) return differences
  // What a request left behind has the marker, too, and so has a record that stays and is pulled again in the next round.
  const marked = findMarked(theirBody, false, findMarked(ourBody))
  const isOfWorkspace = (id: string) => ids.isForeign(id) && !marked.has(id)
  return differences.map(({ records, ...one }) => ({
    ...one,
    ...(records && { records: records.map((id) => ids.toTheirs(id)).filter(isOfWorkspace) }),
  }))
}
