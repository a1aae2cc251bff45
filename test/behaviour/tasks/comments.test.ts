// Comments on tasks.
import { describe, expect, it } from 'vitest'
import { NOW } from '../support/fixture.ts'
import { useMock } from '../support/harness.ts'

const path = '/tasks/tsk_full/comments'
const scoped = { key: 'wm_test_scoped' }

describe('comments', () => {
  const { api, control } = useMock()
  const last = async () => (await api.get(path)).list('comments').at(-1)

  it('listComments answers 200 with the comments in order of creation when there are several', async () => {
    const reply = await api.get(path)
    expect(reply.status).toBe(200)
    const shown = { task_id: 'tsk_full', created_at: NOW - 3600, updated_at: null }
    expect(reply.json).toEqual({
      comments: [
        {
          ...shown,
          id: 'cmt_ada',
          author_id: 'mem_ada',
          author_name: 'Ada Quill',
          content: 'By Ada',
          content_type: 'text',
        },
        {
          ...shown,
          id: 'cmt_rich',
          author_id: 'mem_bo',
          author_name: 'Bo Lindqvist',
          content: { type: 'doc', content: [] },
          content_type: 'tiptap',
        },
        {
          ...shown,
          id: 'cmt_scoped',
          author_id: 'mem_bo',
          author_name: 'Bo Lindqvist',
          content: 'By the scoped key',
          content_type: 'text',
        },
      ],
    })
    expect((await api.get('/tasks/tsk_plain/comments')).json).toEqual({ comments: [] })
  })

  it('createComment answers 200 with the id of a comment by the member of the key when content is sent', async () => {
    const created = await api.post(path, { content: 'Hello' })
    expect(created.status).toBe(200)
    expect(created.json).toEqual({ id: created.string('id') })
    expect(await last()).toEqual({
      id: created.string('id'),
      task_id: 'tsk_full',
      author_id: 'mem_ada',
      author_name: 'Ada Quill',
      content: 'Hello',
      content_type: 'text',
      created_at: NOW,
      updated_at: null,
    })
    await api.post(path, { content: 'Hi' }, scoped)
    expect(await last()).toMatchObject({ author_id: 'mem_bo', content: 'Hi' })
  })

  it('createComment answers 200 when content is rich text, which is kept as it is', async () => {
    const content = { type: 'doc', content: [{ type: 'paragraph', content: [{ type: 'text', text: 'x' }] }] }
    expect((await api.post(path, { content })).status).toBe(200)
    expect(await last()).toMatchObject({ content, content_type: 'tiptap' })
  })

  it('createComment answers 200 on behalf of another member when comment_as is given', async () => {
    expect((await api.post(path, { content: 'As Cy', comment_as: 'mem_cy' })).status).toBe(200)
    expect(await last()).toMatchObject({ author_id: 'mem_cy', author_name: 'Cy Marlow' })
  })

  it.each([
    [undefined, ''],
    [{}, 'content'],
    [{ content: '' }, 'content'],
    [{ content: '  ' }, 'content'],
    [{ content: 5 }, 'content'],
    [{ content: null }, 'content'],
    [{ content: ['x'] }, 'content'],
    [{ content: 'x', comment_as: 'mem_none' }, 'comment_as'],
    [{ content: 'x', comment_as: 'mem_free' }, 'comment_as'],
    [{ content: 'x', comment_as: 5 }, 'comment_as'],
  ])('createComment answers 400 when the body is %j', async (json, field) => {
    const reply = await api.post(path, json)
    expect(reply.status).toBe(400)
    expect(reply.error).toContain(field)
    expect((await api.get(path)).list('comments')).toHaveLength(3)
  })

  it('updateComment answers 200 and changes the content when it is sent', async () => {
    await control.advance('1m')
    const reply = await api.patch(`${path}/cmt_ada`, { content: { type: 'doc' } })
    expect(reply.status).toBe(200)
    expect(reply.json).toEqual({ success: true })
    expect((await api.get(path)).at('comments.0')).toMatchObject({
      content: { type: 'doc' },
      content_type: 'tiptap',
      created_at: NOW - 3600,
      updated_at: NOW + 60,
      author_id: 'mem_ada',
    })
  })

  it('updateComment answers 200 when a master key edits the comment of another', async () => {
    expect((await api.patch(`${path}/cmt_scoped`, { content: 'Edited' })).status).toBe(200)
  })

  it('updateComment answers 200 when a scoped key edits its own comment', async () => {
    expect((await api.patch(`${path}/cmt_scoped`, { content: 'Edited' }, scoped)).status).toBe(200)
    const created = await api.post(path, { content: 'New', comment_as: 'mem_cy' }, scoped)
    expect((await api.patch(`${path}/${created.string('id')}`, { content: 'Mine' }, scoped)).status).toBe(200)
  })

  it.each(['cmt_ada', 'cmt_rich'])(
    'updateComment answers 403 when a scoped key edits %s, which it did not make',
    async (id) => {
      const before = await api.get(path)
      const reply = await api.patch(`${path}/${id}`, { content: 'x' }, scoped)
      expect(reply.status).toBe(403)
      expect(reply.at('limitReached')).toBeUndefined()
      expect((await api.get(path)).json).toEqual(before.json)
    },
  )

  it.each([[undefined], [{}], [{ content: '' }], [{ content: 5 }]])(
    'updateComment answers 400 when the body is %j',
    async (json) => {
      expect((await api.patch(`${path}/cmt_ada`, json)).status).toBe(400)
    },
  )

  it('deleteComment answers 200 when the comment exists, which is then gone', async () => {
    const reply = await api.delete(`${path}/cmt_ada`)
    expect(reply.status).toBe(200)
    expect(reply.json).toEqual({ success: true })
    expect((await api.get(path)).pluck('comments', 'id')).toEqual(['cmt_rich', 'cmt_scoped'])
    expect((await api.delete(`${path}/cmt_ada`)).status).toBe(404)
  })

  it('deleteComment answers 403 when a scoped key deletes the comment of another', async () => {
    expect((await api.delete(`${path}/cmt_ada`, scoped)).status).toBe(403)
    expect((await api.delete(`${path}/cmt_scoped`, scoped)).status).toBe(200)
  })

  it.each([
    '/tasks/tsk_full/comments/cmt_none',
    '/tasks/tsk_plain/comments/cmt_ada',
    '/tasks/tsk_none/comments/cmt_ada',
    '/tasks/tsk_free/comments/cmt_free',
    '/tasks/tsk_full/comments/cmt_free',
  ])('updateComment and deleteComment answer 404 when the path is %s', async (at) => {
    expect((await api.patch(at, { content: 'x' })).status).toBe(404)
    expect((await api.delete(at)).status).toBe(404)
  })

  it.each(['tsk_none', 'tsk_free', 'tsk_deleted', 'tsk_private'])(
    'listComments and createComment answer 404 when the task is %s',
    async (id) => {
      expect((await api.get(`/tasks/${id}/comments`)).status).toBe(404)
      expect((await api.post(`/tasks/${id}/comments`, { content: 'x' })).status).toBe(404)
    },
  )
})
