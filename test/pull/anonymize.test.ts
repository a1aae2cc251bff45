// Checks that an anonymized pull reveals nothing about the workspace and still resembles it.
import { beforeAll, expect, test } from 'vitest'
import { createWorkspaceMock } from 'workspace-api-mock'
import { pull } from 'workspace-api-mock/verify'
import { inProcess } from '../verify/support/scrambles.ts'
import { readsOf } from './support/reads.ts'

/** Fields whose strings have a meaning in the API. */
const apiFields =
  /^(?:type|key|kind|plan|mode|currency_code|color|target_type|priority|contentType|mime_type|created_entity_type|trigger|frequency|time|operator|action|match|content_type)$/

/** All of the users' texts in a fixture, except values that have a meaning in the API. */
function* textsIn(value: any, name = ''): Generator<string> {
  if (typeof value === 'string') {
    if (!apiFields.test(name)) yield value
  } else if (Array.isArray(value)) for (const item of value) yield* textsIn(item, name)
  else if (typeof value === 'object' && value !== null)
    for (const [key, inner] of Object.entries(value)) yield* textsIn(inner, key)
}

/** The shape of a value: every text is replaced with its length. */
const shapeOf = (value: any, name = ''): any => {
  if (typeof value === 'string') return apiFields.test(name) && name !== 'key' ? value : value.length
  if (Array.isArray(value)) return value.map((item) => shapeOf(item, name))
  if (typeof value !== 'object' || value === null) return value
  return Object.entries(value).map(([key, inner]) => [
    /\d|_/.test(key) ? key.length : key,
    shapeOf(inner, key),
  ])
}

const options = () => ({ ...inProcess(createWorkspaceMock(), 'master'), files: true })
let plain: any
let anonymous: any
beforeAll(async () => {
  plain = (await pull(options())).fixture
  anonymous = (await pull({ ...options(), anonymize: true })).fixture
})

test('pull with anonymize leaves no word of five letters, and no id', async () => {
  const left = JSON.stringify([
    ...textsIn(anonymous.workspaces),
    ...Object.keys(anonymous.files),
  ]).toLowerCase()
  const words = new Set<string>()
  for (const text of textsIn(plain.workspaces))
    for (const [word] of text.toLowerCase().matchAll(/\p{L}{5,}/gu)) words.add(word)
  expect(words.size).toBeGreaterThan(300)
  const allowed = ['https', 'folder', 'title', 'master', 'pulled']
  expect([...words].filter((word) => left.includes(word) && !allowed.includes(word))).toEqual([])
  const ids = [...JSON.stringify(plain.workspaces).matchAll(/"id":"([^"]+)"/g)].map(([, id]) => id!)
  expect(ids.filter((id) => id !== 'title' && left.includes(`"${id}"`))).toEqual([])
})

test('pull with anonymize keys submissions by the items of their form', () => {
  const forms = anonymous.workspaces[0].forms.filter(({ submissions }: any) => submissions.length > 0)
  expect(forms.length).toBeGreaterThan(1)
  for (const { field_config, submissions } of forms) {
    const items = field_config.map(({ id }: any) => id)
    for (const { data } of submissions) expect(items).toEqual(expect.arrayContaining(Object.keys(data)))
  }
})

test('pull with anonymize keeps types, numbers, dates, order and lengths, and is the same every time', async () => {
  expect(shapeOf(anonymous.workspaces)).toEqual(shapeOf(plain.workspaces))
  expect((await pull({ ...options(), anonymize: true })).fixture).toEqual(anonymous)
  const sizes = (files: Record<string, string>) => Object.values(files).map((file) => file.length)
  expect(sizes(anonymous.files)).toEqual(sizes(plain.files))
})

test('a mock of an anonymized pull responds as its source does, with other words in the same order', async () => {
  const [one, other] = [plain, anonymous].map((fixture) => createWorkspaceMock({ fixture }))
  /** Excludes requests that sort or search by text, because anonymized texts differ. */
  const shapes = async (mock: any) =>
    Object.entries(await readsOf(mock, 'wm_pulled_master'))
      .filter(([request]) => !/sort|select|[?&]q=/.test(request))
      .map(([, text]) => [text.slice(0, 3), shapeOf(text[4] === '{' ? JSON.parse(text.slice(4)) : '')])
  expect(await shapes(other)).toEqual(await shapes(one))
  const idsOf = (fixture: any) =>
    [...JSON.stringify(fixture.workspaces).matchAll(/"id":"([^"]+)"/g)].map(([, id]) => id!)
  const pairs = new Map(idsOf(plain).map((id, index) => [id, idsOf(anonymous)[index]]))
  expect(new Set(pairs.values()).size).toBe(pairs.size)
})
