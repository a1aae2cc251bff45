// Answers for time entries on tasks.
import type { OperationHandler } from '../core/context.ts'
import { deletedAnswer, patchedAnswer } from '../core/mutation.ts'
import * as timeEntries from '../resources/time-entries.ts'

export const listTimeEntries: OperationHandler<'listTimeEntries'> = async ({ world, workspace, at }) =>
  timeEntries.presentTimeEntries(world, workspace, await timeEntries.timeEntriesOf(world, at.taskId))

export const createTimeEntry: OperationHandler<'createTimeEntry'> = async (request) => {
  const { world, workspace, key, at, body, observe } = request
  const entry = await timeEntries.actOnTime({ world, workspace, key, task: at.taskId }, body, observe)
  return timeEntries.presentTimeEntry(world, entry)
}

export const updateTimeEntry: OperationHandler<'updateTimeEntry'> = {
  permit: ({ answers, at, observe }) => {
    if (at.entryId.is_running === 1) observe('edit-running', at.entryId.id)
    if (answers.editRunning === 403) timeEntries.assertStopped(at.entryId, 'runningEntry')
  },
  run: ({ world, answers, at, body }) => {
    timeEntries.assertStopped(at.entryId, 'validation')
    const entry = timeEntries.updateTimeEntry(world, at.entryId, body)
    return patchedAnswer(answers, () => timeEntries.presentTimeEntry(world, entry))
  },
}

export const deleteTimeEntry: OperationHandler<'deleteTimeEntry'> = ({ world, answers, at }) => {
  world.timeEntries.remove(at.entryId.id)
  return deletedAnswer(answers)
}
