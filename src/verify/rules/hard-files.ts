// The rules of files that are easily spoiled: every byte value, and a name with what paths and forms encode.
import { expectFields, expectSame, expectStatus, idsOf, needed } from '../engine/expect.ts'
import { ownTask, rulesOn, writeRules, type Context } from '../engine/rule.ts'
import { keyOf, keysIn, ofRow, upload } from './rows/attachments.ts'
import { filesListed, uploaded } from './tasks/attachments.ts'
import { formOf, taskForm } from './uploads.ts'

const part = 'contract, Task attachments'

/** A space, an umlaut, a percent sign before two hex digits, a plus, an ampersand and a quote. */
const hardName = "grün 100 %25 + it's & more.bin"
const allBytes = Uint8Array.from({ length: 256 }, (_, index) => index)
const hardFile = [hardName, allBytes, 'application/octet-stream'] as const

const shownBytes = (bytes: Uint8Array) =>
  [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join(' ')

async function expectDownload({ api }: Context, taskId: string, attachmentId: string): Promise<void> {
  const { bytes } = await api.expect('downloadTaskAttachment', 200, { params: { taskId, attachmentId } })
  expectSame('bytes', shownBytes(bytes), shownBytes(allBytes))
}

/** A task with the file. */
const onTask = rulesOn('write', async (context) => {
  const task = await ownTask(context)
  return { ...task, attachment: await uploaded(task, formOf([hardFile])) }
})

/** A row with the file. */
const onRow = rulesOn('write', async (context) => {
  const row = await ofRow(context)
  return { ...row, attachment: (await upload(row, formOf([hardFile]))).attachment }
})

const taskFiles = onTask(part, {
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

const withTask = writeRules('contract, Tasks', {
  'createTask/hard-files: keeps name, order and every byte of files that come with it': async (context) => {
    const body = taskForm({ title: context.own.text() }, [hardFile, ['verify.txt', 'verify']])
    const { id, attachments } = await context.api.succeed('createTask', { body })
    const names = attachments.map(({ filename }) => filename)
    expectSame('names', names, [hardName, 'verify.txt'])
    await expectDownload(context, id, needed(attachments[0], 'the response has no attachment').id)
  },
})

const rowFiles = onRow(part, {
  'uploadRowAttachment/hard-name: keeps a name with spaces, umlauts, %, + and quotes, in its key too': (
    file,
  ) => {
    const wanted = { key: keyOf(file, hardName), filename: hardName, size: 256 }
    expectFields('attachment', file.attachment, wanted)
  },
  'deleteRowAttachment/hard-name: takes the encoded key of such a file, and deletes that file alone': async (
    file,
  ) => {
    const { attachment: other } = await upload(file)
    await file.api.succeed('deleteRowAttachment', { params: { key: file.attachment.key } })
    expectSame('keys left', keysIn(await file.own.readRow(file.row.id), file.columnId), [other.key])
  },
  'deleteRowAttachment/other-row: refuses with 400 the key of another row of the table': async (file) => {
    const params = { rowId: (await file.own.row()).id, key: file.attachment.key }
    expectStatus(await file.api.call('deleteRowAttachment', { params }), 400)
  },
})

export const hardFileRules = [...taskFiles, ...withTask, ...rowFiles]
