// The tables of a workspace, and the rows of one of them.
import type { WorkspaceOverview } from '../../../controls/inspect.ts'
import { countText } from '../format.ts'
import { useConsole, usePlace } from '../parts/context.ts'
import { Empty, Mark } from '../parts/marks.tsx'
import { Rows } from './rows.tsx'
import { elsewhere } from './state-cell.tsx'

/** Changes whenever the state may have. */
export function useStateMark(): number {
  const { live } = useConsole()
  return live.revision
}

export function Tables({ workspace }: { readonly workspace: WorkspaceOverview }) {
  const [wanted] = usePlace('table')
  const { go } = useConsole()
  const { tables } = workspace
  const table = tables.find(({ id }) => id === wanted) ?? tables[0]
  if (!table)
    return (
      <div class="sheet">
        <Empty title="This workspace has no table">
          <p>Tables come with the fixture: the API cannot create them.</p>
        </Empty>
      </div>
    )
  return (
    <div class="beside">
      <ul class="picks" aria-label="Tables">
        {tables.map(({ id, name, row_count, locked }) => (
          <li key={id}>
            <button
              type="button"
              aria-pressed={id === table.id}
              onClick={() => go({ table: id, row: undefined, ...elsewhere })}
            >
              <span class="name">{name}</span>
              <span class="aside">{countText(row_count, 'row')}</span>
              {locked && <Mark tone="warn">locked</Mark>}
            </button>
          </li>
        ))}
      </ul>
      <Rows key={table.id} table={table} workspace={workspace} />
    </div>
  )
}
