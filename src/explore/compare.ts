// Compares what two runs changed: records are paired by content and references, whatever their ids.
import { nameOf, type Changed, type ChangedRecords, type Fields, type Named } from './end-state.ts'
import { labelsOf, Names, type Labels } from './labels.ts'
import { isSame, isTime } from './moments.ts'
import { GeneratedIds, nestedIds, withIds } from './references.ts'
import type { StateDifference } from './types.ts'

/** Owners before what they own: what belongs to a surplus record is no difference of its own. */
const ranks = [
  'workspace',
  'key',
  'table',
  'form',
  'space',
  'list',
  'task',
  'row',
  'comment',
  'time entry',
  'attachment',
  'submission',
  'job',
  'file',
]
const rankOf = ({ resource }: Changed) => ranks.indexOf(resource)

/** More leftover records than these are paired in order, not by likeness. */
const comparedByLikeness = 100
const differencesNamed = 50

type Side = readonly Changed[]

/** What two runs left, being compared. */
export class Comparison {
  readonly #ids: GeneratedIds
  readonly #slackSeconds: number
  readonly #ignored: ReadonlySet<string>
  /** Ids of the disturbed run by those of the undisturbed one. */
  readonly #counterparts = new Map<string, string>()
  readonly #known = new Set<string>()
  readonly #differences: StateDifference[] = []

  constructor(ids: GeneratedIds, slackSeconds: number, ignored: ReadonlySet<string>) {
    this.#ids = ids
    this.#slackSeconds = slackSeconds
    this.#ignored = ignored
  }

  run(a: ChangedRecords, b: ChangedRecords): readonly StateDifference[] {
    const [newA, newB] = [created(a), created(b)]
    const names = new Names()
    const fields = ({ resource, fields }: Changed) => this.#compared(resource, fields ?? {})
    const labelsA = labelsOf(newA, this.#ids, names, fields)
    const labelsB = labelsOf(newB, this.#ids, names, fields)
    const pairs: [Changed, Changed][] = []
    const [leftA, leftB] = this.#pairEqual(newA, newB, labelsA, labelsB, pairs)
    const [inA, inB] = [countsOf(labelsA), countsOf(labelsB)]
    const excess = new Map([...inB].map(([content, count]) => [content, count - (inA.get(content) ?? 0)]))
    const isTwin = ({ id }: Changed) => {
      const content = labelsB.content.get(id) ?? ''
      const left = excess.get(content) ?? 0
      excess.set(content, left - 1)
      return left > 0 && inA.has(content)
    }
    const [twins, surplus] = partition(leftB, isTwin)
    const [missing, added] = this.#pairAlike(leftA, surplus, pairs)
    for (const [one, other] of pairs) this.#compareFields(one, other)
    const extra = new Set([...twins, ...added].map(({ id }) => id))
    this.#report(newB, extra, (record) => {
      const content = labelsB.content.get(record.id) ?? ''
      const alike = (side: Side) => side.filter((other) => this.#isNamesake(other, record)).length
      const disturbed = Math.max(inB.get(content) ?? 0, alike(newB))
      const undisturbed = Math.max(inA.get(content) ?? 0, alike(newA))
      const change = disturbed > 1 && undisturbed > 0 ? 'twice' : 'added'
      return { resource: record.resource, change, record: nameOf(record), undisturbed, disturbed }
    })
    this.#report(newA, new Set(missing.map(({ id }) => id)), (record) => ({
      resource: record.resource,
      change: 'missing',
      record: nameOf(record),
      undisturbed: 1,
      disturbed: 0,
    }))
    this.#compareExisting(a, b)
    return this.#differences
      .filter(({ resource }) => !this.#ignored.has(resource))
      .toSorted((x, y) => Number(x.change === 'changed') - Number(y.change === 'changed'))
  }

  /** Without the fields that differ by themselves. */
  #compared(resource: string, fields: Fields): Fields {
    if (this.#ignored.size === 0) return fields
    return Object.fromEntries(
      Object.entries(fields).filter(([name]) => !this.#ignored.has(`${resource}.${name}`)),
    )
  }

  #match(one: Changed, other: Changed): void {
    const isGenerated = (id: string) => this.#ids.replaced(id, () => '') === ''
    const places = new Map([...nestedIds(other.fields, isGenerated)].map(([id, place]) => [place, id]))
    for (const [id, place] of [...nestedIds(one.fields, isGenerated), [one.id, ''] as const]) {
      const counterpart = place === '' ? other.id : places.get(place)
      if (counterpart === undefined) continue
      this.#counterparts.set(id, counterpart)
      this.#known.add(counterpart)
    }
  }

  /** Pairs records of the same label, in order of their times. @returns what is left over on both sides */
  #pairEqual(a: Side, b: Side, labelsA: Labels, labelsB: Labels, pairs: [Changed, Changed][]): [Side, Side] {
    const byLabel = new Map<string, Changed[]>()
    for (const record of inOrderOfTimes(b)) {
      const label = labelsB.whole.get(record.id) ?? ''
      const same = byLabel.get(label)
      if (same) same.push(record)
      else byLabel.set(label, [record])
    }
    const leftA: Changed[] = []
    for (const record of inOrderOfTimes(a)) {
      const other = byLabel.get(labelsA.whole.get(record.id) ?? '')?.shift()
      if (!other) {
        leftA.push(record)
        continue
      }
      this.#match(record, other)
      pairs.push([record, other])
    }
    const left = new Set([...byLabel.values()].flat())
    return [inRank(leftA), inRank(b.filter((record) => left.has(record)))]
  }

  /** Pairs what is left by likeness. @returns what has no counterpart */
  #pairAlike(a: Side, b: Side, pairs: [Changed, Changed][]): [Side, Side] {
    const free = [...b]
    const missing = a.filter((record) => {
      const candidates = free.filter(({ resource }) => resource === record.resource)
      const compared = candidates.slice(0, a.length > comparedByLikeness ? 1 : comparedByLikeness)
      const likeness = compared.map((other) => this.#likeness(record, other))
      const best = compared[likeness.indexOf(Math.max(...likeness))]
      if (!best) return true
      free.splice(free.indexOf(best), 1)
      this.#match(record, best)
      pairs.push([record, best])
      return false
    })
    return [missing, free]
  }

  #likeness(one: Changed, other: Changed): number {
    const fields = Object.entries(one.fields ?? {})
    return fields.filter(([name, value]) => this.#isSame(value, other.fields?.[name], name)).length
  }

  #isSame(a: unknown, b: unknown, name: string): boolean {
    const left = withIds(a, (text) => this.#ids.replaced(text, (id) => this.#counterparts.get(id) ?? '?'))
    const right = withIds(b, (text) => this.#ids.replaced(text, (id) => (this.#known.has(id) ? id : '?')))
    return isSame(left, right, this.#slackSeconds, name)
  }

  #compareFields({ resource, fields, id }: Named, other: Pick<Changed, 'fields'>): void {
    const [a, b] = [this.#compared(resource, fields ?? {}), this.#compared(resource, other.fields ?? {})]
    for (const name of new Set([...Object.keys(a), ...Object.keys(b)])) {
      if (resource === 'time entry' && name === 'date_end') continue
      if (this.#isSame(a[name], b[name], name)) continue
      const record = nameOf({ resource, id, fields: a })
      const values = { undisturbed: a[name], disturbed: b[name] }
      this.#add({ resource, change: 'changed', field: name, record, ...values })
    }
  }

  #add(difference: StateDifference): void {
    if (this.#differences.length < differencesNamed) this.#differences.push(difference)
  }

  /** Reports unmatched records, but not those that refer to one reported before. */
  #report(
    side: Side,
    unmatched: ReadonlySet<string>,
    difference: (record: Changed) => StateDifference,
  ): void {
    const reported = new Set<string>()
    for (const record of inRank(side)) {
      if (!unmatched.has(record.id)) continue
      let isPart = false
      withIds(record.fields, (text) => this.#ids.replaced(text, (id) => ((isPart ||= reported.has(id)), id)))
      reported.add(record.id)
      if (!isPart) this.#add(difference(record))
    }
  }

  /** Whether two records have the same name, whatever else differs. */
  #isNamesake(one: Changed, other: Changed): boolean {
    if (one.resource !== other.resource) return false
    const [a, b] = [one, other].map((record) => this.#ids.replaced(nameOf(record), () => '?'))
    return a === b && a !== '?'
  }

  /** Records that were there at the start. */
  #compareExisting(a: ChangedRecords, b: ChangedRecords): void {
    for (const key of new Set([...a.keys(), ...b.keys()])) {
      const [one, other] = [a.get(key), b.get(key)]
      const record = one ?? other
      if (!record || record.isNew) continue
      const { resource, id } = record
      const before = one ? one.fields : record.was()
      const after = other ? other.fields : record.was()
      if (before && after) this.#compareFields({ resource, id, fields: before }, { fields: after })
      if ((before === null) === (after === null)) continue
      const named = nameOf({ resource, id, fields: before ?? after })
      const [undisturbed, disturbed] = [Number(before !== null), Number(after !== null)]
      this.#add({ resource, change: before ? 'missing' : 'added', record: named, undisturbed, disturbed })
    }
  }
}

const created = (records: ChangedRecords): Side =>
  [...records.values()].filter(({ isNew, fields }) => isNew && fields !== null)

const inRank = (side: Side): Side => side.toSorted((a, b) => rankOf(a) - rankOf(b))

function inOrderOfTimes(side: Side): Side {
  const times = new Map(side.map((record) => [record, timesOf(record)]))
  return side.toSorted((a, b) =>
    (times.get(a) ?? '') < (times.get(b) ?? '') ? -1 : Number(times.get(a) !== times.get(b)),
  )
}

const timesOf = ({ fields }: Changed) =>
  Object.entries(fields ?? {})
    .map(([name, value]) => (isTime(name, value) ? String(value) : ''))
    .join()

function partition<T>(values: readonly T[], is: (value: T) => boolean): [T[], T[]] {
  const yes: T[] = []
  const no: T[] = []
  for (const value of values) (is(value) ? yes : no).push(value)
  return [yes, no]
}

/** How many records have each content. */
function countsOf({ content }: Labels): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const label of content.values()) counts.set(label, (counts.get(label) ?? 0) + 1)
  return counts
}
