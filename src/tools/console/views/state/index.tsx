// The state: tables with their rows, tasks, and snapshots. Files of your own can be dropped anywhere on it.
import { useRef, useState } from 'preact/hooks'
import type { Fixture } from '../../../../../fixtures/types.ts'
import { isObject } from '../../../../contract/data/objects.ts'
import { decodeFile, parseJsonFile } from '../../../../adapters/control-api/decode.ts'
import type { TableOverview } from '../../../../adapters/control-api/inspect.ts'
import type { SnapshotSummary } from '../../../../mock/controls/snapshots.ts'
import type { Snapshot } from '../../../../service/store/snapshot.ts'
import { formatQuantity, formatMoment, numberText, formatSize } from '../../format.ts'
import { EmptyState, Failure } from '../../parts/blocks.tsx'
import { DirectoryContext, type ScopedRun } from '../../parts/context.ts'
import { useConsole, useDraft, useLoaded, useWorkspace } from '../../parts/context.ts'
import { Action, Button } from '../../parts/controls.tsx'
import { downloadJson, Form, Input, WorkspaceSelect } from '../../parts/fields.tsx'
import { Parts } from '../../parts/tabs.tsx'
import { isOfUndo } from '../../parts/undo.ts'
import { Tables, useTable } from './tables.tsx'
import { Tasks } from './tasks.tsx'

const readText = async (file: File) =>
  decodeFile(
    file.name,
    new Uint8Array(await file.arrayBuffer()),
    undefined,
    'save it as UTF-8, in Excel as "CSV UTF-8"',
  )

/** Reads a file of any kind. A fixture is only offered for loading, since loading replaces the state. */
function useFiles(table: TableOverview | undefined) {
  const { act } = useConsole()
  const [offer, setOffer] = useState<{ readonly name: string; readonly fixture: Fixture } | null>(null)
  const readJson = async (file: File) => {
    const json = parseJsonFile(file.name, await readText(file))
    const name = file.name.replace(/\.json$/, '').replaceAll(/[^\w.-]/g, '-')
    if (isObject(json) && Array.isArray(json.workspaces))
      setOffer({ name: file.name, fixture: json as object as Fixture })
    else if (isObject(json) && typeof json.base === 'string') {
      const done = `Added as snapshot ${name}.`
      await act((controls) => controls.snapshots.add(name, json as object as Snapshot), { done })
    } else
      throw new Error(`${file.name} is neither a fixture nor a snapshot: it has neither workspaces nor base`)
  }
  const readCsv = async (file: File) => {
    if (!table) throw new Error(`${file.name}: first open the table to add its rows to`)
    const text = await readText(file)
    let message = ''
    const add: ScopedRun = async (one) => {
      const { added, ignored } = await one.addCsv(table.id, file.name, text)
      const left = ignored.length === 0 ? '' : ` Ignored, because not writable: ${ignored.join(', ')}.`
      message = `Added ${formatQuantity(added, 'row')} to ${table.name}.${left}`
    }
    await act(add, { done: () => message, canUndo: true })
  }
  const read = (file: File) => (/\.(?:csv|tsv|txt)$/i.test(file.name) ? readCsv(file) : readJson(file))
  const load: ScopedRun = async (one) => {
    await one.loadState(offer?.fixture)
    setOffer(null)
  }
  const question = offer && (
    <div class="notes row" role="alertdialog" aria-label="Load a fixture">
      <span>{offer.name} is a fixture. Loading it replaces the state.</span>
      <Action kind="primary" canUndo run={load} done={`Loaded ${offer.name}.`} text="Load it" />
      <Button onClick={() => setOffer(null)} text="Cancel" />
    </div>
  )
  return { read, question }
}

function SnapshotItem({ summary: { name, clock, sizeBytes, changes } }: { summary: SnapshotSummary }) {
  const differences = changes?.map(({ resource, ...counts }) => {
    const texts = Object.entries(counts).flatMap(([change, count]) =>
      count > 0 ? `${numberText(count)} ${change}` : [],
    )
    return `${texts.join(', ')} in ${resource}`
  })
  const about = isOfUndo(name) ? ', before an action in the console' : ''
  const restoring = { text: 'Restore', canUndo: true, done: `Restored ${name}.` }
  const deletion = { text: 'Delete', confirm: 'Delete it?', done: `Deleted ${name}.` }
  const save = { text: 'Download', kind: 'quiet', target: name } as const
  return (
    <li>
      <div class="what">
        <code>{name}</code>{' '}
        <span class="aside">{`${formatMoment(clock * 1000)}, ${formatSize(sizeBytes)}${about}`}</span>
        <p class="aside">
          {!differences && 'Cannot be restored: it belongs to another fixture.'}
          {differences?.length === 0 && 'Same records as now.'}
          {differences && differences.length > 0 && `If restored: ${differences.join('; ')}.`}
        </p>
      </div>
      <Action target={name} {...restoring} run={(controls) => controls.snapshots.restore(name)} />
      <Action {...save} run={async (one) => downloadJson(`${name}.json`, await one.snapshots.read(name))} />
      <Action kind="quiet" target={name} {...deletion} run={(controls) => controls.snapshots.delete(name)} />
    </li>
  )
}

function Snapshots() {
  const { controls, live } = useConsole()
  const [name, setName] = useDraft('snapshot', '')
  /** A name that is already taken; a second click replaces its snapshot. */
  const [asked, setAsked] = useState<string | null>(null)
  const { value: summaries, failure } = useLoaded(() => controls.snapshots.list(), [live.overview])
  const isTaken = summaries?.some((summary) => summary.name === name) === true
  const mustAsk = isTaken && asked !== name
  const save = async () => {
    setAsked(mustAsk ? name : null)
    if (mustAsk) return
    await controls.snapshots.save(name)
    setName('')
  }
  const texts = { field: 'Name', hint: 'Letters, digits, _ - and .', placeholder: 'before-import' }
  return (
    <div class="snapshots">
      <p class="lead">
        A snapshot holds state, clock, plan, limits and answers, but neither the journal nor the faults. A
        reset does not delete snapshots. Drop one here to add it.
      </p>
      <Form class="sheet padded inline" run={save} done={mustAsk ? undefined : `Saved as ${name}.`}>
        <Input {...texts} maxLength={64} value={name} set={setName} />
        <Button kind={asked === name ? 'danger' : 'primary'} disabled={name === ''}>
          {asked === name ? `Replace ${name}?` : 'Save the current state'}
        </Button>
      </Form>
      <Failure message={failure} />
      {summaries?.length ? (
        <ul class="sheet item-list" aria-label={formatQuantity(summaries.length, 'snapshot')}>
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

const kinds = {
  tables: ['Tables', Tables],
  tasks: ['Tasks', Tasks],
  snapshots: ['Snapshots', Snapshots],
} as const

export function StateView() {
  const { controls, live, perform } = useConsole()
  const workspace = useWorkspace()
  const input = useRef<HTMLInputElement>(null)
  const { read, question } = useFiles(useTable())
  const open = (file: File | undefined) => file && void perform(() => read(file))
  if (!workspace) return null
  const { tables, lists } = workspace
  const tasks = lists.reduce((sum, { task_count }) => sum + task_count, 0)
  const counts = { tables: tables.length, tasks }
  const save = async () => {
    const { fixture } = await controls.health()
    downloadJson(`${fixture}-${String(live.overview.clock.now)}.json`, await controls.state())
  }
  const aside = (
    <>
      <WorkspaceSelect />
      <Button onClick={() => input.current?.click()} text="Load a file" />
      <input
        {...{ type: 'file', hidden: true, accept: '.json,.csv,.tsv,.txt', 'aria-label': 'Load a file' }}
        ref={input}
        onChange={({ currentTarget }) => {
          open(currentTarget.files?.[0])
          currentTarget.value = ''
        }}
      />
      <Button kind="quiet" onClick={() => perform(save)} text="Save as a fixture" />
    </>
  )
  return (
    <DirectoryContext.Provider value={workspace}>
      <div
        class="state"
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event) => {
          event.preventDefault()
          open(event.dataTransfer?.files[0])
        }}
      >
        {question}
        <Parts label="Kinds of resources" parts={kinds} counts={counts} aside={aside} />
      </div>
    </DirectoryContext.Provider>
  )
}
