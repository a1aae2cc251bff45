// Open questions about the shapes of bodies.
import { assumedLimits } from '../limits.ts'
import { formatCount } from '../text/format.ts'
import * as z from 'zod/mini'
import { isUnset } from '../data/objects.ts'
import { limitOfKind } from '../errors.ts'
import {
  hasField,
  hasItems,
  hasRefusal,
  hasShown,
  hasShownColumn,
  hasShownCustomField,
  hasShownRow,
  type SeenExchange,
} from './seen-exchange.ts'
import {
  choice,
  fixedQuestion,
  formReads,
  question,
  rowResponses,
  taskReads,
  taskWrites,
} from './question.ts'
import { operationIds } from '../scopes.ts'
import { valueTypes } from '../column-types.ts'

const TaskPriority = () =>
  z
    .strictObject({ none: z.int(), low: z.int(), normal: z.int(), high: z.int(), urgent: z.int() })
    .check(({ value, issues }) => {
      const names = Object.keys(value) as (keyof typeof value)[]
      for (const [index, name] of names.entries()) {
        const other = names.slice(index + 1).find((later) => value[later] === value[name])
        if (other === undefined) continue
        const message = `${name} and ${other} are both ${String(value[name])}`
        issues.push({ code: 'custom', input: value, path: [], message })
        return
      }
    })

/** Whether some rows of a bulk request were not written. */
function hasFailedRows(seen: SeenExchange): boolean {
  const { rows } = seen.sent ?? {}
  if (hasRefusal(seen, 'validation')) return Array.isArray(rows ?? [])
  const { count, inserted, updated } = seen.response ?? {}
  const written = typeof count === 'number' ? count : Number(inserted) + Number(updated)
  return seen.status === 200 && !(Array.isArray(rows) && rows.length === written)
}

export const shapeQuestions = {
  rowShape: choice({
    source: 'Row',
    notShown: 'Whether column values are next to id and version in a row body or inside data.',
    answers: {
      data: 'Every row is {id, version, data}; the values are in data, keyed by column id.',
      flat: 'Every row has its values next to id and version, keyed by column id; there is no data.',
      flatInLists: 'Row listings and query results are flat; a single row has data.',
    },
    operations: rowResponses,
    affects: (seen) => hasShownRow(seen),
  }),
  emptyColumns: choice({
    source: 'Row',
    notShown: 'Whether a column without a value appears in a row.',
    answers: {
      null: 'Every column is present: tags, people, datatable and attachment columns as [], others as null.',
      absent: 'A column without a value is left out of the row.',
    },
    operations: rowResponses,
    affects: (seen, answer) =>
      hasShownRow(seen, (values) => answer === 'absent' || Object.values(values).some(isUnset)),
  }),
  rowVersion: fixedQuestion({
    source: 'Row',
    notShown: 'When the version of a row changes.',
    meaning:
      'A new row has version 1. Each successful PATCH (even one that changes nothing), each update by an ' +
      'upsert and each upload or removal of an attachment adds 1.',
    operations: [...rowResponses, 'bulkInsertRows', 'deleteRowAttachment'],
    affects: (seen) => hasShownRow(seen),
  }),
  relationValues: fixedQuestion({
    source: 'Column; CustomField',
    notShown: 'The form of values in a datatable column and in a datatable link field.',
    meaning:
      'A datatable column holds an array of row ids. A link field holds one row id or null in mode ' +
      'select, and an array of row ids in mode items; the rows must belong to the table in its table_id.',
    operations: [...rowResponses, ...taskReads, ...taskWrites],
    affects: (seen) => hasShownColumn(seen, 'datatable') || hasShownCustomField(seen, 'datatable'),
  }),
  taskPriority: question({
    source: 'Task (as read)',
    notShown: 'Which integer stands for which priority when a task is read.',
    schema: TaskPriority,
    default: { none: 0, low: 1, normal: 2, high: 3, urgent: 4 },
    meaning: 'Priorities count up from 0; none stands for a task whose priority is null.',
    others: [
      'five distinct integers, for none, low, normal, high and urgent',
      'Reads show these integers; a priority left out keeps its integer. Writes take names regardless.',
    ],
    operations: taskReads,
    affects: (seen) => hasShown(seen, ['tasks']),
  }),
  taskReadExtras: question({
    source: 'Task (as read)',
    notShown:
      'Whether a response also shows the task fields that can be written but are not documented for reading.',
    schema: () => z.boolean(),
    default: false,
    meaning: "A response shows only a task's documented fields.",
    others: [true, 'It also shows list_id and every other field that a body can set.'],
    operations: taskReads,
    affects: (seen) => hasShown(seen, ['tasks']),
  }),
  customFieldTypes: question({
    source: 'CustomField',
    notShown: 'Which types a custom field can have.',
    schema: () => z.array(z.string().check(z.minLength(1))),
    default: [...valueTypes, 'formula', 'datatable'],
    meaning:
      'The column types that make sense on a task. formula is read-only; only datatable, the link field, ' +
      'has mode and table_id.',
    others: ['an array of type names, none of them empty', 'Custom fields have one of these types.'],
    operations: ['getListSchema', ...taskWrites],
    affects: (seen) =>
      (seen.operation === 'getListSchema' && hasShown(seen, ['fields'])) ||
      hasField(seen, ['custom_data'], hasItems),
  }),
  customFieldOptions: choice({
    source: 'CustomField',
    notShown: 'The form of the options of a custom field.',
    answers: {
      full: 'An option is {id, label, color}, as in a dropdown column.',
      label: 'An option is {label}.',
    },
    operations: ['getListSchema'],
    affects: (seen) => hasShown(seen, ['fields'], ({ options }) => options !== undefined),
  }),
  timeEntryUsers: choice({
    source: 'TimeEntry',
    notShown: 'The form of users in the time entry listing.',
    answers: {
      totals: 'One {id, name, total_seconds} for each user with entries on the task, ordered by first entry.',
      names: 'Like totals, but without total_seconds.',
    },
    operations: ['listTimeEntries'],
    affects: (seen) => hasShown(seen, ['users']),
  }),
  formTargetType: choice({
    source: 'Form',
    notShown:
      'Whether target_type is datatable or datatable_row in a form that creates rows; the contract uses both.',
    answers: {
      datatable: 'target_type is task or datatable.',
      datatable_row: 'target_type is task or datatable_row.',
    },
    operations: formReads,
    affects: (seen) => hasShown(seen, ['forms', 'form'], (form) => form.target_type !== 'task'),
  }),
  formStructure: fixedQuestion({
    source: 'Form',
    notShown:
      'What field_config, rules and settings contain beyond the sample, and whether a listed form is complete.',
    meaning:
      'An item of field_config is {id, label, type, required, options?}; rules is [] and settings {}. A ' +
      'fixture can put any JSON there, which is returned unchanged. Listed forms are as complete as ' +
      'single ones.',
    operations: formReads,
    affects: (seen) => hasShown(seen, ['forms', 'form']),
  }),
  queryBody: fixedQuestion({
    source: 'Datatables',
    notShown: 'The request and response body of the row query.',
    meaning:
      'Body: {filters?: [{column, operator, value?}], match?: "all" or "any" (all unless given), sort?: ' +
      '[{column, direction?}], select?: [column], page?, limit?}. A column is named by id or name. ' +
      'between takes [low, high], both included; in and not_in take an array; the is_ operators take no ' +
      'value. The response is that of the row listing, {rows, total, page, pageSize}, under the same rules ' +
      `for page and limit. More than ${formatCount(assumedLimits.queryBody.entries)} filters, sorts or ` +
      'selected columns get 400; repeats count once.',
    operations: ['queryRows'],
    affects: (seen) => seen.isDone || hasRefusal(seen, 'validation'),
  }),
  bulkErrors: choice({
    source: 'Datatables',
    notShown: 'How the response to a bulk request reports failed rows.',
    answers: {
      indexed:
        'If a row failed, the responses to an insert and an upsert have errors: [{index, error}], where index ' +
        'counts the submitted rows from 0. The response to an insert has no errorCount.',
      numbered: 'As indexed, but the entries are {row, message}, and row counts from 1.',
      omit: 'Failed rows are not listed.',
    },
    operations: ['bulkInsertRows'],
    affects: hasFailedRows,
  }),
  bulkAllFailed: question({
    source: 'Datatables; Errors',
    notShown: 'What the response to a bulk request is when none of its rows is inserted, or rows is empty.',
    schema: () => z.literal([400, 200]),
    default: 400,
    meaning: '400 with error, and with the failed rows in the form that bulkErrors sets.',
    others: [200, '200 with counts of 0, and with the failed rows in the form that bulkErrors sets.'],
    operations: ['bulkInsertRows'],
    affects: (seen) => hasFailedRows(seen) && (hasRefusal(seen, 'validation') || seen.response?.count === 0),
  }),
  bulkTotal: choice({
    source: 'Datatables',
    notShown: 'What total counts in the response to a bulk request, and when success is true.',
    answers: {
      submitted: 'total is the number of rows in the request. success is true in every 200.',
      table: 'total is the number of rows the table has afterwards. success is true in every 200.',
    },
    operations: ['bulkInsertRows'],
  }),
  limitFacts: fixedQuestion({
    source: 'Errors; Limits',
    notShown: 'Which errors have limitReached, resource, limit and current, and with what values.',
    meaning:
      'Each 413 and 429 that a limit causes, and the 403 for too many spaces or lists: limitReached is true, ' +
      'resource the name of the limit, limit its value, and current what is in use or requested, including ' +
      'this request if it counts. On a plan without async bulk, the 403 has resource bulkRowsPerJob, limit 0 ' +
      'and current 0. Errors for a locked table, a missing scope, lapsed billing, a plan without the API, or a body over ' +
      'bodyBytes have none of these.',
    affects: ({ refusal }) => refusal !== null && limitOfKind(refusal) !== undefined,
  }),
  retryAfter: fixedQuestion({
    source: 'Errors; Limits',
    notShown: 'The unit and value of Retry-After and X-RateLimit-Limit.',
    meaning:
      'Every 429 has both. Retry-After is the number of whole seconds, at least 1, until the window ends or ' +
      'the first running job finishes; X-RateLimit-Limit is the limit.',
    affects: ({ status }) => status === 429,
  }),
  mutationBody: choice({
    source: 'Endpoints',
    notShown:
      'The bodies of responses to PATCH and DELETE for which the contract names no content, including ' +
      'those of spaces and lists.',
    answers: {
      success: 'The body is {"success": true}.',
      resource: 'PATCH responds with the changed resource, DELETE with {"success": true}.',
      empty: 'The body is {}.',
    },
    operations: operationIds.filter((id) => /^(?:update|delete)/.test(id) && id !== 'updateRow'),
  }),
}
