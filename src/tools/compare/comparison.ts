// Compares the changes that two runs made to one state: created records with their counterparts, the others by id.
import { recordName, type Changed, type ChangedRecords, type NamedOutline } from './changes.ts'
import { Pairing } from './pairing.ts'
import type { GeneratedIds } from '../../service/store/generated-ids.ts'

/** A difference between two states that began equal. */
export interface StateDifference {
  /** `task`, `comment`, `row`, `file` … */
  readonly resource: string
  readonly change: 'twice' | 'missing' | 'added' | 'changed'
  /** The field that differs; for a row the id of the column. */
  readonly field?: string
  /** Title, name, text or id of the record. */
  readonly record: string
  /** In the undisturbed run: the value of the field, or the number of such records. */
  readonly undisturbed: unknown
  /** The same in the disturbed run. */
  readonly disturbed: unknown
}

const mostDifferences = 50

type Side = readonly Changed[]

const listCreated = (records: ChangedRecords): Side =>
  [...records.values()].filter(({ was, fields }) => was === null && fields !== null)

const existence = (record: NamedOutline, change: 'missing' | 'added') => ({
  resource: record.resource,
  change,
  record: recordName(record),
  undisturbed: change === 'missing' ? 1 : 0,
  disturbed: change === 'missing' ? 0 : 1,
})

/** Records without those that refer to another one of them. */
function withoutParts(records: Side): Side {
  const owners = new Set<string>()
  const whole = records.filter((record) => {
    const isPart = record.outline.ids.some((id) => owners.has(id))
    owners.add(record.id)
    return !isPart
  })
  return whole.slice(0, mostDifferences)
}

function findExtra({ extra }: Pairing, newA: Side, newB: Side, ids: GeneratedIds): StateDifference[] {
  const nameOf = (record: Changed) => ids.replaceIds(recordName(record), () => '?')
  return withoutParts(newB.filter((one) => extra.has(one))).map((record) => {
    const { resource } = record
    const name = nameOf(record)
    const isNamesake = (other: Changed) =>
      other.resource === resource && nameOf(other) === name && name !== '?'
    const content = extra.get(record)
    const disturbed = Math.max(content?.disturbed ?? 0, newB.filter(isNamesake).length)
    const undisturbed = Math.max(content?.undisturbed ?? 0, newA.filter(isNamesake).length)
    const change = disturbed > 1 && undisturbed > 0 ? 'twice' : 'added'
    return { resource, change, record: recordName(record), undisturbed, disturbed }
  })
}

function compareFields(pairing: Pairing, one: NamedOutline, other: NamedOutline): StateDifference[] {
  const { resource } = one
  const [a, b] = [one.fields ?? {}, other.fields ?? {}]
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].flatMap((field) => {
    const [undisturbed, disturbed] = [a[field], b[field]]
    // It follows from the duration.
    if (resource === 'time entry' && field === 'date_end') return []
    if (pairing.isSame(field, undisturbed, disturbed)) return []
    return [{ resource, change: 'changed', field, record: recordName(one), undisturbed, disturbed }]
  })
}

/** Compares records that existed before the runs. */
function compareExisting(pairing: Pairing, a: ChangedRecords, b: ChangedRecords): StateDifference[] {
  return [...new Set([...a.keys(), ...b.keys()])].flatMap((key) => {
    const [one, other] = [a.get(key), b.get(key)]
    const record = one ?? other
    if (!record?.was) return []
    const { resource, id, was } = record
    const before = { resource, id, fields: one ? one.fields : was }
    const after = { resource, id, fields: other ? other.fields : was }
    if (before.fields && after.fields) return compareFields(pairing, before, after)
    if (before.fields) return [existence(before, 'missing')]
    return after.fields ? [existence(after, 'added')] : []
  })
}

/**
 * Compares another run `b` with the undisturbed run `a`. Changed fields come last.
 * @param ignored resources that are not compared
 */
export function compareRuns(
  a: ChangedRecords,
  b: ChangedRecords,
  ids: GeneratedIds,
  slackSeconds: number,
  ignored: ReadonlySet<string>,
): readonly StateDifference[] {
  const [newA, newB] = [listCreated(a), listCreated(b)]
  const pairing = new Pairing(newA, newB, ids, slackSeconds)
  const missing = withoutParts(newA.filter((one) => pairing.missing.has(one)))
  const differences = [
    ...findExtra(pairing, newA, newB, ids),
    ...missing.map((record) => existence(record, 'missing')),
    ...compareExisting(pairing, a, b),
    ...pairing.differingPairs().flatMap(([one, other]) => compareFields(pairing, one, other)),
  ].filter(({ resource }) => !ignored.has(resource))
  const isChange = ({ change }: StateDifference) => Number(change === 'changed')
  return differences.slice(0, mostDifferences).toSorted((x, y) => isChange(x) - isChange(y))
}
