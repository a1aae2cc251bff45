// Scenarios of files of tasks: added to one, and sent with its creation.
import { filesPerTask } from '../../contract/limits.ts'
import type { Play } from '../twin/play.ts'
import { writing, type Scenario } from '../twin/scenario.ts'
import { Unreachable } from '../engine/drift.ts'
import type { SuccessFor } from '../../contract/index.ts'
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

const isLoopback = ({ hostname }: URL) => /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)

/**
 * An address on another origin never gets the key. It is drift, except on this machine, where a proxy may stand in front
 * of the deployment: there the file must still be refused without a key.
 */
async function checkForeignUrl(play: Play, url: URL): Promise<void> {
  const { transport } = play.twin.context.api
  const { origin } = new URL(transport.baseUrl)
  const expected = `an address of ${origin}, where the key may be sent`
  const differ = (got: string) =>
    play.report('listTaskAttachments', { path: 'attachments[].url', kind: 'value', expected, got })
  if (!isLoopback(url) || !isLoopback(new URL(transport.baseUrl))) {
    differ(url.href)
    return
  }
  const { status } = await transport.send('GET', url.href, { key: null })
  if (status === 401)
    throw new Unreachable(`the url of an attachment leads to ${url.origin}, to which the key is not sent`)
  differ(`${url.href}, which responds with status ${String(status)} without a key`)
}

/** The address of a file is a download with the same key, and with none but a key. */
const downloadsByUrl = writing(
  'listTaskAttachments uploadTaskAttachment/url',
  'contract, Attachment',
  'url is a download with the same key',
  async (play) => {
    const { upload, list } = await taskWithFiles(play)
    const { transport } = play.twin.context.api
    await upload(file('a.txt', 'by url'))
    await list()
    const { attachments = [] } = Object(play.exchanges.at(-1)?.theirs.json) as Partial<
      SuccessFor<'listTaskAttachments'>
    >
    const url = URL.parse(attachments[0]?.url ?? '', transport.baseUrl)
    if (!url) return
    if (transport.isForeign(url.href)) return checkForeignUrl(play, url)
    const [reply, refused] = [
      await transport.send('GET', url.href),
      await transport.send('GET', url.href, { key: null }),
    ]
    const seen = [reply.status, reply.text, refused.status]
    const expected = [200, 'by url', 401]
    if (seen.join() !== expected.join())
      play.report('listTaskAttachments', { path: 'attachments[].url', kind: 'value', expected, got: seen })
  },
)

const taskFiles: readonly Scenario[] = [
  downloadsByUrl,
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
    'deleteTaskAttachment listTaskAttachments downloadTaskAttachment/task-file-gone',
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
    'createTask getTask listTaskAttachments downloadTaskAttachment/with-files',
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
