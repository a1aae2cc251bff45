// Moves the clock, and reports what that caused: repeated and purged tasks, and chunks of jobs.
import type { ComponentChildren } from 'preact'
import type { Overview } from '../../../adapters/control-api/inspect.ts'
import { formatQuantity, numberText } from '../format.ts'
import { type ActOptions, type ScopedRun, useConsole, type ViewId } from './context.ts'
import { Action, Button } from './controls.tsx'

type Past = Overview['past'][number]

const shownHappenings = 5

interface DescribedHappening {
  readonly what: string
  readonly name: string
  readonly open?: readonly [view: ViewId, change: Readonly<Record<string, string | undefined>>]
}

/** Describes what the clock caused, and where the console shows its record. */
export function describeHappening({ kind, id, name, job }: Past): DescribedHappening {
  if (job) {
    const what = `Job ${job.status}, ${numberText(job.handled)} of ${formatQuantity(job.submitted, 'row')} into ${name}`
    return { what, name: id, open: ['time', {}] }
  }
  if (kind === 'purge') return { what: 'Task purged', name }
  return { what: 'Task repeated', name, open: ['state', { part: 'tasks', list: undefined, task: id }] }
}

/** @returns a function that takes a message and a move, and returns the options of an action that moves the clock */
export function useClockMove() {
  const { show } = useConsole()
  return (done: string, move: ScopedRun): ActOptions & { readonly run: ScopedRun } => {
    let found: readonly Past[] = []
    const run: ScopedRun = async (controls, sandbox) => {
      const before = await controls.inspect.overview()
      await move(controls, sandbox)
      const { past } = await controls.inspect.overview()
      const last = before.past.at(-1)?.number ?? 0
      const brought = past.filter(({ number }) => number > last)
      // Only the last step of a job is kept.
      found = [...new Map(brought.map((one) => [`${one.kind} ${one.id}`, one])).values()]
    }
    const showOne = (happening: Past): ComponentChildren[] => {
      const { what, name, open } = describeHappening(happening)
      return [
        ` ${what}: `,
        open ? <Button class="link" onClick={() => show(...open)} text={name} /> : name,
        '.',
      ]
    }
    const message = () => [
      done,
      ...found.slice(0, shownHappenings).flatMap(showOne),
      found.length > shownHappenings && [
        ' ',
        <Button
          class="link"
          onClick={() => show('time', { all: 'on' })}
          text={`And ${numberText(found.length - shownHappenings)} more: see the timeline`}
        />,
        '.',
      ],
    ]
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
