// Rows of tables with awkward names, numbers and formulas: spaces and commas in names, autonumbers, long texts, chains.
import { describe, expect, it } from 'vitest'
import { times, useMock } from '../support/harness.ts'

interface Column {
  readonly id: string
  readonly name: string
  readonly type: string
  readonly formula?: string
  readonly format?: string
  readonly readonly: boolean
}

const text = (id: string, name: string): Column => ({ id, name, type: 'text', readonly: false })
const formula = (id: string, name: string, expression: string): Column => ({
  id,
  name,
  type: 'formula',
  formula: expression,
  readonly: true,
})

const fixtureOf = (
  tables: Readonly<Record<string, { columns: readonly Column[]; rows: readonly object[] }>>,
) => ({
  name: 'awkward',
  clock: 0,
  workspaces: [
    {
      id: 'ws_a',
      name: 'Awkward',
      plan: 'pro',
      members: [{ id: 'mem_a', name: 'Ada' }],
      keys: [{ key: 'wm_a', name: 'master', kind: 'master', member_id: 'mem_a' }],
      tables: Object.entries(tables).map(([id, { columns, rows }]) => ({
        id,
        name: id,
        columns,
        rows: rows.map((data, index) => ({ id: `r${String(index + 1)}`, data })),
      })),
      spaces: [],
      forms: [],
      jobs: [],
    },
  ],
  files: {},
})

const names = [' lead', 'trail ', ' ', 'a', 'b', 'a,b', 'c,d', 'd', 'x,y,z', 'name:desc', 'name']
/** The row without a number gets the next one. */
const withoutNumber = ['even', 'odd', 'add']
const numbers = ['A-9', 'A-10', 'A-100', 'A-2', null, ...withoutNumber]
const chain = 300
const fixture = fixtureOf({
  tbl_names: {
    columns: names.map((name, index) => text(`col_${String(index)}`, name)),
    rows: [
      Object.fromEntries(names.map((_, index) => [`col_${String(index)}`, 'p'])),
      Object.fromEntries(names.map((_, index) => [`col_${String(index)}`, 'q'])),
    ],
  },
  // Each column is named after the other's id.
  tbl_crossed: {
    columns: [text('col_x', 'col_y'), text('col_y', 'col_x')],
    rows: [
      { col_x: '1', col_y: '2' },
      { col_x: '2', col_y: '1' },
    ],
  },
  tbl_numbers: {
    columns: [{ id: 'col_no', name: 'No', type: 'autonumber', format: 'A-{0}', readonly: true }],
    rows: numbers.map((number) => (number === null ? {} : { col_no: number })),
  },
  tbl_formulas: {
    columns: [
      text('col_text', 'Text'),
      formula('col_0', 'F0', '{Text} + {Text}'),
      ...times(40, (index) =>
        formula(`col_${String(index + 1)}`, `F${String(index + 1)}`, `F${String(index)} + F${String(index)}`),
      ),
      formula('col_deep', 'Deep', `${'('.repeat(5000)}1${')'.repeat(5000)}`),
      formula('col_wide', 'Wide', times(5000, () => '1').join(' + ')),
      formula('col_ok', 'Ok', `${'('.repeat(200)}${times(100, () => '1').join(' + ')}${')'.repeat(200)}`),
    ],
    rows: [{ col_text: 'ab' }],
  },
  tbl_chain: {
    columns: [
      { id: 'col_n', name: 'N', type: 'number', readonly: false },
      ...times(chain, (index) =>
        formula(
          `col_${String(index)}`,
          `C${String(index)}`,
          index === chain - 1 ? 'N + 1' : `C${String(index + 1)} + 1`,
        ),
      ),
      formula('col_loop', 'Loop', 'Pool + 1'),
      formula('col_pool', 'Pool', 'Loop + 1'),
      formula('col_self', 'Self', 'Self'),
    ],
    rows: [{ col_n: 1 }, { col_n: 2 }],
  },
})

describe('rows of awkward tables', () => {
  const { api, control } = useMock({ fixture, key: 'wm_a' })
  const list = (table: string, query: Readonly<Record<string, string>>) =>
    api.get(`/datatables/${table}/rows`, { query })
  const query = (table: string, json: unknown) => api.post(`/datatables/${table}/query`, json)

  it.each(names)(
    'listRows answers 200 sorted, filtered and selected when the column is called %j',
    async (name) => {
      const sorted = await list('tbl_names', { sort: `${name}:desc` })
      // Splitting at the comma takes precedence over a name with a comma: sorts by a, then by b.
      expect(sorted.pluck('rows', 'id')).toEqual(name === 'a,b' ? ['r1', 'r2'] : ['r2', 'r1'])
      expect((await list('tbl_names', { [name]: 'q' })).pluck('rows', 'id')).toEqual(['r2'])
      const column = `col_${String(names.indexOf(name))}`
      const selected = (await list('tbl_names', { select: name })).at('rows.0.data')
      expect(Object.keys(selected as object)).toEqual(name === 'a,b' ? ['col_3', 'col_4'] : [column])
    },
  )

  it.each([
    ['a,b', ['a', 'b']],
    ['a,b,c,d', ['a', 'b', 'c,d']],
    ['c,d,d', ['c,d', 'd']],
    ['x,y,z,a', ['x,y,z', 'a']],
    [' lead,trail , ', [' lead', 'trail ', ' ']],
    ['a,,b,', ['a', 'b']],
    ['b,b', ['b']],
  ])('listRows answers 200 with the columns that are named when select is %j', async (select, expected) => {
    const selected = Object.keys((await list('tbl_names', { select })).at('rows.0.data') as object)
    const ids = expected.map((name) => `col_${String(names.indexOf(name))}`)
    expect(selected.toSorted()).toEqual(ids.toSorted())
  })

  it('listRows answers 200 with the part that names a column when what follows names none and has no effect', async () => {
    await control.setAnswers({ unknownSortColumn: 'ignore' })
    const selected = (await list('tbl_names', { select: 'a,b,zz' })).at('rows.0.data')
    expect(Object.keys(selected as object)).toEqual(['col_3', 'col_4'])
  })

  it('listRows answers 200 by name, queryRows and bulkInsertRows by id when it is the name of another column', async () => {
    expect((await list('tbl_crossed', { col_x: '1' })).pluck('rows', 'id')).toEqual(['r2'])
    const filters = [{ column: 'col_x', operator: 'eq', value: '1' }]
    expect((await query('tbl_crossed', { filters })).pluck('rows', 'id')).toEqual(['r1'])
    const body = { mode: 'upsert', key_column: 'col_x', rows: [{ col_x: '1', col_y: '9' }] }
    expect((await api.post('/datatables/tbl_crossed/rows/bulk', body)).json).toMatchObject({ updated: 1 })
    expect((await api.get('/datatables/tbl_crossed/rows/r1')).at('data.col_y')).toBe('9')
  })

  it('getRow answers 200 with the columns in the order of the schema when they were sent in another', async () => {
    const created = await api.post('/datatables/tbl_crossed/rows', { data: { col_y: 'b', col_x: 'a' } })
    const read = await api.get(`/datatables/tbl_crossed/rows/${created.string('id')}`)
    for (const reply of [created, read])
      expect(Object.keys(reply.at('data') as object)).toEqual(['col_x', 'col_y'])
  })

  it.each([
    ['select', 'lead'],
    ['select', 'a, b'],
    ['select', 'x,y'],
    ['sort', ' a:asc'],
    ['sort', 'a :asc'],
    ['sort', 'trail:asc'],
  ])('listRows answers 400 when %s is %j, since names are taken exactly', async (parameter, value) => {
    expect((await list('tbl_names', { [parameter]: value })).status).toBe(400)
  })

  it.each(['select', 'sort'])(
    'listRows answers 400 when %s has more than 1,000 entries',
    async (parameter) => {
      const entries = (count: number) => times(count, () => 'a').join(',')
      expect((await list('tbl_names', { [parameter]: entries(1000) })).status).toBe(200)
      const refused = await list('tbl_names', { [parameter]: entries(1001) })
      expect(refused.status).toBe(400)
      expect(refused.error).toContain(parameter)
    },
  )

  it.each([
    ['filters', { column: 'a', operator: 'is_not_empty' }],
    ['sort', { column: 'a' }],
    ['select', 'a'],
    ['filters', 5],
  ])('queryRows answers 400 when %s has more than 1,000 entries such as %j', async (part, entry) => {
    const refused = await query('tbl_names', { [part]: times(1001, () => entry) })
    expect(refused.status).toBe(400)
    expect(refused.error).toContain(`${part} must have at most 1000 entries; received 1001`)
    const most = await query('tbl_names', { [part]: times(1000, () => entry) })
    expect(most.status).toBe(entry === 5 ? 400 : 200)
  })

  it.each(['asc', 'desc'])(
    'listRows answers 200 by the number of autonumbers when sort is No:%s',
    async (direction) => {
      const expected = ['A-2', 'A-9', 'A-10', 'A-100', 'A-101', ...withoutNumber.toSorted()]
      const reply = await list('tbl_numbers', { sort: `No:${direction}` })
      const inOrder = direction === 'asc' ? expected : expected.toReversed()
      expect(reply.pluck('rows', 'data.col_no')).toEqual(inOrder)
    },
  )

  it.each([
    ['gt', 'A-9', ['A-10', 'A-100', 'A-101']],
    ['gt', 9, ['A-10', 'A-100', 'A-101']],
    ['gte', '9', ['A-9', 'A-10', 'A-100', 'A-101']],
    ['lt', 'A-10', ['A-9', 'A-2']],
    ['lte', 10, ['A-9', 'A-10', 'A-2']],
    ['between', ['A-9', 10], ['A-9', 'A-10']],
    ['eq', 'A-10', ['A-10']],
    ['eq', 10, []],
    ['in', ['A-9', 'A-2'], ['A-9', 'A-2']],
    ['starts_with', 'a-1', ['A-10', 'A-100', 'A-101']],
    ['contains', '0', ['A-10', 'A-100', 'A-101']],
  ])(
    'queryRows answers 200 comparing their numbers when autonumbers are %s %j',
    async (operator, value, expected) => {
      const reply = await query('tbl_numbers', { filters: [{ column: 'No', operator, value }] })
      const found = reply.pluck('rows', 'data.col_no') as string[]
      expect(found.filter((number) => !withoutNumber.includes(number))).toEqual(expected)
    },
  )

  it.each(['9007199254740992', '99999999999999999999', '1'.repeat(400)])(
    'listRows answers 200 with an empty page when page is %s',
    async (page) => {
      for (const query of [{ page }, { page, sort: 'a' }, { page, a: 'p' }])
        expect((await list('tbl_names', query)).json).toMatchObject({ rows: [], total: 'a' in query ? 1 : 2 })
      expect((await query('tbl_names', { page: Number(page.slice(0, 30)) })).list('rows')).toEqual([])
    },
  )

  it('getRow answers 200 with null when the text of a formula is longer than 10,000 characters', async () => {
    const row = await api.get('/datatables/tbl_formulas/rows/r1')
    expect(row.string('data.col_0')).toBe('abab')
    expect(row.string('data.col_11')).toHaveLength(8192)
    for (const index of [12, 13, 40]) expect(row.at(`data.col_${String(index)}`)).toBeNull()
  })

  it('getRow answers 200 with null when a formula has more than 256 levels', async () => {
    const row = await api.get('/datatables/tbl_formulas/rows/r1')
    expect([row.at('data.col_deep'), row.at('data.col_wide'), row.at('data.col_ok')]).toEqual([
      null,
      null,
      100,
    ])
  })

  it('listRows and getRow answer 200 alike when formulas build on formulas, whatever is read first', async () => {
    const row = await api.get('/datatables/tbl_chain/rows/r1')
    for (const [index, value] of [
      [0, null],
      [chain - 257, null],
      [chain - 256, 257],
      [chain - 1, 2],
    ] as const) {
      expect(row.at(`data.col_${String(index)}`)).toBe(value)
      const name = `C${String(index)}`
      const alone = await list('tbl_chain', { select: name, sort: `${name}:desc` })
      expect(alone.pluck('rows', `data.col_${String(index)}`)).toContain(value)
    }
    for (const id of ['col_loop', 'col_pool', 'col_self']) expect(row.at(`data.${id}`)).toBeNull()
  })
})
