// Files in attachment columns of rows.
import { describe, expect, it } from 'vitest'
import { NOW } from '../support/fixture.ts'
import { multipart, useMock } from '../support/harness.ts'

const row = '/datatables/tbl_all/rows/row_1'
const path = `${row}/attachments`
const hello = { filename: 'hello.txt', content: 'hello' }

describe('row attachments', () => {
  const { api, control } = useMock()
  const upload = (file: { name?: string; filename: string; content: BlobPart; type?: string }, query = {}) =>
    api.call('POST', path, { body: multipart([file]), query })
  const remove = (key: string, at = path) => api.delete(`${at}/${encodeURIComponent(key)}`)

  it('uploadRowAttachment answers 200 with the attachment and the row when a file is sent', async () => {
    await control.advance('1m')
    const reply = await upload(hello)
    const attachment = {
      key: 'dt/tbl_all/row/row_1/col_attachment/hello.txt',
      filename: 'hello.txt',
      size: 5,
      contentType: 'text/plain',
      uploadedAt: NOW + 60,
    }
    expect(reply.status).toBe(200)
    expect(reply.at('attachment')).toEqual(attachment)
    expect(reply.at('row.version')).toBe(2)
    expect(reply.at('row.data.col_attachment')).toEqual([attachment])
    expect(reply.at('row.data.col_contracts')).toEqual([])
    expect((await api.get(row)).json).toEqual(reply.at('row'))
  })

  it('uploadRowAttachment answers 200 into the named column when col is given', async () => {
    const reply = await upload(hello, { col: 'col_contracts' })
    expect(reply.at('attachment.key')).toBe('dt/tbl_all/row/row_1/col_contracts/hello.txt')
    expect(reply.at('row.data.col_attachment')).toEqual([])
    expect(reply.pluck('row.data.col_contracts', 'filename')).toEqual(['hello.txt'])
  })

  it('uploadRowAttachment answers 200 adding to the column when it holds files already', async () => {
    await upload(hello)
    const reply = await upload({ filename: 'second.bin', content: new Uint8Array(3), type: 'image/png' })
    expect(reply.pluck('row.data.col_attachment', 'filename')).toEqual(['hello.txt', 'second.bin'])
    expect(reply.at('attachment.contentType')).toBe('image/png')
    expect(reply.at('row.version')).toBe(3)
  })

  it('uploadRowAttachment answers 200 replacing the first when the name is uploaded again', async () => {
    await upload(hello)
    await upload({ filename: 'other.txt', content: 'x' })
    const reply = await upload({ filename: 'hello.txt', content: 'longer now' })
    const held = reply.list('row.data.col_attachment') as { filename: string; size: number }[]
    expect(held.filter(({ filename }) => filename === 'hello.txt').map(({ size }) => size)).toEqual([10])
    expect(held.map(({ filename }) => filename)).toEqual(['hello.txt', 'other.txt'])
  })

  it('uploadRowAttachment answers 200 with _ in their place when the name has path separators', async () => {
    const reply = await upload({ filename: '../a\\b/c.txt', content: 'x' })
    expect(reply.status).toBe(200)
    expect(reply.string('attachment.filename')).not.toMatch(/[/\\]/)
    expect(reply.at('attachment.key')).toBe(
      `dt/tbl_all/row/row_1/col_attachment/${reply.string('attachment.filename')}`,
    )
    expect((await remove(reply.string('attachment.key'))).status).toBe(200)
  })

  it('uploadRowAttachment answers 200 with the first file when several are sent', async () => {
    const body = multipart([hello, { filename: 'second.txt', content: 'x' }])
    const reply = await api.call('POST', path, { body })
    expect(reply.status).toBe(200)
    expect(reply.pluck('row.data.col_attachment', 'filename')).toEqual(['hello.txt'])
  })

  it('uploadRowAttachment answers 200 when the file is empty', async () => {
    const reply = await upload({ filename: 'empty.txt', content: '' })
    expect(reply.status).toBe(200)
    expect(reply.at('attachment.size')).toBe(0)
  })

  it('uploadRowAttachment answers 400 when there is no file or it is text', async () => {
    for (const body of [
      multipart([], { other: 'x' }),
      multipart([], { file: 'text' }),
      multipart([{ ...hello, name: 'upload' }]),
    ]) {
      const reply = await api.call('POST', path, { body })
      expect(reply.status).toBe(400)
      expect(reply.error).toContain('file')
    }
    expect((await api.get(row)).at('version')).toBe(1)
  })

  it('uploadRowAttachment answers 400 when the body is JSON or missing', async () => {
    expect((await api.post(path, { file: 'x' })).status).toBe(400)
    expect((await api.call('POST', path)).status).toBe(400)
  })

  it.each(['col_text', 'col_none', 'Files'])(
    'uploadRowAttachment answers 400 when col is %s',
    async (col) => {
      const reply = await upload(hello, { col })
      expect(reply.status).toBe(400)
      expect(reply.error).toContain(col)
    },
  )

  it('uploadRowAttachment answers 400 when the table has no attachment column', async () => {
    const reply = await api.call('POST', '/datatables/tbl_linked/rows/lin_1/attachments', {
      body: multipart([hello]),
    })
    expect(reply.status).toBe(400)
  })

  it('uploadRowAttachment answers 404 when row or table is absent or foreign', async () => {
    for (const at of [
      'tbl_all/rows/row_none',
      'tbl_none/rows/row_1',
      'tbl_free/rows/row_free',
      'tbl_all/rows/lin_1',
    ]) {
      const reply = await api.call('POST', `/datatables/${at}/attachments`, { body: multipart([hello]) })
      expect(reply.status).toBe(404)
    }
  })

  it('deleteRowAttachment answers 200 when the file is in the row, which then no longer has it', async () => {
    const key = (await upload(hello)).string('attachment.key')
    const reply = await remove(key)
    expect(reply.status).toBe(200)
    expect(reply.json).toEqual({ success: true })
    expect((await api.get(row)).json).toMatchObject({ version: 3, data: { col_attachment: [] } })
    expect((await remove(key)).status).toBe(404)
    expect((await control.state()) as { files: object }).not.toHaveProperty(['files', key])
  })

  it('deleteRowAttachment answers 200 when the name has characters that need encoding', async () => {
    const key = (await upload({ filename: 'Zoë & 100% #1?.txt', content: 'x' })).string('attachment.key')
    expect((await remove(key)).status).toBe(200)
    expect((await api.get(row)).at('data.col_attachment')).toEqual([])
  })

  it.each([
    'dt/tbl_all/row/row_2/col_attachment/hello.txt',
    'dt/tbl_linked/row/row_1/col_attachment/hello.txt',
    'dt/tbl_all/row/row_1',
    'hello.txt',
    '../dt/tbl_all/row/row_1/x',
  ])('deleteRowAttachment answers 400 when the key is %s', async (key) => {
    await upload(hello)
    const reply = await remove(key)
    expect(reply.status).toBe(400)
    expect(reply.error).toContain('dt/tbl_all/row/row_1/')
  })

  it.each(['', 'col_attachment/none.txt', 'col_text/hello.txt'])(
    'deleteRowAttachment answers 404 when the key has the right prefix but %j after it',
    async (rest) => {
      await upload(hello)
      expect((await remove(`dt/tbl_all/row/row_1/${rest}`)).status).toBe(404)
    },
  )

  it('deleteRowAttachment answers 404 when the row or table is absent, whatever the key', async () => {
    expect((await remove('x', '/datatables/tbl_all/rows/row_none/attachments')).status).toBe(404)
    expect((await remove('x', '/datatables/tbl_free/rows/row_free/attachments')).status).toBe(404)
  })

  it('deleteRow answers 200 when the row has an upload, which is gone with it', async () => {
    const key = (await upload(hello)).string('attachment.key')
    await api.delete(row)
    expect((await remove(key)).status).toBe(404)
    const { files } = (await control.state()) as { files: Record<string, string> }
    expect(files).not.toHaveProperty([key])
  })
})
