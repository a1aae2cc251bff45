// Handlers for tasks.
import type { OperationHandler } from '../core/context.ts'
import { deletedResponse, patchedResponse } from '../core/mutation.ts'
import { assertFileSizes, attachFile, toAttachment } from '../resources/task-attachments.ts'
import { findTasks } from '../resources/task-search.ts'
import * as tasks from '../resources/tasks.ts'

export const listTasks: OperationHandler<'listTasks'> = ({ store, at, query }) => {
  const { limit, offset } = query
  const page = findTasks(store, at.listId, query)
  return { tasks: page.map((task) => tasks.toTask(store, task)), limit, offset }
}

export const createTask: OperationHandler<'createTask'> = {
  measure: ({ store, workspace }, _, files) => {
    assertFileSizes(store, workspace, files)
  },
  run: ({ store, workspace, at, body, files, baseUrl, reportBreach }) => {
    const task = tasks.createTask(store, workspace, at.listId, body, reportBreach)
    const attachments = files.map((file) => attachFile(store, workspace, task, file))
    return {
      id: task.id,
      attachments: attachments.map((attachment) => toAttachment(attachment, baseUrl)),
    }
  },
}

export const getTask: OperationHandler<'getTask'> = ({ store, at }) => tasks.toTask(store, at.taskId)

export const updateTask: OperationHandler<'updateTask'> = ({ store, answers, at, body, reportBreach }) => {
  const task = tasks.updateTask(store, at.taskId, body, reportBreach)
  return patchedResponse(answers, () => tasks.toTask(store, task))
}

export const deleteTask: OperationHandler<'deleteTask'> = ({ store, answers, at }) => {
  tasks.deleteTask(store, at.taskId)
  return deletedResponse(answers)
}
