// The rules of files attached to tasks, and of those that come with a new one.
import type { Attachment } from '../../../contract/task-attachments.ts'
import {
  expectFields,
  expectOnce,
  expectSame,
  expectStatus,
  expectThat,
  needed,
} from '../../engine/expect.ts'
import { Drift, Unreachable } from '../../engine/drift.ts'
import { ownTask, readRules, rulesOn, writeRules, type Context, type OwnTask } from '../../engine/rule.ts'
import type { Transport } from '../../engine/transport.ts'
import { expectLimit, fileLimit } from '../checks.ts'
import {
  allBytes,
  fileForm,
  formOf,
  formWithoutFile,
  hardFile,
  hardName,
  taskForm,
} from '../../engine/bodies.ts'
import { tasksListed } from './writes.ts'
import { idsOf } from '../../../contract/data/maps.ts'

const part = 'contract, Task attachments'

const uploaded = async ({ api }: OwnTask, body = fileForm()): Promise<Attachment> =>
  (await api.succeed('uploadTaskAttachment', { body })).attachment

const filesListed = async ({ api }: Pick<OwnTask, 'api'>, taskId: string) =>
  (await api.succeed('listTaskAttachments', { params: { taskId } })).attachments

const isLoopback = ({ hostname }: URL) => /^(?:localhost|127\.|\[::1\])/.test(hostname)

/**
 * An address on another origin never gets the key. It is drift, except on this machine, where a proxy may stand in front
 * of the deployment: there the file must still be refused without a key.
 */
async function foreignUrl(transport: Transport, url: URL): Promise<void> {
  const what = `an address of ${new URL(transport.baseUrl).origin}, where the key may be sent`
  if (!isLoopback(url) || !isLoopback(new URL(transport.baseUrl))) throw new Drift(what, url.href)
  const reply = await transport.send('GET', url.href, { key: null })
  if (reply.status !== 401)
    throw new Drift(what, `${url.href}, which responds with status ${String(reply.status)} without a key`)
  throw new Unreachable(`the url of an attachment leads to ${url.origin}, to which the key is not sent`)
}

const shownBytes = (bytes: Uint8Array) =>
  [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join(' ')

async function expectDownload({ api }: Context, taskId: string, attachmentId: string): Promise<void> {
  const { bytes } = await api.expect('downloadTaskAttachment', 200, { params: { taskId, attachmentId } })
  expectSame('bytes', shownBytes(bytes), shownBytes(allBytes))
}

const uploading = rulesOn('write', ownTask)(part, {
  'uploadTaskAttachment/stores: returns name, type and size of the file (contract, Attachment)': async (
    task,
  ) => {
    const wanted = { filename: 'four.csv', mime_type: 'text/csv', size_bytes: 4 }
    expectFields('attachment', await uploaded(task, fileForm('four', 'four.csv', 'text/csv')), wanted)
  },
  'listTaskAttachments/listed: lists what was uploaded, in that order': async (task) => {
    const files = [await uploaded(task), await uploaded(task, fileForm('two', 'two.txt'))]
    expectSame('attachments', await filesListed(task, task.taskId), files)
  },
  'uploadTaskAttachment/without-file: refuses an upload without a file (assumption multipart)': async (c) =>
    c.api.expect('uploadTaskAttachment', 400, { body: formWithoutFile() }),
  'uploadTaskAttachment/too-large: refuses a file above the limit with 413 (assumption maxFileBytes)': async (
    task,
  ) => {
    const size = (await fileLimit(task)) + 1
    const ask = { body: fileForm('x'.repeat(size)) }
    expectLimit(await task.api.expect('uploadTaskAttachment', 413, ask), 'maxFileBytes', size - 1)
  },
  'downloadTaskAttachment/bytes: returns the bytes that were uploaded': async (task) => {
    const params = { attachmentId: (await uploaded(task, fileForm('verify me'))).id }
    const { text } = await task.api.expect('downloadTaskAttachment', 200, { params })
    expectSame('content', text, 'verify me')
  },
  'listTaskAttachments/url: url is a download with the same key, and with none but a key (contract, Attachment)':
    async (task) => {
      const { transport } = task.api
      await uploaded(task, fileForm('by url'))
      const [file] = await filesListed(task, task.taskId)
      const url = new URL(file?.url ?? '', transport.baseUrl)
      if (transport.isForeign(url.href)) return foreignUrl(transport, url)
      const reply = await transport.send('GET', url.href)
      expectSame('status and content', [reply.status, reply.text], [200, 'by url'])
      expectStatus(await transport.send('GET', url.href, { key: null }), 401)
    },
  'deleteTaskAttachment/gone: the file is neither listed nor downloaded any more': async (task) => {
    const params = { attachmentId: (await uploaded(task)).id }
    await task.api.succeed('deleteTaskAttachment', { params })
    expectSame('attachments', await filesListed(task, task.taskId), [])
    await task.api.expect('downloadTaskAttachment', 404, { params })
    await task.api.expect('deleteTaskAttachment', 404, { params })
  },
})

const reading = readRules('contract, Attachment', {
  'downloadTaskAttachment/size: a file has the size that is listed': async ({ api, seen }) => {
    const { taskId, attachments } = needed(await seen.attached(), 'no task that was read has attachments')
    const [file] = attachments
    const params = { taskId, attachmentId: file?.id ?? '' }
    const { bytes } = await api.expect('downloadTaskAttachment', 200, { params })
    expectSame('bytes', bytes.length, file?.size_bytes)
  },
  'listTaskAttachments/attachments-once: lists every attachment once, with an address to download it from':
    async ({ seen }) => {
      const { attachments } = needed(await seen.attached(), 'no task that was read has attachments')
      expectOnce('attachment ids', idsOf(attachments))
      for (const { url } of attachments) expectThat(URL.canParse(url), 'an address', url)
    },
})

/** A task with a file that is easily spoiled. */
const hardFiles = rulesOn('write', async (context) => {
  const task = await ownTask(context)
  return { ...task, attachment: await uploaded(task, formOf([hardFile])) }
})(part, {
  'uploadTaskAttachment/hard-name: keeps a name with spaces, umlauts, %, + and quotes': ({ attachment }) => {
    expectFields('attachment', attachment, { filename: hardName, size_bytes: 256 })
  },
  'listTaskAttachments/hard-name: lists the name as it was sent': async (task) => {
    const names = (await filesListed(task, task.taskId)).map(({ filename }) => filename)
    expectSame('names', names, [hardName])
  },
  'downloadTaskAttachment/every-byte: returns every byte value as it was sent': async (task) =>
    expectDownload(task, task.taskId, task.attachment.id),
  'deleteTaskAttachment/that-file-alone: deletes that file alone': async (task) => {
    const other = await uploaded(task)
    const params = { attachmentId: task.attachment.id }
    await task.api.succeed('deleteTaskAttachment', { params })
    expectSame('files left', idsOf(await filesListed(task, task.taskId)), [other.id])
  },
})

/** Files named file-1.txt and so on. */
const numbered = (count: number) =>
  Array.from({ length: count }, (_, index) => [`file-${String(index + 1)}.txt`, 'verify'] as const)

const withTask = writeRules('contract, Tasks', {
  'createTask/with-files: takes files with a new task and returns them': async (c) => {
    const body = taskForm({ title: c.own.text(), priority: 'low' }, numbered(2))
    const { id, attachments } = await c.api.succeed('createTask', { body })
    const names = attachments.map(({ filename }) => filename)
    expectSame('names', names, ['file-1.txt', 'file-2.txt'])
    expectSame('attachments of the task', await filesListed(c, id), attachments)
    const { priority } = await c.own.readTask(id)
    expectSame('priority', priority, c.answers.taskPriority.low, 'assumption taskPriority')
  },
  'createTask/ten-files: takes ten files (contract, Limits)': async (c) => {
    const body = taskForm({ title: c.own.text() }, numbered(10))
    const { attachments } = await c.api.succeed('createTask', { body })
    expectSame('number of attachments', attachments.length, 10)
  },
  'createTask/eleven-files: refuses eleven files and makes no task (assumption multipart)': async (c) => {
    const title = c.own.text()
    await c.api.expect('createTask', 400, { body: taskForm({ title }, numbered(11)) })
    expectSame('tasks of that title', await tasksListed(c, title), [], 'contract, Tasks, all-or-nothing')
  },
  'createTask/without-data: refuses a multipart creation without data': async (c) =>
    c.api.expect('createTask', 400, { body: taskForm(undefined, numbered(1)) }),
  'createTask/hard-files: keeps name, order and every byte of files that come with it': async (context) => {
    const body = taskForm({ title: context.own.text() }, [hardFile, ['verify.txt', 'verify']])
    const { id, attachments } = await context.api.succeed('createTask', { body })
    const names = attachments.map(({ filename }) => filename)
    expectSame('names', names, [hardName, 'verify.txt'])
    await expectDownload(context, id, needed(attachments[0], 'the response has no attachment').id)
  },
})

export const taskAttachmentRules = [...reading, ...uploading, ...hardFiles, ...withTask]
