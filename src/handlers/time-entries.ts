// Handlers for time entries on tasks.
import type { OperationHandler } from '../core/context.ts'
import { deletedResponse, patchedResponse } from '../core/mutation.ts'
import * as timeEntries from '../resources/time-entries.ts'

export const listTimeEntries: OperationHandler<'listTimeEntries'> = ({ store, workspace, at }) =>
  timeEntries.toTimeEntries(store, workspace, timeEntries.timeEntriesOf(store, at.taskId))

export const createTimeEntry: OperationHandler<'createTimeEntry'> = (request) => {
  const { store, workspace, key, at, body, reportBreach } = request
  const entry = timeEntries.actOnTime({ store, workspace, key, task: at.taskId }, body, reportBreach)
  return timeEntries.toTimeEntry(store, entry)
}

export const updateTimeEntry: OperationHandler<'updateTimeEntry'> = {
  permit: ({ answers, at, reportBreach }) => {
    if (at.entryId.is_running === 1) reportBreach('edit-running', at.entryId.id)
    if (answers.editRunning === 403) timeEntries.assertStopped(at.entryId, 'runningEntry')
  },
  run: ({ store, answers, at, body }) => {
    timeEntries.assertStopped(at.entryId, 'validation')
    const entry = timeEntries.updateTimeEntry(store, at.entryId, body)
    return patchedResponse(answers, () => timeEntries.toTimeEntry(store, entry))
  },
}

export const deleteTimeEntry: OperationHandler<'deleteTimeEntry'> = ({ store, answers, at }) => {
  store.timeEntries.remove(at.entryId.id)
  return deletedResponse(answers)
}
