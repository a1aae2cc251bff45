// Property test of the index that upserts match by: any sequence of writes against a plain list of rows.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createWorkspaceMock } from '../../src/index.ts'
import { tableOf } from './table.ts'

interface Sent {
  readonly col_text?: string | null
  readonly col_number: number
}
interface Plain {
  text: string | null
  number: number
}

const row: fc.Arbitrary<Sent> = fc.record(
  { col_text: fc.constantFrom('a', 'b', 'c', '', null), col_number: fc.nat(9) },
  { requiredKeys: ['col_number'] },
)
const rows = fc.array(row, { minLength: 1, maxLength: 4 })
const at = fc.nat(12)
const command = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('upsert' as const), rows }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('patch' as const), at, data: row }) },
  fc.record({ kind: fc.constant('delete' as const), at }),
  fc.record({ kind: fc.constant('create' as const), data: row }),
)

const written = ({ col_text, col_number }: Sent, before?: Plain): Plain => ({
  text: col_text === undefined ? (before?.text ?? null) : col_text,
  number: col_number,
})

/** Of several rows with the key the first; null matches nothing. Source: question upsertMatch */
function upsert(plain: Plain[], sent: readonly Sent[]): void {
  for (const one of sent) {
    const match = plain.find(({ text }) => text !== null && text === one.col_text)
    if (match) Object.assign(match, written(one, match))
    else plain.push(written(one))
  }
}

/** A mock with a table of some rows, and the same as a plain list. */
function start(base: readonly Sent[]) {
  const mock = createWorkspaceMock({ fixture: tableOf(base.map((one) => ({ ...one }))) })
  const plain = base.map((one) => written(one))
  const stored = () => mock.inspect.rows('tbl_a', { limit: 1000 }).rows
  const call = (method: string, path: string, json?: unknown) => {
    const headers = { authorization: 'Bearer wm_a', 'content-type': 'application/json' }
    const body = json === undefined ? null : JSON.stringify(json)
    return mock.fetch(new Request(`${mock.baseUrl}/datatables/tbl_a/rows${path}`, { method, headers, body }))
  }
  return { plain, stored, call }
}

describe('bulkInsertRows', () => {
  it('bulkInsertRows answers 200 and updates the row that a plain search finds when the mode is upsert', async () => {
    const commands = fc.array(command, { minLength: 12, maxLength: 30 })
    await fc.assert(
      fc.asyncProperty(fc.array(row, { maxLength: 6 }), commands, async (base, steps) => {
        const { plain, stored, call } = start(base)
        for (const step of steps) {
          if (step.kind === 'upsert') {
            await call('POST', '/bulk', { mode: 'upsert', key_column: 'Text', rows: step.rows })
            upsert(plain, step.rows)
          } else if (step.kind === 'create') {
            await call('POST', '', { data: step.data })
            plain.push(written(step.data))
          } else {
            const id = stored()[step.at]?.id
            if (id === undefined) continue
            if (step.kind === 'patch') {
              await call('PATCH', `/${id}`, { data: step.data })
              plain[step.at] = written(step.data, plain[step.at])
            } else {
              await call('DELETE', `/${id}`)
              plain.splice(step.at, 1)
            }
          }
          const now = stored().map(({ data }) => written(data as Sent))
          expect(now).toEqual(plain)
        }
      }),
      { numRuns: 150, seed: 20_260_105 },
    )
  })
})
