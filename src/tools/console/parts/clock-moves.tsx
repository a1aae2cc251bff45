// Moves of the clock, whose message names what they brought: repeated and purged tasks, and chunks of jobs.
import type { ComponentChildren } from 'preact'
import type { Overview } from '../../../mock/controls/inspect/inspect.ts'
import { formatQuantity, numberText } from '../format.ts'
import { type ActOptions, type ScopedRun, useConsole, type ViewId } from './context.ts'
import { Action, Button } from './controls.tsx'

/** What a move brought, and where the console shows it. */
interface Happening {
  readonly what: string
  readonly name: string
  readonly open?: readonly [view: ViewId, change: Readonly<Record<string, string | undefined>>]
}

/** The overview has so many of what is due. */
const listedDue = 8
const shownHappenings = 5

function findHappenings(before: Overview, after: Overview): readonly Happening[] {
  const reached = before.due.filter(({ dueMs }) => dueMs <= after.clock.nowMs)
  const tasks = reached.flatMap(({ kind, id, name }): Happening[] => {
    if (kind === 'purge') return [{ what: 'task purged', name }]
    if (kind === 'job') return []
    const isKnown = (next: string) => before.due.some((one) => one.id === next)
    const clone = after.due.find((one) => one.kind === 'repeat' && one.name === name && !isKnown(one.id))
    return [{ what: 'task repeated', name, open: ['state', { part: 'tasks', task: clone?.id ?? id }] }]
  })
  const jobsOf = ({ workspaces }: Overview) => workspaces.flatMap((workspace) => workspace.jobs)
  const jobs = jobsOf(after).flatMap((job): Happening[] => {
    const { id, status, handled, submitted, table_name } = job
    const former = jobsOf(before).find((one) => one.id === id)
    if (!former || (former.handled === handled && former.status === status)) return []
    const what = `job ${status}, ${numberText(handled)} of ${formatQuantity(submitted, 'row')} into ${table_name}`
    return [{ what, name: id, open: ['time', {}] }]
  })
  return [...jobs, ...tasks]
}

/** @returns the options of an action that moves the clock, given its own message and what moves the clock */
export function useClockMove() {
  const { show } = useConsole()
  return (done: string, move: ScopedRun): ActOptions & { readonly run: ScopedRun } => {
    let found: readonly Happening[] = []
    let isWhole = true
    const run: ScopedRun = async (controls, sandbox) => {
      const before = await controls.inspect.overview()
      await move(controls, sandbox)
      const after = await controls.inspect.overview()
      found = findHappenings(before, after)
      isWhole = before.due.filter(({ dueMs }) => dueMs <= after.clock.nowMs).length < listedDue
    }
    const showOne = ({ what, name, open }: Happening): ComponentChildren[] => [
      ` ${what.charAt(0).toUpperCase()}${what.slice(1)}: `,
      open ? <Button class="link" onClick={() => show(...open)} text={name} /> : name,
      '.',
    ]
    const message = () => {
      const hasMore = !isWhole || found.length > shownHappenings
      return [done, ...found.slice(0, shownHappenings).flatMap(showOne), hasMore && ' And more.']
    }
    return { run, canUndo: true, done: message }
  }
}

export function ClockSteps({ steps, kind }: { steps: Readonly<Record<string, string>>; kind?: 'quiet' }) {
  const move = useClockMove()
  return Object.entries(steps).map(([by, text]) => (
    <Action
      key={by}
      {...{ kind, text, title: 'Advance the clock' }}
      {...move(`Advanced by ${by}.`, ({ clock }) => clock.advance({ by }))}
    />
  ))
}
