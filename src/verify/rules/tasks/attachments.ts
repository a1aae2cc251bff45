// The rules of files attached to tasks.
import type { Attachment } from '../../../contract/task-attachments.ts'
import { ownTask, type OwnTask } from '../../engine/context.ts'
import { fileForm } from '../every-operation.ts'
import {
  assumed,
  contract,
  Drift,
  expectSame,
  expectThat,
  needed,
  type Rule,
  rulesOn,
  Unreachable,
} from '../../engine/rule.ts'

const part = contract('Task attachments')

export const fileRule = rulesOn('write', ownTask)

const uploaded = async ({ context, taskId }: OwnTask, body = fileForm()): Promise<Attachment> =>
  (await context.api.succeed('uploadTaskAttachment', { params: { taskId }, body })).attachment

export const filesListed = async ({ context, taskId }: OwnTask) =>
  (await context.api.succeed('listTaskAttachments', { params: { taskId } })).attachments

const download = ({ context, taskId }: OwnTask, attachmentId: string) =>
  context.api.expect('downloadTaskAttachment', 200, { params: { taskId, attachmentId } })

const isLoopback = ({ hostname }: URL) => /^(?:localhost|127\.|\[::1\])/.test(hostname)

/**
 * An address on another origin never gets the key. It is drift, save on this machine, where a proxy may stand before
 * the deployment: there the file must still be refused without a key.
 */
async function foreignUrl({ context: { api } }: OwnTask, url: URL): Promise<void> {
  const what = `an address of ${new URL(api.baseUrl).origin}, where the key may be sent`
  if (!isLoopback(url) || !isLoopback(new URL(api.baseUrl))) throw new Drift(what, url.href)
  const reply = await api.send('GET', url.href, { key: null })
  if (reply.status !== 401)
    throw new Drift(what, `${url.href}, which answers status ${String(reply.status)} without a key`)
  throw new Unreachable(`the url of an attachment leads to ${url.origin}, to which the key is not sent`)
}

const uploading: readonly Rule[] = [
  fileRule(
    'uploadTaskAttachment',
    'stores',
    contract('Attachment'),
    'answers name, type and size of the file',
    async (task) => {
      const { filename, mime_type, size_bytes } = await uploaded(
        task,
        fileForm('four', 'four.csv', 'text/csv'),
      )
      expectSame(
        'attachment',
        { filename, mime_type, size_bytes },
        { filename: 'four.csv', mime_type: 'text/csv', size_bytes: 4 },
      )
    },
  ),
  fileRule('listTaskAttachments', 'listed', part, 'lists what was uploaded, in that order', async (task) => {
    const files = [await uploaded(task), await uploaded(task, fileForm('two', 'two.txt'))]
    expectSame('attachments', await filesListed(task), files)
  }),
  fileRule(
    'uploadTaskAttachment',
    'without-file',
    assumed('multipart'),
    'refuses an upload without a file',
    async ({ context, taskId }) => {
      const form = new FormData()
      form.append('note', 'no file')
      await context.api.expect('uploadTaskAttachment', 400, { params: { taskId }, body: form })
    },
  ),
  fileRule(
    'uploadTaskAttachment',
    'too-large',
    assumed('maxFileBytes'),
    'refuses a file above the limit with 413',
    async ({ context, taskId }) => {
      const { plan } = (await context.seen.identity()).workspace
      const limit = context.answers.maxFileBytes[plan]
      if (limit === null || limit === undefined || limit > 32 * 1024 * 1024)
        throw new Unreachable('no file of a decent size is too large')
      const { json } = await context.api.expect('uploadTaskAttachment', 413, {
        params: { taskId },
        body: fileForm('x'.repeat(limit + 1)),
      })
      const { limitReached, resource, limit: told, current } = json as Record<string, unknown>
      const wanted = { limitReached: true, resource: 'maxFileBytes', told: limit, current: limit + 1 }
      expectSame('limit facts', { limitReached, resource, told, current }, wanted, assumed('limitFacts'))
    },
  ),
  fileRule('downloadTaskAttachment', 'bytes', part, 'answers the bytes that were uploaded', async (task) => {
    const { id } = await uploaded(task, fileForm('verify me'))
    expectSame('content', (await download(task, id)).text, 'verify me')
  }),
  fileRule(
    'listTaskAttachments',
    'url',
    contract('Attachment'),
    'url is a download with the same key, and with none but a key',
    async (task) => {
      const { api } = task.context
      await uploaded(task, fileForm('by url'))
      const [file] = await filesListed(task)
      const url = new URL(file?.url ?? '', api.baseUrl)
      if (api.isForeign(url.href)) return foreignUrl(task, url)
      const reply = await api.send('GET', url.href, {})
      expectSame('status and content', [reply.status, reply.text], [200, 'by url'])
      const keyless = await api.send('GET', url.href, { key: null })
      expectThat(keyless.status === 401, 'status 401', keyless.summary)
    },
  ),
  fileRule(
    'deleteTaskAttachment',
    'gone',
    part,
    'the file is neither listed nor downloaded any more',
    async (task) => {
      const { context, taskId } = task
      const { id } = await uploaded(task)
      const params = { taskId, attachmentId: id }
      await context.api.succeed('deleteTaskAttachment', { params })
      expectSame('attachments', await filesListed(task), [])
      await context.api.expect('downloadTaskAttachment', 404, { params })
      await context.api.expect('deleteTaskAttachment', 404, { params })
    },
  ),
  fileRule('downloadTaskAttachment', 'other-task', part, 'answers 404 under another task', async (task) => {
    const { id } = await uploaded(task)
    const params = { taskId: await task.context.own.sharedTask(), attachmentId: id }
    await task.context.api.expect('downloadTaskAttachment', 404, { params })
  }),
]

const reading: readonly Rule[] = [
  {
    id: 'size',
    operation: 'downloadTaskAttachment',
    source: contract('Attachment'),
    needs: 'read',
    says: 'a file has the size that is listed',
    check: async ({ api, seen }) => {
      const { taskId, attachments } = needed(await seen.attached(), 'no task that was read has attachments')
      const [file] = attachments
      const params = { taskId, attachmentId: file?.id ?? '' }
      const { bytes } = await api.expect('downloadTaskAttachment', 200, { params })
      expectSame('bytes', bytes.length, file?.size_bytes)
    },
  },
  {
    id: 'attachments-once',
    operation: 'listTaskAttachments',
    source: contract('Attachment'),
    needs: 'read',
    says: 'lists every attachment once, with an address to download it from',
    check: async ({ seen }) => {
      const { attachments } = needed(await seen.attached(), 'no task that was read has attachments')
      const ids = attachments.map(({ id }) => id)
      expectSame('attachment ids', ids, [...new Set(ids)])
      for (const { url } of attachments) expectThat(URL.canParse(url), 'an address', url)
    },
  },
]

export const taskAttachmentRules: readonly Rule[] = [...reading, ...uploading]
