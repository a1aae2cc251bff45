// Compares two response bodies field by field and pairs ids as it goes.
import { getOrInsert } from '../../../contract/data/maps.ts'
import { isObject } from '../../../contract/data/objects.ts'
import type { JsonObject } from '../../../contract/schema/maps.ts'
import { lastName, type About, type Difference, type DifferenceKind } from './difference.ts'
import type { IdPairs } from './ids.ts'

export interface BodyComparison {
  readonly about: About
  readonly ids: IdPairs
  /** Text found in every record the run made, if the deployment stores text unchanged. */
  readonly marker: string
  /** Whether other people write to the workspace; their records are not compared. */
  readonly areOthersWriting: boolean
  /** The mock's current time in Unix seconds; times near it may differ by `nearSeconds`. */
  readonly now: number
  /** Numeric fields that may differ; only the type is compared. */
  readonly loose: ReadonlySet<string>
  /** Fields that may differ by `nearSeconds`, whatever their value. */
  readonly near: ReadonlySet<string>
  /** Columns and custom fields by id, the key of their values in rows and tasks. */
  readonly columns: ReadonlyMap<string, { readonly type: string }>
  /** Whether fields that the contract does not name are differences. */
  readonly isStrict: boolean
  /** Field names the mock has shown so far, by path; grows. */
  readonly names: Map<string, Set<string>>
  /** Field names the deployment adds to objects that the contract defines, and so may add to free-form ones; grows. */
  readonly added: Set<string>
}

const nearSeconds = 2
/** Times this close to the current time come from the run. */
const recentSeconds = 3 * 86_400
/** Texts for people: any text matches, unless it is blank. */
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
  /** Ids of records with the marker and of everything nested in them. */
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

  /** `record` is the id of the enclosing record. */
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
    // File URLs differ between the sides.
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
   * Pairs records made on both sides: first by content, then in order. If other people write, a record without the
   * run's marker is theirs.
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

  /** An unknown record belongs to someone else unless it has the run's marker or the content of a record of the run. */
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
    // A record that the deployment lists twice counts as one-sided.
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
  // Records with the marker belong to the run even if they were pulled: they were left behind or cannot be deleted.
  const marked = findMarked(theirBody, false, findMarked(ourBody))
  const isOfWorkspace = (id: string) => ids.isForeign(id) && !marked.has(id)
  return differences.map(({ records, ...one }) => ({
    ...one,
    ...(records && { records: records.map((id) => ids.toTheirs(id)).filter(isOfWorkspace) }),
  }))
}
