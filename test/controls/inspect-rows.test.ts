// consoleControlsOf(mock).inspect.rows: searched, filtered, sorted and paged; a row and a task with the names behind
// their links.
import { consoleControlsOf } from '../../src/adapters/control-api/console-controls.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createWorkspaceMock } from '../../src/index.ts'

const mock = createWorkspaceMock({ fixture: 'demo', answers: { rowShape: 'data' } })
const columns = consoleControlsOf(mock)
  .inspect.overview()
  .workspaces[0]!.tables.find(({ id }) => id === 'tbl_shipments')!.columns

async function queried(body: object): Promise<string[]> {
  const ids: string[] = []
  for (let page = 1; ; page++) {
    const response = await mock.fetch(
      new Request(`${mock.baseUrl}/datatables/tbl_shipments/query`, {
        method: 'POST',
        headers: { authorization: `Bearer ${mock.keys.master ?? ''}`, 'content-type': 'application/json' },
        body: JSON.stringify({ ...body, page, limit: 500 }),
      }),
    )
    const { rows, total } = (await response.json()) as { rows: { id: string }[]; total: number }
    ids.push(...rows.map(({ id }) => id))
    if (ids.length >= total) return ids
  }
}

const column = fc.constantFrom(...columns.map(({ id }) => id))
const condition = fc.oneof(
  fc.record({ column, operator: fc.constantFrom('is_empty', 'is_not_empty') }),
  fc.record({
    column: fc.constant('col_city'),
    operator: fc.constant('contains'),
    value: fc.constantFrom('e', 'Ber'),
  }),
  fc.record({ column: fc.constant('col_bags'), operator: fc.constantFrom('gt', 'lte'), value: fc.nat(60) }),
)

const labels = new Map(columns.flatMap(({ options = [] }) => options.map(({ id, label }) => [id, label])))

/** The text by which a value is found. */
function textOf(type: string, value: unknown): string {
  if (value === null || value === undefined) return ''
  if (type === 'date' && typeof value === 'number')
    return new Date(value * 1000).toISOString().replace('T', ' ')
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return labels.get(text) ?? text
}

describe('consoleControlsOf(mock).inspect.rows', () => {
  it('sorts and filters as queryRows does, and gives any page of it', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(condition, { maxLength: 2 }),
        fc.option(fc.tuple(column, fc.constantFrom('asc', 'desc')), { nil: undefined }),
        fc.nat(1200),
        fc.nat(60),
        fc.boolean(),
        async (filters, sort, offset, limit, asText) => {
          const expected = await queried({
            filters,
            ...(sort && { sort: [{ column: sort[0], direction: sort[1] }] }),
          })
          const { rows, total } = consoleControlsOf(mock).inspect.rows('tbl_shipments', {
            offset,
            limit,
            filters: asText ? JSON.stringify(filters) : filters,
            ...(sort && { sort: sort.join(':') }),
          })
          expect(total).toBe(expected.length)
          expect(rows.map(({ id }) => id)).toEqual(expected.slice(offset, offset + limit))
        },
      ),
      { numRuns: 60 },
    )
  })

  it('finds a text in ids, values, labels and dates, in any case, together with filters', () => {
    const filters = [{ column: 'col_bags', operator: 'gt', value: 20 }] as const
    const all = consoleControlsOf(mock).inspect.rows('tbl_shipments', { limit: 2000, filters })
      .rows as readonly {
      id: string
      data: Record<string, unknown>
    }[]
    fc.assert(
      fc.property(
        fc
          .constantFrom('BER', 'dhl', '2025-0', '12', 'true', 'row_', 'ö', '%', ' ')
          .chain((text) => fc.constant(text)),
        (search) => {
          const wanted = search.toLowerCase()
          const expected = all.filter(
            ({ id, data }) =>
              id.toLowerCase().includes(wanted) ||
              columns.some((each) => textOf(each.type, data[each.id]).toLowerCase().includes(wanted)),
          )
          const { rows, total } = consoleControlsOf(mock).inspect.rows('tbl_shipments', {
            search,
            filters,
            limit: 2000,
          })
          expect(rows.map(({ id }) => id)).toEqual(expected.map(({ id }) => id))
          expect(total).toBe(expected.length)
        },
      ),
    )
  })

  it('names the linked rows', () => {
    const { rows, links } = consoleControlsOf(mock).inspect.row('tbl_orders', 'row_order_1')
    expect(rows).toHaveLength(1)
    expect(links?.row_coffee_huila?.table_id).toBe('tbl_coffees')
    expect(consoleControlsOf(mock).inspect.rows('tbl_coffees').links).toBeUndefined()
  })

  it.each([
    [{ sort: 'col_none' }, 'col_none'],
    [{ filters: '{' }, 'filters'],
    [{ filters: [{ column: 'col_bags', operator: 'is' }] }, 'operator'],
    [{ filters: [{ column: 'col_bags', operator: 'gt', value: 'many' }] }, 'a number'],
    [{ order: 'x' }, 'order'],
    [{ limit: -1 }, 'limit'],
  ])('refuses %j', (page, message) => {
    expect(() => consoleControlsOf(mock).inspect.rows('tbl_shipments', page as object)).toThrow(message)
  })
})

describe('consoleControlsOf(mock).inspect.task', () => {
  it('returns a task with everything that belongs to it', () => {
    const detail = consoleControlsOf(mock).inspect.task('tsk_launch_guji')
    expect(detail).toMatchObject({
      list: { id: 'lst_launch' },
      links: { row_coffee_guji: { table_id: 'tbl_coffees' } },
    })
    expect([detail.comments.length, detail.timeEntries.length, detail.attachments.length]).toEqual([4, 3, 2])
    expect(consoleControlsOf(mock).inspect.task('tsk_clean_afterburner').repeatsMs).toBeGreaterThan(
      mock.clock.nowMs(),
    )
    expect(() => consoleControlsOf(mock).inspect.task('tsk_none')).toThrow('tsk_none')
  })
})

describe('consoleControlsOf(mock).inspect.tasks', () => {
  it('returns the values of formulas, as each task has them by itself', () => {
    const { inspect } = consoleControlsOf(mock)
    const tasks = inspect.tasks('lst_launch')
    const fields = inspect.task('tsk_launch_guji').list.fields.filter(({ type }) => type === 'formula')
    expect(fields.map(({ name }) => name)).toEqual(['Budget per bag'])
    expect(tasks.map(({ custom_data }) => custom_data[fields[0]!.id])).toContainEqual(expect.any(Number))
    for (const { id, custom_data } of tasks) expect(inspect.task(id).customData).toEqual(custom_data)
  })
})
