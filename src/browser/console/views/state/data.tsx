// Your own data: the state saved as a fixture, fixtures and snapshots loaded, rows of a table added from CSV.
import { useState } from 'preact/hooks'
import type { Fixture } from '../../../../../fixtures/types.ts'
import type { TableOverview } from '../../../../controls/inspect/inspect.ts'
import type { Snapshot } from '../../../../store/snapshot.ts'
import { isObject } from '../../../../contract/data/objects.ts'
import { countText } from '../../format.ts'
import { useConsole, useDirectory } from '../../parts/context.ts'
import { Action, Button } from '../../parts/controls.tsx'
import { download, FileButton, parseJsonFile } from '../../parts/files.tsx'
import { type ScopedRun, useAct } from '../../parts/scope.tsx'
import { readCsvRows } from './csv.ts'

const isFixture = (json: unknown): json is Fixture => isObject(json) && Array.isArray(json.workspaces)
const isSnapshot = (json: unknown): json is Snapshot => isObject(json) && typeof json.base === 'string'

/** Reads files of any of the kinds; a fixture is offered to be loaded, since that replaces the state. */
export function useFiles(table?: TableOverview) {
  const { controls, act } = useConsole()
  const directory = useDirectory()
  const [offer, setOffer] = useState<{ readonly name: string; readonly fixture: Fixture } | null>(null)
  const actOnState = useAct()
  const readJson = async (file: File) => {
    const json = await parseJsonFile(file)
    const name = file.name.replace(/\.json$/, '').replaceAll(/[^\w.-]/g, '-')
    if (isFixture(json)) setOffer({ name: file.name, fixture: json })
    else if (isSnapshot(json)) await act(() => controls.addSnapshot(name, json), `Added as snapshot ${name}.`)
    else throw new Error(`${file.name} is neither a fixture, which has workspaces, nor a snapshot`)
  }
  const readCsv = async (file: File) => {
    if (!table) throw new Error(`${file.name}: open the table to which its rows are to be added`)
    const { rows, ignored } = readCsvRows(await file.text(), table.columns, directory)
    const left = ignored.length === 0 ? '' : ` Ignored, since it cannot be written: ${ignored.join(', ')}.`
    const done = `Added ${countText(rows.length, 'row')} to ${table.name}.${left}`
    const workspaces = [{ id: directory.id, tables: [{ id: table.id, rows }] }]
    await actOnState((one) => one.seed({ workspaces }), { done, canUndo: true })
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

/** Buttons for files of the whole state. */
export function DataActions({ read }: { read: (file: File) => unknown }) {
  const { controls, act, live } = useConsole()
  const save = () =>
    act(async () => {
      const { fixture } = await controls.health()
      download(`${fixture}-${String(live.overview.clock.now)}.json`, await controls.state())
    })
  return (
    <>
      <FileButton accept=".json,.csv" read={read} text="Load a file" />
      <Button kind="quiet" onClick={save} text="Save as a fixture" />
    </>
  )
}
