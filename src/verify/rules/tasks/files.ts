// The rules of files that come with a new task.
import { expectSame } from '../../engine/expect.ts'
import { writeRules } from '../../engine/rule.ts'
import { taskForm } from '../uploads.ts'
import { filesListed } from './attachments.ts'
import { tasksListed } from './creation.ts'

/** Files named file-1.txt and so on. */
const numbered = (count: number) =>
  Array.from({ length: count }, (_, index) => {
    const number = String(index + 1)
    return [`file-${number}.txt`, `file ${number}`] as const
  })

export const taskFileRules = writeRules('contract, Tasks', {
  'createTask/with-files: takes files with a new task and returns them': async (c) => {
    const ask = {
      body: taskForm({ title: c.own.text(), priority: 'low' }, numbered(2)),
    }
    const { id, attachments } = await c.api.succeed('createTask', ask)
    const names = attachments.map(({ filename }) => filename)
    expectSame('names', names, ['file-1.txt', 'file-2.txt'])
    expectSame('attachments of the task', await filesListed(c, id), attachments)
    const { priority } = await c.own.readTask(id)
    expectSame('priority', priority, c.answers.taskPriority.low, 'assumption taskPriority')
  },
  'createTask/ten-files: takes ten files (contract, Limits)': async (c) => {
    const ask = { body: taskForm({ title: c.own.text() }, numbered(10)) }
    const { attachments } = await c.api.succeed('createTask', ask)
    expectSame('number of attachments', attachments.length, 10)
  },
  'createTask/eleven-files: refuses eleven files and makes no task (assumption multipart)': async (c) => {
    const title = c.own.text()
    await c.api.expect('createTask', 400, {
      body: taskForm({ title }, numbered(11)),
    })
    expectSame('tasks of that title', await tasksListed(c, title), [], 'contract, Tasks, all-or-nothing')
  },
  'createTask/without-data: refuses a multipart creation without data': async (c) =>
    c.api.expect('createTask', 400, { body: taskForm(undefined, numbered(1)) }),
})
