// Owns one request of the journal as it is looked at: what was sent, what was answered, what it changed.
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { JournalBody, JournalEntry } from '../../../core/journal.ts'
import { momentText, preciseTimeText, sizeText } from '../format.ts'
import { useConsole } from '../parts/context.ts'
import { Button, CopyButton } from '../parts/controls.tsx'
import { Json } from '../parts/json.tsx'
import { Mark, Status, toneOfSeverity } from '../parts/marks.tsx'

function Body({ body, label }: { readonly body: JournalBody; readonly label: string }) {
  if (body === null) return <p class="none">No body</p>
  if ('json' in body) return <Json value={body.json} label={label} />
  if ('text' in body)
    return (
      <pre class="json" tabIndex={0} aria-label={label}>
        {body.text}
      </pre>
    )
  return (
    <p class="none">
      {sizeText(body.sizeBytes)} of {body.contentType}
      {body.truncated ? ', more than the journal keeps' : ''}
    </p>
  )
}

function Block({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  return (
    <section class="block">
      <h4>{title}</h4>
      {children}
    </section>
  )
}

function Pairs({ of }: { readonly of: Readonly<Record<string, string>> }) {
  return (
    <dl class="pairs">
      {Object.entries(of).map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

function Findings({ entry }: { readonly entry: JournalEntry }) {
  const { live, show } = useConsole()
  const findings = live.findings.filter(({ requests }) => requests.includes(entry.id))
  if (findings.length === 0) return null
  return (
    <div class="notes">
      {findings.map((finding) => (
        <p key={`${finding.rule} ${finding.message}`}>
          <Mark tone={toneOfSeverity[finding.severity]}>{finding.rule}</Mark> {finding.message}{' '}
          <button type="button" class="link" onClick={() => show('report')}>
            See the report
          </button>
        </p>
      ))}
    </div>
  )
}

function Facts({ entry }: { readonly entry: JournalEntry }) {
  const facts = {
    Operation: entry.operation ?? 'none of the API',
    Key: entry.key ?? 'unknown, or refused before it was looked at',
    At: `${momentText(entry.atMs).slice(0, 10)} ${preciseTimeText(entry.atMs)}`,
    ...(entry.fault === null ? {} : { Fault: entry.fault }),
    ...entry.params,
  }
  return <Pairs of={facts} />
}

export function EntryDetail({ entry }: { readonly entry: JournalEntry }) {
  const { world, openEntry } = useConsole()
  const pane = useRef<HTMLElement>(null)
  useEffect(() => {
    pane.current?.scrollIntoView({ block: 'nearest' })
  }, [entry.id])
  const hint = entry.responseHeaders['x-mock-hint']
  return (
    <section
      class="sheet detail"
      aria-label={`Request ${String(entry.id)}`}
      ref={pane}
      onKeyDown={(event) => event.key === 'Escape' && openEntry(null)}
    >
      <header>
        <Status status={entry.status} />
        <h3>
          <span class="method">{entry.method}</span> {entry.path}
        </h3>
        <Button kind="quiet" label="Close" onClick={() => openEntry(null)}>
          ✕
        </Button>
      </header>
      <div class="actions">
        <CopyButton text={() => world.copyAs('curl', entry.id)}>Copy as curl</CopyButton>
        <CopyButton text={() => world.copyAs('fetch', entry.id)}>Copy as fetch</CopyButton>
        <CopyButton text={() => world.copyAs('vitest', entry.id)}>Copy as test</CopyButton>
        <CopyButton text={() => world.copyAs('fault', entry.id)}>Copy as fault</CopyButton>
        <CopyButton kind="quiet" text={() => JSON.stringify(entry, null, 2)}>
          Copy as JSON
        </CopyButton>
      </div>
      {hint !== undefined && <p class="hint-note">Hint: {hint}</p>}
      <Findings entry={entry} />
      <Facts entry={entry} />
      {entry.changes.length > 0 && (
        <Block title="Changed">
          <p class="changes">
            {entry.changes.slice(0, 12).map(({ change, resource, id }) => (
              <Mark key={`${change}${resource}${id}`} tone={change === 'deleted' ? 'bad' : 'plain'}>
                {change} {resource} {id}
              </Mark>
            ))}
            {entry.changes.length > 12 && <span>and {entry.changes.length - 12} more</span>}
          </p>
        </Block>
      )}
      {Object.keys(entry.query).length > 0 && (
        <Block title="Query">
          <Pairs of={entry.query} />
        </Block>
      )}
      {(entry.requestBody !== null || entry.method !== 'GET') && (
        <Block title="Sent">
          <Body body={entry.requestBody} label="Body of the request" />
        </Block>
      )}
      <Block title="Answered">
        <Body body={entry.responseBody} label="Body of the answer" />
        <details>
          <summary>Headers</summary>
          <Pairs of={entry.responseHeaders} />
        </details>
      </Block>
    </section>
  )
}
