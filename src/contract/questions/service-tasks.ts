// Open questions about how the service treats tasks, time entries and forms.
import { assumedLimits, recoverySeconds, statusTypes } from '../limits.ts'
import { formatCount } from '../text/format.ts'
import * as z from 'zod/mini'
import {
  hasBreach,
  hasField,
  hasRefusal,
  never,
  hasShownColumn,
  hasShown,
  type SeenExchange,
} from './seen-exchange.ts'
import {
  belowSpaces,
  choice,
  fixedQuestion,
  formReads,
  question,
  rowResponses,
  taskReads,
  taskWrites,
} from './question.ts'

const { formulaLanguage: formulas, recurrence } = assumedLimits

function Transitions() {
  const types = z.optional(z.array(z.enum(statusTypes)))
  return z.union([z.literal('any'), z.strictObject({ active: types, done: types, archived: types })])
}

const hasAction = (seen: SeenExchange, name: string) =>
  hasField(seen, ['action'], (action) => action === name)

export const taskServiceQuestions = {
  statusTransitions: question({
    source: 'Task',
    notShown: 'Which status changes are allowed.',
    schema: Transitions,
    default: 'any',
    meaning: 'From any status of the list to any other.',
    others: [
      'a map from active, done and archived to arrays of these',
      "A change is allowed if the array of the old status's type contains the new status's type, else 400. A " +
        'type that the map leaves out allows no change. The whole map is replaced, not merged.',
    ],
    operations: ['updateTask'],
    affects: (seen) => hasField(seen, ['status_id']),
  }),
  defaultStatuses: fixedQuestion({
    source: 'Spaces and lists',
    notShown: 'Which statuses a new space or list gets.',
    meaning:
      'Each list has statuses of its own: To do (active), In progress (active), Done (done), Archived ' +
      '(archived).',
    operations: ['createSpace', 'createList', 'getListSchema'],
  }),
  privateById: choice({
    source: 'Spaces and lists',
    notShown: 'Whether a private space or list and the tasks in it can be reached by id.',
    answers: {
      hidden: '404, including for everything in them.',
      visible: 'They can be reached like any other and are only missing from listings.',
    },
    operations: belowSpaces,
    affects: (seen, answer) => (answer === 'visible' ? seen.isDone : hasRefusal(seen, 'notFound')),
  }),
  taskStatusFilter: choice({
    source: 'Tasks',
    notShown: 'What the status parameter of the task listing is compared to.',
    answers: {
      idOrName: 'The id and the name of the status.',
      idNameOrType: 'The id, the name and the type of the status.',
    },
    operations: ['listTasks'],
    affects: ({ query }) => query.has('status'),
  }),
  formulaLanguage: fixedQuestion({
    source: 'Column',
    notShown: 'The language of formula expressions.',
    meaning:
      'Columns by name, in braces as {Unit price}, or bare if the name is an identifier; + - * / %, == != ' +
      '< <= > >=, && || !, ?:, parentheses, string and number literals. A dropdown evaluates to its ' +
      'label; + concatenates if either operand is text. The result is null if an operand is missing, an ' +
      `error occurs, a concatenated text exceeds ${formatCount(formulas.characters)} characters, or the ` +
      'nesting (of parentheses and operators, or of formulas that use formulas) exceeds ' +
      `${String(formulas.levels)} levels.`,
    operations: rowResponses,
    affects: (seen) => hasShownColumn(seen, 'formula'),
  }),
  manualEntry: fixedQuestion({
    source: 'Time entries',
    notShown: 'Which fields a manual entry must have, and what applies when duration and dates disagree.',
    meaning:
      'duration or both dates are required, else 400. If duration is missing, it is the difference between ' +
      'the dates. If the dates are missing, the entry ends now and starts duration seconds earlier. If all ' +
      'three are sent, they are kept. On PATCH, changing a date recalculates duration unless duration is ' +
      'sent too; changing duration alone moves date_end.',
    operations: ['createTimeEntry', 'updateTimeEntry'],
    affects: (seen) =>
      hasAction(seen, 'manual') ||
      (seen.operation === 'updateTimeEntry' && hasField(seen, ['duration', 'date_start', 'date_end'])),
  }),
  runningDuration: choice({
    source: 'TimeEntry',
    notShown: 'What duration a running entry shows.',
    answers: {
      zero: '0 until it is stopped; total_seconds does not include the entry.',
      elapsed: 'The seconds since its start; total_seconds includes them.',
    },
    operations: ['listTimeEntries', 'createTimeEntry'],
    affects: (seen) =>
      hasAction(seen, 'start') || hasShown(seen, ['entries'], (entry) => entry.is_running === 1),
  }),
  startEntry: choice({
    source: 'Time entry',
    notShown: 'What happens to a running timer when its user starts another.',
    answers: {
      stopPrevious: 'The running entry is stopped, whichever task it is on.',
      reject: '400.',
      allow: 'Both run.',
    },
    operations: ['createTimeEntry'],
    affects: (seen) => hasAction(seen, 'start'),
  }),
  stopEntry: choice({
    source: 'Time entries',
    notShown: 'Which running entry a stop ends.',
    answers: {
      actingThenOnly:
        "The acting user's entry on the task; if there is none, the task's only running entry; otherwise 400.",
      latest: 'The one started last on the task; 400 if none is running.',
    },
    operations: ['createTimeEntry'],
    affects: (seen) => hasAction(seen, 'stop'),
  }),
  editRunning: question({
    source: 'Time entry',
    notShown: 'The status of the response to editing a running entry.',
    schema: () => z.literal([400, 403]),
    default: 400,
    meaning: 'A validation error.',
    others: [403, 'Forbidden.'],
    operations: ['updateTimeEntry'],
    affects: (seen) => hasBreach(seen, 'edit-running'),
  }),
  recurrence: fixedQuestion({
    source: 'RepeatConfig; Task',
    notShown: 'When a repeating task is cloned and what the clone contains.',
    meaning:
      'Occurrences come strictly after the time repeat_config was set and after the last occurrence, ' +
      'in the timezone of the workspace (a fixture field, UTC by default), none after end_date and none ' +
      'while the task is deleted. If the clock jumps, the occurrences it passed are created in order, at most ' +
      `${formatCount(recurrence.ofOneTask)} per task and ${formatCount(recurrence.ofAll)} in total for each ` +
      'move of the clock; a hint reports skipped ones. The clone gets the ' +
      'title, priority, assignees, custom_data, description, time_estimate and repeat_config of the original ' +
      '(which loses its repeat_config), and the first active status of the list. on_schedule: ' +
      'due_date is the occurrence, and date_start keeps its distance from it. on_complete: both are null.',
    operations: [...taskReads, 'updateTask'],
    affects: (seen) =>
      hasField(seen, ['repeat_config'], (value) => value !== null) ||
      hasShown(seen, ['tasks'], ({ id }) => seen.isRepeating(id)),
  }),
  restoreTask: fixedQuestion({
    source: 'Task',
    notShown: 'How a deleted task is recovered.',
    meaning:
      'Not through the API. mock.restoreTask(id) and POST /__mock/tasks/{id}/restore recover it for up to and ' +
      `including ${String(recoverySeconds / 86_400)} days; after that, or if the task is not deleted, they ` +
      'respond with 404.',
    operations: ['deleteTask'],
    affects: never,
  }),
  formPublishing: fixedQuestion({
    source: 'Form publication',
    notShown: 'How a form is published or unpublished, and what a submission writes.',
    meaning:
      'Not through the API, but with mock.publishForm and mock.submitForm(id, data). A value goes to the ' +
      'column or field that its form item names; the title comes from title, else from the first text ' +
      'value. Submissions to a draft form, or with a required value missing, empty or blank, are refused.',
    operations: [...formReads, 'listFormSubmissions'],
    affects: never,
  }),
  rowAttachmentName: fixedQuestion({
    source: 'Row attachments',
    notShown: 'How a second upload with the same filename is treated, and how unusual filenames are stored.',
    meaning: 'It replaces the first. Path separators and control characters become _.',
    operations: ['uploadRowAttachment'],
  }),
  webhooks: fixedQuestion({
    source: 'Events',
    notShown: 'Payload, delivery, signing, retries and triggers of webhooks.',
    meaning: 'Nothing is sent; typed events are emitted in process.',
    operations: ['createRow', 'bulkInsertRows', 'submitInsertJob', ...taskWrites],
    affects: never,
  }),
  versioning: fixedQuestion({
    source: 'Versioning',
    notShown: 'How deprecations are announced.',
    meaning: 'No version headers are sent.',
    affects: never,
  }),
}
