// Pairs the records that two runs created, owners before their parts: first records with equal content, then the most alike.
import { getOrInsert } from '../../contract/data/maps.ts'
import { compareText } from '../../contract/text/format.ts'
import type { Changed } from './changes.ts'
import { areClose } from './moments.ts'
import type { GeneratedIds } from '../../service/store/counters.ts'
import { fillOutline, toOutline, type Outline } from './references.ts'

/** If there are more records than this, they are paired in order, not by likeness. */
const comparedByLikeness = 100

type ChangedSide = readonly Changed[]

interface Counts {
  undisturbed: number
  disturbed: number
}

export class Pairing {
  /** Records from the undisturbed run without a counterpart. */
  readonly missing = new Set<Changed>()
  /** Records from the disturbed run without a counterpart, with how often their content occurs in each run. */
  readonly extra = new Map<Changed, Readonly<Counts>>()
  readonly #ids: GeneratedIds
  readonly #slackSeconds: number
  readonly #signatures: ReadonlyMap<Changed, string>
  readonly #pairs: (readonly [Changed, Changed])[] = []
  /** Ids from the disturbed run, mapped to their counterparts in the undisturbed one. */
  readonly #counterparts = new Map<string, string>()
  readonly #known = new Set<string>()

  constructor(a: ChangedSide, b: ChangedSide, ids: GeneratedIds, slackSeconds: number) {
    this.#ids = ids
    this.#slackSeconds = slackSeconds
    this.#signatures = signaturesOf([a, b])
    // Rows are paired within their table.
    const groupOf = ({ resource, fields }: Changed) =>
      resource === 'row' ? `row ${String(fields?.table_id)}` : resource
    for (const group of new Set([...a, ...b].map(groupOf))) {
      const isOne = (record: Changed) => groupOf(record) === group
      this.#pairResource(inOrderOfTimes(a.filter(isOne)), inOrderOfTimes(b.filter(isOne)))
    }
  }

  differingPairs(): (readonly [Changed, Changed])[] {
    return this.#pairs.filter(([one, other]) => !this.#areSame(one.outline, other.outline))
  }

  /** Whether two values are equal when ids of paired records are treated as equal. */
  isSame(name: string, a: unknown, b: unknown): boolean {
    return this.#areSame(toOutline(this.#ids, { [name]: a }), toOutline(this.#ids, { [name]: b }))
  }

  #areSame(a: Outline, b: Outline): boolean {
    const isSameText = fillOutline(a, this.#counterpartOf) === fillOutline(b, this.#ifKnown)
    return isSameText && areClose(a.times, b.times, this.#slackSeconds)
  }

  readonly #counterpartOf = (id: string): string => this.#counterparts.get(id) ?? '?'
  readonly #ifKnown = (id: string): string => (this.#known.has(id) ? id : '?')

  #pairResource(a: ChangedSide, b: ChangedSide): void {
    const contents = new Map<Changed, string>()
    const counts = new Map<string, Counts>()
    const count = (records: ChangedSide, side: keyof Counts, idOf: (id: string) => string) => {
      for (const record of records) {
        const content = fillOutline(record.outline, (id) => (id === record.id ? 'itself' : idOf(id)))
        contents.set(record, content)
        getOrInsert(counts, content, () => ({ undisturbed: 0, disturbed: 0 }))[side] += 1
      }
    }
    count(a, 'undisturbed', this.#counterpartOf)
    count(b, 'disturbed', this.#ifKnown)
    const contentOf = (record: Changed) => contents.get(record) ?? ''
    const signatureOf = (record: Changed) => this.#signatures.get(record) ?? ''
    // Among records with equal content, pair those with equal incoming references first.
    const unequal = this.#pairBy((record) => contentOf(record) + signatureOf(record), a, b)
    const [left, extra] = this.#pairBy(contentOf, ...unequal)
    for (const other of extra) {
      const content = counts.get(contentOf(other))
      if (content) this.extra.set(other, content)
    }
    // A surplus copy of a record that both runs have must not become another record's counterpart.
    this.#pairAlike(
      left,
      extra.filter((other) => this.extra.get(other)?.undisturbed === 0),
    )
  }

  /** Pairs records that have the same key, in order. @returns the unpaired ones */
  #pairBy(keyOf: (record: Changed) => string, a: ChangedSide, b: ChangedSide): [ChangedSide, ChangedSide] {
    const byKey = new Map<string, Changed[]>()
    for (const other of b) getOrInsert(byKey, keyOf(other), () => []).push(other)
    const free = new Set(b)
    const left = a.filter((one) => {
      const other = byKey.get(keyOf(one))?.shift()
      if (!other) return true
      free.delete(other)
      this.#match(one, other)
      return false
    })
    return [left, [...free]]
  }

  #pairAlike(a: ChangedSide, free: Changed[]): void {
    for (const one of a) {
      const compared = free.slice(0, a.length > comparedByLikeness ? 1 : comparedByLikeness)
      const likeness = compared.map((other) => this.#measureLikeness(one, other))
      const best = compared[likeness.indexOf(Math.max(...likeness))]
      if (!best) {
        this.missing.add(one)
        continue
      }
      free.splice(free.indexOf(best), 1)
      this.extra.delete(best)
      this.#match(one, best)
    }
  }

  #measureLikeness(one: Changed, other: Changed): number {
    const fields = Object.entries(one.fields ?? {})
    return fields.filter(([name, value]) => this.isSame(name, value, other.fields?.[name])).length
  }

  #match(one: Changed, other: Changed): void {
    this.#pairs.push([one, other])
    const ids = [other.id, ...other.outline.nested]
    for (const [index, id] of [one.id, ...one.outline.nested].entries()) {
      const counterpart = ids[index]
      if (counterpart === undefined) continue
      this.#counterparts.set(id, counterpart)
      this.#known.add(counterpart)
    }
  }
}

function inOrderOfTimes(side: ChangedSide): ChangedSide {
  const times = new Map(side.map((record) => [record, record.outline.times.join()]))
  return side.toSorted((a, b) => compareText(times.get(a) ?? '', times.get(b) ?? ''))
}

/** The longest chain of references to follow, such as comment, task, list, space. */
const longestChain = 4

/** Computes signatures. A signature tells records with equal content apart by the records that refer to them, such as comments. */
function signaturesOf(runs: readonly ChangedSide[]): ReadonlyMap<Changed, string> {
  const names = new Map<string, string>()
  // Uses short names, because signatures are nested in other signatures.
  const nameOf = (text: string) => getOrInsert(names, text, () => `#${String(names.size)}`)
  const all = runs.flatMap((records) => {
    const owners = new Map(
      records.flatMap((record) => [record.id, ...record.outline.nested].map((id) => [id, record])),
    )
    const contents = new Map(records.map((record) => [record, nameOf(record.outline.text)]))
    const signatures = new Map(contents)
    for (let round = 0; round < longestChain; round++) {
      const incoming = new Map<Changed, string[]>()
      for (const [record, signature] of signatures)
        for (const id of record.outline.ids) {
          const owner = owners.get(id)
          if (owner && owner !== record) getOrInsert(incoming, owner, () => []).push(signature)
        }
      for (const [record, from] of incoming)
        signatures.set(record, nameOf(`${contents.get(record) ?? ''} ${from.sort().join()}`))
    }
    return [...signatures]
  })
  return new Map(all)
}
