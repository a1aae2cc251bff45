// Checks that an anonymized pull leaves no personal text in any place a deployment can show, and takes no longer.
import { expect, test } from 'vitest'
import { createWorkspaceMock, type Fixture } from 'workspace-api-mock'
import { pull } from 'workspace-api-mock/verify'
import { deployment } from '../verify/support/deployment.ts'
import { inProcess } from '../verify/support/scrambles.ts'

const moment = 1_767_000_000
/** A distinct text for each place, to find it again. */
const planted: string[] = []
const plant = (text: string): string => {
  planted.push(text)
  return text
}
const name = (place: string) => plant(`Zoraida${place}`)
/** A key and a value. */
const json = (place: string) => ({
  [name(`${place}key`)]: {
    type: name(`${place}type`),
    action: name(`${place}action`),
    mode: name(`${place}mode`),
  },
  operator: name(`${place}operator`),
  list: [[name(`${place}item`)], { user_id: name(`${place}id`), content: { title: name(`${place}title`) } }],
})
const texts = [
  plant('#facade'),
  plant('#decade'),
  plant('٠١٢٣٤٥٦'),
  plant('１２３４５６７'),
  plant('ⒶⓁⒾⒸⒺ'),
  plant('🄰🄻🄸🄲🄴'),
  plant('𝒵𝑜𝓇𝒶𝒾𝒹𝒶'),
  plant('⠵⠕⠗⠁⠊⠙⠁'),
  plant('مرحبا'),
  plant('Ζωραΐδα'),
  'https://example.com/' + name('url'),
  'mailto:' + name('mail') + '@example.com',
  '2026-01-05T' + plant('0171234567'),
]
const columns = [
  { id: 'col_text', name: name('column'), type: 'text' },
  { id: 'col_kind', name: 'Kind', type: 'dropdown', options: [{ id: 'opt_1', label: name('label') }] },
  {
    id: 'col_number',
    name: 'Number',
    type: 'autonumber',
    format: `${name('prefix')}-{0000}${name('suffix')}`,
  },
  { id: 'col_files', name: 'Files', type: 'attachment' },
  {
    id: 'col_total',
    name: 'Total',
    type: 'formula',
    formula: `${name('function')}({${name('braces')}}) + "${name('literal')}" + 7${name('unit')} + '${name('open')}`,
  },
] as const

const fixture: Fixture = {
  clock: moment,
  workspaces: [
    {
      id: 'wsp_zora',
      name: name('workspace'),
      keys: [{ key: 'wm_planted', name: 'master' }],
      members: [{ id: 'mbr_zora', name: name('member') }],
      tables: [
        {
          id: 'tbl_zora',
          name: name('table'),
          columns,
          rows: texts.map((text, index) => ({
            id: `row_${String(index)}`,
            data: {
              col_text: text,
              ...(index === 0 && {
                col_files: [
                  { filename: `${name('file')}.${name('ending')}`, contentType: `text/${name('media')}` },
                ],
              }),
            },
          })),
        },
      ],
      spaces: [
        {
          id: 'spc_zora',
          name: name('space'),
          icon: name('icon'),
          lists: [
            {
              id: 'lst_zora',
              name: name('list'),
              fields: [{ id: 'fld_text', name: name('field'), type: 'text' }],
              tasks: [
                {
                  id: 'tsk_zora',
                  title: name('task'),
                  description: {
                    type: 'doc',
                    content: [{ type: name('node'), text: name('document'), ...json('doc') }],
                  },
                  repeat_config: { trigger: 'on_complete', frequency: name('frequency') as 'daily' },
                  custom_data: { fld_text: name('value') },
                  project_id: name('project'),
                  comments: [{ content: name('comment') }, { content: { type: 'doc', ...json('comment') } }],
                  time_entries: [{ note: name('note'), duration: 60 }],
                  attachments: [{ id: 'att_zora', filename: `a.${name('type')}`, mime_type: name('mime') }],
                },
              ],
            },
          ],
        },
      ],
      forms: [
        {
          id: 'frm_zora',
          name: name('form'),
          slug: name('slug'),
          target_type: 'task',
          target_id: 'lst_zora',
          field_config: [{ id: 'item_1', label: name('question'), type: name('item'), ...json('config') }],
          rules: [json('rule')],
          settings: json('setting'),
          submissions: [{ data: json('submission'), created_entity_id: name('entity') }],
        },
      ],
    },
  ],
}

const options = (given: Fixture) => {
  const mock = createWorkspaceMock({ fixture: given, answers: { taskReadExtras: true } })
  return { ...inProcess(mock, 'master'), files: true, anonymize: true }
}

test('pull with anonymize leaves no planted text in the fixture and in its notes', async () => {
  const progress: string[] = []
  const mock = createWorkspaceMock({ fixture, answers: { taskReadExtras: true } })
  const pulled = await pull({
    ...options(fixture),
    fetch: deployment(mock, 'listComments', {
      reply: ({ json: body }) => {
        for (const comment of body.comments) comment.created_at = name('time')
      },
    }),
    onProgress: ({ next }) => progress.push(next),
  })
  expect(planted.length).toBeGreaterThan(75)
  const left = JSON.stringify([pulled, progress]).toLowerCase()
  expect(planted.filter((text) => left.includes(text.toLowerCase()))).toEqual([])
  expect(left).not.toMatch(/zora/)
  expect(pulled.missing.length).toBeGreaterThan(0)
  createWorkspaceMock({ fixture: pulled.fixture, answers: pulled.answers })
})

test('pull with anonymize invents a word for one of 200,000 letters, and for each of as many words', async () => {
  const [workspace] = fixture.workspaces as any
  const [table] = workspace.tables
  const long = 'donaudampfschiff'.repeat(12_500)
  const many = Array.from({ length: 20_000 }, (_, index) => `wort${index.toString(26)}`).join(' ')
  const nasty = ['{'.repeat(50_000), '"\\'.repeat(50_000), `${'a'.repeat(50_000)}(`, 'a '.repeat(50_000)]
  const rows = [{ data: { col_text: long } }, { data: { col_text: many } }]
  const formulas = nasty.map((formula, index) => ({
    id: `col_f${String(index)}`,
    name: `F${String(index)}`,
    type: 'formula',
    formula,
  }))
  const tables = [{ ...table, columns: [...columns, ...formulas], rows }]
  const given = { ...fixture, workspaces: [{ ...workspace, tables }] }
  const { fixture: made } = await pull(options(given))
  const [{ columns: newColumns, rows: newRows }] = made.workspaces[0]!.tables as any
  const [first, second] = newRows.map(({ data }: any) => data[newColumns[0].id])
  expect(first).toMatch(/^[a-z]{200000}$/)
  expect(first).not.toMatch(/donau|dampf|schiff/)
  expect(second.split(' ').map(({ length }: string) => length)).toEqual(
    many.split(' ').map(({ length }) => length),
  )
})
