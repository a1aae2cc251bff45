// Messages about wrong options: the nearest name if one is near, otherwise the names that exist.
import { consoleControlsOf } from '../../src/adapters/control-api/console-controls.ts'
import { expect, it } from 'vitest'
import { findNearest } from '../../src/contract/text/nearest.ts'
import { createWorkspaceMock, type Fixture, type MockOptions } from '../../src/index.ts'

const messageOf = (run: () => unknown): string => {
  try {
    run()
  } catch (error) {
    return (error as Error).message
  }
  return 'no error'
}
const rejectionOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'no error',
    (error: unknown) => (error as Error).message,
  )
const made = (options: object) => messageOf(() => createWorkspaceMock(options as MockOptions))
const fault = (spec: object) => messageOf(() => createWorkspaceMock().fault(spec))

it.each<[string, string, RegExp]>([
  ['plan', made({ plan: 'enterprise' }), /free, pro, business, scale; received "enterprise"$/],
  ['clock', made({ clock: 'real' }), /manual, system; received "real"$/],
  ['option', made({ foo: 1 }), /unknown fields: foo; allowed: baseUrl, fixture, [^;]*$/],
  ['fixture', made({ fixture: 'production' }), /demo, empty, large, or an object; received "production"$/],
  ['question', made({ answers: { zzz: 1 } }), /id "zzz"; allowed: rowShape, /],
  ['fault field', fault({ op: 'getTask' }), /unknown fields: op; allowed: operation, [^;]*$/],
  ['fault operation', fault({ operation: 'xyz' }), /"xyz" does not exist; allowed: getIdentity, /],
])('an unknown %s is refused with what there is', (_, message, expected) => {
  expect(message).toMatch(expected)
  expect(message).not.toContain('nearest')
})

it.each<[string, string, string]>([
  ['plan', made({ plan: 'bussiness' }), 'the nearest is business'],
  ['clock', made({ clock: 'sytem' }), 'the nearest is system'],
  ['option', made({ fixtures: 'demo' }), 'the nearest to fixtures is fixture'],
  ['fixture', made({ fixture: 'dmo' }), 'the nearest is demo'],
  ['question', made({ answers: { rowshape: 'flat' } }), 'the nearest is "rowShape"'],
  ['fault field', fault({ operaton: 'getTask' }), 'the nearest to operaton is operation'],
  ['fault operation', fault({ operation: 'getTasks' }), 'the nearest is getTask'],
])('a misspelled %s is refused with the nearest', (_, message, expected) => {
  expect(message).toContain(expected)
})

it.each(['./x.json', 'fixtures/own.json', 'own.json', 'C:\\own.json'])(
  'the file name %s as a fixture is refused with how to read it',
  (fixture) => {
    expect(made({ fixture })).toMatch(/the contents of a file, not its name: import it/)
  },
)

it('a base address with a slash at its end is refused', () => {
  expect(made({ baseUrl: 'https://api.workspace.test/v2' })).toContain('and end with /v1; received')
})

it('a snapshot of another fixture is refused with both names', () => {
  const mock = createWorkspaceMock()
  const of = (other: MockOptions) => messageOf(() => mock.restore(createWorkspaceMock(other).snapshot()))
  expect(of({ fixture: 'empty' })).toMatch(
    /with fixture empty, but this mock uses fixture demo; first call mock\.loadState/,
  )
  expect(of({ plan: 'free' })).toMatch(
    /with fixture demo, but this mock uses another state of fixture demo; first call/,
  )
})

const inWorkspace = (parts: object) => made({ fixture: { workspaces: [{ name: 'W', ...parts }] } })
const rowsOf = (row: unknown) =>
  inWorkspace({
    tables: [{ name: 'T', columns: [{ id: 'col_city', name: 'City', type: 'text' }], rows: [row] }],
  })

it.each(['City', 'col_city'])('a value %s next to data is refused with where values belong', (key) => {
  const place = `workspaces[0].tables[0].rows[0].${key} is not a field of a row: `
  const rule = 'values belong in data, keyed by column id: data: { col_city: … }'
  expect(rowsOf({ [key]: 'Kiel' })).toBe(place + rule)
  expect(rowsOf({ id: 'row_1', data: {}, [key]: 'Kiel' })).toBe(place + rule)
})

it.each([
  ['a row', rowsOf({ values: {} }), 'rows[0].values', 'id, version, data, created_at, updated_at'],
  ['a workspace', inWorkspace({ xyzzy: 1 }), 'workspaces[0].xyzzy', 'id, name, '],
  ['a fixture', made({ fixture: { workspaces: [{ name: 'W' }], qqqq: 1 } }), 'qqqq', '$schema, name, '],
])('an unknown field of %s is refused with the fields there are', (_, message, field, fields) => {
  expect(message).toContain(`${field} is not a field of a fixture; allowed: ${fields}`)
  expect(message).not.toContain('did you mean')
})

it('an unknown type of a column is refused with the types there are', () => {
  const message = inWorkspace({ tables: [{ name: 'T', columns: [{ name: 'A', type: 'string' }] }] })
  expect(message).toMatch(/columns\[0\]\.type must be one of text, .*, updated_at; received "string"$/)
})

it.each<[string, unknown, number]>([
  ['a day', '2026-01-01', 1_767_225_600],
  ['a moment', '2026-01-01T01:30:00.500+01:00', 1_767_227_400],
  ['a moment without a zone, as UTC,', '2026-01-01T00:30', 1_767_227_400],
  ['a Date', new Date(1_767_225_600_999), 1_767_225_600],
])('%s where seconds are meant is refused with its seconds', async (_, moment, seconds) => {
  const mock = createWorkspaceMock()
  const list_id = mock.db.lists.findFirst()?.id ?? ''
  const task = { list_id, title: 'T', due_date: moment } as never
  const spaces = [{ name: 'S', lists: [{ name: 'L', tasks: [{ title: 'T', created_at: moment }] }] }]
  const date = { id: 'c_date', name: 'Date', type: 'date' }
  const dated = { title: 'T', custom_data: { c_date: moment } }
  const messages = [
    inWorkspace({ spaces }),
    inWorkspace({ tables: [{ name: 'T', columns: [date], rows: [{ data: { c_date: moment } }] }] }),
    inWorkspace({ spaces: [{ name: 'S', lists: [{ name: 'L', fields: [date], tasks: [dated] }] }] }),
    made({ fixture: { workspaces: [{ name: 'W' }], clock: moment } }),
    made({ startAt: moment }),
    messageOf(() => mock.clock.set(moment as never)),
    messageOf(() => mock.seed({ tasks: [task] })),
    await rejectionOf(mock.db.tasks.create(task)),
  ]
  for (const message of messages)
    expect(message).toMatch(new RegExp(`; received "2026-.*", times are Unix seconds: ${String(seconds)}$`))
})

it.each(['soon', '2026', '2026-13-01', '', '01/02/2026'])(
  '%j is refused as a time without seconds',
  (text) => {
    const message = messageOf(() => createWorkspaceMock().clock.set(text as never))
    expect(message).toMatch(/now must be whole Unix seconds .*; received "[^"]*"$/)
  },
)

it('updateTask answers 400 with the seconds in its hint when a time is a text', async () => {
  const mock = createWorkspaceMock()
  const headers = { authorization: `Bearer ${mock.keys.master}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ due_date: '2026-01-01' })
  const path = `/tasks/${mock.db.tasks.findFirst()?.id ?? ''}`
  const response = await mock.fetch(path, { method: 'PATCH', headers, body })
  expect([response.status, response.headers.get('x-mock-hint')]).toEqual([
    400,
    'times are Unix seconds: 1767225600',
  ])
})

it.each<Fixture>([{ workspaces: [{ name: 'W' }] }, { workspaces: [{ name: 'W', keys: [] }] }])(
  'a request without keys in the fixture answers 401 with how to give one, for %j',
  async (fixture) => {
    const mock = createWorkspaceMock({ fixture })
    const headers = { authorization: `Bearer ${String(mock.keys.master)}` }
    const response = await mock.fetch('/me', { headers })
    expect(response.status).toBe(401)
    expect(response.headers.get('x-mock-hint')).toBe(
      'the key is the text undefined; the fixture has no keys: give a workspace one, such as keys: [{ key: "wm_own", name: "master" }]',
    )
  },
)

it('names the nearest id of a misspelled task id, and no record that is far from it', async () => {
  const mock = createWorkspaceMock()
  const [task, other] = mock.db.tasks.findMany()
  mock.db.tasks.delete((query) => query.where({ id: other?.id ?? '' }))
  const id = task?.id ?? ''
  expect(messageOf(() => consoleControlsOf(mock).inspect.task(`${id}x`))).toContain(`the nearest is "${id}"`)
  expect(messageOf(() => consoleControlsOf(mock).inspect.task('0123456789'))).toBe(
    'task "0123456789" does not exist',
  )
  expect(messageOf(() => mock.restoreTask('0123456789'))).not.toContain('nearest')
})

it('compares names of 900 KB by their beginnings', async () => {
  const long = (begin: string, letter: string) => begin + letter.repeat(900_000)
  const tasks = ['x', 'y'].map((letter) => ({ id: `tsk_${letter}`, title: long(`Title ${letter}`, letter) }))
  const spaces = ['x', 'y'].map((letter) => ({
    id: `spc_${letter}`,
    name: long(letter, `${letter}-`),
    lists: [{ name: `List ${letter}`, tasks: tasks.filter(({ id }) => id.endsWith(letter)) }],
  }))
  const mock = createWorkspaceMock({ fixture: { workspaces: [{ name: 'W', spaces }] } })
  const create = (space_id: string) => rejectionOf(mock.db.lists.create({ space_id, name: 'L' }))
  expect(await create(long('y', '-y'))).toMatch(/the nearest is "spc_y" \(yy-/)
  expect(await create(long('x', '-x'))).toMatch(/the nearest is "spc_x" \(xx-/)
  expect(messageOf(() => consoleControlsOf(mock).inspect.task('tsk_xy'))).toContain('the nearest is "tsk_x"')
  expect(messageOf(() => consoleControlsOf(mock).inspect.task(long('Title y', 'z')))).not.toContain('nearest')
  expect((await create(long('y', '-y'))).length).toBeLessThan(500)
})

it('of a received name and of each candidate no more than 120 characters are read, of 1,000 candidates at most', () => {
  const reads: number[] = []
  /** A text of which only the beginning can be read. */
  const textOf = (letter: string) =>
    ({
      slice: (start: number, end: number) => {
        reads.push(end - start)
        return letter.repeat(end - start)
      },
    }) as unknown as string
  const letters = ['b', 'c', 'd', 'a', ...Array.from({ length: 5000 }, () => 'e')]
  expect(findNearest(textOf('a'), letters, textOf)).toBe('a')
  expect(reads).toHaveLength(1001)
  expect(new Set(reads)).toEqual(new Set([120]))
})
