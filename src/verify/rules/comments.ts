// The rules of comments on tasks.
import type { Comment } from '../../contract/comments.ts'
import { expectFields, expectSame, expectThat, found, needed } from '../engine/expect.ts'
import { asAnswered, refused } from './checks.ts'
import { unknownId } from '../engine/ledger.ts'
import { ownTask, readRules, rulesOn, writeRules, type OwnTask } from '../engine/rule.ts'
import { idsOf } from '../../contract/data/maps.ts'

const part = 'contract, Comments'
const document = { type: 'doc', content: [{ type: 'paragraph' }] }

/** A deployment that pages what it should list whole is unlikely to have larger pages. */
export const likelyPage = 100

const listed = async ({ api }: OwnTask) => (await api.succeed('listComments')).comments

const listedWith = async (task: OwnTask, commentId: string) =>
  found(await listed(task), ({ id }) => id === commentId, 'the comment is not listed')

/** Comments on the task. @returns the comment as listed */
async function commented(task: OwnTask, fields: Readonly<Record<string, unknown>> = {}): Promise<Comment> {
  const json = { content: 'verify', ...fields }
  const { id } = await task.api.succeed('createComment', { json })
  return listedWith(task, id)
}

const reading = readRules('contract, Comment', {
  'listComments/belong: comments belong to the task, text is text and documents are tiptap': async (c) => {
    const { taskId, comments } = needed(await c.seen.commented(), 'no task that was read has comments')
    for (const { task_id, content, content_type } of comments) {
      expectSame('task_id', task_id, taskId)
      expectSame('content_type', content_type, typeof content === 'string' ? 'text' : 'tiptap')
    }
  },
  'listComments/authors: author_name is the name of the member with author_id': async ({ seen }) => {
    const { comments } = needed(await seen.commented(), 'no task that was read has comments')
    const { members } = await seen.identity()
    for (const { author_id, author_name } of comments) {
      const member = members.find(({ id }) => id === author_id)
      if (member) expectSame(`author_name of ${author_id}`, author_name, member.name)
    }
  },
})

const writing = rulesOn('write', ownTask)(part, {
  'createComment/text: a text is listed as such, by a member, not updated yet (contract, Comment)': async (
    task,
  ) => {
    const { members } = await task.seen.identity()
    const comment = await commented(task)
    const wanted = { content: 'verify', content_type: 'text', task_id: task.taskId, updated_at: null }
    expectFields('comment', comment, wanted)
    const { author_id: id, author_name: name } = comment
    const author = members.find((member) => member.id === id)
    expectSame('author', { id, name }, author && { id: author.id, name: author.name })
  },
  'createComment/document: a rich-text document is listed as tiptap (contract, Comment)': async (task) => {
    const wanted = { content: document, content_type: 'tiptap' }
    expectFields('comment', await commented(task, { content: document }), wanted)
  },
  'createComment/comment-as: comment_as makes another member the author': async (task) => {
    const { members } = await task.seen.identity()
    for (const { id } of members.slice(0, 2))
      expectSame('author', (await commented(task, { comment_as: id })).author_id, id)
  },
  'createComment/blank: takes a blank text as question emptyNames says': asAnswered({
    json: { content: '  ' },
  }),
  'listComments/order: lists comments in the order in which they were made (assumption listOrder)': async (
    task,
  ) => {
    const ids = idsOf([await commented(task), await commented(task), await commented(task)])
    expectSame('ids', idsOf(await listed(task)), ids)
  },
  'listComments/all: lists every comment of a task: there are no pages': async (task) => {
    const made: string[] = []
    for (let number = 0; number <= likelyPage; number += 1)
      made.push((await task.api.succeed('createComment', { json: { content: 'verify' } })).id)
    const { length } = await listed(task)
    // A repeated request may have made one twice.
    expectThat(length >= made.length, `${String(made.length)} comments`, length)
  },
  'updateComment/changes: changes the content and sets updated_at': async (task) => {
    const { id, created_at } = await commented(task)
    await task.wait(1500)
    const params = { commentId: id }
    await task.api.succeed('updateComment', { params, json: { content: document } })
    const after = await listedWith(task, id)
    const wanted = [document, 'tiptap', created_at]
    expectSame('comment', [after.content, after.content_type, after.created_at], wanted)
    const { updated_at } = after
    expectThat(updated_at !== null && updated_at >= created_at, 'an updated_at', updated_at)
  },
  'updateComment/text: changes a text to another text': async (task) => {
    const before = await commented(task)
    const params = { commentId: before.id }
    await task.api.succeed('updateComment', { params, json: { content: 'changed' } })
    const [after] = await listed(task)
    expectSame('comment', { ...after, updated_at: 0 }, { ...before, content: 'changed', updated_at: 0 })
    expectThat(typeof after?.updated_at === 'number', 'an updated_at', after?.updated_at)
  },
  'deleteComment/that-comment-alone: leaves the other comments': async (task) => {
    const [first, second, third] = [await commented(task), await commented(task), await commented(task)]
    await task.api.succeed('deleteComment', { params: { commentId: second.id } })
    expectSame('comments', await listed(task), [first, third])
  },
  'deleteComment/gone: the comment is not listed any more': async (task) => {
    const params = { commentId: (await commented(task)).id }
    await task.api.succeed('deleteComment', { params })
    expectSame('comments', await listed(task), [])
    await task.api.expect('deleteComment', 404, { params })
  },
})

const wrong = writeRules(part, {
  'createComment/without-content: refuses a comment without content': refused({}),
  'createComment/content-number: refuses content that is a number': refused({ content: 7 }),
  'createComment/unknown-member: refuses a comment_as that is not a member (assumption unknownReferences)':
    refused({ content: 'verify', comment_as: unknownId }),
  'updateComment/without-content: refuses a change without content (assumption generalStatuses)': refused({}),
})

export const commentRules = [...reading, ...writing, ...wrong]
