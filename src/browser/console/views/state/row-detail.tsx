// An open row of a table, or a new one.
import type { Row } from '../../../../contract/rows.ts'
import type { TableOverview } from '../../../../controls/inspect/inspect.ts'
import { useConsole, useLoaded } from '../../parts/context.ts'
import { newRecord, RecordPane } from './record.tsx'

export type ShownRow = Row & { readonly data: Readonly<Record<string, unknown>> }

export function RowPane({ id, table }: { readonly id: string; readonly table: TableOverview }) {
  const { controls, live } = useConsole()
  const isNew = id === newRecord
  const { value, failure } = useLoaded(
    async () => (isNew ? null : controls.inspect.row(table.id, id)),
    [live.overview],
  )
  const row = value?.rows[0] as ShownRow | undefined
  return (
    <RecordPane
      kind="row"
      id={id}
      table={table.id}
      title={isNew ? `New row of ${table.name}` : id}
      aside={row && `version ${String(row.version)}`}
      failure={failure}
      fields={(row ?? isNew) ? table.columns : undefined}
      values={row?.data ?? {}}
      json={row}
      links={value?.links}
      written={(data) => (row ? { data, version: row.version + 1 } : { data })}
    />
  )
}
