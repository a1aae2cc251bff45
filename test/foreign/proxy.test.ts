// Checks with Prism as a proxy that the behaviour suite's requests and responses match the document.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { run, writeDocument } from './support/tools.ts'

interface Violation {
  readonly method: string
  readonly path: string
  /** The mock's response. */
  readonly status: number
  /** As `request.body.limit`. */
  readonly at: string
  readonly message: string
}
interface Replayed {
  readonly exchanges: number
  /** What Prism could not parse and did not pass on. */
  readonly unparsed: readonly {
    readonly address: string
    readonly status: number
    /** The content type of the request. */
    readonly type: string
    readonly body: string
  }[]
  readonly found: readonly Violation[]
}

/** Invalid requests that the suite sends on purpose and the mock accepts, and requests that Prism misreads. */
const expected: readonly { readonly at: RegExp; readonly message: RegExp; readonly path: RegExp }[] = [
  // Assumption: limitAboveMax. Page sizes above the maximum, and numbers that are not integers.
  {
    at: /^request\.(?:query|body)\.(?:limit|pagesize|page|offset|since)$/,
    message: /must be (?:integer|<=)/,
    path: /\/(?:rows|query|tasks|submissions)(?:$|\?)/,
  },
  // Assumption: contentType. JSON under another content type.
  { at: /^request$/, message: /^Supported content types/, path: /./ },
  { at: /^request\.body$/, message: /must be object/, path: /\/tasks\/tsk_plain$/ },
  // Assumption: recurrence. What `on_complete` ignores.
  { at: /^request\.body\.repeat_config/, message: /frequency|null|anyOf/, path: /\/tasks\/[^/]+$/ },
  // Rows that fail individually.
  { at: /^request\.body\.rows\.\d+$/, message: /must be object/, path: /\/rows\/bulk$/ },
  // Prism does not parse the JSON in a part, and does not treat a part that occurs once as an array.
  {
    at: /^request\.body\.(?:data|file)$/,
    message: /must be (?:object|array)/,
    path: /\/lists\/[^/]+\/tasks$/,
  },
]

const isExpected = ({ at, message, path }: Violation) =>
  expected.some((kind) => kind.at.test(at) && kind.message.test(message) && kind.path.test(path))

const scratch = mkdtempSync(join(tmpdir(), 'workspace-api-mock-exchanges-'))
const recorded = join(scratch, 'exchanges.jsonl')
const document = () => writeDocument('http://127.0.0.1:4010/v1')

async function replay(path: string, file: string): Promise<Replayed> {
  const { stdout, output } = await run('node', 'prism.mjs', path, file)
  expect(stdout, output).toMatch(/^\{/)
  return JSON.parse(stdout) as Replayed
}

beforeAll(async () => {
  const root = fileURLToPath(new URL('../..', import.meta.url))
  const config = join(root, 'test/foreign/support/recorded.config.ts')
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const { code, output } = await run(
    'env',
    `EXCHANGES=${recorded}`,
    'node',
    vitest,
    'run',
    '--config',
    config,
    '--reporter=dot',
  )
  expect(code, output.slice(-3000)).toBe(0)
})
afterAll(() => rmSync(scratch, { recursive: true }))

it('Prism sees no violation in either direction but for wrong requests that are sent on purpose', async () => {
  const { exchanges, unparsed, found } = await replay(document(), recorded)
  expect(exchanges).toBeGreaterThan(7000)
  expect(found.filter(({ at }) => at.startsWith('response'))).toEqual([])
  const accepted = found.filter(({ status }) => status < 400)
  expect(accepted.filter((violation) => !isExpected(violation))).toEqual([])
  expect(unparsed.length).toBeLessThan(exchanges / 15)
  // The mock understands these, but Prism does not: invalid UTF-8, uploads of several parts, a byte order mark.
  const odd = unparsed.filter(
    ({ address, status, type, body }) =>
      status < 400 &&
      !address.includes('%') &&
      !type.startsWith('multipart') &&
      !body.startsWith('\u00ef\u00bb\u00bf'),
  )
  expect(odd).toEqual([])
})

it('Prism sees a document that is wrong', async () => {
  const path = writeDocument('http://127.0.0.1:4010/v1', (text) =>
    text.replaceAll('"row_count":{"type":"integer"', '"row_count":{"type":"string"'),
  )
  const some = join(scratch, 'some.jsonl')
  const lines = readFileSync(recorded, 'utf8').split('\n')
  writeFileSync(
    some,
    lines
      .filter((line) => line.slice(0, 120).includes('/datatables"'))
      .slice(0, 20)
      .join('\n'),
  )
  const { found } = await replay(path, some)
  expect(found.some(({ at }) => at.endsWith('row_count'))).toBe(true)
})
