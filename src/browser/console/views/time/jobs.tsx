// The jobs of a workspace with their progress and history: the submission, the polls and the chunks.
import type { JobRecord } from '../../../../contract/jobs.ts'
import { bulkRowsPerRequest, pollMs } from '../../../../contract/limits.ts'
import type { Answers } from '../../../../contract/questions/register.ts'
import { countText, durationText, momentText, numberText } from '../../format.ts'
import { EmptyState, Mark, Pairs, RequestChips, type Tone } from '../../parts/blocks.tsx'
import { useConsole, useLoaded, useWorkspace } from '../../parts/context.ts'
import { Action } from '../../parts/controls.tsx'

const tones: Readonly<Record<JobRecord['status'], Tone>> = {
  queued: 'plain',
  processing: 'accent',
  done: 'good',
  failed: 'bad',
}

/** When the chunks of a job are handled. */
function chunksText(
  { submitted, created_ms: start, completed_ms: end }: JobRecord,
  answers: Answers,
): string {
  const { queuedMs, chunkRows, chunkMs } = answers.jobTimeline
  const chunks = Math.ceil(submitted / chunkRows)
  const last =
    end === null
      ? `the last at ${momentText(start + queuedMs + chunks * chunkMs)}`
      : `ended at ${momentText(end)}`
  return (
    `${countText(chunks, 'chunk')} of at most ${numberText(chunkRows)} rows, the first in after ` +
    `${durationText(queuedMs + chunkMs)}, then one every ${durationText(chunkMs)}; ${last}`
  )
}

const shownPolls = 12

function History({ job }: { job: JobRecord }) {
  const { controls, live, requests } = useConsole()
  const { value: answers } = useLoaded(() => controls.answers(), [live.overview.changedAnswers.join()])
  const made = requests.filter(
    ({ operation, changes }) => operation === 'submitInsertJob' && changes.some(({ id }) => id === job.id),
  )
  const polls = requests.filter(({ operation, params }) => operation === 'getJob' && params.jobId === job.id)
  const submission = made.length > 0 ? <RequestChips requests={made} /> : 'by no request in the journal'
  const polled = [`${countText(polls.length, 'time')} `, <RequestChips requests={polls.slice(-shownPolls)} />]
  const facts = {
    Submitted: submission,
    Polled: polled,
    Chunks: answers ? chunksText(job, answers) : undefined,
  }
  return <Pairs entries={Object.entries(facts)} />
}

function Job({ job }: { job: JobRecord }) {
  const { id, status, handled, submitted, errors, messages, created_ms, completed_ms } = job
  const progress = submitted === 0 ? 1 : handled / submitted
  const took = completed_ms === null ? '' : `, took ${durationText(completed_ms - created_ms)}`
  return (
    <li class="sheet job">
      <header>
        <Mark tone={tones[status]}>{status}</Mark>
        <h3>{job.table_name}</h3>
        <code class="aside">{id}</code>
        <span class="spacer" />
        <span class="aside">{momentText(created_ms) + took}</span>
      </header>
      <progress value={progress} max={1} class={tones[status]} aria-label={`Progress of ${id}`} />
      <p class="figures">
        <span>
          <b>{numberText(job.row_count)}</b> of {countText(submitted, 'row')} in the table
        </span>
        <span>{Math.round(progress * 100)} %</span>
        {errors > 0 && <span class="error-text">{countText(errors, 'chunk')} with errors</span>}
      </p>
      {messages.length > 0 && (
        <ul class="messages">
          {messages.map((message) => (
            <li key={message}>{message}</li>
          ))}
        </ul>
      )}
      <History job={job} />
    </li>
  )
}

export function Jobs() {
  const { live } = useConsole()
  const { jobs = [] } = useWorkspace() ?? {}
  const isWaiting =
    live.overview.clock.mode === 'manual' && jobs.some(({ completed_ms }) => completed_ms === null)
  if (jobs.length === 0)
    return (
      <EmptyState title="No job yet">
        A client sends more than {bulkRowsPerRequest} rows as a job:{' '}
        <code>POST /datatables/TABLE/jobs/insert</code> responds with 202, and the job advances with the
        clock.
      </EmptyState>
    )
  return (
    <div class="jobs">
      {isWaiting && (
        <p class="notes">
          The clock is manual: jobs advance only with polls and with the clock.{' '}
          <Action canUndo done="Clock advanced." run={({ clock }) => clock.advance({ ms: pollMs })}>
            Advance by {pollMs} ms
          </Action>
        </p>
      )}
      <ul>
        {jobs.toReversed().map((job) => (
          <Job key={job.id} job={job} />
        ))}
      </ul>
    </div>
  )
}
