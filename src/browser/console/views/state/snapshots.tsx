// Snapshots: saved states to restore, download and upload.
import { useState } from 'preact/hooks'
import type { SnapshotSummary } from '../../../../controls/snapshot-summaries.ts'
import { countText, momentText, numberText, sizeText } from '../../format.ts'
import { Button } from '../../parts/button.tsx'
import { useConsole, useDraft, useLoaded } from '../../parts/context.ts'
import { Action } from '../../parts/controls.tsx'
import { undoName } from '../../parts/scope.tsx'
import { Field, Form, Input } from '../../parts/fields.tsx'
import { download } from '../../parts/files.tsx'
import { EmptyState, Failure } from '../../parts/blocks.tsx'

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
          {name === undoName && ', before the last reset, restore or move of the clock'}
        </span>
        <p class="aside">{differenceText(summary)}</p>
      </div>
      <Action
        target={name}
        canUndo={name !== undoName}
        run={(controls) => controls.restoreSnapshot(name)}
        done={`Restored ${name}.`}
      >
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

export function Snapshots() {
  const { controls, live } = useConsole()
  const [name, setName] = useDraft('snapshot', '')
  const [isAsking, setAsking] = useState(false)
  const { value: summaries, failure } = useLoaded(() => controls.snapshotSummaries(), [live.overview])
  const isTaken = summaries?.some((summary) => summary.name === name) === true
  const save = async () => {
    setAsking(isTaken && !isAsking)
    if (isTaken && !isAsking) return
    await controls.saveSnapshot(name)
    setName('')
  }
  return (
    <div class="snapshots">
      <p class="lead">
        A snapshot holds state, clock, plan, limits and answers. Restoring it does not change the journal or
        the faults; a reset does not delete snapshots. Drop one here to add it.
      </p>
      <Form
        class="sheet padded inline"
        onSubmit={save}
        {...((!isTaken || isAsking) && { done: `Saved as ${name}.` })}
      >
        <Field label="Name" hint="Letters, digits, _ - and .">
          <Input
            maxLength={64}
            placeholder="before-import"
            value={name}
            set={(text) => {
              setName(text)
              setAsking(false)
            }}
          />
        </Field>
        <Button kind={isAsking ? 'danger' : 'primary'} disabled={name === ''}>
          {isAsking ? `Replace ${name}?` : 'Save the current state'}
        </Button>
      </Form>
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
