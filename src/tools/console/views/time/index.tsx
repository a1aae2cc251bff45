// Time and jobs: the current time, buttons to change it, a timeline of past and due events, and all jobs.
import type { JobRecord } from '../../../../contract/jobs.ts'
import { bulkRowsPerRequest, pollMs } from '../../../../contract/limits.ts'
import type { Answers } from '../../../../contract/questions/register.ts'
import type { Overview } from '../../../../adapters/control-api/inspect.ts'
import type { ScheduleKind } from '../../../../service/store/schedule.ts'
import { formatQuantity, formatDate, formatDuration, formatIso, formatMoment } from '../../format.ts'
import { formatInZone, numberText, formatTime, weekdays } from '../../format.ts'
import { isError, isOfClient, type RequestRow } from '../../live-state.ts'
import { EmptyState, Mark, Pairs, RequestChips, type Tone } from '../../parts/blocks.tsx'
import { useConsole, useDraft, useLoaded, useNow, useParam } from '../../parts/context.ts'
import { ClockSteps, describeHappening, useClockMove } from '../../parts/clock-moves.tsx'
import { Action, Button, SegmentedControl } from '../../parts/controls.tsx'
import { Form, Input } from '../../parts/fields.tsx'

const clockSteps = { '1s': '+1 s', '1m': '+1 min', '1h': '+1 h', '1d': '+1 d', '30d': '+30 d' }

const modes = { manual: 'Manual', system: 'Running' }

const happenings: Readonly<Record<ScheduleKind, string>> = {
  job: 'A job advances',
  repeat: 'A task repeats',
  purge: 'A deleted task is purged',
}

type Moment = Readonly<{
  atMs: number
  what: string
  request?: number | undefined
  happening?: Overview['past'][number]
}>

const shownMoments = 12

/** Requests, what the clock caused, and jobs that the clock did not end. */
function pastOf(all: readonly RequestRow[], { past, workspaces, clock }: Overview): readonly Moment[] {
  const byMoment = Map.groupBy(all, ({ atMs }) => Math.floor(atMs / 1000) * 1000)
  const requests = [...byMoment].map(([atMs, at]): Moment => {
    const sent = at.filter(isOfClient)
    const errors = sent.filter(isError).length
    const own = at.length - sent.length
    const counts = [
      sent.length > 0 && formatQuantity(sent.length, 'request'),
      errors > 0 && formatQuantity(errors, 'error'),
      own > 0 && `${formatQuantity(own, 'request')} from the console`,
    ]
    const what = counts.filter((count) => count !== false).join(', ')
    return { atMs, what, request: at[0]?.id }
  })
  // A job has one line per status, for the first step with that status.
  const chunks = new Map(
    past.toReversed().map((one) => [one.job ? `${one.id} ${one.job.status}` : one.number, one] as const),
  )
  const brought = [...chunks.values()].toReversed().map((happening): Moment => {
    const { what, name } = describeHappening(happening)
    return { atMs: happening.atMs, what: `${what}: ${name}`, happening }
  })
  const isBrought = (end: JobRecord) =>
    past.some(({ id, job }) => id === end.id && job?.status === end.status)
  const ends = workspaces
    .flatMap(({ jobs }) => jobs)
    .filter((job) => !isBrought(job))
    .map(({ completed_ms, id, table_name, status }): Moment => {
      return { atMs: completed_ms ?? Infinity, what: `Job ${id} into ${table_name} ended: ${status}` }
    })
  return [...requests, ...brought, ...ends]
    .filter(({ atMs }) => atMs <= clock.nowMs)
    .sort((a, b) => a.atMs - b.atMs)
}

/** The moment in the time zone of the workspace, in which recurrences are counted. */
const zonedOf = (timezone: string | undefined, atMs: number) =>
  timezone === undefined || timezone === 'UTC' ? undefined : formatInZone(atMs, timezone)

function Timeline({ nowMs }: { nowMs: number }) {
  const { live, requests, sandbox, openEntry, show } = useConsole()
  const move = useClockMove()
  const { due } = live.overview
  /** Opens the request of a moment, its task, or the request that submitted its job. */
  const linkOf = ({ what, request, happening }: Moment) => {
    const made = requests.find(({ changes }) =>
      changes.some(({ id, change }) => id === happening?.id && change === 'created'),
    )
    const id = request ?? (happening?.job && made?.id)
    const { open } = happening && !happening.job ? describeHappening(happening) : {}
    if (id === undefined && !open) return null
    const label = `Open ${id === undefined ? what : `request ${String(id)}`}`
    const click = () => (open ? show(...open) : openEntry({ id: id ?? 0, sandbox }))
    return <Button kind="quiet" text="Open" label={label} onClick={click} />
  }
  const all = useParam('all')
  const moments = pastOf(requests, live.overview)
  const earlier = all.value === '' ? Math.max(0, moments.length - shownMoments) : 0
  const past = moments.slice(earlier).map((moment, index) => {
    const { atMs, what } = moment
    const aside = nowMs - atMs < 1000 ? '' : `${formatDuration(nowMs - atMs)} ago`
    const key = `${String(atMs)} ${what} ${String(index)}`
    const zoned = zonedOf(moment.happening?.timezone, atMs)
    return { key, kind: 'past', atMs, what, aside, action: linkOf(moment), zoned }
  })
  const next = due.map(({ kind, id, name, dueMs, timezone }) => {
    const [ms, text] = [Math.max(0, dueMs - nowMs), `${happenings[kind]}: ${name}`]
    const what = [`${text} `, <code class="aside">{id}</code>]
    const go = { text: 'Go there', label: `Go there: ${text}` }
    const action = <Action {...go} {...move('Clock advanced.', ({ clock }) => clock.advance({ ms }))} />
    return {
      key: `${kind} ${id}`,
      kind: 'next',
      atMs: dueMs,
      what,
      aside: `in ${formatDuration(ms)}`,
      action,
      zoned: zonedOf(timezone, dueMs),
    }
  })
  // Requests that have happened, but are in the future on the mock's clock.
  const ahead = requests.filter(({ atMs }) => atMs > live.overview.clock.nowMs).length
  const now = {
    key: 'now',
    kind: 'present',
    atMs: nowMs,
    what: 'Now',
    aside: '',
    action: null,
    zoned: undefined,
  }
  return (
    <ol class="sheet timeline">
      {earlier > 0 && (
        <li>
          <Button class="link" onClick={() => all.set('on')} text={`Show ${numberText(earlier)} earlier`} />
        </li>
      )}
      {[...past, now, ...next].map(({ key, kind, atMs, what, aside, action, zoned }) => (
        <li key={key} class={kind} aria-current={kind === 'present' ? 'time' : undefined}>
          <span class="when" title={zoned}>
            {formatMoment(atMs)}
            {zoned && <span class="aside"> {zoned}</span>}
          </span>
          <span class="what">{what}</span>
          <span class="aside">{aside}</span>
          {action}
        </li>
      ))}
      {ahead > 0 && (
        <li class="aside">
          {formatQuantity(ahead, 'request')} came at later times: the clock has been set back since.
        </li>
      )}
      {due.length === 0 && (
        <li class="aside">Nothing is scheduled: no job, no repeating task and no deleted task to purge.</li>
      )}
    </ol>
  )
}

const jobTones: Readonly<Record<JobRecord['status'], Tone>> = {
  queued: 'plain',
  processing: 'accent',
  done: 'good',
  failed: 'bad',
}

/** @param answers null until they are read */
function JobCard({ job, answers }: { job: JobRecord; answers: Answers | null }) {
  const { requests } = useConsole()
  const { id, status, handled, submitted, errors, messages, created_ms, completed_ms } = job
  const made = requests.filter(
    ({ operation, changes }) => operation === 'submitInsertJob' && changes.some((change) => change.id === id),
  )
  const describeChunks = ({ queuedMs, chunkRows, chunkMs }: Answers['jobTimeline']) => {
    const chunks = Math.ceil(submitted / chunkRows)
    const end = formatMoment(completed_ms ?? created_ms + queuedMs + chunks * chunkMs)
    return (
      `${formatQuantity(chunks, 'chunk')} of at most ${numberText(chunkRows)} rows, the first in after ` +
      `${formatDuration(queuedMs + chunkMs)}, then one every ${formatDuration(chunkMs)}; ` +
      (completed_ms === null ? `the last at ${end}` : `ended at ${end}`)
    )
  }
  const polls = requests.filter(
    (row) => row.operation === 'getJob' && row.params.jobId === id && isOfClient(row),
  )
  const facts = {
    Submitted: made.length > 0 ? <RequestChips requests={made} /> : 'by no request in the journal',
    Polled: [`${formatQuantity(polls.length, 'time')} `, <RequestChips requests={polls.slice(-12)} />],
    Chunks: answers ? describeChunks(answers.jobTimeline) : undefined,
  }
  const progress = submitted === 0 ? 1 : handled / submitted
  const failing = { kind: 'quiet', text: 'Fail', target: id, done: `${id} failed; its rows stay.` } as const
  const took = completed_ms === null ? '' : `, took ${formatDuration(completed_ms - created_ms)}`
  return (
    <li class="sheet job">
      <header>
        <Mark tone={jobTones[status]}>{status}</Mark>
        <h3>{job.table_name}</h3>
        <code class="aside">{id}</code>
        <span class="spacer" />
        <span class="aside">{formatMoment(created_ms) + took}</span>
        {completed_ms === null && <Action {...failing} run={(controls) => controls.failJob(id)} />}
      </header>
      <progress value={progress} max={1} class={jobTones[status]} aria-label={`Progress of ${id}`} />
      <p class="figures">
        <span>
          <b>{numberText(job.row_count)}</b> of {formatQuantity(submitted, 'row')} in the table
        </span>
        <span>{Math.round(progress * 100)} %</span>
        {errors > 0 && <span class="error-text">{formatQuantity(errors, 'chunk')} with errors</span>}
      </p>
      {messages.length > 0 && (
        <ul class="messages">
          {messages.map((message) => (
            <li key={message}>{message}</li>
          ))}
        </ul>
      )}
      <Pairs entries={Object.entries(facts)} />
    </li>
  )
}

function Jobs() {
  const { controls, live } = useConsole()
  const { clock, changedAnswers } = live.overview
  const move = useClockMove()
  const jobs = live.overview.workspaces.flatMap((workspace) => workspace.jobs)
  const { value: answers } = useLoaded(() => controls.answers(), [changedAnswers.join()])
  const isWaiting = clock.mode === 'manual' && jobs.some(({ completed_ms }) => completed_ms === null)
  if (jobs.length === 0)
    return (
      <EmptyState title="No job yet">
        More than {bulkRowsPerRequest} rows are sent as a job, which advances with the clock:{' '}
        <code>POST /datatables/TABLE/jobs/insert</code>
      </EmptyState>
    )
  return (
    <div class="jobs">
      {isWaiting && (
        <p class="notes">
          The clock is manual: jobs advance only when they are polled or when you move the clock.{' '}
          <Action {...move('Clock advanced.', ({ clock }) => clock.advance({ ms: pollMs }))}>
            Advance by {pollMs} ms
          </Action>
        </p>
      )}
      <ul>
        {jobs.toReversed().map((job) => (
          <JobCard key={job.id} job={job} answers={answers} />
        ))}
      </ul>
    </div>
  )
}

export function TimeView() {
  const { live, act } = useConsole()
  const nowMs = useNow()
  const { mode } = live.overview.clock
  const setMode = (to: keyof typeof modes) => act(({ clock }) => clock.change({ mode: to }))
  const move = useClockMove()
  const [moment, setMoment] = useDraft('moment', '')
  const [by, setBy] = useDraft('length', '')
  /** Whole Unix seconds; NaN if the moment is empty or invalid. */
  const now = Math.floor(Date.parse(`${moment}Z`) / 1000)
  const shown = moment === '' ? formatIso(nowMs).slice(0, 19) : moment
  const setTo = { field: 'Set to', hint: 'In UTC; can be in the past', type: 'datetime-local' } as const
  const advanceBy = { field: 'Advance by', hint: '500ms, 30s, 5m, 2h or 2d', placeholder: '90s' }
  return (
    <>
      <div class="sheet face">
        <p class="soft">{`${weekdays[new Date(nowMs).getUTCDay()] ?? ''}, ${formatDate(nowMs)} UTC`}</p>
        <p class="display">
          {formatTime(nowMs)}
          <span class="ms">.{String(nowMs % 1000).padStart(3, '0')}</span>
        </p>
        <p class="soft">{Math.floor(nowMs / 1000)} Unix seconds</p>
        <div class="row">
          <ClockSteps steps={clockSteps} />
        </div>
        <div class="row">
          <SegmentedControl legend="Clock mode" choices={modes} value={mode} set={setMode} />
          <span class="aside">
            {mode === 'manual'
              ? `Advances only with these buttons and the clock controls, and by ${String(pollMs)} ms with each job poll.`
              : 'Runs in real time.'}
          </span>
        </div>
        <div class="pair">
          <Form class="inline" {...move('Clock set.', ({ clock }) => clock.change({ now }))}>
            <Input {...setTo} step="1" value={shown} set={setMoment} />
            <Button disabled={Number.isNaN(now)} text="Set" />
          </Form>
          <Form class="inline" {...move(`Advanced by ${by}.`, ({ clock }) => clock.advance({ by }))}>
            <Input {...advanceBy} size={8} value={by} set={setBy} />
            <Button disabled={by === ''} text="Advance" />
          </Form>
        </div>
      </div>
      <h3 class="section">Timeline</h3>
      <Timeline nowMs={nowMs} />
      <h3 class="section">Jobs</h3>
      <Jobs />
    </>
  )
}
