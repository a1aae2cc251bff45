// Time and jobs: the current time of the mock, buttons to change it, a timeline of the past and of what is due, the jobs.
import type { ComponentChildren } from 'preact'
import type { JobRecord } from '../../../../contract/jobs.ts'
import { pollMs } from '../../../../contract/limits.ts'
import type { ScheduleKind } from '../../../../store/schedule.ts'
import { countText, dateText, durationText, isoText, momentText, timeText, weekdays } from '../../format.ts'
import { isError, type RequestRow } from '../../live-state.ts'
import { useConsole, useDraft, useNow } from '../../parts/context.ts'
import { Action, Button, ClockSteps, SegmentedControl } from '../../parts/controls.tsx'
import { Form, Input } from '../../parts/fields.tsx'
import { Jobs } from './jobs.tsx'

const steps = { '1s': '+1 s', '1m': '+1 min', '1h': '+1 h', '1d': '+1 d', '30d': '+30 d' }

const modes = { manual: 'Manual', system: 'Running' }

const happenings: Readonly<Record<ScheduleKind, string>> = {
  job: 'A job advances',
  repeat: 'A task repeats',
  purge: 'A deleted task is purged',
}

const pastShown = 6

interface Moment {
  readonly atMs: number
  readonly what: string
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

interface LineProps {
  readonly atMs: number
  readonly what: ComponentChildren
  /** How far away it is. */
  readonly aside: string
  readonly class?: 'past' | 'present'
  readonly action?: ComponentChildren
}

function Line({ atMs, what, aside, class: own, action }: LineProps) {
  return (
    <li class={own ?? ''} aria-current={own === 'present' ? 'time' : undefined}>
      <span class="when">{momentText(atMs)}</span>
      <span class="what">{what}</span>
      <span class="aside">{aside}</span>
      {action}
    </li>
  )
}

function Timeline({ nowMs }: { nowMs: number }) {
  const { live, sandbox, requests, openEntry } = useConsole()
  const { due, workspaces } = live.overview
  const jobs = workspaces.flatMap((workspace) => workspace.jobs)
  const openButton = (id: number) => {
    const texts = { text: 'Open', label: `Open request ${String(id)}` }
    return <Button kind="quiet" {...texts} onClick={() => openEntry({ id, sandbox })} />
  }
  const goButton = (what: string, ms: number) => {
    const texts = { text: 'Go there', label: `Go there: ${what}`, done: 'Clock advanced.' }
    return <Action {...texts} canUndo run={({ clock }) => clock.advance({ ms })} />
  }
  return (
    <ol class="sheet timeline">
      {pastOf(requests, jobs, nowMs).map(({ atMs, what, request }) => (
        <Line
          {...{ key: `${String(atMs)} ${what}`, atMs, what, class: 'past' }}
          aside={nowMs - atMs < 1000 ? '' : `${durationText(nowMs - atMs)} ago`}
          action={request !== undefined && openButton(request)}
        />
      ))}
      <Line atMs={nowMs} what="Now" aside="" class="present" />
      {due.map(({ kind, id, name, dueMs }) => {
        const [ms, what] = [Math.max(0, dueMs - nowMs), `${happenings[kind]}: ${name}`]
        const named = [`${what} `, <code class="aside">{id}</code>]
        const times = { atMs: dueMs, aside: `in ${durationText(ms)}` }
        return <Line key={`${kind}:${id}`} {...times} what={named} action={goButton(what, ms)} />
      })}
      {due.length === 0 && (
        <li class="aside">
          Nothing is due. Running jobs, tasks that repeat on schedule and deleted tasks are listed here.
        </li>
      )}
    </ol>
  )
}

function SetForm({ nowMs }: { nowMs: number }) {
  const [moment, setMoment] = useDraft('moment', '')
  const [by, setBy] = useDraft('length', '')
  /** Whole Unix seconds; NaN if the moment is empty or invalid. */
  const now = Math.floor(Date.parse(`${moment}Z`) / 1000)
  const shown = moment === '' ? isoText(nowMs).slice(0, 19) : moment
  const setTo = { field: 'Set to', hint: 'In UTC; can be in the past', type: 'datetime-local' } as const
  const advanceBy = { field: 'Advance by', hint: '500ms, 30s, 5m, 2h or 2d', placeholder: '90s' }
  return (
    <div class="pair">
      <Form class="inline" run={({ clock }) => clock.change({ now })} done="Clock set." canUndo>
        <Input {...setTo} step="1" value={shown} set={setMoment} />
        <Button disabled={Number.isNaN(now)} text="Set" />
      </Form>
      <Form class="inline" run={({ clock }) => clock.advance({ by })} done={`Advanced by ${by}.`} canUndo>
        <Input {...advanceBy} size={8} value={by} set={setBy} />
        <Button disabled={by === ''} text="Advance" />
      </Form>
    </div>
  )
}

export function TimeView() {
  const { live, act } = useConsole()
  const nowMs = useNow()
  const { mode } = live.overview.clock
  const setMode = (to: keyof typeof modes) => act(({ clock }) => clock.change({ mode: to }))
  return (
    <>
      <div class="sheet face">
        <p class="soft">{`${weekdays[new Date(nowMs).getUTCDay()] ?? ''}, ${dateText(nowMs)} UTC`}</p>
        <p class="display">
          {timeText(nowMs)}
          <span class="ms">.{String(nowMs % 1000).padStart(3, '0')}</span>
        </p>
        <p class="soft">{Math.floor(nowMs / 1000)} Unix seconds</p>
        <div class="row">
          <ClockSteps steps={steps} />
        </div>
        <div class="row">
          <SegmentedControl legend="Mode of the clock" choices={modes} value={mode} set={setMode} />
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
