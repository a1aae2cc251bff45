// Signatures tell records of the same content apart by what refers to them: of two tasks the one with the comment.
import { entryOf } from '../contract/values/entries.ts'
import type { Changed } from './end-state.ts'
import type { GeneratedIds } from './references.ts'

/** Longest chain of references that is followed, such as comment, task, list, space. */
const rounds = 4

/** The signatures of the records of several runs; equal across runs where the records and all that refers to them are. */
export function signaturesOf(
  runs: readonly (readonly Changed[])[],
  ids: GeneratedIds,
): ReadonlyMap<Changed, string> {
  const names = new Map<string, string>()
  // Short names, since a signature is part of others.
  const nameOf = (text: string) => entryOf(names, text, () => `#${String(names.size)}`)
  const all = new Map<Changed, string>()
  for (const records of runs)
    for (const [record, signature] of signaturesOfRun(records, ids, nameOf)) all.set(record, signature)
  return all
}

function signaturesOfRun(
  records: readonly Changed[],
  ids: GeneratedIds,
  nameOf: (text: string) => string,
): ReadonlyMap<Changed, string> {
  const outlines = records.map((record) => [record, record.outline(ids)] as const)
  const owners = new Map(
    outlines.flatMap(([record, { nested }]) => [record.id, ...nested].map((id) => [id, record])),
  )
  const signatures = new Map(outlines.map(([record, { text }]) => [record, nameOf(text)]))
  for (let round = 0; round < rounds; round++) {
    const incoming = new Map<Changed, string[]>()
    for (const [record, outline] of outlines)
      for (const id of outline.ids) {
        const owner = owners.get(id)
        if (owner && owner !== record) entryOf(incoming, owner, () => []).push(signatures.get(record) ?? '')
      }
    for (const [record, from] of incoming)
      signatures.set(record, nameOf(`${record.outline(ids).text} ${from.sort().join()}`))
  }
  return signatures
}
