// Checks that the undisturbed client is at rest: one run makes nothing twice, and a second run repeats no change.
import type { Changed } from '../../compare/changes.ts'
import { sentFields } from '../acts.ts'
import { jsonOf } from '../expectation.ts'
import type { BaselineEnd } from '../../compare/baseline-end.ts'
import type { RunRecord } from '../runner.ts'
import { statementOf, type Statement } from '../statement.ts'
import { formatRecord } from '../texts.ts'

const lookUp = 'Before creating a record, look it up by a key of its own, such as its id in the source.'
const goOn =
  'Save where the client stopped, use ids to skip what it has already read, and recognise its own records.'
const keepDates =
  'Do not write back dates that were only read; use UTC when converting times, in both directions.'
/** A date moved by at most this much was shifted by a time zone or a day; a longer shift is deliberate. */
const longestShiftSeconds = 86_400

const isCreated = ({ was, fields, resource }: Changed) =>
  was === null && fields !== null && fields.deleted !== true && resource !== 'file'

/** A record's text without generated ids and times; undefined if nothing in it distinguishes the record. */
function contentOf({ resource, outline }: Changed): string | undefined {
  return /:"[^"\0]{3,}"/.test(outline.text) ? resource + outline.text : undefined
}

function groupByContent(records: Iterable<Changed>): Map<string, Changed[]> {
  const groups = new Map<string, Changed[]>()
  for (const record of records) {
    const content = isCreated(record) ? contentOf(record) : undefined
    if (content === undefined) continue
    const group = groups.get(content)
    if (group) group.push(record)
    else groups.set(content, [record])
  }
  return groups
}

/** Whether a client had read its own record before it made an equal one. */
function hasReadBefore({ journal }: RunRecord, [first, second]: readonly (Changed | undefined)[]): boolean {
  const made = journal().findIndex(({ changes }) => changes.some(({ id }) => id === second?.id))
  return journal()
    .slice(0, made)
    .some(
      ({ method, status, responseBody }) =>
        method === 'GET' &&
        status === 200 &&
        JSON.stringify(jsonOf(responseBody) ?? null).includes(`"id":"${String(first?.id)}"`),
    )
}

/** Finds equal records made in one run. */
export function judgeRepeats(
  first: RunRecord,
  changes: Iterable<Changed>,
  isInsisting: boolean,
): Statement[] {
  const repeated = [...groupByContent(changes).values()].filter((group) => group.length > 1)
  const read = repeated.find((group) => hasReadBefore(first, group))
  const [record] = read ?? repeated[0] ?? []
  if (!record) return []
  const how = read ? ', although it had already read the first one' : ''
  const message = `without a fault, one run creates ${formatRecord(record)} ${String((read ?? repeated[0])?.length)} times${how}`
  const severity = read || isInsisting ? 'warning' : 'info'
  return [statementOf('at rest', message, lookUp, { severity, cause: `${record.resource} twice` })]
}

/** Finds records that a second run, on the state the first left, creates again. */
export function judgeRepeatedRun(
  first: RunRecord,
  second: RunRecord,
  baseline: BaselineEnd,
  isInsisting: boolean,
): Statement[] {
  const before = baseline.findChanges(first.end)
  const added = [...baseline.findChanges(second.end)].filter(([key]) => !before.has(key))
  const groups = groupByContent(before.values())
  const statements: Statement[] = []
  for (const resource of new Set(added.map(([, one]) => one.resource))) {
    const again = added.flatMap(([, one]) => {
      const same = one.resource === resource && isCreated(one) ? groups.get(contentOf(one) ?? '') : undefined
      return same?.[0] ? [[same[0], one] as const] : []
    })
    const [one] = again
    if (!one) continue
    const made = [...before.values()].filter((record) => record.resource === resource && isCreated(record))
    const isPartial = again.length < made.length
    const isKept = first.kept.size > 1
    const isSeen = again.some((pair) => hasReadBefore(second, pair))
    const isCertain = isInsisting || isPartial || (isKept && (isSeen || again.length > 1))
    if (!isCertain) continue
    const more = again.length > 1 ? ` (and ${String(again.length - 1)} more)` : ''
    const message = `run again without a fault, it creates ${formatRecord(one[1])} again${more}`
    const severity = isInsisting ? 'error' : 'warning'
    statements.push(statementOf('at rest', message, goOn, { severity, cause: `${resource} again` }))
  }
  return [...statements, ...judgeDrift(first, second, before, baseline)]
}

const toSeconds = (value: unknown): number | undefined => {
  if (typeof value === 'number' && value > 1e9 && value < 1e10) return value
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\d/.test(value)) return undefined
  const ms = Date.parse(value)
  return Number.isNaN(ms) ? undefined : ms / 1000
}

/** Finds dates that each run moves by the same part of a day, as happens when the time zone is lost. */
function judgeDrift(
  first: RunRecord,
  second: RunRecord,
  before: ReturnType<BaselineEnd['findChanges']>,
  baseline: BaselineEnd,
): Statement[] {
  const elapsed = (second.end.clock.nowMs() - first.end.clock.nowMs()) / 1000
  for (const [key, record] of baseline.findChanges(second.end)) {
    const earlier = before.get(key)
    for (const [field, value] of Object.entries(record.fields ?? {})) {
      const [now, then] = [toSeconds(value), toSeconds(earlier?.fields?.[field])]
      const shift = now === undefined || then === undefined ? 0 : now - then
      const isPartOfDay = shift !== 0 && Math.abs(shift) <= longestShiftSeconds && shift % 900 === 0
      const source = second.journal().find(({ changes }) => changes.some(({ id }) => id === record.id))
      // A date sent alone is moved on purpose; a date that moves with the clock is derived from it.
      const isMixed = source && sentFields(source, record.resource === 'row').size > 1
      if (!isPartOfDay || !isMixed || Math.abs(shift - elapsed) < 60) continue
      const message = `run again without a fault, it moves ${field} of ${formatRecord(record)} again, by ${String(shift / 3600)} h`
      const more = { severity: 'warning', cause: `${record.resource} ${field} drifts` } as const
      return [statementOf('at rest', message, keepDates, more)]
    }
  }
  return []
}
