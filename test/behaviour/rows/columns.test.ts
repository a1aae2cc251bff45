// What each of the 19 column types accepts, refuses and returns.
import { describe, expect, it } from 'vitest'
import { NOW } from '../support/fixture.ts'
import { useMock } from '../support/harness.ts'

const texts = ['col_text', 'col_longtext', 'col_email', 'col_phone', 'col_link']
const numbers = ['col_number', 'col_currency', 'col_slider']

const accepted: [string, unknown][] = [
  ...texts.flatMap((id): [string, unknown][] => [
    [id, 'anything'],
    [id, 'ünïcödé 🙂\n'],
    [id, null],
  ]),
  ...numbers.flatMap((id): [string, unknown][] => [
    [id, 0],
    [id, -1.5],
    [id, 1e21],
    [id, null],
  ]),
  ['col_checkbox', true],
  ['col_checkbox', false],
  ['col_checkbox', null],
  ['col_date', 1_767_607_200],
  ['col_date', 0],
  ['col_date', null],
  ['col_dropdown', 'opt_won'],
  ['col_dropdown', null],
  ['col_tags', ['tag_green', 'tag_red']],
  ['col_people', ['mem_cy', 'mem_ada']],
]

const refused: [string, unknown][] = [
  ...texts.flatMap((id): [string, unknown][] => [
    [id, 1],
    [id, true],
    [id, ['x']],
    [id, { x: 1 }],
  ]),
  ...numbers.flatMap((id): [string, unknown][] => [
    [id, '5'],
    [id, true],
    [id, [5]],
  ]),
  ['col_checkbox', 1],
  ['col_checkbox', 'true'],
  ['col_date', '2026-01-05'],
  ['col_date', 1.5],
  ['col_dropdown', 'Won'],
  ['col_dropdown', 'opt_none'],
  ['col_dropdown', ['opt_won']],
  ['col_tags', 'tag_red'],
  ['col_tags', ['Red']],
  ['col_tags', ['tag_red', 'opt_won']],
  ['col_tags', [null]],
  ['col_people', 'mem_ada'],
  ['col_people', ['Ada Quill']],
  ['col_people', ['mem_free']],
]

const ignored: [string, unknown][] = [
  ['col_datatable', ['lin_1']],
  ['col_formula', 5],
  ['col_autonumber', 'INV-7777'],
  ['col_created', 5],
  ['col_updated', 5],
  ['col_attachment', 'nonsense'],
]

describe('column types', () => {
  const { api, control } = useMock()
  const create = (data: Record<string, unknown>) => api.post('/datatables/tbl_all/rows', { data })

  it.each(accepted)('createRow answers 200 when %s is %j', async (column, value) => {
    const created = await create({ [column]: value })
    expect(created.status).toBe(200)
    expect(created.at(`data.${column}`)).toEqual(value)
  })

  it.each(['col_tags', 'col_people'])(
    'createRow answers 200 with [] when %s is null or []',
    async (column) => {
      expect((await create({ [column]: null })).at(`data.${column}`)).toEqual([])
      expect((await create({ [column]: [] })).at(`data.${column}`)).toEqual([])
    },
  )

  it.each(refused)('createRow answers 400 naming the column when %s is %j', async (column, value) => {
    const reply = await create({ [column]: value })
    expect(reply.status).toBe(400)
    expect(reply.error).toContain(column)
    expect((await api.get('/datatables/tbl_all/rows')).at('total')).toBe(5)
  })

  it.each(refused)('updateRow answers 400 naming the column when %s is %j', async (column, value) => {
    const reply = await api.patch('/datatables/tbl_all/rows/row_2', { data: { [column]: value } })
    expect(reply.status).toBe(400)
    expect(reply.error).toContain(column)
    expect((await api.get('/datatables/tbl_all/rows/row_2')).at('version')).toBe(1)
  })

  it.each(ignored)(
    'createRow answers 200 when a value is sent for %s, which is ignored',
    async (column, value) => {
      const plain = await create({})
      const created = await create({ [column]: value })
      expect(created.status).toBe(200)
      expect(created.at(`data.${column}`)).not.toEqual(value)
      if (column !== 'col_autonumber')
        expect(created.at(`data.${column}`)).toEqual(plain.at(`data.${column}`))
    },
  )

  it('createRow answers 400 with the allowed options when a dropdown value is none of them', async () => {
    const { error } = await create({ col_dropdown: 'opt_none' })
    for (const option of ['opt_lead', 'opt_won', 'opt_lost', 'opt_none']) expect(error).toContain(option)
  })

  it('createRow answers 400 with null as the only value when a dropdown has no options', async () => {
    await control.seed({
      tables: [
        { id: 'tbl_bare', name: 'Bare', columns: [{ id: 'col_bare', name: 'Bare', type: 'dropdown' }] },
      ],
    })
    const write = (value: unknown) => api.post('/datatables/tbl_bare/rows', { data: { col_bare: value } })
    expect((await write('opt_won')).error).toBe(
      'Bare (col_bare) must be null, since there are no options; received "opt_won"',
    )
    expect((await write(null)).status).toBe(200)
  })

  it('createRow answers 200 with the next autonumber in the format of the column when rows follow each other', async () => {
    expect((await create({})).at('data.col_autonumber')).toBe('INV-0006')
    expect((await create({})).at('data.col_autonumber')).toBe('INV-0007')
  })

  it('createRow answers 200 with an autonumber never used before when the last row is deleted', async () => {
    const last = await create({})
    await api.delete(`/datatables/tbl_all/rows/${last.string('id')}`)
    expect((await create({})).at('data.col_autonumber')).toBe('INV-0007')
  })

  it('createRow answers 200 with that moment as created_at and updated_at when a row is new', async () => {
    const created = await create({})
    expect(created.at('data.col_created')).toBe(NOW)
    expect(created.at('data.col_updated')).toBe(NOW)
  })

  it('createRow answers 200 with the formula computed when the columns it names are sent', async () => {
    expect((await create({ col_number: 4, col_currency: 2.25 })).at('data.col_formula')).toBe(9)
    expect((await create({ col_number: 4 })).at('data.col_formula')).toBeNull()
  })
})

const formulas: [string, Record<string, unknown>, unknown][] = [
  ['{Price} + Count', { col_price: 1, col_count: 2 }, 3],
  ['Price - Count', { col_price: 1, col_count: 2 }, -1],
  ['{Price} * {Count} / 4', { col_price: 6, col_count: 2 }, 3],
  ['Count % 3', { col_count: 8 }, 2],
  ['(Price + 1) * 2', { col_price: 2 }, 6],
  ['Price == Count', { col_price: 2, col_count: 2 }, true],
  ['Price != Count', { col_price: 2, col_count: 2 }, false],
  ['Price < Count', { col_price: 1, col_count: 2 }, true],
  ['Price >= Count', { col_price: 1, col_count: 2 }, false],
  ['Price > 0 && Count > 0', { col_price: 1, col_count: 2 }, true],
  ['Price > 5 || Count > 5', { col_price: 1, col_count: 2 }, false],
  ['!({Price} > 5)', { col_price: 1 }, true],
  ['Count > 1 ? "many" : "one"', { col_count: 2 }, 'many'],
  ['{Full name} + "!"', { col_name: 'Ada' }, 'Ada!'],
  ['Count + " of " + {Full name}', { col_count: 2, col_name: 'Ada' }, '2 of Ada'],
  ['{Size}', { col_size: 'opt_l' }, 'Large'],
  ['{Size} == "Large"', { col_size: 'opt_l' }, true],
  ['+Count', { col_count: 2 }, 2],
  ['+{Full name}', { col_name: '2' }, null],
  ['-Count', { col_count: 2 }, -2],
  ['-{Full name}', { col_name: '2' }, null],
  ['!Count', { col_count: 0 }, true],
  ['!{Full name}', { col_name: 'Ada' }, false],
  ['!Count', {}, null],
  ['Count % 3', { col_count: -8 }, -2],
  ['Count % 0', { col_count: 8 }, null],
  ['Count <= 2', { col_count: 2 }, true],
  ['Count >= 2', { col_count: 2 }, true],
  ['Count < 2', { col_count: 2 }, false],
  ['Count > 2', { col_count: 2 }, false],
  ['{Full name} < "B"', { col_name: 'Ada' }, true],
  ['{Full name} < 2', { col_name: '1' }, null],
  ['(Price > 1) < (Count > 1)', { col_price: 1, col_count: 2 }, null],
  ['Count == "2"', { col_count: 2 }, false],
  ['Count != "2"', { col_count: 2 }, true],
  ['Count + (Price > 1)', { col_count: 2, col_price: 2 }, null],
  ['{Full name} + (Price > 1)', { col_name: 'Ada ', col_price: 2 }, 'Ada true'],
  ['{Full name} - 1', { col_name: '2' }, null],
  ['Count && {Full name}', { col_count: 2, col_name: 'Ada' }, 'Ada'],
  ['Count && {Full name}', { col_count: 0 }, 0],
  ['Count || {Full name}', { col_count: 2 }, 2],
  ['Count || {Full name}', { col_count: 0, col_name: 'Ada' }, 'Ada'],
  ['Count || 1', {}, null],
  ['Count && 1', {}, null],
  ['Count ? 1 : 2', { col_count: 0 }, 2],
  ['Count ? 1 : 2', {}, null],
  ['Count * 1e308 * 10', { col_count: 1 }, null],
  ['{Full name} + {Full name}', { col_name: 'x'.repeat(5000) }, 'x'.repeat(10_000)],
  ['{Full name} + {Full name}', { col_name: 'x'.repeat(5001) }, null],
  ['true + this', { col_true: 1, col_this: 2 }, 3],
  ['false', {}, null],
  ['{Full name', { col_name: 'Ada' }, null],
  ['Count Count', { col_count: 2 }, null],
  ['Count, Count', { col_count: 2 }, null],
  ['Count; Count', { col_count: 2 }, null],
  ['[Count]', { col_count: 2 }, null],
  ['Count.length', { col_count: 2 }, null],
  ['Count | 1', { col_count: 2 }, null],
  ['~Count', { col_count: 2 }, null],
  ['', { col_count: 2 }, null],
  [`${'('.repeat(256)}Count${')'.repeat(256)}`, { col_count: 2 }, 2],
  [`${'('.repeat(257)}Count${')'.repeat(257)}`, { col_count: 2 }, null],
  [`${'!'.repeat(255)}Count`, { col_count: 2 }, false],
  [`${'!'.repeat(256)}Count`, { col_count: 2 }, null],
  ['Price + Count', { col_price: 1 }, null],
  ['Price / 0', { col_price: 1 }, null],
  ['{No such column} + 1', {}, null],
  ['1 +', {}, null],
  ['constructor', {}, null],
  ['process.exit(1)', {}, null],
]

const formulaFixture = {
  name: 'formulas',
  clock: NOW,
  workspaces: [
    {
      id: 'ws_f',
      name: 'Formulas',
      plan: 'pro',
      members: [{ id: 'mem_f', name: 'Fay' }],
      keys: [{ key: 'wm_f', name: 'master', kind: 'master', member_id: 'mem_f' }],
      tables: formulas.map(([formula], index) => ({
        id: `tbl_${String(index)}`,
        name: `Table ${String(index)}`,
        columns: [
          { id: 'col_price', name: 'Price', type: 'currency', currency_code: 'EUR', readonly: false },
          { id: 'col_count', name: 'Count', type: 'number', readonly: false },
          { id: 'col_name', name: 'Full name', type: 'text', readonly: false },
          { id: 'col_true', name: 'true', type: 'number', readonly: false },
          { id: 'col_this', name: 'this', type: 'number', readonly: false },
          {
            id: 'col_size',
            name: 'Size',
            type: 'dropdown',
            options: [{ id: 'opt_l', label: 'Large', color: '#000000' }],
            readonly: false,
          },
          { id: 'col_formula', name: 'Result', type: 'formula', formula, readonly: true },
        ],
        rows: [],
      })),
      spaces: [],
      forms: [],
      jobs: [],
    },
  ],
  files: {},
}

describe('formulas', () => {
  const { api } = useMock({ fixture: formulaFixture, key: 'wm_f' })

  it.each(formulas.map((entry, index) => [index, ...entry] as const))(
    'createRow answers 200 when formula %i is %s, which over %j is %j',
    async (index, _formula, data, expected) => {
      const created = await api.post(`/datatables/tbl_${String(index)}/rows`, { data })
      expect(created.status).toBe(200)
      expect(created.at('data.col_formula')).toEqual(expected)
    },
  )
})
