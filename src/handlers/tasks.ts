// Answers the operations on tasks.
import type { OperationHandler } from '../core/context.ts'
import { deletedAnswer, patchedAnswer } from '../core/mutation.ts'
import { assertFileSizes, attachFile, presentAttachment } from '../resources/task-attachments.ts'
import { findTasks } from '../resources/task-search.ts'
import * as tasks from '../resources/tasks.ts'

export const listTasks: OperationHandler<'listTasks'> = async ({ world, at, query }) => {
  const { limit, offset } = query
  const found = await findTasks(world, at.listId, query)
  const page = found.slice(offset, offset + limit)
  return { tasks: page.map((task) => tasks.presentTask(world, task)), limit, offset }
}

export const createTask: OperationHandler<'createTask'> = {
  measure: ({ world, workspace }, _, files) => {
    assertFileSizes(world, workspace, files)
  },
  run: ({ world, workspace, at, body, files, baseUrl, observe }) => {
    const task = tasks.createTask(world, workspace, at.listId, body, observe)
    const attachments = files.map((file) => attachFile(world, workspace, task, file))
    return {
      id: task.id,
      attachments: attachments.map((attachment) => presentAttachment(attachment, baseUrl)),
    }
  },
}

export const getTask: OperationHandler<'getTask'> = ({ world, at }) => tasks.presentTask(world, at.taskId)

export const updateTask: OperationHandler<'updateTask'> = ({ world, answers, at, body, observe }) => {
  const task = tasks.updateTask(world, at.taskId, body, observe)
  return patchedAnswer(answers, () => tasks.presentTask(world, task))
}

export const deleteTask: OperationHandler<'deleteTask'> = ({ world, answers, at }) => {
  tasks.deleteTask(world, at.taskId)
  return deletedAnswer(answers)
}
