// One row of a table, or one to be added: its values to edit, its history, and what the API answers of it.
import type { TableOverview, WorkspaceOverview } from '../../../controls/inspect.ts'
import { useConsole, usePlace } from '../parts/context.ts'
import { Json } from '../parts/json.tsx'
import { useLoaded } from '../parts/loaded.ts'
import { Failure } from '../parts/marks.tsx'
import { RecordForm, RecordPane } from '../parts/record-form.tsx'
import { History } from './changes.tsx'
import type { ShownRow } from './rows.tsx'
import { Cell } from './state-cell.tsx'

/** In the place of a row's id: a row to be added. */
export const newRow = 'new'

interface RowDetailProps {
  readonly id: string
  readonly table: TableOverview
  readonly workspace: WorkspaceOverview
}

export function RowDetail({ id, table, workspace }: RowDetailProps) {
  const { controls, live, act } = useConsole()
  const [, setOpen] = usePlace('row')
  const isNew = id === newRow
  const { value, failure } = useLoaded(
    () => (isNew ? Promise.resolve(null) : controls.inspect.row(table.id, id)),
    [controls, table.id, id, live.revision],
  )
  const row = value?.rows[0] as ShownRow | undefined
  const save = async (data: Readonly<Record<string, unknown>>) => {
    if (!row)
      return act(async () => {
        const values = { data }
        const created = await controls.db.create('rows', { table: table.id, values })
        setOpen((created as ShownRow).id)
      }, 'Row added.')
    // As a member does it in the product.
    const values = { data, version: row.version + 1, updated_at: live.overview?.clock.now }
    return act(() => controls.db.change('rows', id, { table: table.id, values }), 'Saved.')
  }
  const remove = () =>
    void act(async () => {
      await controls.db.remove('rows', id, { table: table.id })
      setOpen(undefined, false)
    }, 'Row removed.')
  return (
    <RecordPane
      title={isNew ? `New row of ${table.name}` : id}
      aside={row && `version ${String(row.version)}`}
      close={() => setOpen(undefined)}
      {...(row && { remove })}
    >
      {failure !== null && <Failure>{failure}</Failure>}
      {(row ?? isNew) && (
        <RecordForm
          fields={table.columns}
          values={row?.data ?? {}}
          workspace={workspace}
          save={save}
          show={(column, shown) => (
            <Cell column={column} value={shown} workspace={workspace} links={value?.links} />
          )}
        />
      )}
      {row && (
        <>
          <section class="block">
            <h4>History</h4>
            <History id={id} workspace={workspace} />
          </section>
          <details class="block">
            <summary>As the API answers it</summary>
            <Json value={row} label={`Row ${id}`} />
          </details>
        </>
      )}
    </RecordPane>
  )
}
