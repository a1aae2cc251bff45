// Pairs the records that two runs created, owners first: those of the same content, then those most alike.
import { entryOf } from '../contract/values/entries.ts'
import type { Changed } from './end-state.ts'
import { isSame } from './moments.ts'
import { filled, withIds, type GeneratedIds } from './references.ts'
import { signaturesOf } from './signatures.ts'

/** More leftover records than these are paired in order, not by likeness. */
const comparedByLikeness = 100

type Side = readonly Changed[]

/** How often something exists in the undisturbed run, and in the disturbed one. */
export interface Counts {
  readonly undisturbed: number
  readonly disturbed: number
}

export class Pairing {
  readonly #pairs: (readonly [Changed, Changed])[] = []
  /** Records of the undisturbed run without a counterpart. */
  readonly missing = new Set<Changed>()
  /** Records of the disturbed run without a counterpart, with how often their content exists. */
  readonly extra = new Map<Changed, Counts>()
  readonly #ids: GeneratedIds
  readonly #slackSeconds: number
  readonly #sides: readonly [Side, Side]
  /** Ids of the disturbed run by those of the undisturbed one. */
  readonly #counterparts = new Map<string, string>()
  readonly #known = new Set<string>()
  #signatures: ReadonlyMap<Changed, string> | undefined

  constructor(a: Side, b: Side, ids: GeneratedIds, slackSeconds: number) {
    this.#sides = [a, b]
    this.#ids = ids
    this.#slackSeconds = slackSeconds
    for (const resource of new Set([...a, ...b].map((record) => record.resource))) {
      const isOne = (record: Changed) => record.resource === resource
      this.#pairResource(a.filter(isOne), b.filter(isOne))
    }
  }

  /** Pairs in which something differs; few do. */
  differing(): (readonly [Changed, Changed])[] {
    return this.#pairs.filter(([one, other]) => {
      const [a, b] = [one.outline(this.#ids), other.outline(this.#ids)]
      const isEqual = filled(a, this.#counterpart) === filled(b, this.#itself)
      return !isEqual || !isSame(a.times, b.times, this.#slackSeconds)
    })
  }

  /** Whether two values are the same where paired records have the same id. */
  isSame(a: unknown, b: unknown, name: string): boolean {
    const left = withIds(a, (text) => this.#ids.replaced(text, this.#counterpart))
    const right = withIds(b, (text) => this.#ids.replaced(text, this.#itself))
    return isSame(left, right, this.#slackSeconds, name)
  }

  readonly #counterpart = (id: string): string => this.#counterparts.get(id) ?? '?'
  readonly #itself = (id: string): string => (this.#known.has(id) ? id : '?')

  #pairResource(a: Side, b: Side): void {
    const groups = new Map<string, { readonly a: Changed[]; readonly b: Changed[] }>()
    const groupOf = (content: string) => entryOf(groups, content, () => ({ a: [], b: [] }))
    for (const one of a) groupOf(filled(one.outline(this.#ids), this.#counterpart)).a.push(one)
    for (const other of b) groupOf(filled(other.outline(this.#ids), this.#itself)).b.push(other)
    const left: Changed[] = []
    const free: Changed[] = []
    for (const group of groups.values()) {
      const [restA, restB] = this.#pairEqual(group.a, group.b)
      left.push(...restA)
      const counts = { undisturbed: group.a.length, disturbed: group.b.length }
      for (const other of restB) this.extra.set(other, counts)
      // What exists on both sides, but more often, is the counterpart of nothing else.
      if (group.a.length === 0) free.push(...restB)
    }
    this.#pairAlike(left, free)
  }

  #match(one: Changed, other: Changed): void {
    const nested = other.outline(this.#ids).nested
    one.outline(this.#ids).nested.forEach((id, index) => this.#knows(id, nested[index]))
    this.#knows(one.id, other.id)
    this.#pairs.push([one, other])
    this.extra.delete(other)
  }

  #knows(id: string, counterpart: string | undefined): void {
    if (counterpart === undefined) return
    this.#counterparts.set(id, counterpart)
    this.#known.add(counterpart)
  }

  /** Pairs records of one content, first those to which the same refers. @returns what is left over */
  #pairEqual(a: Side, b: Side): readonly [Side, Side] {
    const [one, other] = [a[0], b[0]]
    if (!one || !other) return [a, b]
    if (a.length === 1 && b.length === 1) {
      this.#match(one, other)
      return [[], []]
    }
    this.#signatures ??= signaturesOf(this.#sides, this.#ids)
    const signatures = this.#signatures
    const bySignature = new Map<string, Changed[]>()
    const free = new Set(this.#inOrderOfTimes(b))
    for (const record of free) entryOf(bySignature, signatures.get(record) ?? '', () => []).push(record)
    const pair = (left: Side, counterpartOf: (record: Changed) => Changed | undefined) =>
      left.filter((record) => {
        const counterpart = counterpartOf(record)
        if (!counterpart) return true
        free.delete(counterpart)
        this.#match(record, counterpart)
        return false
      })
    const left = pair(this.#inOrderOfTimes(a), (record) =>
      bySignature.get(signatures.get(record) ?? '')?.shift(),
    )
    const rest = pair(left, () => free.values().next().value)
    return [rest, [...free]]
  }

  #inOrderOfTimes(side: Side): Side {
    const times = new Map(side.map((record) => [record, record.outline(this.#ids).times.join()]))
    return side.toSorted((x, y) =>
      (times.get(x) ?? '') < (times.get(y) ?? '') ? -1 : Number(times.get(x) !== times.get(y)),
    )
  }

  /** Pairs what is left of a resource by likeness. */
  #pairAlike(a: Side, free: Changed[]): void {
    for (const one of a) {
      const compared = free.slice(0, a.length > comparedByLikeness ? 1 : comparedByLikeness)
      const likeness = compared.map((other) => this.#likeness(one, other))
      const best = compared[likeness.indexOf(Math.max(...likeness))]
      if (!best) {
        this.missing.add(one)
        continue
      }
      free.splice(free.indexOf(best), 1)
      this.#match(one, best)
    }
  }

  #likeness(one: Changed, other: Changed): number {
    const fields = Object.entries(one.fields ?? {})
    return fields.filter(([name, value]) => this.isSame(value, other.fields?.[name], name)).length
  }
}
