// Whether a response depended on the answer to an open question, as far as request and response show it.
import { textOperators } from '../contract/rows.ts'
import { limitOfKind } from '../contract/errors.ts'
import { operations } from '../contract/index.ts'
import type { OperationSpec } from '../contract/operation.ts'
import type { QuestionId } from '../contract/questions/register.ts'
import { isObject, isUnset } from '../contract/data/objects.ts'
import {
  asks,
  both,
  either,
  hasItems,
  isDone,
  isInvalid,
  isRefused,
  never,
  breached,
  of,
  refusedAs,
  sends,
  shows,
  type Depends,
  type Seen,
} from './conditions.ts'
import { idOf, type Json } from './request.ts'
import { isMultipart } from '../core/request/multipart.ts'
import { wrongPaging } from './fields.ts'
import { unusableSince } from './submissions.ts'

/** Values of a row: under `data`, or next to its id. */
const valuesOf = (row: Json): Json => (isObject(row.data) ? row.data : row)
const showsRow = (holds?: (row: Json) => boolean) => shows(['rows', 'row'], holds)

/** Columns of the request's table that are of a type. */
function columnsOf({ exchange, store }: Seen, type: string): string[] {
  const columns = store.tables.get(idOf(exchange, 'tableId'))?.columns ?? []
  return columns.filter((column) => column.type === type).map(({ id }) => id)
}
const showsColumn =
  (type: string): Depends =>
  (seen) => {
    const ids = columnsOf(seen, type)
    return ids.length > 0 && showsRow((row) => ids.some((id) => !isUnset(valuesOf(row)[id])))(seen)
  }

const fieldsOf = ({ store }: Seen, type: string) =>
  store.lists.all().flatMap(({ fields }) => fields.filter((field) => field.type === type))
const showsField =
  (type: string): Depends =>
  (seen) => {
    const ids = fieldsOf(seen, type).map(({ id }) => id)
    const holds = ({ custom_data: values }: Json) =>
      isObject(values) && ids.some((id) => !isUnset(values[id]))
    return ids.length > 0 && shows(['tasks'], holds)(seen)
  }

const isKeyScoped: Depends = ({ exchange }) => exchange.principal?.key.kind === 'scoped'

const pagingNames = ['page', 'limit', 'pageSize', 'sort', 'select']
const filters: Depends = ({ exchange, query, sent }) =>
  exchange.operation === 'queryRows'
    ? sent === undefined || hasItems(sent.filters)
    : [...query.keys()].some((name) => !pagingNames.includes(name))
const sorts = either(asks('sort'), both(of('queryRows'), sends(['sort'], hasItems)))
const selects = either(asks('select'), both(of('queryRows'), sends(['select'], hasItems)))
const namesColumns = either(filters, sorts, selects)

const readsText: ReadonlySet<unknown> = new Set(textOperators)
const filtersText: Depends = ({ sent }) => {
  const asked = sent?.filters
  return (
    sent === undefined ||
    (Array.isArray(asked) && asked.some((filter) => isObject(filter) && readsText.has(filter.operator)))
  )
}

/** Whether rows of a bulk request were not written. */
const failedRows: Depends = ({ sent, response, exchange }) => {
  if (exchange.refusal === 'validation') return Array.isArray(sent?.rows ?? [])
  const rows = sent?.rows
  const { count, inserted, updated } = response ?? {}
  const written = typeof count === 'number' ? count : Number(inserted) + Number(updated)
  return exchange.status === 200 && !(Array.isArray(rows) && rows.length === written)
}

const writesValues = either(
  sends(['data', 'custom_data'], hasItems),
  sends(['rows'], (rows) => Array.isArray(rows) && rows.some(hasItems)),
)
const acts = (...actions: string[]) =>
  sends(['action'], (action) => actions.some((known) => known === action))
const isBlank = (value: unknown) => typeof value === 'string' && value.trim() === ''

/** Questions that are not listed affect every request that is carried out. */
const dependence: Partial<Record<QuestionId, Depends>> = {
  rowShape: showsRow(),
  emptyColumns: (seen) => {
    const leavesOut = seen.store.answers.emptyColumns === 'absent'
    return showsRow((row) => leavesOut || Object.values(valuesOf(row)).some(isUnset))(seen)
  },
  rowVersion: showsRow(),
  relationValues: either(showsColumn('datatable'), showsField('datatable')),
  taskPriority: shows(['tasks']),
  taskReadExtras: shows(['tasks']),
  customFieldTypes: either(both(of('getListSchema'), shows(['fields'])), sends(['custom_data'], hasItems)),
  customFieldOptions: shows(['fields'], ({ options }) => options !== undefined),
  timeEntryUsers: shows(['users']),
  formTargetType: shows(['forms', 'form'], (form) => form.target_type !== 'task'),
  formStructure: shows(['forms', 'form']),
  queryBody: either(isDone, isInvalid),
  bulkErrors: failedRows,
  bulkAllFailed: both(
    failedRows,
    either(isInvalid, ({ response }) => response?.count === 0),
  ),
  limitFacts: ({ exchange: { refusal } }) => refusal !== null && limitOfKind(refusal) !== undefined,
  retryAfter: ({ exchange }) => exchange.status === 429,
  checkOrder: isRefused,
  generalStatuses: ({ exchange: { operation, status } }) => {
    const documented: OperationSpec['documentedErrors'] = operation
      ? operations[operation].documentedErrors
      : []
    return status >= 400 && !documented.some((error) => error === status)
  },
  billingLapse: refusedAs('billing'),
  unknownBodyFields: breached('unknown-field'),
  contentType: breached('content-type'),
  limitAboveMax: ({ exchange, sent }) =>
    wrongPaging(exchange, sent).length > 0 ||
    (exchange.operation === 'listFormSubmissions' && unusableSince(exchange.queryText) !== undefined),
  columnNames: namesColumns,
  unknownSortColumn: both(either(sorts, selects, both(of('queryRows'), filters)), (seen) =>
    seen.store.answers.unknownSortColumn === 'ignore' ? seen.isDone : isInvalid(seen),
  ),
  unknownFilter: breached('unknown-parameter'),
  multipart: ({ exchange }) => isMultipart(exchange.contentType),
  unknownReferences: isInvalid,
  emptyNames: sends(['name', 'title', 'content'], isBlank),
  colors: either(of('createSpace', 'createList'), sends(['color', 'icon'])),
  projectId: sends(['project_id', 'type_id']),
  clearing: ({ sent }) => sent === undefined || Object.values(sent).includes(null),
  customDataPatch: sends(['custom_data']),
  unknownRowKeys: breached('row-key-name', 'unknown-key'),
  unknownCustomFields: breached('row-key-name', 'unknown-key'),
  typeChecks: writesValues,
  attachmentWrites: (seen) => {
    const ids = columnsOf(seen, 'attachment')
    return seen.exchange.observations.some(({ subject }) => ids.includes(subject))
  },
  filterValues: filters,
  queryText: either(asks('q'), both(of('queryRows'), filtersText)),
  emptyValues: either(filters, sorts),
  listOrder: ({ response, isDone: done }) =>
    done && Object.values(response ?? {}).some((value) => Array.isArray(value) && value.length > 1),
  upsertMatch: sends(['mode']),
  jobTransitions: both(of('getJob'), isDone),
  jobTimeline: both(of('getJob'), isDone),
  jobChunkErrors: shows([], ({ metadata }) => isObject(metadata) && metadata.errors !== 0),
  lockedTable: ({ exchange, store }) =>
    exchange.refusal === 'lockedTable' || store.tables.get(idOf(exchange, 'tableId'))?.locked === true,
  statusTransitions: sends(['status_id']),
  privateById: ({ exchange, store, isDone: done }) =>
    store.answers.privateById === 'visible' ? done : exchange.refusal === 'notFound',
  taskStatusFilter: asks('status'),
  formulaLanguage: showsColumn('formula'),
  manualEntry: either(
    acts('manual'),
    both(of('updateTimeEntry'), sends(['duration', 'date_start', 'date_end'])),
  ),
  runningDuration: either(
    acts('start'),
    shows(['entries'], (entry) => entry.is_running === 1),
  ),
  startEntry: acts('start'),
  stopEntry: acts('stop'),
  editRunning: breached('edit-running'),
  recurrence: either(
    sends(['repeat_config'], (value) => value !== null),
    (seen) =>
      shows(
        ['tasks'],
        ({ id }) => typeof id === 'string' && Boolean(seen.store.tasks.get(id)?.repeat_config),
      )(seen),
  ),
  restoreTask: never,
  formPublishing: never,
  webhooks: never,
  versioning: never,
  keyPrefix: never,
  scopes: either(isRefused, isKeyScoped),
  actingMember: ({ isDone: done, sent = {} }) => done && !('as_user' in sent) && !('comment_as' in sent),
  ownComment: isKeyScoped,
  bulkInsertPerMinute: refusedAs('bulkRate'),
  requestsPerMonth: refusedAs('monthlyRequests'),
  maxFileBytes: refusedAs('fileSize'),
  scalePlan: ({ exchange }) => exchange.principal?.workspace.plan === 'scale',
  planFeatures: refusedAs('apiFeature', 'asyncBulk'),
  spacesLimit: refusedAs('spacesLimit'),
  listsLimit: refusedAs('listsLimit'),
  bodyBytes: refusedAs('bodySize'),
}

export function dependsOn(seen: Seen, id: QuestionId): boolean {
  return (dependence[id] ?? isDone)(seen)
}
