// Compares what two runs changed in the same initial state: new records with their counterparts, existing ones by id.
import { recordName, type Changed, type ChangedRecords, type NamedOutline } from './changes.ts'
import { Pairing } from './pairing.ts'
import type { GeneratedIds } from '../../service/store/counters.ts'

/** A difference between two states that started out equal. */
export interface StateDifference {
  /** `task`, `comment`, `row`, `file` … */
  readonly resource: string
  readonly change: 'twice' | 'missing' | 'added' | 'changed'
  /** The field that differs; for a row, the column's id. */
  readonly field?: string
  /** The record's title, name, text or id, as it was at the start if the record existed then. */
  readonly record: string
  /** The record's id, if it existed at the start. */
  readonly id?: string
  /** The field's value in the undisturbed run, or the number of records with this name. */
  readonly undisturbed: unknown
  /** The value or number in the disturbed run. */
  readonly disturbed: unknown
}

const mostDifferences = 50

type Side = readonly Changed[]

const listCreated = (records: ChangedRecords): Side =>
  [...records.values()].filter(({ was, fields }) => was === null && fields !== null)

/** Removes records that refer to another record in the set. */
function withoutParts(records: Side): Side {
  const owners = new Set<string>()
  const whole = records.filter((record) => {
    const isPart = record.outline.ids.some((id) => owners.has(id))
    owners.add(record.id)
    return !isPart
  })
  return whole.slice(0, mostDifferences)
}

function compareFields(
  pairing: Pairing,
  one: NamedOutline,
  other: NamedOutline,
  names: Pick<StateDifference, 'record' | 'id'> = { record: recordName(one) },
): StateDifference[] {
  const { resource } = one
  const [a, b] = [one.fields ?? {}, other.fields ?? {}]
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].flatMap((field) => {
    const [undisturbed, disturbed] = [a[field], b[field]]
    // Not compared, because it follows from the duration.
    if (resource === 'time entry' && field === 'date_end') return []
    if (pairing.isSame(field, undisturbed, disturbed)) return []
    return [{ resource, change: 'changed', field, ...names, undisturbed, disturbed }]
  })
}

/** Compares run `b` with the undisturbed run `a`. Changed fields come last. @param ignored resources to leave out */
export function compareRuns(
  a: ChangedRecords,
  b: ChangedRecords,
  ids: GeneratedIds,
  slackSeconds: number,
  ignored: ReadonlySet<string>,
): readonly StateDifference[] {
  const [newA, newB] = [listCreated(a), listCreated(b)]
  const pairing = new Pairing(newA, newB, ids, slackSeconds)
  const nameOf = (one: Changed) => ids.replaceIds(recordName(one), () => '?')
  /** Counts the records on one side that cannot be told apart from this one by resource and name. */
  const countNamesakes = (record: Changed, side: Side) => {
    const name = nameOf(record)
    const isNamesake = (one: Changed) => one.resource === record.resource && nameOf(one) === name
    return name === '?' ? 0 : side.filter(isNamesake).length
  }
  const missing = withoutParts(newA.filter((one) => pairing.missing.has(one))).map((one): StateDifference => {
    const undisturbed = Math.max(1, countNamesakes(one, newA))
    // If several records have this name, some of them may be present.
    const disturbed = undisturbed > 1 ? countNamesakes(one, newB) : 0
    return { resource: one.resource, change: 'missing', record: recordName(one), undisturbed, disturbed }
  })
  const extra = withoutParts(newB.filter((one) => pairing.extra.has(one))).map((one): StateDifference => {
    const content = pairing.extra.get(one)
    const disturbed = Math.max(content?.disturbed ?? 0, countNamesakes(one, newB))
    const undisturbed = Math.max(content?.undisturbed ?? 0, countNamesakes(one, newA))
    const change = disturbed > 1 && undisturbed > 0 ? 'twice' : 'added'
    return { resource: one.resource, change, record: recordName(one), undisturbed, disturbed }
  })
  // Records that existed before both runs.
  const existing = [...new Set([...a.keys(), ...b.keys()])].flatMap((key): StateDifference[] => {
    const [one, other] = [a.get(key), b.get(key)]
    const record = one ?? other
    if (!record?.was) return []
    const { resource, id, was } = record
    const before = { resource, id, fields: one ? one.fields : was }
    const after = { resource, id, fields: other ? other.fields : was }
    const names = { record: recordName({ resource, id, fields: was }), id }
    if (before.fields && after.fields) return compareFields(pairing, before, after, names)
    if (before.fields === after.fields) return []
    const counts = { undisturbed: Number(before.fields !== null), disturbed: Number(after.fields !== null) }
    return [{ resource, change: before.fields ? 'missing' : 'added', ...names, ...counts }]
  })
  const changed = pairing.differingPairs().flatMap(([one, other]) => compareFields(pairing, one, other))
  const differences = [...extra, ...missing, ...existing, ...changed].filter(
    ({ resource }) => !ignored.has(resource),
  )
  const isChange = ({ change }: StateDifference) => Number(change === 'changed')
  return differences.slice(0, mostDifferences).toSorted((x, y) => isChange(x) - isChange(y))
}
