// Compares the changes that two runs made to the same state: created records with their counterparts, whatever their ids, and the others by id.
import { recordName, type Changed, type ChangedRecords, type NamedOutline } from './changes.ts'
import { Pairing } from './pairing.ts'
import type { GeneratedIds } from './references.ts'

/** A difference between two states that began as the same. */
export interface StateDifference {
  /** `task`, `comment`, `row`, `file` … */
  readonly resource: string
  readonly change: 'twice' | 'missing' | 'added' | 'changed'
  /** The field that differs; for a row the id of the column. */
  readonly field?: string
  /** Title, name, text or id of the record. */
  readonly record: string
  /** In the state compared with: the value of the field, or the number of such records. */
  readonly undisturbed: unknown
  /** The same in the compared state. */
  readonly disturbed: unknown
}

const mostDifferences = 50

/** The comparison of an undisturbed run `a` with another run `b`. */
export class Comparison {
  readonly #ids: GeneratedIds
  readonly #ignored: ReadonlySet<string>
  readonly #newA: readonly Changed[]
  readonly #newB: readonly Changed[]
  readonly #pairing: Pairing
  readonly #differences: StateDifference[] = []

  /** @param ignored resources that are not compared */
  constructor(
    a: ChangedRecords,
    b: ChangedRecords,
    ids: GeneratedIds,
    slackSeconds: number,
    ignored: ReadonlySet<string>,
  ) {
    this.#ids = ids
    this.#ignored = ignored
    this.#newA = createdIn(a)
    this.#newB = createdIn(b)
    this.#pairing = new Pairing(this.#newA, this.#newB, ids, slackSeconds)
    this.#reportExtra()
    this.#reportMissing()
    this.#compareExisting(a, b)
    for (const [one, other] of this.#pairing.differingPairs()) this.#compareFields(one, other)
  }

  /** Changed fields come last. */
  get differences(): readonly StateDifference[] {
    return this.#differences.toSorted(
      (x, y) => Number(x.change === 'changed') - Number(y.change === 'changed'),
    )
  }

  #add(difference: StateDifference): void {
    if (this.#differences.length < mostDifferences && !this.#ignored.has(difference.resource))
      this.#differences.push(difference)
  }

  #reportExtra(): void {
    const { extra } = this.#pairing
    for (const record of this.#withoutParts(this.#newB, (one) => extra.has(one))) {
      const alike = (side: readonly Changed[]) =>
        side.filter((other) => this.#isNamesake(other, record)).length
      const content = extra.get(record)
      const disturbed = Math.max(content?.disturbed ?? 0, alike(this.#newB))
      const undisturbed = Math.max(content?.undisturbed ?? 0, alike(this.#newA))
      const change = disturbed > 1 && undisturbed > 0 ? 'twice' : 'added'
      this.#add({ resource: record.resource, change, record: recordName(record), undisturbed, disturbed })
    }
  }

  #reportMissing(): void {
    const { missing } = this.#pairing
    for (const record of this.#withoutParts(this.#newA, (one) => missing.has(one))) {
      const { resource } = record
      this.#add({ resource, change: 'missing', record: recordName(record), undisturbed: 1, disturbed: 0 })
    }
  }

  /** Records without a counterpart, except those that refer to another such record. */
  #withoutParts(side: readonly Changed[], isUnmatched: (record: Changed) => boolean): readonly Changed[] {
    const owners = new Set<string>()
    const whole = side.filter(isUnmatched).filter((record) => {
      const isPart = record.outline.ids.some((id) => owners.has(id))
      owners.add(record.id)
      return !isPart
    })
    return whole.slice(0, mostDifferences)
  }

  /** Whether two records have the same resource and name. */
  #isNamesake(one: Changed, other: Changed): boolean {
    if (one.resource !== other.resource) return false
    const [a, b] = [one, other].map((record) => this.#ids.replaceIds(recordName(record), () => '?'))
    return a === b && a !== '?'
  }

  #compareFields(one: NamedOutline, other: NamedOutline): void {
    const { resource } = one
    const [a, b] = [one.fields ?? {}, other.fields ?? {}]
    for (const field of new Set([...Object.keys(a), ...Object.keys(b)])) {
      const [undisturbed, disturbed] = [a[field], b[field]]
      // The end follows from the duration.
      if (resource === 'time entry' && field === 'date_end') continue
      if (!this.#pairing.isSame(field, undisturbed, disturbed))
        this.#add({ resource, change: 'changed', field, record: recordName(one), undisturbed, disturbed })
    }
  }

  /** Compares records that existed before the runs. */
  #compareExisting(a: ChangedRecords, b: ChangedRecords): void {
    for (const key of new Set([...a.keys(), ...b.keys()])) {
      const [one, other] = [a.get(key), b.get(key)]
      const record = one ?? other
      if (!record?.was) continue
      const { resource, id, was } = record
      const before = { resource, id, fields: one ? one.fields : was }
      const after = { resource, id, fields: other ? other.fields : was }
      if (before.fields && after.fields) this.#compareFields(before, after)
      else if (before.fields)
        this.#add({ ...existence(before), change: 'missing', undisturbed: 1, disturbed: 0 })
      else if (after.fields) this.#add({ ...existence(after), change: 'added', undisturbed: 0, disturbed: 1 })
    }
  }
}

const createdIn = (records: ChangedRecords): readonly Changed[] =>
  [...records.values()].filter(({ was, fields }) => was === null && fields !== null)

const existence = (record: NamedOutline) => ({ resource: record.resource, record: recordName(record) })
