// File names as clients write them in multipart parts: quotes, backslashes, line breaks, other alphabets.
import { describe, expect, it } from 'vitest'
import { multipart, useMock, type CallOptions } from '../support/harness.ts'

/** Headers of parts as browsers (RFC 7578), curl and RFC 5987 clients write them, with the file names they mean. */
const written: readonly (readonly [string, string])[] = [
  ['filename="plain.txt"', 'plain.txt'],
  ['filename=plain.txt', 'plain.txt'],
  ['filename="two words.txt"', 'two words.txt'],
  ['filename="a %22quoted%22 name.txt"', 'a "quoted" name.txt'],
  ['filename="a \\"quoted\\" name.txt"', 'a "quoted" name.txt'],
  ['filename="back\\\\slash.txt"', 'back\\slash.txt'],
  ['filename="C:\\plans\\new.txt"', 'C:\\plans\\new.txt'],
  ['filename="ends with one\\"', 'ends with one\\'],
  ['filename="two%0D%0Alines.txt"', 'two\r\nlines.txt'],
  ['filename="two%0alines.txt"', 'two\nlines.txt'],
  ['filename="half;name=other.txt"', 'half;name=other.txt'],
  ['filename="100%.txt"', '100%.txt'],
  ['filename="zażółć 日本.txt"', 'zażółć 日本.txt'],
  ["filename=plain.txt; filename*=UTF-8''%E6%97%A5%22%20x.txt", '日" x.txt'],
  ["filename*=utf-8'en-GB'%E2%82%AC%2022.txt; filename=plain.txt", '€ 22.txt'],
  ["filename=plain.txt; filename*=UTF-8''%FF.txt", 'plain.txt'],
  ['FileName="capitals.txt"', 'capitals.txt'],
]

const chosen = [
  'a "quoted" name.txt',
  'one\ntwo.txt',
  'one\r\ntwo.txt',
  'semi;colon=.txt',
  "it's 100%.txt",
  '日本 €.txt',
]

const raw = (disposition: string) => ({
  body: `--x\r\nContent-Disposition: form-data; name="file"; ${disposition}\r\n\r\nbytes\r\n--x--\r\n`,
  headers: { 'content-type': 'multipart/form-data; boundary=x' },
})

/** A storage key contains the file name as a path segment. */
const inKey = (filename: string) => filename.replace(/[/\\\r\n]/g, '_')
const uploads = [
  ['uploadTaskAttachment', '/tasks/tsk_plain/attachments', (filename: string) => filename],
  ['uploadRowAttachment', '/datatables/tbl_all/rows/row_1/attachments', inKey],
] as const

describe.each(uploads)('%s and names of files', (operation, path, kept) => {
  const { api } = useMock()
  const upload = (options: CallOptions) => api.call('POST', path, options)

  it.each(written)(
    `${operation} answers 2xx keeping the name when %j is sent`,
    async (disposition, filename) => {
      expect((await upload(raw(disposition))).at('attachment.filename')).toBe(kept(filename))
    },
  )

  it(`${operation} answers 2xx taking the parts when a preamble holds a boundary within its lines`, async () => {
    const { body, headers } = raw('filename="plain.txt"')
    const preamble = `\n${raw('filename="ignored.txt"').body.split('\r\n--x--')[0]!}`
    const reply = await upload({ body: `preamble${preamble}\r\n${body}`, headers })
    expect(reply.at('attachment.filename')).toBe('plain.txt')
  })

  it.each(chosen)(
    `${operation} answers 2xx keeping the name when the platform writes %j`,
    async (filename) => {
      const reply = await upload({ body: multipart([{ filename, content: 'bytes' }]) })
      expect(reply.at('attachment.filename')).toBe(kept(filename))
    },
  )
})

describe('downloads of files with such names', () => {
  const { api } = useMock()
  const path = '/tasks/tsk_plain/attachments'

  it.each([...chosen, 'back\\slash "and" quote'])(
    'downloadTaskAttachment answers 200 with a header that names the file when it is called %j',
    async (filename) => {
      const disposition = `filename=x; filename*=UTF-8''${encodeURIComponent(filename)}`
      const uploaded = await api.call('POST', path, raw(disposition))
      expect(uploaded.at('attachment.filename')).toBe(filename)
      const reply = await api.get(`${path}/${uploaded.string('attachment.id')}`)
      expect(reply.text).toBe('bytes')
      const header = reply.headers.get('content-disposition') ?? ''
      const ascii = filename.replace(/[^ -~]|["\\]/g, '_')
      expect(header).toContain(`attachment; filename="${ascii}"; `)
      const encoded = /filename\*=UTF-8''([^;"'()]+)$/.exec(header)
      expect(decodeURIComponent(encoded?.[1] ?? '')).toBe(filename)
    },
  )
})
