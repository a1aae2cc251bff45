// The smallest fixture with a table, for property tests of rows.
import type { Fixture } from '../../../src/index.ts'

/** A table `tbl_a` with a text and a number column and these rows; its key is `wm_a`. */
export const tableOf = (rows: readonly Record<string, unknown>[]): Fixture => ({
  name: 'table',
  clock: 0,
  workspaces: [
    {
      id: 'ws_a',
      name: 'A',
      plan: 'pro',
      members: [{ id: 'mem_a', name: 'Ada' }],
      keys: [{ key: 'wm_a', name: 'master', kind: 'master', member_id: 'mem_a' }],
      limits: { bulkInsertPerMinute: null },
      tables: [
        {
          id: 'tbl_a',
          name: 'A',
          columns: [
            { id: 'col_text', name: 'Text', type: 'text', readonly: false },
            { id: 'col_number', name: 'Number', type: 'number', readonly: false },
          ],
          rows: rows.map((data, index) => ({ id: `r${String(index)}`, data })),
        },
      ],
      spaces: [],
      forms: [],
      jobs: [],
    },
  ],
  files: {},
})
