// What requests changed, field by field, as the journal shows it.
import { consoleControlsOf } from '../../src/adapters/control-api/console-controls.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createWorkspaceMock, type JournalEntry, type WorkspaceMock } from '../../src/index.ts'
import { times } from '../behaviour/support/times.ts'

async function send(
  mock: WorkspaceMock,
  method: string,
  path: string,
  json?: unknown,
): Promise<JournalEntry> {
  await mock.fetch(
    new Request(`${mock.baseUrl}${path}`, {
      method,
      headers: { authorization: `Bearer ${mock.keys.master ?? ''}`, 'content-type': 'application/json' },
      body: json === undefined ? null : JSON.stringify(json),
    }),
  )
  return mock.requests({ limit: 1 })[0]!
}

const rowPath = '/datatables/tbl_orders/rows'
const value = fc.oneof(fc.string({ maxLength: 5 }), fc.constantFrom('', null, 'Café', '2'))
const rowStep = fc.record({
  data: fc.dictionary(fc.constantFrom('col_customer', 'col_notes', 'col_phone'), value),
})
const taskStep = fc.record(
  {
    title: fc.constantFrom('a', 'b'),
    priority: fc.constantFrom('low', 'high', null),
    due_date: fc.constantFrom(1, 2, null),
    assignees: fc.subarray(['mem_amira', 'mem_jonas']),
    description: fc.constantFrom('x', { type: 'doc', content: [] }, null),
    repeat_config: fc.constantFrom({ trigger: 'on_complete' }, null),
  },
  { requiredKeys: [] },
)

type Fields = Readonly<Record<string, unknown>>

/** A record's fields, with its data flattened by column. */
const flat = (record: object | undefined): Fields =>
  Object.fromEntries(
    Object.entries(record ?? {}).flatMap(([name, held]: [string, unknown]): [string, unknown][] => {
      if (name === 'id') return []
      if (name !== 'data' && name !== 'custom_data') return [[name, held]]
      return Object.entries(held as Fields).map(([inner, each]) => [`${name}.${inner}`, each])
    }),
  )

/** The differences between two records. */
function expected(before: object | undefined, after: object | undefined) {
  const [was, is] = [flat(before), flat(after)]
  const names = [...new Set([...Object.keys(was), ...Object.keys(is)])].sort()
  return names
    .filter((field) => JSON.stringify(was[field]) !== JSON.stringify(is[field]))
    .map((field) => ({ field, before: was[field], after: is[field] }))
}

const byField = (fields: readonly { readonly field: string }[] = []) =>
  [...fields].sort((a, b) => (a.field < b.field ? -1 : 1))

describe('mock.requests().changes', () => {
  it('have every column by its id, any text, and no value when the cell is empty', async () => {
    const columns = ['id', 'key', 'constructor', 'plain'].map((id) => ({
      id,
      name: `Column ${id}`,
      type: 'text' as const,
    }))
    const tables = [{ id: 'tbl', name: 'Table', columns }]
    const workspace = {
      keys: [{ key: 'wm', name: 'master' }],
      members: [{ name: 'Ada' }],
      tables,
    }
    const mock = createWorkspaceMock({ fixture: { workspaces: [workspace] } })
    const { id } = await mock.db.rows('tbl').create({ data: { plain: 'a' } })
    const path = `/datatables/tbl/rows/${id}`
    const fieldsOf = async (data: object) =>
      (await send(mock, 'PATCH', path, { data })).changes[0]?.fields?.filter(({ field }) =>
        field.startsWith('data.'),
      )
    const names = ['data.id', 'data.key', 'data.constructor']
    expect(await fieldsOf({ id: 'x', key: 'x', constructor: 'x' })).toStrictEqual(
      names.map((field) => ({ field, after: 'x' })),
    )
    expect(await fieldsOf({ id: 'y', key: 'y', constructor: 'y' })).toStrictEqual(
      names.map((field) => ({ field, before: 'x', after: 'y' })),
    )
    expect(await fieldsOf({ plain: null })).toStrictEqual([{ field: 'data.plain', before: 'a' }])
  })

  it('have the fields that differ between the records before and after', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(rowStep, taskStep), { maxLength: 8 }), async (steps) => {
        const mock = createWorkspaceMock({ fixture: 'demo' })
        const [task] = mock.db.tasks.all()
        const taskId = task?.id ?? ''
        const [row] = mock.db.rows('tbl_orders').all()
        const rowId = row?.id ?? ''
        const read = () => ({
          row: mock.db.rows('tbl_orders').findFirst((q) => q.where({ id: rowId })),
          tasks: mock.db.tasks.findFirst((q) => q.where({ id: taskId })),
        })
        for (const step of steps) {
          const before = read()
          const entry = await send(
            mock,
            'PATCH',
            'data' in step ? `${rowPath}/${rowId}` : `/tasks/${taskId}`,
            step,
          )
          const after = read()
          for (const { resource, id, fields } of entry.changes) {
            if (id !== taskId && id !== rowId) continue
            const of = resource as keyof typeof before
            expect(byField(fields)).toEqual(expected(before[of], after[of]))
          }
        }
      }),
      { numRuns: 40 },
    )
  })

  it('have the fields of a new record, and those of a removed record', async () => {
    const mock = createWorkspaceMock({ fixture: 'demo' })
    const created = await send(mock, 'POST', rowPath, { data: { col_customer: 'Nord' } })
    const id = created.changes.find(({ resource }) => resource === 'row')?.id ?? ''
    expect(created.changes).toMatchObject([
      { resource: 'row', change: 'created', fields: expect.anything() as [] },
    ])
    expect(created.changes[0]?.fields).toContainEqual({ field: 'data.col_customer', after: 'Nord' })
    const removed = await send(mock, 'DELETE', `${rowPath}/${id}`)
    expect(removed.changes).toMatchObject([{ resource: 'row', id, change: 'deleted' }])
    expect(removed.changes[0]?.fields).toContainEqual({ field: 'data.col_customer', before: 'Nord' })
    expect(mock.requests({ record: id }).map(({ method }) => method)).toEqual(['POST', 'DELETE'])
    expect(consoleControlsOf(mock).requestSummaries({ record: id })[0]?.changes).toEqual([
      { resource: 'row', id, change: 'created' },
    ])
  })

  it('have one entry for each record, from before the request to after it', async () => {
    const mock = createWorkspaceMock({ fixture: 'demo' })
    const rows = ['a', 'b', 'c'].map((col_notes) => ({ col_customer: 'One', col_notes }))
    const upsert = { mode: 'upsert', key_column: 'col_customer', rows }
    const made = await send(mock, 'POST', `${rowPath}/bulk`, upsert)
    expect(made.changes).toMatchObject([{ resource: 'row', change: 'created' }])
    expect(made.changes[0]?.fields).toContainEqual({ field: 'data.col_notes', after: 'c' })
    const [task] = mock.db.tasks.findMany((query) => query.where({ deleted_at: null, repeat_config: null }))
    const list = mock.db.lists.findFirst((query) => query.where({ id: task!.list_id }))!
    const { id } = await mock.db.tasks.create({
      list_id: list.id,
      title: 'Repeats',
      repeat_config: { trigger: 'on_complete' },
    })
    const before = mock.db.tasks.findFirst((query) => query.where({ id }))
    const done = list.statuses.find(({ type }) => type === 'done')!
    const { changes } = await send(mock, 'PATCH', `/tasks/${id}`, { status_id: done.id })
    expect(changes.map(({ resource, change }) => [resource, change])).toEqual([
      ['tasks', 'changed'],
      ['tasks', 'created'],
    ])
    const after = mock.db.tasks.findFirst((query) => query.where({ id }))
    expect(byField(changes[0]?.fields)).toEqual(expected(before, after))
  })

  it('are copies, and never hold a key', async () => {
    const mock = createWorkspaceMock({ fixture: 'demo' })
    const [task] = mock.db.tasks.all()
    await send(mock, 'POST', `/tasks/${task?.id ?? ''}/comments`, { content: 'Hello' })
    const text = JSON.stringify(mock.requests())
    expect(text).toContain('"after":"Hello"')
    expect(text).not.toContain(mock.keys.master)
    await send(mock, 'POST', '/lists/lst_production/tasks', { title: 'x', assignees: ['mem_jonas'] })
    const changed = () =>
      mock
        .requests()
        .at(-1)
        ?.changes.flatMap(({ fields = [] }) => fields)
        .find(({ field }) => field === 'assignees')
    ;(changed()?.after as string[]).push('mem_amira')
    expect(changed()?.after).toEqual(['mem_jonas'])
  })

  it('keep both sides of the first 25 records of a request, and of 64 KiB', async () => {
    const mock = createWorkspaceMock({ fixture: 'demo' })
    const rows = (length: number, size: number) => times(length, () => ({ col_notes: 'x'.repeat(size) }))
    const detailed = ({ changes }: JournalEntry) => changes.map(({ fields }) => fields !== undefined)
    const many = await send(mock, 'POST', `${rowPath}/bulk`, { rows: rows(250, 1) })
    expect(detailed(many)).toEqual(times(250, (index) => index < 25))
    const large = await send(mock, 'POST', `${rowPath}/bulk`, { rows: rows(4, 30_000) })
    expect(detailed(large)).toEqual([true, true, false, false])
  })

  it('lose their fields before the journal holds more than its bytes, the oldest first', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 1, max: 9000 }), { maxLength: 12 }),
        fc.nat(40_000),
        async (sizes, journalBytes) => {
          const mock = createWorkspaceMock({ fixture: 'demo', journalBytes })
          for (const size of sizes)
            await send(mock, 'POST', rowPath, { data: { col_notes: 'x'.repeat(size) } })
          const entries = mock.requests()
          const isKept = entries.map(({ changes }) => changes[0]?.fields !== undefined)
          expect(isKept.lastIndexOf(false)).toBeLessThan(
            isKept.includes(true) ? isKept.indexOf(true) : Infinity,
          )
          const bytes = entries.flatMap(({ changes }) => changes.flatMap(({ fields = [] }) => fields))
          expect(bytes.reduce((sum, { after }) => sum + String(after).length, 0)).toBeLessThanOrEqual(
            journalBytes,
          )
        },
      ),
      { numRuns: 30 },
    )
  })

  it('beyond 250 are counted alone once their bytes are dropped', async () => {
    const limits = { bulkRowsPerRequest: 400 }
    const mock = createWorkspaceMock({ fixture: 'demo', journalBytes: 1000, limits })
    const { changes, moreChanges } = await send(mock, 'POST', `${rowPath}/bulk`, {
      rows: times(300, () => ({})),
    })
    expect(changes).toHaveLength(250)
    expect(moreChanges).toBe(50)
  })
})
