// Open questions about how requests are checked and read.
import {
  choice,
  commentWrites,
  fixed,
  jsonBodies,
  listWrites,
  rowWrites,
  spaceWrites,
  taskWrites,
  uploads,
} from './question.ts'
import { operationIds } from '../scopes.ts'

export const requestQuestions = {
  checkOrder: fixed({
    source: 'Endpoints; Errors',
    notShown: 'Which refusal a request gets that deserves several.',
    meaning:
      'The first that applies of: 404 unknown path or method; a Prefer header or a fault of phase before; ' +
      '401; 402; 403 billing; 429 requestsPerMonth (every request with a valid key counts); 403 scope; ' +
      '404 ids of the path; 403 plan feature, plan count, locked table or comment of another; 429 ' +
      'bulkInsertPerMinute (every bulk request that gets here counts); 413; 400; 429 concurrentBulkJobs. ' +
      'For storage keys the wrong prefix (400) comes before the absent key (404).',
    operations: operationIds,
  }),
  generalStatuses: fixed({
    source: 'Endpoints; Errors',
    notShown: 'Whether an endpoint can answer an error status that its own list leaves out.',
    meaning:
      '400 is possible wherever there is input, 404 wherever the path has an id, and 401, 402, 403, 429, ' +
      '500 and 503 everywhere.',
    operations: operationIds,
  }),
  billingLapse: fixed({
    source: 'Authentication',
    notShown: 'What still works in a workspace whose billing lapsed.',
    meaning: 'Nothing: every operation answers 403.',
    operations: operationIds,
  }),
  unknownBodyFields: choice({
    source: 'Endpoints',
    notShown: 'What a field in a JSON body does that the contract does not name.',
    answers: {
      ignore: 'It has no effect.',
      reject: '400 naming the field.',
    },
    operations: jsonBodies,
  }),
  contentType: choice({
    source: 'Opening paragraph',
    notShown: 'Whether JSON may be sent under another content type.',
    answers: {
      lenient: 'The body is read when it is JSON, whatever the header says.',
      strict: '400 unless the header names a JSON content type.',
    },
    operations: jsonBodies,
  }),
  limitAboveMax: choice({
    source: 'Limits',
    notShown:
      'What happens to a page size above the maximum, and to page, limit, offset or since without a ' +
      'usable integer.',
    answers: {
      clamp:
        'A page size above the maximum becomes the maximum; any other unusable value becomes the default, ' +
        'and since is left out. A page or offset beyond the safe integers lies behind the last one. limit ' +
        'takes precedence over pageSize; of a repeated parameter the first counts.',
      reject:
        '400 naming the parameter. limit takes precedence over pageSize; of a repeated parameter the ' +
        'first counts.',
    },
    operations: ['listRows', 'queryRows', 'listTasks', 'listFormSubmissions'],
  }),
  columnNames: choice({
    source: 'Row; Datatables',
    notShown: 'Whether sort, select and equality filters accept column ids besides names.',
    answers: {
      names:
        'Names only, taken exactly, blanks at their ends included. page, limit, pageSize, sort and select ' +
        'never filter, even if a column is called so. Lists split at commas; only where a piece names no ' +
        'column, a name with a comma is tried.',
      namesAndIds: 'Ids work as well as names; the same five parameters never filter.',
    },
    operations: ['listRows'],
  }),
  unknownSortColumn: choice({
    source: 'Datatables',
    notShown:
      'What happens when sort, select or a query names no column, or a direction is neither asc nor desc.',
    answers: {
      reject: '400 naming what was not recognised.',
      ignore: 'That entry has no effect.',
    },
    operations: ['listRows', 'queryRows'],
  }),
  unknownFilter: choice({
    source: 'Datatables',
    notShown: 'What a query parameter does that is neither documented nor called like a column.',
    answers: {
      ignore: 'It filters nothing.',
      reject: '400 naming the parameter.',
    },
    operations: ['listRows'],
  }),
  multipart: fixed({
    source: 'Tasks; Row attachments; Task attachments',
    notShown:
      'What an upload with too many, missing or misplaced parts gets, and how large it may be in all.',
    meaning:
      'Task creation with more than ten file parts: 400. An upload of one file takes the first file part. ' +
      'A file part that is missing or plain text: 400. data may be sent as a file part. More than 128 MiB ' +
      'in all: 413.',
    operations: uploads,
  }),
  unknownReferences: fixed({
    source: 'Tasks; Comments; Time entries',
    notShown: 'What a body gets that names an unknown member, status, parent task or linked row.',
    meaning: '400 naming the field.',
    operations: [...rowWrites, ...taskWrites, 'createComment', 'createTimeEntry'],
  }),
  emptyNames: choice({
    source: 'Spaces and lists; Tasks; Comments',
    notShown: 'Whether a name, a title or a text comment may be empty or blank.',
    answers: {
      reject: '400 naming the field.',
      accept: 'It is stored as sent.',
    },
    operations: [...spaceWrites, ...listWrites, ...taskWrites, ...commentWrites],
  }),
  colors: fixed({
    source: 'Spaces and lists',
    notShown:
      'Which texts are colours, and what a space or list has that was created without colour or icon.',
    meaning:
      'A colour is #rgb or #rrggbb, anything else 400. A space starts with #6b7280 and the icon folder, a ' +
      'list with null for both.',
    operations: [...spaceWrites, ...listWrites],
  }),
  projectId: fixed({
    source: 'TaskCreate; TaskPatch',
    notShown: 'What project_id and type_id point to.',
    meaning: 'Any string is accepted and stored.',
    operations: taskWrites,
  }),
  clearing: fixed({
    source: 'TaskPatch',
    notShown: 'Which fields of a task a PATCH can set to null.',
    meaning:
      'null clears priority, due_date, date_start, description, time_estimate, project_id, ' +
      'parent_task_id, type_id and repeat_config; for title and status_id it is 400.',
    operations: ['updateTask'],
  }),
  customDataPatch: choice({
    source: 'TaskPatch',
    notShown: 'Whether custom_data in a PATCH adds to the stored values or takes their place.',
    answers: {
      merge: 'Fields that are sent change, null clears one, all others stay.',
      replace: 'Only what is sent remains.',
    },
    operations: ['updateTask'],
  }),
  unknownRowKeys: choice({
    source: 'Row',
    notShown: 'What a key in a row body does that is no column id.',
    answers: {
      reject: '400 naming the key; in a bulk request or job only that row fails.',
      ignore: 'It has no effect.',
    },
    operations: rowWrites,
  }),
  unknownCustomFields: choice({
    source: 'TaskCreate',
    notShown: 'What a key in custom_data does that is no field of the list.',
    answers: {
      reject: '400 naming the key.',
      ignore: 'It has no effect.',
    },
    operations: taskWrites,
  }),
  typeChecks: choice({
    source: 'Datatables; Column; CustomField',
    notShown: 'Which values fit which type of column or custom field.',
    answers: {
      strict:
        'text, longtext, email, phone and link take a string of any format; number, currency and slider a ' +
        'finite number; checkbox a boolean; date an integer; dropdown an option id; tags an array of ' +
        'option ids; people an array of member ids. null clears any of them.',
      dropdownLabels: 'As strict, but an option may also be given by its label, which is stored as its id.',
    },
    operations: [...rowWrites, ...taskWrites],
  }),
  attachmentWrites: choice({
    source: 'Column; Row',
    notShown: 'What a value for an attachment column in a row body does.',
    answers: {
      ignore: 'It has no effect, like a value for a read-only column.',
      reject: '400 naming the column; in a bulk request or job only that row fails.',
    },
    operations: rowWrites,
  }),
}
