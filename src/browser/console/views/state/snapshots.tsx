// Snapshots: saved states to restore, download and upload.
import { useState } from 'preact/hooks'
import type { SnapshotSummary } from '../../../../controls/snapshot-summaries.ts'
import { countText, momentText, numberText, sizeText } from '../../format.ts'
import { EmptyState, Failure } from '../../parts/blocks.tsx'
import { useConsole, useDraft, useLoaded } from '../../parts/context.ts'
import { Action, Button } from '../../parts/controls.tsx'
import { Field, Form, Input } from '../../parts/fields.tsx'
import { download } from '../../parts/files.tsx'
import { type ScopedRun, undoName } from '../../parts/scope.tsx'

function differenceText({ differences }: SnapshotSummary): string {
  if (differences === null) return 'Cannot be restored: it is of another fixture.'
  if (differences.length === 0) return 'Same records as now.'
  const changes = differences.map(({ resource, ...counts }) => {
    const parts = Object.entries(counts).filter(([, count]) => count > 0)
    return `${parts.map(([change, count]) => `${numberText(count)} ${change}`).join(', ')} in ${resource}`
  })
  return `If restored: ${changes.join('; ')}.`
}

function SnapshotItem({ summary }: { summary: SnapshotSummary }) {
  const { name, atMs, sizeBytes } = summary
  const isUndo = name === undoName
  const about = isUndo ? ', before the last reset, restore or move of the clock' : ''
  const restore: ScopedRun = (controls) => controls.restoreSnapshot(name)
  const save: ScopedRun = async (controls) => download(`${name}.json`, await controls.readSnapshot(name))
  const remove: ScopedRun = (controls) => controls.deleteSnapshot(name)
  return (
    <li>
      <div class="what">
        <code>{name}</code> <span class="aside">{`${momentText(atMs)}, ${sizeText(sizeBytes)}${about}`}</span>
        <p class="aside">{differenceText(summary)}</p>
      </div>
      <Action target={name} canUndo={!isUndo} run={restore} done={`Restored ${name}.`} text="Restore" />
      <Action kind="quiet" target={name} run={save} text="Download" />
      <Action
        kind="quiet"
        target={name}
        confirm="Delete it?"
        run={remove}
        done={`Deleted ${name}.`}
        text="Delete"
      />
    </li>
  )
}

export function Snapshots() {
  const { controls, live } = useConsole()
  const [name, setName] = useDraft('snapshot', '')
  const [isAsking, setAsking] = useState(false)
  const { value: summaries, failure } = useLoaded(() => controls.snapshotSummaries(), [live.overview])
  const isTaken = summaries?.some((summary) => summary.name === name) === true
  const mustAsk = isTaken && !isAsking
  const save = async () => {
    setAsking(mustAsk)
    if (mustAsk) return
    await controls.saveSnapshot(name)
    setName('')
  }
  const enter = (text: string) => {
    setName(text)
    setAsking(false)
  }
  return (
    <div class="snapshots">
      <p class="lead">
        A snapshot holds state, clock, plan, limits and answers. Restoring it does not change the journal or
        the faults; a reset does not delete snapshots. Drop one here to add it.
      </p>
      <Form class="sheet padded inline" run={save} done={mustAsk ? undefined : `Saved as ${name}.`}>
        <Field label="Name" hint="Letters, digits, _ - and .">
          <Input maxLength={64} placeholder="before-import" value={name} set={enter} />
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
