// The state: tables with their rows, tasks by status, forms and snapshots. Files of your own can be dropped anywhere on it.
import { useState } from 'preact/hooks'
import type { Fixture } from '../../../../../fixtures/types.ts'
import { isObject } from '../../../../contract/data/objects.ts'
import type { TableOverview } from '../../../../controls/inspect/inspect.ts'
import type { Snapshot } from '../../../../store/snapshot.ts'
import { countText } from '../../format.ts'
import {
  DirectoryContext,
  type ScopedRun,
  useConsole,
  useDirectory,
  useWorkspace,
} from '../../parts/context.ts'
import { Action, Button } from '../../parts/controls.tsx'
import { download, DropZone, FileButton, parseJsonFile, WorkspaceSelect } from '../../parts/fields.tsx'
import { Parts } from '../../parts/tabs.tsx'
import { readCsvRows } from './csv.ts'
import { Forms } from './forms.tsx'
import { Tables, useTable } from './rows.tsx'
import { Snapshots } from './snapshots.tsx'
import { Tasks } from './tasks.tsx'

const isFixture = (json: unknown): json is Fixture => isObject(json) && Array.isArray(json.workspaces)
const isSnapshot = (json: unknown): json is Snapshot => isObject(json) && typeof json.base === 'string'

/** Reads files of any of the kinds; a fixture is offered to be loaded, since that replaces the state. */
function useFiles(table: TableOverview | undefined) {
  const { act } = useConsole()
  const directory = useDirectory()
  const [offer, setOffer] = useState<{ readonly name: string; readonly fixture: Fixture } | null>(null)
  const readJson = async (file: File) => {
    const json = await parseJsonFile(file)
    const name = file.name.replace(/\.json$/, '').replaceAll(/[^\w.-]/g, '-')
    if (isFixture(json)) setOffer({ name: file.name, fixture: json })
    else if (isSnapshot(json)) {
      const done = `Added as snapshot ${name}.`
      await act((controls) => controls.addSnapshot(name, json), { done })
    } else throw new Error(`${file.name} is neither a fixture, which has workspaces, nor a snapshot`)
  }
  const readCsv = async (file: File) => {
    if (!table) throw new Error(`${file.name}: open the table to which its rows are to be added`)
    const { rows, ignored } = readCsvRows(await file.text(), table.columns, directory)
    const left = ignored.length === 0 ? '' : ` Ignored, since it cannot be written: ${ignored.join(', ')}.`
    const done = `Added ${countText(rows.length, 'row')} to ${table.name}.${left}`
    const workspaces = [{ id: directory.id, tables: [{ id: table.id, rows }] }]
    await act((one) => one.seed({ workspaces }), { done, canUndo: true })
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

const parts = {
  tables: ['Tables', Tables],
  tasks: ['Tasks', Tasks],
  forms: ['Forms', Forms],
  snapshots: ['Snapshots', Snapshots],
} as const

function Contents() {
  const { controls, live, perform } = useConsole()
  const { tables = [], lists = [], forms = [] } = useWorkspace() ?? {}
  const { read, question } = useFiles(useTable())
  const tasks = lists.reduce((sum, { task_count }) => sum + task_count, 0)
  const counts = { tables: tables.length, tasks, forms: forms.length }
  const save = async () => {
    const { fixture } = await controls.health()
    download(`${fixture}-${String(live.overview.clock.now)}.json`, await controls.state())
  }
  const aside = (
    <>
      <WorkspaceSelect />
      <FileButton accept=".json,.csv" read={read} text="Load a file" />
      <Button kind="quiet" onClick={() => perform(save)} text="Save as a fixture" />
    </>
  )
  return (
    <DropZone class="state" read={read}>
      {question}
      <Parts label="Kinds of resources" parts={parts} counts={counts} aside={aside} />
    </DropZone>
  )
}

export function StateView() {
  const workspace = useWorkspace()
  if (!workspace) return null
  return (
    <DirectoryContext.Provider value={workspace}>
      <Contents />
    </DirectoryContext.Provider>
  )
}
