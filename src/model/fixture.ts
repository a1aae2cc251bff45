// Owns what a fixture is to those who write one: one JSON value, nested by what owns what.
import type { LimitName } from '../contract/errors.ts'
import type { Plan } from '../contract/identity.ts'
import type { ColumnType } from '../contract/datatables.ts'
import type { StatusType } from '../contract/lists.ts'
import type { JobStatus } from '../contract/jobs.ts'
import type { Priority, RepeatConfig } from '../contract/tasks.ts'
import type { AgendaEntry } from './agenda.ts'
import type { StoredRow } from './row-table.ts'
import type { RuntimeState } from './runtime.ts'

export { FixtureError } from './fixture-error.ts'
export { exportFixture } from './fixture-export.ts'
export { fixtureJsonSchema } from './fixture-json-schema.ts'
export { loadBase, type LoadOptions } from './fixture-load.ts'

/** Wherever a moment is asked for: whole Unix seconds. */
type Seconds = number
type JsonObject = Readonly<Record<string, unknown>>

/**
 * The state a mock starts from. Only what matters need be written: an id that is left out is the next of its kind
 * (`task_000001`), a moment that is left out is `clock`.
 */
export interface Fixture {
  /** Ignored; lets an editor find the JSON schema of a fixture file. */
  readonly $schema?: string
  /** By default `custom`. */
  readonly name?: string
  /** When the mock's clock starts; by default 1767607200, 2026-01-05T10:00:00Z. */
  readonly clock?: Seconds
  readonly workspaces: readonly FixtureWorkspace[]
  /**
   * Contents in base64 by the id of a task's attachment or the storage key of a row's. A file without contents here
   * is an empty one; what belongs to no attachment is an error.
   */
  readonly files?: Readonly<Record<string, string>>
  /** What an export adds. With it, links to rows and tasks that are no more are let pass. */
  readonly runtime?: FixtureRuntime
}

/** A fixture of this package, whose many rows cost nothing until they are asked for. */
export interface OwnFixture extends Fixture {
  /** What makes the rows of a table, by its id: all of them, as they are stored. The table itself holds none. */
  readonly generated?: Readonly<Record<string, () => readonly StoredRow[]>>
}

export interface FixtureWorkspace {
  readonly id?: string
  /** By default its id. */
  readonly name?: string
  /** By default pro. */
  readonly plan?: Plan
  /** IANA name of the zone in which recurrences are counted; by default UTC. */
  readonly timezone?: string
  /** By default ok. */
  readonly billing?: 'ok' | 'lapsed'
  /** In place of the plan's limits; null is unlimited. */
  readonly limits?: Readonly<Partial<Record<LimitName, number | null>>>
  readonly members?: readonly FixtureMember[]
  readonly keys?: readonly FixtureKey[]
  readonly tables?: readonly FixtureTable[]
  readonly spaces?: readonly FixtureSpace[]
  readonly forms?: readonly FixtureForm[]
  readonly jobs?: readonly FixtureJob[]
}

export interface FixtureMember {
  readonly id?: string
  readonly name: string
}

export interface FixtureKey {
  /** What a client sends after `Bearer`. */
  readonly key: string
  /** Its name in `mock.keys`, one of a kind in the fixture; by default the key itself. */
  readonly name?: string
  /** By default master. */
  readonly kind?: 'master' | 'scoped'
  /** Of a scoped key, such as `rows:read`. */
  readonly scopes?: readonly string[]
  /** Who acts when a request names nobody; by default the first member. */
  readonly member_id?: string
  readonly suspended?: boolean
}

export interface FixtureOption {
  readonly id?: string
  readonly label: string
  /** By default grey. */
  readonly color?: string
}

export interface FixtureTable {
  readonly id?: string
  readonly name: string
  readonly locked?: boolean
  readonly columns: readonly FixtureColumn[]
  readonly rows?: readonly FixtureRow[]
}

export interface FixtureColumn {
  readonly id?: string
  readonly name: string
  readonly type: ColumnType
  /** Of dropdown and tags. */
  readonly options?: readonly FixtureOption[]
  /** Of currency; by default USD. */
  readonly currency_code?: string
  /** Of autonumber, such as `ORD-{0000}`; by default the bare number. */
  readonly format?: string
  /** Of formula, such as `{Quantity} * {Unit price}`. */
  readonly formula?: string
  /** By default true for the types that the API never writes. */
  readonly readonly?: boolean
  /** Of datatable: where the rows it names are. Without it they are not checked. */
  readonly table_id?: string
}

export interface FixtureRow {
  readonly id?: string
  /** By default 1. */
  readonly version?: number
  /**
   * Values by column id, none for columns that are computed. In an autonumber column a row without a value gets the
   * next number. In an attachment column stand items `{filename, key?, size?, contentType?, uploadedAt?}`: the key by
   * default that of an upload, `dt/<tableId>/row/<rowId>/<colId>/<filename>`, the size in bytes that of the contents in
   * `files`, the type `application/octet-stream`, the moment `updated_at` of the row.
   */
  readonly data?: JsonObject
  readonly created_at?: Seconds
  /** By default `created_at`. */
  readonly updated_at?: Seconds
}

export interface FixtureSpace {
  readonly id?: string
  readonly name: string
  readonly color?: string
  readonly icon?: string
  /** Never listed, and by default not to be reached at all. */
  readonly is_private?: boolean
  /** By default the first list. */
  readonly default_list_id?: string
  /** By default one list named Tasks. */
  readonly lists?: readonly FixtureList[]
}

export interface FixtureList {
  readonly id?: string
  readonly name: string
  readonly folder_id?: string | null
  readonly color?: string | null
  readonly icon?: string | null
  /** Never listed, and by default not to be reached at all. */
  readonly is_private?: boolean
  /** By default those of a new list: To do, In progress, Done, Archived. */
  readonly statuses?: readonly FixtureStatus[]
  readonly fields?: readonly FixtureField[]
  readonly tasks?: readonly FixtureTask[]
}

export interface FixtureStatus {
  readonly id?: string
  readonly name: string
  readonly color?: string
  readonly type: StatusType
}

/** A custom field of the tasks of a list. */
export interface FixtureField {
  readonly id?: string
  readonly name: string
  /** Assumption: customFieldTypes */
  readonly type: string
  readonly options?: readonly FixtureOption[]
  /** Of a datatable link: one row (select, the default) or several (items). */
  readonly mode?: 'select' | 'items'
  /** Of a datatable link, which must have it. */
  readonly table_id?: string
  readonly formula?: string
  readonly readonly?: boolean
}

/** As written through the API, and what the service adds. */
export interface FixtureTask {
  readonly id?: string
  readonly title: string
  /** By default the first active status of the list. */
  readonly status_id?: string
  readonly priority?: Priority | null
  readonly due_date?: Seconds | null
  readonly date_start?: Seconds | null
  readonly assignees?: readonly string[]
  /** Values by field id, none for fields that are computed. */
  readonly custom_data?: JsonObject
  readonly description?: string | JsonObject | null
  /** Minutes. */
  readonly time_estimate?: number | null
  readonly project_id?: string | null
  readonly parent_task_id?: string | null
  readonly type_id?: string | null
  readonly repeat_config?: Readonly<RepeatConfig> | null
  /** Occurrences count strictly after this moment; by default after `clock`. */
  readonly repeat_since?: Seconds | null
  readonly created_at?: Seconds
  /** By default `created_at`. */
  readonly updated_at?: Seconds
  /** Of a task that is soft-deleted. */
  readonly deleted_at?: Seconds | null
  readonly comments?: readonly FixtureComment[]
  readonly time_entries?: readonly FixtureTimeEntry[]
  readonly attachments?: readonly FixtureAttachment[]
}

export interface FixtureComment {
  readonly id?: string
  /** By default the first member. */
  readonly author_id?: string
  readonly content: string | JsonObject
  /** Follows from `content`: text or tiptap. */
  readonly content_type?: 'text' | 'tiptap'
  readonly created_at?: Seconds
  readonly updated_at?: Seconds | null
  /** The API key it was made with, where it was: a scoped key may only edit its own comments. */
  readonly key?: string | null
}

/** What is left out follows from the rest: `date_end` from start and duration, `duration` from both dates. */
export interface FixtureTimeEntry {
  readonly id?: string
  /** By default the first member. */
  readonly user_id?: string
  /** Seconds. */
  readonly duration?: number
  readonly billable?: 0 | 1 | boolean
  readonly note?: string
  readonly is_running?: 0 | 1 | boolean
  readonly date_start?: Seconds
  readonly date_end?: Seconds | null
}

export interface FixtureAttachment {
  readonly id?: string
  readonly filename: string
  /** By default `application/octet-stream`. */
  readonly mime_type?: string
  /** By default that of the contents in `files`. */
  readonly size_bytes?: number
}

export interface FixtureForm {
  readonly id?: string
  readonly name: string
  /** By default made from the name. */
  readonly slug?: string
  readonly target_type: 'task' | 'datatable' | 'datatable_row'
  /** Id of a list (task) or a table (datatable). */
  readonly target_id: string
  /** By default published. */
  readonly is_published?: 0 | 1 | boolean
  /** Lifetime total; by default the number of `submissions`. */
  readonly submission_count?: number
  readonly field_config?: readonly unknown[]
  readonly rules?: readonly unknown[] | JsonObject
  readonly settings?: JsonObject
  readonly created_at?: Seconds
  /** By default `created_at`. */
  readonly updated_at?: Seconds
  readonly submissions?: readonly FixtureSubmission[]
}

export interface FixtureSubmission {
  readonly id?: string
  readonly data?: JsonObject
  /** Follows from the form's target. */
  readonly created_entity_type?: 'task' | 'datatable_row'
  /** The task or row it made, which may be gone. */
  readonly created_entity_id: string
  readonly created_at?: Seconds
}

/** A bulk insert. Moments in milliseconds, since progress moves within seconds. */
export interface FixtureJob {
  readonly id?: string
  readonly table_id: string
  readonly table_name?: string
  /** By default queued. */
  readonly status?: JobStatus
  readonly created_ms?: number
  readonly updated_ms?: number
  readonly completed_ms?: number | null
  /** By default the number of `rows`. */
  readonly submitted?: number
  /** Rows looked at so far. */
  readonly handled?: number
  /** Rows inserted so far. */
  readonly row_count?: number
  /** Chunks with an error so far. */
  readonly errors?: number
  readonly messages?: readonly string[]
  /** What was submitted, of a job that has not ended. */
  readonly rows?: readonly unknown[]
}

/** The part of an export that no resource shows, yet on which the future depends. */
export interface FixtureRuntime extends Partial<RuntimeState> {
  /** The exact moment, where it is no whole second. */
  readonly now_ms?: number
  /** What is due when, in the order in which it was scheduled. */
  readonly agenda?: readonly AgendaEntry[]
  /** Ids of all lists in order of creation, where that is not the order in which they stand. */
  readonly lists?: readonly string[]
}

/** Types a fixture in place: names are completed, literals kept. */
export function defineFixture<const F extends Fixture>(fixture: F): F {
  return fixture
}
