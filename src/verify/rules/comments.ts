// The rules of comments on tasks.
import type { Comment } from '../../contract/comments.ts'
import { ownTask, unknownId, type Context, type OwnTask } from '../engine/context.ts'
import { refusals } from './refusals.ts'
import { assumed, contract, expectSame, expectThat, needed, type Rule, rulesOn } from '../engine/rule.ts'

const part = contract('Comments')
const document = { type: 'doc', content: [{ type: 'paragraph' }] }

const commentRule = rulesOn('write', ownTask)

const listed = async ({ context, taskId }: OwnTask) =>
  (await context.api.succeed('listComments', { params: { taskId } })).comments

/** Comments on the task. @returns the comment as listed */
async function commented(task: OwnTask, fields: Readonly<Record<string, unknown>> = {}): Promise<Comment> {
  const { context, taskId } = task
  const { id } = await context.api.succeed('createComment', {
    params: { taskId },
    json: { content: 'verify', ...fields },
  })
  return needed(
    (await listed(task)).find((comment) => comment.id === id),
    'the new comment is not listed',
  )
}

const writing: readonly Rule[] = [
  commentRule(
    'createComment',
    'text',
    contract('Comment'),
    'a text is listed as such, by a member, not updated yet',
    async (task) => {
      const { members } = await task.context.seen.identity()
      const { content, content_type, task_id, updated_at, author_id, author_name } = await commented(task)
      expectSame(
        'comment',
        { content, content_type, task_id, updated_at },
        { content: 'verify', content_type: 'text', task_id: task.taskId, updated_at: null },
      )
      const author = members.find(({ id }) => id === author_id)
      expectSame(
        'author',
        { id: author_id, name: author_name },
        author && { id: author.id, name: author.name },
      )
    },
  ),
  commentRule(
    'createComment',
    'document',
    contract('Comment'),
    'a rich-text document is listed as tiptap',
    async (task) => {
      const { content, content_type } = await commented(task, { content: document })
      expectSame('comment', { content, content_type }, { content: document, content_type: 'tiptap' })
    },
  ),
  commentRule(
    'createComment',
    'comment-as',
    part,
    'comment_as makes another member the author',
    async (task) => {
      const { members } = await task.context.seen.identity()
      for (const { id } of members.slice(0, 2))
        expectSame('author', (await commented(task, { comment_as: id })).author_id, id)
    },
  ),
  commentRule(
    'createComment',
    'blank',
    assumed('emptyNames'),
    'takes a blank text as question emptyNames says',
    async ({ context, taskId }) => {
      const status = context.answers.emptyNames === 'reject' ? 400 : 200
      await context.api.expect('createComment', status, { params: { taskId }, json: { content: '  ' } })
    },
  ),
  commentRule(
    'listComments',
    'order',
    assumed('listOrder'),
    'lists comments in the order in which they were made',
    async (task) => {
      const ids = [await commented(task), await commented(task), await commented(task)].map(({ id }) => id)
      expectSame(
        'ids',
        (await listed(task)).map(({ id }) => id),
        ids,
      )
    },
  ),
  commentRule('updateComment', 'changes', part, 'changes the content and sets updated_at', async (task) => {
    const { context, taskId } = task
    const before = await commented(task)
    const params = { taskId, commentId: before.id }
    await context.api.succeed('updateComment', { params, json: { content: document } })
    const after = needed(
      (await listed(task)).find(({ id }) => id === before.id),
      'the comment is not listed',
    )
    expectSame(
      'comment',
      [after.content, after.content_type, after.created_at],
      [document, 'tiptap', before.created_at],
    )
    expectThat(
      after.updated_at !== null && after.updated_at >= before.created_at,
      'an updated_at',
      after.updated_at,
    )
  }),
  commentRule(
    'updateComment',
    'other-task',
    contract('Comments'),
    'answers 404 under another task',
    async (task) => {
      const { context } = task
      const { id } = await commented(task)
      const params = { taskId: await context.own.sharedTask(), commentId: id }
      await context.api.expect('updateComment', 404, { params, json: { content: 'verify' } })
    },
  ),
  commentRule('updateComment', 'text', part, 'changes a text to another text', async (task) => {
    const { context, taskId } = task
    const before = await commented(task)
    await context.api.succeed('updateComment', {
      params: { taskId, commentId: before.id },
      json: { content: 'changed' },
    })
    const [after] = await listed(task)
    expectSame('comment', { ...after, updated_at: 0 }, { ...before, content: 'changed', updated_at: 0 })
    expectThat(typeof after?.updated_at === 'number', 'an updated_at', after?.updated_at)
  }),
  commentRule('deleteComment', 'that-comment-alone', part, 'leaves the other comments', async (task) => {
    const { context, taskId } = task
    const [first, second, third] = [await commented(task), await commented(task), await commented(task)]
    await context.api.succeed('deleteComment', { params: { taskId, commentId: second.id } })
    expectSame('comments', await listed(task), [first, third])
  }),
  commentRule('deleteComment', 'other-task', part, 'answers 404 under another task', async (task) => {
    const { id } = await commented(task)
    const params = { taskId: await task.context.own.sharedTask(), commentId: id }
    await task.context.api.expect('deleteComment', 404, { params })
  }),
  commentRule('deleteComment', 'gone', part, 'the comment is not listed any more', async (task) => {
    const { context, taskId } = task
    const { id } = await commented(task)
    const params = { taskId, commentId: id }
    await context.api.succeed('deleteComment', { params })
    expectSame('comments', await listed(task), [])
    await context.api.expect('deleteComment', 404, { params })
  }),
]

const reading: Rule = {
  id: 'belong',
  operation: 'listComments',
  source: contract('Comment'),
  needs: 'read',
  says: 'comments belong to the task, text is text and documents are tiptap',
  check: async ({ seen }) => {
    const { taskId, comments } = needed(await seen.commented(), 'no task that was read has comments')
    for (const { task_id, content, content_type } of comments) {
      expectSame('task_id', task_id, taskId)
      expectSame('content_type', content_type, typeof content === 'string' ? 'text' : 'tiptap')
    }
  },
}

const authors: Rule = {
  id: 'authors',
  operation: 'listComments',
  source: contract('Comment'),
  needs: 'read',
  says: 'author_name is the name of the member with author_id',
  check: async ({ seen }) => {
    const { comments } = needed(await seen.commented(), 'no task that was read has comments')
    const { members } = await seen.identity()
    for (const { author_id, author_name } of comments) {
      const member = members.find(({ id }) => id === author_id)
      if (member) expectSame(`author_name of ${author_id}`, author_name, member.name)
    }
  },
}

const ofTask = async ({ own }: Context) => ({ taskId: await own.sharedTask() })

const refused = refusals([
  {
    id: 'without-content',
    operation: 'createComment',
    source: part,
    says: 'refuses a comment without content',
    ask: async (c) => ({ params: await ofTask(c), json: {} }),
  },
  {
    id: 'content-number',
    operation: 'createComment',
    source: part,
    says: 'refuses content that is a number',
    ask: async (c) => ({ params: await ofTask(c), json: { content: 7 } }),
  },
  {
    id: 'unknown-member',
    operation: 'createComment',
    source: assumed('unknownReferences'),
    says: 'refuses a comment_as that is not a member',
    ask: async (c) => ({ params: await ofTask(c), json: { content: 'verify', comment_as: unknownId } }),
  },
])

const updateRefused = commentRule(
  'updateComment',
  'without-content',
  assumed('generalStatuses'),
  'refuses a change without content',
  async (task) => {
    const { id } = await commented(task)
    await task.context.api.expect('updateComment', 400, {
      params: { taskId: task.taskId, commentId: id },
      json: {},
    })
  },
)

export const commentRules: readonly Rule[] = [reading, authors, ...writing, ...refused, updateRefused]
