// Messages about wrong options: a nearest name only where one is near, else what there is.
import { expect, it } from 'vitest'
import { createWorkspaceMock, type MockOptions } from '../../src/index.ts'

const messageOf = (run: () => unknown): string => {
  try {
    run()
  } catch (error) {
    return (error as Error).message
  }
  return 'no error'
}
const made = (options: object) => messageOf(() => createWorkspaceMock(options as MockOptions))
const fault = (spec: object) => messageOf(() => createWorkspaceMock().fault(spec))

it.each<[string, string, RegExp]>([
  ['plan', made({ plan: 'enterprise' }), /free, pro, business, scale; received "enterprise"$/],
  ['clock', made({ clock: 'real' }), /manual, system; received "real"$/],
  ['option', made({ foo: 1 }), /unknown fields: foo; allowed are baseUrl, fixture, [^;]*$/],
  ['fixture', made({ fixture: 'production' }), /demo, empty, large, or an object; received "production"$/],
  ['question', made({ answers: { zzz: 1 } }), /id "zzz"; there are rowShape, /],
  ['fault field', fault({ op: 'getTask' }), /unknown fields: op; allowed are operation, [^;]*$/],
  ['fault operation', fault({ operation: 'xyz' }), /"xyz" does not exist; there are getIdentity, /],
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
    expect(made({ fixture })).toMatch(/the content of a file, not its name: import it/)
  },
)

it('a base address with a slash at its end is refused', () => {
  expect(made({ baseUrl: 'https://api.workspace.test/v1/' })).toContain('no slash after it')
})

it('a snapshot of another fixture is refused with both names', () => {
  const mock = createWorkspaceMock()
  const of = (other: MockOptions) => messageOf(() => mock.restore(createWorkspaceMock(other).snapshot()))
  expect(of({ fixture: 'empty' })).toMatch(/over fixture empty; this mock runs over fixture demo\./)
  expect(of({ plan: 'free' })).toMatch(
    /over fixture demo; this mock runs over another fixture of the name demo/,
  )
})
