// Files attached to tasks.
import { describe, expect, it } from 'vitest'
import { multipart, times, useMock } from '../support/harness.ts'

const path = '/tasks/tsk_plain/attachments'

describe('task attachments', () => {
  const { api, control } = useMock()
  const upload = (content: BlobPart, filename = 'a.bin', type = 'application/pdf') =>
    api.call('POST', path, { body: multipart([{ filename, content, type }]) })

  it('listTaskAttachments answers 200 with a url that leads to the file when its id needs encoding', async () => {
    const id = 'att/1 ?%#é'
    const file = { id, filename: 'a.txt', mime_type: 'text/plain', size_bytes: 1 }
    await control.seed({
      lists: [{ id: 'lst_main', tasks: [{ id: 'tsk_files', title: 'x', attachments: [file] }] }],
      files: { [id]: 'YQ==' },
    })
    const url = (await api.get('/tasks/tsk_files/attachments')).string('attachments.0.url')
    expect(url).toBe(api.url(`/tasks/tsk_files/attachments/${encodeURIComponent(id)}`))
    expect((await api.get(url.slice(api.url('').length))).status).toBe(200)
  })

  it('listTaskAttachments answers 200 with the attachments when the task has some', async () => {
    const reply = await api.get('/tasks/tsk_full/attachments')
    expect(reply.status).toBe(200)
    expect(reply.json).toEqual({
      attachments: [
        {
          id: 'att_brief',
          filename: 'brief.txt',
          mime_type: 'text/plain',
          size_bytes: 5,
          url: api.url('/tasks/tsk_full/attachments/att_brief'),
        },
      ],
    })
    expect((await api.get(path)).json).toEqual({ attachments: [] })
  })

  it('uploadTaskAttachment answers 201 with the attachment when a file is sent', async () => {
    const reply = await upload('x'.repeat(300), 'plan.pdf')
    expect(reply.status).toBe(201)
    const id = reply.string('attachment.id')
    expect(reply.json).toEqual({
      attachment: {
        id,
        filename: 'plan.pdf',
        mime_type: 'application/pdf',
        size_bytes: 300,
        url: api.url(`${path}/${id}`),
      },
    })
    expect((await api.get(path)).json).toEqual({ attachments: [reply.at('attachment')] })
  })

  it('uploadTaskAttachment answers 201 keeping files apart when they have one name', async () => {
    await upload('one', 'same.txt')
    await upload('two', 'same.txt')
    expect((await api.get(path)).pluck('attachments', 'filename')).toEqual(['same.txt', 'same.txt'])
  })

  it('uploadTaskAttachment answers 201 with the first file when several are sent', async () => {
    const files = ['first.txt', 'second.txt'].map((filename) => ({ filename, content: filename }))
    const reply = await api.call('POST', path, { body: multipart(files) })
    expect(reply.at('attachment.filename')).toBe('first.txt')
    expect((await api.get(path)).list('attachments')).toHaveLength(1)
  })

  it('downloadTaskAttachment answers 200 with the bytes as they were sent when they are of every value', async () => {
    const bytes = Uint8Array.from(times(1024, (index) => index % 256))
    const reply = await upload(bytes)
    const file = await api.get(`${path}/${reply.string('attachment.id')}`)
    expect(file.status).toBe(200)
    expect(file.headers.get('content-type')).toBe('application/octet-stream')
    expect(file.headers.get('x-content-type-options')).toBe('nosniff')
    expect(file.bytes).toEqual(bytes)
  })

  it.each([
    ['plan.png', `attachment; filename="plan.png"; filename*=UTF-8''plan.png`],
    ['Grüße "2".pdf', `attachment; filename="Gr__e _2_.pdf"; filename*=UTF-8''Gr%C3%BC%C3%9Fe%20%222%22.pdf`],
    ["it's (1)*.txt", `attachment; filename="it's (1)*.txt"; filename*=UTF-8''it%27s%20%281%29%2a.txt`],
  ])(
    'downloadTaskAttachment answers 200 naming the file when it is called %s',
    async (filename, expected) => {
      const seeded = { tasks: [{ id: 'tsk_plain', attachments: [{ id: 'att_named', filename }] }] }
      await control.seed(seeded)
      const file = await api.get(`${path}/att_named`)
      expect(file.status).toBe(200)
      expect(file.headers.get('content-disposition')).toBe(expected)
    },
  )

  it.each([
    ['is long', '€'.repeat(5000)],
    ['is cut within a character', `x${'😀'.repeat(1000)}`],
    ['has half a character', 'half \ud800.txt'],
  ])(
    'downloadTaskAttachment answers 200 with a head that clients take when the name %s',
    async (_, filename) => {
      await control.seed({ tasks: [{ id: 'tsk_plain', attachments: [{ id: 'att_odd', filename }] }] })
      const file = await api.get(`${path}/att_odd`)
      expect(file.status).toBe(200)
      const header = file.headers.get('content-disposition') ?? ''
      expect(header).toContain("filename*=UTF-8''")
      expect(header.length).toBeLessThan(12_000)
    },
  )

  it('downloadTaskAttachment answers 200 when the url of the attachment is asked with the same key', async () => {
    const { attachments } = (await api.get('/tasks/tsk_full/attachments')).json as {
      attachments: { url: string }[]
    }
    const url = attachments[0]?.url ?? ''
    const response = await api.fetch(url, { headers: { authorization: 'Bearer wm_test_master' } })
    expect(await response.text()).toBe('hello')
    expect((await api.fetch(url)).status).toBe(401)
  })

  it('downloadTaskAttachment answers 200 when the file is empty', async () => {
    const reply = await upload('')
    expect(reply.at('attachment.size_bytes')).toBe(0)
    expect((await api.get(`${path}/${reply.string('attachment.id')}`)).bytes).toHaveLength(0)
  })

  it('uploadTaskAttachment answers 400 when there is no file, or it is text', async () => {
    for (const body of [multipart([]), multipart([], { file: 'text' })]) {
      const reply = await api.call('POST', path, { body })
      expect(reply.status).toBe(400)
    }
    expect((await api.post(path, {})).status).toBe(400)
    expect((await api.call('POST', path)).status).toBe(400)
    expect((await api.get(path)).list('attachments')).toEqual([])
  })

  it('uploadTaskAttachment answers 413 with the facts when the file is one byte too large', async () => {
    await control.setLimits({ maxFileBytes: 10 })
    expect((await upload('0123456789')).status).toBe(201)
    const reply = await upload('0123456789a')
    expect(reply.status).toBe(413)
    expect(reply.json).toEqual({
      error: reply.error,
      limitReached: true,
      resource: 'maxFileBytes',
      limit: 10,
      current: 11,
    })
    expect((await api.get(path)).list('attachments')).toHaveLength(1)
  })

  it('deleteTaskAttachment answers 200 when the file exists, which is then gone', async () => {
    const id = (await upload('x')).string('attachment.id')
    const reply = await api.delete(`${path}/${id}`)
    expect(reply.status).toBe(200)
    expect(reply.json).toEqual({ success: true })
    expect((await api.get(`${path}/${id}`)).status).toBe(404)
    expect((await api.delete(`${path}/${id}`)).status).toBe(404)
    expect((await api.get(path)).list('attachments')).toEqual([])
  })

  it.each([
    '/tasks/tsk_full/attachments/att_none',
    '/tasks/tsk_plain/attachments/att_brief',
    '/tasks/tsk_none/attachments/att_brief',
    '/tasks/tsk_free/attachments/att_free',
  ])('downloadTaskAttachment and deleteTaskAttachment answer 404 when the path is %s', async (at) => {
    expect((await api.get(at)).status).toBe(404)
    expect((await api.delete(at)).status).toBe(404)
  })

  it.each(['tsk_none', 'tsk_free', 'tsk_deleted', 'tsk_private'])(
    'listTaskAttachments and uploadTaskAttachment answer 404 when the task is %s',
    async (id) => {
      const body = multipart([{ filename: 'a', content: 'a' }])
      expect((await api.get(`/tasks/${id}/attachments`)).status).toBe(404)
      expect((await api.call('POST', `/tasks/${id}/attachments`, { body })).status).toBe(404)
    },
  )
})
