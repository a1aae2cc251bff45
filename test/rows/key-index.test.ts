// Property test of the index that upserts match by: any sequence of writes, refused or rolled back, compared with a plain
// list of rows.
import { consoleControlsOf } from '../../src/adapters/control-api/console-controls.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createWorkspaceMock, type Snapshot } from '../../src/index.ts'
import { tableOf } from './support/table.ts'

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
  fc.record({ kind: fc.constantFrom('job' as const, 'refused' as const), rows }),
  fc.record({ kind: fc.constant('arrange' as const), at, data: row }),
  fc.record({ kind: fc.constantFrom('reset', 'snapshot', 'restore', 'boundary', 'export') }),
)
type Command = typeof command extends fc.Arbitrary<infer Each> ? Each : never

const written = ({ col_text, col_number }: Sent, before?: Plain): Plain => ({
  text: col_text === undefined ? (before?.text ?? null) : col_text,
  number: col_number,
})

/** Matches the first of several rows with the key; null matches nothing. Source: question upsertMatch */
function upsert(plain: Plain[], sent: readonly Sent[]): void {
  for (const one of sent) {
    const match = plain.find(({ text }) => text !== null && text === one.col_text)
    if (match) Object.assign(match, written(one, match))
    else plain.push(written(one))
  }
}

const key = 'Text'
const wrong = { col_number: 'x' }
const snapshotName = 'kept'

/** A mock's table and the same rows as a plain list, and how each command changes both. */
class Tables {
  readonly mock
  readonly #base: readonly Sent[]
  #kept: Plain[]
  plain: Plain[]

  constructor(base: readonly Sent[]) {
    this.mock = createWorkspaceMock({ fixture: tableOf(base.map((one) => ({ ...one }))) })
    this.#base = base
    this.plain = base.map((one) => written(one))
    this.#kept = structuredClone(this.plain)
    this.mock.snapshots.save(snapshotName)
  }

  stored() {
    return consoleControlsOf(this.mock).inspect.rows('tbl_a', { limit: 1000 }).rows
  }

  async call(method: string, path: string, json?: unknown): Promise<void> {
    const headers = { authorization: 'Bearer wm_a', 'content-type': 'application/json' }
    const body = json === undefined ? null : JSON.stringify(json)
    await this.mock.fetch(`/datatables/tbl_a/${path}`, { method, headers, body })
  }

  async upsert(rows: readonly unknown[]): Promise<void> {
    await this.call('POST', 'rows/bulk', { mode: 'upsert', key_column: key, rows })
  }

  async run(step: Command): Promise<void> {
    if ('rows' in step) await this.#runRows(step.kind, step.rows)
    else if ('at' in step) await this.#runAt(step.kind, step.at, 'data' in step ? step.data : undefined)
    else if ('data' in step) {
      await this.call('POST', 'rows', { data: step.data })
      this.plain.push(written(step.data))
    } else await this.#takeBack(step.kind)
  }

  async #runRows(kind: string, rows: readonly Sent[]): Promise<void> {
    if (kind === 'upsert') {
      await this.upsert(rows)
      upsert(this.plain, rows)
    } else if (kind === 'job') {
      await this.call('POST', 'jobs/insert', { rows: [wrong, ...rows] })
      this.mock.clock.advance('1h')
      this.plain.push(...rows.map((one) => written(one)))
    } else {
      const data = [...rows, wrong].map((one) => ({ data: { ...one } }))
      expect(() => this.mock.seed({ tables: [{ id: 'tbl_a', rows: data }] })).toThrow('col_number')
    }
  }

  async #runAt(kind: string, at: number, data: Sent | undefined): Promise<void> {
    const id = this.stored()[at]?.id
    if (id === undefined) return
    if (!data) {
      await this.call('DELETE', `rows/${id}`)
      this.plain.splice(at, 1)
      return
    }
    if (kind === 'patch') await this.call('PATCH', `rows/${id}`, { data })
    else {
      const rows = this.mock.db.rows('tbl_a')
      const update = (values: object) =>
        rows.update((q) => q.where({ id }), { data: (one) => void Object.assign(one.data, values) })
      await expect(update(wrong)).rejects.toThrow('col_number')
      await update(data)
    }
    this.plain[at] = written(data, this.plain[at])
  }

  async #takeBack(kind: string): Promise<void> {
    const { mock } = this
    if (kind === 'reset') {
      mock.reset()
      this.plain = this.#base.map((one) => written(one))
    } else if (kind === 'snapshot') {
      mock.snapshots.save(snapshotName)
      this.#kept = structuredClone(this.plain)
    } else if (kind === 'restore') {
      mock.snapshots.restore(snapshotName)
      this.plain = structuredClone(this.#kept)
    } else if (kind === 'export') mock.restore(JSON.parse(JSON.stringify(mock.snapshot())) as Snapshot)
    else await mock.boundary(() => this.upsert([{ col_text: 'a', col_number: 1 }]))()
  }
}

describe('bulkInsertRows', () => {
  it('bulkInsertRows answers 200 and updates the row that a plain search finds when the mode is upsert', async () => {
    const commands = fc.array(command, { minLength: 12, maxLength: 30 })
    await fc.assert(
      fc.asyncProperty(fc.array(row, { maxLength: 6 }), commands, async (base, steps) => {
        const tables = new Tables(base)
        for (const step of steps) {
          await tables.run(step)
          expect(tables.stored().map(({ data }) => written(data as Sent))).toEqual(tables.plain)
        }
      }),
      { numRuns: 150, seed: 20_260_105 },
    )
  })
})
