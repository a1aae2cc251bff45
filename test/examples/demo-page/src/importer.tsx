// The importer: sends a CSV file as one request, or as a job whose progress it shows until it is done.
import { useState } from 'preact/hooks'
import { wait, type Client, type Table } from './client.ts'
import { readSheet, type Sheet } from './csv.ts'
import { Failure, numberText, typed, useLoaded } from './parts.tsx'
import { sampleFile } from './sample.ts'

/** More rows than this go into a job. */
const rowsOfOneRequest = 250
/** The API allows at most two polls per second. */
const pollMs = 600
const previewRows = 4
const sampleRows = 6000

interface Progress {
  readonly status: 'queued' | 'processing' | 'done' | 'failed'
  readonly inserted: number
  readonly share: number
  readonly message: string | null
}

async function send(
  client: Client,
  table: string,
  sheet: Sheet,
  tell: (progress: Progress) => void,
): Promise<void> {
  if (sheet.rows.length <= rowsOfOneRequest) {
    const { count, errors = [] } = await client.insert(table, sheet.rows)
    const message =
      errors.length === 0
        ? null
        : `${errors.length === 1 ? '1 row was' : `${String(errors.length)} rows were`} refused: ${errors[0]?.error ?? ''}`
    tell({ status: 'done', inserted: count, share: 1, message })
    return
  }
  const id = await client.submitJob(table, sheet.rows)
  for (;;) {
    const { status, error_message, metadata } = await client.job(id)
    tell({ status, inserted: metadata.row_count, share: metadata.progress, message: error_message })
    if (status === 'done' || status === 'failed') return
    await wait(pollMs)
  }
}

const words = { queued: 'Queued', processing: 'Importing', done: 'Done', failed: 'Failed' }

function ProgressBar({ progress, total }: { readonly progress: Progress; readonly total: number }) {
  return (
    <div class="progress" role="status">
      <p>
        <b>{words[progress.status]}</b>
        <span>
          {numberText(progress.inserted)} of {numberText(total)} rows
        </span>
      </p>
      <progress class={progress.status} value={progress.share} max={1} aria-label="Progress of the import" />
      {progress.message !== null && <p class="note">{progress.message}</p>}
    </div>
  )
}

function Preview({ sheet }: { readonly sheet: Sheet }) {
  return (
    <>
      <p class="found">
        <b>{numberText(sheet.rows.length)} rows</b> with {sheet.used.join(', ')}.
        {sheet.ignored.length > 0 &&
          ` Ignored, because the table has no such writable column: ${sheet.ignored.join(', ')}.`}
      </p>
      <p class="note">
        {sheet.rows.length <= rowsOfOneRequest
          ? 'They will be sent in one request.'
          : 'They will be imported by a background job.'}
      </p>
    </>
  )
}

export function Importer({
  client,
  tables,
  onDone,
}: {
  readonly client: Client
  readonly tables: readonly Table[]
  readonly onDone: (table: string) => void
}) {
  const [target, setTarget] = useState(
    tables.find(({ name }) => name.startsWith('Shipments'))?.id ?? tables[0]?.id ?? '',
  )
  const [text, setText] = useState<string | null>(null)
  const [progress, setProgress] = useState<Progress | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const columns = useLoaded(() => client.columns(target), [target])
  const sheet = text === null || !columns.value ? null : readSheet(text, columns.value)
  const isRunning = progress?.status === 'queued' || progress?.status === 'processing'
  const choose = (next: string | null) => {
    setText(next)
    setProgress(null)
    setFailure(null)
  }
  const start = async () => {
    if (!sheet) return
    setFailure(null)
    setProgress({ status: 'queued', inserted: 0, share: 0, message: null })
    try {
      await send(client, target, sheet, setProgress)
    } catch (error) {
      setProgress(null)
      setFailure(error instanceof Error ? error.message : String(error))
    }
  }
  return (
    <>
      <div class="head">
        <h1>Import</h1>
      </div>
      <div class="card importer">
        <label>
          Import into
          <select value={target} disabled={isRunning} onChange={(event) => setTarget(typed(event))}>
            {tables.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <label>
          CSV file with column names in its first line
          <input
            type="file"
            accept=".csv,text/csv"
            disabled={isRunning}
            onChange={(event) => void event.currentTarget.files?.[0]?.text().then(choose)}
          />
        </label>
        <button
          type="button"
          class="plain"
          disabled={isRunning}
          onClick={() => choose(sampleFile(sampleRows))}
        >
          Or use a sample of {numberText(sampleRows)} shipments
        </button>
        {sheet && <Preview sheet={sheet} />}
        {sheet && !progress && (
          <button type="button" class="primary" onClick={() => void start()}>
            Import {numberText(sheet.rows.length)} rows
          </button>
        )}
        {progress && <ProgressBar progress={progress} total={sheet?.rows.length ?? 0} />}
        {progress?.status === 'done' && (
          <button type="button" class="primary" onClick={() => onDone(target)}>
            Show them in the table
          </button>
        )}
        {failure !== null && <Failure>{failure}</Failure>}
        {sheet && !progress && sheet.rows.length > previewRows && (
          <pre tabIndex={0} aria-label="Beginning of the file">
            {text
              ?.split('\n')
              .slice(0, previewRows + 1)
              .join('\n')}
          </pre>
        )}
      </div>
    </>
  )
}
