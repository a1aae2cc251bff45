// Time and jobs: the current time of the mock, buttons to change it, a timeline of the past and of what is due, the jobs.
import { pollMs } from '../../../../contract/limits.ts'
import type { JobRecord } from '../../../../contract/jobs.ts'
import type { DueOverview } from '../../../../controls/inspect/inspect.ts'
import type { ScheduleKind } from '../../../../store/schedule.ts'
import { isError, type RequestRow } from '../../live-state.ts'
import { countText, dateText, durationText, isoText, momentText, timeText, weekdays } from '../../format.ts'
import { Button } from '../../parts/button.tsx'
import { useConsole, useDraft, useNow } from '../../parts/context.ts'
import { Action, ClockSteps, SegmentedControl } from '../../parts/controls.tsx'
import { Field, Form, Input } from '../../parts/fields.tsx'
import { useScope } from '../../parts/scope.tsx'
import { Jobs } from './jobs.tsx'

const steps = { '1s': '+1 s', '1m': '+1 min', '1h': '+1 h', '1d': '+1 d', '30d': '+30 d' }

const modes = { manual: 'Manual', system: 'Running' }

const happenings: Readonly<Record<ScheduleKind, string>> = {
  job: 'A job advances',
  repeat: 'A task repeats',
  purge: 'A deleted task is purged',
}

/** The number of past moments that are listed. */
const pastShown = 6

interface Moment {
  readonly atMs: number
  readonly what: string
  /** A request to open. */
  readonly request?: number | undefined
}

/** When requests arrived and jobs ended, the latest last. */
function pastOf(all: readonly RequestRow[], jobs: readonly JobRecord[], nowMs: number): readonly Moment[] {
  const byMoment = Map.groupBy(all, ({ atMs }) => Math.floor(atMs / 1000) * 1000)
  const requests = [...byMoment].map(([atMs, at]): Moment => {
    const errors = at.filter(isError).length
    const what = `${countText(at.length, 'request')}${errors > 0 ? `, ${countText(errors, 'error')}` : ''}`
    return { atMs, what, request: at[0]?.id }
  })
  const ends = jobs.map(({ completed_ms, id, table_name, status }): Moment => {
    return { atMs: completed_ms ?? Infinity, what: `Job ${id} into ${table_name} ended: ${status}` }
  })
  return [...requests, ...ends]
    .filter(({ atMs }) => atMs <= nowMs)
    .sort((a, b) => a.atMs - b.atMs)
    .slice(-pastShown)
}

interface HappeningProps {
  readonly nowMs: number
}

function Past({ atMs, what, request, nowMs }: Moment & HappeningProps) {
  const { sandbox, openEntry } = useConsole()
  return (
    <li class="past">
      <span class="when">{momentText(atMs)}</span>
      <span class="what soft">{what}</span>
      <span class="aside">{nowMs - atMs < 1000 ? '' : `${durationText(nowMs - atMs)} ago`}</span>
      {request !== undefined && (
        <Button
          kind="quiet"
          label={`Open request ${String(request)}`}
          onClick={() => openEntry({ id: request, sandbox })}
        >
          Open
        </Button>
      )}
    </li>
  )
}

function Due({ kind, id, name, dueMs, nowMs }: DueOverview & HappeningProps) {
  const ms = Math.max(0, dueMs - nowMs)
  const what = `${happenings[kind]}: ${name}`
  return (
    <li>
      <span class="when">{momentText(dueMs)}</span>
      <span class="what">
        {what} <code class="aside">{id}</code>
      </span>
      <span class="aside">in {durationText(ms)}</span>
      <Action
        label={`Go there: ${what}`}
        canUndo
        done="Clock advanced."
        run={({ clock }) => clock.advance({ ms })}
      >
        Go there
      </Action>
    </li>
  )
}

/** The past, now, and what is due. */
function Timeline({ nowMs }: { readonly nowMs: number }) {
  const { due, workspaces } = useConsole().live.overview
  const jobs = workspaces.flatMap((workspace) => workspace.jobs)
  return (
    <ol class="sheet timeline">
      {pastOf(useScope().requests, jobs, nowMs).map((moment) => (
        <Past key={`${String(moment.atMs)} ${moment.what}`} {...moment} nowMs={nowMs} />
      ))}
      <li class="present" aria-current="time">
        <span class="when">{momentText(nowMs)}</span>
        <span class="what">Now</span>
      </li>
      {due.map((each) => (
        <Due key={`${each.kind}:${each.id}`} {...each} nowMs={nowMs} />
      ))}
      {due.length === 0 && (
        <li>
          <span class="when" />
          <span class="what aside">
            Nothing is due. Running jobs, tasks that repeat on schedule and deleted tasks are listed here.
          </span>
        </li>
      )}
    </ol>
  )
}

function SetForm({ nowMs }: { readonly nowMs: number }) {
  const [moment, setMoment] = useDraft('moment', '')
  const [length, setLength] = useDraft('length', '')
  /** Whole Unix seconds; NaN if the moment is empty or invalid. */
  const now = Math.floor(Date.parse(`${moment}Z`) / 1000)
  return (
    <div class="pair">
      <Form class="inline" run={({ clock }) => clock.change({ now })} done="Clock set." canUndo>
        <Field label="Set to" hint="In UTC; can be in the past">
          <Input
            type="datetime-local"
            step="1"
            value={moment === '' ? isoText(nowMs).slice(0, 19) : moment}
            set={setMoment}
          />
        </Field>
        <Button disabled={Number.isNaN(now)}>Set</Button>
      </Form>
      <Form
        class="inline"
        run={({ clock }) => clock.advance({ by: length })}
        done={`Advanced by ${length}.`}
        canUndo
      >
        <Field label="Advance by" hint="500ms, 30s, 5m, 2h or 2d">
          <Input size={8} value={length} placeholder="90s" set={setLength} />
        </Field>
        <Button disabled={length === ''}>Advance</Button>
      </Form>
    </div>
  )
}

export function TimeView() {
  const { live, controls, act } = useConsole()
  const nowMs = useNow()
  const { mode } = live.overview.clock
  return (
    <>
      <div class="sheet face">
        <p class="soft">
          {weekdays[new Date(nowMs).getUTCDay()]}, {dateText(nowMs)} UTC
        </p>
        <p class="display">
          {timeText(nowMs)}
          <span class="ms">.{String(nowMs % 1000).padStart(3, '0')}</span>
        </p>
        <p class="soft">{Math.floor(nowMs / 1000)} Unix seconds</p>
        <div class="row">
          <ClockSteps steps={steps} />
        </div>
        <div class="row">
          <SegmentedControl
            legend="Mode of the clock"
            choices={modes}
            value={mode}
            onChange={(mode) => act(() => controls.clock.change({ mode }))}
          />
          <span class="aside">
            {mode === 'manual'
              ? `Advances only with these buttons and the clock controls, and by ${String(pollMs)} ms with each job poll.`
              : 'Runs in real time.'}
          </span>
        </div>
        <SetForm nowMs={nowMs} />
      </div>
      <h3 class="section">Timeline</h3>
      <Timeline nowMs={nowMs} />
      <h3 class="section">Jobs</h3>
      <Jobs />
    </>
  )
}
