// The rules of files that come with a new task.
import type { Context } from '../../engine/context.ts'
import { assumed, contract, expectSame, type Rule } from '../../engine/rule.ts'
import { fileRule, filesListed } from './attachments.ts'

/** A multipart creation with files of these contents, named file-1.txt and so on. */
export function wholeForm(data: unknown, contents: readonly string[]): FormData {
  const form = new FormData()
  if (data !== undefined) form.append('data', JSON.stringify(data))
  for (const [index, content] of contents.entries())
    form.append('file', new Blob([content], { type: 'text/plain' }), `file-${String(index + 1)}.txt`)
  return form
}

const taskForm = (data: unknown, files: number) =>
  wholeForm(
    data,
    Array.from({ length: files }, (_, index) => `file ${String(index + 1)}`),
  )

const tasksTitled = async ({ api, own }: Context, title: string) =>
  (
    await api.succeed('listTasks', { params: { listId: await own.listId() }, query: { q: title } })
  ).tasks.filter((task) => task.title === title)

export const taskFileRules: readonly Rule[] = [
  fileRule(
    'createTask',
    'with-files',
    contract('Tasks'),
    'takes files with a new task and answers them',
    async ({ context }) => {
      const { api, own } = context
      const body = taskForm({ title: own.text(), priority: 'low' }, 2)
      const { id, attachments } = await api.succeed('createTask', {
        params: { listId: await own.listId() },
        body,
      })
      expectSame(
        'names',
        attachments.map(({ filename }) => filename),
        ['file-1.txt', 'file-2.txt'],
      )
      expectSame('attachments of the task', await filesListed({ context, taskId: id }), attachments)
      expectSame(
        'priority',
        (await own.readTask(id)).priority,
        context.answers.taskPriority.low,
        assumed('taskPriority'),
      )
    },
  ),
  fileRule(
    'createTask',
    'ten-files',
    contract('Limits'),
    'takes ten files',
    async ({ context: { api, own } }) => {
      const body = taskForm({ title: own.text() }, 10)
      const { attachments } = await api.succeed('createTask', {
        params: { listId: await own.listId() },
        body,
      })
      expectSame('number of attachments', attachments.length, 10)
    },
  ),
  fileRule(
    'createTask',
    'eleven-files',
    assumed('multipart'),
    'refuses eleven files and makes no task',
    async ({ context }) => {
      const { api, own } = context
      const title = own.text()
      await api.expect('createTask', 400, {
        params: { listId: await own.listId() },
        body: taskForm({ title }, 11),
      })
      expectSame(
        'tasks of that title',
        await tasksTitled(context, title),
        [],
        contract('Tasks, all-or-nothing'),
      )
    },
  ),
  fileRule(
    'createTask',
    'without-data',
    contract('Tasks'),
    'refuses a multipart creation without data',
    async ({ context: { api, own } }) =>
      api.expect('createTask', 400, {
        params: { listId: await own.listId() },
        body: taskForm(undefined, 1),
      }),
  ),
]
