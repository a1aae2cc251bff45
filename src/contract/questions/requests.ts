// Open questions about how requests are checked and read.
import { assumedLimits, filesPerTask } from '../limits.ts'
import { formatMebibytes } from '../text/format.ts'
import {
  columnsOf,
  hasBreach,
  hasField,
  hasFilters,
  hasItems,
  hasRefusal,
  isRefused,
  hasNamedColumns,
} from './seen-exchange.ts'
import {
  choice,
  commentWrites,
  fixedQuestion,
  jsonBodies,
  listWrites,
  rowWrites,
  spaceWrites,
  taskWrites,
  uploads,
} from './question.ts'

export const requestQuestions = {
  checkOrder: fixedQuestion({
    source: 'Endpoints; Errors',
    notShown: 'Which error a request gets when several apply.',
    meaning:
      'The first of these that applies: 404 unknown path or method; a Prefer header or a fault in phase before; ' +
      '401; 402; 403 billing; 429 requestsPerMonth (every request with a valid key counts); 403 scope; ' +
      "404 ids in the path; 403 plan feature, plan count, locked table or another's comment; 429 " +
      'bulkInsertPerMinute (every bulk request that reaches this check counts); 413; 400; 429 concurrentBulkJobs. ' +
      'For storage keys a wrong prefix (400) comes before an unknown key (404).',
    affects: isRefused,
  }),
  generalStatuses: fixedQuestion({
    source: 'Endpoints; Errors',
    notShown: 'Whether an endpoint can respond with an error status that is not in its own list.',
    meaning:
      '400 is possible wherever there is input, 404 wherever the path has an id, and 401, 402, 403, 429, ' +
      '500 and 503 everywhere.',
    affects: (seen) => isRefused(seen) && !seen.isListed,
  }),
  billingLapse: fixedQuestion({
    source: 'Authentication',
    notShown: 'What still works in a workspace whose billing lapsed.',
    meaning: 'Nothing: every operation responds with 403.',
    affects: (seen) => hasRefusal(seen, 'billing'),
  }),
  unknownBodyFields: choice({
    source: 'Endpoints',
    notShown: 'How an unknown field of a JSON body is treated.',
    answers: {
      ignore: 'It has no effect.',
      reject: '400 naming the field.',
    },
    operations: jsonBodies,
    affects: (seen) => hasBreach(seen, 'unknown-field'),
  }),
  contentType: choice({
    source: 'Opening paragraph',
    notShown: 'Whether JSON can be sent with another content type.',
    answers: {
      lenient: 'The body is read if it is JSON, whatever the header says.',
      strict: '400 unless the header names a JSON content type.',
    },
    operations: jsonBodies,
    affects: (seen) => hasBreach(seen, 'content-type'),
  }),
  limitAboveMax: choice({
    source: 'Limits',
    notShown:
      'How a page size above the maximum is treated, or a page, limit, offset or since that is not a ' +
      'usable integer.',
    answers: {
      clamp:
        'A page size above the maximum becomes the maximum; any other unusable value becomes the default, ' +
        'and an unusable since is ignored. A page or offset too large to be a safe integer is past the end of ' +
        'the listing. limit takes precedence over pageSize; if a parameter is repeated, its first value counts.',
      reject:
        '400 naming the parameter. limit takes precedence over pageSize; if a parameter is repeated, its ' +
        'first value counts.',
    },
    operations: ['listRows', 'queryRows', 'listTasks', 'listFormSubmissions'],
    affects: ({ hasWrongPaging }) => hasWrongPaging,
  }),
  columnNames: choice({
    source: 'Row; Datatables',
    notShown: 'Whether sort, select and equality filters accept column ids as well as names.',
    answers: {
      names:
        'Names only, matched exactly, including leading and trailing blanks. page, limit, pageSize, sort and ' +
        'select never filter, even if a column has that name. Lists are split at commas; a column name ' +
        'that contains a comma is tried only if one of its parts is not itself a column name.',
      namesAndIds: 'Ids work as well as names; the same five parameters never filter.',
    },
    operations: ['listRows'],
    affects: (seen) => hasFilters(seen) || hasNamedColumns(seen, 'sort', 'select'),
  }),
  unknownSortColumn: choice({
    source: 'Datatables',
    notShown:
      'How an unknown column in sort, select or a query, or a direction other than asc and desc, is treated.',
    answers: {
      reject: '400 naming what was not recognised.',
      ignore: 'That entry has no effect.',
    },
    operations: ['listRows', 'queryRows'],
    affects: (seen, answer) =>
      (answer === 'ignore' ? seen.isDone : hasRefusal(seen, 'validation')) &&
      (hasNamedColumns(seen, 'sort', 'select') || (seen.operation === 'queryRows' && hasFilters(seen))),
  }),
  unknownFilter: choice({
    source: 'Datatables',
    notShown: 'How a query parameter is treated if it is neither documented nor the name of a column.',
    answers: {
      ignore: 'It has no effect.',
      reject: '400 naming the parameter.',
    },
    operations: ['listRows'],
    affects: (seen) => hasBreach(seen, 'unknown-parameter'),
  }),
  multipart: fixedQuestion({
    source: 'Tasks; Row attachments; Task attachments',
    notShown:
      'How an upload with too many, missing or misplaced parts is treated, and how large it can be in total.',
    meaning:
      `Creating a task with more than ${String(filesPerTask)} file parts gets 400. A single-file upload uses ` +
      'the first file part. A file part that is missing or plain text gets 400. data can be sent as a file ' +
      `part. More than ${formatMebibytes(assumedLimits.multipart.bytes)} in total gets 413.`,
    operations: uploads,
    affects: ({ isMultipart }) => isMultipart,
  }),
  unknownReferences: fixedQuestion({
    source: 'Tasks; Comments; Time entries',
    notShown: 'How a body that names an unknown member, status, parent task or linked row is treated.',
    meaning: '400 naming the field.',
    operations: [...rowWrites, ...taskWrites, 'createComment', 'createTimeEntry'],
    affects: (seen) => hasRefusal(seen, 'validation'),
  }),
  emptyNames: choice({
    source: 'Spaces and lists; Tasks; Comments',
    notShown: 'Whether a name, a title or a text comment can be empty or blank.',
    answers: {
      reject: '400 naming the field.',
      accept: 'It is stored as sent.',
    },
    operations: [...spaceWrites, ...listWrites, ...taskWrites, ...commentWrites],
    affects: (seen) =>
      hasField(seen, ['name', 'title', 'content'], (text) => typeof text === 'string' && text.trim() === ''),
  }),
  colors: fixedQuestion({
    source: 'Spaces and lists',
    notShown: 'Which colours are valid, and the defaults of the colour and icon of a new space or list.',
    meaning:
      'A colour is #rgb or #rrggbb; anything else gets 400. A space starts with #6b7280 and the icon folder, a ' +
      'list with null for both.',
    operations: [...spaceWrites, ...listWrites],
    affects: (seen) =>
      ['createSpace', 'createList'].includes(seen.operation) || hasField(seen, ['color', 'icon']),
  }),
  projectId: fixedQuestion({
    source: 'TaskCreate; TaskPatch',
    notShown: 'What project_id and type_id refer to.',
    meaning: 'Any string is accepted and stored.',
    operations: taskWrites,
    affects: (seen) => hasField(seen, ['project_id', 'type_id']),
  }),
  clearing: fixedQuestion({
    source: 'TaskPatch',
    notShown: 'Which fields of a task a PATCH can set to null.',
    meaning:
      'null clears any field except title, status_id, custom_data and assignees, for which it gets 400.',
    operations: ['updateTask'],
    affects: ({ sent }) => sent === undefined || Object.values(sent).includes(null),
  }),
  customDataPatch: choice({
    source: 'TaskPatch',
    notShown: 'Whether custom_data in a PATCH is merged into the stored values or replaces them.',
    answers: {
      merge: 'Fields that are sent change, null clears a field, and all others keep their values.',
      replace: 'Only what is sent remains.',
    },
    operations: ['updateTask'],
    affects: (seen) => hasField(seen, ['custom_data']),
  }),
  unknownRowKeys: choice({
    source: 'Row',
    notShown: 'How a key in a row body is treated if it is not a column id.',
    answers: {
      reject: '400 naming the key; in a bulk request or job only that row fails.',
      ignore: 'It has no effect.',
    },
    operations: rowWrites,
    affects: (seen) => hasBreach(seen, 'row-key-name', 'unknown-key'),
  }),
  unknownCustomFields: choice({
    source: 'TaskCreate',
    notShown: 'How a key in custom_data is treated if it is not a field of the list.',
    answers: {
      reject: '400 naming the key.',
      ignore: 'It has no effect.',
    },
    operations: taskWrites,
    affects: (seen) => hasBreach(seen, 'row-key-name', 'unknown-key'),
  }),
  typeChecks: choice({
    source: 'Datatables; Column; CustomField',
    notShown: 'Which values fit which type of column or custom field.',
    answers: {
      strict:
        'text, longtext, email, phone and link take a string of any format; number, currency and slider a ' +
        'finite number; checkbox a boolean; date an integer; dropdown an option id; tags an array of ' +
        'option ids; people an array of member ids. null clears any of them.',
      dropdownLabels: 'As strict, but an option can also be given by its label, which is stored as its id.',
    },
    operations: [...rowWrites, ...taskWrites],
    affects: (seen) =>
      hasField(seen, ['data', 'custom_data'], hasItems) ||
      hasField(seen, ['rows'], (rows) => Array.isArray(rows) && rows.some(hasItems)),
  }),
  attachmentWrites: choice({
    source: 'Column; Row',
    notShown: 'How a value for an attachment column in a row body is treated.',
    answers: {
      ignore: 'It has no effect, like a value for a read-only column.',
      reject: '400 naming the column; in a bulk request or job only that row fails.',
    },
    operations: rowWrites,
    affects: (seen) => {
      const ids = columnsOf(seen, 'attachment')
      return seen.breaches.some(({ subject }) => ids.includes(subject))
    },
  }),
}
