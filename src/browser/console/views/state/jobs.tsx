// The jobs of a workspace with their progress.
import { bulkRowsPerRequest, pollMs } from '../../../../contract/limits.ts'
import type { WorkspaceOverview } from '../../../../controls/inspect/inspect.ts'
import type { JobRecord } from '../../../../contract/jobs.ts'
import { countText, durationText, momentText, numberText } from '../../format.ts'
import { useConsole } from '../../parts/context.ts'
import { Action } from '../../parts/controls.tsx'
import { EmptyState, Mark, type Tone } from '../../parts/blocks.tsx'

const tones: Readonly<Record<JobRecord['status'], Tone>> = {
  queued: 'plain',
  processing: 'accent',
  done: 'good',
  failed: 'bad',
}

function Job({ job }: { readonly job: JobRecord }) {
  const { id, status, handled, submitted, errors, messages, created_ms, completed_ms } = job
  const progress = submitted === 0 ? 1 : handled / submitted
  return (
    <li class="sheet job">
      <header>
        <Mark tone={tones[status]}>{status}</Mark>
        <h3>{job.table_name}</h3>
        <code class="aside">{id}</code>
        <span class="spacer" />
        <span class="aside">
          {momentText(created_ms)}
          {completed_ms !== null && `, took ${durationText(completed_ms - created_ms)}`}
        </span>
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
    </li>
  )
}

export function Jobs({ workspace: { jobs } }: { readonly workspace: WorkspaceOverview }) {
  const { live } = useConsole()
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
          <Action run={({ clock }) => clock.advance({ ms: pollMs })}>Advance by {pollMs} ms</Action>
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
