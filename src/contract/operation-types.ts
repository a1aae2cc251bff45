// What each operation takes and returns, as types for tests and clients.
import type { BodyFor, OperationId, Operations, PathOf, QueryFor, SuccessFor } from './index.ts'
import type { BinaryContent } from './operation.ts'
import type { NestedRow, Row } from './rows.ts'

/** A response whose rows have their values under `data`, the default shape. */
type WithNestedRows<T> = T extends Row
  ? Extract<T, NestedRow>
  : T extends { readonly rows: readonly Row[] }
    ? { readonly [Name in keyof T]: Name extends 'rows' ? NestedRow[] : T[Name] }
    : T extends { readonly row: Row }
      ? { readonly [Name in keyof T]: Name extends 'row' ? NestedRow : T[Name] }
      : T

/** What each operation takes and returns. */
export type OperationTypes = {
  readonly [Id in OperationId]: {
    readonly params: Readonly<Record<PathOf<Id>, string>>
    readonly query: Partial<QueryFor<Id>> &
      (Operations[Id] extends { readonly columnFilters: true }
        ? Readonly<Record<string, string | number | undefined>>
        : unknown)
    readonly body: BodyFor<Id>
    /** The body of a successful response with the default answers to open questions. */
    readonly response: SuccessFor<Id> extends BinaryContent
      ? Uint8Array
      : { success: true } extends SuccessFor<Id>
        ? { success: true }
        : WithNestedRows<SuccessFor<Id>>
    /** Whether a call requires a file. */
    readonly needsFile: Operations[Id] extends {
      readonly body: { readonly multipart: { readonly fileRequired: true } }
    }
      ? true
      : false
  }
}

/** The JSON body that an operation takes: `RequestBody<'createTask'>`; undefined for one without a body. */
export type RequestBody<Id extends OperationId> = OperationTypes[Id]['body']

/** The body of an operation's successful response with the default answers: `ResponseBody<'getTask'>`. */
export type ResponseBody<Id extends OperationId> = OperationTypes[Id]['response']
