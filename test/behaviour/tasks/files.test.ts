// Task creation with files: all or nothing, ten at most.
import { describe, expect, it } from 'vitest'
import { multipart, stateOf, times, useMock } from '../support/harness.ts'

const path = '/lists/lst_main/tasks'
const files = (count: number) =>
  times(count, (index) => ({ filename: `file ${String(index)}.txt`, content: `content ${String(index)}` }))
const data = (json: unknown) => ({ data: JSON.stringify(json) })

describe('task creation with files', () => {
  const { api, control } = useMock()
  const create = (body: FormData) => api.call('POST', path, { body })
  const unchanged = async (before: unknown) => expect(await stateOf(control)).toEqual(before)

  it.each([1, 10])('createTask answers 201 with the attachments when %i files are sent', async (count) => {
    const reply = await create(multipart(files(count), data({ title: 'With files', priority: 'low' })))
    expect(reply.status).toBe(201)
    const id = reply.string('id')
    expect(reply.pluck('attachments', 'filename')).toEqual(files(count).map(({ filename }) => filename))
    const last = reply.list('attachments').at(-1) as { id: string; url: string }
    expect(last).toEqual({
      id: last.id,
      filename: `file ${String(count - 1)}.txt`,
      mime_type: 'text/plain',
      size_bytes: 9,
      url: api.url(`/tasks/${id}/attachments/${last.id}`),
    })
    expect((await api.get(`/tasks/${id}`)).json).toMatchObject({ title: 'With files', priority: 1 })
    expect((await api.get(`/tasks/${id}/attachments/${last.id}`)).text).toBe(`content ${String(count - 1)}`)
  })

  it('createTask answers 201 when there are no files', async () => {
    const reply = await create(multipart([], data({ title: 'No files' })))
    expect(reply.status).toBe(201)
    expect(reply.at('attachments')).toEqual([])
  })

  it('createTask answers 201 when data is a file part', async () => {
    const part = {
      name: 'data',
      filename: 'blob',
      content: JSON.stringify({ title: 'From a blob' }),
      type: 'application/json',
    }
    const reply = await create(multipart([part, ...files(1)]))
    expect(reply.status).toBe(201)
    expect((await api.get(`/tasks/${reply.string('id')}`)).at('title')).toBe('From a blob')
    expect(reply.list('attachments')).toHaveLength(1)
  })

  it('createTask answers 400 and creates nothing when there are eleven files', async () => {
    const before = await stateOf(control)
    const reply = await create(multipart(files(11), data({ title: 'Too many' })))
    expect(reply.status).toBe(400)
    expect(reply.error).toContain('10')
    await unchanged(before)
  })

  it.each([
    ['no data', {}, 'data'],
    ['data that is no JSON', { data: '{title' }, 'data'],
    ['data that is no object', { data: '[]' }, 'must be an object'],
    ['data without a title', { data: '{}' }, 'title'],
    ['data with an unknown status', { data: '{"title":"x","status_id":"st_none"}' }, 'status_id'],
    [
      'data with an unknown field value',
      { data: '{"title":"x","custom_data":{"fld_number":"x"}}' },
      'fld_number',
    ],
  ])('createTask answers 400 and creates nothing when there is %s', async (_, parts, cause) => {
    const before = await stateOf(control)
    const reply = await create(multipart(files(2), parts))
    expect(reply.status).toBe(400)
    expect(reply.error).toContain(cause)
    await unchanged(before)
  })

  it('createTask answers 400 when a file part is text', async () => {
    const before = await stateOf(control)
    const reply = await create(multipart([], { ...data({ title: 'x' }), file: 'text' }))
    expect(reply.status).toBe(400)
    expect(reply.error).toContain('file')
    await unchanged(before)
  })

  it('createTask answers 400 when the multipart body is broken', async () => {
    const headers = { 'content-type': 'multipart/form-data; boundary=x' }
    for (const body of [
      '',
      'nonsense',
      '--x\r\n',
      '--x\r\nContent-Disposition: form-data; name="data"\r\n\r\n{"title":"x"}',
    ])
      expect((await api.call('POST', path, { body, headers })).status).toBe(400)
    expect(
      (await api.call('POST', path, { body: '--x--', headers: { 'content-type': 'multipart/form-data' } }))
        .status,
    ).toBe(400)
  })

  it('createTask answers 413 with the facts and creates nothing when one of the files is too large', async () => {
    await control.setLimits({ maxFileBytes: 100 })
    const before = await stateOf(control)
    const large = { filename: 'large.bin', content: new Uint8Array(101) }
    const reply = await create(multipart([...files(2), large], data({ title: 'x' })))
    expect(reply.status).toBe(413)
    expect(reply.json).toEqual({
      error: reply.error,
      limitReached: true,
      resource: 'maxFileBytes',
      limit: 100,
      current: 101,
    })
    await unchanged(before)
    const fits = { filename: 'fits.bin', content: new Uint8Array(100) }
    expect((await create(multipart([fits], data({ title: 'x' })))).status).toBe(201)
  })

  it('createTask answers 201 from the first part data when there are two, and the report names the other', async () => {
    const body = multipart(files(1), data({ title: 'First' }))
    body.append('data', JSON.stringify({ title: 'Second' }))
    const reply = await create(body)
    expect(reply.status).toBe(201)
    expect((await api.get(`/tasks/${reply.string('id')}`)).at('title')).toBe('First')
    const [finding] = (await control.report()).filter(({ rule }) => rule === 'unknown-field')
    expect(finding?.message).toContain('data[1]')
  })

  it('createTask answers 201 with the id it would have had when a failed attempt comes before', async () => {
    const first = await create(multipart(files(1), data({ title: 'x' })))
    await control.reset()
    await create(multipart(files(1), { data: '{}' }))
    expect((await create(multipart(files(1), data({ title: 'x' })))).text).toBe(first.text)
  })
})
