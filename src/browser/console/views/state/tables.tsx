// The tables of a workspace and the rows of one of them.
import type { WorkspaceOverview } from '../../../../controls/inspect/inspect.ts'
import { countText } from '../../format.ts'
import { useConsole } from '../../parts/context.ts'
import { Picks } from '../../parts/controls.tsx'
import { Empty, Mark } from '../../parts/blocks.tsx'
import { elsewhere } from './cell.tsx'
import { Rows } from './rows.tsx'

export function Tables({ workspace: { tables } }: { readonly workspace: WorkspaceOverview }) {
  const { go, place } = useConsole()
  const table = tables.find(({ id }) => id === place.table) ?? tables[0]
  if (!table)
    return (
      <Empty title="This workspace has no table">
        Tables come with the fixture: the API cannot create them.
      </Empty>
    )
  return (
    <div class="beside">
      <Picks
        label="Tables"
        items={tables}
        current={table}
        onPick={(id) => go({ table: id, row: undefined, ...elsewhere })}
      >
        {({ row_count, locked }) => (
          <>
            <span class="aside">{countText(row_count, 'row')}</span>
            {locked && <Mark tone="warn">locked</Mark>}
          </>
        )}
      </Picks>
      <Rows key={table.id} table={table} />
    </div>
  )
}
