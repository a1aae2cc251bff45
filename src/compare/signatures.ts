// Signatures, which distinguish records with the same content by the records that refer to them, such as comments.
import { getOrInsert } from '../contract/data/maps.ts'
import type { Changed } from './changes.ts'

/** Longest chain of references that is followed, such as comment, task, list, space. */
const rounds = 4

/** Equal across runs if the records and everything that refers to them are equal. */
export function signaturesOf(runs: readonly (readonly Changed[])[]): ReadonlyMap<Changed, string> {
  const names = new Map<string, string>()
  // Short names, since a signature is part of others.
  const nameOf = (text: string) => getOrInsert(names, text, () => `#${String(names.size)}`)
  return new Map(runs.flatMap((records) => [...signaturesOfRun(records, nameOf)]))
}

function signaturesOfRun(
  records: readonly Changed[],
  nameOf: (text: string) => string,
): ReadonlyMap<Changed, string> {
  const owners = new Map(
    records.flatMap((record) => [record.id, ...record.outline.nested].map((id) => [id, record])),
  )
  const contents = new Map(records.map((record) => [record, nameOf(record.outline.text)]))
  const signatures = new Map(contents)
  for (let round = 0; round < rounds; round++) {
    const incoming = new Map<Changed, string[]>()
    for (const [record, signature] of signatures)
      for (const id of record.outline.ids) {
        const owner = owners.get(id)
        if (owner && owner !== record) getOrInsert(incoming, owner, () => []).push(signature)
      }
    for (const [record, from] of incoming)
      signatures.set(record, nameOf(`${contents.get(record) ?? ''} ${from.sort().join()}`))
  }
  return signatures
}
