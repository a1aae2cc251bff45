// Whether a response depended on the answer to an open question, as far as request and response show it.
import { textOperators } from '../contract/rows.ts'
import { limitOfKind } from '../contract/errors.ts'
import { operations } from '../contract/index.ts'
import type { OperationSpec } from '../contract/operation.ts'
import type { QuestionId } from '../contract/questions/register.ts'
import { isObject, isUnset } from '../contract/data/objects.ts'
import {
  hasParameter,
  meetsAll,
  meetsAny,
  hasItems,
  isDone,
  isInvalid,
  isRefused,
  hasBreach,
  isOperation,
  hasRefusal,
  hasField,
  hasShown,
  type Condition,
  type Evidence,
} from './conditions.ts'
import { idOf, type Json } from './request.ts'
import { isMultipart } from '../core/request/multipart.ts'
import { wrongPaging } from './fields.ts'
import { unusableSince } from './submissions.ts'

/** Values of a row: under `data`, or next to its id. */
const valuesOf = (row: Json): Json => (isObject(row.data) ? row.data : row)
const hasRow = (holds?: (row: Json) => boolean) => hasShown(['rows', 'row'], holds)

/** Columns of the request's table that are of a type. */
function columnsOf({ exchange, store }: Evidence, type: string): string[] {
  const columns = store.tables.get(idOf(exchange, 'tableId'))?.columns ?? []
  return columns.filter((column) => column.type === type).map(({ id }) => id)
}
const hasColumnOfType =
  (type: string): Condition =>
  (evidence) => {
    const ids = columnsOf(evidence, type)
    return ids.length > 0 && hasRow((row) => ids.some((id) => !isUnset(valuesOf(row)[id])))(evidence)
  }

const fieldsOf = ({ store }: Evidence, type: string) =>
  store.lists.all().flatMap(({ fields }) => fields.filter((field) => field.type === type))
const hasFieldOfType =
  (type: string): Condition =>
  (evidence) => {
    const ids = fieldsOf(evidence, type).map(({ id }) => id)
    const holds = ({ custom_data: values }: Json) =>
      isObject(values) && ids.some((id) => !isUnset(values[id]))
    return ids.length > 0 && hasShown(['tasks'], holds)(evidence)
  }

const isKeyScoped: Condition = ({ exchange }) => exchange.principal?.key.kind === 'scoped'

const pagingNames = ['page', 'limit', 'pageSize', 'sort', 'select']
const hasFilters: Condition = ({ exchange, query, sent }) =>
  exchange.operation === 'queryRows'
    ? sent === undefined || hasItems(sent.filters)
    : [...query.keys()].some((name) => !pagingNames.includes(name))
const isQuery = isOperation('queryRows')
const hasSorting = meetsAny(hasParameter('sort'), meetsAll(isQuery, hasField(['sort'], hasItems)))
const hasSelection = meetsAny(hasParameter('select'), meetsAll(isQuery, hasField(['select'], hasItems)))
const hasColumnNames = meetsAny(hasFilters, hasSorting, hasSelection)

const readsText: ReadonlySet<unknown> = new Set(textOperators)
const hasTextFilter: Condition = ({ sent }) => {
  const asked = sent?.filters
  return (
    sent === undefined ||
    (Array.isArray(asked) && asked.some((filter) => isObject(filter) && readsText.has(filter.operator)))
  )
}

/** Whether rows of a bulk request were not written. */
const hasFailedRows: Condition = ({ sent, response, exchange }) => {
  if (exchange.refusal === 'validation') return Array.isArray(sent?.rows ?? [])
  const rows = sent?.rows
  const { count, inserted, updated } = response ?? {}
  const written = typeof count === 'number' ? count : Number(inserted) + Number(updated)
  return exchange.status === 200 && !(Array.isArray(rows) && rows.length === written)
}

const hasValues = meetsAny(
  hasField(['data', 'custom_data'], hasItems),
  hasField(['rows'], (rows) => Array.isArray(rows) && rows.some(hasItems)),
)
const hasAction = (...actions: string[]) =>
  hasField(['action'], (action) => actions.some((known) => known === action))
const isBlank = (value: unknown) => typeof value === 'string' && value.trim() === ''

/** Questions that are not listed affect every request that is carried out. */
const dependence: Partial<Record<QuestionId, Condition>> = {
  rowShape: hasRow(),
  emptyColumns: (evidence) => {
    const leavesOut = evidence.store.answers.emptyColumns === 'absent'
    return hasRow((row) => leavesOut || Object.values(valuesOf(row)).some(isUnset))(evidence)
  },
  rowVersion: hasRow(),
  relationValues: meetsAny(hasColumnOfType('datatable'), hasFieldOfType('datatable')),
  taskPriority: hasShown(['tasks']),
  taskReadExtras: hasShown(['tasks']),
  customFieldTypes: meetsAny(
    meetsAll(isOperation('getListSchema'), hasShown(['fields'])),
    hasField(['custom_data'], hasItems),
  ),
  customFieldOptions: hasShown(['fields'], ({ options }) => options !== undefined),
  timeEntryUsers: hasShown(['users']),
  formTargetType: hasShown(['forms', 'form'], (form) => form.target_type !== 'task'),
  formStructure: hasShown(['forms', 'form']),
  queryBody: meetsAny(isDone, isInvalid),
  bulkErrors: hasFailedRows,
  bulkAllFailed: meetsAll(
    hasFailedRows,
    meetsAny(isInvalid, ({ response }) => response?.count === 0),
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
  billingLapse: hasRefusal('billing'),
  unknownBodyFields: hasBreach('unknown-field'),
  contentType: hasBreach('content-type'),
  limitAboveMax: ({ exchange, sent }) =>
    wrongPaging(exchange, sent).length > 0 ||
    (exchange.operation === 'listFormSubmissions' && unusableSince(exchange.queryText) !== undefined),
  columnNames: hasColumnNames,
  unknownSortColumn: meetsAll(
    meetsAny(hasSorting, hasSelection, meetsAll(isQuery, hasFilters)),
    (evidence) =>
      evidence.store.answers.unknownSortColumn === 'ignore' ? evidence.isDone : isInvalid(evidence),
  ),
  unknownFilter: hasBreach('unknown-parameter'),
  multipart: ({ exchange }) => isMultipart(exchange.contentType),
  unknownReferences: isInvalid,
  emptyNames: hasField(['name', 'title', 'content'], isBlank),
  colors: meetsAny(isOperation('createSpace', 'createList'), hasField(['color', 'icon'])),
  projectId: hasField(['project_id', 'type_id']),
  clearing: ({ sent }) => sent === undefined || Object.values(sent).includes(null),
  customDataPatch: hasField(['custom_data']),
  unknownRowKeys: hasBreach('row-key-name', 'unknown-key'),
  unknownCustomFields: hasBreach('row-key-name', 'unknown-key'),
  typeChecks: hasValues,
  attachmentWrites: (evidence) => {
    const ids = columnsOf(evidence, 'attachment')
    return evidence.exchange.observations.some(({ subject }) => ids.includes(subject))
  },
  filterValues: hasFilters,
  queryText: meetsAny(hasParameter('q'), meetsAll(isQuery, hasTextFilter)),
  emptyValues: meetsAny(hasFilters, hasSorting),
  listOrder: ({ response, isDone: done }) =>
    done && Object.values(response ?? {}).some((value) => Array.isArray(value) && value.length > 1),
  upsertMatch: hasField(['mode']),
  jobTransitions: meetsAll(isOperation('getJob'), isDone),
  jobTimeline: meetsAll(isOperation('getJob'), isDone),
  jobChunkErrors: hasShown([], ({ metadata }) => isObject(metadata) && metadata.errors !== 0),
  lockedTable: ({ exchange, store }) =>
    exchange.refusal === 'lockedTable' || store.tables.get(idOf(exchange, 'tableId'))?.locked === true,
  statusTransitions: hasField(['status_id']),
  privateById: ({ exchange, store, isDone: done }) =>
    store.answers.privateById === 'visible' ? done : exchange.refusal === 'notFound',
  taskStatusFilter: hasParameter('status'),
  formulaLanguage: hasColumnOfType('formula'),
  manualEntry: meetsAny(
    hasAction('manual'),
    meetsAll(isOperation('updateTimeEntry'), hasField(['duration', 'date_start', 'date_end'])),
  ),
  runningDuration: meetsAny(
    hasAction('start'),
    hasShown(['entries'], (entry) => entry.is_running === 1),
  ),
  startEntry: hasAction('start'),
  stopEntry: hasAction('stop'),
  editRunning: hasBreach('edit-running'),
  recurrence: meetsAny(
    hasField(['repeat_config'], (value) => value !== null),
    (evidence) =>
      hasShown(
        ['tasks'],
        ({ id }) => typeof id === 'string' && Boolean(evidence.store.tasks.get(id)?.repeat_config),
      )(evidence),
  ),
  restoreTask: () => false,
  formPublishing: () => false,
  webhooks: () => false,
  versioning: () => false,
  keyPrefix: () => false,
  scopes: meetsAny(isRefused, isKeyScoped),
  actingMember: ({ isDone: done, sent = {} }) => done && !('as_user' in sent) && !('comment_as' in sent),
  ownComment: isKeyScoped,
  bulkInsertPerMinute: hasRefusal('bulkRate'),
  requestsPerMonth: hasRefusal('monthlyRequests'),
  maxFileBytes: hasRefusal('fileSize'),
  scalePlan: ({ exchange }) => exchange.principal?.workspace.plan === 'scale',
  planFeatures: hasRefusal('apiFeature', 'asyncBulk'),
  spacesLimit: hasRefusal('spacesLimit'),
  listsLimit: hasRefusal('listsLimit'),
  bodyBytes: hasRefusal('bodySize'),
}

export function dependsOn(evidence: Evidence, id: QuestionId): boolean {
  return (dependence[id] ?? isDone)(evidence)
}
