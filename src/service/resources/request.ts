// Operation handlers: the request they get at each stage, and how they confirm a change.
import type * as z from 'zod/mini'
import type { BodyFor, OperationId, PathOf, QueryFor, SuccessFor } from '../../contract/index.ts'
import type { UploadedFile } from '../../contract/operation.ts'
import type { JsonText } from '../../contract/text/json-text.ts'
import type { Answers } from '../../contract/questions/register.ts'
import type { Records } from '../../contract/resources.ts'
import type { Empty, Success } from '../../contract/schema/common.ts'
import type { StoredRow } from '../store/table.ts'
import type { KeyRecord, WorkspaceRecord } from '../../contract/workspaces.ts'
import type { ReportBreach, Store } from '../store/store.ts'

/** A fault on submitInsertJob: the job fails, or ends with errors. */
export interface JobFault {
  readonly job: 'failed' | 'errors'
  readonly afterRows?: number | undefined
}

/** The records a path names, found and visible to the key: `taskId` names the task. */
export interface Located {
  table: Records['tables']
  row: StoredRow
  job: Records['jobs']
  space: Records['spaces']
  list: Records['lists']
  task: Records['tasks']
  comment: Records['comments']
  entry: Records['timeEntries']
  attachment: Records['attachments']
  form: Records['forms']
  /** The decoded storage key; the handler checks whether the file exists. */
  key: string
}

/** The record a path parameter names: `task` for `taskId`. */
export type RecordName<Parameter extends string> = Parameter extends `${infer Name}Id` ? Name : Parameter

/** A request with a valid key, whose path leads to existing records. */
export interface AdmittedRequest<Id extends OperationId> {
  readonly store: Store
  readonly answers: Answers
  readonly workspace: WorkspaceRecord
  readonly key: KeyRecord
  /** The records its path names. */
  readonly at: {
    readonly [Name in RecordName<PathOf<Id>>]: Name extends keyof Located ? Located[Name] : never
  }
  /** Prefix of attachment addresses; ends with /v1. */
  readonly baseUrl: string
  readonly reportBreach: ReportBreach
  readonly jobFault?: JobFault | undefined
}

/** An admitted request with its unvalidated body. */
export interface ReceivedRequest<Id extends OperationId> extends AdmittedRequest<Id> {
  /** The JSON body, or the JSON of part `data`; must not be changed. */
  readonly json: unknown
  readonly files: readonly UploadedFile[]
}

/** A request whose shape is fully validated. */
export interface ParsedRequest<Id extends OperationId> extends ReceivedRequest<Id> {
  readonly query: QueryFor<Id>
  /** Query parameters the operation does not name, with their first value. */
  readonly otherQuery: ReadonlyMap<string, string>
  readonly body: BodyFor<Id>
}

/** The stages of an operation, in the order of question `checkOrder`; each throws an `ApiError` to refuse the request. */
interface StagedHandler<Id extends OperationId> {
  /** Refuses with 403 for plan features and counts, locked tables and comment ownership, then with 429 for the per-minute limit. */
  permit?(request: AdmittedRequest<Id>): void
  /** Refuses with 413 for the size of the body or its files. */
  measure?(request: ReceivedRequest<Id>): void
  run(request: ParsedRequest<Id>): SuccessFor<Id> | JsonText<SuccessFor<Id>>
}

/** A handler without other stages is a plain function. */
export type OperationHandler<Id extends OperationId> = StagedHandler<Id> | StagedHandler<Id>['run']

export type Handlers = { readonly [Id in OperationId]: OperationHandler<Id> }

type Acknowledgement = z.infer<typeof Success> | z.infer<typeof Empty>

/** Assumption: mutationBody */
export function toDeleteResponse(answers: Answers): Acknowledgement {
  return answers.mutationBody === 'empty' ? {} : { success: true }
}

/** Calls `resource` only if the response is the resource. Assumption: mutationBody */
export function toPatchResponse<T>(answers: Answers, resource: () => T): Acknowledgement | T {
  return answers.mutationBody === 'resource' ? resource() : toDeleteResponse(answers)
}
