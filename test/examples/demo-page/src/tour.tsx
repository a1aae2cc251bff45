// Five steps that show what the mock and its console do for an app. Some steps break the app.
import { useEffect, useState } from 'preact/hooks'
import type { WorkspaceMock } from 'workspace-api-mock'
import { createClient, type Client } from './client.ts'

/** Replaces the app's client from this step on. */
interface Change {
  readonly label: string
  change(): Client
}

interface Step {
  readonly title: string
  readonly text: string
  readonly change?: Change
  isDone(): boolean
}

function stepsOf(mock: WorkspaceMock, good: Client): readonly Step[] {
  const key = mock.keys['master'] ?? ''
  const hasFinding = (name: string) => mock.report().some(({ rule }) => rule === name)
  const answered = (status: number) => mock.requests({ status })
  let hasFinished = false
  mock.events.on('job.finished', () => {
    hasFinished = true
  })
  return [
    {
      title: 'Watch',
      text: "Choose another table in the app. Each of the app's requests appears in the console's journal.",
      isDone: () => new Set(mock.requests({ operation: 'listRows' }).map(({ path }) => path)).size > 1,
    },
    {
      title: 'Break it',
      text: 'The app sorts by a column that does not exist. The journal says why the request is refused, and the report names the rule it breaks.',
      change: {
        label: 'Sort by an unknown column',
        change: () => ({ ...good, rows: (table, query) => good.rows(table, { ...query, sort: 'Nope:asc' }) }),
      },
      isDone: () => hasFinding('client-error'),
    },
    {
      title: 'Lose patience',
      text: 'The mock responds with 429, and the app retries before Retry-After has passed. The report shows it.',
      change: {
        label: 'Retry too early',
        change: () => {
          mock.fault({ operation: 'listRows', status: 429, retryAfter: 20, times: 5 })
          return createClient(mock.baseUrl, key, () => Promise.resolve())
        },
      },
      isDone: () => hasFinding('retry-after'),
    },
    {
      title: 'Get help',
      text: 'The key is suspended, and the app tries twice. Open a refused request in the journal: one click there fixes it.',
      change: {
        label: 'Suspend the key',
        change: () => {
          mock.suspendKey('master')
          return { ...good, tables: () => good.tables().catch(() => good.tables()) }
        },
      },
      isDone: () => {
        const refused = answered(402)[0]
        return refused !== undefined && answered(200).some(({ id }) => id > refused.id)
      },
    },
    {
      title: 'Save time',
      text: 'Import the sample of 6,000 rows. Meanwhile, press +1 min under Time and jobs in the console: the job is done at once.',
      isDone: () => hasFinished,
    },
  ]
}

export function Tour({
  mock,
  client,
  onClient,
}: {
  readonly mock: WorkspaceMock
  readonly client: Client
  /** Restarts the app with a client. */
  readonly onClient: (client: Client) => void
}) {
  const [steps] = useState(() => stepsOf(mock, client))
  const [done, setDone] = useState<ReadonlySet<Step>>(new Set())
  useEffect(() => {
    const look = () => setDone((before) => new Set(steps.filter((step) => before.has(step) || step.isDone())))
    return mock.watch(() => queueMicrotask(look))
  }, [])
  const [chosen, choose] = useState<Step | null>(null)
  const current = chosen ?? steps.find((step) => !done.has(step)) ?? steps[4]
  const mend = () => {
    mock.resetFaults()
    mock.suspendKey('master', false)
    onClient(client)
  }
  return (
    <section class="tour" aria-label="Five steps">
      <ol>
        {steps.map((step) => (
          <li key={step.title}>
            <button
              type="button"
              class={done.has(step) ? 'done' : ''}
              aria-current={step === current ? 'step' : undefined}
              onClick={() => choose(step)}
            >
              {step.title}
              {done.has(step) && <span class="unseen"> (done)</span>}
            </button>
          </li>
        ))}
      </ol>
      <p>{current?.text}</p>
      <div class="acts">
        {current?.change && (
          <button
            type="button"
            class="primary"
            onClick={() => {
              choose(current)
              onClient(current.change?.change() ?? client)
            }}
          >
            {current.change.label}
          </button>
        )}
        <button type="button" class="plain" onClick={mend}>
          Fix the app
        </button>
        {chosen && done.has(chosen) && chosen !== steps[4] && (
          <button
            type="button"
            onClick={() => {
              mend()
              choose(steps[steps.indexOf(chosen) + 1] ?? null)
            }}
          >
            Next step
          </button>
        )}
      </div>
    </section>
  )
}
