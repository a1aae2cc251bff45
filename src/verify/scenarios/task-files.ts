// Scenarios of files of tasks: added to one, and sent with its creation.
import { filesPerTask } from '../../contract/limits.ts'
import type { Play } from '../twin/play.ts'
import { writing, type Scenario } from '../twin/scenario.ts'
import { fullTask, makeTask, ownList } from './own.ts'
import { tooLarge, wrongForms } from './row-files.ts'
import { file, formOf, hardBytes, hardFile, hardName, type Part } from './values.ts'

async function taskWithFiles(play: Play) {
  const taskId = await makeTask(play)
  const upload = async (...parts: readonly Part[]) => {
    const made = await play.call('uploadTaskAttachment', { params: { taskId }, body: formOf(...parts) })
    return made?.attachment.id ?? ''
  }
  const list = () => play.call('listTaskAttachments', { params: { taskId } })
  return { taskId, upload, list }
}

const taskFiles: readonly Scenario[] = [
  writing(
    'uploadTaskAttachment listTaskAttachments downloadTaskAttachment/files',
    'contract, Attachment',
    'a file is listed and downloaded as it was sent',
    async (play) => {
      const { taskId, upload, list } = await taskWithFiles(play)
      const made = [
        await upload(hardFile),
        await upload(file('a.txt', 'one\r\ntwo\n')),
        await upload(file('a.txt', 'again')),
        await upload(file('empty', '')),
        await upload(file('no type', hardBytes, '')),
        await upload(file('one.txt'), file('two.txt')),
      ]
      await list()
      for (const attachmentId of made)
        await play.call('downloadTaskAttachment', { params: { taskId, attachmentId } })
    },
  ),
  writing(
    'uploadTaskAttachment listTaskAttachments/odd-files',
    'assumption multipart',
    'an upload needs a file',
    async (play) => {
      const { taskId, list } = await taskWithFiles(play)
      for (const body of wrongForms()) await play.call('uploadTaskAttachment', { params: { taskId }, body })
      await play.call('uploadTaskAttachment', { params: { taskId }, json: {} })
      await list()
    },
  ),
  writing(
    'uploadTaskAttachment/limit',
    'contract, Limits',
    'a file above the limit is refused with 413',
    async (play) => {
      const { upload, list } = await taskWithFiles(play)
      await upload(tooLarge(play))
      await list()
    },
  ),
  writing(
    'deleteTaskAttachment listTaskAttachments downloadTaskAttachment/gone',
    'contract, Endpoints',
    'a deleted file is gone, the others stay; a file belongs to its task',
    async (play) => {
      const { taskId, upload, list } = await taskWithFiles(play)
      const [attachmentId] = [await upload(file('a.txt')), await upload(file('b.txt', 'b'))]
      const other = await makeTask(play)
      await play.call('downloadTaskAttachment', { params: { taskId: other, attachmentId } })
      await play.call('deleteTaskAttachment', { params: { taskId: other, attachmentId } })
      for (let time = 0; time < 2; time += 1) {
        await play.call('deleteTaskAttachment', { params: { taskId, attachmentId } })
        await list()
        await play.call('downloadTaskAttachment', { params: { taskId, attachmentId } })
      }
    },
  ),
]

async function createWith(play: Play, ...parts: readonly Part[]) {
  const made = await play.call('createTask', { params: { listId: ownList(play) }, body: formOf(...parts) })
  if (!made) return
  const params = { taskId: made.id }
  await play.call('getTask', { params })
  await play.call('listTaskAttachments', { params })
  for (const { id: attachmentId } of made.attachments.slice(0, 2))
    await play.call('downloadTaskAttachment', { params: { ...params, attachmentId } })
}

const data = (fields: unknown): Part => ['data', JSON.stringify(fields)]

const creations: readonly Scenario[] = [
  writing(
    'createTask getTask listTaskAttachments downloadTaskAttachment/files',
    'contract, Endpoints',
    'a task can be created with files',
    async (play) => {
      await createWith(
        play,
        data({ title: play.text(), ...(await fullTask(play)) }),
        hardFile,
        file(`2 ${hardName}`, 'PNG', 'image/png'),
      )
      await createWith(play, data({ title: play.text() }))
    },
  ),
  writing(
    'createTask listTasks/odd-files',
    'assumption multipart',
    'a creation with files is whole or nothing',
    async (play) => {
      const title = play.text()
      const wrong: readonly (readonly Part[])[] = [
        [file()],
        [['data', 'no json']],
        [data({}), file()],
        [data({ title, priority: 'verify' }), file()],
        [data({ title }), ['file', 'a text']],
      ]
      for (const parts of wrong) await createWith(play, ...parts)
      await play.call('listTasks', { params: { listId: ownList(play) }, query: { limit: 200 } })
    },
  ),
  writing(
    'createTask listTasks/most-files',
    'contract, Limits',
    `a task can be created with ${String(filesPerTask)} files, not with one more`,
    async (play) => {
      const files = (count: number) =>
        Array.from({ length: count }, (_, index) => file(`${String(index)}.txt`))
      await createWith(play, data({ title: play.text() }), ...files(filesPerTask))
      await createWith(play, data({ title: play.text() }), ...files(filesPerTask + 1))
      await play.call('listTasks', { params: { listId: ownList(play) }, query: { limit: 200 } })
    },
  ),
  writing(
    'createTask listTasks/file-limit',
    'contract, Limits',
    'a creation with a file above the limit is refused with 413',
    async (play) => {
      await createWith(play, data({ title: play.text() }), tooLarge(play), file())
      await play.call('listTasks', { params: { listId: ownList(play) }, query: { limit: 200 } })
    },
  ),
]

export const taskFileScenarios: readonly Scenario[] = [...taskFiles, ...creations]
