// Labels for the records that a run created: two records have the same label where content and references, in both
// directions, are the same, whatever their ids.
import { entryOf } from '../contract/values/entries.ts'
import type { Changed } from './end-state.ts'
import { isTime } from './moments.ts'
import { nestedIds, withIds, type GeneratedIds } from './references.ts'

/** Gives equal texts equal short names, over both runs. */
export class Names {
  readonly #names = new Map<string, string>()

  of(text: string): string {
    return entryOf(this.#names, text, () => `#${String(this.#names.size)}`)
  }
}

const withoutTimes = (name: string, value: unknown) => (isTime(name, value) ? null : value)

/** Rounds in which labels spread along references; a chain is as long as space, list, task, comment. */
const rounds = 5

export interface Labels {
  /** By id: content and references in both directions. */
  readonly whole: ReadonlyMap<string, string>
  /** By id: content and what it refers to. */
  readonly content: ReadonlyMap<string, string>
}

export function labelsOf(
  records: readonly Changed[],
  ids: GeneratedIds,
  names: Names,
  fieldsOf: (record: Changed) => unknown,
): Labels {
  const labels = new Map(records.map(({ id, resource }) => [id, resource]))
  const nested = new Map<string, readonly [owner: string, place: string]>()
  const isGenerated = (id: string) => ids.replaced(id, () => '') === ''
  for (const { id, fields } of records)
    for (const [inner, place] of nestedIds(fields, isGenerated)) nested.set(inner, [id, place])
  const labelOf = (id: string): string => {
    const [owner, place] = nested.get(id) ?? [id, '']
    return `<${labels.get(owner) ?? '?'}${place}>`
  }
  const content = new Map<string, string>()
  let distinct = 0
  for (let round = 0; round < rounds; round++) {
    const incoming = new Map<string, string[]>()
    const texts = records.map((record) => {
      const refer = (id: string) => {
        const owner = nested.get(id)?.[0] ?? id
        if (owner !== record.id) {
          const from = incoming.get(owner)
          if (from) from.push(labels.get(record.id) ?? '')
          else incoming.set(owner, [labels.get(record.id) ?? ''])
        }
        return labelOf(id)
      }
      const value = withIds(fieldsOf(record), (text) => ids.replaced(text, refer))
      return `${record.resource} ${JSON.stringify(value, withoutTimes)}`
    })
    records.forEach(({ id }, index) => {
      content.set(id, names.of(texts[index] ?? ''))
      labels.set(id, names.of(`${texts[index] ?? ''} ${(incoming.get(id) ?? []).sort().join()}`))
    })
    const count = new Set(labels.values()).size
    if (count === distinct) break
    distinct = count
  }
  return { whole: labels, content }
}
