// Bodies that no careful client sends: almost JSON, not JSON, nested too deeply, too large, multipart.
import fc from 'fast-check'
import type { OperationSpec } from '../../../../src/contract/operation.ts'
import { nearTo, oddJson, oddText } from './values.ts'

export interface HostileBody {
  readonly contentType: string | null
  readonly bytes: Uint8Array
}

const encode = (text: string) => new TextEncoder().encode(text)
const typed = (contentType: string | null, text: string): HostileBody => ({
  contentType,
  bytes: encode(text),
})
const json = (value: unknown) => typed('application/json', JSON.stringify(value))

/** Bodies that are invalid as text. */
const brokenJson: fc.Arbitrary<HostileBody> = fc.oneof(
  fc
    .constantFrom(
      '',
      '{',
      'null',
      '[]',
      '""',
      '{"a":1',
      '{"a":1}}',
      '\ufeff{}',
      'NaN',
      "{'a':1}",
      '{"a":1e999}',
      '{"a":01}',
    )
    .map((text) => typed('application/json', text)),
  fc
    .tuple(fc.constantFrom('[', '{"a":'), fc.constantFrom(10, 255, 256, 257, 20_000))
    .map(([open, depth]) =>
      typed('application/json', `${open.repeat(depth)}1${(open === '[' ? ']' : '}').repeat(depth)}`),
    ),
  fc.uint8Array({ maxLength: 40 }).map((bytes) => ({ contentType: 'application/json', bytes })),
  fc
    .constantFrom('{"name":"\\ud800","title":"\\udfff","content":"\\ud800\\ud800"}')
    .map((text) => typed('application/json', text)),
  fc
    .constantFrom(
      '{"data":{"__proto__":{"x":1}},"custom_data":{"__proto__":1},"rows":[{"__proto__":[]}],"title":"x"}',
    )
    .map((text) => typed('application/json', text)),
  fc.constantFrom(300, 60_000).map((count) => json({ rows: Array.from({ length: count }, () => ({})) })),
  fc
    .constant(null)
    .map(() => json({ content: 'x'.repeat(300_000), name: 'y'.repeat(300_000), title: 'z'.repeat(300_000) })),
)

const contentType = fc.constantFrom(
  null,
  '',
  'text/plain',
  'application/json; charset=utf-16',
  'application/vnd.api+json',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'multipart/form-data; boundary=',
  'multipart/mixed; boundary=x',
  'a'.repeat(2000),
)

const partName = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('file', 'file', 'data') },
  { weight: 1, arbitrary: fc.constantFrom('files', '__proto__', '', 'FILE') },
)
const filename = fc.oneof(
  fc.constantFrom(
    'a.txt',
    '',
    '../../a',
    'a\\b',
    '"',
    'é.txt',
    '😀',
    'a%22b',
    'con',
    '.',
    'x'.repeat(500),
    '__proto__',
  ),
  oddText.map((text) => text.toWellFormed().replace(/[\r\n]/g, '')),
)

const disposition = fc.oneof(
  {
    weight: 8,
    arbitrary: fc
      .tuple(partName, filename)
      .map(([name, file]) => `form-data; name="${name}"; filename="${file}"`),
  },
  { weight: 2, arbitrary: partName.map((name) => `form-data; name="${name}"`) },
  {
    weight: 1,
    arbitrary: filename.map((file) => `form-data; name=file; filename*=UTF-8''${encodeURIComponent(file)}`),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      'form-data',
      '',
      'attachment; name=',
      "form-data; name=file; filename*=utf-8''%",
      'form-data; name="data',
    ),
  },
)

const partContent = fc.oneof(
  fc.constantFrom('{"title":"From a part"}', '{"title":1}', '{', '', '--x', '\r\n--x\r\n', 'hello'),
  oddJson.map((value) => JSON.stringify(value)),
)

/** Multipart bodies, most of them complete. */
const multipart: fc.Arbitrary<HostileBody> = fc
  .record({
    parts: fc.array(fc.tuple(disposition, partContent), { maxLength: 12 }),
    type: fc.constantFrom(
      '',
      'Content-Type: text/plain\r\n',
      'Content-Type: \r\n',
      'X\r\n',
      'Content-Type: é\r\n',
    ),
    boundary: fc.constantFrom('x', 'x', 'x', 'y', '-'.repeat(70), '-'.repeat(71), "a'()+_,-./:=?"),
    end: fc.constantFrom('--', '--', '--', '--', '', '\r\n', '--\r\nepilogue'),
    cut: fc.constantFrom(0, 0, 0, 0, 1, 5, 30),
  })
  .map(({ parts, type, boundary, end, cut }) => {
    const written = parts.map(
      ([header, content]) => `--${boundary}\r\nContent-Disposition: ${header}\r\n${type}\r\n${content}\r\n`,
    )
    const text = `${written.join('')}--${boundary}${end}\r\n`
    return typed(`multipart/form-data; boundary="${boundary}"`, text.slice(0, text.length - cut))
  })

/** A body for an operation: close to a valid one, or far from any. */
export function hostileBody(operation: OperationSpec, good: unknown): fc.Arbitrary<HostileBody | null> {
  const near = good === undefined ? oddJson : nearTo(good)
  const retyped = fc.tuple(near, contentType).map(([value, type]) => typed(type, JSON.stringify(value) ?? ''))
  const takesFiles = operation.body?.multipart !== undefined
  return fc.oneof(
    { weight: 10, arbitrary: near.map(json) },
    { weight: 2, arbitrary: oddJson.map(json) },
    { weight: 3, arbitrary: brokenJson },
    { weight: 1, arbitrary: retyped },
    { weight: takesFiles ? 12 : 1, arbitrary: multipart },
    { weight: 1, arbitrary: fc.constant(null) },
  )
}
