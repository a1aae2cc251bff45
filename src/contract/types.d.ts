// Generated from the contract by `npm run generate`; change the contract instead.

export interface ErrorBody {
  /** What went wrong, for humans; for validation it names the field. */
  error: string
  /** Set when a plan limit caused the error. */
  limitReached?: boolean | undefined
  /** Name of the limit. */
  resource?: string | undefined
  /** Value of the limit. */
  limit?: number | undefined
  /** The number requested or in use. */
  current?: number | undefined
  /** Set when trying again is safe; always true with 503. */
  transient?: boolean | undefined
}

export interface Success {
  success: true
}

export type Empty = Record<string, never>

export type Plan = 'free' | 'pro' | 'business' | 'scale'

export interface Member {
  id: string
  name: string
}

export interface Identity {
  workspace: { id: string; name: string; plan: Plan }
  members: Member[]
}

export type TextOrDocument = string | JsonObject

export type JsonObject = Record<string, unknown>

export interface DataTableSummary {
  id: string
  name: string
  /** Number of rows. */
  row_count: number
}

export type ColumnType =
  | 'text'
  | 'longtext'
  | 'email'
  | 'phone'
  | 'link'
  | 'number'
  | 'currency'
  | 'slider'
  | 'checkbox'
  | 'date'
  | 'dropdown'
  | 'tags'
  | 'people'
  | 'datatable'
  | 'formula'
  | 'autonumber'
  | 'attachment'
  | 'created_at'
  | 'updated_at'

export interface Option {
  id: string
  label: string
  /** Hex colour. */
  color: string
}

export interface Column {
  /** The key of its values in a row. */
  id: string
  name: string
  type: ColumnType
  /** Choices of a dropdown or tags column. */
  options?: Option[] | undefined
  /** ISO code, on currency columns. */
  currency_code?: string | undefined
  /** On autonumber columns: a prefix, then braces with one character per digit, such as INV-{0000}. */
  format?: string | undefined
  /** On formula columns: an expression that refers to other columns by name. */
  formula?: string | undefined
  /** Whether values sent for the column are dropped silently. */
  readonly: boolean
}

export interface Row {
  id: string
  /** Incremented by each change. */
  version: number
  /** Values keyed by column id. */
  data: JsonObject
}

export type RowOperator =
  | 'eq'
  | 'neq'
  | 'contains'
  | 'not_contains'
  | 'starts_with'
  | 'ends_with'
  | 'gt'
  | 'gte'
  | 'lt'
  | 'lte'
  | 'between'
  | 'in'
  | 'not_in'
  | 'is_empty'
  | 'is_not_empty'
  | 'is_true'
  | 'is_false'

export interface RowFilter {
  /** Id or name of the column. */
  column: string
  operator: RowOperator
  /** Depends on the operator: `[low, high]` for `between`, an array for `in` and `not_in`, nothing for `is_…`. */
  value?: unknown
}

export interface RowSort {
  /** Id or name of the column. */
  column: string
  /** By default `asc`. */
  direction?: string | undefined
}

export interface RowQuery {
  filters?: RowFilter[] | undefined
  /** Whether a row must pass all filters (the default) or any of them. */
  match?: 'all' | 'any' | undefined
  sort?: RowSort[] | undefined
  /** Ids or names of the columns to return. */
  select?: string[] | undefined
  /** Page number, from 1. By default 1. */
  page?: unknown
  /** Rows per page, at most 500. By default 50. */
  limit?: unknown
}

export interface RowWrite {
  /** Values keyed by column id. Values for read-only columns are dropped silently. */
  data: JsonObject
}

export interface BulkRows {
  /** Rows keyed by column id, at most 250. */
  rows: unknown[]
  /** `insert` (the default), or `upsert` to update the rows that match on `key_column`. */
  mode?: 'insert' | 'upsert' | undefined
  /** Id or name of the column on which an upsert matches. */
  key_column?: string | undefined
}

export type RowErrors = { index: number; error: string }[] | { row: number; message: string }[]

export interface InsertJob {
  /** Rows keyed by column id, 1 to 50,000. */
  rows: unknown[]
}

export type JobStatus = 'queued' | 'processing' | 'done' | 'failed'

export interface Job {
  id: string
  type: 'api_bulk_insert'
  status: JobStatus
  /** Id of the datatable. */
  resource_id: string
  /** Time of the submission, in Unix seconds. */
  created_at: number
  /** Time of the last progress, in Unix seconds. */
  updated_at: number
  /** When the job ended (null until then), in Unix seconds. */
  completed_at: number | null
  /** Messages of failed chunks, at most three, joined. */
  error_message: string | null
  metadata: {
    table_name: string
    submitted: number
    row_count: number
    progress: number
    total: number
    errors: number
  }
}

export interface RowAttachment {
  /** Storage key: `dt/<tableId>/row/<rowId>/<colId>/<filename>`. */
  key: string
  filename: string
  /** In bytes. */
  size: number
  contentType: string
  /** Time of the upload, in Unix seconds. */
  uploadedAt: number
}

export interface List {
  id: string
  name: string
  space_id: string
  space_name: string
  folder_id: string | null
  /** Hex colour: `#rgb` or `#rrggbb`. */
  color: string | null
  /** Icon class name. */
  icon: string | null
}

export interface ListCreate {
  name: string
  /** Hex colour: `#rgb` or `#rrggbb`. */
  color?: string | null | undefined
  /** Icon class name. */
  icon?: string | null | undefined
}

export interface ListPatch {
  name?: string | undefined
  /** Hex colour: `#rgb` or `#rrggbb`. */
  color?: string | null | undefined
  /** Icon class name. */
  icon?: string | null | undefined
}

export interface Status {
  id: string
  name: string
  /** Hex colour: `#rgb` or `#rrggbb`. */
  color: string
  type: 'active' | 'done' | 'archived'
}

export type CustomField =
  | {
      id: string
      name: string
      type: string
      /** Choices of a dropdown or tags field. */
      options?: Option[] | undefined
      /** Whether a link field holds one row (`select`) or several (`items`). */
      mode?: 'select' | 'items' | undefined
      /** The datatable that a link field refers to. */
      table_id?: string | undefined
      readonly: boolean
    }
  | {
      id: string
      name: string
      type: string
      /** Choices of a dropdown or tags field. */
      options?: { label: string }[] | undefined
      /** Whether a link field holds one row (`select`) or several (`items`). */
      mode?: 'select' | 'items' | undefined
      /** The datatable that a link field refers to. */
      table_id?: string | undefined
      readonly: boolean
    }

export interface Space {
  id: string
  name: string
  /** Hex colour: `#rgb` or `#rrggbb`. */
  color: string
  /** Icon class name. */
  icon: string
  default_list_id: string
  /** The lists that are not private. */
  lists: List[]
}

export interface SpaceCreate {
  name: string
  /** Hex colour: `#rgb` or `#rrggbb`. */
  color?: string | undefined
  /** Icon class name. */
  icon?: string | undefined
}

export interface SpacePatch {
  name?: string | undefined
  /** Hex colour: `#rgb` or `#rrggbb`. */
  color?: string | undefined
  /** Icon class name. */
  icon?: string | undefined
}

export interface RepeatConfig {
  /** `on_schedule` repeats at a fixed cadence, `on_complete` once the task is done. */
  trigger: 'on_schedule' | 'on_complete'
  /** Required with `on_schedule`, ignored with `on_complete`. */
  frequency?: 'daily' | 'weekdays' | 'weekly' | 'monthly' | undefined
  /** 0 is Sunday, 6 Saturday; required with `weekly`. */
  day_of_week?: number | undefined
  /** Required with `monthly`; in a shorter month, its last day is used. */
  day_of_month?: number | undefined
  /** `HH:MM`, 24 hours, in the timezone of the workspace; by default `09:00`. */
  time?: string | undefined
  /** Time after which it stops, in Unix seconds. */
  end_date?: number | undefined
}

export type Task =
  | {
      id: string
      title: string
      status_id: string
      /** 0 none, 1 low, 2 normal, 3 high, 4 urgent. */
      priority: number
      /** Due time, in Unix seconds. */
      due_date: number | null
      /** Start, in Unix seconds. */
      date_start: number | null
      /** Values keyed by custom field id. */
      custom_data: JsonObject
      assignees: Member[]
      created_at: number
      updated_at: number
    }
  | {
      id: string
      title: string
      status_id: string
      /** 0 none, 1 low, 2 normal, 3 high, 4 urgent. */
      priority: number
      /** Due time, in Unix seconds. */
      due_date: number | null
      /** Start, in Unix seconds. */
      date_start: number | null
      /** Values keyed by custom field id. */
      custom_data: JsonObject
      assignees: Member[]
      created_at: number
      updated_at: number
      list_id: string
      description: TextOrDocument | null
      /** In minutes. */
      time_estimate: number | null
      project_id: string | null
      parent_task_id: string | null
      type_id: string | null
      /** How the task repeats; null ends the recurrence. */
      repeat_config: RepeatConfig | null
    }

export interface TaskCreate {
  title: string
  /** By default the first active status of the list. */
  status_id?: string | undefined
  priority?: 'low' | 'normal' | 'high' | 'urgent' | null | undefined
  /** Due time, in Unix seconds. */
  due_date?: number | null | undefined
  /** Start, in Unix seconds. */
  date_start?: number | null | undefined
  /** Values keyed by custom field id. */
  custom_data?: JsonObject | undefined
  /** Ids of members. */
  assignees?: string[] | undefined
  /** In minutes. */
  time_estimate?: number | null | undefined
  project_id?: string | null | undefined
  parent_task_id?: string | null | undefined
}

export interface TaskPatch {
  title?: string | undefined
  status_id?: string | undefined
  priority?: 'low' | 'normal' | 'high' | 'urgent' | null | undefined
  /** Due time, in Unix seconds. */
  due_date?: number | null | undefined
  /** Start, in Unix seconds. */
  date_start?: number | null | undefined
  /** Values keyed by custom field id. */
  custom_data?: JsonObject | undefined
  /** Ids of members. */
  assignees?: string[] | undefined
  description?: TextOrDocument | null | undefined
  /** In minutes. */
  time_estimate?: number | null | undefined
  project_id?: string | null | undefined
  parent_task_id?: string | null | undefined
  type_id?: string | null | undefined
  /** How the task repeats; null ends the recurrence. */
  repeat_config?: RepeatConfig | null | undefined
}

export interface Attachment {
  id: string
  filename: string
  mime_type: string
  /** In bytes. */
  size_bytes: number
  /** Where to download it, with the same key. */
  url: string
}

export interface Comment {
  id: string
  task_id: string
  author_id: string
  author_name: string
  content: TextOrDocument
  content_type: 'text' | 'tiptap'
  created_at: number
  updated_at: number | null
}

export interface CommentCreate {
  content: TextOrDocument
  /** Id of the member on whose behalf the comment is made. */
  comment_as?: string | undefined
}

export interface CommentPatch {
  content: TextOrDocument
}

export interface TimeEntry {
  id: string
  user_id: string
  /** In seconds. */
  duration: number
  billable: Flag
  note: string
  is_running: Flag
  /** Start, in Unix seconds. */
  date_start: number
  /** End, in Unix seconds, of a stopped entry. */
  date_end: number | null
}

export type Flag = 0 | 1

export type TimeEntryUser = { id: string; name: string; total_seconds: number } | Member

export interface TimeEntryCreate {
  /** `manual` takes all other fields, `start` takes `as_user` only, `stop` takes none. */
  action: 'manual' | 'start' | 'stop'
  /** In seconds. */
  duration?: number | undefined
  billable?: boolean | undefined
  note?: string | undefined
  /** Start, in Unix seconds. */
  date_start?: number | undefined
  /** End, in Unix seconds, of a stopped entry. */
  date_end?: number | undefined
  /** Id of the member whose entry it is. */
  as_user?: string | undefined
}

export interface TimeEntryPatch {
  /** In seconds. */
  duration?: number | undefined
  billable?: boolean | undefined
  note?: string | undefined
  /** Start, in Unix seconds. */
  date_start?: number | undefined
  /** End, in Unix seconds, of a stopped entry. */
  date_end?: number | undefined
}

export type Form =
  | {
      id: string
      name: string
      /** Last part of the address of the public form. */
      slug: string
      target_type: 'task' | 'datatable'
      /** Id of the list or datatable that submissions go to. */
      target_id: string
      /** 1 is public, 0 a draft. */
      is_published: Flag
      submission_count: number
      field_config: unknown[]
      rules: unknown[] | JsonObject
      settings: JsonObject
      created_at: number
      updated_at: number
    }
  | {
      id: string
      name: string
      /** Last part of the address of the public form. */
      slug: string
      target_type: 'task' | 'datatable_row'
      /** Id of the list or datatable that submissions go to. */
      target_id: string
      /** 1 is public, 0 a draft. */
      is_published: Flag
      submission_count: number
      field_config: unknown[]
      rules: unknown[] | JsonObject
      settings: JsonObject
      created_at: number
      updated_at: number
    }

export interface FormSubmission {
  id: string
  data: JsonObject
  created_entity_type: 'task' | 'datatable_row'
  /** Id of the task or row that the submission created. */
  created_entity_id: string
  /** Time of the submission, in Unix seconds. */
  created_at: number
}

export interface Limits {
  bulkRowsPerRequest?: number | null | undefined
  bulkRowsPerJob?: number | null | undefined
  concurrentBulkJobs?: number | null | undefined
  bulkInsertPerMinute?: number | null | undefined
  requestsPerMonth?: number | null | undefined
  spaces?: number | null | undefined
  lists?: number | null | undefined
  maxFileBytes?: number | null | undefined
}

export interface LimitChanges {
  bulkRowsPerRequest?: number | null | 'plan' | undefined
  bulkRowsPerJob?: number | null | 'plan' | undefined
  concurrentBulkJobs?: number | null | 'plan' | undefined
  bulkInsertPerMinute?: number | null | 'plan' | undefined
  requestsPerMonth?: number | null | 'plan' | undefined
  spaces?: number | null | 'plan' | undefined
  lists?: number | null | 'plan' | undefined
  maxFileBytes?: number | null | 'plan' | undefined
}

export interface ColumnRecord {
  /** The key of its values in a row. */
  id: string
  name: string
  type: ColumnType
  /** Choices of a dropdown or tags column. */
  options?: Option[] | undefined
  /** ISO code, on currency columns. */
  currency_code?: string | undefined
  /** On autonumber columns: a prefix, then braces with one character per digit, such as INV-{0000}. */
  format?: string | undefined
  /** On formula columns: an expression that refers to other columns by name. */
  formula?: string | undefined
  /** Whether values sent for the column are dropped silently. */
  readonly: boolean
  /** On datatable columns: the table of the linked rows; without it they are not checked. */
  table_id?: string | undefined
}

export interface FieldRecord {
  id: string
  name: string
  type: string
  /** Choices of a dropdown or tags field. */
  options?: Option[] | undefined
  /** Whether a link field holds one row (`select`) or several (`items`). */
  mode?: 'select' | 'items' | undefined
  /** The datatable that a link field refers to. */
  table_id?: string | undefined
  readonly: boolean
  /** The expression of a formula field. */
  formula?: string | undefined
}

export interface PlannedEnd {
  how: 'failed' | 'errors'
  after_rows: number
}

export interface FlatRow {
  id: string
  version: number
  [key: string]: unknown
}

export interface WorkspaceRecord {
  id: string
  name: string
  plan: Plan
  /** IANA time zone of recurrences. */
  timezone: string
  billing: 'ok' | 'lapsed'
  /** Overrides of the plan's limits; null means unlimited. */
  limits: Limits
  members: Member[]
}

export interface KeyRecord {
  id: string
  workspace_id: string
  /** Its name in `mock.keys` and in the journal, unique in the fixture. */
  name: string
  kind: 'master' | 'scoped'
  /** Scopes of a scoped key, such as `rows:read`. */
  scopes: string[]
  /** The member who acts when a request does not name one. */
  member_id: string
  suspended: boolean
}

export interface TableRecord {
  id: string
  workspace_id: string
  name: string
  locked: boolean
  columns: ColumnRecord[]
}

export interface SpaceRecord {
  id: string
  workspace_id: string
  name: string
  /** Hex colour: `#rgb` or `#rrggbb`. */
  color: string
  /** Icon class name. */
  icon: string
  default_list_id: string
  /** Never listed, and by default not accessible by id. */
  is_private: boolean
}

export interface ListRecord {
  id: string
  workspace_id: string
  name: string
  space_id: string
  folder_id: string | null
  /** Hex colour: `#rgb` or `#rrggbb`. */
  color: string | null
  /** Icon class name. */
  icon: string | null
  /** Never listed, and by default not accessible by id. */
  is_private: boolean
  statuses: Status[]
  fields: FieldRecord[]
}

export interface TaskRecord {
  id: string
  workspace_id: string
  title: string
  status_id: string
  priority: 'low' | 'normal' | 'high' | 'urgent' | null
  /** Due time, in Unix seconds. */
  due_date: number | null
  /** Start, in Unix seconds. */
  date_start: number | null
  /** Values keyed by custom field id. */
  custom_data: JsonObject
  /** Ids of members. */
  assignees: string[]
  created_at: number
  updated_at: number
  list_id: string
  description: TextOrDocument | null
  /** In minutes. */
  time_estimate: number | null
  project_id: string | null
  parent_task_id: string | null
  type_id: string | null
  /** How the task repeats; null ends the recurrence. */
  repeat_config: RepeatConfig | null
  /** Occurrences come strictly after this time: when `repeat_config` was set, or the last occurrence. */
  repeat_since: number | null
  /** When the task was soft-deleted. */
  deleted_at: number | null
}

export interface CommentRecord {
  id: string
  workspace_id: string
  task_id: string
  author_id: string
  content: TextOrDocument
  content_type: 'text' | 'tiptap'
  created_at: number
  updated_at: number | null
  /** The API key that created it, if any: a scoped key can edit only its own comments. */
  key: string | null
}

export interface TimeEntryRecord {
  id: string
  workspace_id: string
  task_id: string
  user_id: string
  /** In seconds. */
  duration: number
  billable: Flag
  note: string
  is_running: Flag
  /** Start, in Unix seconds. */
  date_start: number
  /** End, in Unix seconds, of a stopped entry. */
  date_end: number | null
}

export interface AttachmentRecord {
  id: string
  workspace_id: string
  task_id: string
  filename: string
  mime_type: string
  /** In bytes. */
  size_bytes: number
}

export interface FormRecord {
  id: string
  workspace_id: string
  name: string
  /** Last part of the address of the public form. */
  slug: string
  target_type: 'task' | 'datatable'
  /** Id of the list or datatable that submissions go to. */
  target_id: string
  /** 1 is public, 0 a draft. */
  is_published: Flag
  submission_count: number
  field_config: unknown[]
  rules: unknown[] | JsonObject
  settings: JsonObject
  created_at: number
  updated_at: number
}

export interface SubmissionRecord {
  id: string
  workspace_id: string
  form_id: string
  data: JsonObject
  created_entity_type: 'task' | 'datatable_row'
  /** Id of the task or row that the submission created. */
  created_entity_id: string
  /** Time of the submission, in Unix seconds. */
  created_at: number
}

export interface JobRecord {
  id: string
  workspace_id: string
  table_id: string
  table_name: string
  status: JobStatus
  /** In milliseconds. */
  created_ms: number
  /** In milliseconds. */
  updated_ms: number
  /** In milliseconds; null until it has ended. */
  completed_ms: number | null
  submitted: number
  /** Rows processed so far. */
  handled: number
  /** Rows inserted so far. */
  row_count: number
  /** Chunks with an error so far. */
  errors: number
  /** The first messages of failed chunks, three at most. */
  messages: string[]
  /** How a fault ends it after `after_rows` rows: `failed` stops it there, `errors` makes the next row fail. */
  planned_end: PlannedEnd | null
}

export interface Records {
  workspaces: WorkspaceRecord
  keys: KeyRecord
  tables: TableRecord
  spaces: SpaceRecord
  lists: ListRecord
  tasks: TaskRecord
  comments: CommentRecord
  timeEntries: TimeEntryRecord
  attachments: AttachmentRecord
  forms: FormRecord
  submissions: SubmissionRecord
  jobs: JobRecord
}

/** The current answer to every question. */
export interface Answers {
  /** Whether column values are next to id and version in a row body or inside data. Default: "data" */
  readonly rowShape: 'data' | 'flat' | 'flatInLists'
  /** Whether a column without a value appears in a row. Default: "null" */
  readonly emptyColumns: 'null' | 'absent'
  /** When the version of a row changes. Default: "fixed" */
  readonly rowVersion: 'fixed'
  /** The form of values in a datatable column and in a datatable link field. Default: "fixed" */
  readonly relationValues: 'fixed'
  /** Which integer stands for which priority when a task is read. Default: {"none":0,"low":1,"normal":2,"high":3,"urgent":4} */
  readonly taskPriority: {
    readonly none: number
    readonly low: number
    readonly normal: number
    readonly high: number
    readonly urgent: number
  }
  /** Whether a response also shows the task fields that can be written but are not documented for reading. Default: false */
  readonly taskReadExtras: boolean
  /** Which types a custom field can have. Default: ["text","longtext","email","phone","link","number","currency","slider","checkbox","date","dropdown","tags","people","formula","datatable"] */
  readonly customFieldTypes: readonly string[]
  /** The form of the options of a custom field. Default: "full" */
  readonly customFieldOptions: 'full' | 'label'
  /** The form of users in the time entry listing. Default: "totals" */
  readonly timeEntryUsers: 'totals' | 'names'
  /** Whether target_type is datatable or datatable_row in a form that creates rows; the contract uses both. Default: "datatable" */
  readonly formTargetType: 'datatable' | 'datatable_row'
  /** What field_config, rules and settings contain beyond the sample, and whether a listed form is complete. Default: "fixed" */
  readonly formStructure: 'fixed'
  /** The request and response body of the row query. Default: "fixed" */
  readonly queryBody: 'fixed'
  /** How the response to a bulk request reports failed rows. Default: "indexed" */
  readonly bulkErrors: 'indexed' | 'numbered' | 'omit'
  /** What the response to a bulk request is when none of its rows is inserted, or rows is empty. Default: 400 */
  readonly bulkAllFailed: 400 | 200
  /** What total counts in the response to a bulk request, and when success is true. Default: "submitted" */
  readonly bulkTotal: 'submitted' | 'table'
  /** Which errors have limitReached, resource, limit and current, and with what values. Default: "fixed" */
  readonly limitFacts: 'fixed'
  /** The unit and value of Retry-After and X-RateLimit-Limit. Default: "fixed" */
  readonly retryAfter: 'fixed'
  /** The bodies of responses to PATCH and DELETE for which the contract names no content, including those of spaces and lists. Default: "success" */
  readonly mutationBody: 'success' | 'resource' | 'empty'
  /** Which error a request gets when several apply. Default: "fixed" */
  readonly checkOrder: 'fixed'
  /** Whether an endpoint can respond with an error status that is not in its own list. Default: "fixed" */
  readonly generalStatuses: 'fixed'
  /** What still works in a workspace whose billing lapsed. Default: "fixed" */
  readonly billingLapse: 'fixed'
  /** How an unknown field of a JSON body is treated. Default: "ignore" */
  readonly unknownBodyFields: 'ignore' | 'reject'
  /** Whether JSON can be sent with another content type. Default: "lenient" */
  readonly contentType: 'lenient' | 'strict'
  /** How a page size above the maximum is treated, or a page, limit, offset or since that is not a usable integer. Default: "clamp" */
  readonly limitAboveMax: 'clamp' | 'reject'
  /** Whether sort, select and equality filters accept column ids as well as names. Default: "names" */
  readonly columnNames: 'names' | 'namesAndIds'
  /** How an unknown column in sort, select or a query, or a direction other than asc and desc, is treated. Default: "reject" */
  readonly unknownSortColumn: 'reject' | 'ignore'
  /** How a query parameter is treated if it is neither documented nor the name of a column. Default: "ignore" */
  readonly unknownFilter: 'ignore' | 'reject'
  /** How an upload with too many, missing or misplaced parts is treated, and how large it can be in total. Default: "fixed" */
  readonly multipart: 'fixed'
  /** How a body that names an unknown member, status, parent task or linked row is treated. Default: "fixed" */
  readonly unknownReferences: 'fixed'
  /** Whether a name, a title or a text comment can be empty or blank. Default: "reject" */
  readonly emptyNames: 'reject' | 'accept'
  /** Which colours are valid, and the defaults of the colour and icon of a new space or list. Default: "fixed" */
  readonly colors: 'fixed'
  /** What project_id and type_id refer to. Default: "fixed" */
  readonly projectId: 'fixed'
  /** Which fields of a task a PATCH can set to null. Default: "fixed" */
  readonly clearing: 'fixed'
  /** Whether custom_data in a PATCH is merged into the stored values or replaces them. Default: "merge" */
  readonly customDataPatch: 'merge' | 'replace'
  /** How a key in a row body is treated if it is not a column id. Default: "reject" */
  readonly unknownRowKeys: 'reject' | 'ignore'
  /** How a key in custom_data is treated if it is not a field of the list. Default: "reject" */
  readonly unknownCustomFields: 'reject' | 'ignore'
  /** Which values fit which type of column or custom field. Default: "strict" */
  readonly typeChecks: 'strict' | 'dropdownLabels'
  /** How a value for an attachment column in a row body is treated. Default: "ignore" */
  readonly attachmentWrites: 'ignore' | 'reject'
  /** How the text of an equality filter is compared with the value of a typed column. Default: "fixed" */
  readonly filterValues: 'fixed'
  /** Whether comparisons ignore case. Default: "insensitive" */
  readonly queryText: 'insensitive' | 'sensitive'
  /** Which values count as empty, and how values are ordered. Default: "fixed" */
  readonly emptyValues: 'fixed'
  /** The order of listings. Default: "fixed" */
  readonly listOrder: 'fixed'
  /** How an unknown mode, a wrong key_column, and several or no rows for one key are treated. Default: "fixed" */
  readonly upsertMatch: 'fixed'
  /** Which states a job goes through. Default: "failedWhenNothingIn" */
  readonly jobTransitions: 'failedWhenNothingIn' | 'failedOnAnyChunk'
  /** How long a job stays in each state, and how its progress moves. Default: {"queuedMs":500,"chunkRows":1000,"chunkMs":500} */
  readonly jobTimeline: { readonly queuedMs: number; readonly chunkRows: number; readonly chunkMs: number }
  /** How an invalid row affects the other rows of its chunk, and the format of error_message. Default: "keepValid" */
  readonly jobChunkErrors: 'keepValid' | 'rejectChunk'
  /** Which writes other than jobs a locked table refuses. Default: "bulk" */
  readonly lockedTable: 'bulk' | 'jobs' | 'writes'
  /** Which status changes are allowed. Default: "any" */
  readonly statusTransitions:
    | 'any'
    | {
        readonly active?: readonly ('active' | 'done' | 'archived')[] | undefined
        readonly done?: readonly ('active' | 'done' | 'archived')[] | undefined
        readonly archived?: readonly ('active' | 'done' | 'archived')[] | undefined
      }
  /** Which statuses a new space or list gets. Default: "fixed" */
  readonly defaultStatuses: 'fixed'
  /** Whether a private space or list and the tasks in it can be reached by id. Default: "hidden" */
  readonly privateById: 'hidden' | 'visible'
  /** What the status parameter of the task listing is compared to. Default: "idOrName" */
  readonly taskStatusFilter: 'idOrName' | 'idNameOrType'
  /** The language of formula expressions. Default: "fixed" */
  readonly formulaLanguage: 'fixed'
  /** Which fields a manual entry must have, and what applies when duration and dates disagree. Default: "fixed" */
  readonly manualEntry: 'fixed'
  /** What duration a running entry shows. Default: "zero" */
  readonly runningDuration: 'zero' | 'elapsed'
  /** What happens to a running timer when its user starts another. Default: "stopPrevious" */
  readonly startEntry: 'stopPrevious' | 'reject' | 'allow'
  /** Which running entry a stop ends. Default: "actingThenOnly" */
  readonly stopEntry: 'actingThenOnly' | 'latest'
  /** The status of the response to editing a running entry. Default: 400 */
  readonly editRunning: 400 | 403
  /** When a repeating task is cloned and what the clone contains. Default: "fixed" */
  readonly recurrence: 'fixed'
  /** How a deleted task is recovered. Default: "fixed" */
  readonly restoreTask: 'fixed'
  /** How a form is published or unpublished, and what a submission writes. Default: "fixed" */
  readonly formPublishing: 'fixed'
  /** How a second upload with the same filename is treated, and how unusual filenames are stored. Default: "fixed" */
  readonly rowAttachmentName: 'fixed'
  /** Payload, delivery, signing, retries and triggers of webhooks. Default: "fixed" */
  readonly webhooks: 'fixed'
  /** How deprecations are announced. Default: "fixed" */
  readonly versioning: 'fixed'
  /** Which prefix API keys have. Default: "fixed" */
  readonly keyPrefix: 'fixed'
  /** Which scopes exist and what each allows. Default: {"getIdentity":"workspace:read","listDatatables":"datatables:read","getDatatableSchema":"datatables:read","listRows":"rows:read","queryRows":"rows:read","createRow":"rows:write","bulkInsertRows":"rows:write","getRow":"rows:read","updateRow":"rows:write","deleteRow":"rows:write","submitInsertJob":"jobs:write","getJob":"jobs:read","uploadRowAttachment":"attachments:write","deleteRowAttachment":"attachments:write","listSpaces":"spaces:read","createSpace":"spaces:write","updateSpace":"spaces:write","createList":"spaces:write","listLists":"spaces:read","getList":"spaces:read","updateList":"spaces:write","getListSchema":"spaces:read","listTasks":"tasks:read","createTask":"tasks:write","getTask":"tasks:read","updateTask":"tasks:write","deleteTask":"tasks:write","listComments":"comments:read","createComment":"comments:write","updateComment":"comments:write","deleteComment":"comments:write","listTimeEntries":"time:read","createTimeEntry":"time:write","updateTimeEntry":"time:write","deleteTimeEntry":"time:write","listTaskAttachments":"attachments:read","uploadTaskAttachment":"attachments:write","downloadTaskAttachment":"attachments:read","deleteTaskAttachment":"attachments:write","listForms":"forms:read","getForm":"forms:read","listFormSubmissions":"forms:read"} */
  readonly scopes: {
    readonly getIdentity: string
    readonly listDatatables: string
    readonly getDatatableSchema: string
    readonly listRows: string
    readonly queryRows: string
    readonly createRow: string
    readonly bulkInsertRows: string
    readonly getRow: string
    readonly updateRow: string
    readonly deleteRow: string
    readonly submitInsertJob: string
    readonly getJob: string
    readonly uploadRowAttachment: string
    readonly deleteRowAttachment: string
    readonly listSpaces: string
    readonly createSpace: string
    readonly updateSpace: string
    readonly createList: string
    readonly listLists: string
    readonly getList: string
    readonly updateList: string
    readonly getListSchema: string
    readonly listTasks: string
    readonly createTask: string
    readonly getTask: string
    readonly updateTask: string
    readonly deleteTask: string
    readonly listComments: string
    readonly createComment: string
    readonly updateComment: string
    readonly deleteComment: string
    readonly listTimeEntries: string
    readonly createTimeEntry: string
    readonly updateTimeEntry: string
    readonly deleteTimeEntry: string
    readonly listTaskAttachments: string
    readonly uploadTaskAttachment: string
    readonly downloadTaskAttachment: string
    readonly deleteTaskAttachment: string
    readonly listForms: string
    readonly getForm: string
    readonly listFormSubmissions: string
  }
  /** Who acts when a request names no member. Default: "fixed" */
  readonly actingMember: 'fixed'
  /** Which comments belong to a scoped key. Default: "key" */
  readonly ownComment: 'key' | 'member'
  /** How many bulk requests are allowed per minute. Default: {"free":10,"pro":60,"business":120,"scale":300} */
  readonly bulkInsertPerMinute: {
    readonly free: number | null
    readonly pro: number | null
    readonly business: number | null
    readonly scale: number | null
  }
  /** How many requests are allowed per month. Default: {"free":null,"pro":null,"business":null,"scale":null} */
  readonly requestsPerMonth: {
    readonly free: number | null
    readonly pro: number | null
    readonly business: number | null
    readonly scale: number | null
  }
  /** How large an uploaded file can be. Default: {"free":10485760,"pro":10485760,"business":10485760,"scale":10485760} */
  readonly maxFileBytes: {
    readonly free: number | null
    readonly pro: number | null
    readonly business: number | null
    readonly scale: number | null
  }
  /** The job limits of the scale plan. Default: {"bulkRowsPerJob":50000,"concurrentBulkJobs":10} */
  readonly scalePlan: { readonly bulkRowsPerJob: number; readonly concurrentBulkJobs: number }
  /** Which features each plan has. Default: {"free":["api"],"pro":["api","asyncBulk"],"business":["api","asyncBulk"],"scale":["api","asyncBulk"]} */
  readonly planFeatures: {
    readonly free: readonly ('api' | 'asyncBulk')[]
    readonly pro: readonly ('api' | 'asyncBulk')[]
    readonly business: readonly ('api' | 'asyncBulk')[]
    readonly scale: readonly ('api' | 'asyncBulk')[]
  }
  /** How many spaces a plan allows before creating another is refused with 403. Default: {"free":null,"pro":null,"business":null,"scale":null} */
  readonly spacesLimit: {
    readonly free: number | null
    readonly pro: number | null
    readonly business: number | null
    readonly scale: number | null
  }
  /** How many lists a plan allows before creating another is refused with 403. Default: {"free":null,"pro":null,"business":null,"scale":null} */
  readonly listsLimit: {
    readonly free: number | null
    readonly pro: number | null
    readonly business: number | null
    readonly scale: number | null
  }
  /** How large and how deeply nested a JSON body can be. Default: 33554432 */
  readonly bodyBytes: number
}

/** What each operation takes and returns: `response` is the body of a successful response with the default answers to open questions, `status` any that it documents, `needsFile` whether a call requires a file. */
export interface OperationTypes {
  readonly getIdentity: {
    readonly params: object
    readonly query: Readonly<Partial<Record<string, never>>>
    readonly body: undefined
    readonly response: Identity
    readonly status: 200 | 401 | 402 | 403 | 429 | 500 | 503
    readonly needsFile: false
  }
  readonly listDatatables: {
    readonly params: object
    readonly query: Readonly<Partial<Record<string, never>>>
    readonly body: undefined
    readonly response: { datatables: DataTableSummary[] }
    readonly status: 200 | 401 | 402 | 403 | 429 | 500 | 503
    readonly needsFile: false
  }
  readonly getDatatableSchema: {
    readonly params: Readonly<Record<'tableId', string>>
    readonly query: Readonly<Partial<Record<string, never>>>
    readonly body: undefined
    readonly response: { columns: Column[] }
    readonly status: 200 | 401 | 402 | 403 | 404 | 429 | 500 | 503
    readonly needsFile: false
  }
  readonly listRows: {
    readonly params: Readonly<Record<'tableId', string>>
    readonly query: {
      readonly page?: number | undefined
      readonly limit?: number | undefined
      readonly sort?: string | undefined
      readonly select?: string | undefined
      readonly [column: string]: string | number | undefined
    }
    readonly body: undefined
    readonly response: { rows: Row[]; total: number; page: number; pageSize: number }
    readonly status: 200 | 400 | 401 | 402 | 403 | 404 | 429 | 500 | 503
    readonly needsFile: false
  }
  readonly queryRows: {
    readonly params: Readonly<Record<'tableId', string>>
    readonly query: Readonly<Partial<Record<string, never>>>
    readonly body: RowQuery
    readonly response: { rows: Row[]; total: number; page: number; pageSize: number }
    readonly status: 200 | 400 | 401 | 402 | 403 | 404 | 413 | 429 | 500 | 503
    readonly needsFile: false
  }
  readonly createRow: {
    readonly params: Readonly<Record<'tableId', string>>
    readonly query: Readonly<Partial<Record<string, never>>>
    readonly body: RowWrite
    readonly response: Row
    readonly status: 200 | 400 | 401 | 402 | 403 | 404 | 413 | 429 | 500 | 503
    readonly needsFile: false
  }
  readonly bulkInsertRows: {
    readonly params: Readonly<Record<'tableId', string>>
    readonly query: Readonly<Partial<Record<string, never>>>
    readonly body: BulkRows
    readonly response:
      | { success: true; count: number; total: number; errors?: RowErrors | undefined }
      | {
          success: true
          inserted: number
          updated: number
          total: number
          errorCount: number
          errors?: RowErrors | undefined
        }
    readonly status: 200 | 400 | 401 | 402 | 403 | 404 | 413 | 429 | 500 | 503
    readonly needsFile: false
  }
  readonly getRow: {
    readonly params: Readonly<Record<'tableId' | 'rowId', string>>
    readonly query: Readonly<Partial<Record<string, never>>>
    readonly body: undefined
    readonly response: Row
    readonly status: 200 | 401 | 402 | 403 | 404 | 429 | 500 | 503
    readonly needsFile: false
  }
  readonly updateRow: {
    readonly params: Readonly<Record<'tableId' | 'rowId', string>>
    readonly query: Readonly<Partial<Record<string, never>>>
    readonly body: RowWrite
    readonly response: Row
    readonly status: 200 | 400 | 401 | 402 | 403 | 404 | 413 | 429 | 500 | 503
    readonly needsFile: false
  }
  readonly deleteRow: {
    readonly params: Readonly<Record<'tableId' | 'rowId', string>>
    readonly query: Readonly<Partial<Record<string, never>>>
    readonly body: undefined
    readonly response: Success
    readonly status: 200 | 401 | 402 | 403 | 404 | 429 | 500 | 503
    readonly needsFile: false
  }
  readonly submitInsertJob: {
    readonly params: Readonly<Record<'tableId', string>>
    readonly query: Readonly<Partial<Record<string, never>>>
    readonly body: InsertJob
    readonly response: { job_id: string; status: 'queued'; rows_submitted: number }
    readonly status: 202 | 400 | 401 | 402 | 403 | 404 | 413 | 429 | 500 | 503
    readonly needsFile: false
  }
  readonly getJob: {
    readonly params: Readonly<Record<'jobId', string>>
    readonly query: Readonly<Partial<Record<string, never>>>
    readonly body: undefined
    readonly response: Job
    readonly status: 200 | 401 | 402 | 403 | 404 | 429 | 500 | 503
    readonly needsFile: false
  }
  readonly uploadRowAttachment: {
    readonly params: Readonly<Record<'tableId' | 'rowId', string>>
    readonly query: { readonly col?: string | undefined }
    readonly body: undefined
    readonly response: { attachment: RowAttachment; row: Row }
    readonly status: 200 | 400 | 401 | 402 | 403 | 404 | 413 | 429 | 500 | 503
    readonly needsFile: true
  }
  readonly deleteRowAttachment: {
    readonly params: Readonly<Record<'tableId' | 'rowId' | 'key', string>>
    readonly query: Readonly<Partial<Record<string, never>>>
    readonly body: undefined
    readonly response: Success
    readonly status: 200 | 400 | 401 | 402 | 403 | 404 | 429 | 500 | 503
    readonly needsFile: false
  }
  readonly listSpaces: {
    readonly params: object
    readonly query: Readonly<Partial<Record<string, never>>>
    readonly body: undefined
    readonly response: { spaces: Space[] }
    readonly status: 200 | 401 | 402 | 403 | 429 | 500 | 503
    readonly needsFile: false
  }
  readonly createSpace: {
    readonly params: object
    readonly query: Readonly<Partial<Record<string, never>>>
    readonly body: SpaceCreate
    readonly response: Space
    readonly status: 200 | 400 | 401 | 402 | 403 | 413 | 429 | 500 | 503
    readonly needsFile: false
  }
  readonly updateSpace: {
    readonly params: Readonly<Record<'spaceId', string>>
    readonly query: Readonly<Partial<Record<string, never>>>
    readonly body: SpacePatch
    readonly response: Success
    readonly status: 200 | 400 | 401 | 402 | 403 | 404 | 413 | 429 | 500 | 503
    readonly needsFile: false
  }
  readonly createList: {
    readonly params: Readonly<Record<'spaceId', string>>
    readonly query: Readonly<Partial<Record<string, never>>>
    readonly body: ListCreate
    readonly response: List
    readonly status: 201 | 400 | 401 | 402 | 403 | 404 | 413 | 429 | 500 | 503
    readonly needsFile: false
  }
  readonly listLists: {
    readonly params: object
    readonly query: Readonly<Partial<Record<string, never>>>
    readonly body: undefined
    readonly response: { lists: List[] }
    readonly status: 200 | 401 | 402 | 403 | 429 | 500 | 503
    readonly needsFile: false
  }
  readonly getList: {
    readonly params: Readonly<Record<'listId', string>>
    readonly query: Readonly<Partial<Record<string, never>>>
    readonly body: undefined
    readonly response: List
    readonly status: 200 | 401 | 402 | 403 | 404 | 429 | 500 | 503
    readonly needsFile: false
  }
  readonly updateList: {
    readonly params: Readonly<Record<'listId', string>>
    readonly query: Readonly<Partial<Record<string, never>>>
    readonly body: ListPatch
    readonly response: Success
    readonly status: 200 | 400 | 401 | 402 | 403 | 404 | 413 | 429 | 500 | 503
    readonly needsFile: false
  }
  readonly getListSchema: {
    readonly params: Readonly<Record<'listId', string>>
    readonly query: Readonly<Partial<Record<string, never>>>
    readonly body: undefined
    readonly response: { statuses: Status[]; fields: CustomField[] }
    readonly status: 200 | 401 | 402 | 403 | 404 | 429 | 500 | 503
    readonly needsFile: false
  }
  readonly listTasks: {
    readonly params: Readonly<Record<'listId', string>>
    readonly query: {
      readonly limit?: number | undefined
      readonly offset?: number | undefined
      readonly status?: string | undefined
      readonly q?: string | undefined
    }
    readonly body: undefined
    readonly response: { tasks: Task[]; limit: number; offset: number }
    readonly status: 200 | 400 | 401 | 402 | 403 | 404 | 429 | 500 | 503
    readonly needsFile: false
  }
  readonly createTask: {
    readonly params: Readonly<Record<'listId', string>>
    readonly query: Readonly<Partial<Record<string, never>>>
    readonly body: TaskCreate
    readonly response: { id: string; attachments: Attachment[] }
    readonly status: 201 | 400 | 401 | 402 | 403 | 404 | 413 | 429 | 500 | 503
    readonly needsFile: false
  }
  readonly getTask: {
    readonly params: Readonly<Record<'taskId', string>>
    readonly query: Readonly<Partial<Record<string, never>>>
    readonly body: undefined
    readonly response: Task
    readonly status: 200 | 401 | 402 | 403 | 404 | 429 | 500 | 503
    readonly needsFile: false
  }
  readonly updateTask: {
    readonly params: Readonly<Record<'taskId', string>>
    readonly query: Readonly<Partial<Record<string, never>>>
    readonly body: TaskPatch
    readonly response: Success
    readonly status: 200 | 400 | 401 | 402 | 403 | 404 | 413 | 429 | 500 | 503
    readonly needsFile: false
  }
  readonly deleteTask: {
    readonly params: Readonly<Record<'taskId', string>>
    readonly query: Readonly<Partial<Record<string, never>>>
    readonly body: undefined
    readonly response: Success
    readonly status: 200 | 401 | 402 | 403 | 404 | 429 | 500 | 503
    readonly needsFile: false
  }
  readonly listComments: {
    readonly params: Readonly<Record<'taskId', string>>
    readonly query: Readonly<Partial<Record<string, never>>>
    readonly body: undefined
    readonly response: { comments: Comment[] }
    readonly status: 200 | 401 | 402 | 403 | 404 | 429 | 500 | 503
    readonly needsFile: false
  }
  readonly createComment: {
    readonly params: Readonly<Record<'taskId', string>>
    readonly query: Readonly<Partial<Record<string, never>>>
    readonly body: CommentCreate
    readonly response: { id: string }
    readonly status: 200 | 400 | 401 | 402 | 403 | 404 | 413 | 429 | 500 | 503
    readonly needsFile: false
  }
  readonly updateComment: {
    readonly params: Readonly<Record<'taskId' | 'commentId', string>>
    readonly query: Readonly<Partial<Record<string, never>>>
    readonly body: CommentPatch
    readonly response: Success
    readonly status: 200 | 400 | 401 | 402 | 403 | 404 | 413 | 429 | 500 | 503
    readonly needsFile: false
  }
  readonly deleteComment: {
    readonly params: Readonly<Record<'taskId' | 'commentId', string>>
    readonly query: Readonly<Partial<Record<string, never>>>
    readonly body: undefined
    readonly response: Success
    readonly status: 200 | 401 | 402 | 403 | 404 | 429 | 500 | 503
    readonly needsFile: false
  }
  readonly listTimeEntries: {
    readonly params: Readonly<Record<'taskId', string>>
    readonly query: Readonly<Partial<Record<string, never>>>
    readonly body: undefined
    readonly response: { users: TimeEntryUser[]; total_seconds: number; entries: TimeEntry[] }
    readonly status: 200 | 401 | 402 | 403 | 404 | 429 | 500 | 503
    readonly needsFile: false
  }
  readonly createTimeEntry: {
    readonly params: Readonly<Record<'taskId', string>>
    readonly query: Readonly<Partial<Record<string, never>>>
    readonly body: TimeEntryCreate
    readonly response: TimeEntry
    readonly status: 200 | 400 | 401 | 402 | 403 | 404 | 413 | 429 | 500 | 503
    readonly needsFile: false
  }
  readonly updateTimeEntry: {
    readonly params: Readonly<Record<'taskId' | 'entryId', string>>
    readonly query: Readonly<Partial<Record<string, never>>>
    readonly body: TimeEntryPatch
    readonly response: Success
    readonly status: 200 | 400 | 401 | 402 | 403 | 404 | 413 | 429 | 500 | 503
    readonly needsFile: false
  }
  readonly deleteTimeEntry: {
    readonly params: Readonly<Record<'taskId' | 'entryId', string>>
    readonly query: Readonly<Partial<Record<string, never>>>
    readonly body: undefined
    readonly response: Success
    readonly status: 200 | 401 | 402 | 403 | 404 | 429 | 500 | 503
    readonly needsFile: false
  }
  readonly listTaskAttachments: {
    readonly params: Readonly<Record<'taskId', string>>
    readonly query: Readonly<Partial<Record<string, never>>>
    readonly body: undefined
    readonly response: { attachments: Attachment[] }
    readonly status: 200 | 401 | 402 | 403 | 404 | 429 | 500 | 503
    readonly needsFile: false
  }
  readonly uploadTaskAttachment: {
    readonly params: Readonly<Record<'taskId', string>>
    readonly query: Readonly<Partial<Record<string, never>>>
    readonly body: undefined
    readonly response: { attachment: Attachment }
    readonly status: 201 | 400 | 401 | 402 | 403 | 404 | 413 | 429 | 500 | 503
    readonly needsFile: true
  }
  readonly downloadTaskAttachment: {
    readonly params: Readonly<Record<'taskId' | 'attachmentId', string>>
    readonly query: Readonly<Partial<Record<string, never>>>
    readonly body: undefined
    readonly response: Uint8Array
    readonly status: 200 | 401 | 402 | 403 | 404 | 429 | 500 | 503
    readonly needsFile: false
  }
  readonly deleteTaskAttachment: {
    readonly params: Readonly<Record<'taskId' | 'attachmentId', string>>
    readonly query: Readonly<Partial<Record<string, never>>>
    readonly body: undefined
    readonly response: Success
    readonly status: 200 | 401 | 402 | 403 | 404 | 429 | 500 | 503
    readonly needsFile: false
  }
  readonly listForms: {
    readonly params: object
    readonly query: Readonly<Partial<Record<string, never>>>
    readonly body: undefined
    readonly response: { forms: Form[] }
    readonly status: 200 | 401 | 402 | 403 | 429 | 500 | 503
    readonly needsFile: false
  }
  readonly getForm: {
    readonly params: Readonly<Record<'formId', string>>
    readonly query: Readonly<Partial<Record<string, never>>>
    readonly body: undefined
    readonly response: { form: Form }
    readonly status: 200 | 401 | 402 | 403 | 404 | 429 | 500 | 503
    readonly needsFile: false
  }
  readonly listFormSubmissions: {
    readonly params: Readonly<Record<'formId', string>>
    readonly query: {
      readonly limit?: number | undefined
      readonly offset?: number | undefined
      readonly since?: number | undefined
    }
    readonly body: undefined
    readonly response: { submissions: FormSubmission[]; limit: number; offset: number }
    readonly status: 200 | 400 | 401 | 402 | 403 | 404 | 429 | 500 | 503
    readonly needsFile: false
  }
}
