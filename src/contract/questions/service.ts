// Open questions about how the service behaves.
import { pollMs } from '../limits.ts'
import * as z from 'zod/mini'
import {
  belowSpaces,
  choice,
  fixed,
  formReads,
  jobOperations,
  question,
  rowResponses,
  rowWrites,
  taskReads,
  taskWrites,
} from './question.ts'
import { operationIds } from '../scopes.ts'

function Transitions() {
  const types = z.optional(z.array(z.enum(['active', 'done', 'archived'])))
  return z.union([z.literal('any'), z.strictObject({ active: types, done: types, archived: types })])
}

export const serviceQuestions = {
  filterValues: fixed({
    source: 'Datatables',
    notShown: 'How the text of an equality filter is compared with the value of a typed column.',
    meaning:
      'Number-like columns compare as numbers, checkbox with true or false, dropdown and tags by option ' +
      'id or label, people by member id or name, everything else as text. tags, people and datatable ' +
      'columns match when one of their values does, in query operators too.',
    operations: ['listRows', 'queryRows'],
  }),
  queryText: choice({
    source: 'Datatables; Tasks',
    notShown: 'Whether upper and lower case differ in comparisons.',
    answers: {
      insensitive:
        'They are alike for contains, not_contains, starts_with, ends_with and the task search q, and ' +
        'differ for eq, neq, in, not_in and equality filters.',
      sensitive: 'They differ everywhere.',
    },
    operations: ['listRows', 'queryRows', 'listTasks'],
  }),
  emptyValues: fixed({
    source: 'Datatables',
    notShown: 'Which values count as empty, and how values are ordered.',
    meaning:
      'Empty are null, a missing value, "" and []. They sort last in either direction and satisfy only ' +
      'neq, not_contains, not_in, is_empty and is_false. Numbers sort by value, autonumbers by their ' +
      'number (comparisons of order take the text or the number; equality and text operators the text), ' +
      'text by its lower-cased code units, dropdown, tags and people by label or name; equals stay in ' +
      'insertion order.',
    operations: ['listRows', 'queryRows'],
  }),
  listOrder: fixed({
    source: 'Endpoints',
    notShown: 'The order of listings.',
    meaning: 'Order of creation; submissions by created_at, then by id.',
    operations: operationIds.filter((id) => id.startsWith('list') || id === 'queryRows'),
  }),
  upsertMatch: fixed({
    source: 'Datatables',
    notShown: 'Other values of mode, faulty key columns, and several or no rows for one key.',
    meaning:
      'No mode or insert inserts, upsert upserts, anything else is 400, as is a key_column that is ' +
      'missing or unknown. The key column may be read-only. A row whose key is missing or null is ' +
      'inserted. Of several matches the first inserted is updated; if two submitted rows share a key, the ' +
      'second updates the result of the first.',
    operations: ['bulkInsertRows'],
  }),
  jobTransitions: choice({
    source: 'Job status',
    notShown: 'Which state of a job follows which.',
    answers: {
      failedWhenNothingIn:
        'queued, processing, then done; failed instead of done only if every chunk errored and no row ' +
        'went in.',
      failedOnAnyChunk: 'queued, processing, then done; failed instead of done if any chunk errored.',
    },
    operations: jobOperations,
  }),
  jobTimeline: question({
    source: 'Job status',
    notShown: 'How long a job stays in each state, and how its progress moves.',
    schema: () =>
      z.strictObject({
        queuedMs: z.int().check(z.gte(1)),
        chunkRows: z.int().check(z.gte(1)),
        chunkMs: z.int().check(z.gte(pollMs)),
      }),
    default: { queuedMs: 500, chunkRows: 1000, chunkMs: 500 },
    meaning:
      'Processing starts after queuedMs. The n-th chunk of chunkRows rows is checked and goes in at ' +
      'queuedMs + n * chunkMs, and the job ends with the last. progress is rows handled / total; ' +
      'updated_at is the latest of these moments.',
    others: [
      'whole numbers: queuedMs and chunkRows at least 1, chunkMs at least 500',
      'The same with other lengths; what is left out stays as it is. Progress never moves more often than ' +
        'every 500 ms, hence the bound on chunkMs.',
    ],
    operations: jobOperations,
  }),
  jobChunkErrors: choice({
    source: 'Job',
    notShown: 'What a bad row does to the other rows of its chunk, and how error_message is worded.',
    answers: {
      keepValid:
        'The chunk counts as errored, its good rows go in. Its message is "chunk N: row I: REASON" for ' +
        'its first bad row, N from 1, I from 0 in the whole submission; up to three messages are joined ' +
        'by "; ".',
      rejectChunk: 'The chunk counts as errored and none of its rows goes in; messages as for keepValid.',
    },
    operations: ['getJob'],
  }),
  lockedTable: choice({
    source: 'Jobs',
    notShown: 'Which writes a locked table refuses besides jobs.',
    answers: {
      bulk: 'Jobs and bulk requests get 403.',
      jobs: 'Only jobs get 403.',
      writes: 'Everything that changes rows gets 403.',
    },
    operations: [...rowWrites, 'deleteRow', 'uploadRowAttachment', 'deleteRowAttachment'],
  }),
  statusTransitions: question({
    source: 'Task',
    notShown: 'From which status a task may move to which.',
    schema: Transitions,
    default: 'any',
    meaning: 'From every status of its list to every other.',
    others: [
      'a map from active, done, archived to an array of these',
      'A change needs the type of the new status in the array of the type of the old one, else 400. A ' +
        'type that the map leaves out allows no change. The whole map is replaced, not merged.',
    ],
    operations: ['updateTask'],
  }),
  defaultStatuses: fixed({
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
      hidden: '404, for all that belongs to them too.',
      visible: 'They are reached like others and only left out of listings.',
    },
    operations: belowSpaces,
  }),
  taskStatusFilter: choice({
    source: 'Tasks',
    notShown: 'What the status parameter of the task listing is compared with.',
    answers: {
      idOrName: 'With the id and the name of the status.',
      idNameOrType: 'With its id, its name and its type.',
    },
    operations: ['listTasks'],
  }),
  formulaLanguage: fixed({
    source: 'Column',
    notShown: 'The language of formula expressions.',
    meaning:
      'Columns by name, in braces as {Unit price}, or bare if the name is an identifier; + - * / %, == != ' +
      '< <= > >=, && || !, ?:, parentheses, string and number literals. A dropdown stands for its label; ' +
      '+ joins when a side is text. A missing operand or an error gives null, and so do a joined text of ' +
      'more than 10,000 characters, and more than 256 levels of parentheses and operators or of formulas ' +
      'that build on formulas.',
    operations: rowResponses,
  }),
  manualEntry: fixed({
    source: 'Time entries',
    notShown: 'Which fields a manual entry must have, and what holds when duration and dates disagree.',
    meaning:
      'duration or both dates, else 400. Without duration it is the difference of the dates. Without ' +
      'dates the entry ends now and starts duration earlier. If all three are sent they are kept. On ' +
      'PATCH, changed dates set duration anew unless it is sent too; duration alone moves date_end.',
    operations: ['createTimeEntry', 'updateTimeEntry'],
  }),
  runningDuration: choice({
    source: 'TimeEntry',
    notShown: 'What duration a running entry shows.',
    answers: {
      zero: '0 until it is stopped; total_seconds leaves it out.',
      elapsed: 'The seconds since its start; total_seconds includes them.',
    },
    operations: ['listTimeEntries', 'createTimeEntry'],
  }),
  startEntry: choice({
    source: 'Time entry',
    notShown: 'What a start does while a timer of the same user is running.',
    answers: {
      stopPrevious: 'The running entry is stopped, whichever task it is on.',
      reject: '400.',
      allow: 'Both run.',
    },
    operations: ['createTimeEntry'],
  }),
  stopEntry: choice({
    source: 'Time entries',
    notShown: 'Which running entry a stop ends.',
    answers: {
      actingThenOnly:
        'That of the acting user on the task; without one, the entry on the task if just one is running; ' +
        'otherwise 400.',
      latest: 'The one started last on the task; 400 if none is running.',
    },
    operations: ['createTimeEntry'],
  }),
  editRunning: question({
    source: 'Time entry',
    notShown: 'Which status the attempt to edit a running entry gets.',
    schema: () => z.literal([400, 403]),
    default: 400,
    meaning: 'It is a validation error.',
    others: [403, 'It is a refusal.'],
    operations: ['updateTimeEntry'],
  }),
  recurrence: fixed({
    source: 'RepeatConfig; Task',
    notShown: 'When a repeating task is cloned and what the clone has.',
    meaning:
      'Occurrences come strictly after the later of the setting of repeat_config and the last occurrence, ' +
      'in the timezone of the workspace (a fixture field, UTC unless given), none past end_date, none ' +
      'while the task is deleted. If the clock jumps, all that were passed are made in order, at most ' +
      '1,000 a task. The clone has title, priority, assignees, custom_data, description, time_estimate, ' +
      'the repeat_config (which the original loses) and the first active status of the list. on_schedule: ' +
      'due_date is the occurrence, date_start keeps its distance. on_complete: both are null.',
    operations: [...taskReads, 'updateTask'],
  }),
  restoreTask: fixed({
    source: 'Task',
    notShown: 'How a deleted task is recovered.',
    meaning:
      'Not over the API. mock.restoreTask(id) and POST /__mock/tasks/{id}/restore do it up to and ' +
      'including 30 days; after that, or if the task is not deleted, they answer 404.',
    operations: ['deleteTask'],
  }),
  formPublishing: fixed({
    source: 'Form publication',
    notShown: 'How a form is published or withdrawn, and what a submission writes.',
    meaning:
      'Not over the API, but by mock.publishForm and mock.submitForm(id, data). An answer goes to the ' +
      'column or field whose id its item has; the title comes from title, else from the first text ' +
      'answer. A draft form or a missing required answer is refused.',
    operations: [...formReads, 'listFormSubmissions'],
  }),
  rowAttachmentName: fixed({
    source: 'Row attachments',
    notShown: 'What a second upload of one filename does, and how odd filenames are stored.',
    meaning: 'It replaces the first. Path separators and control characters become _.',
    operations: ['uploadRowAttachment'],
  }),
  webhooks: fixed({
    source: 'Events',
    notShown: 'Payload, delivery, signing and retries of webhooks, and the triggers there are.',
    meaning: 'Nothing is sent; typed events are fired in process.',
    operations: ['createRow', 'bulkInsertRows', 'submitInsertJob', ...taskWrites],
  }),
  versioning: fixed({
    source: 'Versioning',
    notShown: 'How a deprecation would be announced.',
    meaning: 'No header about versions is sent.',
    operations: operationIds,
  }),
}
