// Snapshots: saved states to restore, download and upload.
import { useState } from 'preact/hooks'
import type { SnapshotSummary } from '../../../../controls/snapshot-summaries.ts'
import { countText, momentText, numberText, sizeText } from '../../format.ts'
import { EmptyState, Failure } from '../../parts/blocks.tsx'
import { useConsole, useDraft, useLoaded } from '../../parts/context.ts'
import { Action, Button } from '../../parts/controls.tsx'
import { download, Form, Input } from '../../parts/fields.tsx'
import { undoName } from '../../parts/scope.tsx'

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
  const restoring = { text: 'Restore', canUndo: !isUndo, done: `Restored ${name}.` }
  const deletion = { text: 'Delete', confirm: 'Delete it?', done: `Deleted ${name}.` }
  const save = { text: 'Download', kind: 'quiet', target: name } as const
  return (
    <li>
      <div class="what">
        <code>{name}</code> <span class="aside">{`${momentText(atMs)}, ${sizeText(sizeBytes)}${about}`}</span>
        <p class="aside">{differenceText(summary)}</p>
      </div>
      <Action target={name} {...restoring} run={(controls) => controls.restoreSnapshot(name)} />
      <Action {...save} run={async (one) => download(`${name}.json`, await one.readSnapshot(name))} />
      <Action kind="quiet" target={name} {...deletion} run={(controls) => controls.deleteSnapshot(name)} />
    </li>
  )
}

export function Snapshots() {
  const { controls, live } = useConsole()
  const [name, setName] = useDraft('snapshot', '')
  /** The name that is taken and to be replaced by a second click. */
  const [asked, setAsked] = useState<string | null>(null)
  const { value: summaries, failure } = useLoaded(() => controls.snapshotSummaries(), [live.overview])
  const isTaken = summaries?.some((summary) => summary.name === name) === true
  const mustAsk = isTaken && asked !== name
  const save = async () => {
    setAsked(mustAsk ? name : null)
    if (mustAsk) return
    await controls.saveSnapshot(name)
    setName('')
  }
  const texts = { field: 'Name', hint: 'Letters, digits, _ - and .', placeholder: 'before-import' }
  return (
    <div class="snapshots">
      <p class="lead">
        A snapshot holds state, clock, plan, limits and answers. Restoring it does not change the journal or
        the faults; a reset does not delete snapshots. Drop one here to add it.
      </p>
      <Form class="sheet padded inline" run={save} done={mustAsk ? undefined : `Saved as ${name}.`}>
        <Input {...texts} maxLength={64} value={name} set={setName} />
        <Button kind={asked === name ? 'danger' : 'primary'} disabled={name === ''}>
          {asked === name ? `Replace ${name}?` : 'Save the current state'}
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
