// Serializes a value without the ids that a run generated, and fills ids back in.
import { compareText } from '../../contract/text/format.ts'
import type { GeneratedIds } from '../../service/store/counters.ts'
import { isTime } from './moments.ts'

/** Placeholder for an id; JSON never contains this character. */
const gap = '\0'

/** A value as JSON without generated ids and times, which are listed separately. */
export interface Outline {
  readonly text: string
  readonly ids: readonly string[]
  /** Ids of objects inside the value, such as the statuses of a new list. */
  readonly nested: readonly string[]
  readonly times: readonly number[]
}

export function toOutline(generated: GeneratedIds, value: object): Outline {
  const ids: string[] = []
  const nested: string[] = []
  const times: number[] = []
  const json = JSON.stringify(value, (name, inner: unknown) => {
    if (isTime(name, inner)) {
      if (typeof inner === 'number') times.push(inner)
      return null
    }
    if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) return inner
    // Sorted, because key order is not a difference.
    return inner instanceof Uint8Array
      ? new TextDecoder('latin1').decode(inner)
      : Object.fromEntries(Object.entries(inner).sort(([a], [b]) => compareText(a, b)))
  })
  const text = generated.replaceIds(json, (id, at) => {
    ids.push(id)
    if (json.endsWith('"id":"', at)) nested.push(id)
    return gap
  })
  return { text, ids, nested, times }
}

export function fillOutline({ text, ids }: Outline, by: (id: string) => string): string {
  let next = 0
  return ids.length === 0 ? text : text.replaceAll(gap, () => by(ids[next++] ?? ''))
}
