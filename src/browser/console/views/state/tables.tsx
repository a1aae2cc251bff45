// The tables of a workspace and the rows of one of them.
import type { WorkspaceOverview } from '../../../../controls/inspect/inspect.ts'
import { countText } from '../../format.ts'
import { useConsole } from '../../parts/context.ts'
import { PickList } from '../../parts/controls.tsx'
import { EmptyState, Mark } from '../../parts/blocks.tsx'
import { clearedQuery } from './cell.tsx'
import { Rows } from './rows.tsx'

export function Tables({ workspace: { tables } }: { readonly workspace: WorkspaceOverview }) {
  const { go, viewState } = useConsole()
  const table = tables.find(({ id }) => id === viewState.table) ?? tables[0]
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
