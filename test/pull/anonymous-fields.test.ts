// How an anonymized pull replaces each kind of text, in a small workspace that has all of them.
import { beforeAll, expect, test } from 'vitest'
import { createWorkspaceMock, type Fixture } from 'workspace-api-mock'
import { pull } from 'workspace-api-mock/verify'
import { deployment } from '../verify/support/deployment.ts'
import { inProcess } from '../verify/support/scrambles.ts'

/** Pronounceable words made of the same syllables as invented ones, each once. */
const words = Array.from({ length: 2500 }, (_, index) => {
  const at = (letters: string, divisor: number) =>
    letters.charAt(Math.floor((index * 113) / divisor) % letters.length)
  return [
    at('bdfgklmnpr', 1),
    at('aeiou', 10),
    at('bdfgklmnpr', 50),
    at('aeiou', 500),
    at('bdfgklmnpr', 2500),
  ].join('')
})

const moment = 1_767_000_000
const columns = [
  { id: 'col_title', name: 'Title', type: 'text' },
  { id: 'col_story', name: 'Story', type: 'longtext' },
  { id: 'col_price', name: 'Unit price', type: 'number' },
  { id: 'col_state', name: 'State', type: 'dropdown', options: [{ id: 'opt_wet', label: 'Washed' }] },
  {
    id: 'col_total',
    name: 'Total',
    type: 'formula',
    formula: 'IF({State} = "Washed", ROUND({Unit price} * 1.5, 2), 0)',
  },
  { id: 'col_number', name: 'Number', type: 'autonumber', format: 'ORDER-{0000}' },
] as const
const cells = (title: string, number: string) => ({ col_title: title, col_price: 7, col_number: number })
const titles = [
  '2026-01-05',
  '2026-01-05T10:00:00+02:00',
  '#A1b2C3',
  'https://example.com/Orders/17',
  'mailto:ada@example.com',
  'McGregor and mcgregor',
]
const submissions = ['e', 'b', 'f', 'a', 'd', 'c'].map((letter, index) => ({
  id: `sub_${letter}`,
  created_entity_id: `gone_${letter}`,
  created_at: moment,
  data: { item_text: 'x'.repeat(10 + index) },
}))
const items = [
  { id: 'title', label: 'Subject', type: 'text', required: true },
  { id: 'item_text', label: 'Remarks', type: 'short_text', required: false },
]
const rules = [{ type: 'show', operator: 'equals', mode: 'Only for Gregor', value: 'Washed', action: 'hide' }]

const fixture: Fixture = {
  workspaces: [
    {
      keys: [
        { key: 'wm_one', name: 'one' },
        { key: 'wm_two', name: 'two' },
      ],
      members: [{ id: 'mbr_ada', name: 'Ada Lovelace' }],
      tables: [
        {
          id: 'tbl_orders',
          name: 'Orders',
          columns,
          rows: [
            ...titles.map((title, index) => ({ data: cells(title, `ORDER-000${String(index + 1)}`) })),
            { data: { ...cells('story', 'ORDER-0099'), col_story: words.join(' ') } },
          ],
        },
      ],
      spaces: [
        {
          name: 'Kitchen',
          lists: [
            {
              id: 'lst_plain',
              name: 'Plain',
              tasks: [
                {
                  title: 'Files',
                  attachments: [
                    { id: 'att_text', filename: 'Minutes of May.txt', mime_type: 'text/plain' },
                    { id: 'att_bytes', filename: 'photo.tar.gz', mime_type: 'image/png' },
                  ],
                },
              ],
            },
            { id: 'lst_third', name: 'Third', icon: 'rocket' },
          ],
        },
        { name: 'Garden', icon: 'leaf', lists: [{ id: 'lst_second', name: 'Second' }] },
      ],
      forms: [
        {
          name: 'Feedback',
          slug: 'feedback-form',
          target_type: 'task',
          target_id: 'lst_plain',
          field_config: items,
          rules,
          settings: { mode: 'wizard' },
          submissions,
        },
      ],
    },
  ],
  files: { att_text: btoa('Dear committee, '.repeat(20)), att_bytes: btoa('\x89PNG'.repeat(50)) },
  runtime: { lists: ['lst_plain', 'lst_second', 'lst_third'] },
}

const pulled = async (key: string, anonymize: boolean, files = true): Promise<any> => {
  const source = createWorkspaceMock({ fixture })
  return (await pull({ ...inProcess(source, key), files, anonymize })).fixture
}
let plain: any
let anonymous: any
beforeAll(async () => {
  plain = await pulled('one', false)
  anonymous = await pulled('one', true)
})
const tableOf = (pull: any) => pull.workspaces[0].tables[0]
const formOf = (pull: any) => pull.workspaces[0].forms[0]

/** The anonymized titles of the rows. */
const titlesMade = () => {
  const [{ id: column }] = tableOf(anonymous).columns
  return tableOf(anonymous).rows.map(({ data }: any) => data[column])
}

test('pull with anonymize keeps dates and schemes in texts, and no other word', () => {
  const [date, time, color, link, mail, names] = titlesMade()
  expect([date, time]).toEqual(titles.slice(0, 2))
  expect(color).toMatch(/^#[A-Z]\d[a-z]\d[A-Z]\d$/)
  expect(color).not.toBe('#A1b2C3')
  expect(link).toMatch(/^https:\/\/[a-z]{7}\.[a-z]{3}\/[A-Z][a-z]{5}\/\d\d$/)
  expect(link).not.toMatch(/example|orders/i)
  expect(mail).toMatch(/^mailto:[a-z]{3}@[a-z]{7}\.[a-z]{3}$/)
  expect(mail).not.toMatch(/ada|example/)
  const [upper, , lower] = names.split(' ')
  expect(upper).toMatch(/^[A-Z][a-z][A-Z][a-z]{5}$/)
  expect(lower).toBe(upper.toLowerCase())
})

test('pull with anonymize invents another word for each word, not one of the workspace', () => {
  const story = tableOf(anonymous).columns[1].id
  const made: string[] = tableOf(anonymous).rows.at(-1).data[story].split(' ')
  expect(new Set(words).size).toBe(words.length)
  expect(new Set(made).size).toBe(words.length)
  expect(made.filter((word) => words.includes(word))).toEqual([])
})

test('pull with anonymize invents other words and ids for another key', async () => {
  const other = await pulled('two', true)
  const textsOf = (pull: any) => [
    tableOf(pull).name,
    tableOf(pull).id,
    formOf(pull).slug,
    ...tableOf(pull).columns.map(({ id }: any) => id),
  ]
  for (const [index, text] of textsOf(other).entries()) expect(text).not.toBe(textsOf(anonymous)[index])
})

test('pull with anonymize names the new columns and labels in formulas, whose numbers and functions stay', () => {
  const [, , price, state, total] = tableOf(anonymous).columns
  const [{ label }] = state.options
  expect(label).not.toBe('Washed')
  expect(total.formula).toBe(`IF({${state.name}} = "${label}", ROUND({${price.name}} * 1.5, 2), 0)`)
})

test('pull with anonymize keeps the numbers of autonumbers behind a new prefix', () => {
  const { id, format } = tableOf(anonymous).columns.at(-1)
  const [prefix] = format.split('{')
  expect(format).toMatch(/^(?!ORDER)[A-Z]{5}-\{0000\}$/)
  const numbers = tableOf(anonymous).rows.map(({ data }: any) => data[id])
  const wanted = tableOf(plain).rows.map(({ data }: any) => data.col_number.replace('ORDER-', prefix))
  expect(numbers).toEqual(wanted)
})

test('pull with anonymize keeps what the contract names in JSON of forms, and nothing else', () => {
  const { field_config, rules: made, settings } = formOf(anonymous)
  expect(field_config.map((item: any) => Object.keys(item))).toEqual(
    items.map(() => ['id', 'label', 'type', 'required']),
  )
  expect(field_config[0]).toMatchObject({ id: 'title', type: 'text' })
  expect(field_config[1].id).not.toBe('item_text')
  expect(field_config[1].type).toMatch(/^(?!short)[a-z]{5}_(?!text)[a-z]{4}$/)
  const [rule] = made
  expect(Object.keys(rule).map(({ length }) => length)).toEqual(
    Object.keys(rules[0]!).map(({ length }) => length),
  )
  const left = [...Object.entries(rule), ...Object.entries(settings)].flat().join(' ')
  expect(left).not.toMatch(/type|operator|mode|value|action|show|equals|Only|Gregor|hide|wizard/)
  expect(Object.values(rule)).toContain(tableOf(anonymous).columns[3].options[0].label)
})

test('pull with anonymize keeps the order of submissions of one moment, and of lists of several spaces', async () => {
  const read = async (from: any, path: string) => {
    const mock = createWorkspaceMock({ fixture: from })
    const headers = { authorization: 'Bearer wm_pulled_master' }
    return (await mock.fetch(new Request(mock.baseUrl + path, { headers }))).json()
  }
  const lengths = async (from: any) => {
    const { submissions } = await read(from, `/forms/${String(formOf(from).id)}/submissions`)
    return submissions.map(({ data }: any) => String(Object.values(data)[0]).length)
  }
  expect(await lengths(plain)).toEqual([13, 11, 15, 14, 10, 12])
  expect(await lengths(anonymous)).toEqual(await lengths(plain))
  const listNames = async (from: any) => {
    const { lists } = await read(from, '/lists')
    return lists.map(({ name }: any) => name.length)
  }
  expect(await listNames(plain)).toEqual(['Plain', 'Second', 'Third'].map(({ length }) => length))
  expect(await listNames(anonymous)).toEqual(await listNames(plain))
})

test('pull with anonymize keeps the default icon, and invents others', () => {
  const [kitchen, garden] = anonymous.workspaces[0].spaces
  expect(kitchen.icon).toBe('folder')
  expect(garden.icon).toMatch(/^(?!leaf)[a-z]{4}$/)
  expect(kitchen.lists[1].icon).toMatch(/^(?!rocket)[a-z]{6}$/)
})

test('pull with anonymize keeps zeros for files that were not fetched, and invents text for text', async () => {
  const filesOf = (pull: any) => Object.values<string>(pull.files).map((contents) => atob(contents))
  const [text, bytes] = filesOf(anonymous)
  expect(text).toMatch(/^[a-z]{320}$/)
  expect(bytes).toHaveLength(200)
  expect(bytes).toMatch(/[^ -~]/)
  expect(bytes).not.toContain('PNG')
  const names = anonymous.workspaces[0].spaces[0].lists[0].tasks[0].attachments
  expect(names.map(({ filename }: any) => filename)).toEqual([
    expect.stringMatching(/^(?!Minutes)[A-Z][a-z]{6} [a-z]{2} [A-Z][a-z]{2}\.(?!txt)[a-z]{3}$/),
    expect.stringMatching(/^(?!photo)[a-z]{5}\.(?!tar)[a-z]{3}\.(?!gz)[a-z]{2}$/),
  ])
  expect(filesOf(await pulled('one', true, false))).toEqual(['\0'.repeat(320), '\0'.repeat(200)])
})

test.for(['mime_type', 'filename'] as const)(
  'pull with anonymize gives a fixture that loads where attachments show no %s',
  async (name) => {
    const source = createWorkspaceMock({ fixture })
    const fetch = deployment(source, 'listTaskAttachments', {
      reply: ({ json }) => {
        for (const attachment of json.attachments) Reflect.deleteProperty(attachment, name)
      },
    })
    const made = await pull({ ...inProcess(source, 'one'), fetch, files: true, anonymize: true })
    const { db } = createWorkspaceMock({ fixture: made.fixture })
    expect(db.attachments.count()).toBe(source.db.attachments.count())
  },
)
