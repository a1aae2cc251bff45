// Snapshots: saved states to restore, download and upload.
import { useState } from 'preact/hooks'
import type { SnapshotSummary } from '../../../controls/snapshot-summaries.ts'
import type { Snapshot } from '../../../store/snapshot.ts'
import { countText, momentText, numberText, sizeText } from '../format.ts'
import { useConsole, useLoaded } from '../parts/context.ts'
import { Action, Button } from '../parts/controls.tsx'
import { Field, Form, Input } from '../parts/fields.tsx'
import { download, JsonFile } from '../parts/files.tsx'
import { EmptyState, Failure } from '../parts/blocks.tsx'

/** What restoring it would change. */
function differenceText({ differences }: SnapshotSummary): string {
  if (differences === null) return 'Cannot be restored: it is of another fixture.'
  if (differences.length === 0) return 'Same records as now.'
  const changes = differences.map(({ resource, ...counts }) => {
    const parts = Object.entries(counts).filter(([, count]) => count > 0)
    return `${parts.map(([change, count]) => `${numberText(count)} ${change}`).join(', ')} in ${resource}`
  })
  return `If restored: ${changes.join('; ')}.`
}

function SnapshotItem({ summary }: { readonly summary: SnapshotSummary }) {
  const { name, atMs, sizeBytes } = summary
  return (
    <li>
      <div class="what">
        <code>{name}</code>
        <span class="aside">
          {' '}
          {momentText(atMs)}, {sizeText(sizeBytes)}
        </span>
        <p class="aside">{differenceText(summary)}</p>
      </div>
      <Action target={name} run={(controls) => controls.restoreSnapshot(name)} done={`Restored ${name}.`}>
        Restore
      </Action>
      <Action
        kind="quiet"
        target={name}
        run={async (controls) => download(`${name}.json`, await controls.readSnapshot(name))}
      >
        Download
      </Action>
      <Action
        kind="quiet"
        confirm="Delete it?"
        target={name}
        run={(controls) => controls.deleteSnapshot(name)}
        done={`Deleted ${name}.`}
      >
        Delete
      </Action>
    </li>
  )
}

export function SnapshotsView() {
  const { controls, act, live } = useConsole()
  const [name, setName] = useState('')
  const { value: summaries, failure } = useLoaded(() => controls.snapshotSummaries(), [live.overview])
  const save = async () => {
    if (await act(() => controls.saveSnapshot(name), `Saved as ${name}.`)) setName('')
  }
  const upload = async (json: unknown, file: string) => {
    const as = file.replace(/\.json$/, '').replaceAll(/[^\w.-]/g, '-')
    await controls.addSnapshot(as, json as Snapshot)
  }
  return (
    <div class="snapshots">
      <p class="lead">
        A snapshot holds state, clock, plan, limits and answers. Restoring it does not change the journal or
        the faults; a reset does not delete snapshots.
      </p>
      <div class="sheet padded pair">
        <Form class="inline" onSubmit={save}>
          <Field label="Name" hint="Letters, digits, _ - and .">
            <Input maxLength={64} placeholder="before-import" value={name} set={setName} />
          </Field>
          <Button kind="primary" disabled={name === ''}>
            Save the current state
          </Button>
        </Form>
        <JsonFile onRead={upload}>Upload a snapshot</JsonFile>
      </div>
      <Failure message={failure} />
      {summaries?.length ? (
        <ul class="sheet item-list" aria-label={countText(summaries.length, 'snapshot')}>
          {summaries.map((summary) => (
            <SnapshotItem key={summary.name} summary={summary} />
          ))}
        </ul>
      ) : (
        <EmptyState title="No snapshot yet">
          Reproduce a bug, save the state under a name, and restore it as often as you like.
        </EmptyState>
      )}
    </div>
  )
}
