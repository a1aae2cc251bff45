// Checks that every request gets a documented response and never a 500, and that a refusal changes nothing.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { stateOf, useMock, type Reply } from '../support/harness.ts'
import { goodRequests } from '../support/requests.ts'
import { sampled } from '../../fidelity/sampled.ts'

const statuses = [200, 201, 202, 400, 401, 402, 403, 404, 413, 429]
const writes = goodRequests.filter(({ method }) => method === 'POST' || method === 'PATCH')
const bytes = (...values: number[]) => Uint8Array.from(values)

const oddBodies: [string, BodyInit][] = [
  ['nothing', ''],
  ['an open brace', '{'],
  ['null', 'null'],
  ['a number', '1'],
  ['a string', '"x"'],
  ['an array', '[]'],
  ['invalid UTF-8', bytes(0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d)],
  ['a byte order mark', '\ufeff{}'],
  ['NUL bytes', bytes(0, 0, 0)],
  ['__proto__', '{"__proto__":{"data":{}},"constructor":{"prototype":1}}'],
  [
    '__proto__ as data',
    '{"data":{"__proto__":1,"toString":2},"custom_data":{"__proto__":1},"rows":[{"__proto__":1}]}',
  ],
  [
    'huge numbers',
    '{"data":{"col_number":1e999},"due_date":1e999,"duration":1e300,"rows":[{"col_number":-1e999}]}',
  ],
  ['duplicate keys', '{"name":"a","name":1,"title":"a","title":null}'],
  ['many levels', `${'['.repeat(5000)}${']'.repeat(5000)}`],
  [
    'lone surrogates',
    '{"name":"\\ud800","title":"\\udfff","content":"\\ud800","data":{"col_text":"\\ud800"}}',
  ],
  [
    'wrong types throughout',
    '{"name":[],"title":{},"content":1,"data":"x","rows":{},"action":[],"filters":1,"sort":1}',
  ],
  [
    'a multipart body',
    '--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\na\r\n--x--\r\n',
  ],
]
const oddTypes = [
  'multipart/form-data',
  'multipart/form-data; boundary="',
  'application/x-www-form-urlencoded',
  ';;;',
]
/** Refused bodies come last, so the comparison of states covers all of them. */
const attempts: [string, BodyInit, string][] = [
  ...['text/plain', 'multipart/form-data; boundary=x', 'application/json'].flatMap((type) =>
    oddBodies.map(([what, body]): [string, BodyInit, string] => [what, body, type]),
  ),
  ...oddTypes.map((type): [string, BodyInit, string] => ['an open brace', '{', type]),
]

function expectContract(reply: Reply): void {
  expect(statuses).toContain(reply.status)
  if (reply.status >= 400) expect(reply.string('error')).not.toBe('')
}

describe('robustness', () => {
  const { api, control } = useMock()

  it.each(writes.map((request) => [request.id, request] as const))(
    '%s answers 4xx and changes nothing when the body is refused, whatever it is',
    async (_, { method, path }) => {
      let before = await stateOf(control)
      for (const [what, body, contentType] of attempts) {
        const reply = await api.call(method, path, { body, headers: { 'content-type': contentType } })
        expect(statuses, `${what} as ${contentType}: ${reply.text}`).toContain(reply.status)
        expectContract(reply)
        if (reply.status < 400) before = await stateOf(control)
      }
      // At least one request was refused since the last success, and left no trace.
      expect(await stateOf(control)).toEqual(before)
    },
  )

  const oddQueries = [
    '%',
    '%zz=1',
    '&&&===',
    'limit=1&limit=2',
    'sort=%00',
    'sort=,,,',
    'sort=:',
    'select=,',
    '__proto__=1',
  ]
    .concat([
      'limit=1e3',
      'limit=+5',
      'limit=0x10',
      'page=9007199254740993',
      'offset=99999999999999999999',
      'since=-1',
    ])
    .concat([
      `q=${'x'.repeat(5000)}`,
      'q=%F0%9F',
      'status=&q=',
      'constructor=1',
      'sort=__proto__:asc',
      'toString=x',
    ])

  it.each(oddQueries.map((query) => [query.slice(0, 40), query]))(
    'listRows and the other listings answer 200 or 400 when the query is ?%s',
    async (_, query) => {
      const paths = [
        '/datatables/tbl_all/rows',
        '/lists/lst_main/tasks',
        '/forms/frm_task/submissions',
        '/me',
        '/spaces',
      ]
      for (const path of paths) {
        const reply = await api.get(path, { query })
        expectContract(reply)
        expect([200, 400]).toContain(reply.status)
      }
    },
  )

  it.each([
    '__proto__',
    'constructor',
    'toString',
    '%00',
    '%2F',
    '..%2F..',
    '%F0%9F',
    ' ',
    '*',
    '{tableId}',
    'x'.repeat(5000),
  ])(
    'getTask, getRow, listRows, getJob and getForm answer 400 or 404 when the id in the path is %s',
    async (id) => {
      for (const path of [
        `/datatables/${id}/rows`,
        `/datatables/tbl_all/rows/${id}`,
        `/tasks/${id}`,
        `/jobs/${id}`,
        `/forms/${id}`,
      ])
        expect([400, 404]).toContain((await api.get(path)).status)
    },
  )

  it.each([
    '',
    ' ',
    'Bearer',
    'bearer x',
    'Bearer __proto__',
    'Bearer constructor',
    `Bearer ${'x'.repeat(5000)}`,
  ])('getIdentity answers 401 when the header Authorization is %j', async (authorization) => {
    expect((await api.get('/me', { key: null, headers: { authorization } })).status).toBe(401)
  })

  it('every operation answers 2xx or 4xx when JSON is made at random', async () => {
    const names = [
      'name',
      'color',
      'title',
      'status_id',
      'priority',
      'custom_data',
      'data',
      'rows',
      'mode',
      'key_column',
    ]
      .concat([
        'filters',
        'column',
        'operator',
        'value',
        'sort',
        'select',
        'content',
        'action',
        'duration',
        'date_start',
      ])
      .concat([
        'repeat_config',
        'trigger',
        'frequency',
        'col_text',
        'col_tags',
        'col_number',
        'fld_number',
        '__proto__',
      ])
    const words = [
      'Title',
      'Tags',
      'between',
      'in',
      'contains',
      'upsert',
      'manual',
      'stop',
      'on_schedule',
      'monthly',
      'low',
    ]
    const { json } = fc.letrec((tie) => ({
      json: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom(...words),
        fc.constantFrom(null, true, 0, -1, 1.5, 1e21, '', 'tag_red', 'mem_ada', 'st_done'),
        fc.array(tie('json'), { maxLength: 3 }),
        fc.dictionary(fc.constantFrom(...names), tie('json'), { maxKeys: 4 }),
      ),
    }))
    const body = fc.dictionary(fc.constantFrom(...names), json, { maxKeys: 5 })
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...writes), body, async ({ method, path }, value) => {
        expectContract(await api.call(method, path, { json: value }))
      }),
      sampled(400),
    )
  })
})
