// Request bodies: invalid JSON, large numbers of items, and which refusal takes precedence.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { multipart, stateOf, times, useMock } from '../support/harness.ts'
import { sampled } from '../../fidelity/sampled.ts'

const json = { 'content-type': 'application/json' }

describe('JSON bodies', () => {
  const { api } = useMock()
  const errorOf = async (body: string) => {
    const reply = await api.call('POST', '/spaces', { body, headers: json })
    return reply.status === 400 ? reply.error : undefined
  }

  it.each([
    ['{', 'body must be JSON: it ends too early, after 1 characters'],
    ['{"name":', 'body must be JSON: it ends too early, after 8 characters'],
    ['{"name":"a",}', 'body must be JSON: unexpected "}" at offset 12'],
    ['{"name":"a"}}', 'body must be JSON: unexpected "}" at offset 12'],
    ["{'name':1}", 'body must be JSON: unexpected "\'" at offset 1'],
    ['[1,]', 'body must be JSON: unexpected "]" at offset 3'],
    ['[01]', 'body must be JSON: unexpected "1" at offset 2'],
    ['[1.]', 'body must be JSON: unexpected "]" at offset 3'],
    ['[NaN]', 'body must be JSON: unexpected "N" at offset 1'],
    ['[trüe]', 'body must be JSON: unexpected "ü" at offset 3'],
    ['["\\x"]', 'body must be JSON: unexpected "x" at offset 3'],
    ['["\\u12g4"]', 'body must be JSON: unexpected "g" at offset 6'],
    ['["a\nb"]', 'body must be JSON: unexpected "\\n" at offset 3'],
    ['😀', 'body must be JSON: unexpected "😀" at offset 0'],
  ])('createSpace answers 400 in words of its own when the body is %s', async (body, message) => {
    expect(await errorOf(body)).toBe(message)
  })

  it('createSpace answers 400 with the offset when any JSON text is broken anywhere', async () => {
    await fc.assert(
      fc.asyncProperty(fc.json({ stringUnit: 'grapheme' }), fc.nat(), async (text, at) => {
        const offset = at % (text.length + 1)
        // A control character is invalid anywhere in JSON, even inside strings.
        const broken = `${text.slice(0, offset)}\u0001${text.slice(offset)}`
        fc.pre(broken.isWellFormed())
        expect(await errorOf(broken)).toBe(
          `body must be JSON: unexpected "\\u0001" at offset ${String(offset)}`,
        )
      }),
      sampled(200),
    )
  })

  it('createTask answers 400 with the offset when the part data is not JSON', async () => {
    const reply = await api.call('POST', '/lists/lst_main/tasks', {
      body: multipart([], { data: '{"title"}' }),
    })
    expect(reply.error).toBe('data must be JSON: unexpected "}" at offset 8')
  })
})

describe('bodies that are large in number', () => {
  const { api, control } = useMock()

  it('updateTask answers 200 when a body has 40,000 unknown fields, and the report has a bound', async () => {
    const fields = Object.fromEntries(times(40_000, (index) => [`field_${String(index)}`, index]))
    expect((await api.patch('/tasks/tsk_plain', { title: 'Many', ...fields })).status).toBe(200)
    const findings = (await control.report()).filter(({ rule }) => rule === 'unknown-field')
    expect(findings.length).toBeGreaterThan(0)
    expect(findings.length).toBeLessThan(1000)
  })

  it('createRow answers 400 naming the first when there are 40,000 unknown keys', async () => {
    const data = Object.fromEntries(times(40_000, (index) => [`key_${String(index)}`, index]))
    expect((await api.post('/datatables/tbl_all/rows', { data })).error).toContain('key_0')
  })

  it.each([
    ['updateTask', 'PATCH', '/tasks/tsk_plain', 'assignees', 'assignees[0] must be a string'],
    ['queryRows', 'POST', '/datatables/tbl_all/query', 'filters', 'filters must have at most 1000 entries'],
    ['queryRows', 'POST', '/datatables/tbl_all/query', 'sort', 'sort must have at most 1000 entries'],
    ['queryRows', 'POST', '/datatables/tbl_all/query', 'select', 'select must have at most 1000 entries'],
  ])(
    '%s answers 400 for the whole when %s %s has 300,000 wrong %s',
    async (_, method, path, field, message) => {
      const before = await stateOf(control)
      const reply = await api.call(method, path, { json: { [field]: times(300_000, () => 0) } })
      expect(reply.status).toBe(400)
      expect(reply.error).toContain(message)
      expect(await stateOf(control)).toEqual(before)
    },
  )

  it('bulkInsertRows answers 413 when 300,000 rows are not objects', async () => {
    const rows = times(300_000, () => 0)
    expect((await api.post('/datatables/tbl_all/rows/bulk', { rows })).status).toBe(413)
  })
})

describe('413 takes precedence over 400', () => {
  const { api, control } = useMock()
  const large = { filename: 'large.txt', content: 'x'.repeat(11) }
  const small = { filename: 'small.txt', content: 'x' }
  const title = { data: '{"title":"Large"}' }

  it.each([
    ['there is no data', multipart([large])],
    ['data is not JSON', multipart([large], { data: '{' })],
    ['data is not a task', multipart([large], { data: '{"title":1}' })],
    ['data nests too deep', multipart([large], { data: '['.repeat(300) + ']'.repeat(300) })],
    ['it is the last of eleven files', multipart([...times(10, () => small), large], title)],
    ['it is the first of eleven files', multipart([large, ...times(10, () => small)], title)],
    ['a file is text', multipart([large], { ...title, file: 'text' })],
  ])('createTask answers 413 when a file is too large and %s', async (_, body) => {
    await control.setLimits({ maxFileBytes: 10 })
    const reply = await api.call('POST', '/lists/lst_main/tasks', { body })
    expect(reply.status).toBe(413)
    expect(reply.at('resource')).toBe('maxFileBytes')
  })

  it('bulkInsertRows answers 413 when there are too many rows and their content type is wrong', async () => {
    await control.setAnswers({ contentType: 'strict' })
    const body = JSON.stringify({ rows: times(251, () => ({})) })
    const reply = await api.call('POST', '/datatables/tbl_all/rows/bulk', {
      body,
      headers: { 'content-type': 'text/plain' },
    })
    expect(reply.status).toBe(413)
  })
})

describe('multipart bodies', () => {
  const { api } = useMock()
  const parts =
    '--x\r\nContent-Disposition: form-data; name="data"\r\n\r\n{"title":"After a preamble"}\r\n' +
    '--x\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nbytes\r\n--x--\r\n'

  it.each([
    ['nothing', ''],
    ['an empty line', '\r\n'],
    ['a line', 'This is a message with multiple parts in MIME format.\r\n'],
    ['lines with dashes and parts of the boundary', '--\r\n-- x\r\n --x\r\nnot--x\r\n'],
    ['a line feed before the boundary that does not end a line', 'line\n--x\r\n\r\n'],
    [
      'what looks like a part but for its boundary, which begins no line',
      'not--x\r\nContent-Disposition: form-data; name="data"\r\n\r\n{"title":"Of the preamble"}\r\n',
    ],
  ])('createTask answers 201 when %s stands before the first boundary', async (_, preamble) => {
    const reply = await api.call('POST', '/lists/lst_main/tasks', {
      body: `${preamble}${parts}This is the epilogue.`,
      headers: { 'content-type': 'multipart/form-data; boundary=x' },
    })
    expect(reply.status).toBe(201)
    expect(reply.pluck('attachments', 'size_bytes')).toEqual([5])
    const task = await api.get(`/tasks/${reply.string('id')}`)
    expect(task.at('title')).toBe('After a preamble')
  })
})

describe('the end of time', () => {
  const { api, control } = useMock()

  it('getJob answers 200 when the clock stands at its last second', async () => {
    const job = await api.post('/datatables/tbl_all/jobs/insert', { rows: [{}] })
    const last = 253_402_300_799
    await control.setClock(last)
    for (let poll = 0; poll < 5; poll++)
      expect((await api.get(`/jobs/${job.string('job_id')}`)).at('status')).toBe('done')
    const late = await api.post('/datatables/tbl_all/jobs/insert', { rows: [{}] })
    for (let poll = 0; poll < 5; poll++)
      expect((await api.get(`/jobs/${late.string('job_id')}`)).status).toBe(200)
  })
})
