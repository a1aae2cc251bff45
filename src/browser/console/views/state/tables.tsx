// The tables of a workspace and the rows of one of them.
import type { TableOverview } from '../../../../controls/inspect/inspect.ts'
import { countText } from '../../format.ts'
import { PickList } from '../../parts/button.tsx'
import { useConsole, useWorkspace, type ViewState } from '../../parts/context.ts'
import { EmptyState, Mark } from '../../parts/blocks.tsx'
import { clearedQuery } from './cell.tsx'
import { Rows } from './rows.tsx'

/** The table of the view state, by default the first. */
export const openTable = (tables: readonly TableOverview[], viewState: ViewState) =>
  tables.find(({ id }) => id === viewState.table) ?? tables[0]

export function Tables() {
  const { go, viewState } = useConsole()
  const { tables = [] } = useWorkspace() ?? {}
  const table = openTable(tables, viewState)
  if (!table)
    return (
      <EmptyState title="This workspace has no table">
        Tables come with the fixture: the API cannot create them.
      </EmptyState>
    )
  return (
    <PickList
      label="Tables"
      items={tables}
      current={table}
      onChange={(id) => go({ table: id, row: undefined, ...clearedQuery })}
      details={({ row_count, locked }) => (
        <>
          <span class="aside">{countText(row_count, 'row')}</span>
          {locked && <Mark tone="warn">locked</Mark>}
        </>
      )}
    >
      <Rows key={table.id} table={table} />
    </PickList>
  )
}
